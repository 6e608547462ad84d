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

func TestVirtualClockJumpsStraightToTheNextTimer(t *testing.T) {
	p, out := newPlan(), &results[int]{}
	src := node[int](p, "Paced", 1, sourceOf(func(s *core.Subtask, emit core.Emit[int]) {
		for i := range 3 {
			due := false
			s.Runtime.After(s.Now()+3_600_000, func() { due = true })
			if !s.Runtime.Wait(core.IdleInput, func() bool { return due }) {
				return
			}
			emit(i, s.Now())
		}
	}))
	p.ship(src, node[int](p, "Sink", 1, out.factory()), core.Forward)
	j := submit(t, p, Options{Deterministic: true, Start: 1000})
	if err := j.Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	if got, want := j.Metrics().Now, int64(1000+3*3_600_000); got != want || out.len() != 3 {
		t.Errorf("got time %d and %d records, want %d and 3", got, out.len(), want)
	}
}

func TestAStoppedTimerDoesNotMoveTheClock(t *testing.T) {
	p := newPlan()
	node[int](p, "Source", 1, sourceOf(func(s *core.Subtask, _ core.Emit[int]) {
		fired := ""
		at := func(ms int64, name string) func() bool {
			return s.Runtime.After(s.Now()+ms, func() { fired += name })
		}
		stop := at(10, "a")
		at(20, "c")
		at(20, "d")
		at(15, "b")
		if !stop() || stop() {
			t.Error("stop did not report that it stopped a pending timer once")
		}
		s.Runtime.Wait(core.IdleInput, func() bool { return len(fired) == 3 })
		if fired != "bcd" || s.Now() != 20 {
			t.Errorf("got timers %s at %d, want bcd at 20", fired, s.Now())
		}
		at(0, "e")
		s.Poll()
		if fired != "bcde" || s.Now() != 20 {
			t.Errorf("got timers %s at %d, want bcde at 20", fired, s.Now())
		}
	}))
	if err := submit(t, p, Options{Deterministic: true}).Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
}

func TestTimersFireBetweenTheRecordsOfABatch(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p := newPlan()
		var calls []string
		src := node[int](p, "Source", 1, numbers(3))
		p.ship(src, node[int](p, "Timer", 1, flatMap(func(s *core.Subtask, v int, _ int64, _ core.Emit[int]) {
			calls = append(calls, fmt.Sprint("record ", v))
			s.Runtime.After(s.Now(), func() { calls = append(calls, fmt.Sprint("timer ", v)) })
		})), core.Forward)
		if err := submit(t, p, Options{Deterministic: deterministic}).Wait(limit(t)); err != nil {
			t.Fatal(err)
		}
		want := []string{"record 0", "timer 0", "record 1", "timer 1", "record 2"}
		if !slices.Equal(calls[:5], want) {
			t.Errorf("deterministic %v: got %q, want %q first", deterministic, calls, want)
		}
	}
}

func TestParallelTimersFireWhileTheSubtaskWaits(t *testing.T) {
	p := newPlan()
	fired := 0
	src := node[int](p, "Source", 1, sourceOf(func(s *core.Subtask, emit core.Emit[int]) {
		for range 3 {
			due := false
			s.Runtime.After(s.Now()+1, func() { due = true })
			s.Runtime.Wait(core.IdleInput, func() bool { return due })
			fired++
			emit(1, core.NoTimestamp)
		}
	}))
	out := &results[int]{}
	p.ship(src, node[int](p, "Sink", 1, out.factory()), core.Forward)
	j := submit(t, p, Options{})
	if err := j.Await(limit(t), func() bool { return out.len() == 1 }); err != nil {
		t.Fatal(err)
	}
	if err := j.Wait(limit(t)); err != nil || fired != 3 || out.len() != 3 {
		t.Errorf("got %v, %d timers, %d records, want 3", err, fired, out.len())
	}
}

