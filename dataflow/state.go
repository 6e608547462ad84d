package dataflow

import (
	"iter"
	"maps"
	"reflect"
	"slices"

	"flinkish/dataflow/internal/state"
)

// ValueStateDescriptor names a ValueState.
type ValueStateDescriptor[V any] struct {
	name string
	typ  Type
	ttl  ttl
}

// NewValueStateDescriptor describes one value for each key. A name stands for one state of an operator.
func NewValueStateDescriptor[V any](name string, opts ...TypeOption) *ValueStateDescriptor[V] {
	return &ValueStateDescriptor[V]{name: name, typ: resultType[V](opts)}
}

// ListStateDescriptor names a ListState.
type ListStateDescriptor[V any] struct {
	name string
	typ  Type
	ttl  ttl
}

// NewListStateDescriptor describes a list for each key.
func NewListStateDescriptor[V any](name string, opts ...TypeOption) *ListStateDescriptor[V] {
	return &ListStateDescriptor[V]{name: name, typ: resultType[V](opts)}
}

// MapStateDescriptor names a MapState.
type MapStateDescriptor[K comparable, V any] struct {
	name       string
	key, value Type
	ttl        ttl
}

// MapTypeOption says more about keys and values of a map state than their Go types do.
type MapTypeOption func(key, value *Type)

// WithTypes sets the types of keys and values.
func WithTypes(key, value Type) MapTypeOption {
	return func(k, v *Type) { *k, *v = key, value }
}

// NewMapStateDescriptor describes a map for each key.
func NewMapStateDescriptor[K comparable, V any](name string, opts ...MapTypeOption) *MapStateDescriptor[K, V] {
	d := &MapStateDescriptor[K, V]{name: name, key: TypeOf[K](), value: TypeOf[V]()}
	for _, o := range opts {
		o(&d.key, &d.value)
	}
	return d
}

// ReducingStateDescriptor names a ReducingState.
type ReducingStateDescriptor[V any] struct {
	name string
	f    func(a, b V) V
	typ  Type
	ttl  ttl
}

// NewReducingStateDescriptor describes a fold for each key: f(accumulated, new).
func NewReducingStateDescriptor[V any](name string, f func(a, b V) V, opts ...TypeOption) *ReducingStateDescriptor[V] {
	return &ReducingStateDescriptor[V]{name: name, f: f, typ: resultType[V](opts)}
}

// AggregatingStateDescriptor names an AggregatingState.
type AggregatingStateDescriptor[IN, ACC, OUT any] struct {
	name string
	f    AggregateFunction[IN, ACC, OUT]
	typ  Type
	ttl  ttl
}

// NewAggregatingStateDescriptor describes an accumulator for each key. f must not have Open or Close: they
// would never be called.
func NewAggregatingStateDescriptor[IN, ACC, OUT any](name string, f AggregateFunction[IN, ACC, OUT], opts ...TypeOption) *AggregatingStateDescriptor[IN, ACC, OUT] {
	return &AggregatingStateDescriptor[IN, ACC, OUT]{name: name, f: f, typ: resultType[ACC](opts)}
}

// ValueState is one value for the key at hand (Flink's ValueState). Like all state handles it is obtained in
// Open or from a context, and used while a record or a timer is processed.
type ValueState[V any] struct{ v *state.Value[V] }

// Value returns the value, the zero value when it is not set.
func (s ValueState[V]) Value() V { return s.v.Value() }

// Get returns the value, and whether it is set.
func (s ValueState[V]) Get() (V, bool) { return s.v.Get() }

// Update sets the value; a nil pointer or interface clears it.
func (s ValueState[V]) Update(v V) { s.v.Update(v) }

// Clear unsets the value.
func (s ValueState[V]) Clear() { s.v.Clear() }

// ListState is a list for the key at hand (Flink's ListState).
type ListState[V any] struct{ l *state.List[V] }

// Get yields the elements in the order in which they were added.
func (s ListState[V]) Get() iter.Seq[V] { return s.l.Get() }

// Add appends an element.
func (s ListState[V]) Add(v V) { s.l.Add(v) }

// AddAll appends elements.
func (s ListState[V]) AddAll(vs []V) { s.l.AddAll(vs) }

// Update replaces the elements; none clears the list.
func (s ListState[V]) Update(vs []V) { s.l.Update(vs) }

// Clear removes the elements.
func (s ListState[V]) Clear() { s.l.Clear() }

// MapState is a map for the key at hand (Flink's MapState). Entries come in the order in which their keys
// were first put. A loop over them may change the map, where Flink's heap state fails: an entry that was removed does not come
// any more, a changed one comes as it is then, and one that was put anew does not come. After Clear the loop goes on over the
// entries that there were, as in Flink.
type MapState[K comparable, V any] struct{ m *state.Map[K, V] }

// Get returns the value of k, and whether there is one.
func (s MapState[K, V]) Get(k K) (V, bool) { return s.m.Get(k) }

// Put sets the value of k.
func (s MapState[K, V]) Put(k K, v V) { s.m.Put(k, v) }

// PutAll sets the values of all keys of m; new ones are added in ascending order of their text.
func (s MapState[K, V]) PutAll(m map[K]V) {
	keys := slices.Collect(maps.Keys(m))
	slices.SortFunc(keys, func(a, b K) int { return compareValues(reflect.ValueOf(a), reflect.ValueOf(b)) })
	for _, k := range keys {
		s.m.Put(k, m[k])
	}
}

