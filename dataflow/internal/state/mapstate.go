package state

import "iter"

// Map is a MapState: a map for each key. Entries are met in the order in which their keys were first put,
// so that a run can be repeated.
type Map[K comparable, V any] struct {
	cells *Value[*ordered[K, V]]
}

// ordered is a map that remembers insertion order. Removed entries stay as holes until half are.
type ordered[K comparable, V any] struct {
	at      map[K]int
	entries []mapEntry[K, V]
	holes   int
}

type mapEntry[K comparable, V any] struct {
	k    K
	v    V
	live bool
}

// Get returns the value under k, and whether there is one.
func (m *Map[K, V]) Get(k K) (v V, ok bool) {
	if o := m.cells.Value(); o != nil {
		if i, ok := o.at[k]; ok {
			return o.entries[i].v, true
		}
	}
	return v, false
}

// Contains reports whether there is a value under k.
func (m *Map[K, V]) Contains(k K) bool {
	_, ok := m.Get(k)
	return ok
}

// Put sets the value under k.
func (m *Map[K, V]) Put(k K, v V) {
	p, was := m.cells.Ref()
	if !was {
		*p = &ordered[K, V]{at: map[K]int{}}
	}
	o := *p
	if i, ok := o.at[k]; ok {
		o.entries[i].v = v
		return
	}
	o.at[k] = len(o.entries)
	o.entries = append(o.entries, mapEntry[K, V]{k, v, true})
}

// PutAll puts every entry of the sequence.
func (m *Map[K, V]) PutAll(entries iter.Seq2[K, V]) {
	for k, v := range entries {
		m.Put(k, v)
	}
}

// Remove deletes the entry under k, if there is one. A map without entries is cleared.
func (m *Map[K, V]) Remove(k K) {
	o := m.cells.Value()
	if o == nil {
		return
	}
	i, ok := o.at[k]
	if !ok {
		return
	}
	delete(o.at, k)
	o.entries[i] = mapEntry[K, V]{}
	o.holes++
	if len(o.at) == 0 {
		m.Clear()
	} else if o.holes > 8 && o.holes > len(o.at) {
		o.compact()
	}
}

// compact makes a new slice, since somebody may be ranging over the old one.
func (o *ordered[K, V]) compact() {
	kept := make([]mapEntry[K, V], 0, len(o.at))
	for _, e := range o.entries {
		if e.live {
			o.at[e.k] = len(kept)
			kept = append(kept, e)
		}
	}
	o.entries, o.holes = kept, 0
}

// Entries yields the entries of the current key. The caller may remove and change entries while it
// ranges; entries that are put meanwhile are not met.
func (m *Map[K, V]) Entries() iter.Seq2[K, V] {
	o := m.cells.Value()
	return func(yield func(K, V) bool) {
		if o == nil {
			return
		}
		entries := o.entries
		for i := range entries {
			if e := &entries[i]; e.live {
				if _, still := o.at[e.k]; still && !yield(e.k, e.v) {
					return
				}
			}
		}
	}
}

// Keys yields the keys of the entries.
func (m *Map[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range m.Entries() {
			if !yield(k) {
				return
			}
		}
	}
}

// Values yields the values of the entries.
func (m *Map[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, v := range m.Entries() {
			if !yield(v) {
				return
			}
		}
	}
}

// Len is the number of entries.
func (m *Map[K, V]) Len() int {
	if o := m.cells.Value(); o != nil {
		return len(o.at)
	}
	return 0
}

// IsEmpty reports whether the current key has no entry.
func (m *Map[K, V]) IsEmpty() bool { return m.Len() == 0 }

// Clear removes every entry of the current key.
func (m *Map[K, V]) Clear() { m.cells.Clear() }
