package flk

import (
	"context"
	"os"
	"strings"
	"testing"

	"flinkish/repl/session"
)

func TestWhatWasRecordedPassesItsTest(t *testing.T) {
	write(t, nil)
	opt := session.Options{Settings: session.Settings{Seed: 7, Parallelism: 2}}.Defaults()
	s, _ := newScripted(opt)
	r := NewRecorder(s, opt)
	r.WithErrors = true
	var seen []string
	on := func(e session.Event) { seen = append(seen, e.Text) }
	eval := func(src string) { r.Eval(context.Background(), session.Cell{Source: src}, on) }
	eval("seed\nclock")
	eval("print ```\nprint <<(>>\nput ...")
	eval("parallel 2\nprint b\nprint a\n")
	eval("x := 1")
	eval("fail oops")
	r.Command(context.Background(), " :graph", echo, on)
	eval("print dropped")
	if !r.Drop() {
		t.Error("nothing to drop")
	}
	if strings.Contains(r.String(), "dropped") || strings.Join(seen, "")[:2] != "7\n" {
		t.Errorf("events %q, document\n%s", seen, r.String())
	}
	if want := "```error\ncell 5:1:6: oops\nhint: try again\n```\n"; !strings.Contains(r.String(), want) {
		t.Errorf("got\n%s\nwant in it\n%s", r.String(), want)
	}
	if err := r.WriteFile("a.flk"); err != nil {
		t.Fatal(err)
	}
	code, out, errs := check(t, TestOptions{Strict: true, Repeat: 2})
	if code != 0 || !strings.Contains(out, "6 cells, 5 checks: 5 ok") {
		text, _ := os.ReadFile("a.flk")
		t.Errorf("exit %d\n%s%s\n%s", code, out, errs, text)
	}
}

func TestFailedCellsAreLeftOut(t *testing.T) {
	s, _ := newScripted(session.Options{})
	r := NewRecorder(s, session.Options{})
	r.Eval(context.Background(), session.Cell{Source: "fail x"}, nil)
	if strings.Contains(r.String(), "fail") || r.Drop() {
		t.Errorf("got\n%s", r.String())
	}
}
