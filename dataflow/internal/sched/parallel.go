package sched

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"flinkish/dataflow/internal/core"
)

// Parallel runs each subtask on a goroutine of its own.
type Parallel struct {
	clock    Clock
	threads  []*parallelThread
	live     atomic.Int32
	stopping atomic.Bool
	ended    func()

	mu       sync.Mutex // guards stopTick and over
	stopTick func() bool
	over     bool
}

// NewParallel returns a scheduler without subtasks. ended is called once, by the goroutine of the last
// subtask to end.
func NewParallel(clock Clock, ended func()) *Parallel {
	return &Parallel{clock: clock, ended: ended}
}

// Spawn adds a subtask. All are added before Start.
func (p *Parallel) Spawn(s Spec) Thread {
	t := &parallelThread{sched: p, spec: s, wake: make(chan struct{}, 1)}
	p.threads = append(p.threads, t)
	return t
}

// Start starts the goroutines. SignalFlush is set on every subtask each flush; 0 is never.
func (p *Parallel) Start(flush time.Duration) {
	p.live.Store(int32(len(p.threads)))
	now := p.clock.Nanos()
	for _, t := range p.threads {
		t.started = now
		go t.run()
	}
	if flush > 0 {
		p.tick(flush)
	}
}

// tick does not wake anybody: a subtask that waits has flushed before.
func (p *Parallel) tick(every time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.stopTick = p.clock.AfterFunc(every, func() {
		for _, t := range p.threads {
			t.spec.Signal.Or(core.SignalFlush)
		}
		p.tick(every)
	})
}

// Stop asks every subtask to unwind and returns at once. Safe from every goroutine.
func (p *Parallel) Stop() {
	p.stopping.Store(true)
	for _, t := range p.threads {
		t.spec.Signal.Or(core.SignalStop)
		t.Wake()
	}
}

// Usage lists all subtasks in the order of Spawn. Safe from every goroutine.
func (p *Parallel) Usage() []Usage {
	all := make([]Usage, len(p.threads))
	for i, t := range p.threads {
		all[i] = t.usage()
	}
	return all
}

func (p *Parallel) end() {
	if p.live.Add(-1) != 0 {
		return
	}
	p.mu.Lock()
	p.over = true
	if p.stopTick != nil {
		p.stopTick()
	}
	p.mu.Unlock()
	p.ended()
}

type parallelThread struct {
	sched *Parallel
	spec  Spec

	parked atomic.Bool
	wake   chan struct{} // capacity 1: a wake-up that came before the sleep
	alarm  func() bool   // stops the pending alarm

	started             int64
	ended               atomic.Int64 // 0: running
	state               atomic.Uint32
	since               atomic.Int64 // start of the present wait
	idle, backPressured atomic.Int64
}

func (t *parallelThread) run() {
	// The deferred call also runs when user code ends the goroutine with runtime.Goexit.
	defer func() {
		t.Alarm(Never)
		t.state.Store(uint32(core.Done))
		t.ended.Store(t.sched.clock.Nanos())
		t.sched.end()
	}()
	t.spec.Run()
}

func (t *parallelThread) Now() int64  { return t.sched.clock.Now() }
func (t *parallelThread) Yield() bool { return !t.sched.stopping.Load() }

func (t *parallelThread) Wait(w Wait, ready func() bool) bool {
	if t.over(w, ready) {
		return !t.sched.stopping.Load()
	}
	runtime.Gosched() // often the other end is just about to deliver
	if t.over(w, ready) {
		return !t.sched.stopping.Load()
	}
	from := t.sched.clock.Nanos()
	t.since.Store(from)
	t.state.Store(uint32(w.Reason))
	for {
		t.parked.Store(true)
		if t.over(w, ready) {
			t.parked.Store(false)
			break
		}
		<-t.wake
	}
	t.state.Store(uint32(core.Running))
	d := t.sched.clock.Nanos() - from
	if w.Reason == core.IdleInput {
		t.idle.Add(d)
	} else {
		t.backPressured.Add(d)
	}
	return !t.sched.stopping.Load()
}

func (t *parallelThread) over(w Wait, ready func() bool) bool {
	return ready() || w.Attentive && t.spec.Signal.Load()&^core.SignalFlush != 0 || t.sched.stopping.Load()
}

func (t *parallelThread) Wake() {
	if t.parked.Load() && t.parked.CompareAndSwap(true, false) {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
}

func (t *parallelThread) Alarm(at int64) {
	if t.alarm != nil {
		t.alarm()
		t.alarm = nil
	}
	if at == Never {
		return
	}
	wait := max(0, min(at-t.Now(), int64(24*time.Hour/time.Millisecond)))
	t.alarm = t.sched.clock.AfterFunc(time.Duration(wait)*time.Millisecond, func() {
		t.spec.Signal.Or(core.SignalTimer)
		t.Wake()
	})
}

func (t *parallelThread) usage() Usage {
	now := t.ended.Load()
	if now == 0 {
		now = t.sched.clock.Nanos()
	}
	u := Usage{
		Label: t.spec.Label(), Reason: core.Reason(t.state.Load()), Total: now - t.started,
		Idle: t.idle.Load(), BackPressured: t.backPressured.Load(),
	}
	switch u.Reason {
	case core.IdleInput:
		u.Idle += now - t.since.Load()
	case core.BackPressured:
		u.BackPressured += now - t.since.Load()
	}
	return u
}
