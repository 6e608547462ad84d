package conformance

import (
	df "flinkish/dataflow"
)

// event is a record with its timestamp, or a watermark.
type event[X any] struct {
	v  X
	ts int64
	wm bool
}

// eventsOf reads {e, t} and {wm} items.
func eventsOf[X any](items Value) []event[X] {
	var all []event[X]
	for _, v := range items.List() {
		if wm := v.At("wm"); wm.Exists() {
			all = append(all, event[X]{ts: wm.Int(), wm: true})
		} else {
			all = append(all, event[X]{v: As[X](v.At("e")), ts: v.At("t").Int()})
		}
	}
	return all
}

// onMarks emits the watermarks that stand among the events.
type onMarks[X any] struct{}

func (onMarks[X]) OnEvent(e event[X], ts int64, out df.WatermarkOutput) {
	if e.wm {
		out.EmitWatermark(ts)
	}
}
func (onMarks[X]) OnPeriodicEmit(df.WatermarkOutput) {}

// timedSource is a source of one subtask that gives the records of the input their timestamps, and sends the
// watermarks that stand between them.
func timedSource[X any](t *T) *df.SingleOutputStreamOperator[X] {
	return timed(t.Env(), eventsOf[X](t.Input))
}

func timed[X any](env *df.StreamExecutionEnvironment, events []event[X]) *df.SingleOutputStreamOperator[X] {
	s := df.ForGenerator(func() df.WatermarkGenerator[event[X]] { return onMarks[X]{} }).
		WithTimestampAssigner(func(e event[X], _ int64) int64 { return e.ts })
	return env.FromData(events...).AssignTimestampsAndWatermarks(s).
		FlatMap(func(e event[X], out df.Collector[X]) {
			if !e.wm {
				out.Collect(e.v)
			}
		}).SetParallelism(1)
}
