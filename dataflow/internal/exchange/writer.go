package exchange

import (
	"sync"

	"flinkish/dataflow/internal/core"
)

// keptSamples is how many of the most recent records a writer remembers.
const keptSamples = 64

// channel is the way from one producer to one consumer.
type channel[K comparable, T any] struct {
	w        *writer[K, T]
	sub      *core.Subtask
	ring     *ring[K, T]
	cur      *batch[K, T]
	size     int
	consumer int
	sent     uint64 // records pushed
}

// add puts a record without a key into the batch.
func (c *channel[K, T]) add(v T, ts int64) {
	b := c.cur
	if ts != core.NoTimestamp || len(b.ts) != 0 {
		b.stamp(ts)
	}
	b.vals = append(b.vals, v)
	if len(b.vals)+len(b.marks) >= c.size {
		c.send()
	}
	if c.sub.Signal.Load()&core.SignalFlush != 0 {
		c.sub.Hooks.Ship()
	}
}

// addKeyed puts a record and its key into the batch.
func (c *channel[K, T]) addKeyed(k K, v T, ts int64) {
	c.cur.keys = append(c.cur.keys, k)
	c.add(v, ts)
}

// mark puts a control element behind the records of the batch. Marks count like records, so a stream
// of watermarks alone stays bounded.
func (c *channel[K, T]) mark(m core.Mark) {
	m.Pos = len(c.cur.vals)
	c.cur.marks = append(c.cur.marks, m)
	if len(c.cur.vals)+len(c.cur.marks) >= c.size {
		c.send()
	}
}

func (c *channel[K, T]) flush() {
	if len(c.cur.vals)+len(c.cur.marks) > 0 {
		c.send()
	}
}

// send pushes the batch. The batch is sampled first: afterwards it belongs to the consumer.
func (c *channel[K, T]) send() {
	b := c.cur
	n := len(b.vals)
	if n > 0 {
		c.w.sample(c.consumer, b)
	}
	c.cur = c.ring.push(b)
	c.sent += uint64(n) // not before: until then they count as part of cur
}

// writer is the end of one producer: a channel for each connected consumer.
type writer[K comparable, T any] struct {
	sub       *core.Subtask
	chans     []*channel[K, T]
	emit      core.Emit[T]
	size      int
	broadcast bool
	choice[T]

	mu     sync.Mutex // guards recent and oldest
	recent []sampled[K, T]
	oldest int
}

type sampled[K comparable, T any] struct {
	val      T
	key      K
	ts       int64
	consumer int
}

func (w *writer[K, T]) Emit() any { return w.emit }

func (w *writer[K, T]) Watermark(wm int64) {
	w.toAll(core.Mark{Kind: core.MarkWatermark, Time: wm})
}

func (w *writer[K, T]) Status(idle bool) {
	if idle {
		w.toAll(core.Mark{Kind: core.MarkIdle})
	} else {
		w.toAll(core.Mark{Kind: core.MarkActive})
	}
}

func (w *writer[K, T]) End() {
	w.toAll(core.Mark{Kind: core.MarkEnd})
	w.Flush()
}

// toAll: control elements go to every connected channel, whatever the partitioner does with records.
func (w *writer[K, T]) toAll(m core.Mark) {
	for _, c := range w.chans {
		c.mark(m)
	}
}

func (w *writer[K, T]) Flush() {
	for _, c := range w.chans {
		c.flush()
	}
}

func (w *writer[K, T]) Count() (n uint64) {
	for _, c := range w.chans {
		n += c.sent + uint64(len(c.cur.vals))
		if w.broadcast {
			break
		}
	}
	return n
}

// sample remembers the last records of a batch that is about to leave. The copy is typed, so nothing is
// boxed until somebody asks.
func (w *writer[K, T]) sample(consumer int, b *batch[K, T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := max(0, len(b.vals)-keptSamples); i < len(b.vals); i++ {
		s := sampled[K, T]{val: b.vals[i], ts: core.NoTimestamp, consumer: consumer}
		if len(b.ts) != 0 {
			s.ts = b.ts[i]
		}
		if len(b.keys) != 0 {
			s.key = b.keys[i]
		}
		if len(w.recent) < keptSamples {
			w.recent = append(w.recent, s)
			continue
		}
		w.recent[w.oldest] = s
		w.oldest = (w.oldest + 1) % keptSamples
	}
}

func (w *writer[K, T]) Sample(n int) []core.Sample {
	w.mu.Lock()
	defer w.mu.Unlock()
	n = max(0, min(n, len(w.recent)))
	out := make([]core.Sample, 0, n)
	for i := len(w.recent) - n; i < len(w.recent); i++ {
		s := &w.recent[(w.oldest+i)%len(w.recent)]
		c := core.Sample{Value: s.val, Timestamp: s.ts, Channel: s.consumer}
		if _, unkeyed := any(s.key).(struct{}); !unkeyed {
			c.Key = s.key
		}
		out = append(out, c)
	}
	return out
}
