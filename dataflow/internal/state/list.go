package state

import (
	"iter"
	"slices"

	"flinkish/dataflow/internal/fault"
)

// List is a ListState: a list of elements for each key. With a TTL each element expires by itself.
type List[V any] struct {
	cells  *Value[[]V]
	noNil  bool
	stamps *stamps         // nil without a TTL
	at     *Value[[]int64] // the times of the elements
}

// Get yields the elements of the current key in the order in which they were added, none when
// there are none. Changes made while the caller ranges are not seen.
func (l *List[V]) Get() iter.Seq[V] { return slices.Values(l.Slice()) }

// Slice returns the elements of the current key. The caller must not change them.
func (l *List[V]) Slice() []V {
	if l.stamps != nil {
		return l.unexpired()
	}
	return slices.Clip(l.cells.Value())
}

// Add appends an element. A nil element is refused with a *fault.Error panic, as in Flink.
func (l *List[V]) Add(x V) {
	l.check(x)
	p, _ := l.cells.Ref()
	*p = append(*p, x)
	l.stamp(1)
}

// AddAll appends elements; none is a no-op.
func (l *List[V]) AddAll(xs []V) {
	l.check(xs...)
	if len(xs) > 0 {
		p, _ := l.cells.Ref()
		*p = append(*p, xs...)
		l.stamp(len(xs))
	}
}

// Update replaces the elements of the current key with a copy of xs; none clears.
func (l *List[V]) Update(xs []V) {
	l.check(xs...)
	l.Clear()
	l.AddAll(xs)
}

// Clear removes the elements of the current key.
func (l *List[V]) Clear() {
	l.cells.Clear()
	if l.stamps != nil {
		l.at.Clear()
	}
}

// IsSet reports whether the current key has elements, expired or not. It is no read.
func (l *List[V]) IsSet() bool { return l.cells.IsSet() }

func (l *List[V]) check(xs ...V) {
	if !l.noNil {
		return
	}
	for _, x := range xs {
		if isNil(x) {
			panic(fault.New("NullPointer", "ListState", "state %q takes no nil element; leave such elements out", l.cells.name))
		}
	}
}

// stamp gives the n newest elements their time.
func (l *List[V]) stamp(n int) {
	if l.stamps == nil {
		return
	}
	p, _ := l.at.Ref()
	now := l.stamps.Now()
	for range n {
		*p = append(*p, now)
	}
	l.sweep()
}

// unexpired reads a list with a TTL. When nothing in it is alive any more, the list is cleared.
func (l *List[V]) unexpired() []V {
	l.sweep()
	xs, at := l.cells.Value(), l.at.Value()
	var out []V
	alive := false
	for i, x := range xs {
		if l.stamps.expired(at[i]) {
			if l.stamps.ReturnExpired {
				out = append(out, x)
			}
			continue
		}
		alive = true
		out = append(out, x)
		if l.stamps.OnRead {
			at[i] = l.stamps.Now()
		}
	}
	if !alive {
		l.Clear()
	}
	return out
}

// sweep clears lists of other keys that have nothing alive.
func (l *List[V]) sweep() {
	n := int32(64 * len(l.at.set))
	l.stamps.cleanUp(n, l.at.ids.cur, func(id int32) {
		if !l.at.Has(id) || slices.ContainsFunc(*l.at.cell(id), func(at int64) bool { return !l.stamps.expired(at) }) {
			return
		}
		l.at.clearID(id)
		l.cells.clearID(id)
	})
}
