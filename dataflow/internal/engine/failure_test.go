package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

var errUser = errors.New("no such station")

func TestAFailingFunctionFailsTheJobAndNamesItsRecord(t *testing.T) {
	var nilMap map[int]int
	tests := []struct {
		name string
		f    func(s *core.Subtask, v int)
		want string
		is   error
	}{
		{"division by zero", func(_ *core.Subtask, v int) { _ = 10 / v }, `operator "Divider" (1/1) failed on record 0: integer divide by zero`, nil},
		{"index out of range", func(_ *core.Subtask, v int) { _ = make([]int, v)[v] }, `operator "Divider" (1/1) failed on record 0: index out of range [0] with length 0`, nil},
		{"nil map", func(_ *core.Subtask, v int) { nilMap[v] = 1 }, `operator "Divider" (1/1) failed on record 0: assignment to entry in nil map`, nil},
		{"panic with text", func(*core.Subtask, int) { panic("out of cheese") }, `operator "Divider" (1/1) failed on record 0: out of cheese`, nil},
		{"panic with error", func(*core.Subtask, int) { panic(errUser) }, `operator "Divider" (1/1) failed on record 0: no such station`, errUser},
		{"returned error", func(s *core.Subtask, _ int) { s.Runtime.Fail(fmt.Errorf("lookup: %w", errUser)) }, `operator "Divider" (1/1) failed on record 0: lookup: no such station`, errUser},
		{"swallowed failure", func(s *core.Subtask, _ int) {
			defer func() { _ = recover() }()
			s.Runtime.Fail(errUser)
		}, `operator "Divider" (1/1) failed on record 0: no such station`, errUser},
		{"goexit", func(*core.Subtask, int) { runtime.Goexit() }, `operator "Divider" (1/1) failed on record 0: the function ended its goroutine with runtime.Goexit; return an error instead`, nil},
	}
	for _, tt := range tests {
		for _, deterministic := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, " deterministic ", deterministic), func(t *testing.T) {
				p := newPlan()
				src := node[int](p, "Source", 1, numbers(100))
				div := node[int](p, "Divider", 1, flatMap(func(s *core.Subtask, v int, _ int64, _ core.Emit[int]) { tt.f(s, v) }))
				p.ship(src, div, core.Forward)
				p.ship(div, node[int](p, "Sink", 2, (&results[int]{}).factory()), core.Rebalance)
				j := submit(t, p, Options{Deterministic: deterministic})
				err := j.Wait(limit(t))
				if err == nil || err.Error() != tt.want {
					t.Fatalf("got  %v\nwant %s", err, tt.want)
				}
				if tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("errors.Is does not reach %v", tt.is)
				}
				var f *job.Failure
				if !errors.As(err, &f) || f.Record != 0 || f.Operator != "Divider" {
					t.Errorf("got failure %+v", f)
				}
				if j.Status() != job.Failed {
					t.Errorf("got status %s, want FAILED", j.Status())
				}
			})
		}
	}
}

