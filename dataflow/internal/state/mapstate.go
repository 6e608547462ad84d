package state

import "iter"

// Map is a MapState: a map for each key. Entries are met in the order in which their keys were first put,
// so that a run can be repeated. With a TTL each entry expires by itself.
type Map[K comparable, V any] struct {
	cells  *Value[*ordered[K, V]]
	stamps *stamps // nil without a TTL
}

// ordered is a map that remembers insertion order. Removed entries stay as holes until half are, and while somebody ranges over
// it, so that a place in entries is that of one entry.
type ordered[K comparable, V any] struct {
	at      map[K]int
	entries []mapEntry[K, V]
	holes   int
	ranging int // how many range over it
}

type mapEntry[K comparable, V any] struct {
	k    K
	v    V
	live bool
	at   int64 // its time, with a TTL
}

// Get returns the value under k, and whether there is one.
func (m *Map[K, V]) Get(k K) (v V, ok bool) {
	if o := m.cells.Value(); o != nil {
		if i, ok := o.at[k]; ok {
			if m.stamps != nil {
				return m.read(o, i)
			}
			return o.entries[i].v, true
		}
	}
	return v, false
}

// read returns the value of an entry, unless it is expired; then the entry is removed.
func (m *Map[K, V]) read(o *ordered[K, V], i int) (v V, ok bool) {
	e := &o.entries[i]
	if m.stamps.expired(e.at) {
		old := e.v
		m.remove(o, i)
		if m.stamps.ReturnExpired {
			return old, true
		}
		return v, false
	}
	if m.stamps.OnRead {
		e.at = m.stamps.Now()
	}
	return e.v, true
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
	o, now := *p, int64(0)
	if m.stamps != nil {
		now = m.stamps.Now()
		m.sweep()
	}
	if i, ok := o.at[k]; ok {
		o.entries[i].v, o.entries[i].at = v, now
		return
	}
	o.at[k] = len(o.entries)
	o.entries = append(o.entries, mapEntry[K, V]{k, v, true, now})
}

// sweep removes expired entries of other keys.
func (m *Map[K, V]) sweep() {
	n := int32(64 * len(m.cells.set))
	m.stamps.cleanUp(n, m.cells.ids.cur, func(id int32) {
		if !m.cells.Has(id) {
			return
		}
		o := *m.cells.cell(id)
		for i := range o.entries {
			if e := &o.entries[i]; e.live && m.stamps.expired(e.at) {
				o.remove(i)
			}
		}
		if len(o.at) == 0 {
			m.cells.clearID(id)
		}
	})
}

// PutAll puts every entry of the sequence.
func (m *Map[K, V]) PutAll(entries iter.Seq2[K, V]) {
	for k, v := range entries {
		m.Put(k, v)
	}
}

// Remove deletes the entry under k, if there is one. A map without entries is cleared.
func (m *Map[K, V]) Remove(k K) {
	if o := m.cells.Value(); o != nil {
		if i, ok := o.at[k]; ok {
			m.remove(o, i)
		}
	}
}

// remove deletes an entry of o, which may be a map that was cleared while somebody ranges over it.
func (m *Map[K, V]) remove(o *ordered[K, V], i int) {
	o.remove(i)
	if len(o.at) == 0 && m.cells.Value() == o {
		m.Clear()
		return
	}
	o.compact()
}

func (o *ordered[K, V]) remove(i int) {
	delete(o.at, o.entries[i].k)
	o.entries[i] = mapEntry[K, V]{}
	o.holes++
}

// compact does away with the holes when there are many.
func (o *ordered[K, V]) compact() {
	if o.ranging > 0 || o.holes <= 8 || o.holes <= len(o.at) {
		return
	}
	kept := make([]mapEntry[K, V], 0, len(o.at))
	for _, e := range o.entries {
		if e.live {
			o.at[e.k] = len(kept)
			kept = append(kept, e)
		}
	}
	o.entries, o.holes = kept, 0
}

// Entries yields the entries of the current key. The caller may change the map while it ranges: removed entries are not met any
// more, changed ones are as they are then, and those that are put anew are not met. When it clears the map, the range goes on
// over the entries that there were.
func (m *Map[K, V]) Entries() iter.Seq2[K, V] {
	o := m.cells.Value()
	return func(yield func(K, V) bool) {
		if o == nil {
			return
		}
		o.ranging++
		for i := range len(o.entries) {
			e := &o.entries[i]
			if !e.live {
				continue
			}
			k, v, ok := e.k, e.v, true
			if m.stamps != nil {
				v, ok = m.read(o, i)
			}
			if ok && !yield(k, v) {
				break
			}
		}
		o.ranging--
		o.compact()
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
	if m.stamps != nil {
		return m.unexpired()
	}
	if o := m.cells.Value(); o != nil {
		return len(o.at)
	}
	return 0
}

// unexpired counts the entries that are alive.
func (m *Map[K, V]) unexpired() (n int) {
	if o := m.cells.Value(); o != nil {
		for i := range o.entries {
			if e := &o.entries[i]; e.live && !m.stamps.expired(e.at) {
				n++
			}
		}
	}
	return n
}

// IsEmpty reports whether the current key has no entry.
func (m *Map[K, V]) IsEmpty() bool { return m.Len() == 0 }

// Clear removes every entry of the current key.
func (m *Map[K, V]) Clear() { m.cells.Clear() }

// IsSet reports whether the current key has entries, expired or not. It is no read.
func (m *Map[K, V]) IsSet() bool { return m.cells.IsSet() }
