package dataflow

import (
	"iter"
	"strings"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/exchange"
)

// nullKey is the one key of a windowAll; its hash code is 0, as that of Flink's NullByteKey.
type nullKey = int8

// AllWindowedStream is a stream whose records are gathered in windows, all in one subtask (Flink's
// AllWindowedStream). The setters change it; each of the other methods makes an operator.
type AllWindowedStream[T any, W Window] struct {
	keyed *WindowedStream[T, nullKey, W]
}

// WindowAll gathers all records in the windows that a assigns, in one subtask.
func (d *DataStream[T]) WindowAll[W Window](a WindowAssigner[W]) *AllWindowedStream[T, W] {
	return &AllWindowedStream[T, W]{windowed[T, nullKey](nullKeyed(d), "WindowAll", a)}
}

// CountWindowAll gathers n records; what is left at the end is never emitted. With CountSlide(m) it fires every m
// records over the last up to n.
func (d *DataStream[T]) CountWindowAll[N ~int | ~int64](n N, opts ...CountOption) *AllWindowedStream[T, GlobalWindow] {
	return &AllWindowedStream[T, GlobalWindow]{countWindow[T, nullKey](nullKeyed(d), "CountWindowAll", int64(n), opts)}
}

func nullKeyed[T any](d *DataStream[T]) *DataStream[T] {
	sel := func(T) nullKey { return 0 }
	keyer := exchange.Keyed(sel, func(nullKey) int32 { return 0 })
	return &keyedView(d, "WindowAll", graph.Hash, keyer, sel, TypeOf[nullKey]()).DataStream
}

// Trigger sets when windows fire, in place of the assigner's default.
func (w *AllWindowedStream[T, W]) Trigger(t AnyTrigger) *AllWindowedStream[T, W] {
	w.keyed.Trigger(t)
	return w
}

// Evictor sets what is removed from a window when it fires.
func (w *AllWindowedStream[T, W]) Evictor(e AnyEvictor) *AllWindowedStream[T, W] {
	w.keyed.Evictor(e)
	return w
}

// AllowedLateness keeps event-time windows for d after their end.
func (w *AllWindowedStream[T, W]) AllowedLateness(d time.Duration) *AllWindowedStream[T, W] {
	w.keyed.AllowedLateness(d)
	return w
}

// SideOutputLateData sends records that are too late to a side output of the result.
func (w *AllWindowedStream[T, W]) SideOutputLateData(tag OutputTag[T]) *AllWindowedStream[T, W] {
	w.keyed.SideOutputLateData(tag)
	return w
}

// ProcessAllWindowFunction is a function object for a window over all records (Flink's class of the same name). It may
// have Open, Close and Clear, as a ProcessWindowFunction.
type ProcessAllWindowFunction[T, R any, W Window] interface {
	// Process is called when a window fires. vs yields its records, or the one result of a reduce or
	// aggregate.
	Process(ctx *ProcessWindowContext[W], vs iter.Seq[T], out Collector[R]) error
}

func bindProcessAll[V, R any, W Window](fn any) windowFunc[nullKey, V, R, W] {
	f := fn.(ProcessAllWindowFunction[V, R, W])
	return func(_ nullKey, ctx *ProcessWindowContext[W], vs iter.Seq[V], out Collector[R]) error {
		return f.Process(ctx, vs, out)
	}
}

// Reduce folds the records of a window as they come: f(accumulated, new).
func (w *AllWindowedStream[T, W]) Reduce(f func(a, b T) T) *SingleOutputStreamOperator[T] {
	return allOperator(w, "Reduce", false, w.keyed.Reduce(f))
}

// ReduceE is Reduce with a function that may fail; its error fails the job.
func (w *AllWindowedStream[T, W]) ReduceE(f func(a, b T) (T, error)) *SingleOutputStreamOperator[T] {
	return allOperator(w, "ReduceE", false, w.keyed.ReduceE(f))
}

