// Package state is keyed state in memory. A Backend gives each key a small dense number, its id; each state
// is a column of cells indexed by id. Setting the current key is the one hash lookup of a record:
// after it, a state handle reaches its cell by index, and timers and windows store ids instead of keys.
//
// Handles know neither the key type nor how the key is found, so user code and triggers share them.
// Nothing here is safe for concurrent use; a Backend belongs to one subtask.
package state

import (
	"fmt"
	"slices"

	"flinkish/dataflow/internal/keygroup"
)

// pageBits says how many keys, or cells of a column, stand in one page. Pages never move, so a pointer to a
// cell stays good, and a later snapshot can share pages that nobody writes.
const (
	pageBits = 10
	pageSize = 1 << pageBits
	pageMask = pageSize - 1
)

// Backend holds the keyed state of one operator instance.
type Backend[K comparable] struct {
	Store
	ints  *intIndex // of integer keys; else index is used
	index Index
	hash  func(K) uint32
	same  func(a, b K) bool // nil: == is enough
	clone func(K) K         // nil: keys need no copy
	keys  []*[pageSize]K
	n     int32   // ids given out so far
	free  []int32 // ids to give out again
	seq   []uint64
	next  uint64
	group func(K) int32 // hash code for the key group; made when there is a guard

	removed uint64 // keys taken out so far
	ahead   ahead[K]
}

// NewBackend returns an empty backend without a current key.
func NewBackend[K comparable]() *Backend[K] {
	b := &Backend[K]{hash: hashOf[K](), same: sameOf[K](), clone: cloneOf[K]()}
	if isInteger[K]() {
		b.ints = newIntIndex()
	} else {
		b.index = NewIndex()
	}
	b.Store = Store{ids: &ids{cur: NoKey, refs: []uint32{}}, width: pageSize, owner: b}
	return b
}

// SetCurrent makes k the current key of every state handle, and returns its id. The id is valid as
// long as something refers to it: a state that is set, a timer, a Retain.
func (b *Backend[K]) SetCurrent(k K) int32 {
	id := NoKey
	if b.ahead.at < len(b.ahead.keys) {
		id = b.known(k)
	}
	if id == NoKey {
		id = b.ID(k)
	}
	b.ids.cur = id
	return id
}

// ID returns the id of k, and gives it one if it has none.
func (b *Backend[K]) ID(k K) int32 {
	if b.ints != nil {
		if id := b.ints.find(bitsOf(&k)); id != NoKey {
			return id
		}
		return b.insert(k, 0)
	}
	tag := b.hash(k)
	for p := b.index.First(tag); ; p = b.index.Next(p) {
		s := b.index.slots[p]
		if s == 0 {
			return b.insert(k, tag)
		}
		if uint32(s>>32) == tag {
			id := int32(uint32(s)) - 1
			if o := b.keys[id>>pageBits][id&pageMask]; o == k || b.same != nil && b.same(o, k) {
				return id
			}
		}
	}
}

// KeyOf returns the key with the given id.
func (b *Backend[K]) KeyOf(id int32) K { return b.keys[id>>pageBits][id&pageMask] }

// Key returns the current key. It panics with a *fault.Error when there is none.
func (b *Backend[K]) Key() K { return b.KeyOf(b.ids.current("")) }

// Len is the number of keys that something refers to.
func (b *Backend[K]) Len() int { return b.ids.live }

// Each calls f for every key that something refers to, in the order in which the keys came, until f
// reports false. f may set the current key, read, write and clear states.
func (b *Backend[K]) Each(f func(id int32, k K) bool) {
	order := make([]int32, 0, b.ids.live)
	for id := range b.n {
		if b.ids.used(id) {
			order = append(order, id)
		}
	}
	slices.SortFunc(order, func(x, y int32) int { return int(int64(b.seq[x]) - int64(b.seq[y])) })
	for _, id := range order {
		if b.ids.used(id) && !f(id, b.KeyOf(id)) {
			return
		}
	}
}

// insert gives k an id. Ids that nothing refers to are kept until they are as many as the others, for
// a key that left often comes back, and then taking them out and in again would be wasted.
func (b *Backend[K]) insert(k K, tag uint32) int32 {
	if b.ids.guard.Groups > 0 && !b.ours(k) {
		return foreignKey
	}
	if len(b.ids.pending) >= 256+b.ids.live {
		b.reap()
	}
	if b.clone != nil {
		k = b.clone(k)
	}
	var id int32
	if n := len(b.free); n > 0 {
		id, b.free = b.free[n-1], b.free[:n-1]
	} else {
		id = b.n
		b.n++
		if id&pageMask == 0 {
			b.keys = append(b.keys, new([pageSize]K))
		}
		b.ids.refs = append(b.ids.refs, 0)
		b.seq = append(b.seq, 0)
	}
	b.keys[id>>pageBits][id&pageMask] = k
	b.seq[id] = b.next
	b.next++
	b.ids.queue(id)
	if b.ints != nil {
		b.ints.insert(bitsOf(&k), id)
	} else {
		b.index.Insert(tag, uint32(id))
	}
	return id
}

// ours reports whether the guard lets k in. It is asked once for each new key.
func (b *Backend[K]) ours(k K) bool {
	if b.group == nil {
		b.group = keygroup.HasherOf[K]()
	}
	g := &b.ids.guard
	group := keygroup.Group(b.group(k), g.Groups)
	if g.owns(group) {
		return true
	}
	b.ids.foreign = fmt.Sprintf("key %v is in key group %d, which is not in the range [%d, %d] of this subtask", k, group, g.First, g.Last)
	return false
}

// reap takes out the keys that nothing refers to.
func (b *Backend[K]) reap() {
	kept := b.ids.pending[:0]
	for _, id := range b.ids.pending {
		switch {
		case b.ids.used(id):
			b.ids.refs[id] &^= queued
		case id == b.ids.cur:
			kept = append(kept, id)
		default:
			b.remove(id)
		}
	}
	b.ids.pending = kept
}

func (b *Backend[K]) remove(id int32) {
	b.removed++
	var zero K
	k := &b.keys[id>>pageBits][id&pageMask]
	if b.ints != nil {
		b.ints.delete(bitsOf(k))
	} else {
		b.index.Delete(b.hash(*k), uint32(id))
	}
	*k = zero
	b.ids.refs[id] = 0
	b.free = append(b.free, id)
}
