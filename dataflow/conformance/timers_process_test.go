package conformance

import (
	"fmt"
	"strconv"

	df "flinkish/dataflow"
	"flinkish/dataflow/internal/core"
)

func same[X comparable](v X) X { return v }

// keyed is a process function made of functions; open, element and timer may be nil.
type keyed[X comparable, R any] struct {
	element func(v X, ctx *df.KeyedContext[X], out df.Collector[R])
	timer   func(ts int64, ctx *df.OnTimerContext[X], out df.Collector[R])
}

func (k *keyed[X, R]) ProcessElement(v X, ctx *df.KeyedContext[X], out df.Collector[R]) error {
	k.element(v, ctx, out)
	return nil
}

func (k *keyed[X, R]) OnTimer(ts int64, ctx *df.OnTimerContext[X], out df.Collector[R]) error {
	if k.timer != nil {
		k.timer(ts, ctx, out)
	}
	return nil
}

// processed drives a process function on a stream that is keyed by the records themselves.
func processed[X comparable, R any](t *T, f *keyed[X, R]) *Operator {
	var x X
	op := t.Operator(t.Env().FromData(x).KeyBy(same[X]).ProcessKeyed(f)).Feed(t.Input)
	t.noError(op)
	return op
}

func stamp(ctx *df.KeyedContext[int]) string {
	if ts, ok := ctx.Timestamp(); ok {
		return strconv.FormatInt(ts, 10)
	}
	return "null"
}

// queried emits the time that now tells, and the timestamp of the record.
func queried(now func(s *df.TimerService) int64) *keyed[int, string] {
	return &keyed[int, string]{element: func(v int, ctx *df.KeyedContext[int], out df.Collector[string]) {
		out.Collect(fmt.Sprintf("%dTIME:%d TS:%s", v, now(ctx.TimerService()), stamp(ctx)))
	}}
}

// echo emits each record, sets a timer, and emits 1777 when it fires.
func echo(set func(s *df.TimerService)) *keyed[int, int] {
	return &keyed[int, int]{
		element: func(v int, ctx *df.KeyedContext[int], out df.Collector[int]) {
			out.Collect(v)
			set(ctx.TimerService())
		},
		timer: func(_ int64, _ *df.OnTimerContext[int], out df.Collector[int]) { out.Collect(1777) },
	}
}

var _ = register(map[string]Func{
	"TP-query-time":      func(t *T) { t.Compare(processed(t, queried((*df.TimerService).CurrentWatermark)).Out, "output") },
	"TP-query-proc-time": func(t *T) { t.Compare(processed(t, queried((*df.TimerService).CurrentProcessingTime)).Out, "output") },
	"TP-event-timer": func(t *T) {
		t.Compare(processed(t, echo(func(s *df.TimerService) { s.RegisterEventTimeTimer(5) })).Out, "output")
	},
	"TP-proc-timer": func(t *T) {
		out := processed(t, echo(func(s *df.TimerService) { s.RegisterProcessingTimeTimer(5) })).Out
		t.Compare(out, "output")
		timestamps := "none"
		for _, i := range out {
			if i.Time != core.NoTimestamp {
				timestamps = "some"
			}
		}
		t.Equal(timestamps, t.Expect.At("output_timestamps"))
	},
	"TP-timer-state": func(t *T) {
		last := df.NewValueStateDescriptor[int]("last")
		t.Compare(processed(t, &keyed[int, string]{
			element: func(v int, ctx *df.KeyedContext[int], out df.Collector[string]) {
				out.Collect(fmt.Sprintf("INPUT:%d", v))
				ctx.State(last).Update(v)
				ctx.TimerService().RegisterEventTimeTimer(ctx.TimerService().CurrentWatermark() + 5)
			},
			timer: func(_ int64, ctx *df.OnTimerContext[int], out df.Collector[string]) {
				out.Collect(fmt.Sprintf("STATE:%d", ctx.State(last).Value()))
			},
		}).Out, "output")
	},
	"TP-snapshot-timers": func(t *T) {
		t.Compare(processed(t, &keyed[int, string]{
			element: func(_ int, ctx *df.KeyedContext[int], _ df.Collector[string]) {
				ctx.TimerService().RegisterProcessingTimeTimer(5)
				ctx.TimerService().RegisterEventTimeTimer(6)
			},
			timer: func(_ int64, ctx *df.OnTimerContext[int], out df.Collector[string]) {
				kind := map[df.TimeDomain]string{df.EventTime: "EVENT", df.ProcessingTime: "PROC"}[ctx.TimeDomain()]
				out.Collect(kind + ":1777")
			},
		}).Out, "output")
	},
	"TP-dedup": func(t *T) {
		t.Compare(processed(t, &keyed[int, string]{
			element: func(_ int, ctx *df.KeyedContext[int], _ df.Collector[string]) {
				for range 2 {
					ctx.TimerService().RegisterEventTimeTimer(10)
				}
			},
			timer: func(_ int64, ctx *df.OnTimerContext[int], out df.Collector[string]) {
				out.Collect(fmt.Sprintf("T%d", ctx.CurrentKey()))
			},
		}).Out, "output")
	},
	"TP-ordering": func(t *T) {
		t.Compare(processed(t, &keyed[string, int64]{
			element: func(_ string, ctx *df.KeyedContext[string], _ df.Collector[int64]) {
				for _, ts := range []int64{30, 10, 20} {
					ctx.TimerService().RegisterEventTimeTimer(ts)
				}
			},
			timer: func(ts int64, _ *df.OnTimerContext[string], out df.Collector[int64]) { out.Collect(ts) },
		}).Out, "output")
	},
	"TP-non-keyed-timer": func(t *T) {
		t.Fails(func(env *df.StreamExecutionEnvironment) {
			timed(env, eventsOf[int](t.Input)).ProcessFunc(func(_ int, ctx *df.ProcessContext, _ df.Collector[int]) {
				ctx.TimerService().RegisterEventTimeTimer(5)
			})
		})
	},
	"TP-side-output": func(t *T) {
		ints, longs := df.NewOutputTag[int]("INT"), df.NewOutputTag[int64]("LONG")
		out := t.Env().FromData(1).KeyBy(same[int]).ProcessKeyedFunc(func(v int, ctx *df.KeyedContext[int], out df.Collector[string]) {
			out.Collect(fmt.Sprintf("IN:%d", v))
			ctx.Output(ints, v)
			ctx.Output(longs, int64(v))
		})
		out.GetSideOutput(ints)
		out.GetSideOutput(longs)
		op := t.Operator(out).Feed(t.Input)
		t.noError(op)
		t.Compare(op.Out, "output")
		t.Compare(op.Side["INT"], "side_int")
		t.Compare(op.Side["LONG"], "side_long")
	},
})
