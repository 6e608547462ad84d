package task

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sched"
)

// This file is the task as operators (core.Runtime) and edges (core.Hooks) see it.

// Now is the processing time in milliseconds.
func (t *Task) Now() int64 { return t.thread.Now() }

// After registers a processing-time timer. Once the inputs have ended it does nothing.
func (t *Task) After(at int64, f func()) (stop func() bool) {
	if t.quiesced {
		return func() bool { return false }
	}
	if b := t.ops[t.sub.Op].batch; b != nil {
		return b.after(at, f)
	}
	e := t.timers.add(at, t.sub.Op, f)
	t.arm()
	return func() bool {
		pending := t.timers.stop(e)
		t.arm() // a stopped timer must not move a virtual clock
		return pending
	}
}

// arm asks for attention at the time of the first timer, if that was not asked for already.
func (t *Task) arm() {
	at := t.timers.next()
	if at == t.armed {
		return
	}
	t.armed = at
	t.thread.Alarm(at)
	if at <= t.thread.Now() {
		t.sub.Signal.Or(core.SignalTimer)
	}
}

// Poll is the point between two records of a source.
func (t *Task) Poll() bool {
	if t.sub.Signal.Load() != 0 {
		if t.stopping() {
			return false
		}
		t.Attend()
	}
	t.polls += 1 + t.granted - t.sub.Credit
	if t.early < earlyPolls {
		t.early++
		t.publish()
	}
	if t.polls < t.cfg.Batch {
		t.grant()
		return true
	}
	t.polls = 0
	t.grant()
	t.publish()
	t.host.Progress()
	return t.thread.Yield()
}

// grant lets the source emit until the end of the batch without asking.
func (t *Task) grant() {
	t.granted = 0
	if t.early == earlyPolls {
		t.granted = t.cfg.Batch - t.polls - 1
	}
	t.sub.Credit = t.granted
}

// earlyPolls is how many of the first records of a source are polled and published one by one, so that a
// short job leaves samples.
const earlyPolls = 64

// Wait suspends the subtask. A source that waits for input is between two records, so its timers go on;
// everybody else waits in the middle of a record. Who has a timer of his own waits for that; else what is
// waited for comes from outside of the job.
func (t *Task) Wait(r core.Reason, ready func() bool) bool {
	w := sched.Wait{Reason: r, Outside: true}
	if r == core.IdleInput && len(t.readers) == 0 {
		w.Attentive = true
		w.Outside = !t.timers.has(0)
	}
	for !ready() {
		if t.stopping() {
			return false
		}
		t.Ship()
		t.publish()
		t.host.Progress()
		if !t.thread.Wait(w, ready) {
			return false
		}
		if w.Attentive && t.sub.Signal.Load() != 0 && !t.stopping() {
			t.Attend()
		}
	}
	return !t.stopping()
}

// Wake makes a waiting subtask look at its condition again.
func (t *Task) Wake() { t.thread.Wake() }

// Fail ends the job with err as the error of the current operator. It does not return.
func (t *Task) Fail(err error) {
	t.host.Fail(t.failure(err, ""))
	panic(core.Unwind{})
}

// Credit waits for room in a ring.
func (t *Task) Credit(ready func() bool) {
	if !t.thread.Wait(sched.Wait{Reason: core.BackPressured}, ready) {
		panic(core.Unwind{})
	}
}

// Attend answers the signal between two records.
func (t *Task) Attend() {
	signal := t.sub.Signal.Load()
	if signal&core.SignalStop != 0 {
		panic(core.Unwind{})
	}
	if signal&core.SignalTimer != 0 {
		t.sub.Signal.And(^core.SignalTimer)
		t.fire()
	}
	if signal&core.SignalFlush != 0 {
		t.Ship()
		t.publish()
		t.host.Progress()
	}
}

// fire runs the timers that are due, in order of time, then of registration.
func (t *Task) fire() {
	t.armed = sched.Never
	t.thread.Alarm(sched.Never)
	for t.timers.next() <= t.thread.Now() {
		if op, f := t.timers.pop(); f != nil {
			t.sub.Op = op
			f()
		}
		if t.stopping() {
			panic(core.Unwind{})
		}
	}
	t.arm()
}

// Ship flushes all edges. A flush may have to wait for credit; it is not begun twice.
func (t *Task) Ship() {
	if t.shipping {
		return
	}
	t.shipping = true
	defer t.shipped()
	t.sub.Signal.And(^core.SignalFlush)
	for _, w := range t.writers {
		w.Flush()
	}
}

func (t *Task) shipped() { t.shipping = false }
