package dataflow_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	. "flinkish/dataflow"
)

// read runs the program and returns the records of a cached stream.
func read[T any](t *testing.T, s *CachedDataStream[T]) []T {
	t.Helper()
	return collect(t, s.Filter(func(T) bool { return true }))
}

func TestACacheIsFilledOnceAndReadByLaterJobs(t *testing.T) {
	for _, p := range []int{1, 3} {
		for name, env := range batches(p) {
			var calls atomic.Int32
			c := env.FromElements(1, 2, 3).Map(func(v int) int { calls.Add(1); return v + 1 }).Cache()
			for range 3 {
				sameUnordered(t, read(t, c), []int{2, 3, 4})
			}
			if calls.Load() != 3 {
				t.Errorf("%s, parallelism %d: got %d calls, want 3", name, p, calls.Load())
			}
			env.SetRuntimeMode(Streaming)
			sameUnordered(t, collect(t, c.Map(func(v int) int { return v + 1 })), []int{3, 4, 5})
			if calls.Load() != 3 {
				t.Errorf("%s, parallelism %d: the STREAMING job computed the records again", name, p)
			}
		}
	}
}

func TestInvalidateComputesAgain(t *testing.T) {
	for name, env := range batches(1) {
		path := t.TempDir() + "/numbers"
		write := func(s string) {
			if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("1\n2\n3\n")
		c := env.ReadTextFile(path).Map(func(s string) string { return s + "!" }).Cache()
		sameUnordered(t, read(t, c), []string{"1!", "2!", "3!"})
		write("4\n5\n")
		sameUnordered(t, read(t, c), []string{"1!", "2!", "3!"})
		if err := c.Invalidate(context.Background()); err != nil {
			t.Fatal(err)
		}
		sameUnordered(t, read(t, c), []string{"4!", "5!"})
		write("6\n")
		sameUnordered(t, read(t, c), []string{"4!", "5!"})
		if err := env.Close(); err != nil {
			t.Fatal(name, err)
		}
		sameUnordered(t, read(t, c), []string{"6!"})
	}
}

func TestASideOutputCanBeCached(t *testing.T) {
	for _, env := range batches(1) {
		tag := NewOutputTag[int]("side")
		calls := 0
		main := env.FromElements(pairs("a", 1, "b", 1, "b", 2)...).ProcessFunc(func(v keyInt, ctx *ProcessContext, out Collector[int]) {
			calls++
			if v.F0 == "b" {
				ctx.Output(tag, v.F1)
			} else {
				out.Collect(v.F1)
			}
		})
		c := main.GetSideOutput(tag).Cache()
		for range 2 {
			sameUnordered(t, read(t, c), []int{1, 2})
		}
		if calls != 3 {
			t.Errorf("got %d calls, want 3", calls)
		}
	}
}

func TestAStreamingJobDoesNotFillACache(t *testing.T) {
	for name, env := range environments(1) {
		calls := 0
		c := env.FromElements(1).Map(func(v int) int { calls++; return v }).Cache()
		read(t, c)
		read(t, c)
		if calls != 2 {
			t.Errorf("%s: got %d calls, want 2", name, calls)
		}
	}
}

func TestAFailedJobLeavesNoCache(t *testing.T) {
	for name, env := range batches(1) {
		fail := true
		c := env.FromElements(1, 2).Map(func(v int) int {
			if fail && v == 2 {
				panic("wrong")
			}
			return v
		}).Cache()
		c.Print()
		if _, err := env.Execute(context.Background()); err == nil {
			t.Fatal(name, "no error")
		}
		fail = false
		sameUnordered(t, read(t, c), []int{1, 2})
	}
}

func TestABigCacheComesBackWithItsTimestamps(t *testing.T) {
	env := NewEnv(WithParallelism(1)).SetRuntimeMode(Batch)
	n := int64(100000)
	c := env.FromSequence(1, n).Map(func(v int64) string { return fmt.Sprint(v) }).AssignTimestampsAndWatermarks(
		ForMonotonousTimestamps[string]().WithTimestampAssigner(func(s string, _ int64) int64 { return int64(len(s)) })).Cache()
	for range 2 {
		wrong, count := 0, int64(0)
		for _, ok := range collect(t, c.ProcessFunc(func(s string, ctx *ProcessContext, out Collector[bool]) {
			ts, _ := ctx.Timestamp()
			out.Collect(ts == int64(len(s)))
		})) {
			if count++; !ok {
				wrong++
			}
		}
		if wrong != 0 || count != n {
			t.Errorf("got %d records, %d with a wrong timestamp; want %d", count, wrong, n)
		}
	}
}

func TestACacheStandsInThePlan(t *testing.T) {
	env := NewEnv(WithParallelism(2)).SetRuntimeMode(Batch)
	c := env.FromElements(1, 2).Map(func(v int) int { return v }).Cache()
	c.Print()
	g, err := env.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	want := "0 Source: Collection Source x1\n1 Map -> Sink: Print to Std. Out x2 <-REBALANCE- 0\n2 CacheWrite x2 <-FORWARD- 1\n"
	if g.String() != want {
		t.Errorf("got\n%swant\n%s", g, want)
	}
	read(t, c)
	c.Print()
	if g, err = env.JobGraph(); err != nil {
		t.Fatal(err)
	}
	if want = "0 CacheRead -> Sink: Print to Std. Out x2\n"; g.String() != want {
		t.Errorf("got\n%swant\n%s", g, want)
	}
	if err := g.Check(); err != nil {
		t.Error(err)
	}
}
