package exchange

import "flinkish/dataflow/internal/core"

// reader is the end of one consumer: a ring for each connected producer.
type reader[K comparable, T any] struct {
	rings    []*ring[K, T]
	blocking bool
	closed   []bool // rings that delivered their end
	next     int    // where round robin goes on
	full     []int  // scratch: rings that have a batch
	count    uint64
	deliver  func(b *batch[K, T], from, to int)
}

func (r *reader[K, T]) Channels() int { return len(r.rings) }

func (r *reader[K, T]) Ready() bool {
	for _, q := range r.rings {
		if !q.open() {
			return false // a blocking edge is read when all of its producers have ended
		}
	}
	for i, q := range r.rings {
		if !r.closed[i] && q.queued() > 0 {
			return true
		}
	}
	return false
}

func (r *reader[K, T]) Read(pick func(n int) int, mark func(channel int, m core.Mark)) bool {
	r.full = r.full[:0]
	if r.blocking && !r.Ready() {
		return false
	}
	for i := range r.rings {
		c := (r.next + i) % len(r.rings)
		if !r.closed[c] && r.rings[c].queued() > 0 {
			r.full = append(r.full, c)
		}
	}
	if len(r.full) == 0 {
		return false
	}
	c := r.full[0]
	if pick != nil && len(r.full) > 1 {
		c = r.full[pick(len(r.full))]
	}
	r.next = (c + 1) % len(r.rings)
	r.read(c, mark)
	return true
}

// read delivers the oldest batch of channel c, with each mark where it lies.
func (r *reader[K, T]) read(c int, mark func(channel int, m core.Mark)) {
	b := r.rings[c].peek()
	pos := 0
	for _, m := range b.marks {
		r.count += uint64(m.Pos - pos)
		r.deliver(b, pos, m.Pos)
		pos = m.Pos
		if m.Kind == core.MarkEnd {
			r.closed[c] = true
		}
		mark(c, m)
	}
	r.count += uint64(len(b.vals) - pos)
	r.deliver(b, pos, len(b.vals))
	r.rings[c].pop()
}

func (r *reader[K, T]) Queued() (n, capacity int) {
	for _, q := range r.rings {
		n += int(q.queued())
		capacity += len(q.slots)
	}
	return n, capacity
}

func (r *reader[K, T]) Count() uint64 { return r.count }

func (r *reader[K, T]) Release() { r.deliver = nil }

// deliver returns the loop that hands records from..to of a batch to emit. Between two records it looks
// at the subtask's signal, so that cancelling and timers do not wait for the end of a batch.
func deliver[K comparable, T any](sub *core.Subtask, emit core.Emit[T]) func(b *batch[K, T], from, to int) {
	return func(b *batch[K, T], from, to int) {
		vals := b.vals[from:to]
		if len(b.ts) == 0 {
			for _, v := range vals {
				if sub.Signal.Load() != 0 {
					sub.Hooks.Attend()
				}
				emit(v, core.NoTimestamp)
			}
			return
		}
		ts := b.ts[from:to]
		for i, v := range vals {
			if sub.Signal.Load() != 0 {
				sub.Hooks.Attend()
			}
			emit(v, ts[i])
		}
	}
}

// aheadRecords is how many records the consumer is told of before they come.
const aheadRecords = 64

// deliverKeyed is deliver for records with keys. ahead, if not nil, is an Instance.Ahead.
func deliverKeyed[K comparable, T any](sub *core.Subtask, emit core.KeyedEmit[K, T], ahead func(keys []K)) func(b *batch[K, T], from, to int) {
	each := func(b *batch[K, T], from, to int) {
		vals, keys := b.vals[from:to], b.keys[from:to]
		if len(b.ts) == 0 {
			for i, v := range vals {
				if sub.Signal.Load() != 0 {
					sub.Hooks.Attend()
				}
				emit(keys[i], v, core.NoTimestamp)
			}
			return
		}
		ts := b.ts[from:to]
		for i, v := range vals {
			if sub.Signal.Load() != 0 {
				sub.Hooks.Attend()
			}
			emit(keys[i], v, ts[i])
		}
	}
	if ahead == nil {
		return each
	}
	return func(b *batch[K, T], from, to int) {
		for from < to {
			n := min(to, from+aheadRecords)
			ahead(b.keys[from:n])
			each(b, from, n)
			from = n
		}
		ahead(nil)
	}
}
