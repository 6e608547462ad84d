// Package timer keeps the timers of one keyed operator: a queue for each time domain, and the service
// that fires them with their key set. It has no clock: watermarks come in by a call, and processing time
// through a function that calls back.
package timer

import (
	"hash/maphash"
	"reflect"

	"flinkish/dataflow/internal/state"
)

// Queue holds timers (timestamp, key id, namespace) as a set: registering one twice keeps one. They come
// out in ascending time; timers of the same time in the order in which they were registered. It is
// a 4-ary heap beside a hash index.
type Queue[N comparable] struct {
	heap    []item
	entries []entry[N]
	free    []uint32
	index   state.Index
	hash    func(N) uint32
	seq     uint64
	dead    int // deleted timers that are still in the heap
}

type item struct {
	ts   int64
	seq  uint64
	slot uint32
}

type entry[N comparable] struct {
	ts   int64
	id   int32
	live bool
	ns   N
}

// NewQueue returns an empty queue.
func NewQueue[N comparable]() *Queue[N] {
	q := &Queue[N]{index: state.NewIndex()}
	if reflect.TypeFor[N]().Size() > 0 {
		seed := maphash.MakeSeed()
		q.hash = func(n N) uint32 { return uint32(maphash.Comparable(seed, n)) }
	}
	return q
}

// Len is the number of timers.
func (q *Queue[N]) Len() int { return len(q.heap) - q.dead }

// Register adds a timer; it reports whether it is new. ts is in milliseconds.
func (q *Queue[N]) Register(ts int64, id int32, ns N) bool {
	tag := q.tag(ts, id, ns)
	if _, ok := q.find(tag, ts, id, ns); ok {
		return false
	}
	var slot uint32
	if n := len(q.free); n > 0 {
		slot, q.free = q.free[n-1], q.free[:n-1]
	} else {
		slot = uint32(len(q.entries))
		q.entries = append(q.entries, entry[N]{})
	}
	q.entries[slot] = entry[N]{ts, id, true, ns}
	q.index.Insert(tag, slot)
	q.push(item{ts, q.seq, slot})
	q.seq++
	return true
}

// Delete removes a timer; it reports whether there was one. The heap forgets it later: when it comes to
// the top, or when half of the heap is dead.
func (q *Queue[N]) Delete(ts int64, id int32, ns N) bool {
	tag := q.tag(ts, id, ns)
	slot, ok := q.find(tag, ts, id, ns)
	if !ok {
		return false
	}
	q.index.Delete(tag, slot)
	q.entries[slot].live = false
	q.dead++
	if q.dead > 64 && q.dead > len(q.heap)/2 {
		q.compact()
	}
	return true
}

// Peek returns the time of the next timer.
func (q *Queue[N]) Peek() (ts int64, ok bool) {
	q.skip()
	if len(q.heap) == 0 {
		return 0, false
	}
	return q.heap[0].ts, true
}

// Pop takes the next timer out. The queue must not be empty.
func (q *Queue[N]) Pop() (ts int64, id int32, ns N) {
	q.skip()
	slot := q.heap[0].slot
	e := q.entries[slot]
	q.index.Delete(q.tag(e.ts, e.id, e.ns), slot)
	q.recycle(slot)
	q.pop()
	return e.ts, e.id, e.ns
}

// skip drops deleted timers from the top.
func (q *Queue[N]) skip() {
	for q.dead > 0 && len(q.heap) > 0 && !q.entries[q.heap[0].slot].live {
		q.recycle(q.heap[0].slot)
		q.dead--
		q.pop()
	}
}

func (q *Queue[N]) compact() {
	kept := q.heap[:0]
	for _, it := range q.heap {
		if q.entries[it.slot].live {
			kept = append(kept, it)
		} else {
			q.recycle(it.slot)
		}
	}
	q.heap, q.dead = kept, 0
	for i := (len(kept) - 2) >> 2; i >= 0; i-- {
		q.down(i, kept[i])
	}
}

func (q *Queue[N]) recycle(slot uint32) {
	q.entries[slot] = entry[N]{}
	q.free = append(q.free, slot)
}

func (q *Queue[N]) tag(ts int64, id int32, ns N) uint32 {
	h := uint64(ts)*0x9e3779b97f4a7c15 ^ uint64(uint32(id))*0xd6e8feb86659fd93
	if q.hash != nil {
		h ^= uint64(q.hash(ns)) * 0xff51afd7ed558ccd
	}
	h = (h ^ h>>32) * 0xff51afd7ed558ccd
	return uint32(h >> 32)
}

func (q *Queue[N]) find(tag uint32, ts int64, id int32, ns N) (uint32, bool) {
	for p := q.index.First(tag); ; p = q.index.Next(p) {
		t, slot, ok := q.index.At(p)
		if !ok {
			return 0, false
		}
		if t == tag {
			if e := &q.entries[slot]; e.ts == ts && e.id == id && e.ns == ns {
				return slot, true
			}
		}
	}
}

func before(a, b item) bool { return a.ts < b.ts || a.ts == b.ts && a.seq < b.seq }

func (q *Queue[N]) push(it item) {
	q.heap = append(q.heap, it)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !before(it, q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = it
}

func (q *Queue[N]) pop() {
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if n > 0 {
		q.down(0, last)
	}
}

// down lets it sink from place i.
func (q *Queue[N]) down(i int, it item) {
	h := q.heap
	for {
		c := 4*i + 1
		if c >= len(h) {
			break
		}
		least := c
		for j := c + 1; j < min(c+4, len(h)); j++ {
			if before(h[j], h[least]) {
				least = j
			}
		}
		if !before(h[least], it) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = it
}
