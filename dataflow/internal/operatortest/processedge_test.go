package operatortest_test

import (
	"fmt"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// What process functions of every kind are told, and what they send aside.

// told is a record with what its function knows about time: the watermark, the clock, and the record's own time.
func told(side string, v ev, wm, clock, ts int64, has bool) string {
	if !has {
		return fmt.Sprintf("%s%v/%d/%d/none", side, v, wm, clock)
	}
	return fmt.Sprintf("%s%v/%d/%d/%d", side, v, wm, clock, ts)
}

func tell(side string, v ev, ctx *ProcessContext) error {
	ts, has := ctx.Timestamp()
	ctx.Output(aside, told(side, v, ctx.TimerService().CurrentWatermark(), ctx.TimerService().CurrentProcessingTime(), ts, has))
	return nil
}

func tellKey(side string, v ev, ctx *KeyedContext[string]) error {
	ts, has := ctx.Timestamp()
	ctx.Output(aside, told(ctx.CurrentKey()+side, v, ctx.TimerService().CurrentWatermark(), ctx.TimerService().CurrentProcessingTime(), ts, has))
	return nil
}

type tellsTwo struct{}

func (tellsTwo) ProcessElement1(v ev, ctx *ProcessContext, _ Collector[string]) error {
	return tell("1", v, ctx)
}

func (tellsTwo) ProcessElement2(v ev, ctx *ProcessContext, _ Collector[string]) error {
	return tell("2", v, ctx)
}

type tellsKeys struct{}

func (tellsKeys) ProcessElement1(v ev, ctx *KeyedContext[string], _ Collector[string]) error {
	return tellKey("1", v, ctx)
}

func (tellsKeys) ProcessElement2(v ev, ctx *KeyedContext[string], _ Collector[string]) error {
	return tellKey("2", v, ctx)
}

type tellsAll struct{}

func (tellsAll) ProcessElement(v ev, ctx *ReadOnlyBroadcastContext, _ Collector[string]) error {
	ts, has := ctx.Timestamp()
	ctx.Output(aside, told("1", v, ctx.CurrentWatermark(), ctx.CurrentProcessingTime(), ts, has))
	return nil
}

func (tellsAll) ProcessBroadcastElement(v ev, ctx *BroadcastContext, _ Collector[string]) error {
	ctx.Output(aside, told("2", v, ctx.CurrentWatermark(), ctx.CurrentProcessingTime(), ctx.Timestamp(), true))
	return nil
}

type tellsAllOfKeys struct{}

func (tellsAllOfKeys) ProcessElement(v ev, ctx *KeyedReadOnlyBroadcastContext[string], _ Collector[string]) error {
	return tellKey("1", v, ctx.KeyedContext)
}

func (tellsAllOfKeys) ProcessBroadcastElement(v ev, ctx *KeyedBroadcastContext[string], _ Collector[string]) error {
	ctx.Output(aside, told("2", v, ctx.CurrentWatermark(), ctx.CurrentProcessingTime(), ctx.Timestamp(), true))
	return nil
}

func TestProcessFunctionsAreToldTheTime(t *testing.T) {
	const one, two = "wm=17 pt=3 a5@12 wm=42 pt=4 b6@13 b7", "wm1=17 wm2=17 pt=3 a5@12 wm1=40 R:b6@13 wm2=42 pt=4 R:a7 a8"
	read := func(out *SingleOutputStreamOperator[string]) conformance.Handle {
		out.GetSideOutput(aside)
		return out
	}
	for _, c := range []specCase{
		{name: "a function", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return read(a.ProcessFunc(func(v ev, ctx *ProcessContext, _ Collector[string]) { tell("", v, ctx) }))
		}, script: one, want: "a5/17/3/12@12 b6/42/4/13@13 b7/42/4/none"},
		{name: "a function with keys", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return read(a.KeyBy(key).ProcessKeyed(&hooked{element: func(v ev, ctx *KeyedContext[string], _ Collector[string]) { tellKey("", v, ctx) }}))
		}, script: one, want: "aa5/17/3/12@12 bb6/42/4/13@13 bb7/42/4/none"},
		{name: "a function of two inputs", build: func(a, b *DataStream[ev]) conformance.Handle { return read(a.Connect(b).Process(tellsTwo{})) },
			script: two, want: "1a5/17/3/12@12 2b6/17/3/13@13 2a7/40/4/none 1a8/40/4/none"},
		{name: "a function of two inputs with keys", build: func(a, b *DataStream[ev]) conformance.Handle {
			return read(a.Connect(b).KeyBy(key, key).ProcessKeyed(tellsKeys{}))
		}, script: two, want: "a1a5/17/3/12@12 b2b6/17/3/13@13 a2a7/40/4/none a1a8/40/4/none"},
		{name: "a broadcast function", build: func(a, b *DataStream[ev]) conformance.Handle {
			return read(a.ConnectBroadcast(b.BroadcastWithState(rules)).Process(tellsAll{}))
		}, script: two, want: "1a5/17/3/12@12 2b6/17/3/13@13 2a7/40/4/-9223372036854775808 1a8/40/4/none"},
		{name: "a broadcast function with keys", build: func(a, b *DataStream[ev]) conformance.Handle {
			return read(a.KeyBy(key).ConnectBroadcast(b.BroadcastWithState(rules)).ProcessKeyed(tellsAllOfKeys{}))
		}, script: two, want: "a1a5/17/3/12@12 2b6/17/3/13@13 2a7/40/4/-9223372036854775808 a1a8/40/4/none"},
	} {
		c.want = "aside: " + c.want
		t.Run(c.name, c.run)
	}
}

