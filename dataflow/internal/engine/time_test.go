package engine

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

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
	m := j.Metrics()
	if want := int64(1000 + 3*3_600_000); m.Now != want || m.Ended != want || m.Started != 1000 || out.len() != 3 {
		t.Errorf("got time %d and %d records, want %d and 3", m.Now, out.len(), want)
	}
	if m.Runtime != 3*time.Hour {
		t.Errorf("got a runtime of %v, want 3h", m.Runtime)
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
