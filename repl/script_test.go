package repl

import (
	"bytes"
	"context"
	"go/parser"
	"strings"
	"testing"

	"flinkish/repl/session"
	"flinkish/repl/show"
)

// echo is a session that prints each cell between angle brackets; a cell with "fail" fails.
type echo struct{ session.Session }

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
