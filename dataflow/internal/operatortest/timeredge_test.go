package operatortest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
	"flinkish/dataflow/internal/core"
)

// The corners of timers, state and two inputs.

// hooked is a process function made of functions, of which open and timer may be nil.
type hooked struct {
	open    func(ctx *RuntimeContext)
	element func(v ev, ctx *KeyedContext[string], out Collector[string])
	timer   func(ts int64, ctx *OnTimerContext[string], out Collector[string])
}

func (h *hooked) Open(ctx *RuntimeContext) error {
	if h.open != nil {
		h.open(ctx)
	}
	return nil
}

func (h *hooked) ProcessElement(v ev, ctx *KeyedContext[string], out Collector[string]) error {
	h.element(v, ctx, out)
	return nil
}

func (h *hooked) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	if h.timer != nil {
		h.timer(ts, ctx, out)
	}
	return nil
}

func keyedBy(h hooked) func(a, b *DataStream[ev]) conformance.Handle {
	return func(a, _ *DataStream[ev]) conformance.Handle { return a.KeyBy(key).ProcessKeyed(&h) }
}

// timed sets a timer of each record at its value, of event time or of the clock, and calls fired when one fires.
func timed(domain TimeDomain, fired func(ts int64, s *TimerService)) func(a, b *DataStream[ev]) conformance.Handle {
	return keyedBy(hooked{
		element: func(v ev, ctx *KeyedContext[string], _ Collector[string]) {
			if domain == EventTime {
				ctx.TimerService().RegisterEventTimeTimer(int64(v.V))
			} else {
				ctx.TimerService().RegisterProcessingTimeTimer(int64(v.V))
			}
		},
		timer: func(ts int64, ctx *OnTimerContext[string], out Collector[string]) {
			out.Collect(fmt.Sprint(ctx.CurrentKey(), ctx.TimeDomain().String()[:1], ts))
			fired(ts, ctx.TimerService())
		},
	})
}

var aside = NewOutputTag[string]("aside")

