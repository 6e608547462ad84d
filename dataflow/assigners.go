package dataflow

import (
	"math"
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/watermark"
)

// PeriodicAssigner is a function object for AssignPeriodic (Flink's AssignerWithPeriodicWatermarks, deprecated).
type PeriodicAssigner[T any] interface {
	// ExtractTimestamp returns the timestamp of v in milliseconds; prev is the one that it carries, MinInt64 without one.
	ExtractTimestamp(v T, prev int64) int64
	// CurrentWatermark is called once per watermark interval; false is no watermark.
	CurrentWatermark() (int64, bool)
}

// PunctuatedAssigner is a function object for AssignPunctuated (Flink's AssignerWithPunctuatedWatermarks, deprecated).
type PunctuatedAssigner[T any] interface {
	// ExtractTimestamp returns the timestamp of v in milliseconds; prev is the one that it carries, MinInt64 without one.
	ExtractTimestamp(v T, prev int64) int64
	// CheckAndGetNextWatermark is called after each record; false is no watermark.
	CheckAndGetNextWatermark(v T, ts int64) (int64, bool)
}

// AssignPeriodic gives records timestamps and makes watermarks by the clock (assignTimestampsAndWatermarks). Each subtask works on
// its own copy of a.
//
// Deprecated in Flink, gone in 2.0: use AssignTimestampsAndWatermarks.
func (d *DataStream[T]) AssignPeriodic(a PeriodicAssigner[T]) *SingleOutputStreamOperator[T] {
	return d.assign("AssignPeriodic", a, func(a any) watermark.Strategy[T] {
		p := a.(PeriodicAssigner[T])
		return watermark.Strategy[T]{Timestamp: p.ExtractTimestamp, New: func() watermark.Generator[T] { return periodic[T]{p} }}
	})
}

// AssignPunctuated gives records timestamps and makes watermarks after records (assignTimestampsAndWatermarks). Each subtask
// works on its own copy of a.
//
// Deprecated in Flink, gone in 2.0: use AssignTimestampsAndWatermarks.
func (d *DataStream[T]) AssignPunctuated(a PunctuatedAssigner[T]) *SingleOutputStreamOperator[T] {
	return d.assign("AssignPunctuated", a, func(a any) watermark.Strategy[T] {
		p := a.(PunctuatedAssigner[T])
		return watermark.Strategy[T]{Timestamp: p.ExtractTimestamp, New: func() watermark.Generator[T] { return punctuated[T]{p} }}
	})
}

func (d *DataStream[T]) assign(call string, a any, bind func(any) watermark.Strategy[T]) *SingleOutputStreamOperator[T] {
	d.env.checkFunction(call, a)
	if bad, ok := a.(interface{ wrong() error }); ok && bad.wrong() != nil {
		d.env.blame(d.tr.Name, call, bad.wrong())
	}
	out := d.sameType(unary[T, T](d, "Timestamps/Watermarks", &assigned[T]{a, bind}, nil))
	out.tr.Parallelism = d.tr.Parallelism
	return out
}

type assigned[T any] struct {
	a    any
	bind func(any) watermark.Strategy[T]
}

func (f *assigned[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	return (&timestamps[T]{f.bind(prototype(f.a))}).build(s, out, rt)
}

type periodic[T any] struct{ a PeriodicAssigner[T] }

func (periodic[T]) OnEvent(T, int64, watermark.Output) {}
func (p periodic[T]) OnPeriodicEmit(out watermark.Output) {
	if wm, ok := p.a.CurrentWatermark(); ok {
		out.EmitWatermark(wm)
	}
}

type punctuated[T any] struct{ a PunctuatedAssigner[T] }

func (p punctuated[T]) OnEvent(v T, ts int64, out watermark.Output) {
	if wm, ok := p.a.CheckAndGetNextWatermark(v, ts); ok {
		out.EmitWatermark(wm)
	}
}
func (punctuated[T]) OnPeriodicEmit(watermark.Output) {}

// extractor is one of the two assigners below. Its watermark is the greatest timestamp minus delay.
type extractor[T any] struct {
	timestamp  func(T) int64
	delay, max int64
}

// wrong is the mistake in the making of the extractor.
func (e *extractor[T]) wrong() error {
	switch {
	case e.timestamp == nil:
		return nilFunction("timestamp function")
	case e.delay < 0:
		return kindError("Runtime", "the out-of-orderness must not be negative, got %dms", e.delay)
	}
	return nil
}

func (e *extractor[T]) ExtractTimestamp(v T, _ int64) int64 {
	ts := e.timestamp(v)
	e.max = max(e.max, ts)
	return ts
}

func (e *extractor[T]) CurrentWatermark() (int64, bool) {
	return e.max - e.delay, e.max != math.MinInt64+e.delay
}

// BoundedOutOfOrdernessTimestampExtractor is for records that come at most d late. Its watermark is the greatest
// timestamp minus d, so a record of just that time is late already (Flink's class of the same name, deprecated).
func BoundedOutOfOrdernessTimestampExtractor[T any](d time.Duration, timestamp func(v T) int64) PeriodicAssigner[T] {
	return &extractor[T]{timestamp, d.Milliseconds(), math.MinInt64 + d.Milliseconds()}
}

// AscendingTimestampExtractor is for timestamps that do not go back within a subtask (Flink's class of the same name,
// deprecated).
func AscendingTimestampExtractor[T any](timestamp func(v T) int64) PeriodicAssigner[T] {
	return &extractor[T]{timestamp, 1, math.MinInt64 + 1}
}
