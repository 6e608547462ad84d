package conformance

import (
	"errors"
	"fmt"
	"reflect"

	"flinkish/dataflow"
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/watermark"
)

// Operator is one operator of a pipeline, driven by hand: items go in, and what it sends is written
// down. It is the factory of the operator that a job would run, in a subtask without a scheduler.
type Operator struct {
	// Out is what the operator sent on its main output, watermarks and idleness included.
	Out []Item
	// Side holds the records of each side output that the pipeline reads, by tag.
	Side map[string][]Item
	// Err is the error that ended the operator, of a user function or its own; nothing runs afterwards.
	Err error

	t      *graph.Transformation
	sub    *core.Subtask
	rt     *clock
	inst   *core.Instance
	inputs []reflect.Value // func(v T, ts int64), the key already bound
	valves []*watermark.Valve
	chans  int
}

// Handle is a stream of any type.
type Handle interface {
	Transformation() *dataflow.Transformation
	Env() *dataflow.StreamExecutionEnvironment
}

// Operator takes the operator behind a stream into hand; it is opened. The auto watermark interval is the
// environment's.
func (t *T) Operator(s Handle) *Operator { return t.OperatorWith(s, 1) }

// OperatorWith is Operator with that many channels for each input.
func (t *T) OperatorWith(s Handle, channels int) *Operator { return t.operator(s, channels, 0, 1, nil) }

func (t *T) operator(s Handle, channels, index, parallelism int, snapshot any) *Operator {
	o, err := newOperator(s, channels, index, parallelism, snapshot)
	if err != nil {
		t.Fatalf("graph: %v", err)
	}
	if o.Err != nil && !t.Expect.At("error").Exists() {
		t.Fatalf("open: %v", o.Err)
	}
	return o
}

// NewOperator takes the operator behind a stream into hand, outside of a case: it is the only subtask, has one channel for each
// input, and is opened.
func NewOperator(s Handle) (*Operator, error) {
	o, err := newOperator(s, 1, 0, 1, nil)
	if err == nil {
		err = o.Err
	}
	return o, err
}

func newOperator(s Handle, channels, index, parallelism int, snapshot any) (*Operator, error) {
	g, err := s.Env().StreamGraph()
	if err != nil {
		return nil, err
	}
	o := &Operator{t: s.Transformation(), chans: channels, Side: map[string][]Item{}, rt: &clock{}}
	o.sub = &core.Subtask{JobName: g.JobName, TaskName: o.t.Name, Index: index, Parallelism: parallelism, MaxParallelism: 128, Seed: 1,
		WatermarkInterval: g.WatermarkInterval.Milliseconds(), Runtime: o.rt}
	o.guard(o.build)
	o.guard(func() { o.open(snapshot) })
	return o, nil
}

// build makes a fresh instance of the operator.
func (o *Operator) build() {
	o.rt.pending = nil
	outs := core.Outputs{Main: o.recorder(o.t.Out, func(i Item) { o.Out = append(o.Out, i) }), Side: map[string]any{}, Control: control{o}}
	for tag, typ := range o.t.SideOut {
		outs.Side[tag] = o.recorder(typ, func(i Item) { o.Side[tag] = append(o.Side[tag], i) })
	}
	inst, err := o.t.Factory.New(o.sub, outs)
	if err != nil {
		o.rt.Fail(err)
	}
	o.inst, o.inputs = inst, nil
	for i, in := range inst.Inputs {
		if k := keyerOf(o.t.Inputs[i]); k != nil {
			in, _ = k.Bind(o.sub, in)
		}
		o.inputs = append(o.inputs, reflect.ValueOf(in))
	}
	if o.valves == nil {
		for i := range inst.Inputs {
			o.valves = append(o.valves, watermark.NewValve(o.chans, gate{o, i}))
		}
	}
}

// keyerOf is the keyer of the partitioning that an input reads from, nil if there is none.
func keyerOf(in *graph.Transformation) core.Keyer {
	for in.Kind == graph.Partition {
		if k, ok := in.Payload.(core.Keyer); ok {
			return k
		}
		in = in.Inputs[0]
	}
	return nil
}

