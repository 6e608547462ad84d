package dataflow

import (
	"iter"
	"time"

	"flinkish/dataflow/internal/window"
)

// WindowedStream is a keyed stream whose records are gathered in windows, key by key (Flink's
// WindowedStream). The setters change it; each of the other methods makes an operator. A result has the timestamp
// window.MaxTimestamp().
type WindowedStream[T any, K comparable, W Window] struct {
	in   *DataStream[T]
	call string // that made it: Window or CountWindow
	spec windowSpec[T, W]
}

// windowSpec is when and how windows fire.
type windowSpec[T any, W Window] struct {
	assigner window.Assigner[W]
	trigger  window.TriggerSpec
	evictor  window.EvictorSpec // nil: none
	lateness int64              // ms
	late     OutputTag[T]       // id empty: late records are counted and dropped
	call     string             // that gave the assigner
}

// Window gathers the records of each key in the windows that a assigns.
func (k *KeyedStream[T, K]) Window[W Window](a WindowAssigner[W]) *WindowedStream[T, K, W] {
	return windowed[T, K](&k.DataStream, "Window", a)
}

func windowed[T any, K comparable, W Window](in *DataStream[T], call string, a WindowAssigner[W]) *WindowedStream[T, K, W] {
	w := &WindowedStream[T, K, W]{in: in, call: call}
	w.spec.assign(in.env, in.tr.Name, call, a)
	return w
}

// assign sets the assigner, and the trigger to its default.
func (s *windowSpec[T, W]) assign(e *StreamExecutionEnvironment, op, call string, a WindowAssigner[W]) {
	s.call = call
	if e.nilArg(nothing(a), call, "window assigner") {
		a = wrongAssigner[W]{}
	} else if err := assignerMistake[T](a); err != nil {
		e.blame(op, call, err)
	}
	s.assigner, s.trigger = ownAssigner[T](a), window.Never()
	switch a := a.(type) {
	case interface{ DefaultTrigger() window.TriggerSpec }:
		s.trigger = a.DefaultTrigger()
	case interface{ DefaultTrigger() AnyTrigger }:
		if !hasMethod(a, "DefaultTrigger") {
			return
		}
		t := a.DefaultTrigger()
		if of, ok := t.(triggerOf); ok && of.spec != nil {
			s.fireBy(e, op, call, of.spec)
		} else {
			s.setTrigger(e, op, t) // which says what is wrong
		}
	}
}

// CountOption changes a count window.
type CountOption func(*int64)

// CountSlide lets a count window fire every n records over the last ones.
func CountSlide(n int64) CountOption { return func(slide *int64) { *slide = n } }

// CountWindow gathers n records of each key; what is left at the end is never emitted. With CountSlide(m) it
// fires every m records over the last up to n.
//
// It has a type parameter, which is always inferred, so that windows are compiled for those record types only
// that have some; so have the other methods with one for a plain number or name.
func (k *KeyedStream[T, K]) CountWindow[N ~int | ~int64](n N, opts ...CountOption) *WindowedStream[T, K, GlobalWindow] {
	return countWindow[T, K](&k.DataStream, "CountWindow", int64(n), opts)
}

func countWindow[T any, K comparable](in *DataStream[T], call string, n int64, opts []CountOption) *WindowedStream[T, K, GlobalWindow] {
	slide := int64(0)
	for _, o := range opts {
		o(&slide)
	}
	if n <= 0 || len(opts) > 0 && slide <= 0 {
		in.env.fail("IllegalArgument", in.tr.Name, call, "the size and the slide must be positive, got %d and %d", n, slide)
	}
	w := windowed[T, K](in, call, GlobalWindows())
	if len(opts) == 0 {
		w.spec.trigger = window.Purging(window.Count(n))
	} else {
		w.spec.trigger, w.spec.evictor = window.Count(slide), window.CountEvictor(n, false)
	}
	return w
}

// Trigger sets when windows fire, in place of the assigner's default.
func (w *WindowedStream[T, K, W]) Trigger(t AnyTrigger) *WindowedStream[T, K, W] {
	w.spec.setTrigger(w.in.env, w.in.tr.Name, t)
	return w
}

func (s *windowSpec[T, W]) setTrigger(e *StreamExecutionEnvironment, op string, t AnyTrigger) {
	to, ok := t.(triggerOf)
	switch {
	case !ok || to.spec == nil && to.err == nil:
		e.nilArg(true, "Trigger", "trigger")
		return
	case to.err != nil:
		e.blame(op, "Trigger", to.err)
		return
	}
	s.fireBy(e, op, "Trigger", to.spec)
}