// Remove removes k.
func (s MapState[K, V]) Remove(k K) { s.m.Remove(k) }

// Contains reports whether k has a value.
func (s MapState[K, V]) Contains(k K) bool { return s.m.Contains(k) }

// Entries yields keys and values.
func (s MapState[K, V]) Entries() iter.Seq2[K, V] { return s.m.Entries() }

// Keys yields the keys.
func (s MapState[K, V]) Keys() iter.Seq[K] { return s.m.Keys() }

// Values yields the values.
func (s MapState[K, V]) Values() iter.Seq[V] { return s.m.Values() }

// IsEmpty reports whether there is no entry.
func (s MapState[K, V]) IsEmpty() bool { return s.m.IsEmpty() }

// Clear removes all entries.
func (s MapState[K, V]) Clear() { s.m.Clear() }

// ReducingState is a fold for the key at hand (Flink's ReducingState).
type ReducingState[V any] struct{ r *state.Reducing[V] }

// Get returns the fold, and whether anything was added.
func (s ReducingState[V]) Get() (V, bool) { return s.r.Get() }

// Add folds v in.
func (s ReducingState[V]) Add(v V) { s.r.Add(v) }

// Clear forgets the fold.
func (s ReducingState[V]) Clear() { s.r.Clear() }

// AggregatingState is an accumulator for the key at hand (Flink's AggregatingState).
type AggregatingState[IN, OUT any] struct{ a aggregating[IN, OUT] }

// aggregating hides the accumulator's type.
type aggregating[IN, OUT any] interface {
	Get() (OUT, bool)
	Add(v IN)
	Clear()
	IsSet() bool
}

// Get returns the result, and whether anything was added.
func (s AggregatingState[IN, OUT]) Get() (OUT, bool) { return s.a.Get() }

// Add takes v into the accumulator.
func (s AggregatingState[IN, OUT]) Add(v IN) { s.a.Add(v) }

// Clear forgets the accumulator.
func (s AggregatingState[IN, OUT]) Clear() { s.a.Clear() }

// stateAccess opens states of one store for user code. A failing open ends the job.
type stateAccess struct {
	store *state.Store // nil without keys
	fail  func(error)
	now   func() int64 // processing time, ms
}

// open is the store for a state that call asks for, with what its descriptor tells.
func (a *stateAccess) open(call string, d StateDescriptor) (store *state.Store, name, typ string, life []state.TTL) {
	if err := d.Err(); err != nil {
		a.fail(err)
	}
	name, typ, t := d.described()
	if a.store == nil {
		a.fail(&GraphError{Kind: "NullPointer", Call: call,
			Msg: "keyed state " + name + " of type " + typ + " works only on a keyed stream; call KeyBy first"})
	}
	return a.store, name, typ, t.of(a)
}

func must[H any](a *stateAccess, h H, err error) H {
	if err != nil {
		a.fail(err)
	}
	return h
}

func (a *stateAccess) value[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	s, name, typ, life := a.open("State", d)
	h, err := s.Value[V](name, typ, life...)
	return ValueState[V]{must(a, h, err)}
}

func (a *stateAccess) list[V any](d *ListStateDescriptor[V]) ListState[V] {
	s, name, typ, life := a.open("ListState", d)
	h, err := s.List[V](name, typ, life...)
	return ListState[V]{must(a, h, err)}
}

func (a *stateAccess) mapOf[K comparable, V any](d *MapStateDescriptor[K, V]) MapState[K, V] {
	s, name, typ, life := a.open("MapState", d)
	h, err := s.Map[K, V](name, typ, life...)
	return MapState[K, V]{must(a, h, err)}
}

func (a *stateAccess) reducing[V any](d *ReducingStateDescriptor[V]) ReducingState[V] {
	s, name, typ, life := a.open("ReducingState", d)
	h, err := s.Reducing[V](name, typ, d.f, life...)
	return ReducingState[V]{must(a, h, err)}
}

func (a *stateAccess) aggregating[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT]) AggregatingState[IN, OUT] {
	return AggregatingState[IN, OUT]{a.accumulator(d)}
}

func (a *stateAccess) accumulator[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT]) *state.Aggregating[IN, ACC, OUT] {
	s, name, typ, life := a.open("AggregatingState", d)
	h, err := s.Aggregating[IN, ACC, OUT](name, typ, d.aggregate, life...)
	return must(a, h, err)
}

// AggregateFunction folds records into an accumulator (Flink's AggregateFunction).
type AggregateFunction[T, ACC, R any] interface {
	// CreateAccumulator returns an empty accumulator.
	CreateAccumulator() ACC
	// Add returns acc with v taken in; it may change acc in place.
	Add(v T, acc ACC) ACC
	// GetResult returns the result of acc.
	GetResult(acc ACC) R
	// Merge returns a and b as one; only merging windows call it.
	Merge(a, b ACC) ACC
}

// aggregate is the function of one subtask, which works on its own copy.
func (d *AggregatingStateDescriptor[IN, ACC, OUT]) aggregate() state.Aggregate[IN, ACC, OUT] {
	f := prototype(d.f)
	return state.Aggregate[IN, ACC, OUT]{Create: f.CreateAccumulator, Add: f.Add, Result: f.GetResult, Merge: f.Merge}
}
