package state

import "unsafe"

// This file is the look-ahead of a Backend. A record with a key among millions waits for memory several times: for the
// index, the key, each state. Told the keys of many records at once, the Backend walks them step by step, so that the
// waits overlap.

// aheadFrom is how many keys make a look-ahead worth its price; fewer live in the cache anyway.
const aheadFrom = 4 * pageSize

// ahead holds the ids of the keys that are set next.
type ahead[K comparable] struct {
	keys    []K
	ids     []int32 // of keys; NoKey where none is known
	at      int     // the next one
	removed uint64  // Backend.removed when the ids were found
	places  []uint32
	sink    uint64 // keeps the loads alive
}

// Ahead tells the keys for which SetCurrent will be called next, in this order: a few dozen, for what is brought in must
// stay in the cache. They must not change before the next call. It changes nothing but the time that SetCurrent takes, and
// may be wrong. No keys ends the look-ahead.
func (b *Backend[K]) Ahead(keys []K) {
	a := &b.ahead
	a.keys, a.at = nil, 0
	if len(keys) == 0 || b.n < aheadFrom {
		return
	}
	a.keys, a.removed, a.ids = keys, b.removed, a.ids[:0]
	if b.ints != nil {
		b.aheadInts(keys)
	} else {
		b.aheadIndex(keys)
	}
	for _, c := range b.columns {
		a.sink += c.touch(a.ids)
	}
}

// LookAhead is Ahead, a func(keys []K), for code that does not know K.
func (b *Backend[K]) LookAhead() any { return b.Ahead }

func (b *Backend[K]) aheadInts(keys []K) {
	a, x := &b.ahead, b.ints
	for i := range keys {
		a.sink += x.slots[x.first(bitsOf(&keys[i]))].key
	}
	for i := range keys {
		a.ids = append(a.ids, x.find(bitsOf(&keys[i])))
	}
}

func (b *Backend[K]) aheadIndex(keys []K) {
	a, x := &b.ahead, &b.index
	a.places = a.places[:0]
	for _, k := range keys {
		tag := b.hash(k)
		a.places = append(a.places, tag)
		a.sink += x.slots[x.First(tag)]
	}
	for _, tag := range a.places {
		id := x.candidate(tag)
		a.ids = append(a.ids, id)
		if id != NoKey {
			a.sink += uint64(touch(&b.keys[id>>pageBits][id&pageMask]))
		}
	}
	for i, id := range a.ids {
		if id != NoKey && b.KeyOf(id) != keys[i] {
			a.ids[i] = NoKey
		}
	}
}

// candidate is the first number under a tag, NoKey when there is none.
func (x *Index) candidate(tag uint32) int32 {
	for p := x.First(tag); ; p = x.Next(p) {
		t, n, ok := x.At(p)
		if !ok {
			return NoKey
		}
		if t == tag {
			return int32(n)
		}
	}
}

// known returns the id of k from the look-ahead, NoKey where it has none. Keys that were skipped are left behind.
func (b *Backend[K]) known(k K) int32 {
	a := &b.ahead
	for a.at < len(a.keys) {
		i := a.at
		a.at++
		if a.keys[i] != k {
			continue
		}
		if a.removed != b.removed { // an id may mean another key now
			a.keys = nil
			return NoKey
		}
		return a.ids[i]
	}
	return NoKey
}

// column is a column of cells that a look-ahead can bring into the cache.
type column interface {
	// touch loads the cells of these ids, of which some may be NoKey; the sum of what it saw has no meaning.
	touch(ids []int32) uint64
}

func (v *Value[V]) touch(ids []int32) (sum uint64) {
	for _, id := range ids {
		if p := int(id >> pageBits); id >= 0 && p < len(v.pages) && v.pages[p] != nil {
			sum += uint64(touch(&v.pages[p][id&pageMask]))
		}
	}
	return sum
}

// touch loads the first byte of a value.
func touch[V any](p *V) byte {
	if unsafe.Sizeof(*p) == 0 {
		return 0
	}
	return *(*byte)(unsafe.Pointer(p))
}
