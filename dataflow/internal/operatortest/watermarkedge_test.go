package operatortest_test

import (
	"math"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// Timestamps and watermarks of one operator, with a tick every 50 ms of the clock.

// scripted is a generator that does what the records say: 901 and 902 are idle and active, another value is a watermark.
type scripted struct{}

func (scripted) OnEvent(v ev, _ int64, out WatermarkOutput) {
	switch v.V {
	case 901:
		out.MarkIdle()
	case 902:
		out.MarkActive()
	default:
		out.EmitWatermark(int64(v.V))
	}
}
func (scripted) OnPeriodicEmit(WatermarkOutput) {}

// halting is an old assigner: the time of a record is its value, or one more than it had. A watermark is there when the value is even.
type halting struct{ last int }

func (h *halting) ExtractTimestamp(v ev, prev int64) int64 {
	if h.last = v.V; prev == math.MinInt64 {
		return int64(v.V)
	}
	return prev + 1
}
func (h *halting) CurrentWatermark() (int64, bool) { return int64(h.last), h.last%2 == 0 }
func (h *halting) CheckAndGetNextWatermark(v ev, ts int64) (int64, bool) {
	return ts, v.V%2 == 0
}

func TestWatermarkStrategiesAsTheyAreDescribed(t *testing.T) {
	ticking := func(interval duration, s WatermarkStrategy[ev]) func(a, b *DataStream[ev]) conformance.Handle {
		return func(a, _ *DataStream[ev]) conformance.Handle {
			a.Env().SetAutoWatermarkInterval(interval)
			return a.AssignTimestampsAndWatermarks(s)
		}
	}
	with := func(s WatermarkStrategy[ev]) func(a, b *DataStream[ev]) conformance.Handle { return ticking(50*ms, s) }
	bounded, monotonous := ForBoundedOutOfOrderness[ev](5*ms), ForMonotonousTimestamps[ev]()
	byValue := func(v ev, _ int64) int64 { return int64(v.V) }
	previous := func(_ ev, prev int64) int64 {
		if prev == math.MinInt64 {
			return 7
		}
		return prev + 1
	}
	generator := ForGenerator(func() WatermarkGenerator[ev] { return scripted{} })
	// The countdown begins at the first tick without a record; what comes when it has taken just the time is in time.
	const idleScript = "a10 pt=50 pt=100 pt=150 pt=200 a11 pt=250 pt=300 pt=350 pt=400 pt=450 a3 pt=500 a20 pt=550"
	const idleWant = "a10@10 |9 a11@11 |10 idle a3@3 a20@20 active |19"
	for _, c := range []specCase{
		{name: "an assigner is told the time that the record has, or the least one", build: with(NoWatermarks[ev]().WithTimestampAssigner(previous)),
			script: "a1 a2@5 pt=100 end", want: "a1@7 a2@6 |MAX"},
		{name: "without an assigner a record keeps its time, or has none", build: with(monotonous), script: "a1 pt=50 a2@5 pt=100", want: "a1 a2@5 |4"},
		{name: "the last assigner counts", build: with(monotonous.WithTimestampAssigner(previous).WithTimestampAssigner(byValue)), script: "a3@9 pt=50", want: "a3@3 |2"},
		{name: "idleness, then an assigner", build: with(monotonous.WithIdleness(100 * ms).WithTimestampAssigner(byValue)), script: idleScript, want: idleWant},
		{name: "an assigner, then idleness", build: with(monotonous.WithTimestampAssigner(byValue).WithIdleness(100 * ms)), script: idleScript, want: idleWant},
		{name: "the shorter idleness, then the longer one", build: with(monotonous.WithTimestampAssigner(byValue).WithIdleness(100 * ms).WithIdleness(9000 * ms)), script: idleScript, want: idleWant},
		{name: "the longer idleness, then the shorter one", build: with(monotonous.WithTimestampAssigner(byValue).WithIdleness(9000 * ms).WithIdleness(100 * ms)), script: idleScript, want: idleWant},
		{name: "alignment has no effect here", build: with(monotonous.WithWatermarkAlignment("g", ms).WithTimestampAssigner(byValue)), script: "a10 pt=50 a99 pt=100", want: "a10@10 |9 a99@99 |98"},
		{name: "nothing is known before the first record", build: with(bounded), script: "pt=500 a1@10 pt=540 pt=550", want: "a1@10 |4"},
		{name: "a tick tells what is new", build: with(bounded), script: "a1@10 a2@30 a3@20 pt=50 pt=100 a4@29 pt=150 a5@31 pt=200", want: "a1@10 a2@30 a3@20 |24 a4@29 a5@31 |25"},
		{name: "times that go back are no mistake", build: with(monotonous), script: "a1@10 pt=50 a2@3 pt=100 a3@11 pt=150", want: "a1@10 |9 a2@3 a3@11 |10"},
		{name: "the ends of time", build: with(bounded), script: "a1@-9223372036854775807 pt=50 a2@-9223372036854775800 pt=100 a3@9223372036854775807 pt=150",
			want: "a1@-9223372036854775807 a2@-9223372036854775800 |-9223372036854775806 a3@MAX |9223372036854775801"},
		{name: "time before zero", build: with(monotonous), script: "a1@-10 pt=50 a2@-3 pt=100", want: "a1@-10 |-11 a2@-3 |-4"},
		{name: "no ticks", build: ticking(0, bounded), script: "a1@10 pt=900 end", want: "a1@10 |MAX"},
		{name: "what comes from upstream stays there, but for the end", build: with(monotonous), script: "wm=5 idle=1 a1@3 active=1 pt=50 wm=9223372036854775807 a2@7 pt=100", want: "a1@3 |2 |MAX a2@7"},
		{name: "a watermark follows its record", build: with(generator), script: "a10@1 a12@2", want: "a10@1 |10 a12@2 |12"},
		{name: "a generator that goes back is not heard", build: with(generator), script: "a10@1 a5@2 a10@3 a11@4", want: "a10@1 |10 a5@2 a10@3 a11@4 |11"},
		{name: "a watermark ends idleness if it is new", build: with(generator), script: "a10@1 a901@2 a9@3 a10@4 a11@5", want: "a10@1 |10 a901@2 idle a9@3 a10@4 a11@5 active |11"},
		{name: "idle and active are said once", build: with(generator), script: "a902@1 a901@2 a901@3 a902@4 a902@5 a10@6", want: "a902@1 a901@2 idle a901@3 a902@4 active a902@5 a10@6 |10"},
		{name: "idleness around a generator of one's own", build: with(generator.WithIdleness(100 * ms)), script: "a10@1 pt=50 pt=100 pt=150 pt=200 pt=250 a5@2 a11@3", want: "a10@1 |10 idle a5@2 a11@3 active |11"},
		{name: "an old assigner by the clock", build: func(a, _ *DataStream[ev]) conformance.Handle {
			a.Env().SetAutoWatermarkInterval(50 * ms)
			return a.AssignPeriodic(&halting{})
		}, script: "a2 pt=50 a3@7 pt=100 a0@8 pt=150 a4@9 pt=200 end", want: "a2@2 |2 a3@8 a0@9 a4@10 |4 |MAX"},
		{name: "an old assigner by the record", build: func(a, _ *DataStream[ev]) conformance.Handle { return a.AssignPunctuated(&halting{}) },
			script: "a2 a3@7 a2@1 a4@6 end", want: "a2@2 |2 a3@8 a2@2 a4@7 |7 |MAX"},
	} {
		c.marks = true
		t.Run(c.name, c.run)
	}
}
