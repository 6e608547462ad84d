package task

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sched"
	"flinkish/dataflow/internal/watermark"
)

// input is one input of the head operator: all channels of all edges that lead there. Union is nothing
// but several edges of one input.
type input struct {
	task     *Task
	index    int
	op       core.Op
	valve    *watermark.Valve
	channels int
	open     int
	control  core.Control // of a source: where its watermarks go
}

// Watermark and Status receive what the valve lets through.
func (in *input) Watermark(wm int64) {
	in.task.sub.Op = 0
	in.op.Watermark(in.index, wm)
	in.task.publishWatermark()
}

func (in *input) Status(idle bool) {
	in.task.sub.Op = 0
	in.op.Status(in.index, idle)
}

// gateReader is one edge that leads to an input.
type gateReader struct {
	core.Reader
	in   *input
	base int // number of its first channel in the valve
	left int // channels that have not ended
	// first: nothing else is read before this edge has ended, as BATCH mode does with a broadcast side.
	first bool
	mark  func(channel int, m core.Mark)
}

func (r *gateReader) onMark(channel int, m core.Mark) {
	v, ch := r.in.valve, r.base+channel
	switch m.Kind {
	case core.MarkWatermark:
		v.Watermark(ch, m.Time)
	case core.MarkIdle:
		v.Status(ch, true)
	case core.MarkActive:
		v.Status(ch, false)
	case core.MarkEnd:
		// An ended channel must not hold event time back, whatever it said before.
		v.Status(ch, false)
		v.Watermark(ch, core.MaxWatermark)
		r.left--
		r.in.end()
	}
}

// end counts an ended channel.
func (in *input) end() {
	in.task.open--
	if in.open--; in.open == 0 {
		in.task.sub.Op = 0
		in.op.EndInput(in.index)
	}
}

// consume reads until every channel has ended.
func (t *Task) consume() {
	for t.open > 0 {
		if t.sub.Signal.Load() != 0 {
			t.Attend()
		}
		r := t.choose()
		if r == nil {
			t.rest()
			continue
		}
		r.Read(t.pick, r.mark)
		t.publish()
		t.host.Progress()
		if !t.thread.Yield() {
			panic(core.Unwind{})
		}
	}
}

// choose returns an edge that has a batch: by turns, or as the seed says.
func (t *Task) choose() *gateReader {
	n := len(t.readers)
	first, ready := -1, 0
	for i := range n {
		c := (t.turn + i) % n
		if t.mayRead(t.readers[c]) {
			ready++
			if first < 0 {
				first = c
			}
		}
	}
	if ready == 0 {
		return nil
	}
	if t.pick != nil && ready > 1 {
		for skip := t.pick(ready); skip > 0; skip-- {
			for first = (first + 1) % n; !t.mayRead(t.readers[first]); first = (first + 1) % n {
			}
		}
	}
	t.turn = (first + 1) % n
	return t.readers[first]
}

func (t *Task) inputReady() bool {
	for _, r := range t.readers {
		if t.mayRead(r) {
			return true
		}
	}
	return false
}

// mayRead reports whether r has a batch that may be read now.
func (t *Task) mayRead(r *gateReader) bool {
	if !r.first && t.sub.Batch {
		for _, o := range t.readers {
			if o.first && o.left > 0 {
				return false
			}
		}
	}
	return r.Ready()
}

// rest waits for input. What is in the output batches goes out first: latency is the time of one batch.
func (t *Task) rest() {
	t.Ship()
	t.publish()
	t.host.Progress()
	if !t.thread.Wait(sched.Wait{Reason: core.IdleInput, Attentive: true}, t.anyReady) {
		panic(core.Unwind{})
	}
}
