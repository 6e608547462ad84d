package dataflow

import "flinkish/dataflow/internal/state"

// TriggerContext is what a trigger may ask and do (Trigger.TriggerContext); it is valid during the call only.
// Times are in milliseconds since the epoch.
type TriggerContext struct {
	triggerContext
	rt *RuntimeContext
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
func (c *TriggerContext) CurrentWatermark() int64 { return c.triggerContext.CurrentWatermark() }

// CurrentProcessingTime is the processing time.
func (c *TriggerContext) CurrentProcessingTime() int64 {
	return c.triggerContext.CurrentProcessingTime()
}

// RegisterEventTimeTimer makes OnEventTime be called for this key and window when the watermark reaches ts.
func (c *TriggerContext) RegisterEventTimeTimer(ts int64) {
	c.triggerContext.RegisterEventTimeTimer(ts)
}

// RegisterProcessingTimeTimer makes OnProcessingTime be called for this key and window once ts is over.
func (c *TriggerContext) RegisterProcessingTimeTimer(ts int64) {
	c.triggerContext.RegisterProcessingTimeTimer(ts)
}

// DeleteEventTimeTimer takes a timer back; none is a no-op.
func (c *TriggerContext) DeleteEventTimeTimer(ts int64) { c.triggerContext.DeleteEventTimeTimer(ts) }

// DeleteProcessingTimeTimer takes a timer back; none is a no-op.
func (c *TriggerContext) DeleteProcessingTimeTimer(ts int64) {
	c.triggerContext.DeleteProcessingTimeTimer(ts)
}

// MetricGroup is the group of the operator that the trigger works in, the one of RuntimeContext.MetricGroup. A trigger registers
// a metric at its first call and keeps it (TriggerContext.getMetricGroup).
func (c *TriggerContext) MetricGroup() *MetricGroup { return c.rt.MetricGroup() }

func (c *TriggerContext) access() *stateAccess {
	return &stateAccess{store: c.triggerContext.Store(), fail: failByPanic, now: c.triggerContext.CurrentProcessingTime}
}

// failByPanic ends the job from a place that knows no subtask; the task takes the panic for the error of
// the operator at hand.
func failByPanic(err error) { panic(err) }

// State returns a ValueState of this key and window.
func (c *TriggerContext) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return c.access().value(d)
}

// ReducingState returns a ReducingState of this key and window.
func (c *TriggerContext) ReducingState[V any](d *ReducingStateDescriptor[V]) ReducingState[V] {
	return c.access().reducing(d)
}

// MergeReducingState adds the ReducingStates of the windows that were merged to the one of the result; it
// is for OnMerge (OnMergeContext.mergePartitionedState).
func (c *TriggerContext) MergeReducingState[V any](d *ReducingStateDescriptor[V]) {
	into := c.ReducingState(d)
	for _, s := range c.triggerContext.Merged() {
		from := &stateAccess{store: s, fail: failByPanic, now: c.triggerContext.CurrentProcessingTime}
		if v, ok := from.reducing(d).Get(); ok {
			into.Add(v)
		}
	}
}
