package task

import (
	"fmt"
	"runtime/debug"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sched"
	"flinkish/dataflow/internal/watermark"
)

// New builds the chain of one subtask, from its end to its head: an operator is made with the inputs of
// those that it emits to. The writers of all network edges of the vertex exist before.
func New(cfg Config) (t *Task, err error) {
	t = &Task{cfg: cfg, sub: cfg.Sub, host: cfg.Host, thread: cfg.Thread, phase: "open", armed: sched.Never}
	t.sub.Hooks, t.sub.Runtime = t, t
	t.watermark.Store(core.MinWatermark)
	t.anyReady = t.inputReady
	if cfg.Random != nil {
		t.pick = cfg.Random.IntN
	}
	t.ops = make([]*operator, len(cfg.Vertex.Chain))
	for i, n := range cfg.Vertex.Chain {
		t.ops[i] = &operator{node: n}
		t.sub.Operators = append(t.sub.Operators, core.OperatorInfo{Name: n.Name, Variables: n.T.MetricVariables})
	}
	for i := len(t.ops) - 1; i >= 0; i-- {
		if err := t.build(i); err != nil {
			t.discardFrom(i + 1)
			return nil, err
		}
	}
	t.connectInputs()
	if len(cfg.Vertex.In) == 0 && len(cfg.Vertex.Out) == 0 {
		t.samples = samplesOf(t.ops)
	}
	return t, nil
}

// build makes operator i. Factories run user code (a Clone method), so a panic is laid at its door.
func (t *Task) build(i int) (err error) {
	o := t.ops[i]
	t.sub.Op, t.sub.OpIndex = int32(i), int32(i)
	outs := t.outputs(i)
	defer func() {
		if r := recover(); r != nil {
			err = t.caught(r, string(debug.Stack()))
		}
	}()
	o.inst, err = o.node.T.Factory.New(t.sub, outs)
	if err != nil {
		return t.failure(err, "")
	}
	if o.inst.Op == nil || (o.inst.Run == nil && len(o.inst.Inputs) == 0) {
		return fmt.Errorf("task: operator %q has neither an input nor a source function", o.node.Name)
	}
	t.inBatch(i, outs)
	return nil
}

func (t *Task) discardFrom(i int) {
	t.ops = t.ops[i:]
	t.closeAll()
}

// outputs wires operator i to everything that reads from it.
func (t *Task) outputs(i int) core.Outputs {
	n := t.ops[i].node
	var controls fanOut
	emits := map[string][]any{}
	var tags []string // in order of edges
	for _, e := range n.Out {
		emit, control, taken := t.output(e)
		controls = append(controls, control)
		if e.Tag == "" && t.ops[i].given == nil {
			t.ops[i].given = taken
		}
		if _, known := emits[e.Tag]; !known && e.Tag != "" {
			tags = append(tags, e.Tag)
		}
		emits[e.Tag] = append(emits[e.Tag], emit)
	}
	outs := core.Outputs{Side: map[string]any{}, Control: controls.simplify()}
	if t.sub.Batch || t.sorts(n) {
		outs.Control = &batchControl{next: outs.Control}
	}
	switch main := emits[""]; {
	case n.T.Mover == nil:
	case len(main) == 0:
		o := t.ops[i]
		outs.Main, o.given = n.T.Mover.Drop(&o.dropped), func() uint64 { return o.dropped }
	default:
		outs.Main = n.T.Mover.Tee(main)
	}
	for _, tag := range tags {
		outs.Side[tag] = n.T.Movers[tag].Tee(emits[tag])
	}
	if i == 0 && len(n.In) == 0 {
		t.asSource(&outs)
	}
	return outs
}