func TestTimersAtTheirBounds(t *testing.T) {
	rest := func(int64, *TimerService) {}
	again := func() func(int64, *TimerService) {
		n := 0
		return func(ts int64, s *TimerService) {
			if n++; n < 3 {
				s.RegisterEventTimeTimer(ts)
			}
		}
	}
	for _, c := range []specCase{
		{name: "a timer takes back another that is due", build: timed(EventTime, func(ts int64, s *TimerService) { s.DeleteEventTimeTimer(ts + 2) }),
			script: "a5 a7 a8 b7 wm=9", want: "aE5@5 bE7@7 aE8@8"},
		{name: "a timer sets an earlier one, which fires next", build: timed(EventTime, func(ts int64, s *TimerService) {
			if ts == 5 {
				s.RegisterEventTimeTimer(2)
			}
		}), script: "a5 a6 wm=9", want: "aE5@5 aE2@2 aE6@6"},
		{name: "a timer sets itself", build: timed(EventTime, again()), script: "a5 wm=9", want: "aE5@5 aE5@5 aE5@5"},
		{name: "the end of time is a time", build: timed(EventTime, again()), script: "a9223372036854775807 wm=100 end",
			want: "aE9223372036854775807@MAX aE9223372036854775807@MAX aE9223372036854775807@MAX"},
		{name: "a timer at the watermark waits for the next one", build: timed(EventTime, rest), script: "wm=5 a5 wm=5 a6 wm=6", want: "aE5@5 aE6@6"},
		{name: "times before zero", build: timed(EventTime, rest), script: "a-5 a-7 wm=-6 wm=-5", want: "aE-7@-7 aE-5@-5"},
		{name: "timers go before their watermark", marks: true, build: timed(EventTime, rest), script: "a5 wm=4 wm=5 wm=3", want: "|4 aE5@5 |5"},
		{name: "a timer behind the watermark that a clock sets waits, too", build: timed(ProcessingTime, func(ts int64, s *TimerService) {
			if ts == 5 {
				s.RegisterEventTimeTimer(1)
			}
		}),
			script: "wm=9 a5 pt=5 wm=10", want: "aP5 aE1@1"},
		{name: "a timer of the clock in the past fires in the same round", build: timed(ProcessingTime, func(ts int64, s *TimerService) {
			if ts > 3 {
				s.RegisterProcessingTimeTimer(ts - 2)
			}
		}), script: "a5 a6 pt=9", want: "aP5 aP3 aP6 aP4 aP2"},
		{name: "timers of the clock are one for each key and time, in order", build: timed(ProcessingTime, rest), script: "a9 b4 a9 a7 pt=20 end", want: "bP4 aP7 aP9"},
		{name: "a timer of the clock is taken back", build: timed(ProcessingTime, func(ts int64, s *TimerService) { s.DeleteProcessingTimeTimer(ts + 1) }),
			script: "a5 a6 b6 pt=20", want: "aP5 bP6"},
		{name: "a timer sees the watermark that fires it, and its own time", build: keyedBy(hooked{
			element: func(v ev, ctx *KeyedContext[string], _ Collector[string]) {
				ctx.TimerService().RegisterEventTimeTimer(v.T)
			},
			timer: func(_ int64, ctx *OnTimerContext[string], out Collector[string]) {
				ts, ok := ctx.Timestamp()
				out.Collect(fmt.Sprint(ts, ok, ctx.TimerService().CurrentWatermark()))
			},
		}), script: "a1@5 wm=9", want: "5 true 9@5"},
		{name: "what a timer of the clock sends aside has its time", build: func(a, _ *DataStream[ev]) conformance.Handle {
			out := a.KeyBy(key).ProcessKeyed(&hooked{
				element: func(v ev, ctx *KeyedContext[string], _ Collector[string]) {
					ctx.TimerService().RegisterProcessingTimeTimer(int64(v.V))
				},
				timer: func(_ int64, ctx *OnTimerContext[string], out Collector[string]) {
					out.Collect("main")
					ctx.Output(aside, "side")
				},
			})
			out.GetSideOutput(aside)
			return out
		}, script: "a5@1 pt=7", want: "main aside: side@5"},
		{name: "a reduce has the time of its last record", build: func(a, _ *DataStream[ev]) conformance.Handle { return a.KeyBy(key).Reduce(sumOf) },
			script: "a1@5 a2@3 b7@1 a4", want: "a1@5 a3@3 b7@1 a7"},
		{name: "without a key there are no timers, but there are a watermark and a clock", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.ProcessFunc(func(_ ev, ctx *ProcessContext, out Collector[string]) {
				out.Collect(fmt.Sprint(ctx.TimerService().CurrentWatermark(), "/", ctx.TimerService().CurrentProcessingTime()))
			})
		}, script: "a1 wm=4 pt=6 a1@9", want: "-9223372036854775808/0 4/6@9"},
	} {
		t.Run(c.name, c.run)
	}
}

