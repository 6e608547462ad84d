package engine

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"flinkish/dataflow/internal/sched"
	"flinkish/dataflow/job"
)

const unbounded = math.MaxInt

// driver lets a deterministic job take steps while somebody waits for it. One goroutine at a time drives;
// it is started when a waiter joins and ends when nobody waits any more or the job is blocked. A waiter
// that blocks in a user function is thus never the caller of Wait, so a context always frees the caller.
type driver struct {
	job  *run
	coop *sched.Coop

	begun bool // the first step was taken; the driving goroutine's

	// looking is held while the ready functions of waiters run. A waiter takes it to leave, so that its
	// function is never called once it has gone.
	looking sync.Mutex

	mu      sync.Mutex // guards the fields below
	waiters []*waiter
	driving bool
	again   bool // something happened while the driver was about to stop

	// quiet: nobody looks before the job is terminal, so steps need no looks between them.
	quiet atomic.Bool

	// While the job waits for input from outside, its clock follows the real one.
	pausedAt int64       // Clock.Nanos when the driver stopped; 0: time does not count
	owed     int64       // nanoseconds that have passed and were not yet worth a millisecond
	alarm    func() bool // stops the pending look at the next timer

	// blocked: the last try found nothing to run, and nobody has woken a subtask since.
	blocked atomic.Bool
}

// waiter is one call of Wait, Await or Advance.
type waiter struct {
	ready        func() bool // nil: until the job is terminal
	budget       int         // steps
	leaveBlocked bool
	steps        atomic.Int64
	done         chan struct{} // closed when the waiter is served; nil for one that nobody waits for
}

func (w *waiter) took() int { return int(w.steps.Load()) }

func newDriver(j *run) *driver { return &driver{job: j} }

// wait joins w and blocks until it is served or ctx is done.
func (d *driver) wait(ctx context.Context, w *waiter) error {
	select {
	case <-d.job.done:
		return nil
	default:
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	waiting.Add(1)
	defer waiting.Add(-1)
	w.done = make(chan struct{})
	d.join(w)
	select {
	case <-w.done:
		return nil
	case <-d.job.done:
	case <-ctx.Done():
	}
	d.leave(w)
	select {
	case <-w.done:
		return nil
	case <-d.job.done:
		return nil
	default:
		return context.Cause(ctx)
	}
}

func (d *driver) join(w *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiters = append(d.waiters, w)
	d.hush()
	d.start()
}

func (d *driver) leave(w *waiter) {
	d.looking.Lock()
	defer d.looking.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drop(w)
}

// drop is called with mu held.
func (d *driver) drop(w *waiter) {
	for i, x := range d.waiters {
		if x == w {
			d.waiters = append(d.waiters[:i:i], d.waiters[i+1:]...)
			break
		}
	}
	d.hush()
}

// hush is called with mu held when the waiters have changed.
func (d *driver) hush() {
	quiet := len(d.waiters) > 0
	for _, w := range d.waiters {
		quiet = quiet && w.ready == nil && w.budget == unbounded
	}
	d.quiet.Store(quiet)
	if len(d.waiters) == 0 {
		d.pausedAt = 0 // nobody waits, so the job does not either
		if d.alarm != nil {
			d.alarm()
			d.alarm = nil
		}
	}
}

// woken is called by every Wake, mostly while the job runs: then it costs one load.
func (d *driver) woken() {
	if d.blocked.Load() {
		d.blocked.Store(false)
		d.kick()
	}
}

// kick makes the driver look again.
func (d *driver) kick() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.start()
}

// start is called with mu held.
func (d *driver) start() {
	switch {
	case d.driving:
		d.again = true
	case len(d.waiters) > 0:
		d.driving = true
		d.resume()
		go d.drive()
	}
}

// resume is called with mu held, before the driver starts: it lets the time pass that the job waited.
func (d *driver) resume() {
	if d.alarm != nil {
		d.alarm()
		d.alarm = nil
	}
	if d.pausedAt != 0 {
		d.owed += d.job.o.Clock.Nanos() - d.pausedAt
		d.coop.Pass(d.owed / 1e6)
		d.owed %= 1e6
		d.pausedAt = 0
	}
}

