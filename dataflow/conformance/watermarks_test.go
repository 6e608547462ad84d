package conformance

import (
	"time"

	df "flinkish/dataflow"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/watermark"
)

// emitted is a watermark.Output that writes down what a generator offers.
type emitted struct{ all []int64 }

func (e *emitted) EmitWatermark(wm int64) { e.all = append(e.all, wm) }
func (e *emitted) MarkIdle()              {}
func (e *emitted) MarkActive()            {}

// generated shows a generator the events of each step of the input, then lets it emit.
func generated(t *T, g watermark.Generator[int64]) []int64 {
	out := &emitted{}
	for _, step := range t.Input.List() {
		if events := step.At("events"); events.Exists() {
			for _, ts := range events.Ints() {
				g.OnEvent(ts, ts, out)
			}
		}
		g.OnPeriodicEmit(out)
	}
	return out.all
}

func bounded(t *T, delay time.Duration) watermark.Generator[int64] {
	f, err := watermark.BoundedOutOfOrderness[int64](delay)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return f()
}

// assigned drives an operator that assigns timestamps.
func assigned[X any](t *T, s df.WatermarkStrategy[X]) *Operator {
	var x X
	env := t.Env().SetAutoWatermarkInterval(50 * ms)
	op := t.Operator(env.FromData(x).AssignTimestampsAndWatermarks(s))
	op.Feed(t.Input)
	t.noError(op)
	return op
}

func itself(v, _ int64) int64 { return v }

// punctuated emits the timestamp of a flagged event.
type punctuated struct{}

func (punctuated) OnEvent(v df.Tuple2[bool, int64], ts int64, out df.WatermarkOutput) {
	if v.F0 {
		out.EmitWatermark(ts)
	}
}
func (punctuated) OnPeriodicEmit(df.WatermarkOutput) {}

// valve feeds the channels of an operator that does nothing.
func valve(t *T) {
	channels := int64(0)
	for _, v := range t.Input.List() {
		channels = max(channels, v.List()[0].Int()+1)
	}
	op := t.OperatorWith(t.Env().FromData(1).Map(func(v int) int { return v }), int(channels))
	t.Compare(op.FeedChannels(t.Input).Out, "output")
	t.noError(op)
}

// strategies demands an error of the call for each number of the input.
func strategies(make func(d time.Duration) df.WatermarkStrategy[int]) Func {
	return func(t *T) {
		for _, n := range t.Input.Ints() {
			t.Fails(func(env *df.StreamExecutionEnvironment) {
				env.FromData(1).AssignTimestampsAndWatermarks(make(time.Duration(n) * ms))
			})
		}
	}
}

var _ = register(map[string]Func{
	"WM-bounded-out-of-order": func(t *T) { t.Equal(generated(t, bounded(t, 9*ms)), t.Expect.At("emitted_after_each_periodic")) },
	"WM-bounded-before-events": func(t *T) {
		t.Equal(generated(t, bounded(t, 10*ms)), t.Expect.At("emitted"))
		op := t.Operator(t.Env().FromData(int64(0)).AssignTimestampsAndWatermarks(df.ForBoundedOutOfOrderness[int64](10 * ms)))
		op.Advance(1000)
		t.noError(op)
		t.Compare(op.Out, "forwarded_by_operator")
	},
	"WM-ascending": func(t *T) { t.Equal(generated(t, watermark.Monotonous[int64]()), t.Expect.At("emitted")) },
	"WM-bounded-negative-delay": strategies(func(d time.Duration) df.WatermarkStrategy[int] {
		return df.ForBoundedOutOfOrderness[int](d)
	}),
	"WM-idleness-invalid": strategies(func(d time.Duration) df.WatermarkStrategy[int] {
		return df.ForMonotonousTimestamps[int]().WithIdleness(d)
	}),
	"WM-periodic-operator": func(t *T) {
		t.Compare(assigned(t, df.ForMonotonousTimestamps[int64]().WithTimestampAssigner(itself)).Out, "output")
	},
	"WM-input-watermarks-swallowed": func(t *T) {
		t.Compare(assigned(t, df.ForMonotonousTimestamps[int64]().WithTimestampAssigner(itself)).Out, "output")
	},
	"WM-punctuated": func(t *T) {
		s := df.ForGenerator(func() df.WatermarkGenerator[df.Tuple2[bool, int64]] { return punctuated{} }).
			WithTimestampAssigner(func(v df.Tuple2[bool, int64], _ int64) int64 { return v.F1 })
		t.Compare(assigned(t, s).Out, "output")
	},
	"WM-negative-timestamps": func(t *T) {
		t.Compare(assigned(t, df.NoWatermarks[int64]().WithTimestampAssigner(itself)).Out, "output")
	},
	"WM-valve-increasing":    valve,
	"WM-valve-decreasing":    valve,
	"WM-valve-idle-excluded": valve,
	"WM-two-input-min": func(t *T) {
		env := t.Env()
		same := func(v int) int { return v }
		op := t.Operator(env.FromData(1).Connect(env.FromData(2)).Map(same, same)).FeedInputs(t.Input)
		t.noError(op)
		t.Compare(op.Out, "output")
	},
	"WM-multiplexer-immediate": func(t *T) {
		o := &Operator{}
		out, split := watermark.NewCombined(2, control{o}), map[string]int{"A": 0, "B": 1}
		for _, v := range t.Input.List() {
			if at := v.List(); at[1].Text() == "IDLE" {
				out.Status(split[at[0].Text()], true)
			} else {
				out.Watermark(split[at[0].Text()], at[1].Int())
			}
		}
		t.Compare(o.Out, "output")
	},
	"WM-end-of-input-max": func(t *T) {
		var all []int
		for _, v := range t.Input.List() {
			all = append(all, As[int](v.At("e")))
		}
		out := t.Env().FromData(all...).Map(func(v int) int { return v })
		seen := &emitted{}
		out.Transformation().Factory = spying{out.Transformation().Factory, seen}
		Collect(t, out)
		t.Equal(seen.all, t.Expect.At("watermarks"))
	},
})

// spying is a factory whose operator tells the watermarks that reach it.
type spying struct {
	core.Factory
	seen *emitted
}

func (f spying) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	inst, err := f.Factory.New(s, out)
	if err == nil {
		inst.Op = spyOp{inst.Op, f.seen}
	}
	return inst, err
}

type spyOp struct {
	core.Op
	seen *emitted
}

func (o spyOp) Watermark(input int, wm int64) {
	o.seen.EmitWatermark(wm)
	o.Op.Watermark(input, wm)
}