func TestTimeToLiveOfCollections(t *testing.T) {
	list := func(opts ...TTLOption) func(a, b *DataStream[ev]) conformance.Handle {
		var s ListState[int]
		return keyedBy(hooked{
			open: func(ctx *RuntimeContext) {
				s = ctx.ListState(NewListStateDescriptor[int]("l").TTL(10*ms, append(opts, DisableCleanupInBackground())...))
			},
			element: func(v ev, _ *KeyedContext[string], out Collector[string]) {
				if v.V != 0 {
					s.Add(v.V)
					return
				}
				out.Collect(strings.Trim(fmt.Sprint(slices.Collect(s.Get())), "[]") + ";")
			},
		})
	}
	pairs := func(opts ...TTLOption) func(a, b *DataStream[ev]) conformance.Handle {
		var s MapState[int, int]
		return keyedBy(hooked{
			open: func(ctx *RuntimeContext) {
				s = ctx.MapState(NewMapStateDescriptor[int, int]("m").TTL(10*ms, append(opts, DisableCleanupInBackground())...))
			},
			element: func(v ev, _ *KeyedContext[string], out Collector[string]) {
				switch {
				case v.V > 10:
					n, ok := s.Get(v.V - 10)
					out.Collect(fmt.Sprint(n, ok))
				case v.V > 0:
					s.Put(v.V, v.V)
				default:
					out.Collect(fmt.Sprint(slices.Collect(s.Keys()), s.IsEmpty()))
				}
			},
		})
	}
	for _, c := range []specCase{
		{name: "each element of a list has its own life", build: list(), script: "pt=0 a1 pt=5 a2 pt=9 a0 pt=10 a0 pt=15 a0", want: "1 2; 2; ;"},
		{name: "elements are handed out until an iteration finds none alive", build: list(ReturnExpiredIfNotCleanedUp()), script: "pt=0 a1 pt=5 a2 pt=10 a0 pt=15 a0 a0", want: "1 2; 1 2; ;"},
		{name: "a read gives the living elements new lives", build: list(OnReadAndWrite()), script: "pt=0 a1 pt=5 a2 pt=10 a0 pt=19 a0 pt=29 a0", want: "2; 2; ;"},
		{name: "each entry of a map has its own life", build: pairs(), script: "pt=0 a1 pt=5 a2 pt=10 a0 a11 a12 pt=15 a0", want: "[2] false 0 false 2 true [] true"},
		{name: "a read of an entry gives a new life to it alone", build: pairs(OnReadAndWrite()), script: "pt=0 a1 a2 pt=9 a11 pt=10 a12 a11 pt=20 a11", want: "1 true 0 false 1 true 0 false"},
		{name: "an expired entry is handed out once", build: pairs(ReturnExpiredIfNotCleanedUp()), script: "pt=0 a1 pt=10 a11 a11", want: "1 true 0 false"},
		{name: "state that is never to expire", build: pairs(TTLDisabled()), script: "pt=0 a1 pt=1000000 a11", want: "1 true"},
	} {
		t.Run(c.name, c.run)
	}
}

// TestExpiredStateOfOtherKeysGoesInPassing: unless that is switched off, which leaves a cleanup that was asked for.
func TestExpiredStateOfOtherKeysGoesInPassing(t *testing.T) {
	for name, c := range map[string]struct {
		opts []TTLOption
		keys uint64
	}{
		"as it is":                           {nil, 1},
		"switched off":                       {[]TTLOption{DisableCleanupInBackground()}, 4},
		"asked for":                          {[]TTLOption{CleanupIncrementally(9, false)}, 1},
		"asked for, and the default is off":  {[]TTLOption{CleanupIncrementally(9, false), DisableCleanupInBackground()}, 1},
		"the default is off, then asked for": {[]TTLOption{DisableCleanupInBackground(), CleanupIncrementally(9, true)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e := NewEnv(WithParallelism(1))
			d := drive(t, e.FromData(ev{}).KeyBy(key).ProcessKeyed(&kept{opts: c.opts}))
			for word := range strings.FieldsSeq("pt=0 a1 b1 c1 pt=10 d0") {
				d.step(t, word)
			}
			d.step(t, "d7")
			if got := d.Counters().Keys; got != c.keys {
				t.Errorf("%d keys have state, want %d", got, c.keys)
			}
		})
	}
}

// twoSided is a function of two keyed streams: it shows each record and its side, and sets a timer at its value.
type twoSided struct{}

func (twoSided) ProcessElement1(v ev, ctx *KeyedContext[string], out Collector[string]) error {
	ctx.TimerService().RegisterEventTimeTimer(int64(v.V))
	out.Collect("1" + v.String())
	return nil
}

