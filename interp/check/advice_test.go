package check_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"flinkish/interp/check"
)

func TestProbableMistakesGetAWarning(t *testing.T) {
	before := `words := env.FromElements("a")
keyed := words.KeyBy(func(s string) string { return s })
stamped := words.AssignTimestampsAndWatermarks(ForMonotonousTimestamps[string]())
size := TumblingEventTime(time.Second)`
	noTime := "the records have no timestamps, and TumblingEventTime needs them; call AssignTimestampsAndWatermarks before, or use TumblingProcessingTime"
	for _, c := range []struct{ name, cell, want string }{
		{"a stream that nobody takes", "words.Map(strings.ToUpper)\nwords.Print()", "1:7 the result of Map is not used; assign it, or end the chain with a sink such as Print()"},
		{"a named stream that nobody takes", "words.\n\tMap(strings.ToUpper).Name(\"upper\")\nx := 1", "2:2 the result of Map is not used; assign it"},
		{"in a function", "func f() { words.Filter(func(s string) bool { return true }) }", "1:18 the result of Filter is not used"},
		{"a strategy that nobody takes", "s := NoWatermarks[string]()\ns.WithIdleness(time.Second)\nx := 1", "2:3 the result of WithIdleness is not used; assign it, or go on with the chain"},
		{"a window that nobody takes", "keyed.CountWindow(2)\nx := 1", "1:7 the result of CountWindow is not used"},
		{"the last value is shown", "words.Map(strings.ToUpper)", ""},
		{"a setter of a stream", "m := words.Map(strings.ToUpper)\nm.Name(\"upper\")\nm.SetParallelism(2)\nx := 1", ""},
		{"a sink", "words.Print()\nx := 1", ""},
		{"an event-time window over a source", "env.FromElements(1).WindowAll(TumblingEventTime(time.Second)).Reduce(func(a, b int) int { return a })", "1:21 " + noTime},
		{"an event-time window over a keyed variable", "keyed.Window(TumblingEventTime(time.Second))", "1:7 " + noTime},
		{"an event-time window over a union", "words.Union(words).WindowAll(TumblingEventTime(time.Second))", "1:20 " + noTime},
		{"a session window", "keyed.Window(EventTimeSession(time.Second))", "1:7 the records have no timestamps, and EventTimeSession needs them; call AssignTimestampsAndWatermarks before, or use ProcessingTimeSession"},
		{"an event-time window over stamped records", "stamped.KeyBy(func(s string) string { return s }).Window(TumblingEventTime(time.Second))", ""},
		{"a union with stamped records is not known", "words.Union(stamped).WindowAll(TumblingEventTime(time.Second))", ""},
		{"a parameter is not known", "func f(k *KeyedStream[string, string]) { k.Window(TumblingEventTime(time.Second)).Reduce(func(a, b string) string { return a }).Print() }", ""},
		{"a processing-time window", "keyed.Window(TumblingProcessingTime(time.Second))", ""},
	} {
		s := newSession(t)
		s.run(before)
		s.warns(c.name, c.cell, c.want)
	}
}

// warns runs a cell and compares its warning, of which there may be one, with the beginning that is wanted; empty: there is none.
func (s *session) warns(name, cell, want string) {
	s.t.Helper()
	var got []string
	for _, w := range s.run(cell).Warnings {
		got = append(got, fmt.Sprintf("%d:%d %s; %s", w.Line, w.Col, w.Msg, w.Hint))
	}
	text := strings.Join(got, " | ")
	if want == "" && text != "" || len(got) > 1 || !strings.HasPrefix(text, want) {
		s.t.Errorf("%s: got %q, want %q", name, text, want)
	}
}

func TestAnotherCellMayStampTheRecords(t *testing.T) {
	s := newSession(t)
	s.run(`ws := env.FromElements("a")`)
	s.run(`var in *SingleOutputStreamOperator[string]`)
	s.run(`in = ws.Map(strings.ToUpper)`)
	if n := len(s.run("in.WindowAll(TumblingEventTime(1))").Warnings); n != 1 {
		t.Errorf("got %d warnings, want 1", n)
	}
	s.run(`in = ws.AssignTimestampsAndWatermarks(ForMonotonousTimestamps[string]())`)
	if n := len(s.run("in.WindowAll(TumblingEventTime(1))").Warnings); n != 0 {
		t.Errorf("got %d warnings, want none", n)
	}
}

