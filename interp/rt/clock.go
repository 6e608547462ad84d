// Waiting. In deterministic mode the clock of a session stands still while a cell runs, so waiting moves it.

package rt

import "time"

// patience is how long a timer waits, when nothing else runs, for what is on its way without us: the clock
// then jumps.
const patience = 20 * time.Millisecond

// sleep ends early when the cell is stopped. Alone, a cell on a virtual clock does not wait: it moves the clock, and so
// does a function of a job, which is driven by the cell or between cells. Beside goroutines of the user it waits, as the
// order in which they wake up matters.
func (r *Runtime) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	virtual := r.virtual()
	if !virtual || r.Live() > 1 || r.started() {
		r.wait(d)
	} else {
		r.halt()
	}
	if virtual {
		r.Advance(d)
	}
}

func (r *Runtime) virtual() bool { return r.Deterministic && r.Advance != nil }

func (r *Runtime) wait(d time.Duration) {
	defer r.blocks()()
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return
		case <-r.stopper.wait():
			r.halt()
		}
	}
}

// after is time.After. On a virtual clock it fires as soon as no goroutine is left that could do anything first.
func (r *Runtime) after(d time.Duration) <-chan time.Time {
	if !r.virtual() {
		return time.After(d)
	}
	c := make(chan time.Time, 1)
	due := r.now().Add(d)
	go func() {
		for left := d; left > 0 && (left == d || r.Live() > 1); left -= patience {
			time.Sleep(min(left, patience))
		}
		if now := r.now(); now.Before(due) {
			r.Advance(due.Sub(now))
		}
		c <- r.now()
	}()
	return c
}