func (o *Operator) open(snapshot any) {
	if snapshot != nil {
		if err := o.inst.Op.(core.Snapshotter).Restore(snapshot); err != nil {
			o.rt.Fail(err)
		}
	}
	if err := o.inst.Op.Open(); err != nil {
		o.rt.Fail(err)
	}
}

// recorder is an Emit[T] for records of a type that is known at run time only.
func (o *Operator) recorder(typ graph.Type, note func(Item)) any {
	if typ == nil {
		return nil
	}
	f := reflect.FuncOf([]reflect.Type{typ.Reflect(), reflect.TypeFor[int64]()}, nil, false)
	return reflect.MakeFunc(f, func(args []reflect.Value) []reflect.Value {
		note(Item{Value: args[0].Interface(), Time: args[1].Int()})
		return nil
	}).Interface()
}

// guard runs f and takes what ends the operator.
func (o *Operator) guard(f func()) {
	if o.Err != nil {
		return
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case core.Unwind:
			o.Err = o.rt.err
		case error:
			o.Err = r
		default:
			panic(r)
		}
	}()
	f()
}

// Feed gives the operator the items of an input, in order: {e, t}, {wm}, {pt}, {in: 1|2, ..}, {end: true},
// {snapshot_restore: true}, [channel, watermark | IDLE | ACTIVE], or a plain value.
func (o *Operator) Feed(items Value) *Operator {
	for _, v := range items.List() {
		o.guard(func() { o.item(v) })
	}
	return o
}

func (o *Operator) item(v Value) {
	if !v.IsMap() {
		o.Record(0, v, core.NoTimestamp)
		return
	}
	in := 0
	if n := v.At("in"); n.Exists() {
		in = int(n.Int()) - 1
	}
	switch {
	case v.At("wm").Exists():
		o.valves[in].Watermark(0, v.At("wm").Int())
	case v.At("pt").Exists():
		o.rt.advance(v.At("pt").Int())
	case v.At("end").Bool():
		o.inst.Op.EndInput(in)
	case v.At("snapshot_restore").Bool():
		o.restart()
	default:
		ts := core.NoTimestamp
		if t := v.At("t"); t.Exists() {
			ts = t.Int()
		}
		o.Record(in, v.At("e"), ts)
	}
}

// Record gives the operator a record of the YAML on an input, from 0.
func (o *Operator) Record(in int, v Value, ts int64) {
	rec := reflect.New(o.inputs[in].Type().In(0)).Elem()
	v.decode(rec)
	o.put(in, rec, ts)
}

// Put gives the operator a record that a case derives from its input.
func (o *Operator) Put(in int, rec any, ts int64) { o.put(in, reflect.ValueOf(rec), ts) }

func (o *Operator) put(in int, rec reflect.Value, ts int64) {
	o.guard(func() { o.inputs[in].Call([]reflect.Value{rec, reflect.ValueOf(ts)}) })
}

// Watermark gives an input a watermark.
func (o *Operator) Watermark(in int, wm int64) { o.guard(func() { o.valves[in].Watermark(0, wm) }) }

// Status makes an input idle, or active again.
func (o *Operator) Status(in int, idle bool) { o.guard(func() { o.valves[in].Status(0, idle) }) }

// Snapshot returns what the operator holds.
func (o *Operator) Snapshot() (snapshot any) {
	o.guard(func() { snapshot = o.snapshot() })
	return snapshot
}

// Restart takes a snapshot and goes on from it.
func (o *Operator) Restart() { o.RestartFrom(o.Snapshot()) }

// RestartFrom goes on with a new operator that has the snapshot, and the watermarks that came so far.
func (o *Operator) RestartFrom(snapshot any) {
	o.guard(func() { o.restartFrom(snapshot) })
	for i, v := range o.valves {
		if wm := v.Last(); wm != core.MinWatermark {
			o.guard(func() { o.inst.Op.Watermark(i, wm) })
		}
	}
}

// Emit is the func(v T, ts int64) that takes the records of an input, until the next restart. It is called in Guard.
func (o *Operator) Emit(in int) any { return o.inputs[in].Interface() }

// Guard runs f, which gives records to Emit, and takes what ends the operator.
func (o *Operator) Guard(f func()) { o.guard(f) }

// Counters are the operator's own numbers; a restart sets them to zero.
func (o *Operator) Counters() core.Counters {
	if o.inst.Measure != nil {
		o.inst.Measure()
	}
	return *o.inst.Counters
}

