package programtest_test

import (
	"fmt"
	"iter"
	"testing"
	"time"

	. "flinkish/dataflow"
)

var side = NewOutputTag[int]("side")

// stampedByValue has the value of a record as its time, and a watermark of it behind the record.
type stampedByValue struct{}

func (stampedByValue) ExtractTimestamp(v int, _ int64) int64                  { return int64(v) }
func (stampedByValue) CheckAndGetNextWatermark(_ int, ts int64) (int64, bool) { return ts, true }

// first gives the records of a window, and ten times each to the side.
type first struct{}

func (first) Process(_ int, ctx *ProcessWindowContext[TimeWindow], vs iter.Seq[int], out Collector[int]) error {
	for v := range vs {
		out.Collect(v)
		ctx.Output(side, 10*v)
	}
	return nil
}

// firstOfAll is first without a key.
type firstOfAll struct{}

func (firstOfAll) Process(ctx *ProcessWindowContext[TimeWindow], vs iter.Seq[int], out Collector[int]) error {
	return first{}.Process(0, ctx, vs, out)
}

// parts sends small records of the first stream and large ones of the second on, with a copy to the side.
type parts struct{}

func (parts) ProcessElement1(v int, ctx *ProcessContext, out Collector[int]) error {
	if v < 3 {
		out.Collect(v)
		ctx.Output(side, 10+v)
	}
	return nil
}

func (parts) ProcessElement2(v int, ctx *ProcessContext, out Collector[int]) error {
	if v >= 3 {
		out.Collect(v)
		ctx.Output(side, 20+v)
	}
	return nil
}

// keyedParts is parts with the key, and a timer that gives the key to the side.
type keyedParts struct{}

func (keyedParts) ProcessElement1(v int, ctx *KeyedContext[int], out Collector[int]) error {
	if v < 3 {
		out.Collect(v)
		ctx.Output(side, 100*ctx.CurrentKey()+10+v)
	}
	ctx.TimerService().RegisterEventTimeTimer(1000)
	return nil
}

func (keyedParts) ProcessElement2(v int, ctx *KeyedContext[int], out Collector[int]) error {
	if v >= 3 {
		out.Collect(v)
		ctx.Output(side, 100*ctx.CurrentKey()+20+v)
	}
	return nil
}

func (keyedParts) OnTimer(ts int64, ctx *OnTimerContext[int], _ Collector[int]) error {
	ctx.Output(side, ctx.CurrentKey())
	return nil
}

// TestSideOutputsOfEveryKindOfOperator: the records are 1, 2, 5, 3 and 4, so that 3 and 4 are late.
func TestSideOutputsOfEveryKindOfOperator(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		build func(s *DataStream[int]) *SingleOutputStreamOperator[int]
		want  string // the records of the operator, then those of its side output
	}{
		{"late records of windows without a key", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.WindowAll(SlidingEventTime(ms, ms)).SideOutputLateData(side).Apply(func(_ TimeWindow, vs iter.Seq[int], out Collector[int]) {
				for v := range vs {
					out.Collect(v)
				}
			})
		}, "[[1 2 5] [3 4]]"},
		{"late records of keyed windows, one of which is not too late", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.KeyBy(same).Window(SlidingEventTime(ms, ms)).AllowedLateness(2 * ms).SideOutputLateData(side).
				Apply(func(k int, _ TimeWindow, vs iter.Seq[int], out Collector[int]) {
					for v := range vs {
						out.Collect(v)
					}
				})
		}, "[[1 2 4 5] [3]]"},
		{"a function of keyed windows", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.KeyBy(same).Window(SlidingEventTime(ms, ms)).Process(first{})
		}, "[[1 2 5] [10 20 50]]"},
		{"a function of windows without a key", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.WindowAll(SlidingEventTime(ms, ms)).Process(firstOfAll{})
		}, "[[1 2 5] [10 20 50]]"},
		{"a function of two streams", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.Connect(s).Process(parts{})
		}, "[[1 2 3 4 5] [11 12 23 24 25]]"},
		{"a function of two streams, which are keyed", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.KeyBy(same).Connect(s.KeyBy(same)).Process(parts{})
		}, "[[1 2 3 4 5] [11 12 23 24 25]]"},
		{"a function of two keyed streams, and its timers", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.KeyBy(same).Connect(s.KeyBy(same)).ProcessKeyed(keyedParts{})
		}, "[[1 2 3 4 5] [1 111 2 212 3 323 4 424 5 525]]"},
		{"a function of a keyed stream that knows no keys", func(s *DataStream[int]) *SingleOutputStreamOperator[int] {
			return s.KeyBy(same).ProcessFunc(func(v int, ctx *ProcessContext, out Collector[int]) {
				out.Collect(v)
				ctx.Output(side, 10*v)
			})
		}, "[[1 2 3 4 5] [10 20 30 40 50]]"},
	} {
		for _, p := range []int{1, 3} {
			e := env(p)
			op := c.build(&e.FromElements(1, 2, 5, 3, 4).AssignPunctuated(stampedByValue{}).DataStream)
			if got := fmt.Sprint(collect(t, e, op.CollectAsync(), op.GetSideOutput(side).CollectAsync())); got != c.want {
				t.Errorf("%s, parallelism %d: got %s, want %s", c.name, p, got, c.want)
			}
		}
	}
}
