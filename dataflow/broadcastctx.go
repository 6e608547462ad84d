package dataflow

import (
	"flinkish/dataflow/internal/state"
)

// broadcastStates are the broadcast states of one operator instance.
type broadcastStates struct {
	access stateAccess
	known  []BroadcastStateDescriptor
}

func newBroadcastStates(b *opBase, known []BroadcastStateDescriptor) *broadcastStates {
	b.ops.broadcast = state.NewScope()
	return &broadcastStates{stateAccess{b.ops.broadcast, b.fail, b.sub.Now}, known}
}

func (s *broadcastStates) open[K comparable, V any](d *MapStateDescriptor[K, V]) MapState[K, V] {
	if d == nil {
		s.access.fail(noDescriptor)
	}
	for _, k := range s.known {
		if k.Name() == d.name {
			if err := d.broadcastable(); err != nil {
				s.access.fail(err)
			}
			return s.access.mapOf(d)
		}
	}
	s.access.fail(&GraphError{Kind: "IllegalArgument", Call: "BroadcastState",
		Msg: "the broadcast state " + d.name + " does not exist; give its descriptor to BroadcastWithState"})
	return MapState[K, V]{}
}

// BroadcastContext is what ProcessBroadcastElement may ask (BroadcastProcessFunction.Context).
type BroadcastContext struct {
	inner  *ProcessContext
	states *broadcastStates
}

// Timestamp is the event timestamp of the record in milliseconds; MinInt64 when it has none.
func (c *BroadcastContext) Timestamp() int64 { return c.inner.ts }

// CurrentProcessingTime is the processing time in milliseconds.
func (c *BroadcastContext) CurrentProcessingTime() int64 {
	return c.inner.timers.CurrentProcessingTime()
}

// CurrentWatermark is the watermark of the operator in milliseconds.
func (c *BroadcastContext) CurrentWatermark() int64 { return c.inner.timers.CurrentWatermark() }

// Output sends v to a side output, with the timestamp of the record.
func (c *BroadcastContext) Output[X any](tag OutputTag[X], v X) { c.inner.Output(tag, v) }

// BroadcastState returns a broadcast state, for reading and writing.
func (c *BroadcastContext) BroadcastState[K comparable, V any](d *MapStateDescriptor[K, V]) BroadcastState[K, V] {
	return BroadcastState[K, V]{c.states.open(d)}
}

// ReadOnlyBroadcastContext is what ProcessElement of a BroadcastProcessFunction may ask
// (BroadcastProcessFunction.ReadOnlyContext).
type ReadOnlyBroadcastContext struct {
	inner  *ProcessContext
	states *broadcastStates
}

// Timestamp is the event timestamp of the record in milliseconds, and whether it has one.
func (c *ReadOnlyBroadcastContext) Timestamp() (int64, bool) { return c.inner.Timestamp() }

// CurrentProcessingTime is the processing time in milliseconds.
func (c *ReadOnlyBroadcastContext) CurrentProcessingTime() int64 {
	return c.inner.timers.CurrentProcessingTime()
}

// CurrentWatermark is the watermark of the operator in milliseconds.
func (c *ReadOnlyBroadcastContext) CurrentWatermark() int64 { return c.inner.timers.CurrentWatermark() }

// Output sends v to a side output, with the timestamp of the record.
func (c *ReadOnlyBroadcastContext) Output[X any](tag OutputTag[X], v X) { c.inner.Output(tag, v) }

// BroadcastState returns a broadcast state, for reading.
func (c *ReadOnlyBroadcastContext) BroadcastState[K comparable, V any](d *MapStateDescriptor[K, V]) ReadOnlyBroadcastState[K, V] {
	return ReadOnlyBroadcastState[K, V]{c.states.open(d)}
}

// KeyedReadOnlyBroadcastContext is what ProcessElement of a KeyedBroadcastProcessFunction may ask
// (KeyedBroadcastProcessFunction.ReadOnlyContext).
type KeyedReadOnlyBroadcastContext[K comparable] struct {
	*KeyedContext[K]
	states *broadcastStates
}

// BroadcastState returns a broadcast state, for reading.
func (c *KeyedReadOnlyBroadcastContext[K]) BroadcastState[MK comparable, V any](d *MapStateDescriptor[MK, V]) ReadOnlyBroadcastState[MK, V] {
	return ReadOnlyBroadcastState[MK, V]{c.states.open(d)}
}

// BroadcastOnTimerContext is what OnTimer of a KeyedBroadcastProcessFunction may ask
// (KeyedBroadcastProcessFunction.OnTimerContext).
type BroadcastOnTimerContext[K comparable] struct {
	*OnTimerContext[K]
	states *broadcastStates
}

