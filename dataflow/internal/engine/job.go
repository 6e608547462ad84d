package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sched"
	"flinkish/dataflow/internal/task"
	"flinkish/dataflow/job"
)

// lost counts the subtasks of all jobs that did not end when they were told to.
var lost atomic.Int64

// Lost is how many subtasks of this process are still stuck in user code of a job that was declared lost.
func Lost() int { return int(lost.Load()) }

var parallelJobs atomic.Uint64 // for ids

// run is one job. It implements job.Job and task.Host.
type run struct {
	id       string
	g        *graph.JobGraph
	o        Options
	tasks    [][]*task.Task // by vertex
	outEdges [][]outEdge    // by vertex

	parallel *sched.Parallel // one of the two is set
	coop     *sched.Coop
	driver   *driver

	mu         sync.Mutex // guards the fields below
	submitted  bool
	begun      bool // started and nanosStart are set
	status     job.Status
	err        error
	suppressed []*job.Failure // of err
	started    int64          // processing time, ms
	ended      int64
	nanosStart int64 // Clock.Nanos
	nanosEnd   int64
	stopGrace  func() bool
	abandoned  int // subtasks counted in lost
	rates      rates

	done chan struct{} // closed when the status is terminal

	waiting  atomic.Int32 // Await calls of a parallel job
	changeMu sync.Mutex   // guards change
	change   chan struct{}
}

type outEdge struct {
	stream *graph.Edge
	net    core.Edge
	to     *graph.Vertex
}

func newJob(g *graph.JobGraph, o Options) *run {
	j := &run{g: g, o: o, status: job.Created, done: make(chan struct{}), change: make(chan struct{})}
	if o.Deterministic {
		j.id = fmt.Sprintf("%016x%016x", mix(o.Seed, o.Number, 1), mix(o.Seed, o.Number, 2))
		j.driver = newDriver(j)
		j.coop = sched.NewCoop(o.Seed, o.Start, j.driver.woken)
		j.driver.coop = j.coop
		return j
	}
	n := parallelJobs.Add(1)
	at := uint64(o.Clock.Now())
	j.id = fmt.Sprintf("%016x%016x", mix(at, n, 1), mix(at, n, 2))
	j.parallel = sched.NewParallel(o.Clock, j.conclude)
	return j
}

func (j *run) spawn(s sched.Spec) sched.Thread {
	if j.coop != nil {
		return j.coop.Spawn(s)
	}
	return j.parallel.Spawn(s)
}

// start puts the job on its way. A deterministic one stays CREATED until it is driven.
func (j *run) start() {
	j.mu.Lock()
	j.submitted = true
	j.mu.Unlock()
	if j.coop == nil {
		running.Add(1)
		j.begin()
		j.parallel.Start(j.flushInterval())
	}
}

// begin is the change from CREATED to RUNNING.
func (j *run) begin() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.begun {
		j.begun, j.started, j.nanosStart = true, j.now(), j.o.Clock.Nanos()
	}
	if j.status == job.Created {
		j.status = job.Running
	}
}

// now is the processing time of the job.
func (j *run) now() int64 {
	if j.coop != nil {
		return j.coop.Now()
	}
	return j.o.Clock.Now()
}

// Fail implements task.Host: the first failure stops the job; failures of Close that it brings are kept with it. Before the job
// is submitted there is nothing to stop, and its builder has the error.
func (j *run) Fail(err error) {
	if f, is := err.(*job.Failure); is && j.o.OnFailure != nil {
		j.o.OnFailure(f)
	}
	j.mu.Lock()
	first := j.submitted && (j.status == job.Created || j.status == job.Running)
	if first {
		j.status, j.err = job.Failing, err
	} else if f, is := err.(*job.Failure); is && j.status == job.Failing && f.During == "close" {
		j.suppressed = append(j.suppressed, f)
	}
	j.mu.Unlock()
	if first {
		j.unwind()
	}
}

// Cancel implements job.Job.
func (j *run) Cancel() {
	j.mu.Lock()
	first := j.status == job.Created || j.status == job.Running
	if first {
		j.status = job.Cancelling
	}
	j.mu.Unlock()
	if first {
		j.unwind()
	}
}

// unwind stops every subtask and starts the grace period.
func (j *run) unwind() {
	stop := j.o.Clock.AfterFunc(j.o.Grace, j.lose)
	j.mu.Lock()
	j.stopGrace = stop
	over := j.status.Terminal()
	j.mu.Unlock()
	if over {
		stop()
	}
	if j.coop == nil {
		j.parallel.Stop()
		return
	}
	j.coop.Stop()
	j.driver.join(&waiter{budget: unbounded})
}

// conclude is called when every subtask has ended.
func (j *run) conclude() {
	j.mu.Lock()
	if j.status.Terminal() { // it had been declared lost
		lost.Add(-int64(j.abandoned))
		j.abandoned = 0
		j.mu.Unlock()
		return
	}
	switch j.status {
	case job.Failing:
		j.status = job.Failed
		j.keepSuppressed()
	case job.Cancelling:
		j.status = job.Canceled
	default:
		j.status = job.Finished
	}
	j.terminate()
	j.mu.Unlock()
	j.Notify()
}

// keepSuppressed gives the failure of the job, with mu held, what it suppressed. Others may hold the failure, so it is a new one.
func (j *run) keepSuppressed() {
	if f, is := j.err.(*job.Failure); is && len(j.suppressed) > 0 {
		all := *f
		all.Suppressed = j.suppressed
		j.err = &all
	}
}

