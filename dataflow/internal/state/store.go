package state

import (
	"reflect"

	"flinkish/dataflow/internal/fault"
)

// Store is a set of named states over the current key, without the key's type. The states of an
// operator are one Store inside its Backend; a window and its trigger have small ones, see NewScope.
type Store struct {
	ids    *ids
	width  int // cells of a page
	states []named

	columns  []column  // of a Backend: for its look-ahead
	owner    keyed     // nil in a scope
	restored *restored // nil when no state of a snapshot waits to be asked for
}

type named struct {
	name, kind, typ string
	handle          any
	cells           cells
}

// cells is the column under a state.
type cells interface {
	Clear()
	IsSet() bool
	// save returns a copy of all cells, which load takes over; see Snapshot.
	save() any
	load(saved any, id func(old int32) int32) bool
}

// NewScope returns a store with one cell for each state, and no key to set: the state of one key in
// one window. Whoever holds the scope is what keeps it alive.
func NewScope() *Store { return &Store{ids: &ids{}, width: 1} }

// Guard says which keys belong here; access for another key panics with a *fault.Error.
func (s *Store) Guard(g Guard) { s.ids.guard = g }

// SetID makes the key with this id the current one.
func (s *Store) SetID(id int32) { s.ids.cur = id }

// ClearCurrent leaves no current key.
func (s *Store) ClearCurrent() { s.ids.cur = NoKey }

// Current returns the id of the current key; it panics with a *fault.Error when there is none.
func (s *Store) Current() int32 { return s.ids.current("") }

// HasCurrent reports whether there is a current key.
func (s *Store) HasCurrent() bool { return s.ids.cur >= 0 }

// Retain keeps id from being given to another key until Release is called as often.
func (s *Store) Retain(id int32) { s.ids.retain(id) }

// Release takes one Retain back.
func (s *Store) Release(id int32) { s.ids.release(id) }

// Clear clears every state for the current key.
func (s *Store) Clear() {
	for i := range s.states {
		s.states[i].cells.Clear()
	}
	if s.owner == nil {
		s.restored = nil
	}
}

// Empty reports whether no state is set for the current key.
func (s *Store) Empty() bool {
	for i := range s.states {
		if s.states[i].cells.IsSet() {
			return false
		}
	}
	return s.owner != nil || s.restored == nil
}

// Column returns a state without a name, for an operator's own use. Clear, Empty and Snapshot leave it alone.
func (s *Store) Column[V any](what string) *Value[V] { return newValue[V](s, what) }

// Value returns the ValueState of this name, made on first use. typ is the element type as
// users know it; empty takes V's. At most one ttl makes the state expire. It fails when the name
// stands for a state of another kind or type.
func (s *Store) Value[V any](name, typ string, ttl ...TTL) (*Value[V], error) {
	if h, err := find[Value[V]](s, name, "ValueState", typ); h != nil || err != nil {
		return h, err
	}
	v := newValue[V](s, name).withTTL(one(ttl))
	return v, s.add(name, "ValueState", orName[V](typ), v, v)
}

// List returns the ListState of this name; see Value.
func (s *Store) List[V any](name, typ string, ttl ...TTL) (*List[V], error) {
	if h, err := find[List[V]](s, name, "ListState", typ); h != nil || err != nil {
		return h, err
	}
	l := &List[V]{cells: newValue[[]V](s, name), noNil: nilable[V]()}
	if t := one(ttl); t != nil {
		l.stamps, l.at = &stamps{TTL: t}, newValue[[]int64](s, name)
	}
	return l, s.add(name, "ListState", orName[V](typ), l, l)
}

// Map returns the MapState of this name; see Value. typ stands for key and value type.
func (s *Store) Map[K comparable, V any](name, typ string, ttl ...TTL) (*Map[K, V], error) {
	if h, err := find[Map[K, V]](s, name, "MapState", typ); h != nil || err != nil {
		return h, err
	}
	m := &Map[K, V]{cells: newValue[*ordered[K, V]](s, name)}
	if t := one(ttl); t != nil {
		m.stamps = &stamps{TTL: t}
	}
	return m, s.add(name, "MapState", orName[map[K]V](typ), m, m.cells)
}

// Reducing returns the ReducingState of this name, which folds with f; see Value.
func (s *Store) Reducing[V any](name, typ string, f func(a, b V) V, ttl ...TTL) (*Reducing[V], error) {
	if h, err := find[Reducing[V]](s, name, "ReducingState", typ); h != nil || err != nil {
		return h, err
	}
	r := &Reducing[V]{cells: newValue[V](s, name).withTTL(one(ttl)), f: f, noNil: nilable[V]()}
	return r, s.add(name, "ReducingState", orName[V](typ), r, r.cells)
}

// Aggregating returns the AggregatingState of this name; see Value. typ stands for the accumulator type. function is
// called for a new state.
func (s *Store) Aggregating[In, Acc, Out any](name, typ string, function func() Aggregate[In, Acc, Out], ttl ...TTL) (*Aggregating[In, Acc, Out], error) {
	if h, err := find[Aggregating[In, Acc, Out]](s, name, "AggregatingState", typ); h != nil || err != nil {
		return h, err
	}
	a := &Aggregating[In, Acc, Out]{cells: newValue[Acc](s, name).withTTL(one(ttl)), f: function(), noNil: nilable[In]()}
	return a, s.add(name, "AggregatingState", orName[Acc](typ), a, a.cells)
}

func (s *Store) add(name, kind, typ string, handle any, c cells) error {
	s.states = append(s.states, named{name, kind, typ, handle, c})
	return s.adopt(&s.states[len(s.states)-1])
}

// find returns the handle of this name, nil if there is none. States are few, so a scan beats a map.
func find[H any](s *Store, name, kind, typ string) (*H, error) {
	for i := range s.states {
		n := &s.states[i]
		if n.name != name {
			continue
		}
		if h, ok := n.handle.(*H); ok && (typ == "" || n.typ == typ) {
			return h, nil
		}
		if typ == "" {
			kind = reflect.TypeFor[H]().String()
		} else {
			kind += "[" + typ + "]"
		}
		return nil, fault.New("StateMigration", "", "state %q is a %s[%s], but is asked for as a %s; a name stands for one state of an operator, so choose another", name, n.kind, n.typ, kind)
	}
	return nil, nil
}

func orName[V any](typ string) string {
	if typ == "" {
		return reflect.TypeFor[V]().String()
	}
	return typ
}
