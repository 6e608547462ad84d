package state

import (
	"fmt"
	"reflect"
)

// Store is a set of named states over the current key, without the key's type. The states of an
// operator are one Store inside its Backend; a window and its trigger have small ones, see NewScope.
type Store struct {
	ids    *ids
	width  int // cells of a page
	states []named
}

type named struct {
	name, kind string
	handle     any
	clear      func()
}

// NewScope returns a store with one cell for each state, and no key to set: the state of one key in
// one window. Whoever holds the scope is what keeps it alive.
func NewScope() *Store { return &Store{ids: &ids{}, width: 1} }

// SetID makes the key with this id the current one.
func (s *Store) SetID(id int32) { s.ids.cur = id }

// ClearCurrent leaves no current key.
func (s *Store) ClearCurrent() { s.ids.cur = NoKey }

// Current returns the id of the current key; it panics with a *NoKeyError when there is none.
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
		s.states[i].clear()
	}
}

// Value returns the ValueState of this name, made on first use. typ is the element type as
// users know it; empty takes V's. It fails when the name stands for a state of another kind or type.
func (s *Store) Value[V any](name, typ string) (*Value[V], error) {
	return open(s, name, describe[V]("ValueState", typ), func() (*Value[V], func()) {
		v := newValue[V](s, name)
		return v, v.Clear
	})
}

// List returns the ListState of this name; see Value.
func (s *Store) List[V any](name, typ string) (*List[V], error) {
	return open(s, name, describe[V]("ListState", typ), func() (*List[V], func()) {
		l := &List[V]{cells: newValue[[]V](s, name), noNil: nilable[V]()}
		return l, l.Clear
	})
}

// Map returns the MapState of this name; see Value. typ stands for key and value type.
func (s *Store) Map[K comparable, V any](name, typ string) (*Map[K, V], error) {
	return open(s, name, describe[map[K]V]("MapState", typ), func() (*Map[K, V], func()) {
		m := &Map[K, V]{cells: newValue[*ordered[K, V]](s, name)}
		return m, m.Clear
	})
}

// Reducing returns the ReducingState of this name, which folds with f; see Value.
func (s *Store) Reducing[V any](name, typ string, f func(a, b V) V) (*Reducing[V], error) {
	return open(s, name, describe[V]("ReducingState", typ), func() (*Reducing[V], func()) {
		r := &Reducing[V]{cells: newValue[V](s, name), f: f, noNil: nilable[V]()}
		return r, r.Clear
	})
}

// Aggregating returns the AggregatingState of this name; see Value. typ stands for the accumulator type.
func (s *Store) Aggregating[In, Acc, Out any](name, typ string, a Aggregate[In, Acc, Out]) (*Aggregating[In, Acc, Out], error) {
	return open(s, name, describe[Acc]("AggregatingState", typ), func() (*Aggregating[In, Acc, Out], func()) {
		g := &Aggregating[In, Acc, Out]{cells: newValue[Acc](s, name), f: a, noNil: nilable[In]()}
		return g, g.Clear
	})
}

// open finds a state by name, or makes it. States are few, so a scan beats a map.
func open[H any](s *Store, name, kind string, make func() (*H, func())) (*H, error) {
	for i := range s.states {
		n := &s.states[i]
		if n.name != name {
			continue
		}
		if h, ok := n.handle.(*H); ok && n.kind == kind {
			return h, nil
		}
		return nil, &Error{State: name, Msg: fmt.Sprintf(
			"it is a %s, but is asked for as a %s; a name stands for one state of an operator, so choose another", n.kind, kind)}
	}
	h, clear := make()
	s.states = append(s.states, named{name, kind, h, clear})
	return h, nil
}

func describe[V any](kind, typ string) string {
	if typ == "" {
		typ = reflect.TypeFor[V]().String()
	}
	return kind + "[" + typ + "]"
}
