package exchange

import (
	"sync/atomic"

	"flinkish/dataflow/internal/core"
)

// batch is a column of records with the marks that lie between them.
type batch[K, T any] struct {
	vals []T
	ts   []int64 // empty until a record with a timestamp appears, then as long as vals
	keys []K     // as long as vals on a keyed edge, else empty
	// marks are in order of position
	marks []core.Mark
}

// stamp keeps the column of timestamps as long as the column of values will be. Most streams have a
// timestamp on every record or on none, and one without pays nothing.
func (b *batch[K, T]) stamp(ts int64) {
	for len(b.ts) < len(b.vals) {
		b.ts = append(b.ts, core.NoTimestamp)
	}
	b.ts = append(b.ts, ts)
}

// reset empties the batch and drops the references that its records hold.
func (b *batch[K, T]) reset() {
	clear(b.vals)
	clear(b.keys)
	b.vals, b.ts, b.keys, b.marks = b.vals[:0], b.ts[:0], b.keys[:0], b.marks[:0]
}

// ring is a bounded queue of batches with one producer and one consumer. A slot that the consumer has
// left still holds its batch, emptied: the producer finds it there when it comes round. So batches
// need no second way back, and a free slot is the credit of the producer.
type ring[K, T any] struct {
	slots []*batch[K, T]
	low   uint64 // a waiting producer resumes when no more than this many batches are queued

	_    [64]byte // producer and consumer write to different cache lines
	tail atomic.Uint64
	_    [56]byte
	head atomic.Uint64
	_    [56]byte

	store *store[K, T] // of a blocking edge; nil otherwise

	producer, consumer *core.Subtask
	room               func() bool // made once: a method value would allocate at each wait
}

func newRing[K, T any](slots int, producer, consumer *core.Subtask) *ring[K, T] {
	r := &ring[K, T]{slots: make([]*batch[K, T], slots), low: uint64(slots) / 2, producer: producer, consumer: consumer}
	if slots == 1 {
		r.low = 0
	}
	r.room = func() bool { return r.queued() <= r.low }
	return r
}

func (r *ring[K, T]) queued() uint64 { return r.tail.Load() - r.head.Load() }

// push hands b to the consumer and returns an empty batch. It suspends the producer while the ring is
// full; if the job is cancelled meanwhile it unwinds, and b stays with the caller.
func (r *ring[K, T]) push(b *batch[K, T]) *batch[K, T] {
	if r.store != nil {
		return r.keep(b)
	}
	n := uint64(len(r.slots))
	if r.queued() >= n {
		r.producer.Hooks.Credit(r.room)
	}
	t := r.tail.Load()
	slot := &r.slots[t%n]
	empty := *slot
	*slot = b
	r.tail.Store(t + 1)
	r.consumer.Runtime.Wake()
	if empty == nil {
		empty = &batch[K, T]{}
	}
	return empty
}

// keep is push on a blocking edge: it never waits, and the consumer sees nothing before the end.
func (r *ring[K, T]) keep(b *batch[K, T]) *batch[K, T] {
	end := len(b.marks) > 0 && b.marks[len(b.marks)-1].Kind == core.MarkEnd
	empty, err := r.store.add(b)
	r.tail.Add(1)
	if end && err == nil {
		err = r.store.seal()
	}
	if err != nil {
		r.producer.Runtime.Fail(err)
	}
	if end {
		r.consumer.Runtime.Wake()
	}
	return empty
}

// open reports whether the consumer may read.
func (r *ring[K, T]) open() bool { return r.store == nil || r.store.sealed.Load() }

// peek returns the oldest batch, nil if there is none. It stays the consumer's until pop.
func (r *ring[K, T]) peek() *batch[K, T] {
	h := r.head.Load()
	if h == r.tail.Load() {
		return nil
	}
	if r.store != nil {
		b, err := r.store.peek()
		if err != nil {
			r.consumer.Runtime.Fail(err)
		}
		return b
	}
	return r.slots[h%uint64(len(r.slots))]
}

// pop empties the batch that peek returned and hands its slot back.
func (r *ring[K, T]) pop() {
	h := r.head.Load()
	if r.store != nil {
		r.store.pop()
		r.head.Store(h + 1)
		if h+1 == r.tail.Load() {
			r.store.close()
		}
		return
	}
	r.slots[h%uint64(len(r.slots))].reset()
	r.head.Store(h + 1)
	if r.queued() <= r.low {
		r.producer.Runtime.Wake()
	}
}
