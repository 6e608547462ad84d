package conformance

import (
	"fmt"
	"iter"
	"strings"
	"time"

	df "flinkish/dataflow"
	"flinkish/dataflow/internal/core"
)

type (
	// keyTime is a key and a timestamp, named a key, a name and a timestamp.
	keyTime = df.Tuple2[string, int64]
	named   = df.Tuple3[string, string, int64]
)

// behind emits the watermark before the timestamp of each record.
type behind[X any] struct{}

func (behind[X]) OnEvent(_ X, ts int64, out df.WatermarkOutput) { out.EmitWatermark(ts - 1) }
func (behind[X]) OnPeriodicEmit(df.WatermarkOutput)             {}

// stampedBy is a bounded source with timestamps and watermarks.
func stampedBy[X any](env *df.StreamExecutionEnvironment, vs []X, at func(X) int64) *df.SingleOutputStreamOperator[X] {
	s := df.ForGenerator(func() df.WatermarkGenerator[X] { return behind[X]{} }).
		WithTimestampAssigner(func(v X, _ int64) int64 { return at(v) })
	return env.FromData(vs...).AssignTimestampsAndWatermarks(s)
}

// collectStamped runs the program of a stream and returns its records with their timestamps.
func collectStamped[X any](t *T, s *df.SingleOutputStreamOperator[X]) []Item {
	out := s.ProcessFunc(func(v X, ctx *df.ProcessContext, out df.Collector[df.Tuple2[X, int64]]) {
		ts, ok := ctx.Timestamp()
		if !ok {
			ts = core.NoTimestamp
		}
		out.Collect(df.Tuple2[X, int64]{F0: v, F1: ts})
	})
	items := []Item{}
	for _, r := range Collect(t, out) {
		items = append(items, Item{Value: r.F0, Time: r.F1})
	}
	return items
}

// windowJoin joins the two inputs of pairs by key in windows, and names every pair.
func windowJoin(t *T, name string, a df.WindowAssigner[df.TimeWindow]) {
	env := t.Env()
	at, key := func(v keyTime) int64 { return v.F1 }, func(v keyTime) string { return v.F0 }
	left, right := stampedBy(env, AllAs[keyTime](t.Input.At("1")), at), stampedBy(env, AllAs[keyTime](t.Input.At("2")), at)
	out := left.Join(right).Where(key).EqualTo(key).Window(a).Apply(func(_, _ keyTime) string { return name })
	t.Compare(collectStamped(t, out), "output")
}

// interval makes an interval join of two streams of records of one kind, and emits what pair makes of each pair.
func interval[X, R any](t *T, key func(X) string, lower, upper int64, pair func(l, r X, ctx *df.ProcessJoinContext) R) *Operator {
	env := t.Env()
	var x X
	out := env.FromData(x).KeyBy(key).IntervalJoin(env.FromData(x).KeyBy(key)).
		Between(time.Duration(lower)*ms, time.Duration(upper)*ms).
		ProcessFunc(func(l, r X, ctx *df.ProcessJoinContext, out df.Collector[R]) error {
			out.Collect(pair(l, r, ctx))
			return nil
		})
	return t.Operator(out)
}

func oneKey[X any](X) string { return "" }

// between joins records that are only timestamps.
func between(lower, upper int64) Func {
	return func(t *T) {
		op := interval(t, oneKey[int64], lower, upper, func(_, _ int64, ctx *df.ProcessJoinContext) df.Tuple2[int64, int64] {
			return df.Tuple2[int64, int64]{F0: ctx.LeftTimestamp(), F1: ctx.RightTimestamp()}
		})
		for i, side := range []string{"left_ts", "right_ts"} {
			for _, ts := range t.Input.At(side).Ints() {
				op.Put(i, ts, ts)
			}
		}
		t.noError(op)
		t.Compare(op.Out, "output")
	}
}

// badInterval demands the error of an interval join with the bounds of the input.
func badInterval(change func(j *df.IntervalJoin[string, string, string]) *df.IntervalJoin[string, string, string]) Func {
	return func(t *T) {
		bounds := t.Input.Ints()
		t.Fails(func(env *df.StreamExecutionEnvironment) {
			j := env.FromData("a").KeyBy(same[string]).IntervalJoin(env.FromData("a").KeyBy(same[string]))
			j = change(j)
			j.Between(time.Duration(bounds[0])*ms, time.Duration(bounds[1])*ms).
				ProcessFunc(func(l, _ string, _ *df.ProcessJoinContext, out df.Collector[string]) error {
					out.Collect(l)
					return nil
				})
		})
	}
}

