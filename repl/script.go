// Package repl is what a person or a pipe talks to: it cuts input into cells, sends them to a session and shows what
// comes back. The prompt of a terminal is in package prompt, the commands in package command.
package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"flinkish/repl/command"
	"flinkish/repl/session"
	"flinkish/repl/show"
)

// Exit statuses of the tool.
const (
	ExitOK          = 0
	ExitMismatch    = 1   // an expectation differs
	ExitUsage       = 2   // wrong flag or argument, unreadable file
	ExitCell        = 3   // a cell or command failed
	ExitTimeout     = 4   // a cell took longer than it may
	ExitCrash       = 70  // a bug of ours
	ExitInterrupted = 130 // Ctrl-C
)

// ExitCode is the status for a cell that ended in r.
func ExitCode(r session.Result) int {
	switch {
	case r.OK:
		return ExitOK
	case r.Diagnostic == nil:
		return ExitCell
	case r.Diagnostic.Kind == session.Timeout:
		return ExitTimeout
	case r.Diagnostic.Kind == session.Interrupted:
		return ExitInterrupted
	}
	return ExitCell
}

// Script runs cells and commands that are read line by line, as from a pipe: results only on the standard output,
// diagnostics on the error output, and the end at the first cell that fails.
type Script struct {
	Session session.Session
	Printer *show.Printer
	Name    string // of the input, for positions: stdin
	Width   int    // of drawings
	Through command.Through

	lines   *lines
	cell    []string
	first   int  // line of the input where cell begins
	begun   bool // cell has more than the directives to the compiler that stand before what they are about
	program bool // the input is a program: the whole rest is one cell
}

// Run reads in to its end and returns the exit status.
func (s *Script) Run(ctx context.Context, in io.Reader) int {
	code := s.run(ctx, in)
	if code == ExitOK {
		s.neverRun(ctx)
		s.unfinished(ctx)
	}
	return code
}

// neverRun warns of sinks that no job has: whoever wrote them expected to see something.
func (s *Script) neverRun(ctx context.Context) {
	g, err := s.Session.Graph(ctx, "")
	if err != nil {
		return
	}
	for _, t := range g.Tasks {
		for _, op := range t.Operators {
			if op.Sink {
				s.Printer.Event(session.Event{Stream: session.Problem, Diagnostic: &session.Diagnostic{Kind: session.Warning,
					File: s.Name, FileLine: s.lines.number, Message: fmt.Sprintf("the input ended before %q was run", op.Name),
					Hint: "env.Execute(ctx) or :run runs what was built"}})
				return
			}
		}
	}
}

// unfinished warns of the jobs that the end of the input stops: their results are not all there, and nobody else tells.
func (s *Script) unfinished(ctx context.Context) {
	for _, j := range s.Session.Jobs() {
		if j.Done {
			continue
		}
		if !j.Deterministic {
			s.Session.Settle(ctx, 1, s.Printer.Event) // shows what came after the last cell
		}
		d := &session.Diagnostic{Kind: session.Warning, File: s.Name, FileLine: s.lines.number,
			Message: j.CutShort("input"),
			Hint:    "wait for it in a cell, as with env.Execute(ctx) or All of what it collects"}
		if j.Deterministic {
			d.Hint += "; --max N lets background jobs take more than " + strconv.Itoa(s.Session.Settings().Max) + " steps after a cell"
		}
		s.Printer.Event(session.Event{Stream: session.Problem, Diagnostic: d})
	}
}

func (s *Script) run(ctx context.Context, in io.Reader) int {
	s.lines = readLines(ctx, in)
	for {
		line, ok, err := s.lines.next(ctx)
		switch {
		case ctx.Err() != nil:
			return ExitInterrupted
		case err != nil:
			io.WriteString(s.Printer.Err, s.Name+": "+err.Error()+"\n")
			return ExitUsage
		case !ok:
			return s.end(ctx)
		}
		if code, done := s.line(ctx, line); done {
			return code
		}
	}
}