// ReduceWith folds the records of a window and hands the one result to wf.
func (w *AllWindowedStream[T, W]) ReduceWith[R any](f func(a, b T) T, wf ProcessAllWindowFunction[T, R, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	e := w.keyed.in.env
	e.checkFunction("ReduceWith", f)
	e.checkFunction("ReduceWith", wf, clearMethod[W]())
	out := w.keyed.reduce("ReduceFunction", functionName(wf), f, wf, bindProcessAll[T, R, W], opts)
	return allOperator(w, "ReduceWith", true, out)
}

// Aggregate folds the records of a window into an accumulator as they come.
func (w *AllWindowedStream[T, W]) Aggregate[ACC, R any](f AggregateFunction[T, ACC, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	return allOperator(w, "Aggregate", true, w.keyed.Aggregate(f, opts...))
}

// AggregateWith folds the records of a window into an accumulator and hands the one result to wf.
func (w *AllWindowedStream[T, W]) AggregateWith[ACC, V, R any](f AggregateFunction[T, ACC, V], wf ProcessAllWindowFunction[V, R, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.keyed.checkAggregate("AggregateWith", f)
	w.keyed.in.env.checkFunction("AggregateWith", wf, clearMethod[W]())
	out := aggregateWindow(w.keyed, f, functionName(wf), wf, bindProcessAll[V, R, W], opts)
	return allOperator(w, "AggregateWith", false, out)
}

// Apply calls f with all records of a window when it fires (AllWindowFunction).
func (w *AllWindowedStream[T, W]) Apply[R any](f func(w W, vs iter.Seq[T], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.keyed.in.env.checkFunction("Apply", f)
	each := func(_ nullKey, win W, vs iter.Seq[T], out Collector[R]) error { f(win, vs, out); return nil }
	return allOperator(w, "Apply", true, w.keyed.apply("AllWindowFunction", each, opts))
}

// ApplyE is Apply with a function that may fail; its error fails the job.
func (w *AllWindowedStream[T, W]) ApplyE[R any](f func(w W, vs iter.Seq[T], out Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.keyed.in.env.checkFunction("ApplyE", f)
	each := func(_ nullKey, win W, vs iter.Seq[T], out Collector[R]) error { return f(win, vs, out) }
	return allOperator(w, "ApplyE", true, w.keyed.apply("AllWindowFunction", each, opts))
}

// Process calls f with all records of a window when it fires. Each subtask works on its own copy of f.
func (w *AllWindowedStream[T, W]) Process[R any](f ProcessAllWindowFunction[T, R, W], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.keyed.in.env.checkFunction("Process", f, clearMethod[W]())
	return allOperator(w, "Process", true, w.keyed.list(functionName(f), f, bindProcessAll[T, R, W], opts))
}

func (w *AllWindowedStream[T, W]) aggregate(g aggregate, sel selector) *SingleOutputStreamOperator[T] {
	return allOperator(w, g.call, false, w.keyed.aggregate(g, sel))
}

// allOperator makes the operator of a keyed window one over all records: one subtask, and Flink's text for
// it, which is also the name where Flink has none.
func allOperator[T, R any, W Window](w *AllWindowedStream[T, W], call string, fullName bool, out *SingleOutputStreamOperator[R]) *SingleOutputStreamOperator[R] {
	spec := &w.keyed.spec
	parts := []string{textOf(spec.assigner), stateText(call, spec.evictor != nil), textOf(spec.trigger)}
	if spec.evictor != nil {
		parts = append(parts, textOf(spec.evictor))
	}
	parts = append(parts, "AllWindowedStream."+callSite(call, out.tr.Pos))
	out.tr.Description = "TriggerWindow(" + strings.Join(parts, ", ") + ")"
	if fullName {
		out.tr.Name = out.tr.Description
	}
	return out.ForceNonParallel()
}

// stateText names the state of a window operator as Flink's descriptors do. With an evictor it keeps all records.
func stateText(call string, evicts bool) string {
	switch {
	case evicts || strings.HasPrefix(call, "Apply") || call == "Process":
		return "ListStateDescriptor{name=window-contents}"
	case strings.HasPrefix(call, "Aggregate"):
		return "AggregatingStateDescriptor{name=window-contents}"
	}
	return "ReducingStateDescriptor{name=window-contents}"
}

// callSite is such as apply(main.go:12).
func callSite(call, pos string) string {
	name := strings.ToLower(call[:1]) + call[1:]
	if i := strings.LastIndexByte(pos, '/'); i >= 0 {
		pos = pos[i+1:]
	}
	if pos == "" {
		return name + "()"
	}
	return name + "(" + pos + ")"
}
