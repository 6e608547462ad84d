package task

import (
	"bytes"
	"math"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// batchControl is the control output of an operator in BATCH mode: one watermark, at the end, and no idleness.
type batchControl struct {
	next  core.Control
	quiet bool // the operator works on keys, each with an end of its own
}

func (c *batchControl) Watermark(wm int64) {
	if wm == core.MaxWatermark && !c.quiet {
		c.next.Watermark(wm)
	}
}

func (c *batchControl) Status(bool) {}

// batchOp runs an operator with keyed inputs in BATCH mode, and in STREAMING mode one that emits at the end only: records of keyed inputs are held back until all inputs have
// ended, those of other inputs come first. Then the operator gets one key after the other, and after each key the
// highest watermark, its processing-time timers, and the lowest watermark again.
type batchOp struct {
	core.Op
	task     *Task
	index    int32
	control  *batchControl
	gathered []core.Gatherer // by input; nil: not keyed
	ended    int
	timers   timers
}

// ender is an operator that can forget the state of the current key.
type ender interface{ EndKey() }

// sorts reports whether the keyed inputs of n are sorted before it gets them. An operator that emits at the end of its input only
// gets them sorted in every mode, as in Flink.
func (t *Task) sorts(n *graph.Node) bool {
	return (t.sub.Batch || n.T.EmitsAtEnd) && n.T.Keyed && !n.T.SortsInput
}

// inBatch puts a batchOp around operator i if its keyed inputs must be sorted.
func (t *Task) inBatch(i int, outs core.Outputs) {
	o := t.ops[i]
	if !t.sorts(o.node) {
		return
	}
	b := &batchOp{Op: o.inst.Op, task: t, index: int32(i), gathered: make([]core.Gatherer, len(o.inst.Inputs))}
	b.control, _ = outs.Control.(*batchControl)
	some := false
	for _, e := range o.node.In {
		k, ok := e.Payload.(core.Gathering)
		if !ok || b.gathered[e.Input] != nil {
			continue // several edges of one input are a union; they have the same key
		}
		if g := k.Gather(t.sub, o.inst.Inputs[e.Input]); g != nil {
			b.gathered[e.Input], some = g, true
		}
	}
	if !some || b.control == nil {
		return
	}
	for in, g := range b.gathered {
		if g != nil {
			o.inst.Inputs[in] = g.In()
		}
	}
	b.control.quiet = true
	o.inst.Op = b
	o.batch = b
}

func (b *batchOp) Watermark(int, int64) {}
func (b *batchOp) Status(int, bool)     {}

func (b *batchOp) EndInput(int) {
	if b.ended++; b.ended < len(b.gathered) {
		return
	}
	for _, g := range b.gathered {
		if g == nil {
			continue
		}
		if err := g.Sort(); err != nil {
			b.task.Fail(err)
		}
	}
	for key := b.key(); key != nil; key = b.key() {
		b.run(key)
	}
	b.control.quiet = false
	b.watermark(core.MaxWatermark)
	for in := range b.gathered {
		b.task.sub.Op = b.index
		b.Op.EndInput(in)
	}
}

// key is a copy of the least next key of all inputs.
func (b *batchOp) key() []byte {
	var least []byte
	for _, g := range b.gathered {
		if g == nil {
			continue
		}
		if k := g.Key(); k != nil && (least == nil || bytes.Compare(k, least) < 0) {
			least = k
		}
	}
	return bytes.Clone(least)
}

// run hands on the records of one key, and ends it.
func (b *batchOp) run(key []byte) {
	for g, last := b.earliest(key); g != nil; g, last = b.earliest(key) {
		b.task.sub.Op = b.index
		if err := g.Deliver(last, b.task.between); err != nil {
			b.task.Fail(err)
		}
	}
	b.watermark(core.MaxWatermark)
	for len(b.timers.heap) > 0 {
		if _, f := b.timers.pop(); f != nil {
			b.task.sub.Op = b.index
			f()
		}
		b.task.between()
	}
	if e, ok := b.Op.(ender); ok {
		e.EndKey()
	}
	b.watermark(core.MinWatermark)
}

// earliest is the input with the earliest record of a key, the first of several, and the time up to which that stays
// so: the inputs together are in the order of time (MultiInputSortingDataInput). It is nil when the key has no more
// records.
func (b *batchOp) earliest(key []byte) (first core.Gatherer, last int64) {
	for _, g := range b.gathered {
		if g == nil || g.Key() == nil || !bytes.Equal(g.Key(), key) {
			continue
		}
		switch {
		case first == nil:
			first, last = g, math.MaxInt64
		case g.Time() < first.Time():
			first, last = g, first.Time()-1
		default:
			last = min(last, g.Time())
		}
	}
	return first, last
}

func (b *batchOp) watermark(wm int64) {
	for in := range b.gathered {
		b.task.sub.Op = b.index
		b.Op.Watermark(in, wm)
	}
}

func (b *batchOp) Close() error {
	for _, g := range b.gathered {
		if g != nil {
			g.Close() // temporary files; nothing depends on them
		}
	}
	return b.Op.Close()
}

// after keeps a processing-time timer for the end of the key.
func (b *batchOp) after(at int64, f func()) (stop func() bool) {
	e := b.timers.add(at, b.index, f)
	return func() bool { return b.timers.stop(e) }
}

// between is the pause between two records that a task makes itself.
func (t *Task) between() {
	if t.sub.Signal.Load() != 0 {
		t.Attend()
	}
	if t.polls++; t.polls < t.cfg.Batch {
		return
	}
	t.polls = 0
	t.publish()
	t.host.Progress()
	if !t.thread.Yield() {
		panic(core.Unwind{})
	}
}
