package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
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
	o.event = watermark.NewCombined(2, coTime{o})
	ctx, c, last := newProcessContext(&o.opBase, out), &collector[R]{base: &o.opBase, emit: out.Main.(core.Emit[R])}, new(any)
	if f.first != nil && f.second != nil {
		o.timers = coTimers(o, s, keys, fn, &ctx, c)
		ctx.timers.svc = o.timers
	}
	f1, f2 := f.bind(fn)
	in1, in2 := coInput(&o.opBase, f1, &ctx, c, last), coInput(&o.opBase, f2, &ctx, c, last)
	inputs := []any{keyedInput(f.first, keys, in1), keyedInput(f.second, keys, in2)}
	inst := &core.Instance{Inputs: inputs, Op: o, Record: func() any { return *last }, Counters: &o.n, Measure: measure(&o.n, keys, o.timers.Len)}
	if keys != nil {
		inst.Ahead = keys.LookAhead()
	}
	return inst, nil
}

// keyedInput sets the key for each record of a keyed input; for the other input there is none.
func keyedInput[T any](k keying[T], keys keyBackend, in core.Emit[T]) any {
	switch {
	case k != nil:
		return k.input(keys, in)
	case keys != nil:
		return core.Emit[T](func(v T, ts int64) {
			keys.ClearCurrent()
			in(v, ts)
		})
	}
	return in
}

// coOp is the control side of an operator with two inputs whose function does not know about keys.
type coOp struct {
	opBase
	event  *watermark.Combined
	timers *timer.Service[struct{}] // when both inputs are keyed; else nil
}

func (o *coOp) Watermark(input int, wm int64) { o.event.Watermark(input, wm) }
func (o *coOp) Status(input int, idle bool)   { o.event.Status(input, idle) }

func (o *coOp) Finish() {
	if o.timers != nil {
		o.timers.Quiesce()
	}
}

// coTime receives the event time of both inputs of a coOp together.
type coTime struct{ o *coOp }

func (t coTime) Watermark(wm int64) {
	t.o.wm = wm
	if t.o.timers != nil {
		t.o.timers.AdvanceWatermark(wm)
	}
	t.o.ctl.Watermark(wm)
}

func (t coTime) Status(idle bool) { t.o.ctl.Status(idle) }

// CoOnTimerContext is what OnTimer of a CoProcessFunction may ask (CoProcessFunction.OnTimerContext). Its Timestamp is
// the time of the timer.
type CoOnTimerContext struct {
	*ProcessContext
	domain TimeDomain
}

// TimeDomain tells in which domain the timer was set.
func (c *CoOnTimerContext) TimeDomain() TimeDomain { return c.domain }

// coTimers are the timers of a CoProcessFunction on two keyed streams.
func coTimers[R any](o *coOp, s *core.Subtask, keys state.Keys, fn any, ctx *ProcessContext, out *collector[R]) *timer.Service[struct{}] {
	f, ok := fn.(interface {
		OnTimer(ts int64, ctx *CoOnTimerContext, out Collector[R]) error
	})
	if ok = ok && hasMethod(fn, "OnTimer"); !ok {
		f = nil
	}
	fire := func(d TimeDomain, ts, stamp int64) {
		if f == nil {
			return
		}
		o.enter()
		ctx.ts, out.ts = ts, stamp
		if err := f.OnTimer(ts, &CoOnTimerContext{ctx, d}, out); err != nil {
			o.fail(err)
		}
	}
	return timer.NewService(timer.Config[struct{}]{
		Keys:             keys,
		OnEventTime:      func(ts int64, _ struct{}) { fire(EventTime, ts, ts) },
		OnProcessingTime: func(ts int64, _ struct{}) { fire(ProcessingTime, ts, core.NoTimestamp) },
		After:            func(at int64, f func()) func() bool { return s.Runtime.After(at, f) },
		Batch:            s.Batch,
	})
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
	return &core.Instance{Inputs: inputs, Op: coTimedOp[K, R]{o}, Record: func() any { return *last }, Counters: &o.n, Measure: measure(&o.n, keys, o.svc.Len), Ahead: keys.Ahead}, nil
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
