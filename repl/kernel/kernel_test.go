package kernel

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"flinkish/repl/session"
)

// start makes a session; text of events goes to the returned log as stream:text.
func start(t *testing.T, o session.Options) (session.Session, *log) {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, &log{}
}

// log is what a session showed.
type log struct{ strings.Builder }

func (l *log) event(e session.Event) {
	switch {
	case e.Diagnostic != nil:
		fmt.Fprintf(l, "%s:%s\n", e.Stream, e.Diagnostic.Error())
	case e.Value != nil:
		fmt.Fprintf(l, "%s:%s\n", e.Stream, e.Value.Text)
	default:
		fmt.Fprintf(l, "%s:%s", e.Stream, e.Text)
	}
}

func (l *log) take() string {
	text := l.String()
	l.Reset()
	return text
}

func run(t *testing.T, s session.Session, l *log, cells ...string) {
	t.Helper()
	for _, c := range cells {
		if r := s.Eval(context.Background(), session.Cell{Source: c}, l.event); !r.OK {
			t.Fatalf("%s\n%s", c, r.Diagnostic)
		}
	}
}

// The cell after the panic runs, shows its value and stays in the environment; the panic is told beside it, once.
func TestAGoroutineThatPanickedBetweenCellsIsToldAfterTheNextOne(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, "stop, cancel := context.WithCancel(ctx)\ngo func() {\n\t<-stop.Done()\n\tpanic(\"boom\")\n}()")
	k := s.(*Kernel)
	quiet := func() {
		for k.in.Running() > 0 {
			runtime.Gosched()
		}
	}
	r := s.Eval(context.Background(), session.Cell{Source: "cancel()"}, l.event)
	quiet()
	next := s.Eval(context.Background(), session.Cell{Source: "xs := env.FromData(1, 2)\nxs.Print()\n1 + 1"}, l.event)
	got, want := l.take(), "result:2\ndiagnostic:[1]:4:2: panic in a goroutine: boom\n"
	if !r.OK { // the goroutine was so fast that the cell which ends the wait tells
		want, next = "diagnostic:[1]:4:2: panic in a goroutine: boom\nresult:2\n", r
	}
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if d := next.Diagnostic; next.OK || d == nil || d.Number != 1 || d.Source != "\tpanic(\"boom\")" || len(next.Beside) > 0 {
		t.Errorf("the result is %+v", next)
	}
	run(t, s, l, "env.Execute(ctx)")
	if got, want := l.take(), "stdout:1\nstdout:2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	run(t, s, l, "stop, cancel = context.WithCancel(ctx)\ngo func() {\n\t<-stop.Done()\n\tpanic(\"again\")\n}()")
	s.Eval(context.Background(), session.Cell{Source: "cancel()"}, l.event)
	quiet()
	s.Settle(context.Background(), -1, l.event)
	if got := l.take(); strings.Count(got, "panic in a goroutine: again") != 1 {
		t.Errorf("got %s", got)
	}
}

func TestEventsComeInTheOrderInWhichTheyAreShown(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, `env.FromData("a", "b").Print()
fmt.Println("first")
client, err := env.ExecuteAsync(ctx)
fmt.Println("last")
1 + 1`)
	if got, want := l.take(), "stdout:first\nstdout:last\nresult:2\njob:a\njob:b\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	run(t, s, l, `env.FromData("c").Print()`, `env.Execute(ctx)`)
	if got, want := l.take(), "stdout:c\n"; got != want {
		t.Errorf("a job that the cell waits for: got\n%swant\n%s", got, want)
	}
}

func TestAPersonIsToldThatSinksWaitForExecute(t *testing.T) {
	s, l := start(t, session.Options{})
	for _, tt := range []struct{ cell, want string }{
		{"xs := env.FromData(1)", ""},
		{"xs.Print()", "note:nothing has run yet; :run or env.Execute(ctx) runs what was built\n"},
		{"xs.Print()", ""},
		{"env.Execute(ctx)", ""},
		{"xs.Print()\nenv.Execute(ctx)", ""},
		{"ys := env.FromElements(1)", "note:note: FromElements is deprecated in Flink since 1.19: use FromData\n"},
		{"zs := env.FromElements(1)", ""},
	} {
		if r := s.Eval(context.Background(), session.Cell{Source: tt.cell, Echo: true}, l.event); !r.OK {
			t.Fatal(r.Diagnostic)
		}
		got := ""
		for line := range strings.Lines(l.take()) {
			if strings.HasPrefix(line, "note:") && !strings.HasSuffix(line, "parallelism 1\n") { // that is the echo
				got += line
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.cell, got, tt.want)
		}
	}
}

