// Package window is windowing: what windows are, which windows a record belongs to, when a window fires, what
// is dropped, and the operator that holds it together. Everything is passive and generic; the
// operator calls back to emit, and the API package wraps it into an operator of a chain.
package window

import (
	"fmt"
	"math"

	"flinkish/dataflow/internal/fault"
)

// Window is a bucket that records are gathered in. Windows are compared with ==, so two windows that
// are equal are the same window. Implementations are small values.
type Window interface {
	comparable
	// MaxTimestamp is the largest timestamp, in milliseconds, that belongs to the window. Results
	// of the window carry it, and event time reaches the window's end with it.
	MaxTimestamp() int64
}

// TimeWindow is the time from Start (inclusive) to End (exclusive), in milliseconds since the epoch.
type TimeWindow struct{ Start, End int64 }

// MaxTimestamp is End - 1.
func (w TimeWindow) MaxTimestamp() int64 { return w.End - 1 }

// Intersects reports whether the windows overlap or touch, that is, whether sessions of them merge.
func (w TimeWindow) Intersects(o TimeWindow) bool { return w.Start <= o.End && o.Start <= w.End }

// Cover is the smallest window that holds both.
func (w TimeWindow) Cover(o TimeWindow) TimeWindow {
	return TimeWindow{min(w.Start, o.Start), max(w.End, o.End)}
}

// String is TimeWindow{start=0, end=5000}.
func (w TimeWindow) String() string {
	return fmt.Sprintf("TimeWindow{start=%d, end=%d}", w.Start, w.End)
}

// GlobalWindow is the one window that holds everything.
type GlobalWindow struct{}

// MaxTimestamp is MaxInt64: the window ends with the stream.
func (GlobalWindow) MaxTimestamp() int64 { return math.MaxInt64 }

// String is GlobalWindow.
func (GlobalWindow) String() string { return "GlobalWindow" }

// sinceStart is for how long, when ts comes, a window lasts already that is one of a row of the given size, on a grid that is moved by
// offset, which is less than the size; all in milliseconds (TimeWindow.getWindowStartWithOffset).
func sinceStart(ts, offset, size int64) int64 {
	r := ts%size - offset // less than two sizes from 0
	if r >= size {
		return r - size
	}
	for r < 0 {
		r += size
	}
	return r
}

// around is the window of the given size that begins so long before ts. Where time ends, it ends, too.
func around(ts, before, size int64) TimeWindow {
	w := TimeWindow{ts - before, ts + (size - before)}
	if w.Start > ts {
		w.Start = math.MinInt64
	}
	if w.End < ts {
		w.End = math.MaxInt64
	}
	return w
}

// failf panics with an error of the user that only a record or a merge brings to light, of the kind of Flink's exception; the task
// makes it the cause of the job's failure.
func failf(kind, format string, args ...any) {
	panic(fault.New(kind, "", format, args...))
}