func TestABusySourceShipsAfterTheBufferTimeout(t *testing.T) {
	p, out := newPlan(), &results[int]{}
	src := node[int](p, "Source", 1, sourceOf(func(s *core.Subtask, emit core.Emit[int]) {
		emit(1, core.NoTimestamp)
		for s.Poll() { // busy, without another record
		}
	}))
	src.T.BufferTimeout = 2 * time.Millisecond
	p.ship(src, node[int](p, "Sink", 1, out.factory()), core.Forward)
	j := submit(t, p, Options{})
	if err := j.Await(limit(t), func() bool { return out.len() == 1 }); err != nil {
		t.Error("the record never arrived")
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

func TestPendingTimersAreDroppedAtTheEnd(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p := newPlan()
		fired := false
		src := node[int](p, "Source", 1, numbers(3))
		p.chain(src, node[int](p, "Timer", 1, flatMap(func(s *core.Subtask, v int, _ int64, _ core.Emit[int]) {
			s.Runtime.After(s.Now()+1_000_000, func() { fired = true })
		})))
		if err := submit(t, p, Options{Deterministic: deterministic}).Wait(limit(t)); err != nil {
			t.Fatal(err)
		}
		if fired {
			t.Errorf("deterministic %v: a pending timer fired at the end", deterministic)
		}
	}
}

func TestDeadlockNamesEverySubtaskAndWhatItWaitsFor(t *testing.T) {
	p := newPlan()
	src := node[int](p, "Stuck", 1, factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		return &core.Instance{Op: passive{out: out.Control}, Run: func() error {
			s.Hooks.Credit(func() bool { return false }) // as an edge that never drains
			return nil
		}}
	}))
	p.ship(src, node[int](p, "Sink", 1, (&results[int]{}).factory()), core.Forward)
	err := submit(t, p, Options{Deterministic: true}).Wait(limit(t))
	want := "the job is deadlocked: no subtask can go on and no timer is set: " +
		"Stuck (1/1) waits for room downstream; Sink (1/1) waits for input"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestWaitForOutsideIsNoDeadlock(t *testing.T) {
	p, out := newPlan(), &results[int]{}
	var subtask *core.Subtask
	var buffer struct{ tracer } // its lock guards calls, which stand for records
	src := node[int](p, "Outside", 1, sourceOf(func(s *core.Subtask, emit core.Emit[int]) {
		subtask = s
		for range 2 {
			if !s.Runtime.Wait(core.IdleInput, func() bool { buffer.mu.Lock(); defer buffer.mu.Unlock(); return len(buffer.calls) > 0 }) {
				return
			}
			buffer.mu.Lock()
			buffer.calls = buffer.calls[1:]
			buffer.mu.Unlock()
			emit(1, core.NoTimestamp)
		}
	}))
	p.chain(src, node[int](p, "Sink", 1, out.factory()))
	j := submit(t, p, Options{Deterministic: true})
	if n := j.Advance(limit(t), 100); n == 100 || j.Status() != job.Running {
		t.Fatalf("got %d steps and status %s, want a pause", n, j.Status())
	}
	stalls := j.Stalled()
	if len(stalls) != 1 || stalls[0] != (job.Stall{Task: "Outside -> Sink (1/1)"}) {
		t.Errorf("got stalls %v, want the source", stalls)
	}
	done := make(chan error)
	go func() { done <- j.Wait(limit(t)) }()
	for range 2 {
		buffer.note("record")
		subtask.Runtime.Wake()
	}
	if err := <-done; err != nil || out.len() != 2 {
		t.Errorf("got %v and %d records, want 2", err, out.len())
	}
}

