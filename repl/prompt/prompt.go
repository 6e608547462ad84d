// Package prompt is the line prompt of a terminal: it reads whole cells with continuation, history and completion,
// runs them in a session and shows what comes back.
package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"flinkish/repl"
	"flinkish/repl/command"
	"flinkish/repl/session"
	"flinkish/repl/show"
)

// Options start a prompt.
type Options struct {
	Session  session.Session
	In       *os.File
	Out, Err io.Writer
	Banner   string // first line; empty: none
	History  string // path of the history file; empty: none is kept
	Plain    bool   // no cursor movement and no escape sequences: TERM=dumb, or output that is no terminal
	Color    bool
	Width    func() int // of the terminal, in columns
	// Dashboard is what :dash opens; see command.Env.
	Dashboard func(ctx context.Context, job string) (string, error)
	Through   command.Through // see command.Env
}

// prompt is one running prompt.
type prompt struct {
	Options
	in      reader
	history *history
	printer *show.Printer
	sig     chan os.Signal // Ctrl-C while the terminal is not raw; it is caught all the time, or it would end flinkish
	n       int            // number of the next cell
	fixed   string         // the latest cell with its hint applied; empty: it has none
	empty   int            // Ctrl-C on an empty line, in a row
}

// reader reads one line of input, which may hold newlines when it was pasted or recalled.
type reader interface {
	// Line returns errInterrupt after Ctrl-C, with what was typed, and io.EOF after Ctrl-D.
	Line(prompt string, before []string) (string, error)
	// Remember adds an input to what the arrow keys recall.
	Remember(input string)
	Close() error
}

var errInterrupt = errors.New("interrupt")

// Run reads and runs cells until Ctrl-D, :quit or the end of ctx, and returns the exit status.
func Run(ctx context.Context, o Options) int {
	p := &prompt{Options: o, n: 1, history: openHistory(o.History), sig: make(chan os.Signal, 1)}
	p.printer = &show.Printer{Out: o.Out, Err: o.Err, Notes: true, Options: func() show.Options {
		return show.Options{Width: o.Width(), Glyphs: o.Session.Settings().Glyphs}
	}}
	signal.Notify(p.sig, os.Interrupt)
	defer signal.Stop(p.sig)
	in, err := p.open(ctx)
	if err != nil {
		fmt.Fprintln(o.Err, "flinkish: terminal:", err)
		return repl.ExitUsage
	}
	p.in = in
	defer in.Close()
	if o.Banner != "" {
		fmt.Fprintln(o.Out, o.Banner)
	}
	for ctx.Err() == nil {
		input, err := p.read()
		if err != nil {
			return repl.ExitOK
		}
		if err := p.remember(input); err != nil {
			fmt.Fprintf(o.Err, "history is not kept: %v\n", err)
			p.history = openHistory("")
		}
		if p.run(ctx, input) {
			return repl.ExitOK
		}
	}
	return repl.ExitInterrupted
}

func (p *prompt) open(ctx context.Context) (reader, error) {
	if p.Plain {
		return newPlain(ctx, p.In, p.Out, p.sig), nil
	}
	return newEditor(ctx, p)
}

// read returns the next input that is not blank: a command, or a cell that is complete.
func (p *prompt) read() (string, error) {
	var lines []string
	for {
		line, err := p.in.Line(p.sign(len(lines) > 0), lines)
		switch {
		case errors.Is(err, errInterrupt):
			p.interrupted(len(lines) == 0 && strings.TrimSpace(line) == "")
			lines = nil
			continue
		case err != nil && len(lines) > 0:
			lines = nil // Ctrl-D in the middle drops the cell only
			continue
		case err != nil:
			return "", err
		}
		p.empty = 0
		lines = append(lines, stripPrompts(line))
		src := strings.Join(lines, "\n")
		switch {
		case strings.TrimSpace(src) == "":
			lines = nil
		case len(lines) == 1 && command.Is(src) && !strings.Contains(src, "\n"):
			return src, nil
		case !p.Session.Incomplete(src):
			return src, nil
		}
	}
}

