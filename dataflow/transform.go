package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
	"flinkish/dataflow/internal/watermark"
)

// OneInputOperator is an operator of the program's own for Transform (Flink's OneInputStreamOperator). It may have Open,
// Close and
//
//	ProcessWatermark(wm int64, ctx *OperatorContext[R]) error // must send wm on; without it that is done for it
//	EndInput(ctx *OperatorContext[R]) error                   // the input has ended
//	OnTimer(ts int64, ctx *OperatorContext[R]) error          // on a keyed stream
type OneInputOperator[T, R any] interface {
	// ProcessElement handles a record. On a keyed stream its key is set: states opened in Open and timers belong to it.
	ProcessElement(v T, ctx *OperatorContext[R]) error
}

// TwoInputOperator is an operator of the program's own on connected streams (Flink's TwoInputStreamOperator). It may have
// the optional methods of a OneInputOperator, where ProcessWatermark gets the watermark of both inputs together; EndInput
// gets the number of the input, 1 or 2, first:
//
//	EndInput(input int, ctx *OperatorContext[R]) error
type TwoInputOperator[A, B, R any] interface {
	// ProcessElement1 handles a record of the first stream.
	ProcessElement1(v A, ctx *OperatorContext[R]) error
	// ProcessElement2 handles a record of the second stream.
	ProcessElement2(v B, ctx *OperatorContext[R]) error
}

// OperatorContext is what a raw operator may ask, and where it sends its results (Flink's Output). It belongs to the
// goroutine of the subtask, and must not be used after Close.
type OperatorContext[R any] struct {
	ProcessContext
	emit  core.Emit[R]
	event watermark.Emission
}

// Collect sends v on with the timestamp of the record or timer at hand.
func (c *OperatorContext[R]) Collect(v R) { c.send(v, c.ts) }

// CollectWithTimestamp sends v on with a timestamp in milliseconds.
func (c *OperatorContext[R]) CollectWithTimestamp(v R, ts int64) { c.send(v, ts) }

func (c *OperatorContext[R]) send(v R, ts int64) {
	b := c.base
	c.emit(v, ts)
	b.sub.Op = b.idx
}

// EmitWatermark says that no later record has a timestamp <= wm, in milliseconds. A watermark that is not above the last
// one is dropped.
func (c *OperatorContext[R]) EmitWatermark(wm int64) {
	c.event.EmitWatermark(wm)
	c.base.enter()
}