// BroadcastState returns a broadcast state, for reading.
func (c *BroadcastOnTimerContext[K]) BroadcastState[MK comparable, V any](d *MapStateDescriptor[MK, V]) ReadOnlyBroadcastState[MK, V] {
	return ReadOnlyBroadcastState[MK, V]{c.states.open(d)}
}

// KeyedBroadcastContext is what ProcessBroadcastElement of a KeyedBroadcastProcessFunction may ask
// (KeyedBroadcastProcessFunction.Context).
type KeyedBroadcastContext[K comparable] struct {
	inner  *KeyedContext[K]
	states *broadcastStates
}

// Timestamp is the event timestamp of the record in milliseconds; MinInt64 when it has none.
func (c *KeyedBroadcastContext[K]) Timestamp() int64 { return c.inner.ts }

// CurrentProcessingTime is the processing time in milliseconds.
func (c *KeyedBroadcastContext[K]) CurrentProcessingTime() int64 {
	return c.inner.timers.CurrentProcessingTime()
}

// CurrentWatermark is the watermark of the operator in milliseconds.
func (c *KeyedBroadcastContext[K]) CurrentWatermark() int64 { return c.inner.timers.CurrentWatermark() }

// Output sends v to a side output, with the timestamp of the record.
func (c *KeyedBroadcastContext[K]) Output[X any](tag OutputTag[X], v X) { c.inner.Output(tag, v) }

// BroadcastState returns a broadcast state, for reading and writing.
func (c *KeyedBroadcastContext[K]) BroadcastState[MK comparable, V any](d *MapStateDescriptor[MK, V]) BroadcastState[MK, V] {
	return BroadcastState[MK, V]{c.states.open(d)}
}

// eachKey calls f for every key of this subtask that has the state.
func eachKey[K comparable](c *KeyedBroadcastContext[K], noFunction bool, has func() bool, f func(k K) error) {
	if noFunction {
		c.inner.base.fail(nilFunction("function of ApplyToKeyedState"))
	}
	c.inner.keys.Each(func(id int32, k K) bool {
		c.inner.keys.SetID(id)
		if has() {
			if err := f(k); err != nil {
				c.inner.base.fail(err)
			}
		}
		return true
	})
	c.inner.keys.ClearCurrent()
}

// ApplyToKeyedState calls f for every key of this subtask for which the ValueState is set. To visit a key is not to read its
// state: a time to live goes on, and f may meet a key whose value has expired, which it reads as that of any other
// function.
func (c *KeyedBroadcastContext[K]) ApplyToKeyedState[V any](d *ValueStateDescriptor[V], f func(k K, s ValueState[V]) error) {
	s := c.inner.State(d)
	eachKey(c, f == nil, s.v.IsSet, func(k K) error { return f(k, s) })
}

// ApplyToKeyedListState calls f for every key of this subtask whose ListState has elements, as ApplyToKeyedState does.
func (c *KeyedBroadcastContext[K]) ApplyToKeyedListState[V any](d *ListStateDescriptor[V], f func(k K, s ListState[V]) error) {
	s := c.inner.ListState(d)
	eachKey(c, f == nil, s.l.IsSet, func(k K) error { return f(k, s) })
}

// ApplyToKeyedMapState calls f for every key of this subtask whose MapState has entries, as ApplyToKeyedState does.
func (c *KeyedBroadcastContext[K]) ApplyToKeyedMapState[MK comparable, V any](d *MapStateDescriptor[MK, V], f func(k K, s MapState[MK, V]) error) {
	s := c.inner.MapState(d)
	eachKey(c, f == nil, s.m.IsSet, func(k K) error { return f(k, s) })
}

// ApplyToKeyedReducingState calls f for every key of this subtask for which the ReducingState is set, as ApplyToKeyedState does.
func (c *KeyedBroadcastContext[K]) ApplyToKeyedReducingState[V any](d *ReducingStateDescriptor[V], f func(k K, s ReducingState[V]) error) {
	s := c.inner.ReducingState(d)
	eachKey(c, f == nil, s.r.IsSet, func(k K) error { return f(k, s) })
}

// ApplyToKeyedAggregatingState calls f for every key of this subtask for which the AggregatingState is set, as ApplyToKeyedState
// does.
func (c *KeyedBroadcastContext[K]) ApplyToKeyedAggregatingState[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT], f func(k K, s AggregatingState[IN, OUT]) error) {
	s := c.inner.AggregatingState(d)
	eachKey(c, f == nil, s.a.IsSet, func(k K) error { return f(k, s) })
}
