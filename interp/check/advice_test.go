package check_test

import (
	"fmt"
	"strings"
	"testing"
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
		var got []string
		for _, w := range s.run(c.cell).Warnings {
			got = append(got, fmt.Sprintf("%d:%d %s; %s", w.Line, w.Col, w.Msg, w.Hint))
		}
		text := strings.Join(got, " | ")
		if c.want == "" && text != "" || len(got) > 1 || !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, text, c.want)
		}
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
