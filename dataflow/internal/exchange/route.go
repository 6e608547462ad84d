package exchange

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/fault"
	"flinkish/dataflow/internal/keygroup"
)

// route returns the Emit of one producer: it chooses the channel of each record.
func (e *edge[K, T]) route(producer int, w *writer[K, T]) core.Emit[T] {
	choose := e.chooser(producer, w)
	if e.key != nil {
		return e.keyedRoute(w, choose)
	}
	chans := w.chans
	switch {
	case e.spec.Kind == core.Custom:
		return customRoute(w, e.spec.Custom.(func(v T, n int, by *core.Choice) int))
	case e.spec.Kind == core.Broadcast && len(chans) > 1:
		return func(v T, ts int64) {
			for _, c := range chans {
				c.add(v, ts)
			}
		}
	case choose == nil:
		c := chans[0]
		return func(v T, ts int64) { c.add(v, ts) }
	}
	return func(v T, ts int64) { chans[choose()].add(v, ts) }
}

// keyedRoute computes the key, which travels with the record. Only HASH looks at it for the channel:
// a reinterpreted stream keeps the partitioning that it has.
func (e *edge[K, T]) keyedRoute(w *writer[K, T], choose func() int) core.Emit[T] {
	key, hash, chans := e.key.selector(w.sub), e.key.hash, w.chans
	switch {
	case e.spec.Kind == core.Hash && len(chans) > 1:
		target := e.keyGroups()
		return func(v T, ts int64) {
			w.at, w.by = v, core.Selector
			k := key(v)
			w.by = core.NoChoice
			chans[target[keygroup.Group(hash(k), len(target))]].addKeyed(k, v, ts)
		}
	case e.spec.Kind == core.Broadcast || e.spec.Kind == core.Custom:
		panic(core.Bug("exchange: a keyed edge cannot be " + e.spec.Kind.String()))
	case choose == nil:
		c := chans[0]
		return func(v T, ts int64) {
			w.at, w.by = v, core.Selector
			k := key(v)
			w.by = core.NoChoice
			c.addKeyed(k, v, ts)
		}
	}
	return func(v T, ts int64) {
		w.at, w.by = v, core.Selector
		k := key(v)
		w.by = core.NoChoice
		chans[choose()].addKeyed(k, v, ts)
	}
}

// keyGroups maps each key group to the subtask that owns it.
func (e *edge[K, T]) keyGroups() []uint16 {
	target := make([]uint16, e.spec.MaxParallelism)
	for g := range target {
		target[g] = uint16(keygroup.Subtask(g, len(target), len(e.spec.Consumers)))
	}
	return target
}

// chooser picks channels without looking at the record. It is nil where every record takes the first, and where the
// record decides.
func (e *edge[K, T]) chooser(producer int, w *writer[K, T]) func() int {
	if len(w.chans) == 1 || e.spec.Kind == core.Global {
		return nil
	}
	choose, err := Select(e.spec.Kind, len(w.chans), e.spec.Seed, uint64(producer)+1)
	if err != nil {
		return nil
	}
	return choose
}

// roundRobin counts up from the channel after last.
func roundRobin(last, n int) func() int {
	return func() int {
		if last++; last >= n {
			last = 0
		}
		return last
	}
}

// choice is the record whose way is being chosen, and by what. The record stays in it afterwards.
type choice[T any] struct {
	by core.Choice
	at T
}

// Choosing implements core.Chooser.
func (c *choice[T]) Choosing() (any, core.Choice) {
	if c.by == core.NoChoice {
		return nil, c.by
	}
	return c.at, c.by
}

func customRoute[K comparable, T any](w *writer[K, T], partition func(v T, n int, by *core.Choice) int) core.Emit[T] {
	chans := w.chans
	return func(v T, ts int64) {
		w.at, w.by = v, core.Selector
		i := partition(v, len(chans), &w.by)
		if uint(i) >= uint(len(chans)) {
			w.sub.Runtime.Fail(fault.New("ArrayIndexOutOfBounds", "", "the partitioner returned %d for %d subtasks; it must return 0 to %d", i, len(chans), len(chans)-1))
		}
		w.by = core.NoChoice
		chans[i].add(v, ts)
	}
}
