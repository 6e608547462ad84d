package repl

import (
	"bytes"
	"context"
	"go/parser"
	"io"
	"strings"
	"testing"

	"flinkish/repl/session"
	"flinkish/repl/show"
)

// echo is a session that prints each cell between angle brackets; a cell with "fail" fails.
type echo struct {
	session.Session
	jobs []session.Job
}

func (e echo) Jobs() []session.Job { return e.jobs }

func (echo) Graph(context.Context, string) (session.Graph, error) { return session.Graph{}, nil }

func (echo) Settle(_ context.Context, _ int, on func(session.Event)) int {
	on(session.Event{Stream: session.Jobs, Text: "late\n"})
	return 0
}

func (echo) Run(_ context.Context, on func(session.Event)) session.Result {
	d := &session.Diagnostic{Kind: session.JobFailure, Message: "no operators"}
	on(session.Event{Stream: session.Problem, Diagnostic: d})
	return session.Result{Diagnostic: d}
}

func (echo) Settings() session.Settings { return session.Settings{Glyphs: session.Unicode} }

func (echo) Incomplete(src string) bool {
	_, err := parser.ParseExpr("func() {" + src + "\n}")
	return err != nil && (strings.Count(src, "{") > strings.Count(src, "}") || strings.Count(src, "(") > strings.Count(src, ")"))
}

func (echo) Eval(_ context.Context, c session.Cell, on func(session.Event)) session.Result {
	if strings.Contains(c.Source, "fail") {
		d := &session.Diagnostic{Kind: session.Compile, File: c.File, Line: 1, FileLine: c.Line, Col: 1, EndCol: 5, Message: "undefined: fail", Source: c.Source}
		on(session.Event{Stream: session.Problem, Diagnostic: d})
		return session.Result{Diagnostic: d}
	}
	on(session.Event{Stream: session.Stdout, Text: "<" + c.Source + ">\n"})
	return session.Result{OK: true}
}

func TestScriptCutsItsInputIntoCells(t *testing.T) {
	for _, tt := range []struct {
		name, in, out, err string
		code               int
	}{
		{"a line is a cell", "a\nb\n", "<a>\n<b>\n", "", 0},
		{"the last line needs no newline", "a", "<a>\n", "", 0},
		{"a directive stands before what it is about", "//go:embed x\na\nb\n", "<//go:embed x\na>\n<b>\n", "", 0},
		{"a constraint is part of the program", "//go:build ignore\n\npackage main\na\n", "<//go:build ignore\n\npackage main\na>\n", "", 0},
		{"blank lines and comments are none", "\n// no\na\n\n", "<a>\n", "", 0},
		{"a script may name its interpreter", "#!/usr/bin/env flinkish\na\n", "<a>\n", "", 0},
		{"an open bracket goes on", "f(\n1)\ng\n", "<f(\n1)>\n<g>\n", "", 0},
		{"a leading dot goes on", "a\n\t.b()\n.c()\nd\n", "<a\n\t.b()\n.c()>\n<d>\n", "", 0},
		{"carriage returns are dropped", "a\r\nb\r\n", "<a>\n<b>\n", "", 0},
		{"a program is read to its end", "package main\n\nfunc main() {}\nx\n", "<package main\n\nfunc main() {}\nx>\n", "", 0},
		{"a command runs in its place", "a\n:set\nb\n", "<a>\nengine       \nseed         0\nparallelism  0\nglyphs       unicode\nmax          0\n<b>\n", "", 0},
		{":quit ends it", "a\n:quit\nb\n", "<a>\n", "", 0},
		{"the first cell that fails ends it", "a\n\nfail\nb\n", "<a>\n", "stdin:3:1: undefined: fail\n    3 | fail\n      | ^^^^\n", ExitCell},
		{"an unknown command ends it", "a\n:grpah\nb\n", "<a>\n", "stdin:2: unknown command :grpah\n  hint: did you mean :graph?\n", ExitCell},
		{"a problem of a command lies at its line", "a\n:run\n", "<a>\n", "stdin:2: no operators\n", ExitCell},
		{"an open bracket at the end says where it opened", "a\nf(\n  g{\n1\n", "<a>\n", "stdin:3:4: \"{\" is never closed\n    3 |   g{\n      |    ^\n  hint: the input ended before this did\n", ExitCell},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			s := Script{Session: echo{}, Printer: &show.Printer{Out: &out, Err: &errs}, Name: "stdin"}
			code := s.Run(context.Background(), strings.NewReader(tt.in))
			if code != tt.code || out.String() != tt.out || errs.String() != tt.err {
				t.Errorf("got %d\n%s%s\nwant %d\n%s%s", code, out.String(), errs.String(), tt.code, tt.out, tt.err)
			}
		})
	}
}

func TestTheEndOfTheInputNamesTheJobsThatItStops(t *testing.T) {
	jobs := []session.Job{{ID: "6c5795e1a0", Name: "words", Deterministic: true, Steps: 250}, {ID: "0123456789", Name: "done", Done: true},
		{ID: "aaaaaaaabb", Name: "clicks"}}
	want := "warning: stdin:1: the input ended before job words (6c5795e1), which is stopped after 250 steps\n" +
		"  hint: wait for it in a cell, as with env.Execute(ctx) or All of what it collects; --max N lets background jobs take more than 0 steps after a cell\n" +
		"warning: stdin:1: the input ended before job clicks (aaaaaaaa), which is stopped\n" +
		"  hint: wait for it in a cell, as with env.Execute(ctx) or All of what it collects\n"
	var out, errs bytes.Buffer
	s := Script{Session: echo{jobs: jobs}, Printer: &show.Printer{Out: &out, Err: &errs}, Name: "stdin"}
	if code := s.Run(context.Background(), strings.NewReader("a\n")); code != ExitOK || out.String() != "<a>\nlate\n" || errs.String() != want {
		t.Errorf("got %d\n%s%s\nwant 0\n<a>\nlate\n%s", code, out.String(), errs.String(), want)
	}
}

func TestAnInputWithoutLinesIsRefused(t *testing.T) {
	var b bytes.Buffer
	s := Script{Session: echo{}, Printer: &show.Printer{Out: &b, Err: &b}, Name: "stdin"}
	code := s.Run(context.Background(), io.MultiReader(strings.NewReader("a\n"), zeros{}))
	if want := "<a>\nstdin: a line is longer than 64 MB: this is no script\n"; code != ExitUsage || b.String() != want {
		t.Errorf("got %d\n%swant %d\n%s", code, b.String(), ExitUsage, want)
	}
}

// zeros never end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestScriptEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var b bytes.Buffer
	s := Script{Session: echo{}, Printer: &show.Printer{Out: &b, Err: &b}, Name: "stdin"}
	if code := s.Run(ctx, blocked{}); code != ExitInterrupted {
		t.Errorf("got %d, want %d", code, ExitInterrupted)
	}
}

// blocked never delivers.
type blocked struct{}

func (blocked) Read([]byte) (int, error) { select {} }

func TestUnclosedNamesWhatIsOpen(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"nothing", "f(1)", ""},
		{"the innermost bracket", "f(\n[1", `[0]:2:1: "[" is never closed`},
		{"a raw string", "x := `a\nb", "[0]:1:6: raw string literal not terminated"},
		{"a comment", "x /* a", "[0]:1:3: comment not terminated"},
		{"a bracket in a string is none", `f("(")`, ""},
	} {
		got := ""
		if d := unclosed(tt.src); d != nil {
			got = d.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
