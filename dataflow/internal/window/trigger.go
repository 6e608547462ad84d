package window

import (
	"fmt"

	"flinkish/dataflow/internal/state"
)

// Result is what a trigger wants to happen with a window (TriggerResult).
type Result uint8

const (
	Continue     Result = 0
	Fire         Result = 1
	Purge        Result = 2
	FireAndPurge        = Fire | Purge
)

// String is Flink's name of the result.
func (r Result) String() string {
	return [...]string{"CONTINUE", "FIRE", "PURGE", "FIRE_AND_PURGE"}[r]
}

// Trigger decides when a window is evaluated (Trigger). One object serves all windows of a subtask: what
// differs between windows is kept in the context's state. Times are in milliseconds.
type Trigger[T any, W Window] interface {
	// OnElement is called for each record, after it was added to the window.
	OnElement(v T, ts int64, w W, ctx *TriggerContext[W]) Result
	// OnEventTime is called when an event timer of the window fires.
	OnEventTime(time int64, w W, ctx *TriggerContext[W]) Result
	// OnProcessingTime is called when a processing timer of the window fires.
	OnProcessingTime(time int64, w W, ctx *TriggerContext[W]) Result
	// Clear removes state and timers when the window goes away.
	Clear(w W, ctx *TriggerContext[W])
}

// MergingTrigger is what a trigger for merging windows has besides.
type MergingTrigger[W Window] interface {
	// CanMerge reports whether OnMerge may be called.
	CanMerge() bool
	// OnMerge is called when w takes the place of other windows: it takes over their state (see
	// TriggerContext.Merged) and sets the timers of w. Clear is called for each of them afterwards.
	OnMerge(w W, ctx *TriggerContext[W])
}

// TriggerContext is what a trigger may ask and do; it is valid during the call only.
type TriggerContext[W Window] struct {
	window W
	slot   **scope // the window's state, made on demand
	merged []*scope
	timers timers[W]
	now    func() int64
}

// timers is the timer service as a trigger uses it.
type timers[W Window] interface {
	RegisterEventTime(w W, ts int64)
	RegisterProcessingTime(w W, ts int64)
	DeleteEventTime(w W, ts int64)
	DeleteProcessingTime(w W, ts int64)
	Watermark() int64
}

// scope is the state of one key in one window beside its contents. Built-in triggers use the plain
// fields.
type scope struct {
	count            int64 // CountTrigger
	next, timeout    int64 // continuous triggers, ProcessingTimeout
	hasNext, hasTime bool  // whether next and timeout are set
	trigger, process *state.Store
}

func (s *scope) blank() bool {
	return s == nil || s.count == 0 && !s.hasNext && !s.hasTime &&
		(s.trigger == nil || s.trigger.Empty()) && (s.process == nil || s.process.Empty())
}

// own returns the scope to write to.
func (c *TriggerContext[W]) own() *scope {
	if *c.slot == nil {
		*c.slot = &scope{}
	}
	return *c.slot
}

// Window is the window that the call is about.
func (c *TriggerContext[W]) Window() W { return c.window }

// CurrentWatermark is the operator's watermark.
func (c *TriggerContext[W]) CurrentWatermark() int64 { return c.timers.Watermark() }

// CurrentProcessingTime is the processing time.
func (c *TriggerContext[W]) CurrentProcessingTime() int64 { return c.now() }

// RegisterEventTimeTimer makes OnEventTime be called for this key and window when the watermark reaches ts.
func (c *TriggerContext[W]) RegisterEventTimeTimer(ts int64) {
	c.timers.RegisterEventTime(c.window, ts)
}

// RegisterProcessingTimeTimer makes OnProcessingTime be called for this key and window once ts is over.
func (c *TriggerContext[W]) RegisterProcessingTimeTimer(ts int64) {
	c.timers.RegisterProcessingTime(c.window, ts)
}

// DeleteEventTimeTimer takes a timer back; none is a no-op.
func (c *TriggerContext[W]) DeleteEventTimeTimer(ts int64) { c.timers.DeleteEventTime(c.window, ts) }

// DeleteProcessingTimeTimer takes a timer back; none is a no-op.
func (c *TriggerContext[W]) DeleteProcessingTimeTimer(ts int64) {
	c.timers.DeleteProcessingTime(c.window, ts)
}

// Store holds the trigger's state for this key and window.
func (c *TriggerContext[W]) Store() *state.Store {
	s := c.own()
	if s.trigger == nil {
		s.trigger = state.NewScope()
	}
	return s.trigger
}

// Merged returns, in OnMerge, the stores of the windows that were merged, in their order; those without
// state are left out.
func (c *TriggerContext[W]) Merged() []*state.Store {
	var all []*state.Store
	for _, s := range c.merged {
		if s != nil && s.trigger != nil {
			all = append(all, s.trigger)
		}
	}
	return all
}

// TriggerSpec is a trigger before the types of record and window are known. BuildTrigger makes the trigger.
type TriggerSpec interface {
	// String is the trigger's name, as CountTrigger(3).
	String() string
	isTrigger()
}

// CheckMerging fails when windows of the assigner merge, but the trigger cannot follow.
func CheckMerging[T any, W Window](a Assigner[W], t Trigger[T, W], name string) error {
	if _, ok := a.(MergingAssigner[W]); ok && !canMerge[T, W](t) {
		return fmt.Errorf("window: trigger %s cannot be used with merging windows; use one that can merge, such as an event-time or a count trigger", name)
	}
	return nil
}

func canMerge[T any, W Window](t Trigger[T, W]) bool {
	m, ok := any(t).(MergingTrigger[W])
	return ok && m.CanMerge()
}