func (twoSided) ProcessElement2(v ev, ctx *KeyedContext[string], out Collector[string]) error {
	ctx.TimerService().RegisterEventTimeTimer(int64(v.V))
	out.Collect("2" + v.String())
	return nil
}

func (twoSided) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), "E", ts))
	return nil
}

func TestTwoInputsMeetInTime(t *testing.T) {
	two := func(a, b *DataStream[ev]) conformance.Handle {
		return a.Connect(b).KeyBy(key, key).ProcessKeyed(twoSided{})
	}
	for _, c := range []specCase{
		{name: "the slower input decides", build: two, script: "a5 R:b7 wm1=9 wm2=5 wm2=8", want: "1a5 2b7 aE5@5 |5 bE7@7 |8"},
		{name: "timers of both sides are one for each key and time", build: two, script: "a5 R:a5 wm=5", want: "1a5 2a5 aE5@5 |5"},
		{name: "an idle input does not hold back", build: two, script: "a5 wm1=9 idle=2 wm1=10", want: "1a5 aE5@5 |9 |10"},
		{name: "an input that wakes up does not take time back", build: two, script: "wm1=9 idle=2 active=2 wm2=5 wm2=9 wm1=12 wm2=11", want: "|9 |11"},
		{name: "when both are idle the faster one decides", build: two, script: "wm1=5 wm2=3 idle=1 idle=2", want: "|3 |5 idle"},
		{name: "both must wake for the status to be active only once", build: two, script: "wm1=5 wm2=5 idle=1 idle=2 active=2 active=1 wm=6", want: "|5 idle active |6"},
		{name: "an input that ended holds back nothing", build: two, script: "a5 wm2=9223372036854775807 wm1=6", want: "1a5 aE5@5 |6"},
	} {
		c.marks = true
		t.Run(c.name, c.run)
	}
}

// mixed is a function of a keyed stream and another one. It counts in keyed state, with a value above 9 on the other side,
// too, and sets a timer with one above 99.
type mixed struct{ n ValueState[int] }

func (m *mixed) Open(ctx *RuntimeContext) error {
	m.n = ctx.State(NewValueStateDescriptor[int]("n"))
	return nil
}

func (m *mixed) ProcessElement1(v ev, ctx *ProcessContext, out Collector[string]) error {
	m.n.Update(m.n.Value() + v.V)
	out.Collect(fmt.Sprint(v.K, m.n.Value()))
	if v.V > 99 {
		ctx.TimerService().RegisterProcessingTimeTimer(1)
	}
	return nil
}

func (m *mixed) ProcessElement2(v ev, _ *ProcessContext, out Collector[string]) error {
	if v.V > 9 {
		m.n.Update(v.V)
	}
	out.Collect("2" + v.String())
	return nil
}

func TestAKeyIsThereForTheKeyedInputOnly(t *testing.T) {
	one := func(a, b *DataStream[ev]) conformance.Handle { return a.KeyBy(key).Connect(b).Process(&mixed{}) }
	for _, c := range []specCase{
		{name: "its state is kept beside the records of the other input", build: one, script: "a1 a2 b5 R:a1 a4", want: "a1 a3 b5 2a1 a7"},
		{name: "the other input has no state", build: one, script: "a1 R:a10", fails: "NullPointer|no key", want: "a1"},
		{name: "timers need two keyed inputs", build: one, script: "a100", fails: "UnsupportedOperation|keyed", want: "a100"},
		{name: "a union of keyed streams is not keyed", build: func(a, b *DataStream[ev]) conformance.Handle {
			return a.KeyBy(key).Union(b.KeyBy(key)).Connect(b.KeyBy(key)).Map(ev.String, ev.String)
		}, script: "a1@1 R:b2@2", want: "a1@1 b2@2"},
	} {
		t.Run(c.name, c.run)
	}
}

// manyKinds keeps each record in a state of each kind; a broadcast record asks all keys for the kind of its name.
type manyKinds struct{}