var _ = register(map[string]Func{
	"JN-cogroup": func(t *T) {
		env := t.Env()
		at, key := func(v keyTime) int64 { return v.F1 }, func(v keyTime) string { return v.F0 }
		text := func(vs iter.Seq[keyTime]) (s string) {
			for v := range vs {
				s += fmt.Sprintf("(%s,%d)", v.F0, v.F1)
			}
			return s
		}
		left, right := stampedBy(env, AllAs[keyTime](t.Input.At("1")), at), stampedBy(env, AllAs[keyTime](t.Input.At("2")), at)
		out := left.CoGroup(right).Where(key).EqualTo(key).Window(df.TumblingEventTime(3 * ms)).
			Apply(func(as, bs iter.Seq[keyTime], out df.Collector[string]) {
				out.Collect("F:" + text(as) + " S:" + text(bs))
			})
		t.Compare(Records(Collect(t, out)), "output")
	},
	"JN-join": func(t *T) {
		env := t.Env()
		at, key := func(v named) int64 { return v.F2 }, func(v named) string { return v.F0 }
		text := func(v named) string { return fmt.Sprintf("(%s,%s,%d)", v.F0, v.F1, v.F2) }
		left, right := stampedBy(env, AllAs[named](t.Input.At("1")), at), stampedBy(env, AllAs[named](t.Input.At("2")), at)
		out := left.Join(right).Where(key).EqualTo(key).Window(df.TumblingEventTime(3 * ms)).
			Apply(func(a, b named) string { return text(a) + ":" + text(b) })
		t.Compare(Records(Collect(t, out)), "output")
	},
	"JN-join-result-timestamp":   func(t *T) { windowJoin(t, "joined", df.TumblingEventTime(3*ms)) },
	"JN-join-sliding-duplicates": func(t *T) { windowJoin(t, "pair", df.SlidingEventTime(3*ms, ms)) },
	"JN-interval-inclusive":      between(-1, 1),
	"JN-interval-positive":       between(0, 2),
	"JN-interval-negative":       between(-3, -1),
	"JN-interval-keys": func(t *T) {
		op := interval(t, func(v keyTime) string { return v.F0 }, 0, 0, func(l, r keyTime, _ *df.ProcessJoinContext) df.Tuple2[string, string] {
			return df.Tuple2[string, string]{F0: l.F0, F1: r.F0}
		})
		for i, side := range []string{"1", "2"} {
			for _, v := range AllAs[keyTime](t.Input.At(side)) {
				op.Put(i, v, v.F1)
			}
		}
		t.noError(op)
		t.Compare(op.Out, "output")
	},
	"JN-interval-same-timestamp-buckets": func(t *T) {
		op := interval(t, oneKey[string], 0, 0, func(l, r string, _ *df.ProcessJoinContext) df.Tuple2[string, string] {
			return df.Tuple2[string, string]{F0: l, F1: r}
		})
		for _, v := range AllAs[string](t.Input.At("order")) {
			side := 0
			if strings.HasPrefix(v, "r") {
				side = 1
			}
			op.Put(side, v, 1)
		}
		t.noError(op)
		t.Compare(op.Out, "output")
	},
	"JN-interval-no-timestamp": func(t *T) {
		for _, v := range t.Input.List() {
			op := interval(t, func(v keyTime) string { return v.F0 }, 0, 0, func(l, _ keyTime, _ *df.ProcessJoinContext) keyTime { return l })
			op.Record(int(v.At("in").Int())-1, v.At("e"), core.NoTimestamp)
			when := AtRun
			if op.Err == nil {
				when = AtNever
			}
			t.Equal(kindOf(op.Err), t.Expect.At("error"))
			t.Equal(string(when), t.Expect.At("when"))
		}
	},
	"JN-interval-bad-bounds":      badInterval(same[*df.IntervalJoin[string, string, string]]),
	"JN-interval-processing-time": badInterval((*df.IntervalJoin[string, string, string]).InProcessingTime),
})