func (p *prompt) sign(more bool) string {
	text := fmt.Sprintf("[%d]> ", p.n)
	if more {
		text = strings.Repeat(".", max(3, len(text)-2)) + "> "
	}
	if p.Color && !p.Plain {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	return text
}

// interrupted answers Ctrl-C at the prompt: it cleared the input; twice on an empty line it says how to leave.
func (p *prompt) interrupted(empty bool) {
	if !empty {
		p.empty = 0
		return
	}
	if p.empty++; p.empty > 1 {
		fmt.Fprintln(p.Out, "Ctrl-D or :quit leaves")
	}
}

func (p *prompt) remember(input string) error {
	p.in.Remember(input)
	return p.history.add(input)
}

// run runs an input: a cell, a command, or a paste with several of them. It reports whether to leave.
func (p *prompt) run(ctx context.Context, input string) (quit bool) {
	for _, part := range cut(input, p.Session.Incomplete) {
		stop, ok := p.part(ctx, part)
		p.printer.Fresh()
		if stop || !ok {
			return stop
		}
	}
	return false
}

func (p *prompt) part(ctx context.Context, part string) (quit, ok bool) {
	ctx, done := p.interruptible(ctx)
	defer done()
	if !command.Is(part) {
		return false, p.cell(ctx, part)
	}
	env := command.Env{Session: p.Session, Show: p.printer.Event, Width: p.Width(), Dashboard: p.Dashboard, Fix: p.fix, Through: p.Through}
	err := command.Run(ctx, env, part)
	var failed *command.Failed
	switch {
	case errors.Is(err, command.ErrQuit):
		return true, true
	case err != nil && !errors.As(err, &failed):
		fmt.Fprintln(p.Err, commandText(err, p.Width()))
	case strings.HasPrefix(part, ":reset"):
		p.n = 1
	}
	return false, err == nil
}

// cell runs a cell.
func (p *prompt) cell(ctx context.Context, src string) (ok bool) {
	r := p.Session.Eval(ctx, session.Cell{Number: p.n, Source: src, Echo: true}, p.printer.Event)
	p.n++
	p.fixed = ""
	if r.Diagnostic != nil {
		p.fixed = r.Diagnostic.Fix
		if p.fixed != "" {
			fmt.Fprintln(p.Err, "  :fix applies it")
		}
	}
	return r.OK
}

// fix runs the cell that failed, with its hint applied, as if it had been typed.
func (p *prompt) fix(ctx context.Context) error {
	if p.fixed == "" {
		return &command.Error{Msg: "fix: the latest cell has no hint that can be applied", Hint: "the arrow up brings the cell back"}
	}
	src := p.fixed
	fmt.Fprintln(p.Out, p.sign(false)+strings.ReplaceAll(src, "\n", "\n"+p.sign(true)))
	if err := p.remember(src); err != nil {
		return err
	}
	p.cell(ctx, src)
	return nil
}

// commandText is the text of an error of a command: a diagnostic of the session knows a better form of itself.
func commandText(err error, width int) string {
	var d *session.Diagnostic
	if errors.As(err, &d) {
		return d.Fit(width)
	}
	return err.Error()
}

// interruptible gives a context that Ctrl-C ends. A cell that does not stop then can be left with two more.
func (p *prompt) interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	sig := make(chan os.Signal, 4)
	signal.Notify(sig, os.Interrupt)
	over := make(chan struct{})
	go func() {
		for presses := 1; ; presses++ {
			select {
			case <-over:
				return
			case <-sig:
			}
			switch presses {
			case 1:
				cancel()
			case 2:
				fmt.Fprintln(p.Err, "\nthe cell does not stop; Ctrl-C once more leaves flinkish")
			default:
				p.in.Close()
				os.Exit(repl.ExitInterrupted)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(sig)
		close(over)
		cancel()
	}
}
