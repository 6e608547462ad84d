package exchange

import (
	"sync"

	"flinkish/dataflow/internal/core"
)

// keptTapped is how many records a tap remembers: few, so that they stay in the cache.
const keptTapped = 16

// tap remembers the last records that passed. The record path writes to seen, which only the subtask
// touches; Publish copies it.
type tap[T any] struct {
	seen [keptTapped]tapped[T]
	n    uint64

	mu    sync.Mutex // guards shown and count
	shown [keptTapped]tapped[T]
	count uint64
}

type tapped[T any] struct {
	val T
	ts  int64
}

func (mover[T]) Tap(out any) (any, core.Sampler) {
	next := out.(core.Emit[T])
	t := &tap[T]{}
	return core.Emit[T](func(v T, ts int64) {
		s := &t.seen[t.n%keptTapped]
		s.val, s.ts = v, ts
		t.n++
		next(v, ts)
	}), t
}

func (t *tap[T]) Publish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count != t.n {
		t.shown, t.count = t.seen, t.n
	}
}

func (t *tap[T]) Sample(n int) []core.Sample {
	t.mu.Lock()
	defer t.mu.Unlock()
	n = max(0, min(n, int(min(t.count, keptTapped))))
	out := make([]core.Sample, 0, n)
	for i := t.count - uint64(n); i < t.count; i++ {
		s := t.shown[i%keptTapped]
		out = append(out, core.Sample{Value: s.val, Timestamp: s.ts})
	}
	return out
}
