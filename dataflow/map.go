package dataflow

import "flinkish/dataflow/internal/core"

// MapFunction is a function object for MapRich (Flink's RichMapFunction). It may have Open and Close.
type MapFunction[T, R any] interface {
	// Map returns the result for v; an error fails the job.
	Map(v T) (R, error)
}

// Map makes exactly one record of each; the timestamp stays.
func (d *DataStream[T]) Map[R any](f func(T) R, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("Map", f)
	return unary[T, R](d, "Map", &function[T, R, func(T) R]{f, wireMap[T, R]}, opts)
}

func wireMap[T, R any](b *opBase, f func(T) R, _ core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
	sub, idx := b.sub, b.idx
	return func(v T, ts int64) {
		*last = v
		sub.Op = idx
		b.n.In++
		emit(f(v), ts)
	}
}

// MapE is Map with a function that may fail; its error fails the job.
func (d *DataStream[T]) MapE[R any](f func(T) (R, error), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("MapE", f)
	return unary[T, R](d, "Map", &function[T, R, func(T) (R, error)]{f, wireMapE[T, R]}, opts)
}

func wireMapE[T, R any](b *opBase, f func(T) (R, error), _ core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
	sub, idx := b.sub, b.idx
	return func(v T, ts int64) {
		*last = v
		sub.Op = idx
		b.n.In++
		r, err := f(v)
		if err != nil {
			b.fail(err)
		}
		emit(r, ts)
	}
}

// MapRich is Map with a function object. Each subtask works on its own copy of f.
func (d *DataStream[T]) MapRich[R any](f MapFunction[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	d.env.checkFunction("MapRich", f)
	return unary[T, R](d, "Map", &function[T, R, MapFunction[T, R]]{f, wireMapRich[T, R]}, opts)
}

func wireMapRich[T, R any](b *opBase, f MapFunction[T, R], o core.Outputs, emit core.Emit[R], last *T) core.Emit[T] {
	return wireMapE(b, f.Map, o, emit, last)
}
