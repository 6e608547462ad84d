package dataflow

import (
	"fmt"
	"io"
	"math"
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/fault"
)

// This file is the assigners for AssignPeriodic that Flink brings along, and what they do about timestamps that go back.

// MonotonyViolationHandler is told of each record whose timestamp is below last, the greatest one of the subtask so far; both are in
// milliseconds. An error fails the job. It is called by each subtask (Flink's interface of the same name).
type MonotonyViolationHandler func(timestamp, last int64) error

// IgnoringHandler accepts timestamps that go back (Flink's class of the same name).
func IgnoringHandler(int64, int64) error { return nil }

// FailingHandler fails the job when a timestamp goes back, with a Runtime error (Flink's class of the same name).
func FailingHandler(timestamp, last int64) error {
	return kindError("Runtime", "the timestamps are not ascending: %d comes after %d", timestamp, last)
}

// ExtractorOption changes what AscendingTimestampExtractor does.
type ExtractorOption func(*monotony)

// WithViolationHandler says what happens when a timestamp goes back: IgnoringHandler, FailingHandler or a function of the program
// (withViolationHandler).
func WithViolationHandler(h MonotonyViolationHandler) ExtractorOption {
	return func(m *monotony) { m.handle, m.none = h, h == nil }
}

// monotony is what an extractor does about a timestamp that goes back.
type monotony struct {
	handle MonotonyViolationHandler // nil: a warning
	none   bool                     // the program gave a nil handler
}

// violationsMetric is the counter of the timestamps that went back.
const violationsMetric = "numTimestampViolations"

// extractor is one of the two assigners below. Its watermark is the greatest timestamp minus delay.
type extractor[T any] struct {
	timestamp  func(T) int64
	delay, max int64
	late       time.Duration // what the program gave for delay

	ascending  *monotony // nil: timestamps may go back
	sub        *core.Subtask
	violations *Counter
}

// wrong is the mistake in the making of the extractor.
func (e *extractor[T]) wrong() error {
	switch {
	case e.timestamp == nil:
		return nilFunction("timestamp function")
	case e.ascending != nil && e.ascending.none:
		return nilFunction("violation handler")
	case e.late < 0:
		return kindError("Runtime", "the out-of-orderness must not be negative, got %v", e.late)
	}
	return fault.WholeMillis("the out-of-orderness", e.late)
}

// bind makes e the extractor of one subtask; warnings go to w.
func (e *extractor[T]) bind(s *core.Subtask, w io.Writer) {
	if e.ascending == nil {
		return
	}
	g := &MetricGroup{sub: s, op: s.OpIndex}
	e.sub, e.violations = s, g.Counter(violationsMetric)
	if e.ascending.handle == nil {
		e.ascending = &monotony{handle: warner(s, g.operator().Name, w)}
	}
}

// warner is Flink's LoggingHandler: it writes a line to w for each violation in the operator op.
func warner(s *core.Subtask, op string, w io.Writer) MonotonyViolationHandler {
	return func(timestamp, last int64) error {
		printing.Lock()
		defer printing.Unlock()
		fmt.Fprintf(w, "warning: %s (%d/%d): timestamp monotony violated: %d < %d\n", op, s.Index+1, s.Parallelism, timestamp, last)
		return nil // what cannot be warned about is no reason to fail
	}
}

func (e *extractor[T]) ExtractTimestamp(v T, _ int64) int64 {
	ts := e.timestamp(v)
	if e.ascending != nil && ts < e.max && e.max != e.start() {
		e.violations.Inc()
		if err := e.ascending.handle(ts, e.max); err != nil {
			e.sub.Runtime.Fail(err)
		}
	}
	e.max = max(e.max, ts)
	return ts
}

// start is max before the first record: the least one whose watermark is a number.
func (e *extractor[T]) start() int64 { return math.MinInt64 + e.delay }

func (e *extractor[T]) CurrentWatermark() (int64, bool) { return e.max - e.delay, e.max != e.start() }

// BoundedOutOfOrdernessTimestampExtractor is for records that come at most d late. Its watermark is the greatest
// timestamp minus d, so a record of just that time is late already (Flink's class of the same name, deprecated).
func BoundedOutOfOrdernessTimestampExtractor[T any](d time.Duration, timestamp func(v T) int64) PeriodicAssigner[T] {
	e := &extractor[T]{timestamp: timestamp, delay: d.Milliseconds(), late: d}
	e.max = e.start()
	return e
}

// AscendingTimestampExtractor is for timestamps that do not go back within a subtask; its watermark is the greatest timestamp minus
// 1 ms. One that does go back is counted in the metric numTimestampViolations, and a warning tells of it on the environment's
// standard error, unless WithViolationHandler says otherwise (Flink's class of the same name, deprecated).
func AscendingTimestampExtractor[T any](timestamp func(v T) int64, opts ...ExtractorOption) PeriodicAssigner[T] {
	e := &extractor[T]{timestamp: timestamp, delay: 1, ascending: &monotony{}}
	e.max = e.start()
	for _, o := range opts {
		o(e.ascending)
	}
	return e
}