// Advance sets the clock and fires what is due.
func (o *Operator) Advance(now int64) { o.guard(func() { o.rt.advance(now) }) }

// FeedChannels gives the first input items of the form [channel, watermark | IDLE | ACTIVE], with the
// channels counted from 0. FeedInputs gives the inputs, counted from 1, such items.
func (o *Operator) FeedChannels(items Value) *Operator {
	for _, v := range items.List() {
		o.guard(func() { mark(o.valves[0], v.List()[0].Int(), v.List()[1]) })
	}
	return o
}

// FeedInputs is FeedChannels for the inputs of a two-input operator, counted from 1.
func (o *Operator) FeedInputs(items Value) *Operator {
	for _, v := range items.List() {
		o.guard(func() { mark(o.valves[v.List()[0].Int()-1], 0, v.List()[1]) })
	}
	return o
}

func mark(valve *watermark.Valve, channel int64, v Value) {
	switch v.Text() {
	case "IDLE":
		valve.Status(int(channel), true)
	case "ACTIVE":
		valve.Status(int(channel), false)
	default:
		valve.Watermark(int(channel), v.Int())
	}
}

// End ends all inputs: the MAX watermark, the end of each input, and the operator finishes.
func (o *Operator) End() *Operator {
	o.guard(func() {
		for i, valve := range o.valves {
			for c := range o.chans {
				valve.Status(c, false)
				valve.Watermark(c, core.MaxWatermark)
			}
			o.inst.Op.EndInput(i)
		}
		o.inst.Op.Finish()
	})
	return o
}

// restart takes a snapshot, throws the operator away, and goes on with a new one that has the snapshot.
func (o *Operator) restart() { o.restartFrom(o.snapshot()) }

func (o *Operator) snapshot() any {
	s, ok := o.inst.Op.(core.Snapshotter)
	if !ok {
		o.rt.Fail(fmt.Errorf("%s has no snapshots", o.t.Name))
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		o.rt.Fail(err)
	}
	return snapshot
}

func (o *Operator) restartFrom(snapshot any) {
	if err := o.inst.Op.Close(); err != nil {
		o.rt.Fail(err)
	}
	o.build()
	o.open(snapshot)
}

// control writes down what the operator forwards.
type control struct{ o *Operator }

func (c control) Watermark(wm int64) {
	c.o.Out = append(c.o.Out, Item{Kind: Watermark, Time: wm})
}

func (c control) Status(idle bool) {
	kind := Active
	if idle {
		kind = Idle
	}
	c.o.Out = append(c.o.Out, Item{Kind: kind})
}

// gate is where the channels of one input meet: the operator.
type gate struct {
	o     *Operator
	input int
}

func (g gate) Watermark(wm int64) { g.o.inst.Op.Watermark(g.input, wm) }
func (g gate) Status(idle bool)   { g.o.inst.Op.Status(g.input, idle) }

// clock is a core.Runtime whose processing time is set by hand.
type clock struct {
	now     int64
	pending []*call
	err     error
}

type call struct {
	at int64
	f  func()
}

// advance sets the time to now and runs what is due. The engine asks to be called one millisecond after
// the time of a timer, because a real clock may stand in the middle of that millisecond; a clock set by
// hand does not, so a timer of now fires.
func (c *clock) advance(now int64) {
	c.now = now
	for {
		var next *call
		for _, p := range c.pending {
			if p.f != nil && p.at <= now+1 && (next == nil || p.at < next.at) {
				next = p
			}
		}
		if next == nil {
			return
		}
		f := next.f
		next.f = nil
		f()
	}
}

func (c *clock) Now() int64 { return c.now }

func (c *clock) After(at int64, f func()) (stop func() bool) {
	p := &call{at, f}
	c.pending = append(c.pending, p)
	return func() bool {
		was := p.f != nil
		p.f = nil
		return was
	}
}

func (c *clock) Poll() bool { return true }
func (c *clock) Wake()      {}

func (c *clock) Wait(_ core.Reason, ready func() bool) bool {
	if !ready() {
		c.Fail(errors.New("the operator waits for something that nobody can give"))
	}
	return true
}

func (c *clock) Fail(err error) {
	c.err = err
	panic(core.Unwind{})
}