// fireBy sets the trigger, which must fit records and windows.
func (s *windowSpec[T, W]) fireBy(e *StreamExecutionEnvironment, op, call string, t window.TriggerSpec) {
	built, err := window.BuildTrigger[T, W](t, nil)
	if err != nil {
		e.fail("IllegalArgument", op, call, "%s", err)
		return
	}
	if err := window.CheckMerging(s.assigner, built, t.String()); err != nil {
		e.fail("UnsupportedOperation", op, call, "%s", err)
		return
	}
	s.trigger = t
}

// Evictor sets what is removed from a window when it fires. The window then keeps all its records.
func (w *WindowedStream[T, K, W]) Evictor(v AnyEvictor) *WindowedStream[T, K, W] {
	w.spec.setEvictor(w.in.env, w.in.tr.Name, v)
	return w
}

func (s *windowSpec[T, W]) setEvictor(e *StreamExecutionEnvironment, op string, v AnyEvictor) {
	of, ok := v.(evictorOf)
	if e.nilArg(!ok, "Evictor", "evictor") {
		return
	}
	if of.err != nil {
		e.blame(op, "Evictor", of.err)
		return
	}
	if _, err := window.BuildEvictor[T, W](of.spec, nil); err != nil {
		e.fail("IllegalArgument", op, "Evictor", "%s", err)
		return
	}
	s.evictor = of.spec
}

// AllowedLateness keeps event-time windows for d after their end: a record that comes late by less fires its
// window again. It has no effect on processing-time windows.
func (w *WindowedStream[T, K, W]) AllowedLateness(d time.Duration) *WindowedStream[T, K, W] {
	w.spec.setLateness(w.in.env, w.in.tr.Name, d)
	return w
}

func (s *windowSpec[T, W]) setLateness(e *StreamExecutionEnvironment, op string, d time.Duration) {
	if d < 0 {
		e.fail("IllegalArgument", op, "AllowedLateness", "the allowed lateness must not be negative, got %v", d)
		return
	}
	if e.whole(op, "AllowedLateness", "the allowed lateness", d) {
		s.lateness = d.Milliseconds()
	}
}

// SideOutputLateData sends records that are too late to a side output of the result, instead of dropping
// them.
func (w *WindowedStream[T, K, W]) SideOutputLateData(tag OutputTag[T]) *WindowedStream[T, K, W] {
	if checkTag(w.in.env, "SideOutputLateData", tag) {
		w.spec.late = tag
	}
	return w
}