// line takes one line, and runs the cell that it completes. done says that the script has ended.
func (s *Script) line(ctx context.Context, line string) (code int, done bool) {
	text := strings.TrimSpace(line)
	directive := strings.HasPrefix(text, "//go:")
	if len(s.cell) == 0 {
		switch {
		case directive:
		case text == "" || strings.HasPrefix(text, "//") || s.lines.number == 1 && strings.HasPrefix(text, "#!"):
			return 0, false
		case command.Is(text):
			return s.command(ctx, text)
		}
		s.first, s.begun = s.lines.number, false
	}
	if !s.begun && !directive && text != "" {
		s.begun = true
		s.program = text == "package" || strings.HasPrefix(text, "package ")
	}
	s.cell = append(s.cell, line)
	if !s.begun || s.program || s.Session.Incomplete(strings.Join(s.cell, "\n")) {
		return 0, false
	}
	// A chain may go on with a leading dot, which only the next line tells.
	if next, ok, _ := s.lines.peek(ctx); ok && strings.HasPrefix(strings.TrimSpace(next), ".") {
		return 0, false
	}
	code = s.eval(ctx)
	return code, code != ExitOK
}

func (s *Script) command(ctx context.Context, line string) (code int, done bool) {
	err := command.Run(ctx, command.Env{Session: s.Session, Show: s.placed, Width: s.Width, Through: s.Through}, line)
	var failed *command.Failed
	switch {
	case err == nil:
		return ExitOK, false
	case errors.Is(err, command.ErrQuit):
		return ExitOK, true
	case errors.As(err, &failed):
		return ExitCode(failed.Result), true
	}
	s.Printer.Event(session.Event{Stream: session.Problem, Diagnostic: commandDiagnostic(err, s.Name, s.lines.number)})
	return ExitCell, true
}

// placed shows an event of a command; a problem that has no place of its own lies at the command.
func (s *Script) placed(e session.Event) {
	if d := e.Diagnostic; d != nil && d.Position() == "" {
		at := *d
		at.File, at.FileLine = s.Name, s.lines.number
		e.Diagnostic = &at
	}
	s.Printer.Event(e)
}

func commandDiagnostic(err error, file string, line int) *session.Diagnostic {
	d := &session.Diagnostic{Kind: session.Runtime, File: file, FileLine: line, Message: err.Error()}
	var e *command.Error
	if errors.As(err, &e) {
		d.Message, d.Hint = e.Msg, e.Hint
	}
	return d
}

func (s *Script) eval(ctx context.Context) int {
	c := session.Cell{Source: strings.Join(s.cell, "\n"), File: s.Name, Line: s.first}
	s.cell = nil
	return ExitCode(s.Session.Eval(ctx, c, s.Printer.Event))
}

// end is the end of the input: what is left is a program, or a cell that something keeps open.
func (s *Script) end(ctx context.Context) int {
	if len(s.cell) == 0 {
		return ExitOK
	}
	src := strings.Join(s.cell, "\n")
	if open := unclosed(src); open != nil && s.Session.Incomplete(src) {
		open.File, open.FileLine, open.Line = s.Name, open.Line+s.first-1, 0
		s.Printer.Event(session.Event{Stream: session.Problem, Diagnostic: open})
		return ExitCell
	}
	return s.eval(ctx)
}

// lines are the lines of an input, with one of look-ahead. They are read by a goroutine, so that waiting for one ends
// with the context.
type lines struct {
	ch     chan read
	ahead  *read
	number int // of the line that next returned last
}

type read struct {
	text string
	err  error
}

func readLines(ctx context.Context, in io.Reader) *lines {
	l := &lines{ch: make(chan read)}
	go func() {
		defer close(l.ch)
		r := bufio.NewReader(in)
		for {
			text, err := readLine(r)
			if err == io.EOF {
				err = nil
				if text == "" {
					return
				}
			}
			text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
			select {
			case l.ch <- read{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return l
}

// lineMax bounds a line, in bytes: an input without any end of line must not fill the memory.
const lineMax = 64 << 20

func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > lineMax:
			return "", fmt.Errorf("a line is longer than %d MB: this is no script", lineMax>>20)
		case err != bufio.ErrBufferFull:
			return string(line), err
		}
	}
}

// next returns the next line; ok is false at the end of the input.
func (l *lines) next(ctx context.Context) (text string, ok bool, err error) {
	text, ok, err = l.peek(ctx)
	l.ahead = nil
	if ok {
		l.number++
	}
	return text, ok, err
}

func (l *lines) peek(ctx context.Context) (text string, ok bool, err error) {
	if l.ahead == nil {
		select {
		case r, more := <-l.ch:
			if !more {
				return "", false, nil
			}
			l.ahead = &r
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
	return l.ahead.text, l.ahead.err == nil, l.ahead.err
}
