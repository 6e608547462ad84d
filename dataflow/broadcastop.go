package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/watermark"
)

// Process hands the records of both streams to f. The first stream must not be keyed. Each subtask works on its own
// copy of f.
func (c *BroadcastConnectedStream[A, B]) Process[R any](f BroadcastProcessFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	e := c.Env()
	e.checkFunction("Process", f)
	if c.first.keys != nil {
		e.fail("IllegalArgument", c.first.tr.Name, "Process", "a BroadcastProcessFunction needs a stream that is not keyed; use ProcessKeyed with a KeyedBroadcastProcessFunction")
	}
	return broadcastOperator[A, B, R](c, "Co-Process-Broadcast", &broadcastFactory[A, B, R]{c.second.descs, f}, false, opts)
}

// ProcessKeyed hands the records of both streams to f. The first stream must be keyed by K. Each subtask works on its
// own copy of f.
func (c *BroadcastConnectedStream[A, B]) ProcessKeyed[K comparable, R any](f KeyedBroadcastProcessFunction[K, A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	e := c.Env()
	e.checkFunction("ProcessKeyed", f, optional[func(int64, *BroadcastOnTimerContext[K], Collector[R]) error]("OnTimer"))
	if k := keyParam[K](e); !keyedBy[A, K](c.first.keys, k) {
		e.fail("IllegalArgument", c.first.tr.Name, "ProcessKeyed", "a KeyedBroadcastProcessFunction needs a stream keyed by %s; call KeyBy before ConnectBroadcast, or use Process", k)
	}
	return broadcastOperator[A, B, R](c, "Co-Process-Broadcast-Keyed", &broadcastKeyed[K, A, B, R]{c.second.descs, f}, true, opts)
}

func broadcastOperator[A, B, R any](c *BroadcastConnectedStream[A, B], name string, f core.Factory, keyed bool, opts []TypeOption) *SingleOutputStreamOperator[R] {
	t := &Transformation{Name: name, Inputs: []*Transformation{c.first.tr, c.second.in.tr}, Factory: f, Keyed: keyed}
	return operator[R](c.Env(), t, opts)
}

type broadcastFactory[A, B, R any] struct {
	descs []BroadcastStateDescriptor
	f     BroadcastProcessFunction[A, B, R]
}

func (f *broadcastFactory[A, B, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	fn := prototype(f.f)
	o := &coOp{opBase: newBase(s, out, newRuntimeContext(s, nil), fn)}
	o.event = watermark.NewCombined(2, coTime{o})
	pc, c, last := newProcessContext(&o.opBase, out), &collector[R]{base: &o.opBase, emit: out.Main.(core.Emit[R])}, new(any)
	states := newBroadcastStates(&o.opBase, f.descs)
	read, write := &ReadOnlyBroadcastContext{&pc, states}, &BroadcastContext{&pc, states}
	in1 := coInput(&o.opBase, func(v A, _ *ProcessContext, out Collector[R]) error { return fn.ProcessElement(v, read, out) }, &pc, c, last)
	in2 := coInput(&o.opBase, func(v B, _ *ProcessContext, out Collector[R]) error {
		return fn.ProcessBroadcastElement(v, write, out)
	}, &pc, c, last)
	return &core.Instance{Inputs: []any{in1, in2}, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

type broadcastKeyed[K comparable, A, B, R any] struct {
	descs []BroadcastStateDescriptor
	f     KeyedBroadcastProcessFunction[K, A, B, R]
}

// onBroadcastTimer is the optional method of a KeyedBroadcastProcessFunction.
type onBroadcastTimer[K comparable, R any] interface {
	OnTimer(ts int64, ctx *BroadcastOnTimerContext[K], out Collector[R]) error
}

// broadcastTimers is an onBroadcastTimer as an onTimer.
type broadcastTimers[K comparable, R any] struct {
	f      onBroadcastTimer[K, R]
	states **broadcastStates
}

func (t broadcastTimers[K, R]) OnTimer(ts int64, ctx *OnTimerContext[K], out Collector[R]) error {
	return t.f.OnTimer(ts, &BroadcastOnTimerContext[K]{ctx, *t.states}, out)
}

func (f *broadcastKeyed[K, A, B, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	keys := state.NewBackend[K]()
	fn := prototype(f.f)
	states := new(*broadcastStates)
	var timers onTimer[K, R]
	if t, ok := any(fn).(onBroadcastTimer[K, R]); ok && hasMethod(fn, "OnTimer") {
		timers = broadcastTimers[K, R]{t, states}
	}
	o := &coTimed[K, R]{timed: newTimed[K, R](s, out, newRuntimeContext(s, &keys.Store), fn, keys, timers)}
	o.event = watermark.NewCombined(2, o)
	*states = newBroadcastStates(&o.opBase, f.descs)
	last, kc := new(any), &o.ctx.KeyedContext
	read, write := &KeyedReadOnlyBroadcastContext[K]{kc, *states}, &KeyedBroadcastContext[K]{kc, *states}
	in1 := coKeyedInput(o, func(v A, _ *KeyedContext[K], out Collector[R]) error { return fn.ProcessElement(v, read, out) }, last)
	in2 := core.Emit[B](func(v B, ts int64) {
		*last = v
		o.enter()
		o.n.In++
		keys.ClearCurrent()
		o.out.ts, kc.ts = ts, ts
		if err := fn.ProcessBroadcastElement(v, write, &o.out); err != nil {
			o.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in1, in2}, Op: coTimedOp[K, R]{o}, Record: func() any { return *last }, Counters: &o.n, Measure: measure(&o.n, keys, o.svc.Len), Ahead: keys.Ahead}, nil
}