// Apply calls f with all records of a window when it fires (WindowFunction). vs is valid during the call only.
func (w *WindowedStream[T, K, W]) Apply[R any](f func(k K, w W, vs iter.Seq[T], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.in.env.checkFunction("Apply", f)
	return w.apply("WindowFunction", func(k K, win W, vs iter.Seq[T], out Collector[R]) error { f(k, win, vs, out); return nil }, opts)
}

// ApplyE is Apply with a function that may fail; its error fails the job.
func (w *WindowedStream[T, K, W]) ApplyE[R any](f func(k K, w W, vs iter.Seq[T], out Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.in.env.checkFunction("ApplyE", f)
	return w.apply("WindowFunction", f, opts)
}

func (w *WindowedStream[T, K, W]) apply[R any](class string, f func(k K, w W, vs iter.Seq[T], out Collector[R]) error, opts []TypeOption) *SingleOutputStreamOperator[R] {
	call := func(any) windowFunc[K, T, R, W] {
		return func(k K, ctx *ProcessWindowContext[W], vs iter.Seq[T], out Collector[R]) error {
			return f(k, ctx.window, vs, out)
		}
	}
	return w.list(class, nil, call, opts)
}

// Process calls f with all records of a window when it fires. Each subtask works on its own copy of f.
func (w *WindowedStream[T, K, W]) Process[R any](f ProcessWindowFunction[T, R, K, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.in.env.checkFunction("Process", f, clearMethod[W]())
	return w.list(functionName(f), f, bindProcess[T, R, K, W], opts)
}

func (w *WindowedStream[T, K, W]) list[R any](class string, fn any, bind func(any) windowFunc[K, T, R, W], opts []TypeOption) *SingleOutputStreamOperator[R] {
	f := &windowFactory[K, T, []T, T, R, W]{spec: w.spec, fn: fn, bind: bind, fold: listOf[T]}
	return windowOperator[R](w, f, opts, class)
}

// Reduce folds the records of a window as they come: f(accumulated, new).
func (w *WindowedStream[T, K, W]) Reduce(f func(a, b T) T) *SingleOutputStreamOperator[T] {
	w.in.env.checkFunction("Reduce", f)
	return w.in.sameType(w.reduce("ReduceFunction", "PassThroughWindowFunction", f, nil, passThrough[K, T, W], nil))
}

// ReduceE is Reduce with a function that may fail; its error fails the job.
func (w *WindowedStream[T, K, W]) ReduceE(f func(a, b T) (T, error)) *SingleOutputStreamOperator[T] {
	w.in.env.checkFunction("ReduceE", f)
	return w.Reduce(orPanic(f))
}

// ReduceWith folds the records of a window and hands the one result to wf. Each subtask works on its own copy
// of wf.
func (w *WindowedStream[T, K, W]) ReduceWith[R any](f func(a, b T) T, wf ProcessWindowFunction[T, R, K, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.in.env.checkFunction("ReduceWith", f)
	w.in.env.checkFunction("ReduceWith", wf, clearMethod[W]())
	return w.reduce("ReduceFunction", functionName(wf), f, wf, bindProcess[T, R, K, W], opts)
}

func (w *WindowedStream[T, K, W]) reduce[R any](class, class2 string, f func(a, b T) T, fn any, bind func(any) windowFunc[K, T, R, W], opts []TypeOption) *SingleOutputStreamOperator[R] {
	contents := func() window.Contents[T, T] { return window.ReduceOf(f) }
	return w.reduceWith(class, class2, contents, f, fn, bind, opts)
}

func (w *WindowedStream[T, K, W]) reduceWith[R any](class, class2 string, contents func() window.Contents[T, T], f func(a, b T) T, fn any, bind func(any) windowFunc[K, T, R, W], opts []TypeOption) *SingleOutputStreamOperator[R] {
	factory := &windowFactory[K, T, T, T, R, W]{
		spec: w.spec, fn: fn, bind: bind,
		fold: func() folding[T, T, T] {
			return folding[T, T, T]{contents: contents(), result: oneOf(func(a *T) T { return *a }), evicted: reduced(f)}
		},
	}
	return windowOperator[R](w, factory, opts, class, class2)
}

// reduced folds what an evictor left; nothing is folded to nothing.
func reduced[T any](f func(a, b T) T) func(vs []T) iter.Seq[T] {
	return func(vs []T) iter.Seq[T] {
		if len(vs) == 0 {
			return nil
		}
		acc := vs[0]
		for _, v := range vs[1:] {
			acc = f(acc, v)
		}
		return one(acc)
	}
}

// Aggregate folds the records of a window into an accumulator as they come. Each subtask works on its own copy of f,
// which must not have Open or Close.
func (w *WindowedStream[T, K, W]) Aggregate[ACC, R any](f AggregateFunction[T, ACC, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.checkAggregate("Aggregate", f)
	return aggregateWindow(w, f, "PassThroughWindowFunction", nil, passThrough[K, R, W], opts)
}

// AggregateWith folds the records of a window into an accumulator and hands the one result to wf. Each subtask
// works on its own copies of f and wf.
func (w *WindowedStream[T, K, W]) AggregateWith[ACC, V, R any](f AggregateFunction[T, ACC, V], wf ProcessWindowFunction[V, R, K, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.checkAggregate("AggregateWith", f)
	w.in.env.checkFunction("AggregateWith", wf, clearMethod[W]())
	return aggregateWindow(w, f, functionName(wf), wf, bindProcess[V, R, K, W], opts)
}

func (w *WindowedStream[T, K, W]) checkAggregate(call string, f any) {
	if w.in.env.checkFunction(call, f) && isRich(f) {
		w.in.env.fail("UnsupportedOperation", w.in.tr.Name, call, "the aggregate function must not have Open or Close: it runs inside the window's state; use a window function for that")
	}
}

func aggregateWindow[T any, K comparable, W Window, ACC, V, R any](w *WindowedStream[T, K, W], f AggregateFunction[T, ACC, V], class2 string, fn any, bind func(any) windowFunc[K, V, R, W], opts []TypeOption) *SingleOutputStreamOperator[R] {
	factory := &windowFactory[K, T, ACC, V, R, W]{
		spec: w.spec, fn: fn, bind: bind, fold: func() folding[T, ACC, V] { return aggregated(prototype(f)) },
	}
	return windowOperator[R](w, factory, opts, functionName(f), class2)
}

// aggregated is the folding of one instance with f.
func aggregated[T, ACC, V any](f AggregateFunction[T, ACC, V]) folding[T, ACC, V] {
	return folding[T, ACC, V]{
		contents: window.AggregateOf(f.CreateAccumulator, f.Add, f.Merge),
		result:   oneOf(func(a *ACC) V { return f.GetResult(*a) }),
		evicted: func(vs []T) iter.Seq[V] {
			acc := f.CreateAccumulator()
			for _, v := range vs {
				acc = f.Add(v, acc)
			}
			return one(f.GetResult(acc))
		},
	}
}
