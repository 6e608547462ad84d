// Package exchange moves records between subtasks: column batches in single-producer rings, one ring
// for each pair of connected subtasks. It is the one place that knows the record type of a network
// edge; everything above wires edges through core.Mover and core.Keyer without knowing it.
//
// A producer fills the batch of a channel and pushes it when it is full, when the producer goes idle,
// or when the buffer timeout says so. A full ring suspends the producer: this is back-pressure. The
// consumer takes whole batches and hands each record straight to the head of its chain.
package exchange

import (
	"reflect"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/fault"
)

// Defaults of an edge.
const (
	DefaultBatchSize = 512 // records
	DefaultSlots     = 8   // batches
)

// Of returns what the wiring needs to know of a stream of T.
func Of[T any]() core.Mover { return mover[T]{} }

type mover[T any] struct{}

func (mover[T]) Tee(outs []any) any {
	emits := make([]core.Emit[T], len(outs))
	for i, o := range outs {
		emits[i] = o.(core.Emit[T])
	}
	switch len(emits) {
	case 1:
		return emits[0]
	case 2:
		a, b := emits[0], emits[1]
		return core.Emit[T](func(v T, ts int64) { a(v, ts); b(v, ts) })
	}
	return core.Emit[T](func(v T, ts int64) {
		for _, e := range emits {
			e(v, ts)
		}
	})
}

func (mover[T]) Drop(n *uint64) any { return core.Emit[T](func(T, int64) { *n++ }) }

func (mover[T]) Connect(spec core.EdgeSpec) core.Edge {
	return connect[struct{}, T](spec, nil)
}

// Keyed returns the keyed side of a stream of T: key selects the key of a record and hash is Java's
// hashCode of it. Key runs once for each record, in the producer; hash too, unless there is only one
// consumer. A nil key (only possible where K is an interface or pointer type) fails the job.
func Keyed[T any, K comparable](key func(T) K, hash func(K) int32) core.Keyer {
	return keyer[T, K]{key: key, hash: hash, nilable: nilable(reflect.TypeFor[K]())}
}

type keyer[T any, K comparable] struct {
	key     func(T) K
	hash    func(K) int32
	nilable bool
}

func nilable(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer
}

func (k keyer[T, K]) Bind(s *core.Subtask, in any) (any, core.Chooser) {
	to, ok := in.(core.KeyedEmit[K, T])
	if !ok {
		return in, nil
	}
	key, c := k.selector(s), &choice[T]{}
	return core.Emit[T](func(v T, ts int64) {
		c.at, c.by = v, core.Selector
		k := key(v)
		c.by = core.NoChoice
		to(k, v, ts)
	}), c
}

func (k keyer[T, K]) Connect(spec core.EdgeSpec) core.Edge {
	return connect(spec, &k)
}

var errNoKey = fault.New("NullPointer", "", "could not extract the key: the key selector returned nil; filter such records out before")

// selector is the key function for one producer. Where nil is possible it is checked for.
func (k keyer[T, K]) selector(s *core.Subtask) func(T) K {
	if !k.nilable {
		return k.key
	}
	key := k.key
	var null K
	return func(v T) K {
		got := key(v)
		if got == null {
			s.Runtime.Fail(errNoKey)
		}
		return got
	}
}

// edge holds the rings of all pairs of subtasks. K is struct{} on an edge without a key.
type edge[K comparable, T any] struct {
	spec    core.EdgeSpec
	key     *keyer[T, K]
	writers []*writer[K, T]
	inputs  [][]*ring[K, T] // of each consumer, in order of producers
}

func connect[K comparable, T any](spec core.EdgeSpec, key *keyer[T, K]) core.Edge {
	if spec.BatchSize <= 0 {
		spec.BatchSize = DefaultBatchSize
	}
	if spec.Slots <= 0 {
		spec.Slots = DefaultSlots
	}
	if spec.Kind == core.Unspecified {
		spec.Kind = core.Rebalance
		if len(spec.Producers) == len(spec.Consumers) {
			spec.Kind = core.Forward
		}
	}
	e := &edge[K, T]{spec: spec, key: key, inputs: make([][]*ring[K, T], len(spec.Consumers))}
	for i, p := range spec.Producers {
		w := &writer[K, T]{sub: p, size: spec.BatchSize, broadcast: spec.Kind == core.Broadcast}
		for _, c := range Links(spec.Kind, i, len(spec.Producers), len(spec.Consumers)) {
			r := newRing[K, T](spec.Slots, p, spec.Consumers[c])
			if spec.Blocking {
				r.store = &store[K, T]{}
			}
			e.inputs[c] = append(e.inputs[c], r)
			w.chans = append(w.chans, &channel[K, T]{
				w: w, sub: p, ring: r, cur: &batch[K, T]{}, size: spec.BatchSize, consumer: c,
			})
		}
		e.writers = append(e.writers, w)
	}
	return e
}

func (e *edge[K, T]) Writer(producer int) core.Writer {
	w := e.writers[producer]
	if w.emit == nil {
		w.emit = e.route(producer, w)
	}
	return w
}

func (e *edge[K, T]) Reader(consumer int, in, ahead any) core.Reader {
	sub := e.spec.Consumers[consumer]
	r := &reader[K, T]{rings: e.inputs[consumer], blocking: e.spec.Blocking, closed: make([]bool, len(e.inputs[consumer]))}
	if to, ok := in.(core.KeyedEmit[K, T]); ok {
		look, _ := ahead.(func(keys []K))
		r.deliver = deliverKeyed(sub, to, look)
	} else {
		r.deliver = deliver[K](sub, in.(core.Emit[T]))
	}
	return r
}
