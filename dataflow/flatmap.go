package dataflow

import (
	"iter"

	"flinkish/dataflow/internal/core"
)

// FlatMapFunction is a function object for FlatMapRich (Flink's RichFlatMapFunction). It may have Open
// and Close.
type FlatMapFunction[T, R any] interface {
	// FlatMap sends the results for v to out; an error fails the job.
	FlatMap(v T, out Collector[R]) error
}

// FlatMap makes any number of records of each, all with its timestamp.
func (d *DataStream[T]) FlatMap[R any](f func(T, Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("FlatMap", f)
	return unary[T, R](d, "Flat Map", &function[T, R, func(T, Collector[R])]{f, wireFlatMap[T, R]}, opts)
}

func wireFlatMap[T, R any](b *opBase, f func(T, Collector[R]), _ core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
	sub, idx := b.sub, b.idx
	c := &collector[R]{base: b, emit: emit}
	return func(v T, ts int64) {
		*last = v
		sub.Op = idx
		b.n.In++
		c.ts = ts
		f(v, c)
	}
}

// FlatMapE is FlatMap with a function that may fail; its error fails the job.
func (d *DataStream[T]) FlatMapE[R any](f func(T, Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("FlatMapE", f)
	return unary[T, R](d, "Flat Map", &function[T, R, func(T, Collector[R]) error]{f, wireFlatMapE[T, R]}, opts)
}

func wireFlatMapE[T, R any](b *opBase, f func(T, Collector[R]) error, _ core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
	sub, idx := b.sub, b.idx
	c := &collector[R]{base: b, emit: emit}
	return func(v T, ts int64) {
		*last = v
		sub.Op = idx
		b.n.In++
		c.ts = ts
		if err := f(v, c); err != nil {
			b.fail(err)
		}
	}
}

// FlatMapRich is FlatMap with a function object. Each subtask works on its own copy of f.
func (d *DataStream[T]) FlatMapRich[R any](f FlatMapFunction[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("FlatMapRich", f)
	wire := func(b *opBase, f FlatMapFunction[T, R], o core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
		return wireFlatMapE(b, f.FlatMap, o, emit, last)
	}
	return unary[T, R](d, "Flat Map", &function[T, R, FlatMapFunction[T, R]]{f, wire}, opts)
}

// FlatMapSeq is FlatMap with a function that returns its results as a sequence.
func (d *DataStream[T]) FlatMapSeq[R any](f func(T) iter.Seq[R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	if !d.env.checkFunction("FlatMapSeq", f) {
		f = func(T) iter.Seq[R] { return nil }
	}
	each := func(v T, out Collector[R]) {
		if seq := f(v); seq != nil {
			seq(func(r R) bool { out.Collect(r); return true })
		}
	}
	return unary[T, R](d, "Flat Map", &function[T, R, func(T, Collector[R])]{each, wireFlatMap[T, R]}, opts)
}
