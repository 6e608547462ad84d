package dataflow

import "flinkish/dataflow/internal/state"

// TriggerContext is what a trigger may ask and do (Trigger.TriggerContext); it is valid during the call only.
// Times are in milliseconds since the epoch.
type TriggerContext struct {
	inner triggerContext
	rt    *RuntimeContext
}

// triggerContext is the internal context without its window type.
type triggerContext interface {
	CurrentWatermark() int64
	CurrentProcessingTime() int64
	RegisterEventTimeTimer(ts int64)
	RegisterProcessingTimeTimer(ts int64)
	DeleteEventTimeTimer(ts int64)
	DeleteProcessingTimeTimer(ts int64)
	Store() *state.Store
	Merged() []*state.Store
}

// CurrentWatermark is the watermark of the operator.
func (c *TriggerContext) CurrentWatermark() int64 { return c.inner.CurrentWatermark() }

// CurrentProcessingTime is the processing time.
func (c *TriggerContext) CurrentProcessingTime() int64 {
	return c.inner.CurrentProcessingTime()
}

// RegisterEventTimeTimer makes OnEventTime be called for this key and window when the watermark reaches ts.
func (c *TriggerContext) RegisterEventTimeTimer(ts int64) {
	c.inner.RegisterEventTimeTimer(ts)
}

// RegisterProcessingTimeTimer makes OnProcessingTime be called for this key and window once ts is over.
func (c *TriggerContext) RegisterProcessingTimeTimer(ts int64) {
	c.inner.RegisterProcessingTimeTimer(ts)
}

// DeleteEventTimeTimer takes a timer back; none is a no-op.
func (c *TriggerContext) DeleteEventTimeTimer(ts int64) { c.inner.DeleteEventTimeTimer(ts) }

// DeleteProcessingTimeTimer takes a timer back; none is a no-op.
func (c *TriggerContext) DeleteProcessingTimeTimer(ts int64) {
	c.inner.DeleteProcessingTimeTimer(ts)
}

// MetricGroup is the group of the operator that the trigger works in, the one of RuntimeContext.MetricGroup. A trigger registers
// a metric at its first call and keeps it (TriggerContext.getMetricGroup).
func (c *TriggerContext) MetricGroup() *MetricGroup { return c.rt.MetricGroup() }

func (c *TriggerContext) access() *stateAccess {
	return &stateAccess{store: c.inner.Store(), fail: failByPanic, now: c.inner.CurrentProcessingTime}
}

// failByPanic ends the job from a place that knows no subtask; the task takes the panic for the error of
// the operator at hand.
func failByPanic(err error) { panic(err) }

// State returns a ValueState of this key and window.
func (c *TriggerContext) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return c.access().value(d)
}

// ListState returns a ListState of this key and window.
func (c *TriggerContext) ListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return c.access().list(d)
}

// MapState returns a MapState of this key and window.
func (c *TriggerContext) MapState[K comparable, V any](d *MapStateDescriptor[K, V]) MapState[K, V] {
	return c.access().mapOf(d)
}

// ReducingState returns a ReducingState of this key and window.
func (c *TriggerContext) ReducingState[V any](d *ReducingStateDescriptor[V]) ReducingState[V] {
	return c.access().reducing(d)
}

// AggregatingState returns an AggregatingState of this key and window.
func (c *TriggerContext) AggregatingState[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT]) AggregatingState[IN, OUT] {
	return c.access().aggregating(d)
}

// MergePartitionedState adds what the windows that were merged have under d to the state of the result; it is for OnMerge
// (OnMergeContext.mergePartitionedState). Lists, reducing and aggregating states can be merged; another descriptor ends the job with
// an IllegalArgument error.
func (c *TriggerContext) MergePartitionedState(d StateDescriptor) {
	if nothing(d) {
		failByPanic(noDescriptor)
	}
	into := c.access()
	for _, s := range c.inner.Merged() {
		d.merge(into, &stateAccess{store: s, fail: failByPanic, now: into.now})
	}
}
