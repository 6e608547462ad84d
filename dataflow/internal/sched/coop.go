package sched

import (
	"iter"
	"math/rand/v2"
	"sync/atomic"

	"flinkish/dataflow/internal/core"
)

// Outcome is what one call of Coop.Step came to.
type Outcome uint8

const (
	// Stepped: one subtask ran until it waited, yielded or ended.
	Stepped Outcome = iota
	// Blocked: nothing can run before something from outside arrives.
	Blocked
	// Deadlock: nothing can ever run again.
	Deadlock
	// Ended: all subtasks have ended.
	Ended
)

// Coop runs one subtask at a time, as coroutines. The seed decides which of the runnable ones is next.
// The clock is virtual: it moves only when nothing is runnable, straight to the next alarm. Only while a
// subtask waits for input from outside is there no telling what comes first; then the clock stands until the
// driver lets time Pass. A Coop does nothing by itself; whoever calls Step lends it his goroutine, and calls must not overlap.
//
// User code in a coroutine must not call runtime.LockOSThread: switching away from a locked coroutine is
// a fatal error of the Go runtime. A call of runtime.Goexit also ends the goroutine that called Step;
// the Coop stays usable from another one.
type Coop struct {
	random   *rand.Rand
	threads  []*coopThread
	runnable []*coopThread // scratch
	live     atomic.Int32
	now      atomic.Int64
	steps    atomic.Uint64
	stopping atomic.Bool
	woken    func()
	last     atomic.Pointer[coopThread]
}

// NewCoop returns a scheduler whose clock stands at start. woken is called after every Wake, often, from
// every goroutine: it lets a driver that found the job blocked try again.
func NewCoop(seed uint64, start int64, woken func()) *Coop {
	c := &Coop{random: rand.New(rand.NewPCG(seed, 0x666c696e6b697368)), woken: woken}
	c.now.Store(start)
	return c
}

// Spawn adds a subtask. All are added before the first Step.
func (c *Coop) Spawn(s Spec) Thread {
	t := &coopThread{sched: c, spec: s, alarm: Never}
	c.threads = append(c.threads, t)
	c.live.Add(1)
	return t
}

// Now is the virtual time. Safe from every goroutine.
func (c *Coop) Now() int64 { return c.now.Load() }

// Steps is how many steps were taken. Safe from every goroutine.
func (c *Coop) Steps() uint64 { return c.steps.Load() }

// Last is the subtask that took the last step, or takes one now. ok is false before the first step. Safe
// from every goroutine.
func (c *Coop) Last() (s Spec, ok bool) {
	t := c.last.Load()
	if t == nil {
		return Spec{}, false
	}
	return t.spec, true
}

// Ended reports whether all subtasks have ended. Safe from every goroutine.
func (c *Coop) Ended() bool { return c.live.Load() == 0 }

// Stop makes every further step unwind. Safe from every goroutine.
func (c *Coop) Stop() {
	c.stopping.Store(true)
	for _, t := range c.threads {
		t.spec.Signal.Or(core.SignalStop)
		t.Wake()
	}
}

// Step lets one subtask run.
func (c *Coop) Step() Outcome {
	if c.Ended() {
		return Ended
	}
	for c.collect(); len(c.runnable) == 0; c.collect() {
		if !c.moveClock() {
			return c.stuck()
		}
	}
	t := c.runnable[0]
	if n := len(c.runnable); n > 1 {
		t = c.runnable[c.random.IntN(n)]
	}
	c.steps.Add(1)
	c.last.Store(t)
	t.resume()
	return Stepped
}

// collect finds the runnable subtasks, in the order of Spawn.
func (c *Coop) collect() {
	c.runnable = c.runnable[:0]
	for _, t := range c.threads {
		if t.done {
			continue
		}
		if t.waiting && t.woken.Load() {
			t.woken.Store(false) // before the look, so that no wake-up is lost
			if t.over() {
				t.stopWaiting()
			}
		}
		if !t.waiting {
			c.runnable = append(c.runnable, t)
		}
	}
}

// moveClock jumps to the first alarm of a subtask that would notice it, if it may.
func (c *Coop) moveClock() bool {
	at := c.nextAlarm()
	now := c.now.Load()
	if at == Never || at > now && c.outside(core.IdleInput) || c.outside(core.BackPressured) {
		return false
	}
	c.now.Store(max(at, now))
	for _, t := range c.threads {
		if !t.done && t.alarm <= c.now.Load() {
			t.alarm = Never
			t.spec.Signal.Or(core.SignalTimer)
			t.woken.Store(true)
		}
	}
	return true
}

func (c *Coop) nextAlarm() int64 {
	at := Never
	for _, t := range c.threads {
		if !t.done && t.waiting && t.wait.Attentive {
			at = min(at, t.alarm)
		}
	}
	return at
}

