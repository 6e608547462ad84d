package dataflow

import (
	"time"

	"flinkish/dataflow/internal/fault"
	"flinkish/dataflow/internal/window"
)

// TriggerResult is what a trigger wants to happen with a window (Flink's TriggerResult).
type TriggerResult = window.Result

// The results of a trigger.
const (
	Continue     = window.Continue     // nothing
	Fire         = window.Fire         // evaluate the window, keep its contents
	Purge        = window.Purge        // drop the contents
	FireAndPurge = window.FireAndPurge // both
)

// AnyTrigger is a trigger for WindowedStream.Trigger; the constructors below make it.
type AnyTrigger interface{ isTrigger() }

type triggerOf struct {
	spec window.TriggerSpec
	err  error
}

func (triggerOf) isTrigger() {}
func (t triggerOf) String() string {
	if t.spec == nil {
		return "no trigger"
	}
	return t.spec.String()
}

// EventTimeTrigger fires when the watermark reaches the end of the window, and for each late record that is
// still allowed. It is the default of event-time assigners.
func EventTimeTrigger() AnyTrigger { return triggerOf{spec: window.EventTime()} }

// ProcessingTimeTrigger fires when the clock reaches the end of the window. It is the default of
// processing-time assigners.
func ProcessingTimeTrigger() AnyTrigger { return triggerOf{spec: window.ProcessingTime()} }

// CountTrigger fires at every n records of a window.
func CountTrigger(n int64) AnyTrigger { return triggerOf{spec: window.Count(n)} }

// PurgingTrigger is t, but a window is emptied when it fires.
func PurgingTrigger(t AnyTrigger) AnyTrigger {
	inner, ok := t.(triggerOf)
	if !ok || inner.err != nil {
		return inner
	}
	return triggerOf{spec: window.Purging(inner.spec)}
}

// ContinuousEventTimeTrigger fires at the multiples of d in event time, and at the end of the window.
func ContinuousEventTimeTrigger(d time.Duration) AnyTrigger {
	return newTrigger(window.ContinuousEventTime(d))
}

// ContinuousProcessingTimeTrigger fires at the multiples of d in processing time.
func ContinuousProcessingTimeTrigger(d time.Duration) AnyTrigger {
	return newTrigger(window.ContinuousProcessingTime(d))
}

func newTrigger(s window.TriggerSpec, err error) AnyTrigger { return triggerOf{s, err} }

// DeltaTrigger fires when f(record of the last firing, new record) > threshold.
func DeltaTrigger[T any](threshold float64, f func(last, v T) float64) AnyTrigger {
	if f == nil {
		return triggerOf{err: nilFunction("delta function")}
	}
	return triggerOf{spec: window.Delta(threshold, f)}
}

// TimeoutOption changes a ProcessingTimeoutTrigger.
type TimeoutOption func(*timeoutOptions)

type timeoutOptions struct{ reset, clear bool }

// ResetOnNewRecord lets each record start the timeout anew; the default is false.
func ResetOnNewRecord(on bool) TimeoutOption { return func(o *timeoutOptions) { o.reset = on } }

// ClearOnTimeout clears the inner trigger at a timeout; the default is true.
func ClearOnTimeout(on bool) TimeoutOption { return func(o *timeoutOptions) { o.clear = on } }

// ProcessingTimeoutTrigger is t, but fires also when d has passed since the first record after the last firing.
func ProcessingTimeoutTrigger(t AnyTrigger, d time.Duration, opts ...TimeoutOption) AnyTrigger {
	inner, ok := t.(triggerOf)
	if !ok || inner.err != nil {
		return inner
	}
	if err := fault.WholeMillis("the timeout", d); err != nil {
		return triggerOf{err: err}
	}
	o := timeoutOptions{clear: true}
	for _, f := range opts {
		f(&o)
	}
	return triggerOf{spec: window.ProcessingTimeout(inner.spec, d, o.reset, o.clear)}
}

