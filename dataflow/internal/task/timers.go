package task

import "flinkish/dataflow/internal/sched"

// timers is a heap of processing-time timers in order of time, then of registration.
type timers struct {
	heap    []*timer
	seq     uint64
	stopped int // how many of heap
}

type timer struct {
	at  int64
	seq uint64
	op  int32  // the operator that registered it
	f   func() // nil: stopped
}

func (a *timer) before(b *timer) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

// next is the time of the first timer, sched.Never without one. A stopped timer is dropped on the way.
func (q *timers) next() int64 {
	for len(q.heap) > 0 && q.heap[0].f == nil {
		q.pop()
	}
	if len(q.heap) == 0 {
		return sched.Never
	}
	return q.heap[0].at
}

func (q *timers) add(at int64, op int32, f func()) *timer {
	e := &timer{at: at, seq: q.seq, op: op, f: f}
	q.seq++
	q.heap = append(q.heap, e)
	q.up(len(q.heap) - 1)
	return e
}

// stop makes e void and reports whether it was pending. Timers that were stopped stay in the heap until
// their time comes or they are the majority.
func (q *timers) stop(e *timer) bool {
	if e.f == nil {
		return false
	}
	e.f = nil
	if q.stopped++; q.stopped > 64 && q.stopped > len(q.heap)/2 {
		q.sweep()
	}
	return true
}

func (q *timers) sweep() {
	all := q.heap
	q.heap, q.stopped = nil, 0
	for _, e := range all {
		if e.f != nil {
			q.heap = append(q.heap, e)
			q.up(len(q.heap) - 1)
		}
	}
}

func (q *timers) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !q.heap[i].before(q.heap[parent]) {
			return
		}
		q.heap[i], q.heap[parent] = q.heap[parent], q.heap[i]
		i = parent
	}
}

// has reports whether a timer of operator op is pending.
func (q *timers) has(op int32) bool {
	for _, e := range q.heap {
		if e.op == op && e.f != nil {
			return true
		}
	}
	return false
}

// pop removes the first timer and returns its operator and function.
func (q *timers) pop() (op int32, f func()) {
	e := q.heap[0]
	op, f = e.op, e.f
	if f == nil {
		q.stopped--
	}
	e.f = nil
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap[last] = nil
	q.heap = q.heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && q.heap[child+1].before(q.heap[child]) {
			child++
		}
		if !q.heap[child].before(q.heap[i]) {
			break
		}
		q.heap[i], q.heap[child] = q.heap[child], q.heap[i]
		i = child
	}
	return op, f
}