func TestWhatIsDoubtfulAboutAJobIsSaid(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, `k := func(s string) string { return s }`, `env.FromData("a").Map(k).ReinterpretAsKeyedStream(k).Reduce(func(a, b string) string { return b }).Print()`)
	l.take()
	run(t, s, l, `env.Execute(ctx)`)
	if got := l.take(); !strings.HasPrefix(got, "diagnostic:Keyed Reduce takes its records as keyed without a shuffle, but no KeyBy comes before") || !strings.HasSuffix(got, "stdout:a\n") {
		t.Errorf("got %s", got)
	}
}

func TestRerunningACellRemovesWhatItBuilt(t *testing.T) {
	s, l := start(t, session.Options{})
	for range 2 {
		c := session.Cell{Name: "source", Source: `env.FromData("a").Print()`}
		if r := s.Eval(context.Background(), c, l.event); !r.OK {
			t.Fatal(r.Diagnostic)
		}
	}
	run(t, s, l, `env.Execute(ctx)`)
	if got, want := l.take(), "stdout:a\n"; got != want {
		t.Errorf("got %q, want %q: one sink", got, want)
	}
}

func TestAFailedCellLeavesNoOperators(t *testing.T) {
	s, l := start(t, session.Options{})
	r := s.Eval(context.Background(), session.Cell{Source: "env.FromData(1).Print()\npanic(\"no\")"}, l.event)
	if r.OK || !strings.Contains(r.Diagnostic.Message, "no") {
		t.Fatalf("got %+v", r)
	}
	g, err := s.Graph(context.Background(), "")
	if err != nil || len(g.Tasks) != 0 {
		t.Errorf("got %d tasks, %v; want none", len(g.Tasks), err)
	}
}

func TestPositionsCountInTheFile(t *testing.T) {
	s, _ := start(t, session.Options{})
	for _, tt := range []struct{ src, want string }{
		{"x := 1\ny := 1 + \"a\"", "stdin:8:6 ([1]:2:6): "},
		{"k := env.FromData(1).KeyBy(func(x int) int { return x })\nk.Rebalance()", "stdin:8:3 ([2]:2:3): "},
		{"zs := []int{}\nzs[3]", "stdin:8"},
	} {
		r := s.Eval(context.Background(), session.Cell{Source: tt.src, File: "stdin", Line: 7}, nil)
		if r.OK || !strings.HasPrefix(r.Diagnostic.Error(), tt.want) {
			t.Errorf("%q: got %+v, want a position of %s", tt.src, r.Diagnostic, tt.want)
		}
	}
}

func TestInterruptStopsTheCellAndKeepsTheSession(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, "x := 41")
	for _, cell := range []string{
		`fmt.Println("on"); for { x++; x-- }`,
		`fmt.Println("on"); env.FromSequence(0, 1<<60).Filter(func(int64) bool { return false }).Print(); env.Execute(ctx)`,
		`fmt.Println("on"); <-make(chan int)`,
	} {
		ctx, cancel := context.WithCancel(context.Background())
		r := s.Eval(ctx, session.Cell{Source: cell}, func(e session.Event) {
			if e.Text == "on\n" {
				cancel()
			}
		})
		cancel()
		if r.OK || r.Diagnostic.Kind != session.Interrupted {
			t.Errorf("%s: got %+v, want an interruption", cell, r)
		}
	}
	l.take()
	run(t, s, l, "x + 1")
	if got := l.take(); got != "result:42\n" {
		t.Errorf("the session did not survive: got %q", got)
	}
	for _, j := range s.Jobs() {
		if !j.Done {
			t.Errorf("job %s still runs: %s", j.Name, j.Status)
		}
	}
}