// outside reports whether a subtask waits for something outside of the job. While it is room that it
// waits for, the clock stands still: how long a reader takes must not change what he reads.
func (c *Coop) outside(r core.Reason) bool {
	for _, t := range c.threads {
		if !t.done && t.waiting && t.wait.Outside && t.wait.Reason == r {
			return true
		}
	}
	return false
}

// Due is how many milliseconds must Pass before the clock can go on; Never when time is not what a blocked
// Coop needs. Only the goroutine that steps may ask.
func (c *Coop) Due() int64 {
	at := c.nextAlarm()
	if at == Never || c.outside(core.BackPressured) {
		return Never
	}
	return max(0, at-c.now.Load())
}

// Pass moves the clock of a blocked Coop by at most ms, and not beyond the next alarm. Only the goroutine
// that steps may call it.
func (c *Coop) Pass(ms int64) {
	if due := c.Due(); due != Never {
		c.now.Add(min(ms, due))
	}
}

func (c *Coop) stuck() Outcome {
	if c.outside(core.IdleInput) || c.outside(core.BackPressured) {
		return Blocked
	}
	return Deadlock
}

// Standstill lists every subtask that has not ended and what it waits for.
func (c *Coop) Standstill() string { return standstill(c.Usage()) }

// Usage lists all subtasks in the order of Spawn, measured in steps. Safe from every goroutine.
func (c *Coop) Usage() []Usage {
	all := make([]Usage, len(c.threads))
	for i, t := range c.threads {
		all[i] = t.usage()
	}
	return all
}

type coopThread struct {
	sched *Coop
	spec  Spec

	next  func() (struct{}, bool)
	yield func(struct{}) bool

	// These belong to whoever runs: the coroutine, or the stepping goroutine between two steps.
	done    bool
	waiting bool
	wait    Wait
	ready   func() bool
	alarm   int64

	woken               atomic.Bool
	state               atomic.Uint32 // core.Reason, and outside in bit 8
	since               atomic.Uint64
	idle, backPressured atomic.Uint64
	ended               atomic.Uint64
}

const outsideBit = 1 << 8

func (t *coopThread) resume() {
	if t.next == nil {
		t.next, _ = iter.Pull(t.body) // every coroutine runs to its end: Stop unwinds it
	}
	t.next()
}

func (t *coopThread) body(yield func(struct{}) bool) {
	t.yield = yield
	// The deferred call also runs when user code calls runtime.Goexit.
	defer func() {
		t.done = true
		t.ended.Store(t.sched.steps.Load())
		t.state.Store(uint32(core.Done))
		t.sched.live.Add(-1)
	}()
	t.spec.Run()
}

func (t *coopThread) Now() int64     { return t.sched.now.Load() }
func (t *coopThread) Alarm(at int64) { t.alarm = at }

func (t *coopThread) Yield() bool {
	if t.sched.stopping.Load() {
		return false
	}
	t.yield(struct{}{})
	return !t.sched.stopping.Load()
}

func (t *coopThread) Wait(w Wait, ready func() bool) bool {
	t.wait, t.ready = w, ready
	if !t.over() {
		t.waiting = true
		t.since.Store(t.sched.steps.Load())
		state := uint32(w.Reason)
		if w.Outside {
			state |= outsideBit
		}
		t.state.Store(state)
		t.yield(struct{}{})
	}
	t.wait, t.ready = Wait{}, nil
	return !t.sched.stopping.Load()
}

func (t *coopThread) over() bool {
	return t.ready() || t.wait.Attentive && t.spec.Signal.Load() != 0 || t.sched.stopping.Load()
}

// stopWaiting closes the account of the wait. From now on the subtask counts as busy, run or not.
func (t *coopThread) stopWaiting() {
	t.waiting = false
	d := t.sched.steps.Load() - t.since.Load()
	if t.wait.Reason == core.IdleInput {
		t.idle.Add(d)
	} else {
		t.backPressured.Add(d)
	}
	t.state.Store(uint32(core.Running))
}

func (t *coopThread) Wake() {
	t.woken.Store(true)
	t.sched.woken()
}

func (t *coopThread) usage() Usage {
	state := t.state.Load()
	now := t.sched.steps.Load()
	u := Usage{
		Label: t.spec.Label(), Reason: core.Reason(state & (outsideBit - 1)), Outside: state&outsideBit != 0,
		Idle: int64(t.idle.Load()), BackPressured: int64(t.backPressured.Load()),
	}
	waited := int64(now - t.since.Load())
	switch u.Reason {
	case core.IdleInput:
		u.Idle += waited
	case core.BackPressured:
		u.BackPressured += waited
	case core.Done:
		now = t.ended.Load()
	}
	u.Total = int64(now)
	return u
}