var (
	listed  = NewListStateDescriptor[int]("list")
	mapped  = NewMapStateDescriptor[int, int]("map")
	reduced = NewReducingStateDescriptor("reduced", func(a, b int) int { return a*10 + b })
	folded  = NewAggregatingStateDescriptor("folded", concat{})
)

func (manyKinds) ProcessElement(v ev, ctx *KeyedReadOnlyBroadcastContext[string], out Collector[string]) error {
	ctx.ListState(listed).Add(v.V)
	ctx.MapState(mapped).Put(v.V, -v.V)
	ctx.ReducingState(reduced).Add(v.V)
	ctx.AggregatingState(folded).Add(v)
	return nil
}

func (manyKinds) ProcessBroadcastElement(v ev, ctx *KeyedBroadcastContext[string], out Collector[string]) error {
	show := func(k string, v any) { out.Collect(fmt.Sprint(k, ":", v)) }
	switch v.K {
	case "l":
		ctx.ApplyToKeyedListState(listed, func(k string, s ListState[int]) error { show(k, slices.Collect(s.Get())); s.Clear(); return nil })
	case "m":
		ctx.ApplyToKeyedMapState(mapped, func(k string, s MapState[int, int]) error { show(k, slices.Collect(s.Values())); s.Clear(); return nil })
	case "r":
		ctx.ApplyToKeyedReducingState(reduced, func(k string, s ReducingState[int]) error { n, _ := s.Get(); show(k, n); s.Clear(); return nil })
	case "g":
		ctx.ApplyToKeyedAggregatingState(folded, func(k string, s AggregatingState[ev, string]) error {
			r, _ := s.Get()
			show(k, r)
			s.Clear()
			return nil
		})
	case "x":
		ctx.ApplyToKeyedListState(listed, func(string, ListState[int]) error { return errors.New("stopped") })
	}
	ts := ctx.Timestamp()
	if ts == core.NoTimestamp {
		out.Collect("no time")
	}
	return nil
}

func TestABroadcastRecordReachesEveryKindOfState(t *testing.T) {
	build := func(a, b *DataStream[ev]) conformance.Handle {
		return a.KeyBy(key).ConnectBroadcast(b.BroadcastWithState()).ProcessKeyed(manyKinds{})
	}
	for _, c := range []specCase{
		{name: "lists", build: build, script: "b1 a2 b3 R:l0@1 R:l0@2 a4 R:l0@3", want: "b:[1 3]@1 a:[2]@1 a:[4]@3"},
		{name: "maps", build: build, script: "b1 a2 b3 R:m0@1 R:m0@2", want: "b:[-1 -3]@1 a:[-2]@1"},
		{name: "folds", build: build, script: "b1 a2 b3 R:r0@1 R:r0@2", want: "b:13@1 a:2@1"},
		{name: "accumulators", build: build, script: "b1 a2 b3 R:g0@1 R:g0@2", want: "b:<b1b3>@1 a:<a2>@1"},
		{name: "an error of the visit", build: build, script: "a1 R:x0@1", fails: "stopped"},
		{name: "a broadcast record without a time has the least one", build: build, script: "R:q0", want: "no time"},
	} {
		t.Run(c.name, c.run)
	}
}

// visitor shows on the broadcast side all keys and their state, and on the other side what it finds of a rule.
type visitor struct{ unknown bool }

var seenSum = NewValueStateDescriptor[int]("sum")

func (f visitor) ProcessElement(v ev, ctx *KeyedReadOnlyBroadcastContext[string], out Collector[string]) error {
	if f.unknown {
		ctx.BroadcastState(NewMapStateDescriptor[string, int]("unknown"))
	}
	s := ctx.State(seenSum)
	s.Update(s.Value() + v.V)
	n, ok := ctx.BroadcastState(rules).Get(v.K)
	ctx.TimerService().RegisterEventTimeTimer(v.T + 3)
	out.Collect(fmt.Sprint(v, "=", n, ok))
	return nil
}

