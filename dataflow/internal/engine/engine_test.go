package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

func limit(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(stop)
	return ctx
}

func submit(t *testing.T, p *plan, o Options) job.Job {
	t.Helper()
	j, err := Submit(p.graph(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Cancel)
	return j
}

// sumJob is source -> rebalance -> map -> hash -> running sums -> sink.
func sumJob(par int) (*plan, *results[string]) {
	p, out := newPlan(), &results[string]{}
	src := node[int](p, "Source: Numbers", 1, numbers(1000))
	m := node[int](p, "Map", par, mapOf(func(v int) int { return v % 10 }))
	p.ship(src, m, core.Rebalance)
	sum := node[string](p, "Sum", par, keyedSum())
	shipKeyed(p, m, sum, func(v int) int { return v })
	p.chain(sum, node[string](p, "Sink: Out", par, out.factory()))
	return p, out
}

func TestEveryScheduleGivesTheSameMultiset(t *testing.T) {
	var want []string
	for _, deterministic := range []bool{false, true} {
		for _, par := range []int{1, 2, 4} {
			for _, batch := range []int{1, 7, 512} {
				p, out := sumJob(par)
				j := submit(t, p, Options{Deterministic: deterministic, Seed: uint64(par), BatchSize: batch, Slots: 2})
				if err := j.Wait(limit(t)); err != nil {
					t.Fatal(err)
				}
				got := out.texts()
				if want == nil {
					want = got
				}
				if len(got) != 1000 || !slices.Equal(got, want) {
					t.Errorf("deterministic %v, parallelism %d, batch %d: got %d other records, want %d", deterministic, par, batch, len(got), len(want))
				}
				if j.Status() != job.Finished {
					t.Errorf("got status %s, want FINISHED", j.Status())
				}
			}
		}
	}
}

// steps runs the sum job with a seed and returns its steps and its results in order.
func steps(t *testing.T, seed uint64, drive func(j job.Job)) ([]string, []string) {
	p, out := sumJob(2)
	var log []string
	j := submit(t, p, Options{Deterministic: true, Seed: seed, BatchSize: 7, OnStep: func(s job.Step) {
		log = append(log, fmt.Sprintf("%d %s %d", s.N, s.Task, s.Subtask))
	}})
	drive(j)
	if err := j.Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	return log, out.got
}

func TestSameSeedTakesTheSameStepsWhoeverDrives(t *testing.T) {
	wait := func(job.Job) {}
	log, got := steps(t, 1, wait)
	if len(log) < 50 {
		t.Fatalf("got %d steps, want many", len(log))
	}
	drivers := map[string]func(j job.Job){
		"waiting": wait,
		"advance": func(j job.Job) {
			for j.Advance(context.Background(), 3) == 3 {
			}
		},
		"together": func(j job.Job) {
			for range 8 {
				go j.Advance(context.Background(), 5)
				go j.Await(context.Background(), func() bool { return j.Status().Terminal() })
			}
		},
	}
	for name, drive := range drivers {
		log2, got2 := steps(t, 1, drive)
		if !slices.Equal(log, log2) || !slices.Equal(got, got2) {
			t.Errorf("%s: another run with the same seed took other steps", name)
		}
	}
	if log3, _ := steps(t, 2, wait); slices.Equal(log, log3) {
		t.Error("another seed took the same steps")
	}
}

func TestAdvanceTakesAtMostMaxStepsAndReportsThem(t *testing.T) {
	p, _ := sumJob(1)
	j := submit(t, p, Options{Deterministic: true, BatchSize: 1})
	if j.Status() != job.Created {
		t.Errorf("got status %s before the first step, want CREATED", j.Status())
	}
	if n := j.Advance(limit(t), 5); n != 5 || j.Metrics().Steps != 5 {
		t.Errorf("got %d steps and %d in the metrics, want 5", n, j.Metrics().Steps)
	}
	if j.Status() != job.Running {
		t.Errorf("got status %s, want RUNNING", j.Status())
	}
	j.Advance(limit(t), 1<<30)
	if j.Status() != job.Finished {
		t.Errorf("got status %s, want FINISHED", j.Status())
	}
	if n := j.Advance(limit(t), 5); n != 0 {
		t.Errorf("got %d steps of a finished job, want 0", n)
	}
}

func TestAwaitStopsAtTheFirstStepThatSatisfiesIt(t *testing.T) {
	p, out := sumJob(1)
	j := submit(t, p, Options{Deterministic: true, BatchSize: 1})
	if err := j.Await(limit(t), func() bool { return out.len() >= 3 }); err != nil {
		t.Fatal(err)
	}
	if out.len() != 3 {
		t.Errorf("got %d results, want 3", out.len())
	}
}

func TestEndOfInputReachesEveryOperatorInOrder(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p, trace := newPlan(), &tracer{}
		a := node[int](p, "A", 1, sourceOf(func(s *core.Subtask, emit core.Emit[int]) { emit(1, 10) }))
		b := node[int](p, "B", 1, sourceOf(func(s *core.Subtask, emit core.Emit[int]) {}))
		two := node[int](p, "Two", 1, trace.factory(2))
		p.edge(a, two, 0, core.Forward, nil)
		p.edge(b, two, 1, core.Forward, nil)
		j := submit(t, p, Options{Deterministic: deterministic})
		if err := j.Wait(limit(t)); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(trace.calls, "\n")
		for _, order := range [][]string{
			{"open", "record 0 1@10", "watermark 0 9223372036854775807", "endInput 0", "finish", "close"},
			{"open", "watermark 1 9223372036854775807", "endInput 1", "finish", "close"},
		} {
			at := 0
			for _, call := range order {
				i := strings.Index(got[at:], call)
				if i < 0 {
					t.Fatalf("deterministic %v: got calls\n%s\nwant %q after position %d", deterministic, got, call, at)
				}
				at += i + len(call)
			}
		}
	}
}

