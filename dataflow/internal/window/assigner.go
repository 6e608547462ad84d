package window

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/fault"
)

// Assigner says which windows a record belongs to (WindowAssigner). It may also have
//
//	DefaultTrigger() TriggerSpec           // the trigger where the user sets none; NeverTrigger without it
//	Assign(v T, ts, now int64, into []W) []W // called instead of AssignWindows, when windows depend on the value
//	Instance(seed uint64) Assigner[W]      // the copy of one subtask, when the assigner has state
//	String() string                        // its name in the plan
type Assigner[W Window] interface {
	// AssignWindows appends the windows of a record to into and returns it. ts is the record's timestamp
	// (MinInt64 when it has none), now the processing time, both in milliseconds.
	AssignWindows(ts, now int64, into []W) []W
	// IsEventTime reports whether windows end by event time; else they end by processing time, and
	// no record is late.
	IsEventTime() bool
}

// ElementAssigner is the Assign of an Assigner whose windows depend on the record's value.
type ElementAssigner[T any, W Window] interface {
	Assign(v T, ts, now int64, into []W) []W
}

// MergingAssigner is an Assigner whose windows grow together (MergingWindowAssigner).
type MergingAssigner[W Window] interface {
	Assigner[W]
	// MergeWindows calls merge for each set of two or more different windows that belong together, with
	// the window that takes their place. merged must be in a fixed order; the contents of the
	// first come first.
	MergeWindows(windows []W, merge func(result W, merged []W))
}

// Stagger says how tumbling windows are shifted against the grid (WindowStagger).
type Stagger uint8

const (
	Aligned Stagger = iota // not at all
	Random                 // by a random time, for each subtask
	Natural                // so that a window begins when the first record of a subtask comes, by its clock
)

// tumbling assigns one window of a fixed size.
type tumbling struct {
	size, offset int64
	event        bool
	stagger      Stagger
	shifted      bool // the stagger is in offset
}

// Tumbling returns the assigner of windows of one size, one after the other
// (TumblingEventTimeWindows, TumblingProcessingTimeWindows). It fails unless |offset| < size.
func Tumbling(size, offset time.Duration, event bool, stagger Stagger) (Assigner[TimeWindow], error) {
	s, o := size.Milliseconds(), offset.Milliseconds()
	if s <= 0 {
		return nil, fmt.Errorf("window: size must be positive (at least 1ms), got %s", fault.Bare(size))
	}
	if abs(o) >= s {
		return nil, fmt.Errorf("window: offset must be smaller than the size %v, got %v", size, offset)
	}
	if err := cmp.Or(fault.WholeMillis("size", size), fault.WholeMillis("offset", offset)); err != nil {
		return nil, err
	}
	return &tumbling{size: s, offset: o, event: event, stagger: stagger}, nil
}

func (a *tumbling) IsEventTime() bool { return a.event }

func (a *tumbling) AssignWindows(ts, now int64, into []TimeWindow) []TimeWindow {
	if a.event {
		checkTimestamp(ts)
	} else {
		ts = now
	}
	if a.stagger == Natural && !a.shifted {
		a.offset, a.shifted = (a.offset+sinceStart(now, 0, a.size))%a.size, true // the clock decides for event time, too
	}
	return append(into, around(ts, sinceStart(ts, a.offset, a.size), a.size))
}

// Instance gives each subtask its own shift.
func (a *tumbling) Instance(seed uint64) Assigner[TimeWindow] {
	c := *a
	if a.stagger == Random {
		c.offset = (a.offset + rand.New(rand.NewPCG(seed, 0)).Int64N(a.size)) % a.size
	}
	return &c
}

func (a *tumbling) DefaultTrigger() TriggerSpec { return timeTrigger(a.event) }
func (a *tumbling) String() string {
	return fmt.Sprintf("Tumbling%sWindows(%d)", domain(a.event), a.size)
}

// sliding assigns size/slide overlapping windows.
type sliding struct {
	size, slide, offset int64
	event               bool
}

// Sliding returns the assigner of windows of one size that begin every slide (SlidingEventTimeWindows,
// SlidingProcessingTimeWindows). With slide > size some records belong to no window. It fails unless
// size > 0 and |offset| < slide.
func Sliding(size, slide, offset time.Duration, event bool) (Assigner[TimeWindow], error) {
	z, s, o := size.Milliseconds(), slide.Milliseconds(), offset.Milliseconds()
	if z <= 0 {
		return nil, fmt.Errorf("window: size must be positive (at least 1ms), got %s", fault.Bare(size))
	}
	if s <= 0 {
		return nil, fmt.Errorf("window: slide must be positive (at least 1ms), got %s", fault.Bare(slide))
	}
	if abs(o) >= s {
		return nil, fmt.Errorf("window: offset must be smaller than the slide %v, got %v", slide, offset)
	}
	if err := cmp.Or(fault.WholeMillis("size", size), fault.WholeMillis("slide", slide), fault.WholeMillis("offset", offset)); err != nil {
		return nil, err
	}
	return &sliding{z, s, o, event}, nil
}

func (a *sliding) IsEventTime() bool { return a.event }

func (a *sliding) AssignWindows(ts, now int64, into []TimeWindow) []TimeWindow {
	if a.event {
		checkTimestamp(ts)
	} else {
		ts = now
	}
	for before := sinceStart(ts, a.offset, a.slide); before < a.size; before += a.slide {
		into = append(into, around(ts, before, a.size))
	}
	return into
}

func (a *sliding) DefaultTrigger() TriggerSpec { return timeTrigger(a.event) }
func (a *sliding) String() string {
	return fmt.Sprintf("Sliding%sWindows(%d, %d)", domain(a.event), a.size, a.slide)
}

// global assigns the one GlobalWindow.
type global struct{ endOfStream bool }

// Global returns the assigner of the GlobalWindow (GlobalWindows). Its default trigger never fires, or, with
// endOfStream, fires when the input has ended.
func Global(endOfStream bool) Assigner[GlobalWindow] { return global{endOfStream} }

func (global) IsEventTime() bool { return false }
func (global) AssignWindows(_, _ int64, into []GlobalWindow) []GlobalWindow {
	return append(into, GlobalWindow{})
}
func (g global) DefaultTrigger() TriggerSpec {
	if g.endOfStream {
		return EndOfStream()
	}
	return Never()
}
func (global) String() string { return "GlobalWindows()" }

// ignoresClock marks built-in assigners that never look at the processing time.
func ignoresClock(a any) bool {
	switch a := a.(type) {
	case *tumbling:
		return a.event && a.stagger != Natural
	case *sliding:
		return a.event
	case global:
		return true
	case *session:
		return a.event
	}
	return false
}

func checkTimestamp(ts int64) {
	if ts == core.NoTimestamp {
		failf("Runtime", "the record has no timestamp, and an event-time window needs one; call AssignTimestampsAndWatermarks before the window, or use a processing-time window")
	}
}

func timeTrigger(event bool) TriggerSpec {
	if event {
		return EventTime()
	}
	return ProcessingTime()
}

func domain(event bool) string {
	if event {
		return "EventTime"
	}
	return "ProcessingTime"
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