func (f visitor) ProcessBroadcastElement(v ev, ctx *KeyedBroadcastContext[string], out Collector[string]) error {
	ctx.BroadcastState(rules).Put(v.K, v.V)
	ctx.ApplyToKeyedState(seenSum, func(k string, s ValueState[int]) error {
		out.Collect(fmt.Sprint(k, ":", s.Value()))
		if v.V == 0 {
			s.Clear()
		}
		return nil
	})
	return nil
}

func (f visitor) OnTimer(ts int64, ctx *BroadcastOnTimerContext[string], out Collector[string]) error {
	n, _ := ctx.BroadcastState(rules).Get(ctx.CurrentKey())
	out.Collect(fmt.Sprint(ctx.CurrentKey(), "T", n))
	return nil
}

// trespasser touches keyed state on the broadcast side, where there is no key.
type trespasser struct{ sum ValueState[int] }

func (f *trespasser) Open(ctx *RuntimeContext) error { f.sum = ctx.State(seenSum); return nil }
func (f *trespasser) ProcessElement(v ev, _ *KeyedReadOnlyBroadcastContext[string], out Collector[string]) error {
	f.sum.Update(v.V)
	out.Collect(fmt.Sprint(f.sum.Value()))
	return nil
}
func (f *trespasser) ProcessBroadcastElement(v ev, ctx *KeyedBroadcastContext[string], out Collector[string]) error {
	switch v.V {
	case 1:
		f.sum.Update(1)
	case 2:
		ctx.ApplyToKeyedState(seenSum, nil)
	case 3:
		ctx.BroadcastState[string, int](nil)
	default:
		out.Collect(fmt.Sprint(ctx.Timestamp()))
	}
	return nil
}

func TestBroadcastAtItsBounds(t *testing.T) {
	visiting := func(unknown bool) func(a, b *DataStream[ev]) conformance.Handle {
		return func(a, b *DataStream[ev]) conformance.Handle {
			return a.KeyBy(key).ConnectBroadcast(b.BroadcastWithState(rules)).ProcessKeyed(visitor{unknown})
		}
	}
	trespassing := func(a, b *DataStream[ev]) conformance.Handle {
		return a.KeyBy(key).ConnectBroadcast(b.BroadcastWithState(rules)).ProcessKeyed(&trespasser{})
	}
	for _, c := range []specCase{
		{name: "a rule is there after it came", build: visiting(false), script: "a1@1 R:a7@2 a2@3", want: "a1=0 false@1 a:1@2 a2=7 true@3"},
		{name: "each key is visited, and may lose its state", build: visiting(false), script: "b1@1 a2@1 a3@1 R:x0@2 R:x1@3 b4@4 R:x1@5",
			want: "b1=0 false@1 a2=0 false@1 a3=0 false@1 b:1@2 a:5@2 b4=0 false@4 b:4@5"},
		{name: "a timer reads the rules of the time it fires", build: visiting(false), script: "a1@1 R:a5@1 R:a6@1 wm1=9 wm2=4", want: "a1=0 false@1 a:1@1 a:1@1 aT6@4"},
		{name: "the broadcast side has no key", build: trespassing, script: "a5@1 R:x1@2", want: "5@1", fails: "NullPointer|no key set|sum"},
		{name: "a visit without a function", build: trespassing, script: "R:x2@2", fails: "NullPointer|ApplyToKeyedState"},
		{name: "a rule without a descriptor", build: trespassing, script: "R:x3@2", fails: "NullPointer|descriptor must not be nil"},
		{name: "a broadcast record without a time has the least one", build: trespassing, script: "R:x0", want: "-9223372036854775808"},
		{name: "state that was not announced", build: visiting(true), script: "a1@1", fails: "IllegalArgument|BroadcastWithState"},
	} {
		t.Run(c.name, c.run)
	}
}