func TestAFailureInAChainIsLaidAtTheRightDoor(t *testing.T) {
	p := newPlan()
	src := node[int](p, "Source", 1, numbers(5))
	a := node[int](p, "A", 1, mapOf(func(v int) int { return v + 1 }))
	b := node[int](p, "B", 1, mapOf(func(v int) int { return 10 / (v - 3) }))
	p.chain(src, a)
	p.chain(a, b)
	err := submit(t, p, Options{Deterministic: true}).Wait(limit(t))
	want := `operator "B" (1/1) failed on record 3: integer divide by zero`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOpenAndCloseErrorsFailTheJob(t *testing.T) {
	for _, call := range []string{"open", "finish", "close"} {
		p := newPlan()
		f := factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
			return &core.Instance{Inputs: []any{out.Main}, Op: passive{out: out.Control, on: func(c string) {
				if c == call {
					panic(errUser)
				}
			}}}
		})
		p.chain(node[int](p, "Source", 1, numbers(1)), node[int](p, "Bad", 1, f))
		err := submit(t, p, Options{Deterministic: true}).Wait(limit(t))
		want := fmt.Sprintf(`operator "Bad" (1/1) failed during %s: no such station`, call)
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestABrokenInvariantIsReportedAsOurBug(t *testing.T) {
	p := newPlan()
	p.chain(node[int](p, "Source", 1, numbers(1)), node[int](p, "Bad", 1, mapOf(func(int) int { panic(core.Bug("a lost batch")) })))
	err := submit(t, p, Options{Deterministic: true}).Wait(limit(t))
	var bug *job.Bug
	if !errors.As(err, &bug) || !strings.Contains(err.Error(), "a lost batch; this is a bug in flinkish") {
		t.Errorf("got %v, want a bug", err)
	}
}

func TestAFailingFactoryFailsTheSubmission(t *testing.T) {
	p := newPlan()
	trace := &tracer{}
	src := node[int](p, "Source", 1, factory(func(*core.Subtask, core.Outputs) *core.Instance { panic("no clone") }))
	p.chain(src, node[int](p, "Sink", 1, trace.factory(1)))
	_, err := Submit(p.graph(), Options{})
	if want := `operator "Source" (1/1) failed during open: no clone`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := fmt.Sprint(trace.calls); got != "[close]" {
		t.Errorf("the operator that was built got calls %s, want [close]", got)
	}
	if _, err := Submit(nil, Options{}); err == nil {
		t.Error("a nil graph was accepted")
	}
}

// endless is an unbounded source.
func endless() core.Factory {
	return sourceOf(func(s *core.Subtask, emit core.Emit[int]) {
		for i := 0; s.Poll(); i++ {
			emit(i, core.NoTimestamp)
		}
	})
}

func TestCancelEndsEveryKindOfWait(t *testing.T) {
	never := func() bool { return false }
	tests := []struct {
		name  string
		build func(p *plan)
	}{
		{"a source loop", func(p *plan) { node[int](p, "Source", 1, endless()) }},
		{"full queues", func(p *plan) {
			src := node[int](p, "Source", 2, endless())
			p.ship(src, node[int](p, "Full", 2, flatMap(func(s *core.Subtask, _ int, _ int64, _ core.Emit[int]) {
				s.Runtime.Wait(core.BackPressured, never)
			})), core.Rebalance)
		}},
		{"a full sink in the chain", func(p *plan) {
			src := node[int](p, "Source", 1, endless())
			p.chain(src, node[int](p, "Full", 1, flatMap(func(s *core.Subtask, _ int, _ int64, _ core.Emit[int]) {
				s.Runtime.Wait(core.BackPressured, never)
			})))
		}},
		{"an idle source", func(p *plan) {
			src := node[int](p, "Source", 1, sourceOf(func(s *core.Subtask, _ core.Emit[int]) { s.Runtime.Wait(core.IdleInput, never) }))
			p.ship(src, node[int](p, "Sink", 2, (&results[int]{}).factory()), core.Rebalance)
		}},
		{"a recover that swallows", func(p *plan) {
			src := node[int](p, "Source", 1, endless())
			greedy := node[int](p, "Greedy", 1, flatMap(func(_ *core.Subtask, v int, _ int64, out core.Emit[int]) {
				defer func() { _ = recover() }()
				for range 100 {
					out(v, core.NoTimestamp)
				}
			}))
			p.ship(src, greedy, core.Forward)
			p.ship(greedy, node[int](p, "Sink", 2, (&results[int]{}).factory()), core.Rebalance)
		}},
	}
	for _, tt := range tests {
		for _, deterministic := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, " deterministic ", deterministic), func(t *testing.T) {
				p := newPlan()
				tt.build(p)
				j := submit(t, p, Options{Deterministic: deterministic, Slots: 2, BatchSize: 16})
				j.Advance(limit(t), 200)
				if j.Status() != job.Running {
					t.Fatalf("got status %s, want RUNNING", j.Status())
				}
				j.Cancel()
				if err := j.Wait(limit(t)); err != nil || j.Status() != job.Canceled {
					t.Errorf("got %v, %s, want CANCELED", err, j.Status())
				}
			})
		}
	}
}

