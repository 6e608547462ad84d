package dataflow

import "flinkish/dataflow/internal/core"

// FilterFunction is a function object for FilterRich (Flink's RichFilterFunction). It may have Open and
// Close.
type FilterFunction[T any] interface {
	// Filter reports whether to keep v; an error fails the job.
	Filter(v T) (bool, error)
}

// Filter keeps the records for which f reports true, with their timestamps.
func (d *DataStream[T]) Filter(f func(T) bool) *SingleOutputStreamOperator[T] {
	d.env.checkFunction("Filter", f)
	return d.sameType(unary[T, T](d, "Filter", &function[T, T, func(T) bool]{f, wireFilter[T]}, nil))
}

// sameType passes the type of the input on to the result of an operator that does not change records.
func (d *DataStream[T]) sameType(s *SingleOutputStreamOperator[T]) *SingleOutputStreamOperator[T] {
	s.tr.Out = d.tr.Out
	return s
}

func wireFilter[T any](b *opBase, f func(T) bool, _ core.Outputs, emit core.Emit[T], last *T) core.Emit[T] {
	sub, idx := b.sub, b.idx
	return func(v T, ts int64) {
		*last = v
		sub.Op = idx
		b.n.In++
		if f(v) {
			emit(v, ts)
		}
	}
}

// FilterE is Filter with a function that may fail; its error fails the job.
func (d *DataStream[T]) FilterE(f func(T) (bool, error)) *SingleOutputStreamOperator[T] {
	d.env.checkFunction("FilterE", f)
	return d.sameType(unary[T, T](d, "Filter", &function[T, T, func(T) (bool, error)]{f, wireFilterE[T]}, nil))
}

func wireFilterE[T any](b *opBase, f func(T) (bool, error), _ core.Outputs, emit core.Emit[T], last *T) core.Emit[T] {
	sub, idx := b.sub, b.idx
	return func(v T, ts int64) {
		*last = v
		sub.Op = idx
		b.n.In++
		keep, err := f(v)
		if err != nil {
			b.fail(err)
		}
		if keep {
			emit(v, ts)
		}
	}
}

// FilterRich is Filter with a function object. Each subtask works on its own copy of f.
func (d *DataStream[T]) FilterRich(f FilterFunction[T]) *SingleOutputStreamOperator[T] {
	d.env.checkFunction("FilterRich", f)
	wire := func(b *opBase, f FilterFunction[T], o core.Outputs, emit core.Emit[T], last *T) core.Emit[T] {
		return wireFilterE(b, f.Filter, o, emit, last)
	}
	return d.sameType(unary[T, T](d, "Filter", &function[T, T, FilterFunction[T]]{f, wire}, nil))
}
