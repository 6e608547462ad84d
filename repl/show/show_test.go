package show

import (
	"strings"
	"testing"

	"flinkish/repl/session"
)

func TestValueHasOneFormForEachKind(t *testing.T) {
	table := &session.Table{Columns: []session.Column{{Name: "Text"}, {Name: "N", Right: true}},
		Rows: [][]string{{"the", "9825"}, {"of", "5241"}}, Total: 5}
	for _, tt := range []struct {
		name string
		v    session.Value
		o    Options
		want string
	}{
		{"text", session.Value{Text: "[2 4 6]"}, Options{}, "[2 4 6]\n"},
		{"text that ends its line", session.Value{Text: "a\n"}, Options{}, "a\n"},
		{"a stream", session.Value{Name: "counts", Text: "DataStream[Word]  parallelism 2", Summary: true}, Options{}, "counts  DataStream[Word]  parallelism 2\n"},
		{"rows", session.Value{Table: table, Text: "[{the 9825} {of 5241}]"}, Options{}, "Text     N\nthe   9825\nof    5241\n… 3 more\n"},
		{"no rows", session.Value{Table: &session.Table{}, Text: "[]"}, Options{}, "[]\n"},
	} {
		if got := Value(tt.v, tt.o); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestAPersonGetsOneScreenOfAValue(t *testing.T) {
	long := strings.Repeat("x", 3000)
	lines := strings.Repeat("a\n", 50)
	rows := &session.Table{Columns: []session.Column{{Name: "N"}}, Total: 100}
	for range 100 {
		rows.Rows = append(rows.Rows, []string{"1"})
	}
	for _, tt := range []struct {
		name   string
		v      session.Value
		ending string
	}{
		{"a long line", session.Value{Text: long}, "… 1400 more characters; fmt.Println shows all\n"},
		{"many lines", session.Value{Text: lines}, "… 60 more characters; fmt.Println shows all\n"},
		{"many rows", session.Value{Table: rows}, "… 80 more\n"},
	} {
		got := Value(tt.v, Options{})
		if !strings.HasSuffix(got, tt.ending) || strings.Count(got, "\n") > 23 {
			t.Errorf("%s: got %d lines that end in %q, want %q", tt.name, strings.Count(got, "\n"), got[max(0, len(got)-60):], tt.ending)
		}
		if ascii := Value(tt.v, Options{Glyphs: session.ASCII}); strings.ContainsFunc(ascii, func(r rune) bool { return r > '~' }) {
			t.Errorf("%s: a terminal with ASCII only got %q", tt.name, ascii[max(0, len(ascii)-60):])
		}
		if whole := Value(tt.v, Options{Whole: true}); len(whole) <= len(got) || strings.Contains(whole, "…") {
			t.Errorf("%s: a pipe got a cut value", tt.name)
		}
	}
}

func TestTableIsCutForATerminalOnly(t *testing.T) {
	long := strings.Repeat("x", 100)
	tab := session.Table{Columns: []session.Column{{Name: "A"}}, Rows: [][]string{{long}}, Total: 1}
	if got := Table(tab, Options{Width: 20}); strings.Contains(got, long) {
		t.Errorf("a row is wider than 20:\n%s", got)
	}
	if got := Table(tab, Options{Width: 20, Whole: true}); !strings.Contains(got, long) {
		t.Errorf("a pipe got a cut row:\n%s", got)
	}
}

func TestPrinterKeepsStreamsApart(t *testing.T) {
	d := &session.Diagnostic{Kind: session.Warning, Number: 2, Line: 1, Col: 3, EndCol: 4, Message: "err is not nil", Source: "x\t:= 1"}
	events := []session.Event{
		{Stream: session.Stdout, Text: "part"}, {Stream: session.Note, Text: "note\n"}, {Stream: session.Stderr, Text: "log\n"},
		{Stream: session.Jobs, Text: "3> a\n"}, {Stream: session.Problem, Diagnostic: d},
	}
	problem := "warning: [2]:1:3: err is not nil\n    1 | x\t:= 1\n      |  \t^\n"
	for _, tt := range []struct {
		name      string
		notes     bool
		out, errs string
	}{
		{"a pipe gets results only", false, "part3> a\n", "log\n" + problem},
		{"a person gets notes, on lines of their own", true, "part\nnote\n3> a\n", "log\n" + problem},
	} {
		var out, errs strings.Builder
		p := &Printer{Out: &out, Err: &errs, Notes: tt.notes}
		for _, e := range events {
			p.Event(e)
		}
		if out.String() != tt.out || errs.String() != tt.errs {
			t.Errorf("%s: got\n%q\n%q\nwant\n%q\n%q", tt.name, out.String(), errs.String(), tt.out, tt.errs)
		}
	}
}