// NeverTrigger does not fire. It is the default of GlobalWindows.
func NeverTrigger() AnyTrigger { return triggerOf{spec: window.Never()} }

// EndOfStreamTrigger fires when the input has ended.
func EndOfStreamTrigger() AnyTrigger { return triggerOf{spec: window.EndOfStream()} }

// Trigger decides when a window is evaluated (Flink's Trigger). One object serves all windows of a subtask: what
// differs between windows is kept in the context's state. Times are in milliseconds. For merging
// windows it needs besides
//
//	CanMerge() bool
//	OnMerge(w W, ctx *TriggerContext)
type Trigger[T any, W Window] interface {
	// OnElement is called for each record, after it was added to the window.
	OnElement(v T, ts int64, w W, ctx *TriggerContext) TriggerResult
	// OnEventTime is called when an event timer of the window fires.
	OnEventTime(ts int64, w W, ctx *TriggerContext) TriggerResult
	// OnProcessingTime is called when a processing timer of the window fires.
	OnProcessingTime(ts int64, w W, ctx *TriggerContext) TriggerResult
	// Clear removes state and timers when the window goes away.
	Clear(w W, ctx *TriggerContext)
}

// CustomTrigger makes a trigger of the program's own usable. Each subtask works on its own copy of t.
func CustomTrigger[T any, W Window](t Trigger[T, W]) AnyTrigger {
	if nothing(t) {
		return triggerOf{err: nilFunction("trigger")}
	}
	if err := wrongMethods(t, optional[func() bool]("CanMerge"), optional[func(W, *TriggerContext)]("OnMerge")); err != nil {
		return triggerOf{err: err}
	}
	return triggerOf{spec: window.Custom[T, W](&customTrigger[T, W]{t: t})}
}

// customTrigger hands the calls to a trigger of the program.
type customTrigger[T any, W Window] struct {
	t   Trigger[T, W]
	ctx TriggerContext
}

// Clone is the copy of one subtask.
func (c *customTrigger[T, W]) Clone() *customTrigger[T, W] {
	return &customTrigger[T, W]{t: prototype(c.t)}
}

// joins says which operator the copy works in.
func (c *customTrigger[T, W]) joins(rt *RuntimeContext) { c.ctx.rt = rt }

func (c *customTrigger[T, W]) String() string { return textOf(c.t) }

func (c *customTrigger[T, W]) with(ctx *window.TriggerContext[W]) *TriggerContext {
	c.ctx.inner = ctx
	return &c.ctx
}

func (c *customTrigger[T, W]) OnElement(v T, ts int64, w W, ctx *window.TriggerContext[W]) TriggerResult {
	return c.t.OnElement(v, ts, w, c.with(ctx))
}

func (c *customTrigger[T, W]) OnEventTime(ts int64, w W, ctx *window.TriggerContext[W]) TriggerResult {
	return c.t.OnEventTime(ts, w, c.with(ctx))
}

func (c *customTrigger[T, W]) OnProcessingTime(ts int64, w W, ctx *window.TriggerContext[W]) TriggerResult {
	return c.t.OnProcessingTime(ts, w, c.with(ctx))
}

func (c *customTrigger[T, W]) Clear(w W, ctx *window.TriggerContext[W]) { c.t.Clear(w, c.with(ctx)) }

func (c *customTrigger[T, W]) CanMerge() bool {
	m, ok := c.t.(interface{ CanMerge() bool })
	return ok && hasMethod(c.t, "CanMerge") && m.CanMerge()
}

func (c *customTrigger[T, W]) OnMerge(w W, ctx *window.TriggerContext[W]) {
	m, ok := c.t.(interface {
		OnMerge(w W, ctx *TriggerContext)
	})
	if !ok || !hasMethod(c.t, "OnMerge") {
		failByPanic(kindError("UnsupportedOperation", "the trigger %s says that it can merge, but has no method OnMerge(w, ctx)", c))
	}
	m.OnMerge(w, c.with(ctx))
}