// rest is called with mu held when the driver stops because the job is blocked.
func (d *driver) rest() {
	d.driving = false
	due := d.coop.Due()
	if len(d.waiters) == 0 || due == sched.Never {
		return
	}
	d.pausedAt = d.job.o.Clock.Nanos()
	d.alarm = d.job.o.Clock.AfterFunc(time.Duration(due)*time.Millisecond, d.kick)
}

// driving counts the drivers of the process that take steps, waiting the goroutines that wait for drivers.
var driving, waiting atomic.Int64

// Driving is how many deterministic jobs of the process take steps at the moment, and how many goroutines wait for that. Any
// goroutine may call it.
func Driving() (jobs, waiters int) { return int(driving.Load()), int(waiting.Load()) }

// drive takes steps until it has no reason to. A user function that calls runtime.Goexit takes this
// goroutine with it; the deferred call puts another one in its place.
func (d *driver) drive() {
	returned := false
	driving.Add(1)
	defer func() {
		driving.Add(-1)
		if r := recover(); r != nil {
			d.crash(fmt.Sprint(r), string(debug.Stack()))
		} else if !returned {
			go d.drive()
		}
	}()
	for (d.quiet.Load() || d.serve()) && d.step() {
	}
	returned = true
}

// crash ends a job whose scheduler panicked. There is nothing left that could unwind it.
func (d *driver) crash(text, stack string) {
	j := d.job
	j.mu.Lock()
	if !j.status.Terminal() {
		j.status = job.Failed
		j.err = &job.Bug{Task: "scheduler", Text: text, Stack: stack}
		j.terminate()
	}
	j.mu.Unlock()
	d.mu.Lock()
	d.driving = false
	d.waiters = nil
	d.mu.Unlock()
}

// serve lets every waiter look and frees those that have what they want. It reports false, and the
// driver is no longer driving, when nobody is left.
func (d *driver) serve() bool {
	d.looking.Lock()
	defer d.looking.Unlock()
	d.mu.Lock()
	all := d.waiters
	d.again = false
	d.mu.Unlock()
	for _, w := range all {
		if w.took() >= w.budget || w.ready != nil && w.ready() {
			d.release(w)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiters) == 0 {
		d.driving = false
		return false
	}
	return true
}

func (d *driver) release(w *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drop(w)
	if w.done != nil {
		close(w.done)
	}
}

// step takes one step and reports false when the driver has to stop; it is then no longer driving.
func (d *driver) step() bool {
	if !d.begun {
		d.begun = true
		d.job.begin()
	}
	switch d.coop.Step() {
	case sched.Stepped:
		d.blocked.Store(false)
		d.stepped()
		if !d.coop.Ended() {
			return true
		}
	case sched.Deadlock:
		d.job.Fail(&job.Deadlock{Tasks: d.coop.Standstill()})
		return true
	case sched.Blocked:
		return d.pause()
	}
	d.job.conclude()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.driving = false
	d.waiters = nil // they see that the job is done
	return false
}

func (d *driver) stepped() {
	if f := d.job.o.OnStep; f != nil {
		s, _ := d.coop.Last()
		f(job.Step{N: d.coop.Steps(), Now: d.coop.Now(), Task: s.Name, Subtask: s.Index})
	}
	if d.quiet.Load() {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.waiters {
		w.steps.Add(1)
	}
}

// pause is called when the job is blocked. The first time round it only says so and lets the waiters and
// the scheduler look once more: a wake-up may have come before anybody knew that it was needed.
func (d *driver) pause() bool {
	if !d.blocked.Swap(true) {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range append([]*waiter(nil), d.waiters...) {
		if w.leaveBlocked {
			d.drop(w)
			close(w.done)
		}
	}
	if d.again {
		d.again = false
		return true
	}
	d.rest()
	return false
}
