// Timers of cells on a virtual clock: sleeps, timers, tickers and deadlines wait in one queue, in the order in which
// they are due, and the clock moves to each as it fires. So all of package time tells one time.
//
// Beside goroutines that have something to do a wait takes its time; when the cell and all of them wait, the clock jumps.

package rt

import (
	"slices"
	"sync"
	"time"
)

const (
	// patience is how long the one that was woken may run before the next one is.
	patience = 20 * time.Millisecond
	// rest is how long all must have waited before the clock jumps.
	rest = 2 * time.Millisecond
)

// timer is something that happens at a time.
type timer struct {
	due     time.Time        // by the clock of the session
	real    time.Time        // when it fires though others run
	period  time.Duration    // 0: it fires once
	sleeper bool             // somebody waits for nothing else
	sends   <-chan time.Time // what it sends on; nil: it does something else
	fire    func(now time.Time)
}

// timers is the queue.
type timers struct {
	mu      sync.Mutex
	pending []*timer // by due, those that are due at once in the order of their start
	wake    chan struct{}
	running bool
	fired   time.Time // when, really, the last one fired
	was     time.Time // when it was due
	known   map[any]*timer
}

// start makes t wait for d.
func (r *Runtime) start(t *timer, d time.Duration) {
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	r.timers.put(t, r.now(), d)
	r.keepTime()
}

// put is called with mu held.
func (q *timers) put(t *timer, now time.Time, d time.Duration) {
	d = max(d, 0)
	t.due, t.real = now.Add(d), time.Now().Add(d)
	at := len(q.pending)
	for at > 0 && q.pending[at-1].due.After(t.due) {
		at--
	}
	q.pending = slices.Insert(q.pending, at, t)
}

// take takes t out of the queue, and reports whether it was in there; it is called with mu held.
func (q *timers) take(t *timer) bool {
	n := len(q.pending)
	q.pending = slices.DeleteFunc(q.pending, func(x *timer) bool { return x == t })
	return len(q.pending) < n
}

// keepTime sees to it that somebody looks at the queue; it is called with mu held.
func (r *Runtime) keepTime() {
	q := &r.timers
	switch {
	case len(q.pending) == 0:
	case q.running:
		select {
		case q.wake <- struct{}{}:
		default:
		}
	default:
		q.running, q.wake = true, make(chan struct{}, 1)
		go r.runTimers()
	}
}

// runTimers fires what is due as long as a cell runs. Between cells the clock stands still, but for functions of jobs.
func (r *Runtime) runTimers() {
	q := &r.timers
	q.mu.Lock()
	defer q.mu.Unlock()
	seen, since := -1, time.Time{} // since when nothing goes on
	for {
		between := r.Live() == 0
		t := q.first(between)
		if t == nil {
			q.running = false
			return
		}
		at, now := t.real, time.Now()
		if soon := q.fired.Add(min(t.due.Sub(q.was), patience)); soon.After(at) {
			at = soon
		}
		changes, idle := r.idle()
		if !idle || changes != seen {
			seen, since = changes, now
		}
		still := idle && now.Sub(since) >= rest
		switch {
		case still && !between && r.jump():
			seen = -1
		case still && between, !now.Before(at):
			r.fire(t)
		default:
			q.mu.Unlock()
			q.pause(min(at.Sub(now), rest))
			q.mu.Lock()
		}
	}
}

func (q *timers) first(sleepers bool) *timer {
	for _, t := range q.pending {
		if t.sleeper || !sleepers {
			return t
		}
	}
	return nil
}

// pause ends early when the queue changes.
func (q *timers) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-q.wake:
	case <-t.C:
	}
}

// idle reports whether the cell and all goroutines wait, and a number that changes when one of them goes on.
func (r *Runtime) idle() (changes int, idle bool) {
	t, w := &r.turns, &r.waits
	t.mu.Lock()
	defer t.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	idle = t.holder == 0 && len(t.queue) == 0 && (r.Live() <= 1 || w.asleep+w.outside >= r.Live())
	return t.changes + w.changes, idle && !busy()
}

// jump moves the clock to the first timer that somebody waits for, if there is one; it is called with mu held.
func (r *Runtime) jump() bool {
	q := &r.timers
	n := slices.IndexFunc(q.pending, r.waits.awaited)
	if n < 0 {
		return false
	}
	for t := q.pending[n]; ; {
		before := q.pending[0]
		if r.fire(before); before == t {
			return true
		}
		if p := before.period; p > 0 && q.take(before) { // its channel is full: what it sends until t is lost
			q.put(before, before.due, p*max(0, t.due.Sub(before.due)/p))
		}
	}
}

// fire moves the clock to t and lets it happen; it is called with mu held.
func (r *Runtime) fire(t *timer) {
	q := &r.timers
	q.take(t)
	r.reads.Store(0)
	r.reach(t.due)
	now := r.now()
	q.fired, q.was = time.Now(), t.due
	if p := t.period; p > 0 {
		q.put(t, t.due, p*(1+now.Sub(t.due)/p))
	}
	t.fire(now)
}

// reach moves the clock on to a time, unless it is past it.
func (r *Runtime) reach(at time.Time) {
	if now := r.now(); now.Before(at) {
		r.Advance(at.Sub(now))
	}
}

// waiting reports whether anything is in the queue.
func (r *Runtime) waiting() bool {
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	return len(r.timers.pending) > 0
}

// expects reports whether anything is in the queue that somebody waits for.
func (r *Runtime) expects() bool {
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	return slices.ContainsFunc(r.timers.pending, r.waits.awaited)
}
