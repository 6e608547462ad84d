package dataflow

import (
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/exchange"
	"flinkish/dataflow/internal/keygroup"
	"flinkish/dataflow/internal/state"
)

// ReinterpretAsKeyedStream takes a stream that is already partitioned by f as keyed, without shuffling it
// (DataStreamUtils.reinterpretAsKeyedStream): the operators that follow can be chained. It is experimental, as in Flink.
// KeyType sets the type of the key.
//
// Either the stream was partitioned by KeyBy on the same values before, these have not changed since, and neither has
// the parallelism or the max parallelism, nor was it shuffled. A key that belongs to another subtask fails the job
// when its state is used; without state nothing is noticed.
//
// Or the stream is a source whose records are partitioned by key where they come from: all records of a key are in one
// split, and there are at most as many splits as key groups. Then state is where the split is read, so the source and the
// operators on keys must be chained; a broken chain is an error at execution.
func (d *DataStream[T]) ReinterpretAsKeyedStream[K comparable](f func(T) K, opts ...KeyOption) *KeyedStream[T, K] {
	typ := TypeOf[K]()
	for _, o := range opts {
		o(&typ)
	}
	if d.env.nilArg(f == nil, "ReinterpretAsKeyedStream", "key selector") {
		f = func(T) (k K) { return k }
	}
	if rt := dynamic(typ); rt != nil {
		if err := keygroup.CheckKeyType(rt); err != nil {
			d.env.blame(d.tr.Name, "ReinterpretAsKeyedStream", err)
		}
	}
	if d.tr.Kind == graph.Source {
		d.tr.PreKeyed = true
	}
	return keyedView(d, "ReinterpretAsKeyedStream", graph.Forward, exchange.Keyed(f, keygroup.HasherOf[K]()), f, typ)
}

// ReinterpretAsKeyedStream is the method of the same name as a function, as Flink's DataStreamUtils has it.
func ReinterpretAsKeyedStream[T any, K comparable](s Stream[T], f func(T) K, opts ...KeyOption) *KeyedStream[T, K] {
	return s.asDataStream().ReinterpretAsKeyedStream(f, opts...)
}

// guard lets keyed state refuse keys that belong to another subtask. Where the source decides about keys it cannot tell.
func guard(s *core.Subtask, store *state.Store) {
	if store == nil || s.Parallelism <= 1 || s.PreKeyed {
		return
	}
	first, last := keygroup.Range(s.Index, s.MaxParallelism, s.Parallelism)
	store.Guard(state.Guard{First: first, Last: last, Groups: s.MaxParallelism})
}