// takesBack sets a timer of each domain at the value of a record of the first input, which a record of the second one takes back.
type takesBack struct{}

func (takesBack) ProcessElement1(v ev, ctx *KeyedContext[string], _ Collector[string]) error {
	s := ctx.State(seenSum)
	s.Update(s.Value() + v.V)
	ctx.TimerService().RegisterEventTimeTimer(int64(v.V))
	ctx.TimerService().RegisterProcessingTimeTimer(int64(v.V))
	return nil
}

func (takesBack) ProcessElement2(v ev, ctx *KeyedContext[string], _ Collector[string]) error {
	ctx.TimerService().DeleteEventTimeTimer(int64(v.V))
	ctx.TimerService().DeleteProcessingTimeTimer(int64(v.V))
	return nil
}

func (takesBack) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), ctx.TimeDomain().String()[:1], ts, ":", ctx.State(seenSum).Value()))
	return nil
}

// timersOfTwo sets timers where there is no key.
type timersOfTwo struct{ tellsTwo }

func (timersOfTwo) ProcessElement1(v ev, ctx *ProcessContext, _ Collector[string]) error {
	ctx.TimerService().RegisterProcessingTimeTimer(int64(v.V))
	return nil
}

var texted = NewMapStateDescriptor[int, string]("texts")

// twoStates keeps each record of the broadcast side in two states, and shows both to each record of the other one.
type twoStates struct{}

func (twoStates) ProcessElement(v ev, ctx *ReadOnlyBroadcastContext, out Collector[string]) error {
	for k, n := range ctx.BroadcastState(rules).Entries() {
		out.Collect(fmt.Sprint(v, ":", k, n))
	}
	for n, k := range ctx.BroadcastState(texted).Entries() {
		out.Collect(fmt.Sprint(v, ":", n, k))
	}
	return nil
}

func (twoStates) ProcessBroadcastElement(v ev, ctx *BroadcastContext, _ Collector[string]) error {
	ctx.BroadcastState(rules).Put(v.K, v.V)
	ctx.BroadcastState(texted).Put(v.V, v.K)
	return nil
}

func TestTwoInputsShareTheirState(t *testing.T) {
	back := func(a, b *DataStream[ev]) conformance.Handle {
		return a.Connect(b).KeyBy(key, key).ProcessKeyed(takesBack{})
	}
	for _, c := range []specCase{
		{name: "one input takes back the timers of the other, of its key", build: back, script: "a6 b6 c7 R:b6 R:a7 wm=6 wm=7 pt=9", want: "aE6:6@6 cE7:7@7 aP6:6 cP7:7"},
		{name: "state is that of the key of the timer", build: back, script: "a6 b7 a8 wm=9", want: "aE6:14@6 bE7:7@7 aE8:14@8"},
		{name: "two inputs without keys have no timers", build: func(a, b *DataStream[ev]) conformance.Handle { return a.Connect(b).Process(timersOfTwo{}) },
			script: "R:a1 a1", fails: "UnsupportedOperation|keyed"},
		{name: "several broadcast states are apart", build: func(a, b *DataStream[ev]) conformance.Handle {
			return a.ConnectBroadcast(b.BroadcastWithState(rules, texted)).Process(twoStates{})
		}, script: "a1 R:x5 R:y6 a2@3 R:x6 a3@4", want: "a2:x5@3 a2:y6@3 a2:5x@3 a2:6y@3 a3:x6@4 a3:y6@4 a3:5x@4 a3:6x@4"},
	} {
		t.Run(c.name, c.run)
	}
}

