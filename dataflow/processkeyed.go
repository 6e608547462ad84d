package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
)

// KeyedContext is what a function may ask about the record at hand and its key
// (KeyedProcessFunction.Context).
type KeyedContext[K comparable] struct {
	ProcessContext
	keys *state.Backend[K]
}

// CurrentKey is the key of the record or timer at hand.
func (c *KeyedContext[K]) CurrentKey() K { return c.keys.Key() }

// State returns the handle of a ValueState; asking again is cheap, but a handle obtained in Open is
// cheaper.
func (c *KeyedContext[K]) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return c.base.rt.access.value(d)
}

// ListState returns the handle of a ListState.
func (c *KeyedContext[K]) ListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return c.base.rt.access.list(d)
}

// MapState returns the handle of a MapState.
func (c *KeyedContext[K]) MapState[MK comparable, V any](d *MapStateDescriptor[MK, V]) MapState[MK, V] {
	return c.base.rt.access.mapOf(d)
}

// ReducingState returns the handle of a ReducingState.
func (c *KeyedContext[K]) ReducingState[V any](d *ReducingStateDescriptor[V]) ReducingState[V] {
	return c.base.rt.access.reducing(d)
}

// AggregatingState returns the handle of an AggregatingState.
func (c *KeyedContext[K]) AggregatingState[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT]) AggregatingState[IN, OUT] {
	return c.base.rt.access.aggregating(d)
}

// OnTimerContext is what OnTimer may ask about the timer at hand (KeyedProcessFunction.OnTimerContext).
// Its Timestamp is the time of the timer.
type OnTimerContext[K comparable] struct {
	KeyedContext[K]
	domain TimeDomain
}

// TimeDomain tells in which domain the timer was set.
func (c *OnTimerContext[K]) TimeDomain() TimeDomain { return c.domain }

// processKeyed is the operator of ProcessKeyed and ProcessKeyedFunc; one of its functions is set.
type processKeyed[K comparable, T, R any] struct {
	object KeyedProcessFunction[K, T, R]
	plain  func(v T, ctx *KeyedContext[K], out Collector[R]) error
}

func (f *processKeyed[K, T, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	keys := state.NewBackend[K]()
	each, fn := f.plain, any(nil)
	var timers onTimer[K, R]
	if f.object != nil {
		object := prototype(f.object)
		each, fn = object.ProcessElement, object
		if t, ok := any(object).(onTimer[K, R]); ok && hasMethod(object, "OnTimer") {
			timers = t
		}
	}
	o := newTimed[K, R](s, out, newRuntimeContext(s, &keys.Store), fn, keys, timers)
	last := new(T)
	ctx, c, n := &o.ctx.KeyedContext, &o.out, &o.n
	in := core.KeyedEmit[K, T](func(k K, v T, ts int64) {
		*last = v
		s.Op = o.idx
		n.In++
		keys.SetCurrent(k)
		c.ts, ctx.ts = ts, ts
		if err := each(v, ctx, c); err != nil {
			o.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return *last }, Counters: n, Measure: measure(n, keys, o.svc.Len), Ahead: keys.Ahead}, nil
}

// timed is the control side of an operator with user timers.
type timed[K comparable, R any] struct {
	opBase
	keys   *state.Backend[K]
	svc    *timer.Service[struct{}]
	timers onTimer[K, R] // nil when the function has none
	ctx    OnTimerContext[K]
	out    collector[R]
}

func newTimed[K comparable, R any](s *core.Subtask, out core.Outputs, rt *RuntimeContext, fn any, keys *state.Backend[K], timers onTimer[K, R]) *timed[K, R] {
	o := &timed[K, R]{opBase: newBase(s, out, rt, fn), keys: keys, timers: timers}
	o.out = collector[R]{base: &o.opBase, emit: out.Main.(core.Emit[R])}
	o.svc = timer.NewService(timer.Config[struct{}]{
		Keys:             keys,
		OnEventTime:      func(ts int64, _ struct{}) { o.fire(EventTime, ts, ts) },
		OnProcessingTime: func(ts int64, _ struct{}) { o.fire(ProcessingTime, ts, core.NoTimestamp) },
		After:            func(at int64, f func()) func() bool { return s.Runtime.After(at, f) },
		Batch:            s.Batch,
	})
	o.ctx.KeyedContext = KeyedContext[K]{ProcessContext: newProcessContext(&o.opBase, out), keys: keys}
	o.ctx.timers.svc = o.svc
	return o
}

// fire runs OnTimer for a timer at ts; the results carry the timestamp stamp.
func (o *timed[K, R]) fire(d TimeDomain, ts, stamp int64) {
	if o.timers == nil {
		return
	}
	o.enter()
	o.ctx.domain, o.ctx.ts, o.out.ts = d, ts, stamp
	if err := o.timers.OnTimer(ts, &o.ctx, &o.out); err != nil {
		o.fail(err)
	}
}

func (o *timed[K, R]) Watermark(input int, wm int64) {
	o.wm = wm
	o.svc.AdvanceWatermark(wm)
	o.ctl.Watermark(wm)
}

func (o *timed[K, R]) Finish() { o.svc.Quiesce() }
