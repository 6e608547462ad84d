package dataflow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

func TestIterationCountsDown(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			it := env.FromElements(3, 1).Iterate(MaxWait(500 * time.Millisecond))
			down := it.Map(func(n int) int { return n - 1 })
			it.CloseWith(down.Filter(func(n int) bool { return n > 0 }))
			got, err := down.Filter(func(n int) bool { return n <= 0 }).ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, []int{0, 0})
		})
	}
}

func TestFeedbackOfAnotherType(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	it := env.FromElements(2).Iterate(MaxWait(time.Second)).WithFeedbackType[string]()
	out := it.Map(func(n int) string { return fmt.Sprint(n) }, func(s string) string { return s + "!" })
	it.CloseWith(out.Filter(func(s string) bool { return len(s) < 3 }))
	got, err := out.ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []string{"2", "2!", "2!!"})
}

func TestIterationMistakes(t *testing.T) {
	for _, c := range []struct {
		name, want string
		do         func(env *StreamExecutionEnvironment)
	}{
		{"never closed", "IllegalState", func(env *StreamExecutionEnvironment) { env.FromElements(1).Iterate().Map(inc) }},
		{"another parallelism", "UnsupportedOperation", func(env *StreamExecutionEnvironment) {
			it := env.FromElements(1).Iterate()
			it.CloseWith(it.Map(inc).SetParallelism(4))
		}},
		{"foreign feedback", "UnsupportedOperation", func(env *StreamExecutionEnvironment) {
			s := env.FromElements(1)
			s.Iterate().CloseWith(s.Map(inc))
		}},
		{"no iteration", "UnsupportedOperation", func(env *StreamExecutionEnvironment) {
			s := env.FromElements(1).Map(inc)
			s.CloseWith(s)
		}},
		{"batch", "UnsupportedOperation", func(env *StreamExecutionEnvironment) {
			it := env.SetRuntimeMode(Batch).FromElements(1).Iterate()
			it.CloseWith(it.Map(inc))
		}},
		{"keys", "UnsupportedOperation", func(env *StreamExecutionEnvironment) {
			env.FromElements(1).Iterate().WithFeedbackType[int]().KeyBy(func(n int) int { return n }, func(n int) int { return n })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := NewEnv(WithParallelism(1))
			c.do(env)
			if _, err := env.Execute(context.Background()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func inc(n int) int { return n + 1 }

// oldAssigner emits watermarks after records, and by the clock.
type oldAssigner struct{ last int64 }

func (a *oldAssigner) ExtractTimestamp(v, _ int64) int64 { a.last = v; return v }
func (a *oldAssigner) CurrentWatermark() (int64, bool)   { return a.last, a.last > 0 }
func (a *oldAssigner) CheckAndGetNextWatermark(v, ts int64) (int64, bool) {
	return ts - 1, ts%2 == 0
}

func TestOldAssigners(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	show := func(v int64, ctx *ProcessContext, out Collector[string]) {
		ts, _ := ctx.Timestamp()
		out.Collect(fmt.Sprint(ts, "@", max(ctx.TimerService().CurrentWatermark(), -1)))
	}
	s := env.FromElements(int64(1), 2, 3)
	got, err := s.AssignPunctuated(&oldAssigner{}).ProcessFunc(show).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []string{"1@-1", "2@-1", "3@1"})
	got, err = s.AssignPeriodic(&oldAssigner{}).ProcessFunc(show).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []string{"1@-1", "2@-1", "3@-1"})
	e := BoundedOutOfOrdernessTimestampExtractor(2*time.Millisecond, func(v int64) int64 { return v })
	if _, ok := e.CurrentWatermark(); ok {
		t.Error("a watermark before the first record")
	}
	e.ExtractTimestamp(10, 0)
	if wm, _ := e.CurrentWatermark(); wm != 8 {
		t.Errorf("got %d, want 8", wm)
	}
}

// accounts uses every kind of accumulator.
type accounts struct {
	sum  *LongCounter
	hist *Histogram
	low  *LongMinimum
	mean *AverageAccumulator
}

func (a *accounts) Open(ctx *RuntimeContext) error {
	a.sum, a.hist = ctx.LongCounter("sum"), ctx.Histogram("hist")
	a.low, a.mean = NewLongMinimum(), NewAverageAccumulator()
	ctx.AddAccumulator("low", a.low)
	ctx.AddAccumulator("mean", a.mean)
	if p := ctx.GlobalJobParameters()["twice"]; p != "" {
		ctx.AddAccumulator("low", a.low)
	}
	if p := ctx.GlobalJobParameters()["file"]; p != "" {
		if got := ctx.DistributedCache().File(p); got != "/data/words" {
			return fmt.Errorf("got %s", got)
		}
	}
	return nil
}

func (a *accounts) Map(n int) (int, error) {
	a.sum.Add(int64(n))
	a.hist.Add(n)
	a.low.Add(int64(n))
	a.mean.Add(float64(n))
	return n, nil
}

func TestAccumulatorsAreMergedOverSubtasks(t *testing.T) {
	env := NewEnv(WithParallelism(2))
	env.RegisterCachedFile("/data/words", "words").SetGlobalJobParameters(map[string]string{"file": "words"})
	s := env.FromElements(1, 2, 2, 5)
	s.MapRich(&accounts{})
	r, err := env.Execute(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(r.AllAccumulators()), "map[hist:map[1:1 2:2 5:1] low:1 mean:2.5 sum:10]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for param, want := range map[string]string{"twice": "UnsupportedOperation", "file": "IllegalArgument"} {
		env.SetGlobalJobParameters(map[string]string{param: "none"})
		s.MapRich(&accounts{})
		if _, err := env.Execute(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// expiring counts records of a key with a state that lives a second.
type expiring struct {
	pause time.Duration
}

func (s *expiring) Run(ctx *SourceContext[string]) error {
	for range 3 {
		ctx.Collect("a")
		ctx.Sleep(s.pause)
	}
	return nil
}

func TestStateExpires(t *testing.T) {
	for pause, want := range map[time.Duration][]int{100 * time.Millisecond: {1, 2, 3}, 2 * time.Second: {1, 1, 1}} {
		env := NewEnv(WithParallelism(1), WithDeterministic(1))
		got, err := env.AddSource(&expiring{pause}).KeyBy(self).ProcessKeyedFunc(func(_ string, ctx *KeyedContext[string], out Collector[int]) {
			n := ctx.State(NewValueStateDescriptor[int]("n").TTL(time.Second))
			n.Update(n.Value() + 1)
			out.Collect(n.Value())
		}).ExecuteAndCollectLimit(context.Background(), 9)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
	}
}