func TestValuesThatKeepAnOldFunctionAreNamed(t *testing.T) {
	const keeps = "the old F; run the cells that made "
	for _, c := range []struct {
		name, before, cell, want string
	}{
		{"a stream", "s := words.Map(func(w string) int { return F(1) })", "func F(x int) int { return x + 2 }", "1:6 s keeps " + keeps + "it again to have the new one"},
		{"a function value", "h := F", "func F(x int) int { return x + 2 }", "1:6 h keeps " + keeps + "it again"},
		{"through another function", "func G() int { return F(1) }\nh := func() int { return G() }", "func F(x int) int { return x + 2 }", "1:6 h keeps " + keeps},
		{"through another value", "h := F\ns := words.Map(func(w string) int { return h(1) })\nu := s.Filter(func(int) bool { return true })", "func F(x int) int { return x + 2 }",
			"1:6 h, s, u keep " + keeps + "them again"},
		{"with another signature", "h := F", "func F(x int64) int64 { return x }", "1:6 h keeps " + keeps},
		{"a function whose signature is another one", "func G() int { return F(1) }", "func F(x int64) int64 { return x }", "1:6 G keeps " + keeps},
		{"both", "h := F\nfunc G() int { return F(1) }", "func F(x int64) int64 { return x }", "1:6 G, h keep " + keeps},
		{"a constant", "const K = 1\nfunc G() int { return K }", "const K = 2", "1:7 G keeps the old K; run"},
		{"a constant in a stream", "const K = 1\ns := words.Map(func(string) int { return K })", "const K = 2", "1:7 s keeps the old K; run"},
		{"a variable of another type", "n := 1\nfunc G() int { return n }", "n := \"a\"", "1:1 G keeps the old n; run"},
		{"the same constant", "const K = 1\nfunc G() int { return K }", "const K = 1", ""},
		{"a variable of the same type", "n := 1\nfunc G() int { return n }", "n := 2", ""},
		{"a variable of a function", "n := 1\nfunc G() int { n := 2; return n }", "n := \"a\"", ""},
		{"declared anew in the same cell", "const K = 1\nfunc G() int { return K }", "const K = 2\nfunc G() int { return K }", ""},
		{"a function that is another one by now", "const K = 1\nfunc G() int { return K }\nfunc G() int { return 1 }", "const K = 2", ""},
		{"a method of an old type", "const K = 1\ntype T struct{}\nfunc (T) M() int { return K }\ntype T struct{ x int }", "const K = 2", ""},
		{"a method", "type T struct{}\nfunc (T) M() int { return 1 }\nh := T{}.M", "func (T) M() int { return 2 }", "1:10 h keeps the old T.M"},
		{"an assigned value", "var h func(int) int\nh = F", "func F(x int) int { return x + 2 }", "1:6 h keeps " + keeps},
		{"a value that is made from itself", "h := F\nh = twice(h)", "func F(x int) int { return x + 2 }", "1:6 h keeps " + keeps},
		{"a function sees the new one", "func G() int { return F(1) }", "func F(x int) int { return x + 2 }", ""},
		{"a number was made with it", "n := F(1)", "func F(x int) int { return x + 2 }", ""},
		{"a cell that runs again", "h := F", "func F(x int) int { return x + 1 }", ""},
		{"made anew in the same cell", "h := F", "func F(x int) int { return x + 2 }\nh := F", ""},
		{"a value that is another one by now", "h := F\nh := 1", "func F(x int) int { return x + 2 }", ""},
		{"an assignment of something else", "h := F\nh = nil", "func F(x int) int { return x + 2 }", ""},
	} {
		s := newSession(t)
		s.run("words := env.FromElements(\"a\")\nfunc F(x int) int { return x + 1 }\nfunc twice(f func(int) int) func(int) int { return func(x int) int { return f(f(x)) } }")
		s.run(c.before)
		s.warns(c.name, c.cell, c.want)
	}
}

func TestANameOfAFailedCellIsKnown(t *testing.T) {
	s := newSession(t)
	if _, err := s.Check("", 7, "evs := env.FromElements(Nothing{})"); err == nil {
		t.Fatal("the cell is right")
	}
	_, err := s.Check("", 8, "evs.Print()")
	var e *check.Error
	if !errors.As(err, &e) || e.Hint != "evs is declared in cell 7, which failed" {
		t.Errorf("got %v", err)
	}
}

func TestAMethodOfTheOldTypeIsAskedFor(t *testing.T) {
	s := newSession(t)
	s.run("type P struct{ X int }\nfunc (p P) Get() int { return p.X }")
	s.run("type P struct{ X, Y int }")
	for _, cell := range []string{"P{}.Get()", "var g interface{ Get() int } = P{}"} {
		_, err := s.Check("", 3, cell)
		var e *check.Error
		if !errors.As(err, &e) || e.Hint != "P was declared again: its method Get is to be declared again, too" {
			t.Errorf("%s: got %v", cell, err)
		}
	}
}
