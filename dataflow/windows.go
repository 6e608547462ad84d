package dataflow

import (
	"reflect"
	"strings"
	"time"

	"flinkish/dataflow/internal/window"
)

// Window is a bucket that records are gathered in; two windows that are equal are the same window.
type Window = window.Window

// TimeWindow is the time from Start (inclusive) to End (exclusive), in milliseconds since the epoch.
type TimeWindow = window.TimeWindow

// GlobalWindow is the one window that holds everything.
type GlobalWindow = window.GlobalWindow

// WindowAssigner says which windows a record belongs to (Flink's WindowAssigner). It may also have
//
//	DefaultTrigger() AnyTrigger              // the trigger where none is set; else NeverTrigger
//	Assign(v T, ts, now int64, into []W) []W // called instead of AssignWindows: windows depend on the record
//	MergeWindows(windows []W, merge func(result W, merged []W)) // windows grow together
//	String() string                          // its name in the plan
type WindowAssigner[W Window] interface {
	// AssignWindows appends the windows of a record to into and returns it. ts is the record's timestamp
	// (MinInt64 when it has none), now the processing time, both in milliseconds.
	AssignWindows(ts, now int64, into []W) []W
	// IsEventTime reports whether windows end by event time; else by processing time, and no record is
	// late.
	IsEventTime() bool
}

// assignerMistake is the mistake of an assigner: one that its constructor kept, or an optional method that would never be called.
func assignerMistake[T any, W Window](a WindowAssigner[W]) error {
	switch a := a.(type) {
	case interface{ wrong() error }:
		return a.wrong()
	case interface{ DefaultTrigger() window.TriggerSpec }: // built in
		if _, ok := a.(window.ElementAssigner[T, W]); !ok && reflect.ValueOf(a).MethodByName("Assign").IsValid() {
			return kindError("IllegalArgument", "the windows of %s depend on records of another type than %s", className(a), TypeOf[T]())
		}
		return nil
	}
	return wrongMethods(a, optional[func() AnyTrigger]("DefaultTrigger"), optional[func([]W, func(W, []W))]("MergeWindows"),
		optional[func(T, int64, int64, []W) []W]("Assign"))
}

// ownAssigner is the program's assigner as the engine wants it. An adapter of the session has every optional method; here it gets
// those that mean something.
func ownAssigner[T any, W Window](a WindowAssigner[W]) window.Assigner[W] {
	if _, ok := a.(partial); !ok {
		return a
	}
	switch adapted := (adaptedAssigner[T, W]{a}); {
	case hasMethod(a, "Assign") && hasMethod(a, "MergeWindows"):
		return mergingElements[T, W]{elementwise[T, W]{adapted}}
	case hasMethod(a, "Assign"):
		return elementwise[T, W]{adapted}
	case hasMethod(a, "MergeWindows"):
		return mergingWindows[T, W]{adapted}
	default:
		return adapted
	}
}

type adaptedAssigner[T any, W Window] struct{ WindowAssigner[W] }

// Clone is the assigner of one subtask.
func (a adaptedAssigner[T, W]) Clone() window.Assigner[W] {
	return ownAssigner[T](prototype(a.WindowAssigner))
}

func (a adaptedAssigner[T, W]) String() string { return textOf(a.WindowAssigner) }

type (
	elementwise[T any, W Window]     struct{ adaptedAssigner[T, W] }
	mergingWindows[T any, W Window]  struct{ adaptedAssigner[T, W] }
	mergingElements[T any, W Window] struct{ elementwise[T, W] }
)

func (a elementwise[T, W]) Assign(v T, ts, now int64, into []W) []W {
	return a.WindowAssigner.(window.ElementAssigner[T, W]).Assign(v, ts, now, into)
}

func (a mergingWindows[T, W]) MergeWindows(ws []W, merge func(W, []W)) {
	a.WindowAssigner.(window.MergingAssigner[W]).MergeWindows(ws, merge)
}

func (a mergingElements[T, W]) MergeWindows(ws []W, merge func(W, []W)) {
	mergingWindows[T, W]{a.adaptedAssigner}.MergeWindows(ws, merge)
}

// AssignerOption changes an assigner.
type AssignerOption func(*assignerOptions)

type assignerOptions struct {
	offset  time.Duration
	stagger window.Stagger
}

// WindowStagger says how tumbling windows are shifted against the grid (Flink's WindowStagger).
type WindowStagger = window.Stagger