// output is the way over one edge: into the chain or onto the network. taken counts the records that went there.
func (t *Task) output(e *graph.Edge) (emit any, control core.Control, taken func() uint64) {
	if edge := t.cfg.Edges[e]; edge != nil {
		w := edge.Writer(t.sub.Index)
		t.writers = append(t.writers, w)
		t.choosers = append(t.choosers, chooser{w, e})
		return w.Emit(), w, w.Count
	}
	for i, o := range t.ops {
		if o.node != e.To {
			continue
		}
		emit = o.inst.Inputs[e.Input]
		if k, keyed := e.Payload.(core.Keyer); keyed {
			var c core.Chooser
			if emit, c = k.Bind(t.sub, emit); c != nil {
				t.choosers = append(t.choosers, chooser{c, e})
			}
		}
		return emit, &chained{sub: t.sub, op: o.inst.Op, index: int32(i), input: e.Input}, o.taken(e.Input)
	}
	panic(core.Bug(fmt.Sprintf("task: edge from %q to %q is neither chained nor a network edge", e.From.Name, e.To.Name)))
}

// taken returns what counts the records that came to an input inside of the chain, where an operator has one input.
func (o *operator) taken(input int) func() uint64 {
	if o.batch != nil && o.batch.gathered[input] != nil {
		return o.batch.gathered[input].Taken
	}
	if c := o.inst.Counters; c != nil {
		return func() uint64 { return c.In }
	}
	return func() uint64 { return 0 }
}

// asSource puts the guard of a source before its control.
func (t *Task) asSource(outs *core.Outputs) {
	guard := &sourceControl{task: t, next: outs.Control, last: core.MinWatermark}
	outs.Control = guard
	t.inputs = []*input{{task: t, control: guard}}
}

// connectInputs makes a gate for each input of the head.
func (t *Task) connectInputs() {
	head := t.ops[0]
	if head.inst.Run != nil {
		return
	}
	t.inputs = nil
	for i := range head.inst.Inputs {
		t.inputs = append(t.inputs, &input{task: t, index: i, op: head.inst.Op})
	}
	for _, je := range t.cfg.Vertex.In {
		in := t.inputs[je.Edge.Input]
		ahead := head.inst.Ahead
		if head.batch != nil {
			ahead = nil // what comes is not for the operator yet
		}
		r := t.cfg.Edges[je.Edge].Reader(t.sub.Index, head.inst.Inputs[je.Edge.Input], ahead)
		t.readers = append(t.readers, &gateReader{Reader: r, in: in, base: in.channels, left: r.Channels(),
			first: t.sub.Batch && je.Edge.Partitioning == core.Broadcast})
		in.channels += r.Channels()
		in.open += r.Channels()
		t.open += r.Channels()
	}
	for _, in := range t.inputs {
		in.valve = watermark.NewValve(in.channels, in)
	}
	for _, r := range t.readers {
		r.mark = r.onMark
	}
}

// fanOut sends control to several readers, in order.
type fanOut []core.Control

func (f fanOut) simplify() core.Control {
	if len(f) == 1 {
		return f[0]
	}
	return f
}

func (f fanOut) Watermark(wm int64) {
	for _, c := range f {
		c.Watermark(wm)
	}
}

func (f fanOut) Status(idle bool) {
	for _, c := range f {
		c.Status(idle)
	}
}

// chained is the control input of an operator inside the chain. It keeps Subtask.Op right on the way
// there and back, because timers fire user code.
type chained struct {
	sub   *core.Subtask
	op    core.Op
	index int32
	input int
}

func (c *chained) Watermark(wm int64) {
	before := c.sub.Op
	c.sub.Op = c.index
	c.op.Watermark(c.input, wm)
	c.sub.Op = before
}

func (c *chained) Status(idle bool) {
	before := c.sub.Op
	c.sub.Op = c.index
	c.op.Status(c.input, idle)
	c.sub.Op = before
}

// sourceControl keeps the watermarks of a source rising, and makes an idle source active before the last
// one: an idle channel would not deliver it.
type sourceControl struct {
	task *Task
	next core.Control
	last int64
	idle bool
}

func (s *sourceControl) Watermark(wm int64) {
	if wm <= s.last {
		return
	}
	if s.idle {
		s.Status(false)
	}
	s.last = wm
	s.task.watermark.Store(wm)
	s.next.Watermark(wm)
}

func (s *sourceControl) Status(idle bool) {
	if idle != s.idle {
		s.idle = idle
		s.next.Status(idle)
	}
}
