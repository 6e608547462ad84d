package state

import (
	"fmt"

	"flinkish/dataflow/internal/fault"
)

// Snapshot is what a Store held at one moment. Later changes of the store do not reach it, and it may be
// restored more than once.
type Snapshot struct {
	ids    []int32 // of the keys, in the order in which the keys came
	keys   any     // the keys; nil in a scope
	states []saved
}

// saved is one named state.
type saved struct {
	name, kind, typ string
	cells           any
}

// restored holds the states of a snapshot that nobody has asked for yet, under the ids that their keys have now.
type restored struct {
	states []saved
	ids    []int32
	id     func(old int32) int32
}

// keyed is the Backend of a store, without its key type.
type keyed interface {
	saveKeys() (ids []int32, keys any)
	loadKeys(keys any) (ids []int32, err error)
}

// Snapshot returns what the store holds, with all keys that something refers to.
func (s *Store) Snapshot() *Snapshot {
	x := &Snapshot{}
	if s.owner != nil {
		x.ids, x.keys = s.owner.saveKeys()
	}
	for _, n := range s.states {
		x.states = append(x.states, saved{n.name, n.kind, n.typ, n.cells.save()})
	}
	if s.restored != nil {
		x.states = append(x.states, s.restored.moved()...)
	}
	return x
}

// movable is a saved column whose keys can get other ids.
type movable interface {
	move(id func(old int32) int32) any
}

// moved are the states that wait, under their ids of now.
func (r *restored) moved() []saved {
	var all []saved
	for _, n := range r.states {
		n.cells = n.cells.(movable).move(r.id)
		all = append(all, n)
	}
	return all
}

// Restore puts a snapshot into a store that holds no keys yet. States that are not open yet get their values
// when they are. more, which may be nil, restores what else the operator holds: id gives the id that a key has now
// for the one it had, and the caller retains what it keeps.
func (s *Store) Restore(x *Snapshot, more func(id func(old int32) int32)) error {
	r := &restored{id: func(old int32) int32 { return old }}
	if s.owner != nil {
		now, err := s.owner.loadKeys(x.keys)
		if err != nil {
			return err
		}
		byOld := make(map[int32]int32, len(now))
		for i, id := range now {
			s.ids.retain(id)
			byOld[x.ids[i]] = id
		}
		r.ids, r.id = now, func(old int32) int32 { return byOld[old] }
	}
	if more != nil {
		more(r.id)
	}
	r.states = append(r.states, x.states...)
	s.restored = r
	for i := range s.states {
		if err := s.adopt(&s.states[i]); err != nil {
			return err
		}
	}
	s.settle()
	return nil
}

// adopt gives a state that was opened the values that wait for it.
func (s *Store) adopt(n *named) error {
	if s.restored == nil {
		return nil
	}
	for i, w := range s.restored.states {
		if w.name != n.name {
			continue
		}
		if w.kind != n.kind || !n.cells.load(w.cells, s.restored.id) {
			return fault.New("StateMigration", "", "the snapshot holds state %q as a %s[%s], but a %s[%s] is asked for; use the same type, or another name", n.name, w.kind, w.typ, n.kind, n.typ)
		}
		s.restored.states = append(s.restored.states[:i:i], s.restored.states[i+1:]...)
		s.settle()
		return nil
	}
	return nil
}

// settle lets go of the keys once no state waits any more.
func (s *Store) settle() {
	if r := s.restored; r != nil && len(r.states) == 0 {
		s.restored = nil
		for _, id := range r.ids {
			s.ids.release(id)
		}
	}
}

func (b *Backend[K]) saveKeys() ([]int32, any) {
	var ids []int32
	var keys []K
	b.Each(func(id int32, k K) bool {
		ids, keys = append(ids, id), append(keys, k)
		return true
	})
	return ids, keys
}

func (b *Backend[K]) loadKeys(saved any) ([]int32, error) {
	keys, ok := saved.([]K)
	if !ok {
		return nil, fmt.Errorf("state: the snapshot has other keys (%T) than the operator (%T); restore it into an operator that is keyed alike", saved, keys)
	}
	ids := make([]int32, len(keys))
	for i, k := range keys {
		ids[i] = b.ID(k)
		b.ids.retain(ids[i]) // an id that nothing refers to may be given to the next key
	}
	for _, id := range ids {
		b.ids.release(id)
	}
	return ids, nil
}

// savedCells is a column in a snapshot.
type savedCells[V any] struct {
	ids  []int32
	vals []V
	at   []int64 // times, with a TTL
}

func (c *savedCells[V]) move(id func(int32) int32) any {
	m := *c
	m.ids = make([]int32, len(c.ids))
	for i, old := range c.ids {
		m.ids[i] = id(old)
	}
	return &m
}

func (v *Value[V]) save() any {
	c, dup := &savedCells[V]{}, Copier[V]()
	for id := range int32(64 * len(v.set)) {
		if !v.Has(id) {
			continue
		}
		c.ids, c.vals = append(c.ids, id), append(c.vals, dup(*v.cell(id)))
		if v.stamps != nil {
			c.at = append(c.at, v.stamps.at[id])
		}
	}
	return c
}

// load sets the values of a saved column; a TTL that is new begins now. It reports false when the column is of
// another type.
func (v *Value[V]) load(saved any, id func(int32) int32) bool {
	c, ok := saved.(*savedCells[V])
	if !ok {
		return false
	}
	cur, st, dup := v.ids.cur, v.stamps, Copier[V]()
	v.stamps = nil
	for i, old := range c.ids {
		v.ids.cur = id(old)
		p, _ := v.Ref()
		*p = dup(c.vals[i])
		switch {
		case st != nil && c.at != nil:
			st.set(v.ids.cur, c.at[i])
		case st != nil:
			st.set(v.ids.cur, st.Now())
		}
	}
	v.ids.cur, v.stamps = cur, st
	return true
}

// savedList is a ListState in a snapshot; at is nil without a TTL.
type savedList[V any] struct {
	cells *savedCells[[]V]
	at    *savedCells[[]int64]
}

func (s savedList[V]) move(id func(int32) int32) any {
	m := savedList[V]{cells: s.cells.move(id).(*savedCells[[]V])}
	if s.at != nil {
		m.at = s.at.move(id).(*savedCells[[]int64])
	}
	return m
}

func (l *List[V]) save() any {
	s := savedList[V]{cells: l.cells.save().(*savedCells[[]V])}
	if l.stamps != nil {
		s.at = l.at.save().(*savedCells[[]int64])
	}
	return s
}

func (l *List[V]) load(saved any, id func(int32) int32) bool {
	s, ok := saved.(savedList[V])
	if !ok || (s.at != nil) != (l.stamps != nil) {
		return false
	}
	return l.cells.load(s.cells, id) && (s.at == nil || l.at.load(s.at, id))
}

func (o *ordered[K, V]) clone() *ordered[K, V] {
	c := &ordered[K, V]{at: make(map[K]int, len(o.at))}
	dup := Copier[V]()
	for _, e := range o.entries {
		if e.live {
			e.v = dup(e.v)
			c.at[e.k] = len(c.entries)
			c.entries = append(c.entries, e)
		}
	}
	return c
}