func TestABackgroundJobThatFailsFailsTheCell(t *testing.T) {
	s, l := start(t, session.Options{})
	r := s.Eval(context.Background(), session.Cell{Source: `env.FromData(1, 0).Map(func(x int) int { return 1 / x }).Name("Divider").Print()
client, err := env.ExecuteAsync(ctx)`}, l.event)
	if r.OK || r.Diagnostic == nil || !strings.Contains(r.Diagnostic.Message, "Divider") || !strings.Contains(r.Diagnostic.Message, "divide by zero") {
		t.Errorf("got %+v\n%s", r.Diagnostic, l)
	}
}

func TestABackgroundJobThatWaitsForACellIsLeft(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, "ch := make(chan int)\nenv.FromElements(1, 2).Map(func(x int) int { ch <- x; return x }).Print()\njob, err := env.ExecuteAsync(ctx)",
		`fmt.Println("cell", <-ch)`, `fmt.Println("cell", <-ch)`)
	got := l.take()
	for _, want := range []string{"cell 1", "cell 2"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if j := s.Jobs()[0]; !j.Done {
		t.Errorf("the job is %s, want it finished after its last record was received", j.Status)
	}
}

func TestACellThatWaitsForABackgroundJobHearsThatItStandsStill(t *testing.T) {
	s, _ := start(t, session.Options{})
	res := s.Eval(context.Background(), session.Cell{Source: "ch := make(chan int)\n" +
		"env.FromElements(1, 2).Map(func(x int) int { ch <- x; return x }).Print()\njob, err := env.ExecuteAsync(ctx)\n<-ch"}, nil)
	if d := res.Diagnostic; d == nil || !strings.Contains(d.Message, "deadlock") || !strings.Contains(d.Hint, "background jobs") || d.Line != 4 {
		t.Errorf("got %+v", d)
	}
}

func TestAnUnboundedBackgroundJobAdvancesWithinItsLimit(t *testing.T) {
	s, l := start(t, session.Options{Settings: session.Settings{Max: 500}})
	run(t, s, l, `env.FromSequence(0, 1<<60).Filter(func(int64) bool { return false }).Print()
client, err := env.ExecuteAsync(ctx)`)
	j := s.Jobs()[0]
	if j.Done || j.Steps == 0 || j.Steps > 600 {
		t.Errorf("got %+v, want a running job of about 500 steps", j)
	}
	if n, err := s.Advance(context.Background(), "", 10); n != 10 || err != nil {
		t.Errorf("advance: got %d, %v; want 10", n, err)
	}
	if err := s.Cancel(context.Background(), j.ID[:6]); err != nil {
		t.Fatal(err)
	}
	s.Settle(context.Background(), 0, l.event)
	if j := s.Jobs()[0]; j.Status != "CANCELED" {
		t.Errorf("got %s, want CANCELED", j.Status)
	}
}

func TestViewsOfAJob(t *testing.T) {
	s, l := start(t, session.Options{Settings: session.Settings{Parallelism: 2}})
	run(t, s, l, `late := NewOutputTag[string]("late")
words := env.FromData("to", "be", "to").KeyBy(func(s string) string { return s }).Reduce(func(a, b string) string { return a + b })
words.Print()`)
	ctx := context.Background()
	g, err := s.Graph(ctx, "")
	if err != nil || len(g.Tasks) != 2 || g.Edges[0].Partitioning != "HASH" || g.Tasks[1].Parallelism != 2 || g.Tasks[1].Label != "B" {
		t.Fatalf("graph of the streams: %+v, %v", g, err)
	}
	if r := s.Run(ctx, l.event); !r.OK || len(r.Jobs) != 1 || r.Parallelism != 2 {
		t.Fatalf("run: %+v", r)
	}
	g, err = s.Graph(ctx, s.Jobs()[0].ID[:8])
	if err != nil || len(g.Tasks) != 2 {
		t.Fatalf("graph of the job: %+v, %v", g, err)
	}
	m, err := s.Metrics(ctx, "")
	if err != nil || m.Job.Status != "FINISHED" || len(m.Tasks) != 2 || m.Tasks[1].In != 3 || m.Tasks[1].Watermark != session.EndTime || len(m.Tasks[1].Subtasks) != 2 {
		t.Errorf("metrics: %+v, %v", m, err)
	}
	ss, err := s.Samples(ctx, "", g.Tasks[0].ID, 5)
	if err != nil || len(ss) != 3 || ss[0].Text != "to" {
		t.Errorf("samples: %+v, %v", ss, err)
	}
	if _, err := s.Metrics(ctx, "nothing"); err == nil || !strings.Contains(err.Error(), `no job is called "nothing"`) {
		t.Errorf("an unknown job: %v", err)
	}
}