// Transform adds an operator of the program's own (transform). Each subtask works on its own copy of op. The operator has
// no key on a stream that is not keyed: then it cannot use keyed state and timers.
func (d *DataStream[T]) Transform[R any](name string, op OneInputOperator[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("Transform", op, rawMethods[R](optional[func(*OperatorContext[R]) error]("EndInput"))...)
	return transform[T, R](d, name, func() OneInputOperator[T, R] { return prototype(op) }, opts)
}

// TransformFactory is Transform with a factory, which is called once for each subtask.
func (d *DataStream[T]) TransformFactory[R any](name string, f func() OneInputOperator[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.nilArg(f == nil, "TransformFactory", "factory")
	return transform[T, R](d, name, f, opts)
}

func transform[T, R any](d *DataStream[T], name string, f func() OneInputOperator[T, R], opts []TypeOption) *SingleOutputStreamOperator[R] {
	t := &Transformation{Name: name, Inputs: []*Transformation{d.tr}, Factory: &rawOne[T, R]{d.keys, f}, Keyed: d.keys != nil}
	return operator[R](d.env, t, opts)
}

// Transform adds an operator of the program's own that reads both streams. Each subtask works on its own copy of op. One
// keyed input is enough: a key is then at hand for its records only. Timers need two.
func (c *ConnectedStreams[A, B]) Transform[R any](name string, op TwoInputOperator[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().checkFunction("Transform", op, rawMethods[R](optional[func(int, *OperatorContext[R]) error]("EndInput"))...)
	f := func() TwoInputOperator[A, B, R] { return prototype(op) }
	return coOperator[A, B, R](c, name, &rawTwo[A, B, R]{c.first.keys, c.second.keys, f}, opts)
}

// TransformFactory is Transform with a factory, which is called once for each subtask.
func (c *ConnectedStreams[A, B]) TransformFactory[R any](name string, f func() TwoInputOperator[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.Env().nilArg(f == nil, "TransformFactory", "factory")
	return coOperator[A, B, R](c, name, &rawTwo[A, B, R]{c.first.keys, c.second.keys, f}, opts)
}

// rawMethods are the optional methods of a raw operator.
func rawMethods[R any](endInput signature) []signature {
	return []signature{endInput, optional[func(int64, *OperatorContext[R]) error]("ProcessWatermark"),
		optional[func(int64, *OperatorContext[R]) error]("OnTimer")}
}

// rawOp is the control side of a raw operator.
type rawOp[R any] struct {
	opBase
	ctx       OperatorContext[R]
	keys      keyBackend                                   // nil without a keyed input
	timers    *timer.Service[struct{}]                     // nil unless every input is keyed
	combined  *watermark.Combined                          // of two inputs
	watermark func(wm int64, c *OperatorContext[R]) error  // nil: forward
	onTimer   func(ts int64, c *OperatorContext[R]) error  // nil: none
	endInput  func(input int, c *OperatorContext[R]) error // nil: none
	last      any
}

func newRaw[R any](s *core.Subtask, out core.Outputs, fn any, keys keyBackend, store *state.Store, timers bool) *rawOp[R] {
	o := &rawOp[R]{opBase: newBase(s, out, newRuntimeContext(s, store), fn), keys: keys}
	o.ctx = OperatorContext[R]{newProcessContext(&o.opBase, out), out.Main.(core.Emit[R]), watermark.NewEmission(out.Control)}
	if f, ok := fn.(interface {
		ProcessWatermark(int64, *OperatorContext[R]) error
	}); ok && hasMethod(fn, "ProcessWatermark") {
		o.watermark = f.ProcessWatermark
	}
	if f, ok := fn.(interface {
		OnTimer(int64, *OperatorContext[R]) error
	}); ok && hasMethod(fn, "OnTimer") {
		o.onTimer = f.OnTimer
	}
	if timers {
		o.timers = timer.NewService(timer.Config[struct{}]{
			Keys:             keys,
			OnEventTime:      func(ts int64, _ struct{}) { o.fire(ts, ts) },
			OnProcessingTime: func(ts int64, _ struct{}) { o.fire(ts, core.NoTimestamp) },
			After:            func(at int64, f func()) func() bool { return s.Runtime.After(at, f) },
			Batch:            s.Batch,
		})
		o.ctx.timers.svc = o.timers
	}
	return o
}

// call runs user code that works on no record; results carry the timestamp stamp.
func (o *rawOp[R]) call(stamp int64, f func(c *OperatorContext[R]) error) {
	o.enter()
	o.ctx.ts = stamp
	if err := f(&o.ctx); err != nil {
		o.fail(err)
	}
}

func (o *rawOp[R]) fire(ts, stamp int64) {
	if o.onTimer != nil {
		o.call(stamp, func(c *OperatorContext[R]) error { return o.onTimer(ts, c) })
	}
}

// rawInput makes the Emit of one input.
func rawInput[T, R any](o *rawOp[R], f func(v T, c *OperatorContext[R]) error) core.Emit[T] {
	return func(v T, ts int64) {
		o.last = v
		o.enter()
		o.n.In++
		o.ctx.ts = ts
		if err := f(v, &o.ctx); err != nil {
			o.fail(err)
		}
	}
}

// instance is o with these inputs.
func (o *rawOp[R]) instance(inputs ...any) *core.Instance {
	inst := &core.Instance{Inputs: inputs, Op: o, Record: func() any { return o.last }, Counters: &o.n, Measure: measure(&o.n, o.keys, o.timers.Len)}
	if o.keys != nil {
		inst.Ahead = o.keys.LookAhead()
	}
	return inst
}

func (o *rawOp[R]) Watermark(input int, wm int64) {
	if o.combined != nil {
		o.combined.Watermark(input, wm)
		return
	}
	o.advance(wm)
}

func (o *rawOp[R]) Status(input int, idle bool) {
	if o.combined != nil {
		o.combined.Status(input, idle)
		return
	}
	o.status(idle)
}

// advance fires the timers up to wm and hands it to the operator.
func (o *rawOp[R]) advance(wm int64) {
	o.wm = wm
	if o.timers != nil {
		o.timers.AdvanceWatermark(wm)
	}
	switch {
	case wm == core.MinWatermark: // BATCH mode begins the next key: event time starts anew
		o.ctx.event = watermark.NewEmission(o.ctl)
		o.ctl.Watermark(wm)
	case o.watermark != nil:
		o.unkeyed()
		o.call(core.NoTimestamp, func(c *OperatorContext[R]) error { return o.watermark(wm, c) })
	default:
		o.ctx.event.EmitWatermark(wm)
	}
}

func (o *rawOp[R]) status(idle bool) {
	if idle {
		o.ctx.event.MarkIdle()
	} else {
		o.ctx.event.MarkActive()
	}
}

// unkeyed makes sure that code which has no record has no key either.
func (o *rawOp[R]) unkeyed() {
	if o.keys != nil {
		o.keys.ClearCurrent()
	}
}

func (o *rawOp[R]) EndInput(input int) {
	if o.endInput != nil {
		o.unkeyed()
		o.call(core.NoTimestamp, func(c *OperatorContext[R]) error { return o.endInput(input+1, c) })
	}
}

func (o *rawOp[R]) Finish() {
	if o.timers != nil {
		o.timers.Quiesce()
	}
}

// Snapshot returns state and timers.
func (o *rawOp[R]) Snapshot() (any, error) { return snapshotTimers(&o.opBase, o.timers) }

// Restore takes state and timers over.
func (o *rawOp[R]) Restore(snapshot any) error { return restoreTimers(&o.opBase, o.timers, snapshot) }

// rawTime receives the event time of both inputs of a rawOp together.
type rawTime[R any] struct{ o *rawOp[R] }

func (t rawTime[R]) Watermark(wm int64) { t.o.advance(wm) }
func (t rawTime[R]) Status(idle bool)   { t.o.status(idle) }

// rawOne builds the instances of a OneInputOperator.
type rawOne[T, R any] struct {
	keys keying[T]
	make func() OneInputOperator[T, R]
}

func (f *rawOne[T, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	var keys keyBackend
	var store *state.Store
	if f.keys != nil {
		keys, store = f.keys.backend()
	}
	fn := f.make()
	o := newRaw[R](s, out, fn, keys, store, keys != nil)
	if e, ok := fn.(interface {
		EndInput(*OperatorContext[R]) error
	}); ok && hasMethod(fn, "EndInput") {
		o.endInput = func(_ int, c *OperatorContext[R]) error { return e.EndInput(c) }
	}
	return o.instance(keyedInput(f.keys, keys, rawInput(o, fn.ProcessElement))), nil
}

// rawTwo builds the instances of a TwoInputOperator.
type rawTwo[A, B, R any] struct {
	first  keying[A]
	second keying[B]
	make   func() TwoInputOperator[A, B, R]
}

func (f *rawTwo[A, B, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	var keys keyBackend
	var store *state.Store
	switch {
	case f.first != nil:
		keys, store = f.first.backend()
	case f.second != nil:
		keys, store = f.second.backend()
	}
	fn := f.make()
	o := newRaw[R](s, out, fn, keys, store, f.first != nil && f.second != nil)
	o.combined = watermark.NewCombined(2, rawTime[R]{o})
	if e, ok := fn.(interface {
		EndInput(int, *OperatorContext[R]) error
	}); ok && hasMethod(fn, "EndInput") {
		o.endInput = e.EndInput
	}
	return o.instance(keyedInput(f.first, keys, rawInput(o, fn.ProcessElement1)), keyedInput(f.second, keys, rawInput(o, fn.ProcessElement2))), nil
}
