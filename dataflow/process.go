package dataflow

import (
	"fmt"

	"flinkish/dataflow/internal/core"
)

// ProcessFunction is a function object for Process (Flink's ProcessFunction). It may have Open and Close.
type ProcessFunction[T, R any] interface {
	// ProcessElement handles v: it may send results to out and to side outputs; an error fails the
	// job. ctx and out are valid during the call only.
	ProcessElement(v T, ctx *ProcessContext, out Collector[R]) error
}

// ProcessContext is what a function may ask about the record at hand (ProcessFunction.Context).
type ProcessContext struct {
	base   *opBase
	side   map[string]any
	ts     int64 // of the record
	timers TimerService
}

func newProcessContext(b *opBase, out core.Outputs) ProcessContext {
	return ProcessContext{base: b, side: out.Side, timers: TimerService{base: b}}
}

// Timestamp is the event timestamp of the record in milliseconds, and whether it has one.
func (c *ProcessContext) Timestamp() (int64, bool) { return c.ts, c.ts != core.NoTimestamp }

// TimerService tells the time. On a keyed stream, ProcessKeyed may also set timers with it.
func (c *ProcessContext) TimerService() *TimerService { return &c.timers }

// Output sends v to a side output, with the timestamp of the record. What nobody reads is dropped.
func (c *ProcessContext) Output[X any](tag OutputTag[X], v X) { output(c.base, c.side, tag, v, c.ts) }

// output sends v to a side output of an operator.
func output[X any](b *opBase, side map[string]any, tag OutputTag[X], v X, ts int64) {
	if tag.id == "" {
		b.fail(&GraphError{Kind: "IllegalArgument", Call: "Output", Msg: "the output tag has no id; make it with NewOutputTag"})
	}
	to, ok := side[tag.id]
	if !ok {
		return
	}
	emit, ok := to.(core.Emit[X])
	if !ok {
		b.fail(&GraphError{Kind: "IllegalArgument", Call: "Output",
			Msg: fmt.Sprintf("the side output %q is read with another type than %s; give the two tags different ids", tag.id, TypeOf[X]())})
	}
	emit(v, ts)
	b.sub.Op = b.idx
}

// lateOutput is where the late records of an operator go; nil when nobody reads them.
func lateOutput[X any](side map[string]any, tag OutputTag[X]) core.Emit[X] {
	emit, _ := side[tag.id].(core.Emit[X])
	return emit
}

// sendsLate makes it known that an operator sends late records to a tag, if there is one.
func sendsLate[X any](e *StreamExecutionEnvironment, t *Transformation, call string, tag OutputTag[X]) {
	if tag.id == "" {
		return
	}
	if old := t.Late[tag.id]; old != nil && old.String() != tag.t.String() {
		e.fail("UnsupportedOperation", t.Name, call, "late records of the types %s and %s go to side outputs with the id %q; use another id for one of them", old, tag.t, tag.id)
	}
	if t.Late == nil {
		t.Late = map[string]Type{}
	}
	t.Late[tag.id] = tag.t
}

// Process hands each record to f, which may send any number of results, all with the record's timestamp.
// Each subtask works on its own copy of f.
func (d *DataStream[T]) Process[R any](f ProcessFunction[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("Process", f)
	wire := func(b *opBase, f ProcessFunction[T, R], o core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
		return wireProcess(b, f.ProcessElement, o, emit, last)
	}
	return unary[T, R](d, "Process", &function[T, R, ProcessFunction[T, R]]{f, wire}, opts)
}

// ProcessFunc is Process with a plain function.
func (d *DataStream[T]) ProcessFunc[R any](f func(v T, ctx *ProcessContext, out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("ProcessFunc", f)
	each := func(v T, ctx *ProcessContext, out Collector[R]) error { f(v, ctx, out); return nil }
	return unary[T, R](d, "Process",
		&function[T, R, func(T, *ProcessContext, Collector[R]) error]{each, wireProcess[T, R]}, opts)
}

func wireProcess[T, R any](b *opBase, f func(T, *ProcessContext, Collector[R]) error, out core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
	sub, idx := b.sub, b.idx
	c := &collector[R]{base: b, emit: emit}
	ctx := newProcessContext(b, out)
	return func(v T, ts int64) {
		*last = v
		sub.Op = idx
		b.n.In++
		c.ts, ctx.ts = ts, ts
		if err := f(v, &ctx, c); err != nil {
			b.fail(err)
		}
	}
}