func TestMetricsOfFunctionsAreAmongTheNumbersOfAJob(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, `type counting struct{ hits *Counter }
func (c *counting) Open(ctx *RuntimeContext) error { c.hits = ctx.MetricGroup().AddGroup("cache").Counter("hits"); return nil }
func (c *counting) Map(n int) (int, error) { c.hits.Inc(); return n, nil }
env.FromData(1, 2, 3).MapRich(&counting{}).Print()
env.Execute(ctx)`)
	m, err := s.Metrics(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	want := session.UserMetric{Operator: "Map", Name: "cache.hits", Kind: "counter", Value: "3"}
	if got := m.Tasks[0].Subtasks[0].User; len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSettings(t *testing.T) {
	s, l := start(t, session.Options{})
	ctx := context.Background()
	for _, tt := range []struct{ name, value, err string }{
		{"parallelism", "3", ""}, {"parallelism", "0", "whole number from 1"}, {"seed", "7", ""}, {"seed", "x", "seed must be"},
		{"engine", "parallel", ""}, {"engine", "warp", "deterministic or parallel"}, {"glyphs", "ascii", ""}, {"glyphs", "x", "unicode, block or ascii"},
		{"max", "10", ""}, {"max", "-1", "max must be"}, {"what", "1", "no setting"},
	} {
		err := s.Set(ctx, tt.name, tt.value)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s %s: got %v, want %q", tt.name, tt.value, err, tt.err)
		}
	}
	if got, want := s.Settings(), (session.Settings{Engine: session.Parallel, Seed: 7, Parallelism: 3, Glyphs: session.ASCII, Max: 10}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	run(t, s, l, `env.SetParallelism(4)`)
	if got := s.Settings().Parallelism; got != 4 {
		t.Errorf("SetParallelism in a cell: got %d, want 4", got)
	}
	run(t, s, l, `env.FromData(1, 2, 3).Map(func(x int) int { return x }).Print()`, `env.Execute(ctx)`)
	if n := strings.Count(l.take(), "> "); n != 3 {
		t.Errorf("the parallel engine printed %d records, want 3", n)
	}
}

func TestResetForgetsEverything(t *testing.T) {
	s, l := start(t, session.Options{})
	run(t, s, l, "x := 1", `env.FromData(1).Print()`, `env.Execute(ctx)`)
	if err := s.Reset(context.Background()); err != nil {
		t.Fatal(err)
	}
	if r := s.Eval(context.Background(), session.Cell{Source: "x"}, nil); r.OK || !strings.Contains(r.Diagnostic.Message, "undefined: x") {
		t.Errorf("x is still there: %+v", r)
	}
	if n := len(s.Jobs()); n != 0 {
		t.Errorf("%d jobs are still there", n)
	}
	run(t, s, l, "x := 2", "x")
}

func TestSameSeedSameBytes(t *testing.T) {
	cells := []string{`env.SetParallelism(3)
env.FromData("a", "b", "c", "d", "e", "f").Map(func(s string) string { return s + fmt.Sprint(len(s)) }).Rebalance().Filter(func(string) bool { return true }).Print()`,
		`env.Execute(ctx)`, `for k := range map[string]int{"x": 1, "y": 2, "z": 3} { fmt.Println(k) }`, `time.Now()`}
	var first string
	for range 3 {
		s, l := start(t, session.Options{})
		run(t, s, l, cells...)
		got := l.take()
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("got\n%swant\n%s", got, first)
		}
	}
}

