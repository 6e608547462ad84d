package sched

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"flinkish/dataflow/internal/core"
)

// coop runs the given bodies to the end and returns the names in the order of their steps.
func coop(t *testing.T, seed uint64, bodies map[string]func(Thread)) (*Coop, []string) {
	t.Helper()
	c := NewCoop(seed, 0, func() {})
	spawn(c.Spawn, bodies)
	var order []string
	for range 10_000 {
		switch c.Step() {
		case Stepped:
			s, _ := c.Last()
			order = append(order, s.Name)
		case Ended:
			return c, order
		default:
			t.Fatalf("stuck: %s", c.Standstill())
		}
	}
	t.Fatal("no end after 10000 steps")
	return nil, nil
}

func spawn(add func(Spec) Thread, bodies map[string]func(Thread)) map[string]Thread {
	var names []string
	for name := range bodies {
		names = append(names, name)
	}
	slices.Sort(names)
	threads := map[string]Thread{}
	for _, name := range names {
		threads[name] = add(Spec{Name: name, Parallelism: 1, Signal: new(atomic.Uint32), Run: func() { bodies[name](threads[name]) }})
	}
	return threads
}

func yields(n int) func(Thread) {
	return func(t Thread) {
		for range n {
			t.Yield()
		}
	}
}

func TestTheSeedDecidesTheOrderOfSteps(t *testing.T) {
	bodies := map[string]func(Thread){"a": yields(20), "b": yields(20), "c": yields(20)}
	_, first := coop(t, 1, bodies)
	_, again := coop(t, 1, bodies)
	_, other := coop(t, 2, bodies)
	if !slices.Equal(first, again) {
		t.Error("the same seed gave another order")
	}
	if slices.Equal(first, other) {
		t.Error("another seed gave the same order")
	}
	if len(first) != 63 {
		t.Errorf("got %d steps, want 63: each subtask yields 20 times and ends", len(first))
	}
}

func TestTheClockMovesOnlyWhenNothingIsRunnable(t *testing.T) {
	var log []string
	never := func() bool { return false }
	sleeper := func(at int64) func(Thread) {
		return func(th Thread) {
			th.Alarm(at)
			th.Wait(Wait{Reason: core.IdleInput, Attentive: true}, never)
			log = append(log, fmt.Sprint(th.Now()))
		}
	}
	coop(t, 1, map[string]func(Thread){
		"busy": func(th Thread) {
			for range 50 {
				if !th.Yield() || th.Now() != 0 {
					t.Errorf("the clock moved to %d while a subtask was runnable", th.Now())
				}
			}
		},
		"late": sleeper(9000), "early": sleeper(70),
	})
	if got := strings.Join(log, " "); got != "70 9000" {
		t.Errorf("got wake-ups at %s, want 70 9000", got)
	}
}

func TestAnAlarmDoesNotEndAnInattentiveWait(t *testing.T) {
	c := NewCoop(1, 0, func() {})
	spawn(c.Spawn, map[string]func(Thread){"a": func(th Thread) {
		th.Alarm(5)
		th.Wait(Wait{Reason: core.BackPressured}, func() bool { return false })
	}})
	if o := c.Step(); o != Stepped {
		t.Fatalf("got %v, want a step", o)
	}
	if o := c.Step(); o != Deadlock || c.Now() != 0 {
		t.Errorf("got %v at %d, want a deadlock at 0", o, c.Now())
	}
	c.Stop()
	if o := c.Step(); o != Stepped || c.Step() != Ended {
		t.Error("stopping did not end the subtask")
	}
}

func TestUsageCountsSteps(t *testing.T) {
	open := false
	c, _ := coop(t, 1, map[string]func(Thread){
		"worker": yields(10),
		"a": func(th Thread) {
			th.Wait(Wait{Reason: core.BackPressured}, func() bool { return true }) // no wait at all
		},
	})
	for _, u := range c.Usage() {
		if u.Idle != 0 || u.BackPressured != 0 || u.Reason != core.Done {
			t.Errorf("got %+v, want no waits", u)
		}
	}
	c = NewCoop(1, 0, func() {})
	threads := spawn(c.Spawn, map[string]func(Thread){
		"waiter": func(th Thread) { th.Wait(Wait{Reason: core.IdleInput}, func() bool { return open }) },
	})
	spawn(c.Spawn, map[string]func(Thread){"worker": func(th Thread) {
		yields(20)(th)
		open = true
		threads["waiter"].Wake()
	}})
	for c.Step() != Ended {
	}
	u := c.Usage()[0]
	if u.Idle < 15 || u.Idle > 22 {
		t.Errorf("got %d idle steps, want about 20", u.Idle)
	}
}

// TestParallelThreadsHandOver passes a token round many times: a lost wake-up would hang it.
func TestParallelThreadsHandOver(t *testing.T) {
	const n, rounds = 4, 5000
	done := make(chan struct{})
	p := NewParallel(System, func() { close(done) })
	var token atomic.Int64
	threads := make([]Thread, n)
	for i := range n {
		threads[i] = p.Spawn(Spec{Name: "t", Index: i, Parallelism: n, Signal: new(atomic.Uint32), Run: func() {
			for range rounds {
				threads[i].Wait(Wait{Reason: core.IdleInput}, func() bool { return token.Load()%n == int64(i) })
				token.Add(1)
				threads[(i+1)%n].Wake()
			}
		}})
	}
	p.Start(0)
	<-done
	if token.Load() != n*rounds {
		t.Errorf("got %d turns, want %d", token.Load(), n*rounds)
	}
	for _, u := range p.Usage() {
		if u.Reason != core.Done || u.Idle > u.Total || u.BackPressured != 0 {
			t.Errorf("got %+v", u)
		}
	}
}

func TestStopEndsParallelWaits(t *testing.T) {
	done := make(chan struct{})
	p := NewParallel(System, func() { close(done) })
	var started sync.WaitGroup
	results := make(chan bool, 3)
	for i := range 3 {
		started.Add(1)
		var th Thread
		th = p.Spawn(Spec{Name: "t", Index: i, Parallelism: 3, Signal: new(atomic.Uint32), Run: func() {
			started.Done()
			results <- th.Wait(Wait{Reason: core.BackPressured}, func() bool { return false })
		}})
	}
	p.Start(1)
	started.Wait()
	p.Stop()
	<-done
	for range 3 {
		if <-results {
			t.Error("a wait that was stopped reported success")
		}
	}
}