func TestChainedOperatorsOpenFromTheEndAndFinishFromTheHead(t *testing.T) {
	p, trace := newPlan(), &tracer{}
	named := func(name string) core.Factory {
		return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
			emit := out.Main.(core.Emit[int])
			return &core.Instance{Inputs: []any{emit}, Op: passive{out: out.Control, on: func(c string) { trace.note(name + " " + c) }}}
		})
	}
	src := node[int](p, "Source", 1, numbers(1))
	b := node[int](p, "B", 1, named("b"))
	c := node[int](p, "C", 1, named("c"))
	p.chain(src, b)
	p.chain(b, c)
	if err := submit(t, p, Options{Deterministic: true}).Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"c open", "b open",
		"b watermark 0 9223372036854775807", "c watermark 0 9223372036854775807",
		"b endInput 0", "b finish", "c endInput 0", "c finish", "b close", "c close",
	}
	if !slices.Equal(trace.calls, want) {
		t.Errorf("got  %q\nwant %q", trace.calls, want)
	}
}

func TestSideOutputsAndSeveralConsumers(t *testing.T) {
	p := newPlan()
	even, odd, all := &results[int]{}, &results[int]{}, &results[int]{}
	src := node[int](p, "Source", 1, numbers(10))
	split := node[int](p, "Split", 1, factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		main, side := out.Main.(core.Emit[int]), out.Side["odd"].(core.Emit[int])
		return &core.Instance{Op: passive{out: out.Control}, Inputs: []any{core.Emit[int](func(v int, ts int64) {
			if v%2 == 0 {
				main(v, ts)
			} else {
				side(v, ts)
			}
		})}}
	}))
	split.T.Movers["odd"] = split.T.Mover
	p.chain(src, split)
	p.chain(split, node[int](p, "Even", 1, even.factory()))
	p.ship(split, node[int](p, "Odd", 2, odd.factory()), core.Rebalance).Tag = "odd"
	p.ship(split, node[int](p, "All", 1, all.factory()), core.Forward)
	if err := submit(t, p, Options{Deterministic: true}).Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(even.texts(), odd.texts(), all.texts())
	if want := "[0 2 4 6 8] [1 3 5 7 9] [0 2 4 6 8]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnIdleInputDoesNotHoldBackEventTime(t *testing.T) {
	p, trace := newPlan(), &tracer{}
	marks := func(f func(out core.Control)) core.Factory {
		return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
			return &core.Instance{Op: passive{out: out.Control}, Run: func() error { f(out.Control); return nil }}
		})
	}
	src := node[int](p, "Source", 2, factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		f := marks(func(out core.Control) {
			if s.Index == 0 {
				out.Status(true)
				return
			}
			out.Watermark(5)
			out.Watermark(3) // never back
		})
		inst, _ := f.New(s, out)
		return inst
	}))
	p.ship(src, node[int](p, "Sink", 1, trace.factory(1)), core.Global)
	if err := submit(t, p, Options{Deterministic: true}).Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(trace.calls, ", ")
	if strings.Contains(got, "watermark 0 3") || !strings.HasSuffix(got, "watermark 0 9223372036854775807, endInput 0, finish, close") {
		t.Errorf("got %s", got)
	}
}

func TestTooMuchParallelismIsRefused(t *testing.T) {
	p, _ := sumJob(2)
	g := p.graph()
	g.Vertices[1].MaxParallelism = 1
	_, err := Submit(g, Options{})
	if want := `engine: task "Map": parallelism must be 1 to its max parallelism 1, got 2`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSlowConsumerHoldsTheSourceBack(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p := newPlan()
		var sent, ahead, received int
		src := node[int](p, "Fast", 1, sourceOf(func(s *core.Subtask, emit core.Emit[int]) {
			for sent = 0; sent < 5000 && s.Poll(); sent++ {
				emit(sent, core.NoTimestamp)
			}
		}))
		p.ship(src, node[int](p, "Slow", 1, flatMap(func(s *core.Subtask, _ int, _ int64, _ core.Emit[int]) {
			if deterministic { // one at a time: the numbers may be compared
				ahead = max(ahead, sent-received)
			}
			received++
		})), core.Forward)
		j := submit(t, p, Options{Deterministic: deterministic, BatchSize: 10, Slots: 2, Seed: 3})
		if err := j.Wait(limit(t)); err != nil {
			t.Fatal(err)
		}
		if received != 5000 {
			t.Errorf("got %d records, want 5000", received)
		}
		// Two batches queued or being read, one being filled, and the record that waits.
		if ahead > 31 {
			t.Errorf("the source ran %d records ahead, want at most 31", ahead)
		}
	}
}
