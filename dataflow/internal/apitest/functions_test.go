package apitest_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// diary takes down what the functions of a job do.
type diary struct {
	mu   sync.Mutex
	said []string
}

func (d *diary) note(text string) {
	d.mu.Lock()
	d.said = append(d.said, text)
	d.mu.Unlock()
}

func (d *diary) String() string { return strings.Join(d.said, " ") }

// lived is a map or a sink that writes its life down, and fails where it is told to.
type lived struct {
	*diary
	name, fails string
}

func (l *lived) do(what string) error {
	l.note(l.name + "." + what)
	if l.fails == what {
		return errors.New("wrong " + what)
	}
	return nil
}

func (l *lived) Open(*RuntimeContext) error           { return l.do("open") }
func (l *lived) Close() error                         { return l.do("close") }
func (l *lived) Finish() error                        { return l.do("finish") }
func (l *lived) Map(v int) (int, error)               { return v, l.do("map") }
func (l *lived) Invoke(v int, ctx *SinkContext) error { return l.do("invoke") }

func TestEveryFunctionIsClosed(t *testing.T) {
	for _, c := range []struct{ name, mapFails, sinkFails, want, err string }{
		{"at the end", "", "", "s.open m.open m.map s.invoke s.finish m.close s.close", ""},
		{"when one fails", "map", "", "s.open m.open m.map m.close s.close", "wrong map"},
		{"when one fails to open", "open", "", "s.open m.open m.close s.close", "wrong open"},
		{"when the one behind it fails to open", "", "open", "s.open m.close s.close", "wrong open"},
		{"when one fails to finish", "", "finish", "s.open m.open m.map s.invoke s.finish m.close s.close", "wrong finish"},
		{"when one fails to close", "close", "", "s.open m.open m.map s.invoke s.finish m.close s.close", "during close: wrong close"},
		{"when all fail", "map", "close", "s.open m.open m.map m.close s.close", `wrong map; and then operator "Sink: Unnamed" (1/1) failed during close: wrong close`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, e := &diary{}, env()
			e.FromElements(1).MapRich(&lived{d, "m", c.mapFails}).AddSink(&lived{d, "s", c.sinkFails})
			_, err := e.Execute(context.Background())
			if (err == nil) != (c.err == "") || err != nil && !strings.HasSuffix(err.Error(), c.err) {
				t.Errorf("got the error %v, want %q", err, c.err)
			}
			if d.String() != c.want {
				t.Errorf("got  %s\nwant %s", d, c.want)
			}
		})
	}
}