// The ways to shift windows.
const (
	Aligned = window.Aligned // not at all
	Random  = window.Random  // by a random time for each subtask
	Natural = window.Natural // so that a window begins when the first record of a subtask comes, by its clock
)

// Offset moves the grid of windows; it must be smaller than the size, or the slide, of the windows.
func Offset(d time.Duration) AssignerOption { return func(o *assignerOptions) { o.offset = d } }

// Stagger shifts tumbling windows.
func Stagger(s WindowStagger) AssignerOption { return func(o *assignerOptions) { o.stagger = s } }

func assignerOf(opts []AssignerOption) (o assignerOptions) {
	for _, f := range opts {
		f(&o)
	}
	return o
}

// TumblingEventTime assigns windows of one size, one after the other, by event time
// (TumblingEventTimeWindows). Sizes have millisecond resolution. A wrong size is an error of Window.
func TumblingEventTime(size time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	o := assignerOf(opts)
	return checked(window.Tumbling(size, o.offset, true, o.stagger))
}

// TumblingProcessingTime is TumblingEventTime by processing time (TumblingProcessingTimeWindows).
func TumblingProcessingTime(size time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	o := assignerOf(opts)
	return checked(window.Tumbling(size, o.offset, false, o.stagger))
}

// SlidingEventTime assigns windows of one size that begin every slide, by event time
// (SlidingEventTimeWindows). With slide > size some records belong to no window.
func SlidingEventTime(size, slide time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	return checked(window.Sliding(size, slide, assignerOf(opts).offset, true))
}

// SlidingProcessingTime is SlidingEventTime by processing time (SlidingProcessingTimeWindows).
func SlidingProcessingTime(size, slide time.Duration, opts ...AssignerOption) WindowAssigner[TimeWindow] {
	return checked(window.Sliding(size, slide, assignerOf(opts).offset, false))
}

// EventTimeSession assigns sessions: windows that end with a silence of gap (EventTimeSessionWindows).
func EventTimeSession(gap time.Duration) WindowAssigner[TimeWindow] {
	return session(window.Session(gap, true))
}

// ProcessingTimeSession is EventTimeSession by processing time (ProcessingTimeSessionWindows).
func ProcessingTimeSession(gap time.Duration) WindowAssigner[TimeWindow] {
	return session(window.Session(gap, false))
}

// EventTimeSessionDynamic is EventTimeSession with a gap that depends on the record. A gap that is not positive
// fails the job.
func EventTimeSessionDynamic[T any](gap func(v T) time.Duration) WindowAssigner[TimeWindow] {
	return dynamicSession(gap, true)
}

// ProcessingTimeSessionDynamic is EventTimeSessionDynamic by processing time.
func ProcessingTimeSessionDynamic[T any](gap func(v T) time.Duration) WindowAssigner[TimeWindow] {
	return dynamicSession(gap, false)
}

func dynamicSession[T any](gap func(v T) time.Duration, event bool) WindowAssigner[TimeWindow] {
	if gap == nil {
		return wrongAssigner[TimeWindow]{nilFunction("gap function")}
	}
	return window.DynamicSession(gap, event)
}

// GlobalWindows assigns every record to the one GlobalWindow; without a trigger it never fires
// (GlobalWindows.create).
func GlobalWindows() WindowAssigner[GlobalWindow] { return window.Global(false) }

// GlobalWindowsEndOfStream is GlobalWindows that fire when the input has ended.
func GlobalWindowsEndOfStream() WindowAssigner[GlobalWindow] { return window.Global(true) }

// wrongAssigner carries the mistake of a constructor to the call of Window, which can report it.
type wrongAssigner[W Window] struct{ err error }

func (wrongAssigner[W]) AssignWindows(_, _ int64, into []W) []W { return into }
func (wrongAssigner[W]) IsEventTime() bool                      { return true }
func (a wrongAssigner[W]) wrong() error                         { return a.err }

func checked(a window.Assigner[TimeWindow], err error) WindowAssigner[TimeWindow] {
	if err != nil {
		return wrongAssigner[TimeWindow]{err}
	}
	return a
}

func session(a window.MergingAssigner[TimeWindow], err error) WindowAssigner[TimeWindow] {
	return checked(a, err)
}

// textOf is how a plan shows an assigner, a trigger or a function: its String, else the name of its type.
func textOf(v any) string {
	if s, ok := v.(interface{ String() string }); ok {
		return s.String()
	}
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return typeName(t)
}

// className is textOf without its parameters.
func className(v any) string {
	name, _, _ := strings.Cut(textOf(v), "(")
	return name
}
