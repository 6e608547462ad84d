package dataflow

import (
	"iter"

	"flinkish/dataflow/graph"
)

// BroadcastStream is a stream whose records go to every subtask of the operator that it is connected to, which keeps
// them in broadcast state (Flink's BroadcastStream). It can only be connected.
type BroadcastStream[T any] struct {
	in    *DataStream[T]
	descs []BroadcastStateDescriptor
}

// BroadcastStateDescriptor is a MapStateDescriptor that names a broadcast state.
type BroadcastStateDescriptor interface {
	// Name is the name of the state.
	Name() string
	broadcastable() error // the mistake of one that cannot be
}

// Name is the name of the state.
func (d *MapStateDescriptor[K, V]) Name() string { return d.name }

func (d *MapStateDescriptor[K, V]) broadcastable() error {
	if d.ttl.set && !d.ttl.off {
		return kindError("UnsupportedOperation", "the broadcast state %s must not have a time to live; leave TTL out", d.name)
	}
	return d.Err()
}

// BroadcastWithState sends every record to every subtask of the operator that the result is connected to; desc are the
// broadcast states of that operator.
func (d *DataStream[T]) BroadcastWithState(desc ...BroadcastStateDescriptor) *BroadcastStream[T] {
	for _, s := range desc {
		if d.env.nilArg(nothing(s), "BroadcastWithState", "descriptor") {
			continue
		}
		if err := s.broadcastable(); err != nil {
			d.env.blame(d.tr.Name, "BroadcastWithState", err)
		}
	}
	return &BroadcastStream[T]{d.view("BroadcastWithState", graph.Broadcast, nil), desc}
}

// Type describes the records of the stream.
func (b *BroadcastStream[T]) Type() Type { return b.in.Type() }

// Descriptors are the broadcast states.
func (b *BroadcastStream[T]) Descriptors() []BroadcastStateDescriptor { return b.descs }

// Transformation is the step behind the stream.
func (b *BroadcastStream[T]) Transformation() *Transformation { return b.in.tr }

// BroadcastConnectedStream is a stream, keyed or not, connected with a broadcast one (Flink's class of the same name).
type BroadcastConnectedStream[A, B any] struct {
	first  *DataStream[A]
	second *BroadcastStream[B]
}

// ConnectBroadcast connects this stream with a broadcast one. Whether this one is keyed decides which kind of function
// may process them.
func (d *DataStream[T]) ConnectBroadcast[R any](b *BroadcastStream[R]) *BroadcastConnectedStream[T, R] {
	if d.env.nilArg(b == nil, "ConnectBroadcast", "stream") {
		b = &BroadcastStream[R]{in: &DataStream[R]{env: d.env, tr: d.tr}}
	}
	if b.in.env != d.env {
		d.env.fail("IllegalArgument", d.tr.Name, "ConnectBroadcast", "the streams belong to different environments; build both from the same one")
	}
	return &BroadcastConnectedStream[T, R]{d, b}
}

// Env is the environment that the streams belong to.
func (c *BroadcastConnectedStream[A, B]) Env() *StreamExecutionEnvironment { return c.first.env }

// First is the stream that is not broadcast.
func (c *BroadcastConnectedStream[A, B]) First() *DataStream[A] { return c.first }

// Second is the broadcast stream.
func (c *BroadcastConnectedStream[A, B]) Second() *BroadcastStream[B] { return c.second }

// Type1 describes the records of the first stream.
func (c *BroadcastConnectedStream[A, B]) Type1() Type { return c.first.Type() }

// Type2 describes the records of the broadcast stream.
func (c *BroadcastConnectedStream[A, B]) Type2() Type { return c.second.Type() }

// BroadcastProcessFunction is a function object for Process (Flink's class of the same name). It may have Open and
// Close.
type BroadcastProcessFunction[A, B, R any] interface {
	// ProcessElement handles a record of the first stream; it may read broadcast state.
	ProcessElement(v A, ctx *ReadOnlyBroadcastContext, out Collector[R]) error
	// ProcessBroadcastElement handles a broadcast record; it may write broadcast state, and must write the same in
	// every subtask whatever the order of the records.
	ProcessBroadcastElement(v B, ctx *BroadcastContext, out Collector[R]) error
}

// KeyedBroadcastProcessFunction is a function object for ProcessKeyed (Flink's class of the same name). It may have
// Open, Close and
//
//	OnTimer(ts int64, ctx *BroadcastOnTimerContext[K], out Collector[R]) error
type KeyedBroadcastProcessFunction[K comparable, A, B, R any] interface {
	// ProcessElement handles a record of the keyed stream with its key set; it may read broadcast state, and set
	// timers.
	ProcessElement(v A, ctx *KeyedReadOnlyBroadcastContext[K], out Collector[R]) error
	// ProcessBroadcastElement handles a broadcast record; it may write broadcast state. There is no key here.
	ProcessBroadcastElement(v B, ctx *KeyedBroadcastContext[K], out Collector[R]) error
}

// ReadOnlyBroadcastState is a broadcast state as the side that is not broadcast sees it (Flink's class of the same
// name). Entries come in the order in which their keys were first put.
type ReadOnlyBroadcastState[K comparable, V any] struct{ m MapState[K, V] }

// Get returns the value of k, and whether there is one.
func (s ReadOnlyBroadcastState[K, V]) Get(k K) (V, bool) { return s.m.Get(k) }

// Contains reports whether k has a value.
func (s ReadOnlyBroadcastState[K, V]) Contains(k K) bool { return s.m.Contains(k) }

// Entries yields keys and values.
func (s ReadOnlyBroadcastState[K, V]) Entries() iter.Seq2[K, V] { return s.m.Entries() }

// ImmutableEntries is Entries (immutableEntries).
func (s ReadOnlyBroadcastState[K, V]) ImmutableEntries() iter.Seq2[K, V] { return s.m.Entries() }

// BroadcastState is a broadcast state as the broadcast side sees it (Flink's BroadcastState).
type BroadcastState[K comparable, V any] struct{ m MapState[K, V] }

// Get returns the value of k, and whether there is one.
func (s BroadcastState[K, V]) Get(k K) (V, bool) { return s.m.Get(k) }

// Contains reports whether k has a value.
func (s BroadcastState[K, V]) Contains(k K) bool { return s.m.Contains(k) }

// Entries yields keys and values.
func (s BroadcastState[K, V]) Entries() iter.Seq2[K, V] { return s.m.Entries() }

// ImmutableEntries is Entries (immutableEntries).
func (s BroadcastState[K, V]) ImmutableEntries() iter.Seq2[K, V] { return s.m.Entries() }

// Put sets the value of k.
func (s BroadcastState[K, V]) Put(k K, v V) { s.m.Put(k, v) }

// PutAll sets the values of all keys of m.
func (s BroadcastState[K, V]) PutAll(m map[K]V) { s.m.PutAll(m) }

// Remove removes k.
func (s BroadcastState[K, V]) Remove(k K) { s.m.Remove(k) }

// Clear removes all entries.
func (s BroadcastState[K, V]) Clear() { s.m.Clear() }