func TestACancelledJobIsClosedButNotFinished(t *testing.T) {
	d, e := &diary{}, NewEnv(WithParallelism(1))
	came := make(chan bool)
	e.FromSequence(1, 1<<60).Map(func(v int64) int {
		if v == 3 {
			close(came)
		}
		return int(v)
	}).AddSink(&lived{d, "s", ""})
	c, err := e.ExecuteAsync(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	<-came
	if s, _ := c.Status(context.Background()); s != "RUNNING" {
		t.Errorf("the job is %s", s)
	}
	if err := c.Cancel(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s, _ := c.Status(context.Background()); s != "CANCELED" {
		t.Errorf("the job is %s", s)
	}
	_, err = c.Result(context.Background())
	mistake(t, err, "JobCancellation", "CANCELED")
	if !strings.HasPrefix(d.String(), "s.open s.invoke") || !strings.HasSuffix(d.String(), " s.close") || strings.Contains(d.String(), "finish") {
		t.Errorf("got %.100s", d)
	}
}

// marked is a sink that sees watermarks, of which it does not like one.
type marked struct {
	*diary
	fails int64
}

func (m *marked) Invoke(v int64, _ *SinkContext) error { m.note(fmt.Sprint(v)); return nil }
func (m *marked) WriteWatermark(wm int64) error {
	m.note(strings.Replace(fmt.Sprint("w", wm), fmt.Sprint(int64(math.MaxInt64)), "MAX", 1))
	if wm == m.fails {
		return errors.New("wrong")
	}
	return nil
}

// everyRecord makes a watermark of each record.
type everyRecord struct{}

func (everyRecord) OnEvent(v int64, _ int64, out WatermarkOutput) { out.EmitWatermark(v) }
func (everyRecord) OnPeriodicEmit(WatermarkOutput)                {}

func TestASinkSeesWatermarks(t *testing.T) {
	for _, c := range []struct {
		fails     int64
		want, err string
	}{{-1, "1 w1 2 w2 wMAX", ""}, {1, "1 w1", `operator "Sink: Unnamed" (1/1) failed on record 1: wrong`}} {
		d, e := &diary{}, env()
		e.FromElements(int64(1), 2).AssignTimestampsAndWatermarks(ForGenerator(func() WatermarkGenerator[int64] { return everyRecord{} })).AddSink(&marked{d, c.fails})
		_, err := e.Execute(context.Background())
		if got := fmt.Sprint(err); d.String() != c.want || c.err == "" && err != nil || c.err != "" && got != c.err {
			t.Errorf("got %s, %v, want %s, %s", d, err, c.want, c.err)
		}
	}
}

// placed tells where it runs.
type placed struct{ *diary }

func (p *placed) Open(ctx *RuntimeContext) error {
	info := ctx.TaskInfo()
	p.note(fmt.Sprint(info.NameWithSubtasks(), " ", info.Subtask, " of ", info.Parallelism, " attempt ", info.Attempt, " of ", info.MaxParallelism, " in ", ctx.JobInfo().Name, " ", len(ctx.JobInfo().ID)))
	return nil
}
func (p *placed) Map(v int64) (int64, error) { return v, nil }

func TestAFunctionKnowsItsPlace(t *testing.T) {
	d := &diary{}
	e := NewEnv(WithParallelism(2), WithDeterministic(1)).SetMaxParallelism(64)
	e.FromSequence(1, 2).MapRich(&placed{d}).Name("where")
	if _, err := e.Execute(context.Background(), JobName("mine")); err != nil {
		t.Fatal(err)
	}
	slices.Sort(d.said)
	want := "Source: Sequence Source -> where (1/2)#0 0 of 2 attempt 0 of 64 in mine 32 Source: Sequence Source -> where (2/2)#0 1 of 2 attempt 0 of 64 in mine 32"
	if d.String() != want {
		t.Errorf("got  %s\nwant %s", d, want)
	}
}

// counting registers accumulators by a function.
type counting struct{ do func(ctx *RuntimeContext) }

func (c *counting) Open(ctx *RuntimeContext) error { c.do(ctx); return nil }
func (c *counting) Map(v int) (int, error)         { return v, nil }

func TestAccumulatorsOfOneName(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b       func(ctx *RuntimeContext)
		want, fail string
	}{
		{"are added up over the operators", func(ctx *RuntimeContext) { ctx.IntCounter("n").Add(1) }, func(ctx *RuntimeContext) { ctx.IntCounter("n").Add(2) }, "map[n:3]", ""},
		{"are one in one function", func(ctx *RuntimeContext) { ctx.LongCounter("n").Add(1); ctx.LongCounter("n").Add(1) }, func(*RuntimeContext) {}, "map[n:2]", ""},
		{"are of one type in one function", func(ctx *RuntimeContext) { ctx.LongCounter("n"); ctx.DoubleCounter("n") }, func(*RuntimeContext) {}, "", "UnsupportedOperation"},
		{"are of one type in the job", func(ctx *RuntimeContext) { ctx.LongCounter("n") }, func(ctx *RuntimeContext) { ctx.Histogram("n") }, "", "UnsupportedOperation"},
		{"are ready without a constructor", func(ctx *RuntimeContext) {
			low, high, h, mean := &LongMinimum{}, &DoubleMaximum{}, &Histogram{}, &AverageAccumulator{}
			for name, a := range map[string]Accumulator{"low": low, "high": high, "h": h, "mean": mean, "none": &LongMaximum{}, "empty": &Histogram{}} {
				ctx.AddAccumulator(name, a)
			}
			low.Add(5)
			high.Add(-5)
			h.Add(7)
			mean.Add(3)
		}, func(*RuntimeContext) {}, "map[empty:map[] h:map[7:1] high:-5 low:5 mean:3 none:-9223372036854775808]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env()
			e.FromElements(1).MapRich(&counting{c.a}).MapRich(&counting{c.b}).DisableChaining()
			r, err := e.Execute(context.Background())
			if c.fail != "" {
				mistake(t, err, c.fail, "n is a ")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(r.AllAccumulators()); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestAccumulatorsOfARunningJobAreThere(t *testing.T) {
	e := NewEnv(WithParallelism(1))
	came, goOn := make(chan bool), make(chan bool)
	var n *IntCounter
	e.FromElements(1, 2, 3).MapRich(&counting{func(ctx *RuntimeContext) { n = ctx.IntCounter("n") }}).Map(func(v int) int {
		if n.Add(1); v == 2 {
			came <- true
			<-goOn
		}
		return v
	})
	c, err := e.ExecuteAsync(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	<-came
	if a, err := c.Accumulators(context.Background()); err != nil || a["n"] != int64(2) {
		t.Errorf("got %v, %v", a, err)
	}
	close(goOn)
	r, err := c.Result(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := r.Accumulator("n"); v != int64(3) || !ok || r.JobID() != c.ID() || r.NetRuntime() < 0 {
		t.Errorf("got %v, %v", v, ok)
	}
}

func TestSettingsOfTheEnvironmentThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(e *StreamExecutionEnvironment)
		says string
	}{
		"no subtask":                {func(e *StreamExecutionEnvironment) { e.SetParallelism(0) }, "at least 1, or -1 for the default, got 0"},
		"less than the default":     {func(e *StreamExecutionEnvironment) { e.SetParallelism(-2) }, "got -2"},
		"too many key groups":       {func(e *StreamExecutionEnvironment) { e.SetMaxParallelism(32769) }, "from 1 to 32768, got 32769"},
		"a buffer timeout below -1": {func(e *StreamExecutionEnvironment) { e.SetBufferTimeout(-2 * time.Millisecond) }, "got -2ms"},
		"backward":                  {func(e *StreamExecutionEnvironment) { e.FromSequence(2, 1) }, "got 2 and 1"},
		"backward, old":             {func(e *StreamExecutionEnvironment) { e.GenerateSequence(2, 1) }, "got 2 and 1"},
		"a file without a name":     {func(e *StreamExecutionEnvironment) { e.RegisterCachedFile("/f", "") }, "name"},
	} {
		t.Run(name, func(t *testing.T) {
			e := env()
			c.do(e)
			mistake(t, e.Err(), "IllegalArgument", c.says)
		})
	}
	e := env().SetParallelism(7).SetParallelism(-1)
	if e.Err() != nil || e.Parallelism() < 1 || e.MaxParallelism() != -1 || e.CheckpointInterval() != -time.Millisecond || e.BufferTimeout() != 100*time.Millisecond {
		t.Errorf("got %v, %d, %d", e.Err(), e.Parallelism(), e.MaxParallelism())
	}
}

func TestExecutingTwiceNeedsSomethingNew(t *testing.T) {
	ctx := context.Background()
	e := env()
	s := e.FromElements(1)
	_, err := e.Execute(ctx)
	mistake(t, err, "IllegalState", "no operators")
	m := s.MapE(func(int) (int, error) { return 0, errors.New("wrong") })
	if _, err = e.Execute(ctx); err == nil || !strings.Contains(err.Error(), "wrong") {
		t.Errorf("got %v", err)
	}
	_, err = e.Execute(ctx) // the failed program is gone
	mistake(t, err, "IllegalState", "no operators")
	m.Print()
	if _, err := e.ExecutionPlan(); err != nil { // which leaves the program as it is
		t.Error(err)
	}
	if _, err := e.StreamGraph(); err != nil {
		t.Error(err)
	}
	if _, err = e.Execute(ctx); err == nil || !strings.Contains(err.Error(), "wrong") {
		t.Errorf("got %v", err)
	}
}

func TestUIDsAreCheckedWhereFlinkChecksThem(t *testing.T) {
	hash := strings.Repeat("ab", 16)
	twice := func(e *StreamExecutionEnvironment) { e.FromElements(1).UID("a").Map(one).UID("a") }
	inside := func(e *StreamExecutionEnvironment) { e.FromElements(1).Map(one).UIDHash(hash) }
	for name, c := range map[string]struct {
		build func(e *StreamExecutionEnvironment)
		says  string // of the execution; the plan goes well
	}{
		"one uid for two":             {twice, "hash collision on user-specified id"},
		"a hash in a chain":           {inside, "in the middle of the chain"},
		"a hash at the head of one":   {func(e *StreamExecutionEnvironment) { e.FromElements(1).UIDHash(hash).Map(one) }, ""},
		"a hash behind its own chain": {func(e *StreamExecutionEnvironment) { e.FromElements(1).Map(one).UIDHash(hash).StartNewChain() }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := env()
			c.build(e)
			if _, err := e.ExecutionPlan(); err != nil || e.Err() != nil {
				t.Fatal(err, e.Err())
			}
			_, err := e.Execute(context.Background())
			if c.says != "" {
				mistake(t, err, "IllegalArgument", c.says)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	e := env()
	e.FromElements(1).Map(one).UIDHash("xyz")
	mistake(t, e.Err(), "IllegalArgument", "32 hex digits")
}

func TestSlotSharingGroupsAreInherited(t *testing.T) {
	for name, c := range map[string]struct {
		build func(e *StreamExecutionEnvironment)
		want  string
	}{
		"by what follows": {func(e *StreamExecutionEnvironment) { e.FromElements(1).SlotSharingGroup("a").Map(one).Print() }, "a"},
		"not by a union of two": {func(e *StreamExecutionEnvironment) {
			e.FromElements(1).SlotSharingGroup("a").Union(e.FromElements(2)).Print()
		}, "a default default"},
		"by a union of equals": {func(e *StreamExecutionEnvironment) {
			e.FromElements(1).SlotSharingGroup("a").Union(e.FromElements(2).SlotSharingGroup("a")).Print()
		}, "a a a"},
		"and another one ends a chain": {func(e *StreamExecutionEnvironment) {
			e.FromElements(1).Map(one).SlotSharingGroup("a").Map(one).SlotSharingGroup("default")
		}, "default a default"},
		"through a key": {func(e *StreamExecutionEnvironment) { e.FromElements(1).SlotSharingGroup("a").KeyBy(one).Map(one) }, "a a"},
	} {
		t.Run(name, func(t *testing.T) {
			e := env()
			c.build(e)
			g, err := e.JobGraph()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range g.Vertices {
				got = append(got, v.Group)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}

// pausing is a source that does what its steps say: a number is a record of this time, w50 a watermark, "idle", and "|" waits.
type pausing struct{ steps string }

func (p *pausing) Run(ctx *SourceContext[string]) error {
	for step := range strings.FieldsSeq(p.steps) {
		switch {
		case step == "idle":
			ctx.MarkAsTemporarilyIdle()
		case step == "|":
			ctx.Sleep(10 * time.Millisecond)
		case step[0] == 'w':
			ctx.EmitWatermark(atoi(step[1:]))
		default:
			ctx.CollectWithTimestamp(step, atoi(step))
		}
	}
	return nil
}

func atoi(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// TestAnIdleSourceResumes: with a record or a watermark.
func TestAnIdleSourceResumes(t *testing.T) {
	for name, c := range map[string]struct{ a, b, want string }{
		"an idle source holds nobody back":       {"w50 idle | | | | w300", "w50 | w100 | 7 | w300", "7@100"},
		"a record makes it active":               {"w50 idle | 1 | | | w300", "w50 | | w100 | 7 | w300", "1@50 7@50"},
		"a watermark makes it active":            {"w50 idle | w60 | | | w300", "w50 | | w100 | 7 | w300", "7@60"},
		"a watermark that is not new, likewise":  {"w50 idle | w40 | | | w300", "w50 | | w100 | 7 | w300", "7@50"},
		"what it missed does not take time back": {"w50 idle | | w60 | w90 | w300", "w50 | w100 | 7 | 8 w300", "7@100 8@100"},
	} {
		t.Run(name, func(t *testing.T) {
			e := env()
			b := e.AddSource(&pausing{c.b})
			s := e.AddSource(&pausing{c.a}).Union(b).ProcessFunc(func(v string, ctx *ProcessContext, out Collector[string]) {
				out.Collect(fmt.Sprint(v, "@", ctx.TimerService().CurrentWatermark()))
			})
			got, err := s.ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}
