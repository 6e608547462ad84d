// Package command is the table of :commands. A command is one row: its name, arguments, help, completion and action.
// The prompt, pipes and documents run them, and :help and docs/commands.md are made from them.
package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"flinkish/interp/spell"
	"flinkish/repl/session"
)

// Env is what a command works on.
type Env struct {
	Session session.Session
	// Show takes what a command shows, as events.
	Show func(session.Event)
	// Width is the width of the terminal in columns; 0 is 80.
	Width int
	// Dashboard shows the full-screen view of a job and returns its last summary. It is nil where there is no
	// terminal.
	Dashboard func(ctx context.Context, job string) (summary string, err error)
	// Fix runs the latest cell again with its hint applied, and is nil where nobody keeps it.
	Fix func(ctx context.Context) error
	// Through, if set, runs each line instead of Run itself: a recorder, which calls Eval. Lines that only matter
	// on a terminal do not go there.
	Through Through
}

// Through runs a command line and shows its events; Eval is the plain one.
type Through func(ctx context.Context, line string, on func(session.Event)) session.Result

// Command is one row of the table.
type Command struct {
	Name  string // without the colon
	Alias string // a shorter name, or empty
	Args  string // as the help shows them: [JOB] [N]
	Help  string // one line
	More  string // what :help NAME adds; may be empty
	Words string // further words that :help finds it by
	// Complete proposes values of the last argument, arg being what stands there. It may be nil.
	Complete func(ctx context.Context, e Env, arg string) []session.Candidate

	local bool // it concerns the terminal only
	run   func(ctx context.Context, e Env, args string) error
}

// Usage is the name with its arguments.
func (c *Command) Usage() string {
	return strings.TrimSpace(":" + c.Name + " " + c.Args)
}

// ErrQuit is what :quit returns; the caller ends the session.
var ErrQuit = errors.New("quit")

// Error is a command that could not be run.
type Error struct {
	Msg  string
	Hint string // the way out, or empty
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "\n  hint: " + e.Hint
}

func fail(hint, format string, a ...any) error {
	return &Error{Msg: fmt.Sprintf(format, a...), Hint: hint}
}

// Failed is a cell that a command ran and that failed; its diagnostic was shown.
type Failed struct{ Result session.Result }

func (f *Failed) Error() string {
	if f.Result.Diagnostic == nil {
		return "failed"
	}
	return f.Result.Diagnostic.Error()
}

// Is reports whether an input line is a command.
func Is(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), ":") }

// Run runs one line such as ":graph". It returns ErrQuit, an *Error, a *Failed, or what the session answered.
func Run(ctx context.Context, e Env, line string) error {
	name, args := split(line)
	c := find(name)
	if c == nil {
		return unknown(name)
	}
	if e.Through != nil && !c.local {
		if r := e.Through(ctx, line, e.Show); !r.OK {
			return &Failed{Result: r}
		}
		return nil
	}
	return c.run(ctx, e, args)
}

// Eval runs one line for a document: everything that the command shows, its error too, goes to on.
func Eval(ctx context.Context, s session.Session, line string, on func(session.Event)) session.Result {
	if on == nil {
		on = func(session.Event) {}
	}
	err := Run(ctx, Env{Session: s, Show: on}, line)
	var failed *Failed
	switch {
	case err == nil || errors.Is(err, ErrQuit):
		return session.Result{OK: true}
	case errors.As(err, &failed):
		return failed.Result
	}
	d := &session.Diagnostic{Kind: session.Runtime, Message: err.Error()}
	var e *Error
	if errors.As(err, &e) {
		d.Message, d.Hint = e.Msg, e.Hint
	}
	if ctx.Err() != nil {
		d.Kind = session.Interrupted
	}
	on(session.Event{Stream: session.Problem, Diagnostic: d})
	return session.Result{Diagnostic: d}
}

// split cuts ":name the rest" into its two parts.
func split(line string) (name, args string) {
	line = strings.TrimPrefix(strings.TrimSpace(line), ":")
	name, args, _ = strings.Cut(line, " ")
	return name, strings.TrimSpace(args)
}

func find(name string) *Command {
	for i := range table {
		if c := &table[i]; name == c.Name || name != "" && name == c.Alias {
			return c
		}
	}
	return nil
}

func unknown(name string) error {
	all := make([]string, len(table))
	for i, c := range table {
		all[i] = c.Name
	}
	if near := spell.Nearest(name, all); near != "" {
		return fail("did you mean :"+near+"?", "unknown command :%s", name)
	}
	return fail(":help lists all commands", "unknown command :%s", name)
}

// Complete proposes continuations of a command line at byte offset pos; each replaces line[start:pos].
func Complete(ctx context.Context, e Env, line string, pos int) (candidates []session.Candidate, start int) {
	head := line[:min(pos, len(line))]
	from := strings.IndexByte(head, ':')
	name, args, inArgs := strings.Cut(head[from+1:], " ")
	if !inArgs {
		return names(name), from + 1
	}
	c := find(name)
	if c == nil || c.Complete == nil {
		return nil, pos
	}
	arg := args[strings.LastIndexByte(args, ' ')+1:]
	for _, one := range c.Complete(ctx, e, args) {
		if strings.HasPrefix(one.Text, arg) {
			candidates = append(candidates, one)
		}
	}
	return candidates, pos - len(arg)
}

func names(prefix string) []session.Candidate {
	var cs []session.Candidate
	for _, c := range table {
		if strings.HasPrefix(c.Name, prefix) {
			cs = append(cs, session.Candidate{Text: c.Name, Kind: "command", Type: c.Args, Doc: c.Help})
		}
	}
	return cs
}

// print shows text as a result; it adds the newline at the end if there is none.
func (e Env) print(text string) {
	if text == "" {
		return
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	e.Show(session.Event{Stream: session.Results, Text: text})
}

// note shows a line that is for people, not a result.
func (e Env) note(format string, a ...any) {
	e.Show(session.Event{Stream: session.Note, Text: fmt.Sprintf(format, a...) + "\n"})
}
