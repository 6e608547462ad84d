// Waiting, as cells do it by package time. In deterministic mode the clock of a session stands still while a cell runs,
// so waiting moves it.

package rt

import (
	"runtime"
	"time"
	"weak"
)

func (r *Runtime) virtual() bool {
	return r.Deterministic && r.Advance != nil && (r.Virtual == nil || r.Virtual())
}

// A loop that reads a clock which stands still has no end, so one that is read often without a wait goes on: by creep for
// each reading after as many as readings.
const (
	readings = 10_000
	creep    = time.Microsecond
)

// read is time.Now.
func (r *Runtime) read() time.Time {
	if r.virtual() && r.reads.Add(1) > readings {
		r.Advance(creep)
	}
	return r.now()
}

func (r *Runtime) since(t time.Time) time.Duration { return r.read().Sub(t) }
func (r *Runtime) until(t time.Time) time.Duration { return t.Sub(r.read()) }

// sleep ends early when the cell is stopped. Alone, a cell on a virtual clock does not wait: it moves the clock, and so
// does a function of a job, which is driven by the cell or between cells.
func (r *Runtime) sleep(d time.Duration) {
	r.reads.Store(0)
	switch {
	case d <= 0:
	case !r.virtual():
		r.wait(d)
	case r.Live() > 1 || r.started() || r.Live() == 1 && r.waiting():
		r.sleepInTurn(d)
	default:
		r.halt()
		r.Advance(d)
	}
}

func (r *Runtime) wait(d time.Duration) {
	r.rings(d)
	defer r.blocks()()
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return
		case <-r.stopping():
		}
	}
}

// sleepInTurn wakes up between the timers that are due before and after it.
func (r *Runtime) sleepInTurn(d time.Duration) {
	defer r.blocks()()
	woken := make(chan struct{})
	t := &timer{sleeper: true, fire: func(time.Time) { close(woken) }}
	r.start(t, d)
	defer r.cancel(t)
	for {
		select {
		case <-woken:
			return
		case <-r.stopping():
		}
	}
}

func (r *Runtime) cancel(t *timer) {
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	r.timers.take(t)
}

// ticks is a channel and a timer that sends on it, after d and, if period is set, each period after that.
func (r *Runtime) ticks(d, period time.Duration) (<-chan time.Time, *timer) {
	c := make(chan time.Time, 1)
	t := &timer{period: period, sends: c, fire: func(now time.Time) {
		select {
		case c <- now:
		default: // as Go does, for a slow receiver
		}
	}}
	r.start(t, d)
	return c, t
}

// after is time.After.
func (r *Runtime) after(d time.Duration) <-chan time.Time {
	if !r.virtual() {
		r.rings(d)
		return time.After(d)
	}
	c, _ := r.ticks(d, 0)
	return c
}

// tick is time.Tick.
func (r *Runtime) tick(d time.Duration) <-chan time.Time {
	if d <= 0 || !r.virtual() {
		r.rings(never)
		return time.Tick(d)
	}
	c, _ := r.ticks(d, d)
	return c
}

// newTimer is time.NewTimer.
func (r *Runtime) newTimer(d time.Duration) *time.Timer {
	if !r.virtual() {
		r.rings(d)
		return time.NewTimer(d)
	}
	c, t := r.ticks(d, 0)
	return handle(r, &time.Timer{C: c}, t)
}

// newTicker is time.NewTicker.
func (r *Runtime) newTicker(d time.Duration) *time.Ticker {
	if d <= 0 || !r.virtual() {
		r.rings(never)
		return time.NewTicker(d)
	}
	c, t := r.ticks(d, d)
	return handle(r, &time.Ticker{C: c}, t)
}

// afterFunc is time.AfterFunc: f runs as a goroutine of the cell.
func (r *Runtime) afterFunc(d time.Duration, f func()) *time.Timer {
	run := r.present()
	if !r.virtual() {
		r.rings(d)
		return time.AfterFunc(d, func() { r.goRun(run, f) })
	}
	t := &timer{fire: func(time.Time) {
		r.live.Add(1)
		go func() {
			defer r.ends()
			if !r.ended(run) {
				r.goRun(run, f)
			}
		}()
	}}
	r.start(t, d)
	return handle(r, &time.Timer{}, t)
}

// handle makes t known as the timer behind h.
func handle[H any](r *Runtime, h *H, t *timer) *H {
	q, key := &r.timers, weak.Make(h)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.known == nil {
		q.known = map[any]*timer{}
	}
	q.known[key] = t
	runtime.AddCleanup(h, func(key weak.Pointer[H]) {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.known, key)
	}, key)
	return h
}

// stopped takes the timer behind h out of the queue, and what it has sent out of its channel. It reports whether there
// was either. It is called with mu held.
func stopped[H any](r *Runtime, h *H) (t *timer, was bool) {
	if t = r.timers.known[weak.Make(h)]; t == nil {
		return nil, false
	}
	was = r.timers.take(t)
	select {
	case <-t.sends:
		was = true
	default:
	}
	return t, was
}

// stopTimer is Timer.Stop.
func (r *Runtime) stopTimer(h *time.Timer) bool {
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	t, was := stopped(r, h)
	if t == nil {
		return h.Stop()
	}
	return was
}

// resetTimer is Timer.Reset.
func (r *Runtime) resetTimer(h *time.Timer, d time.Duration) bool {
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	t, was := stopped(r, h)
	if t == nil {
		r.rings(d)
		return h.Reset(d)
	}
	r.timers.put(t, r.now(), d)
	r.keepTime()
	return was
}

// stopTicker is Ticker.Stop.
func (r *Runtime) stopTicker(h *time.Ticker) {
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	if t, _ := stopped(r, h); t == nil {
		h.Stop()
	}
}

// resetTicker is Ticker.Reset.
func (r *Runtime) resetTicker(h *time.Ticker, d time.Duration) {
	if d <= 0 {
		h.Reset(d)
	}
	r.timers.mu.Lock()
	defer r.timers.mu.Unlock()
	t, _ := stopped(r, h)
	if t == nil {
		h.Reset(d)
		return
	}
	t.period = d
	r.timers.put(t, r.now(), d)
	r.keepTime()
}