func TestAStreamShowsItsSummary(t *testing.T) {
	s, l := start(t, session.Options{})
	r := s.Eval(context.Background(), session.Cell{Source: `words := env.FromData("a")`, Echo: true}, l.event)
	if !r.OK || len(r.Values) != 1 || !r.Values[0].Summary || r.Values[0].Name != "words" || !strings.Contains(r.Values[0].Text, "[string]  parallelism 1") {
		t.Errorf("on a terminal: got %+v", r)
	}
	if got := l.take(); !strings.HasPrefix(got, "note:") {
		t.Errorf("the echo is for people, not a result: got %s", got)
	}
	if run(t, s, l, `more := env.FromData("a")`); l.take() != "" {
		t.Error("an assigned stream showed something in a script")
	}
}

func TestAWarningForAnErrorThatWasAssigned(t *testing.T) {
	s, l := start(t, session.Options{})
	r := s.Eval(context.Background(), session.Cell{Source: `f, err := os.Open("/no/such/file")`}, l.event)
	if !r.OK || r.Warning == nil || !strings.Contains(r.Warning.Message, "no such file") {
		t.Errorf("got %+v", r)
	}
	r = s.Eval(context.Background(), session.Cell{Source: `os.Remove("/no/such/file")`}, l.event)
	if r.OK || !strings.Contains(r.Diagnostic.Message, "no such file") {
		t.Errorf("an error as the last value: got %+v", r)
	}
}

func TestTheFailureOfAnOperatorPointsAtTheCallThatMadeIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []string
		where string // cell, line, column
	}{
		{"a source", []string{"x := 1\nlines := env.\n\tReadTextFile(\"/no/such/file\")\nlines.Print()\nenv.Execute(ctx)"}, "1 3:2"},
		{"a file of records", []string{"type R struct{ A int }\nrows := env.ReadCSV[R](\"/no/such/file\")\nrows.Print()\nenv.Execute(ctx)"}, "1 2:13"},
		{"a source of an earlier cell", []string{"x := 1\nlines := env.ReadTextFile(\"/no/such/file\")", "lines.Print()\nenv.Execute(ctx)"}, "1 2:14"},
		{"an operator that returns an error", []string{"s := env.FromData(1)\nt := s.MapE(func(n int) (int, error) { return n, errors.New(\"no\") })\nt.ExecuteAndCollectLimit(ctx, 1)"}, "1 2:6"},
		{"an operator that panics", []string{"s := env.FromData(1)\nt := s.Map(func(n int) int {\n\treturn 1 / (n - 1)\n})\nt.ExecuteAndCollectLimit(ctx, 1)"}, "1 3:9"},
		{"an event-time window without timestamps", []string{"s := env.\n\tFromData(1).\n\tKeyBy(func(n int) int { return n }).\n\tWindow(TumblingEventTime(time.Second)).\n\tReduce(func(a, b int) int { return a })\ns.ExecuteAndCollectLimit(ctx, 1)"}, "1 4:2"},
		{"such a window of an earlier cell", []string{"s := env.FromData(1).\n\tWindowAll(TumblingEventTime(time.Second)).\n\tReduce(func(a, b int) int { return a })", "s.Print()\nenv.Execute(ctx)"}, "1 2:2"},
		{"a join without timestamps", []string{"s := env.FromData(1).KeyBy(func(n int) int { return n })\nj := s.\n\tIntervalJoin(s).Between(0, time.Second).\n\tProcessFunc(func(a, b int, ctx *ProcessJoinContext, out Collector[int]) error { out.Collect(a); return nil })\nj.ExecuteAndCollectLimit(ctx, 1)"}, "1 3:2"},
		{"a job in the background", []string{"x := 1\nlines := env.ReadTextFile(\"/no/such/file\")\nlines.Print()\nenv.ExecuteAsync(ctx)"}, "1 2:14"},
	} {
		s, l := start(t, session.Options{})
		var d *session.Diagnostic
		for _, src := range c.cells {
			d = s.Eval(context.Background(), session.Cell{Source: src}, l.event).Diagnostic
		}
		if d == nil || fmt.Sprintf("%d %d:%d", d.Number, d.Line, d.Col) != c.where {
			t.Errorf("%s: got %+v, want %s", c.name, d, c.where)
		}
	}
}

func TestClosedSessionAnswers(t *testing.T) {
	s, _ := start(t, session.Options{})
	s.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if r := s.Eval(context.Background(), session.Cell{Source: "1"}, nil); r.OK {
		t.Error("a closed session ran a cell")
	}
}
