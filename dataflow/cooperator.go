package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/watermark"
)

// coFunc handles the records of one input of an operator on connected streams.
type coFunc[T, R any] func(v T, ctx *ProcessContext, out Collector[R]) error

// coInput makes the Emit of one input.
func coInput[T, R any](b *opBase, f coFunc[T, R], ctx *ProcessContext, out *collector[R], last *any) core.Emit[T] {
	return func(v T, ts int64) {
		*last = v
		b.enter()
		b.n.In++
		out.ts, ctx.ts = ts, ts
		if err := f(v, ctx, out); err != nil {
			b.fail(err)
		}
	}
}

// coPlain is the operator of a function that does not know about keys. Keyed state is at hand for records of a
// keyed input.
type coPlain[A, B, R any] struct {
	first  keying[A]
	second keying[B]
	fn     any
	bind   func(fn any) (coFunc[A, R], coFunc[B, R])
}

func (f *coPlain[A, B, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	var keys keyBackend
	var store *state.Store
	switch {
	case f.first != nil:
		keys, store = f.first.backend()
	case f.second != nil:
		keys, store = f.second.backend()
	}
	fn := prototype(f.fn)
	o := &coOp{opBase: newBase(s, out, newRuntimeContext(s, store), fn)}
	o.event = watermark.NewCombined(2, o.ctl)
	ctx, c, last := newProcessContext(&o.opBase, out), &collector[R]{base: &o.opBase, emit: out.Main.(core.Emit[R])}, new(any)
	f1, f2 := f.bind(fn)
	in1, in2 := coInput(&o.opBase, f1, &ctx, c, last), coInput(&o.opBase, f2, &ctx, c, last)
	inputs := []any{keyedInput(f.first, keys, in1, &o.n), keyedInput(f.second, keys, in2, &o.n)}
	return &core.Instance{Inputs: inputs, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

// keyedInput sets the key for each record of a keyed input; for the other input there is none.
func keyedInput[T any](k keying[T], keys keyBackend, in core.Emit[T], n *core.Counters) any {
	switch {
	case k != nil:
		return k.input(keys, in, n)
	case keys != nil:
		return core.Emit[T](func(v T, ts int64) {
			keys.ClearCurrent()
			in(v, ts)
		})
	}
	return in
}

// coOp is the control side of an operator with two inputs and without timers.
type coOp struct {
	opBase
	event *watermark.Combined
}

func (o *coOp) Watermark(input int, wm int64) {
	o.event.Watermark(input, wm)
	o.wm = o.event.Last()
}

func (o *coOp) Status(input int, idle bool) {
	o.event.Status(input, idle)
	o.wm = o.event.Last()
}

// coKeyed is the operator of a KeyedCoProcessFunction.
type coKeyed[K comparable, A, B, R any] struct {
	f KeyedCoProcessFunction[K, A, B, R]
}

func (f *coKeyed[K, A, B, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	keys := state.NewBackend[K]()
	fn := prototype(f.f)
	timers, ok := any(fn).(onTimer[K, R])
	if !ok || !hasMethod(fn, "OnTimer") {
		timers = nil
	}
	o := &coTimed[K, R]{timed: newTimed[K, R](s, out, newRuntimeContext(s, &keys.Store), fn, keys, timers)}
	o.event = watermark.NewCombined(2, o)
	last := new(any)
	inputs := []any{coKeyedInput(o, fn.ProcessElement1, last), coKeyedInput(o, fn.ProcessElement2, last)}
	return &core.Instance{Inputs: inputs, Op: coTimedOp[K, R]{o}, Record: func() any { return *last }, Counters: &o.n}, nil
}

func coKeyedInput[K comparable, T, R any](o *coTimed[K, R], f func(v T, ctx *KeyedContext[K], out Collector[R]) error, last *any) core.KeyedEmit[K, T] {
	ctx := &o.ctx.KeyedContext
	return func(k K, v T, ts int64) {
		*last = v
		o.enter()
		o.n.In++
		o.keys.SetCurrent(k)
		o.out.ts, ctx.ts = ts, ts
		if err := f(v, ctx, &o.out); err != nil {
			o.fail(err)
		}
		o.count()
	}
}

// coTimed receives the event time of both inputs together, as a core.Control.
type coTimed[K comparable, R any] struct {
	*timed[K, R]
	event *watermark.Combined
}

func (o *coTimed[K, R]) Watermark(wm int64) { o.timed.Watermark(0, wm) }
func (o *coTimed[K, R]) Status(idle bool)   { o.timed.Status(0, idle) }

// coTimedOp is a coTimed as a core.Op.
type coTimedOp[K comparable, R any] struct{ o *coTimed[K, R] }

func (c coTimedOp[K, R]) Open() error                   { return c.o.Open() }
func (c coTimedOp[K, R]) Watermark(input int, wm int64) { c.o.event.Watermark(input, wm) }
func (c coTimedOp[K, R]) Status(input int, idle bool)   { c.o.event.Status(input, idle) }
func (c coTimedOp[K, R]) EndInput(input int)            { c.o.EndInput(input) }
func (c coTimedOp[K, R]) Finish()                       { c.o.Finish() }
func (c coTimedOp[K, R]) Close() error                  { return c.o.Close() }