// running counts the parallel jobs of the process that are not terminal.
var running atomic.Int64

// Running is how many jobs of the process advance without being driven. Any goroutine may call it.
func Running() int { return int(running.Load()) }

// terminate is called once, with mu held and the terminal status set.
func (j *run) terminate() {
	j.ended, j.nanosEnd = j.now(), j.o.Clock.Nanos()
	if j.stopGrace != nil {
		j.stopGrace()
	}
	if j.coop == nil {
		running.Add(-1)
	}
	close(j.done)
}

// lose gives up on the subtasks that have not ended by the end of the grace period.
func (j *run) lose() {
	j.mu.Lock()
	stuck := j.stuck()
	if j.status.Terminal() || len(stuck) == 0 {
		j.mu.Unlock()
		return
	}
	if j.status == job.Cancelling {
		j.status = job.Canceled
	} else {
		j.status = job.Failed
	}
	j.err = &job.Lost{Tasks: stuck, Cause: j.err}
	j.abandoned = len(stuck)
	lost.Add(int64(len(stuck)))
	j.terminate()
	j.mu.Unlock()
	j.Notify()
}

// stuck names the subtasks that do not end. Of a deterministic job it is the one whose step does not
// end; the others are queueing behind it.
func (j *run) stuck() (labels []string) {
	if j.coop != nil {
		if s, ok := j.coop.Last(); ok {
			return []string{s.Label()}
		}
		return nil
	}
	for _, u := range j.parallel.Usage() {
		if u.Reason != core.Done {
			labels = append(labels, u.Label)
		}
	}
	return labels
}

// Progress implements task.Host. In parallel mode it lets those who Await look again.
func (j *run) Progress() {
	if j.coop == nil && j.waiting.Load() > 0 {
		j.Notify()
	}
}

// Notify implements job.Job.
func (j *run) Notify() {
	if j.coop != nil {
		j.driver.kick()
		return
	}
	j.changeMu.Lock()
	defer j.changeMu.Unlock()
	close(j.change)
	j.change = make(chan struct{})
}

func (j *run) changed() <-chan struct{} {
	j.changeMu.Lock()
	defer j.changeMu.Unlock()
	return j.change
}

// Wait implements job.Job.
func (j *run) Wait(ctx context.Context) error {
	if j.coop != nil {
		if err := j.driver.wait(ctx, &waiter{budget: unbounded}); err != nil {
			return err
		}
		return j.Err()
	}
	if err := j.sleep(ctx, nil); err != nil {
		return err
	}
	return j.Err()
}

// sleep blocks until the job is terminal, something changed, or ctx is done.
func (j *run) sleep(ctx context.Context, change <-chan struct{}) error {
	select {
	case <-j.done: // first: a terminal job answers even when ctx is done
		return nil
	default:
	}
	select {
	case <-j.done:
		return nil
	case <-change:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Await implements job.Job.
func (j *run) Await(ctx context.Context, ready func() bool) error {
	if ready() {
		return nil
	}
	if j.coop != nil {
		return j.driver.wait(ctx, &waiter{ready: ready, budget: unbounded})
	}
	j.waiting.Add(1)
	defer j.waiting.Add(-1)
	for {
		change := j.changed() // before the look, so that no change is missed
		if ready() || j.Status().Terminal() {
			return nil
		}
		if err := j.sleep(ctx, change); err != nil {
			return err
		}
	}
}

// Advance implements job.Job.
func (j *run) Advance(ctx context.Context, max int) int {
	if j.coop == nil || max <= 0 {
		return 0
	}
	w := &waiter{budget: max, leaveBlocked: true}
	_ = j.driver.wait(ctx, w) // cut short is a result too
	return w.took()
}

// Stalled implements job.Job.
func (j *run) Stalled() []job.Stall {
	if j.coop == nil || !j.driver.blocked.Load() {
		return nil
	}
	var all []job.Stall
	for _, u := range j.coop.Usage() {
		if u.Outside {
			all = append(all, job.Stall{Task: u.Label, BackPressured: u.Reason == core.BackPressured})
		}
	}
	return all
}

func (j *run) ID() string             { return j.id }
func (j *run) Name() string           { return j.o.Name }
func (j *run) Graph() *graph.JobGraph { return j.g }
func (j *run) Deterministic() bool    { return j.coop != nil }

// Status implements job.Job.
func (j *run) Status() job.Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.status
}

// Err implements job.Job. The error of a failing job shows before all of its subtasks have ended.
func (j *run) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Accumulators implements job.Job.
func (j *run) Accumulators() map[string]any {
	if j.o.Accumulators == nil {
		return nil
	}
	j.mu.Lock()
	ended := j.status.Terminal() && j.abandoned == 0
	j.mu.Unlock()
	return j.o.Accumulators(ended)
}

// runtimeOf is the time that the job ran, with mu held: virtual in deterministic mode.
func (j *run) runtimeOf() time.Duration {
	if !j.begun {
		return 0
	}
	if j.coop != nil {
		return time.Duration(j.coop.Now()-j.started) * time.Millisecond
	}
	end := j.nanosEnd
	if end == 0 {
		end = j.o.Clock.Nanos()
	}
	return time.Duration(end - j.nanosStart)
}
