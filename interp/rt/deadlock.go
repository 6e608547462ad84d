// Deadlocks: a cell that waits for what only a goroutine of a cell could do, while all of these wait as well, is ended, as
// Go ends such a program.

package rt

import (
	"reflect"
	"runtime/metrics"
	"sync"
	"time"
)

// ErrDeadlock is why a cell ends that waits for ever.
var ErrDeadlock error = fatalError("all goroutines are asleep - deadlock!")

// fatalError is what Go ends a program with, though it is no panic.
type fatalError string

func (e fatalError) Error() string { return string(e) }

// waits counts the goroutines that wait for others, or for a timer of cells.
type waits struct {
	mu       sync.Mutex
	asleep   int // goroutines of cells
	outside  int // those whose wait somebody outside may end
	jobs     int // functions of jobs
	changes  int // of these numbers
	watching bool
	stuck    func()
	clocks   map[uintptr]int // how many wait for a timer, by the channel on which it sends
	alarm    time.Time       // of the real clock, which no goroutine need be there to reach
}

// blocks begins a call that blocks until another goroutine of the cells acts or a timer fires, and gives what ends it:
// others run in between.
func (r *Runtime) blocks() (end func()) { return r.pauses(&r.waits.asleep) }

// pauses is blocks for a goroutine that counts in one of the numbers of waits; a function of a job counts in its own.
func (r *Runtime) pauses(of *int) (end func()) {
	had, w := r.drop(), &r.waits
	defer r.suspect()
	if !r.takesPart() {
		of = &w.jobs
	}
	w.add(of, 1)
	return func() {
		w.add(of, -1)
		if had {
			r.take()
		}
	}
}

func (w *waits) add(to *int, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*to += n
	w.changes++
}

// blocksOn is blocks for the channels of a select. One that may be that of the session's context is no deadlock: it is closed
// by whoever stops the cell.
func (r *Runtime) blocksOn(cases ...reflect.SelectCase) (end func()) {
	var clocks []uintptr
	of := &r.waits.asleep
	for _, c := range cases {
		switch t := c.Chan.Type(); {
		case r.ContextSeen.Load() && t == reflect.TypeFor[<-chan struct{}]():
			of = &r.waits.outside
		case t.Elem() == reflect.TypeFor[time.Time]():
			clocks = append(clocks, c.Chan.Pointer())
		}
	}
	r.waits.listen(clocks, 1)
	wake := r.pauses(of)
	return func() {
		r.waits.listen(clocks, -1)
		wake()
	}
}

// listen notes how many wait for timers that send on channels.
func (w *waits) listen(clocks []uintptr, n int) {
	if clocks == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.clocks == nil {
		w.clocks = map[uintptr]int{}
	}
	for _, c := range clocks {
		if w.clocks[c] += n; w.clocks[c] == 0 {
			delete(w.clocks, c)
		}
	}
}

// awaited reports whether t does more than send on a channel on which nobody waits.
func (w *waits) awaited(t *timer) bool {
	if t.sends == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clocks[reflect.ValueOf(t.sends).Pointer()] > 0
}

// ends says that a goroutine of a cell is no more.
func (r *Runtime) ends() {
	r.live.Add(-1)
	r.suspect()
}

// rings says that Go's own clock may wake a goroutine in d.
func (r *Runtime) rings(d time.Duration) {
	w, at := &r.waits, time.Now().Add(d)
	w.mu.Lock()
	defer w.mu.Unlock()
	if at.After(w.alarm) {
		w.alarm = at
	}
}

// suspect sees to it that somebody looks closer when all may be asleep.
func (r *Runtime) suspect() {
	w := &r.waits
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.watching && r.doubtful() {
		w.watching = true
		go r.watchWaits()
	}
}

// doubtful reports whether anything waits that somebody may wait for: a cell, or who drives jobs. It is called with mu held.
func (r *Runtime) doubtful() bool {
	return (r.waits.jobs > 0 || r.asleep()) && (r.cellRuns() || r.waits.stuck != nil)
}

// asleep reports whether all goroutines of cells wait, for each other or for a job that waits as well; it is called with mu
// held. A job that takes no steps though somebody waits for it may be woken from outside.
func (r *Runtime) asleep() bool {
	n := r.waits.asleep
	if r.Driving != nil {
		jobs, waiters := r.Driving()
		if r.waits.jobs < jobs || waiters > 0 && jobs == 0 {
			return false
		}
		n += waiters
	}
	return n > 0 && n >= r.Live()
}

// cellRuns reports whether a cell runs that nobody has stopped.
func (r *Runtime) cellRuns() bool {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	return !r.cur.stopped && r.runs[uintptr(r.cell.Load())] == r.cur
}

// glances is how often in a row the watcher must find nothing that could go on. One look may miss what moves meanwhile.
const glances = 3

// watchWaits looks, as long as it is doubtful, whether all are asleep and nothing can wake one of them any more.
func (r *Runtime) watchWaits() {
	w, seen := &r.waits, -1
	for found := 0; found < glances; {
		time.Sleep(patience)
		if r.helped() || busy() {
			found = 0
		}
		w.mu.Lock()
		if !r.doubtful() {
			w.watching = false
			w.mu.Unlock()
			return
		}
		if w.changes == seen && r.asleep() {
			found++
		} else {
			seen, found = w.changes, 0
		}
		w.mu.Unlock()
	}
	r.giveUp()
}

// giveUp ends the cell that runs, else the driving of jobs.
func (r *Runtime) giveUp() {
	w := &r.waits
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watching = false
	switch {
	case r.cellRuns():
		r.kill()
	case w.stuck != nil:
		w.stuck()
	}
}

// WhileDriving calls stuck when jobs that are driven while no cell runs cannot go on, because a function waits for what
// only a cell can do; until done is called. It must not block.
func (r *Runtime) WhileDriving(stuck func()) (done func()) {
	r.waits.mu.Lock()
	r.waits.stuck = stuck
	r.waits.mu.Unlock()
	r.suspect() // one may wait since the last cell
	return func() {
		r.waits.mu.Lock()
		defer r.waits.mu.Unlock()
		r.waits.stuck = nil
	}
}

// helped reports whether a timer or a job may wake a goroutine.
func (r *Runtime) helped() bool {
	r.waits.mu.Lock()
	alarm := r.waits.alarm
	r.waits.mu.Unlock()
	return r.expects() || time.Now().Before(alarm) || r.Busy != nil && r.Busy()
}

// busy reports whether any goroutine of the process runs, beside the calling one, or is about to: then it may be one that has
// been woken and not come further yet.
func busy() bool {
	s := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}}
	metrics.Read(s)
	return s[0].Value.Uint64() > 0 || s[1].Value.Uint64() > 1
}