// visits adds up records in states of every kind, and shows on the broadcast side what it finds of one kind.
type visits struct {
	opts []TTLOption
	kind string
	seen *int // results that the aggregation was asked for
}

// asked is an adder that counts how often it was asked.
type asked struct {
	adder
	n *int
}

func (a asked) GetResult(acc int) int {
	*a.n++
	return acc
}

func (f visits) states() (*ValueStateDescriptor[int], *ListStateDescriptor[int], *MapStateDescriptor[string, int], *ReducingStateDescriptor[int], *AggregatingStateDescriptor[ev, int, int]) {
	return NewValueStateDescriptor[int]("value").TTL(10*ms, f.opts...), NewListStateDescriptor[int]("list").TTL(10*ms, f.opts...),
		NewMapStateDescriptor[string, int]("map").TTL(10*ms, f.opts...),
		NewReducingStateDescriptor("reducing", func(a, b int) int { return a + b }).TTL(10*ms, f.opts...),
		NewAggregatingStateDescriptor[ev, int, int]("aggregating", asked{n: f.seen}).TTL(10*ms, f.opts...)
}

func (f visits) ProcessElement(v ev, ctx *KeyedReadOnlyBroadcastContext[string], _ Collector[string]) error {
	value, list, mapped, reducing, aggregating := f.states()
	ctx.State(value).Update(v.V)
	ctx.ListState(list).Add(v.V)
	ctx.MapState(mapped).Put("m", v.V)
	ctx.ReducingState(reducing).Add(v.V)
	ctx.AggregatingState(aggregating).Add(v)
	return nil
}

func (f visits) ProcessBroadcastElement(v ev, ctx *KeyedBroadcastContext[string], out Collector[string]) error {
	value, list, mapped, reducing, aggregating := f.states()
	show := func(k string, read func() (int, bool)) error {
		if v.V == 0 {
			return nil // a visit only
		}
		n, ok := read()
		out.Collect(fmt.Sprint(k, n, ok))
		return nil
	}
	switch f.kind {
	case "value":
		ctx.ApplyToKeyedState(value, func(k string, s ValueState[int]) error { return show(k, s.Get) })
	case "list":
		ctx.ApplyToKeyedListState(list, func(k string, s ListState[int]) error {
			return show(k, func() (n int, ok bool) {
				for v := range s.Get() {
					n, ok = v, true
				}
				return n, ok
			})
		})
	case "map":
		ctx.ApplyToKeyedMapState(mapped, func(k string, s MapState[string, int]) error {
			return show(k, func() (int, bool) { return s.Get("m") })
		})
	case "reducing":
		ctx.ApplyToKeyedReducingState(reducing, func(k string, s ReducingState[int]) error { return show(k, s.Get) })
	case "aggregating":
		ctx.ApplyToKeyedAggregatingState(aggregating, func(k string, s AggregatingState[ev, int]) error { return show(k, s.Get) })
	}
	return nil
}

func TestAVisitIsNoRead(t *testing.T) {
	for _, kind := range []string{"value", "list", "map", "reducing", "aggregating"} {
		for _, c := range []struct {
			specCase
			opts []TTLOption
		}{
			{specCase{name: "does not begin a time to live anew", script: "pt=0 a1 b2 pt=9 R:x0 pt=10 R:x1 R:x1", want: "a0 false b0 false"}, []TTLOption{OnReadAndWrite()}},
			{specCase{name: "does not take away what may be seen once", script: "pt=0 a1 b2 pt=20 R:x0 R:x1 R:x1", want: "a1 true b2 true"}, []TTLOption{ReturnExpiredIfNotCleanedUp()}},
			{specCase{name: "asks for no result", script: "pt=0 a1 R:x0 R:x1", want: "a1 true"}, nil},
		} {
			t.Run(kind+": "+c.name, func(t *testing.T) {
				n := 0
				f := visits{append(c.opts, DisableCleanupInBackground()), kind, &n}
				c.build = func(a, b *DataStream[ev]) conformance.Handle {
					return a.KeyBy(key).ConnectBroadcast(b.BroadcastWithState(rules)).ProcessKeyed(f)
				}
				c.run(t)
				if c.opts == nil && kind == "aggregating" && n != 1 {
					t.Errorf("the result was asked for %d times, want once", n)
				}
			})
		}
	}
}