func TestCancelBeforeTheFirstStep(t *testing.T) {
	p, trace := newPlan(), &tracer{}
	p.ship(node[int](p, "Source", 1, endless()), node[int](p, "Sink", 1, trace.factory(1)), core.Forward)
	j := submit(t, p, Options{Deterministic: true})
	j.Cancel()
	if err := j.Wait(limit(t)); err != nil || j.Status() != job.Canceled {
		t.Errorf("got %v, %s, want CANCELED", err, j.Status())
	}
	if got := fmt.Sprint(trace.calls); got != "[close]" {
		t.Errorf("got calls %s, want [close]", got)
	}
}

func TestAContextFreesTheCallerAndTheJobGoesOn(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p := newPlan()
		node[int](p, "Source", 1, endless())
		j := submit(t, p, Options{Deterministic: deterministic})
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer stop()
		if err := j.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait: got %v, want deadline exceeded", err)
		}
		if err := j.Await(ctx, func() bool { return false }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Await: got %v, want deadline exceeded", err)
		}
		if j.Status() != job.Running {
			t.Errorf("got status %s, want RUNNING", j.Status())
		}
	}
}

// handClock is a Clock whose timers go off when the test says so.
type handClock struct {
	Clock
	timers chan func()
}

func (c handClock) AfterFunc(d time.Duration, f func()) func() bool {
	if d != time.Minute { // not the grace period
		return c.Clock.AfterFunc(d, f)
	}
	c.timers <- f
	return func() bool { return true }
}

func TestAJobThatBlocksForEverIsLostNamedAndCounted(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p, release, blocked := newPlan(), make(chan struct{}), make(chan struct{})
		src := node[int](p, "Source", 1, numbers(5))
		p.ship(src, node[int](p, "Blocker", 1, flatMap(func(_ *core.Subtask, v int, _ int64, _ core.Emit[int]) {
			if v == 0 {
				close(blocked)
				<-release
			}
		})), core.Forward)
		clock := handClock{Clock: SystemClock(), timers: make(chan func(), 1)}
		j := submit(t, p, Options{Deterministic: deterministic, Grace: time.Minute, Clock: clock})
		ctx, stop := context.WithCancel(limit(t))
		waited := make(chan error)
		go func() { waited <- j.Wait(ctx) }()
		<-blocked
		stop()
		if err := <-waited; !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want a freed caller", err)
		}
		j.Cancel()
		before := Lost()
		grace := <-clock.timers
		grace()
		err := j.Wait(limit(t))
		if want := "the job is lost: Blocker (1/1) did not stop; a user function blocks there"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if Lost() != before+1 {
			t.Errorf("got %d lost subtasks, want %d", Lost(), before+1)
		}
		close(release)
		waitUntil(t, func() bool { return Lost() == before })
	}
}

// waitUntil lets other goroutines run until cond holds.
func waitUntil(t *testing.T, cond func() bool) {
	t.Helper()
	ctx := limit(t)
	for !cond() {
		if ctx.Err() != nil {
			t.Fatal("the condition never came to hold")
		}
		runtime.Gosched()
	}
}

func TestNoGoroutineIsLeftAfterAJob(t *testing.T) {
	before := runtime.NumGoroutine()
	for i := range 200 {
		p, _ := sumJob(1 + i%3)
		if i%5 == 1 { // fails half way
			p.chain(p.nodes[2], node[int](p, "Bad", p.nodes[2].Parallelism, mapOf(func(s string) int {
				if strings.HasPrefix(s, "5=") {
					panic("five")
				}
				return 0
			})))
		}
		j, err := Submit(p.graph(), Options{Deterministic: i%2 == 0, Seed: uint64(i), BatchSize: 16, Slots: 2})
		if err != nil {
			t.Fatal(err)
		}
		if i%5 == 2 {
			j.Advance(limit(t), i)
			j.Cancel()
		}
		_ = j.Wait(limit(t))
		if !j.Status().Terminal() {
			t.Fatalf("job %d: got status %s", i, j.Status())
		}
	}
	waitUntil(t, func() bool { return runtime.NumGoroutine() <= before })
}
