package task

import (
	"slices"
	"sync"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// View is a copy of the numbers that a task last published.
type View struct {
	In, Out            uint64 // records over the network
	Queued, QueueCap   int    // batches
	Watermark          int64
	Keys, Timers, Late uint64
	Operators          []OperatorView // in chain order
	User               []core.Metric  // that functions registered
}

// OperatorView are the numbers of one operator.
type OperatorView struct{ In, Out, Late uint64 }

// publish copies the plain counters of the record path to where others may read them.
func (t *Task) publish() {
	for _, o := range t.ops {
		o.publish()
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
	if t.samples != nil {
		t.samples.take()
	}
	t.sub.Metrics.Publish(t.Now)
}

func (o *operator) publish() {
	if o.given != nil {
		o.out.Store(o.given())
	}
	if o.inst == nil || o.inst.Counters == nil {
		return
	}
	if o.inst.Measure != nil {
		o.inst.Measure()
	}
	c := o.inst.Counters
	o.in.Store(c.In)
	o.late.Store(c.LateDropped)
	o.keys.Store(c.Keys)
	o.timers.Store(c.Timers)
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
	v := View{In: t.recIn.Load(), Out: t.recOut.Load(), Watermark: t.watermark.Load(), User: t.sub.Metrics.Values()}
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

// keptSamples is how many records a chain without network edges remembers.
const keptSamples = 64

// samples are records of a chain without network edges, taken at its end whenever the task publishes: all
// of a short job, one of each batch of a long one. So the record path pays nothing.
type samples struct {
	from *core.Instance // the operator that is asked for its record
	node *graph.Node
	seen uint64 // records that it had got when the last sample was taken

	mu     sync.Mutex // guards recent
	recent []core.Sample
}

// samplesOf samples the last operator that tells its record, if there is one.
func samplesOf(ops []*operator) *samples {
	for i := len(ops) - 1; i > 0; i-- {
		if o := ops[i]; o.inst.Record != nil && o.inst.Counters != nil {
			return &samples{from: o.inst, node: o.node}
		}
	}
	return nil
}

func (s *samples) take() {
	if s.from == nil || s.from.Counters.In == s.seen {
		return
	}
	s.seen = s.from.Counters.In
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.recent) == keptSamples {
		s.recent = append(s.recent[:0], s.recent[1:]...)
	}
	s.recent = append(s.recent, core.Sample{Value: s.from.Record(), Timestamp: core.NoTimestamp})
}

// Samples returns up to n of the recent records that came to the end of a chain without network edges, and
// their type; those of others are taken from their edges. Safe from every goroutine.
func (t *Task) Samples(n int) ([]core.Sample, graph.Type) {
	s := t.samples
	if s == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.recent) == 0 {
		return nil, nil
	}
	n = max(0, min(n, len(s.recent)))
	return slices.Clone(s.recent[len(s.recent)-n:]), inputType(s.node, s.recent[0].Value)
}
