package window

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"flinkish/dataflow/internal/fault"
)

// session gives each record a window of its own, from its time to a gap later; windows that overlap or
// touch grow together.
type session struct {
	gap   int64
	event bool
}

// Session returns the assigner of sessions that a silence of gap ends (EventTimeSessionWindows,
// ProcessingTimeSessionWindows). It fails unless gap > 0.
func Session(gap time.Duration, event bool) (MergingAssigner[TimeWindow], error) {
	if gap.Milliseconds() <= 0 {
		return nil, fmt.Errorf("window: session gap must be positive (at least 1ms), got %s", fault.Bare(gap))
	}
	return &session{gap.Milliseconds(), event}, fault.WholeMillis("session gap", gap)
}

func (a *session) IsEventTime() bool { return a.event }

// timeSessions says that windows are TimeWindows that merge when they touch.
func (a *session) timeSessions()           {}
func (a *dynamicSession[T]) timeSessions() {}

func (a *session) AssignWindows(ts, now int64, into []TimeWindow) []TimeWindow {
	if !a.event {
		ts = now
	}
	return append(into, around(ts, 0, a.gap))
}

func (a *session) MergeWindows(ws []TimeWindow, merge func(TimeWindow, []TimeWindow)) {
	MergeTimeWindows(ws, merge)
}
func (a *session) DefaultTrigger() TriggerSpec { return timeTrigger(a.event) }
func (a *session) String() string              { return fmt.Sprintf("%sSessionWindows(%d)", domain(a.event), a.gap) }

// dynamicSession asks each record for its gap.
type dynamicSession[T any] struct {
	gap   func(v T) time.Duration
	event bool
}

// DynamicSession returns the assigner of sessions whose gap depends on the record. A gap that is not
// positive fails the job; parts of a millisecond are cut off.
func DynamicSession[T any](gap func(v T) time.Duration, event bool) MergingAssigner[TimeWindow] {
	return &dynamicSession[T]{gap, event}
}

func (a *dynamicSession[T]) IsEventTime() bool { return a.event }

// AssignWindows is never called, since Assign exists.
func (a *dynamicSession[T]) AssignWindows(_, _ int64, into []TimeWindow) []TimeWindow { return into }

func (a *dynamicSession[T]) Assign(v T, ts, now int64, into []TimeWindow) []TimeWindow {
	if !a.event {
		ts = now
	}
	gap := a.gap(v)
	if gap.Milliseconds() <= 0 {
		failf("IllegalArgument", "dynamic session gap must be positive (at least 1ms), got %s", fault.Bare(gap))
	}
	return append(into, around(ts, 0, gap.Milliseconds()))
}

func (a *dynamicSession[T]) MergeWindows(ws []TimeWindow, merge func(TimeWindow, []TimeWindow)) {
	MergeTimeWindows(ws, merge)
}
func (a *dynamicSession[T]) DefaultTrigger() TriggerSpec { return timeTrigger(a.event) }
func (a *dynamicSession[T]) String() string {
	return fmt.Sprintf("Dynamic%sSessionWindows()", domain(a.event))
}

// MergeTimeWindows calls merge for each group of two or more different windows that overlap or touch, with
// the window that covers them; groups and their members are in order of time.
func MergeTimeWindows(windows []TimeWindow, merge func(result TimeWindow, merged []TimeWindow)) {
	ws := slices.Clone(windows)
	slices.SortFunc(ws, func(a, b TimeWindow) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	ws = slices.Compact(ws)
	for len(ws) > 0 {
		cover, n := ws[0], 1
		for n < len(ws) && cover.Intersects(ws[n]) {
			cover = cover.Cover(ws[n])
			n++
		}
		if n > 1 {
			merge(cover, ws[:n:n])
		}
		ws = ws[n:]
	}
}
