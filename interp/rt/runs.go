// Runs: each cell has a flag of its own, so that what was stopped stays stopped while later cells run.

package rt

import (
	"maps"
	"runtime"
)

// run is one cell with the goroutines that it started.
type run struct {
	stopped bool
	dead    chan struct{} // closed when the cell would wait for ever
}

func newRun() *run { return &run{dead: make(chan struct{})} }

// Resume begins a new run: the one flag that lowered loops read is down again, unless something that was
// stopped is still alive. The functions of jobs go on with it.
func (r *Runtime) Resume() {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	r.cur, r.jobs = newRun(), newRun()
	r.flag()
}

// Stop makes the code of the present run and the functions of jobs panic with ErrInterrupted at their next loop turn.
func (r *Runtime) Stop() {
	r.runMu.Lock()
	r.cur.stopped, r.jobs.stopped = true, true
	r.flag()
	r.runMu.Unlock()
	r.stopper.wake()
}

// Drive lets the functions of jobs go on, whatever was stopped before: somebody is about to drive jobs. What it returns is Stop
// for them alone, until the next Drive or Resume.
func (r *Runtime) Drive() (stop func()) {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	own := newRun()
	r.jobs = own
	r.flag()
	return func() {
		r.runMu.Lock()
		own.stopped = true
		r.flag()
		r.runMu.Unlock()
		r.stopper.wake()
	}
}

// Dead is closed when the cell of the present run is stopped because it would wait for ever; see ErrDeadlock.
func (r *Runtime) Dead() <-chan struct{} {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	return r.cur.dead
}

// dead reports whether the calling goroutine is one of a cell that waited for ever. Its deferred functions run, so that the
// session can go on with its locks and channels, but Go would not have run them: nobody sees what they print.
func (r *Runtime) dead() bool {
	if !r.raised() {
		return false
	}
	select {
	case <-r.present().dead:
		return true
	default:
		return false
	}
}

// kill is Stop for a cell that would wait for ever.
func (r *Runtime) kill() {
	r.runMu.Lock()
	if !r.cur.stopped {
		r.cur.stopped, r.jobs.stopped = true, true
		close(r.cur.dead)
	}
	r.flag()
	r.runMu.Unlock()
	r.stopper.wake()
}

// flag is called with runMu held. Lowered code reads the flag without synchronisation, millions of times a
// second, and only when it is up asks whether it is meant; see halt.
func (r *Runtime) flag() {
	n := int32(0)
	if r.cur.stopped || r.jobs.stopped {
		n = 1
	}
	for _, run := range r.runs {
		if run.stopped {
			n = 1
		}
	}
	if r.turn {
		n |= 2
	}
	r.setStop(n)
}

// setStop is the one writer of the flag, which the race detector must not see.
//
//go:norace
func (r *Runtime) setStop(n int32) { r.stop = n }

// raised reports whether any run was stopped that still lives, or a turn should end.
//
//go:norace
func (r *Runtime) raised() bool { return r.stop != 0 }

// Stopped reports whether the present run was stopped.
func (r *Runtime) Stopped() bool {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	return r.cur.stopped
}

// ended reports whether a run was stopped.
func (r *Runtime) ended(what *run) bool {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	return what.stopped
}

// stoppedHere reports whether the run of the calling goroutine was stopped. The functions of all jobs have one of their own.
func (r *Runtime) stoppedHere() bool {
	if !r.raised() {
		return false
	}
	r.runMu.Lock()
	defer r.runMu.Unlock()
	if run := r.runs[getg()]; run != nil {
		return run.stopped
	}
	return r.jobs.stopped
}

// join makes the calling goroutine part of a run, until the function that it returns is called.
func (r *Runtime) join(what *run) (leave func()) {
	g := getg()
	r.runMu.Lock()
	defer r.runMu.Unlock()
	r.runs[g] = what
	return func() {
		r.runMu.Lock()
		defer r.runMu.Unlock()
		delete(r.runs, g)
		if r.raised() {
			r.flag()
		}
	}
}

// present is the run that the calling goroutine belongs to.
func (r *Runtime) present() *run {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	if run := r.runs[getg()]; run != nil {
		return run
	}
	return r.cur
}

// Begin says that the calling goroutine runs a cell. It calls what Begin returns when the cell has ended.
func (r *Runtime) Begin() (end func()) {
	r.cell.Store(uint64(getg()))
	r.outMu.Lock()
	r.out = nil
	r.outMu.Unlock()
	r.dropTraces()
	r.places.forget(getg())
	r.ageFlags()
	r.reads.Store(0)
	r.live.Add(1)
	leave := r.join(r.present())
	r.take()
	r.timers.mu.Lock()
	r.keepTime()
	r.timers.mu.Unlock()
	r.suspect()
	return func() {
		r.drop()
		leave()
		r.ends()
	}
}

// dropTraces forgets the traces of panics that are over. A goroutine of a cell may be in the middle of one.
func (r *Runtime) dropTraces() {
	r.traceMu.Lock()
	defer r.traceMu.Unlock()
	r.runMu.Lock()
	defer r.runMu.Unlock()
	maps.DeleteFunc(r.traces, func(g uintptr, _ []at) bool { return r.runs[g] == nil })
	r.last, r.jobAt = nil, Place{}
}

// Live is the number of goroutines of cells that still run: those that cells started, and cells that did not
// end when they were stopped.
func (r *Runtime) Live() int { return int(r.live.Load()) }

// inCell reports whether the calling goroutine is that of the cell itself.
func (r *Runtime) inCell() bool { return uint64(getg()) == r.cell.Load() }

// started reports whether the calling goroutine is one that a cell started: neither the cell's own nor one of a job.
func (r *Runtime) started() bool {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	return r.runs[getg()] != nil && !r.inCell()
}

// quit unwinds the calling goroutine if its run was stopped.
func (r *Runtime) quit() {
	if r.stoppedHere() {
		panic(ErrInterrupted)
	}
}

// halt is quit, and lets others run whose turn has come.
func (r *Runtime) halt() {
	r.quit()
	if r.raised() {
		r.yield()
	}
}

// The stack that a goroutine may use. A cell that runs away is ended by Goexit, which is cheap at any
// depth; inside a job only a panic can do it, and that costs time for each call on the stack.
const (
	cellStack = 64 << 20
	jobStack  = 16 << 20
)

// enter begins a call that may be part of a recursion: it ends here when the cell was stopped, as a
// recursion need not meet a loop, and when the stack has grown too deep.
func (r *Runtime) enter() {
	if r.raised() && r.stoppedHere() {
		if r.inCell() {
			runtime.Goexit()
		}
		panic(ErrInterrupted)
	}
	if r.raised() {
		r.yield()
	}
	used := stackUsed()
	if used < jobStack {
		return
	}
	if r.inCell() {
		if used < cellStack {
			return
		}
		r.tooDeep()
	}
	panic(ErrTooDeep)
}
