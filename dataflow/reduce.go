package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
)

// ReduceFunction is a function object for ReduceRich (Flink's RichReduceFunction). It may have Open and
// Close.
type ReduceFunction[T any] interface {
	// Reduce returns a, the accumulated record, with b, the new one, taken in.
	Reduce(a, b T) (T, error)
}

// Reduce folds the records of each key: f(accumulated, new). It emits the new value for every record, with
// that record's timestamp; the first record of a key goes through as it is. f may return either
// argument changed, but must not change what they point to.
func (k *KeyedStream[T, K]) Reduce(f func(a, b T) T) *SingleOutputStreamOperator[T] {
	k.env.checkFunction("Reduce", f)
	return k.fold("Keyed Reduce", &reducer[T, K]{plain: f})
}

// ReduceE is Reduce with a function that may fail; its error fails the job.
func (k *KeyedStream[T, K]) ReduceE(f func(a, b T) (T, error)) *SingleOutputStreamOperator[T] {
	k.env.checkFunction("ReduceE", f)
	return k.fold("Keyed Reduce", &reducer[T, K]{failing: f})
}

// ReduceRich is Reduce with a function object. Each subtask works on its own copy of f.
func (k *KeyedStream[T, K]) ReduceRich(f ReduceFunction[T]) *SingleOutputStreamOperator[T] {
	k.env.checkFunction("ReduceRich", f)
	return k.fold("Keyed Reduce", &reducer[T, K]{object: f})
}

// orPanic is f for a fold that knows no errors: the task takes the panic for the error of the operator at hand.
func orPanic[T any](f func(a, b T) (T, error)) func(a, b T) T {
	if f == nil {
		return nil
	}
	return func(a, b T) T {
		r, err := f(a, b)
		if err != nil {
			failByPanic(err)
		}
		return r
	}
}

func (k *KeyedStream[T, K]) fold(name string, f *reducer[T, K]) *SingleOutputStreamOperator[T] {
	return k.sameType(keyedOperator[T, T](&k.DataStream, name, f, nil))
}

// reducer is the operator of a running fold; one of its functions is set.
type reducer[T any, K comparable] struct {
	plain   func(a, b T) T
	failing func(a, b T) (T, error)
	object  ReduceFunction[T]
	inPlace aggregation[T]
}

func (f *reducer[T, K]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	if s.Batch {
		return f.inBatch(s, out), nil
	}
	keys := state.NewBackend[K]()
	folds, err := keys.Value[T]("_fold", "")
	if err != nil {
		return nil, err
	}
	failing, fn := f.failing, any(nil)
	if f.object != nil {
		object := prototype(f.object)
		failing, fn = object.Reduce, object
	}
	b := newBase(s, out, newRuntimeContext(s, &keys.Store), fn)
	last, emit := new(T), out.Main.(core.Emit[T])
	step := f.plain
	switch {
	case f.inPlace != nil:
		return f.aggregating(s, &b, keys, folds, last, emit), nil
	case step == nil:
		step = func(acc, v T) T {
			r, err := failing(acc, v)
			if err != nil {
				b.fail(err)
			}
			return r
		}
	}
	in := core.KeyedEmit[K, T](func(k K, v T, ts int64) {
		*last = v
		s.Op = b.idx
		b.n.In++
		keys.SetCurrent(k)
		acc, was := folds.Ref()
		if was {
			v = step(*acc, v)
		}
		*acc = v
		emit(v, ts)
	})
	return &core.Instance{Inputs: []any{in}, Op: &b, Record: func() any { return *last }, Counters: &b.n, Measure: measure(&b.n, keys, nil), Ahead: keys.Ahead}, nil
}

// aggregating is the instance of an aggregation, which works on the state in place.
func (f *reducer[T, K]) aggregating(s *core.Subtask, b *opBase, keys *state.Backend[K], folds *state.Value[T], last *T, emit core.Emit[T]) *core.Instance {
	in := core.KeyedEmit[K, T](func(k K, v T, ts int64) {
		*last = v
		s.Op = b.idx
		b.n.In++
		keys.SetCurrent(k)
		acc, was := folds.Ref()
		if was {
			f.inPlace(acc, last)
		} else {
			*acc = v
		}
		emit(*acc, ts)
	})
	return &core.Instance{Inputs: []any{in}, Op: b, Record: func() any { return *last }, Counters: &b.n, Measure: measure(&b.n, keys, nil), Ahead: keys.Ahead}
}
