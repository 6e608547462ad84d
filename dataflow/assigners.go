package dataflow

import (
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
	warn := d.env.stderr
	return d.assign("AssignPeriodic", a, func(a any, s *core.Subtask) watermark.Strategy[T] {
		p := a.(PeriodicAssigner[T])
		if e, ok := a.(*extractor[T]); ok {
			e.bind(s, warn)
		}
		return watermark.Strategy[T]{Timestamp: p.ExtractTimestamp, New: func() watermark.Generator[T] { return periodic[T]{p} }}
	})
}

// AssignPunctuated gives records timestamps and makes watermarks after records (assignTimestampsAndWatermarks). Each subtask
// works on its own copy of a.
//
// Deprecated in Flink, gone in 2.0: use AssignTimestampsAndWatermarks.
func (d *DataStream[T]) AssignPunctuated(a PunctuatedAssigner[T]) *SingleOutputStreamOperator[T] {
	return d.assign("AssignPunctuated", a, func(a any, _ *core.Subtask) watermark.Strategy[T] {
		p := a.(PunctuatedAssigner[T])
		return watermark.Strategy[T]{Timestamp: p.ExtractTimestamp, New: func() watermark.Generator[T] { return punctuated[T]{p} }}
	})
}

func (d *DataStream[T]) assign(call string, a any, bind func(any, *core.Subtask) watermark.Strategy[T]) *SingleOutputStreamOperator[T] {
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
	bind func(any, *core.Subtask) watermark.Strategy[T] // the instance's own copy of a
}

func (f *assigned[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	return (&timestamps[T]{f.bind(prototype(f.a), s)}).build(s, out, rt)
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