func TestTheClockFollowsTheRealOneWhileInputFromOutsideIsAwaited(t *testing.T) {
	p := newPlan()
	ticks := 0
	src := node[int](p, "Outside", 1, sourceOf(func(s *core.Subtask, _ core.Emit[int]) {
		s.Runtime.Wait(core.IdleInput, func() bool { return ticks == 3 })
	}))
	p.chain(src, node[int](p, "Ticker", 1, factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		var tick func()
		tick = func() { ticks++; s.Runtime.After(s.Now()+5, tick) }
		return &core.Instance{Inputs: []any{out.Main}, Op: passive{out: out.Control, on: func(c string) {
			if c == "open" {
				s.Runtime.After(s.Now()+5, tick)
			}
		}}}
	})))
	j := submit(t, p, Options{Deterministic: true})
	if n := j.Advance(limit(t), 100); n == 100 {
		t.Fatal("the clock ran away from a job that waits for input")
	}
	before := SystemClock().Nanos()
	if err := j.Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	if took := SystemClock().Nanos() - before; took < 14e6 || j.Metrics().Now != 15 {
		t.Errorf("got virtual time %d after %d ns, want 15 ms of both", j.Metrics().Now, took)
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

func TestMetricsCountRecordsAndSharesAddUp(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p, _ := sumJob(2)
		j := submit(t, p, Options{Deterministic: deterministic, BatchSize: 16})
		if err := j.Wait(limit(t)); err != nil {
			t.Fatal(err)
		}
		m := j.Metrics()
		if m.Status != job.Finished || len(m.Vertices) != 3 {
			t.Fatalf("got %+v", m)
		}
		var in, out [3]uint64
		for i, v := range m.Vertices {
			for _, s := range v.Subtasks {
				in[i] += s.In
				out[i] += s.Out
				if s.Busy+s.Idle+s.BackPressured != 1000 || s.State != "done" {
					t.Errorf("got %+v, want shares of 1000 and state done", s)
				}
				if s.Watermark != core.MaxWatermark {
					t.Errorf("vertex %d: got watermark %d, want the maximum", i, s.Watermark)
				}
			}
		}
		if in != [3]uint64{0, 1000, 1000} || out != [3]uint64{1000, 1000, 0} {
			t.Errorf("got in %v out %v", in, out)
		}
		if got := m.Vertices[1].Operators[0]; got.Name != "Map" || got.In != 1000 {
			t.Errorf("got %+v, want Map with 1000 records in", got)
		}
	}
}

func TestDeterministicMetricsRepeat(t *testing.T) {
	var want string
	for range 3 {
		p, _ := sumJob(2)
		j := submit(t, p, Options{Deterministic: true, Seed: 5, BatchSize: 8, Slots: 2})
		j.Advance(limit(t), 60)
		got := fmt.Sprint(j.Metrics())
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestSamplesShowWhatLeftOrReachedAVertex(t *testing.T) {
	p, _ := sumJob(1)
	j := submit(t, p, Options{Deterministic: true})
	if err := j.Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	g := j.Graph()
	if got := fmt.Sprint(values(j.Samples(g.Vertices[0].ID, 3))); got != "[997 998 999]" {
		t.Errorf("left the source: got %s, want [997 998 999]", got)
	}
	if got := fmt.Sprint(values(j.Samples(g.Vertices[2].ID, 3))); got != "[7 8 9]" {
		t.Errorf("reached the sum: got %s, want [7 8 9]", got)
	}
	p2 := newPlan()
	p2.chain(node[int](p2, "Source", 1, numbers(20)), node[int](p2, "Sink", 1, (&results[int]{}).factory()))
	j2 := submit(t, p2, Options{Deterministic: true})
	if err := j2.Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(values(j2.Samples(j2.Graph().Vertices[0].ID, 2))); got != "[18 19]" {
		t.Errorf("a chain without edges: got %s, want [18 19]", got)
	}
}

func values(all []job.Sample) (vals []any) {
	for _, s := range all {
		vals = append(vals, s.Value)
	}
	return vals
}

func TestIdsComeFromSeedAndNumber(t *testing.T) {
	id := func(seed, number uint64) string {
		p, _ := sumJob(1)
		return submit(t, p, Options{Deterministic: true, Seed: seed, Number: number}).ID()
	}
	if a, b := id(1, 0), id(1, 0); a != b || len(a) != 32 {
		t.Errorf("got %s and %s, want the same 32 digits", a, b)
	}
	if id(1, 0) == id(1, 1) || id(1, 0) == id(2, 0) {
		t.Error("jobs with another seed or number got the same id")
	}
}
