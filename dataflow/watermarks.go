package dataflow

import (
	"time"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/watermark"
)

// WatermarkOutput is where a generator sends what it knows about event time (Flink's WatermarkOutput).
type WatermarkOutput interface {
	// EmitWatermark says that no later record has a timestamp <= ts, in milliseconds. A watermark that
	// is not above the last one is dropped. An idle output becomes active.
	EmitWatermark(ts int64)
	// MarkIdle says that this stream must not hold event time back until its next watermark.
	MarkIdle()
	// MarkActive takes MarkIdle back.
	MarkActive()
}

// WatermarkGenerator makes watermarks (Flink's class of the same name). Each subtask has its own.
type WatermarkGenerator[T any] interface {
	// OnEvent is called for each record, after it was sent on, with its timestamp in milliseconds.
	OnEvent(v T, ts int64, out WatermarkOutput)
	// OnPeriodicEmit is called once per watermark interval, and once more at the end of the input.
	OnPeriodicEmit(out WatermarkOutput)
}

// WatermarkStrategy is how records get timestamps and watermarks (Flink's WatermarkStrategy). Its methods
// return changed copies, in any order.
type WatermarkStrategy[T any] struct {
	inner watermark.Strategy[T]
	wrong *GraphError // the first mistake in the making; nil: none
}

// refuse keeps a mistake, of the kind of Flink's exception; the first one wins.
func (s WatermarkStrategy[T]) refuse(kind, msg string) WatermarkStrategy[T] {
	if s.wrong == nil {
		s.wrong = &GraphError{Kind: kind, Msg: msg}
	}
	return s
}

// reject is refuse with the kind and the words of err; nil is no mistake.
func (s WatermarkStrategy[T]) reject(err error) WatermarkStrategy[T] {
	if err == nil {
		return s
	}
	return s.refuse(wordsOf(err))
}

// check reports the mistake of a strategy where it is used.
func (s WatermarkStrategy[T]) check(e *StreamExecutionEnvironment, op, call string) {
	if s.inner.New == nil {
		s = s.refuse("NullPointer", "the watermark strategy must not be empty; start with ForMonotonousTimestamps or its siblings, or use NoWatermarks")
	}
	if s.wrong != nil {
		e.fail(s.wrong.Kind, op, call, "%s", s.wrong.Msg)
	}
}

// ForMonotonousTimestamps is for timestamps that do not go back within a subtask; records that do are late.
func ForMonotonousTimestamps[T any]() WatermarkStrategy[T] {
	return WatermarkStrategy[T]{inner: watermark.Strategy[T]{New: watermark.Monotonous[T]}}
}

// ForBoundedOutOfOrderness is for records that come at most d after one with a greater timestamp.
func ForBoundedOutOfOrderness[T any](d time.Duration) WatermarkStrategy[T] {
	f, err := watermark.BoundedOutOfOrderness[T](d)
	if err != nil {
		return NoWatermarks[T]().reject(err)
	}
	return WatermarkStrategy[T]{inner: watermark.Strategy[T]{New: f}}
}

// ForGenerator uses generators of the program's own; f is called once in each subtask.
func ForGenerator[T any](f func() WatermarkGenerator[T]) WatermarkStrategy[T] {
	if f == nil {
		return NoWatermarks[T]().refuse("NullPointer", "the generator must not be nil")
	}
	return WatermarkStrategy[T]{inner: watermark.Strategy[T]{New: func() watermark.Generator[T] { return generator[T]{f()} }}}
}

// generator hands the calls to a generator of the program.
type generator[T any] struct{ g WatermarkGenerator[T] }

func (g generator[T]) OnEvent(v T, ts int64, out watermark.Output) { g.g.OnEvent(v, ts, out) }
func (g generator[T]) OnPeriodicEmit(out watermark.Output)         { g.g.OnPeriodicEmit(out) }

// NoWatermarks keeps event time where it is until the input ends.
func NoWatermarks[T any]() WatermarkStrategy[T] {
	return WatermarkStrategy[T]{inner: watermark.Strategy[T]{New: watermark.None[T]}}
}

// WithTimestampAssigner sets where the timestamp of a record comes from, in milliseconds since the epoch. prev
// is the one that the record carries, MinInt64 when it has none. Without an assigner it stays.
func (s WatermarkStrategy[T]) WithTimestampAssigner(f func(v T, prev int64) int64) WatermarkStrategy[T] {
	if f == nil {
		return s.refuse("NullPointer", "the timestamp assigner must not be nil")
	}
	s.inner.Timestamp = f
	return s
}

// WithIdleness says that a subtask without a record for d is idle and must not hold event time back. Of several the shortest
// counts, since each wraps the strategy before it.
func (s WatermarkStrategy[T]) WithIdleness(d time.Duration) WatermarkStrategy[T] {
	if t := d.Milliseconds(); s.inner.IdleTimeout == 0 || t < s.inner.IdleTimeout {
		s.inner.IdleTimeout = t
	}
	return s.reject(watermark.CheckIdleTimeout(d))
}

// AssignTimestampsAndWatermarks gives records timestamps and makes watermarks; what came from upstream is
// replaced. The operator has the parallelism of its input.
func (d *DataStream[T]) AssignTimestampsAndWatermarks(s WatermarkStrategy[T]) *SingleOutputStreamOperator[T] {
	s.check(d.env, d.tr.Name, "AssignTimestampsAndWatermarks")
	out := d.sameType(unary[T, T](d, "Timestamps/Watermarks", &timestamps[T]{s.inner}, nil))
	out.tr.Parallelism = d.tr.Parallelism
	return out
}

type timestamps[T any] struct{ strategy watermark.Strategy[T] }

func (f *timestamps[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	o := &timestampsOp[T]{opBase: newBase(s, out, rt, nil)}
	emit := out.Main.(core.Emit[T])
	s.Op = o.idx
	o.assigner = watermark.NewAssigner(f.strategy, s.Now, out.Control)
	in := core.Emit[T](func(v T, ts int64) {
		o.last = v
		s.Op = o.idx
		o.n.In++
		ts = o.assigner.Stamp(v, ts)
		emit(v, ts)
		s.Op = o.idx
		o.assigner.OnEvent(v, ts)
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return o.last }, Counters: &o.n}, nil
}

type timestampsOp[T any] struct {
	opBase
	assigner *watermark.Assigner[T]
	last     T
	stop     func() bool
}

func (o *timestampsOp[T]) Open() error {
	if o.sub.WatermarkInterval > 0 {
		o.tick()
	}
	return nil
}

// tick calls the generator once per watermark interval.
func (o *timestampsOp[T]) tick() {
	o.stop = o.sub.Runtime.After(o.sub.Now()+o.sub.WatermarkInterval, func() {
		o.enter()
		o.assigner.OnTick()
		o.tick()
	})
}

func (o *timestampsOp[T]) Watermark(_ int, wm int64) {
	o.assigner.OnWatermark(wm)
}

func (o *timestampsOp[T]) Status(int, bool) {}

func (o *timestampsOp[T]) Finish() {
	if o.stop != nil {
		o.stop()
	}
	o.enter()
	o.assigner.Finish()
}
