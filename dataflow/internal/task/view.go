package task

import "flinkish/dataflow/internal/core"

// View is a copy of the numbers that a task last published.
type View struct {
	In, Out            uint64 // records over the network
	Queued, QueueCap   int    // batches
	Watermark          int64
	Keys, Timers, Late uint64
	Operators          []OperatorView // in chain order
}

// OperatorView are the numbers of one operator.
type OperatorView struct{ In, Out, Late uint64 }

// publish copies the plain counters of the record path to where others may read them.
func (t *Task) publish() {
	for _, o := range t.ops {
		if o.inst == nil || o.inst.Counters == nil {
			continue
		}
		c := o.inst.Counters
		o.in.Store(c.In)
		o.out.Store(c.Out)
		o.late.Store(c.LateDropped)
		o.keys.Store(c.Keys)
		o.timers.Store(c.Timers)
	}
	var in, out uint64
	for _, r := range t.readers {
		in += r.Count()
	}
	for _, w := range t.writers {
		out += w.Count()
	}
	t.recIn.Store(in)
	t.recOut.Store(out)
	if t.sourceSampling != nil {
		t.sourceSampling.Publish()
	}
}

// publishWatermark: the watermark of a task is the smallest of its inputs.
func (t *Task) publishWatermark() {
	wm := core.MaxWatermark
	for _, in := range t.inputs {
		wm = min(wm, in.valve.Last())
	}
	t.watermark.Store(wm)
}

// View is safe from every goroutine.
func (t *Task) View() View {
	v := View{In: t.recIn.Load(), Out: t.recOut.Load(), Watermark: t.watermark.Load()}
	for _, r := range t.readers {
		n, c := r.Queued()
		v.Queued += n
		v.QueueCap += c
	}
	for _, o := range t.ops {
		v.Operators = append(v.Operators, OperatorView{In: o.in.Load(), Out: o.out.Load(), Late: o.late.Load()})
		v.Keys += o.keys.Load()
		v.Timers += o.timers.Load()
		v.Late += o.late.Load()
	}
	return v
}

// Samples returns up to n of the most recent records of a source chain that has no network edge; those of
// others are taken from their edges. Safe from every goroutine.
func (t *Task) Samples(n int) []core.Sample {
	if t.sourceSampling == nil {
		return nil
	}
	return t.sourceSampling.Sample(n)
}
