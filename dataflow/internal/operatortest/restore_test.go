package operatortest_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
	"flinkish/dataflow/internal/core"
)

type duration = time.Duration

const ms = time.Millisecond

var late, lateRight = NewOutputTag[ev]("late"), NewOutputTag[ev]("late right")

// stateful are the operators whose state is more than one kind of keyed state, each on a fresh environment.
var stateful = map[string]func(a, b *DataStream[ev]) conformance.Handle{
	"a join of tumbling windows": func(a, b *DataStream[ev]) conformance.Handle {
		return a.Join(b).Where(key).EqualTo(key).Window(TumblingEventTime(5 * ms)).Apply(pair)
	},
	"a join of sessions that wait for late records": func(a, b *DataStream[ev]) conformance.Handle {
		return a.Join(b).Where(key).EqualTo(key).Window(EventTimeSession(3 * ms)).AllowedLateness(4 * ms).Apply(pair)
	},
	"a coGroup that fires every two records": func(a, b *DataStream[ev]) conformance.Handle {
		return a.CoGroup(b).Where(key).EqualTo(key).Window(SlidingEventTime(6*ms, 3*ms)).Trigger(CountTrigger(2)).Evictor(CountEvictor(3)).Apply(both)
	},
	"an interval join": func(a, b *DataStream[ev]) conformance.Handle {
		out := a.KeyBy(key).IntervalJoin(b.KeyBy(key)).Between(-3*ms, 5*ms).SideOutputLeftLateData(late).SideOutputRightLateData(lateRight).
			ProcessFunc(func(l, r ev, _ *ProcessJoinContext, out Collector[ev]) error { out.Collect(pair(l, r)); return nil })
		out.GetSideOutput(late)
		out.GetSideOutput(lateRight)
		return out
	},
	"broadcast state": func(a, b *DataStream[ev]) conformance.Handle {
		return a.ConnectBroadcast(b.BroadcastWithState(rules)).Process(ruled{})
	},
	"broadcast state beside keyed state and timers": func(a, b *DataStream[ev]) conformance.Handle {
		return a.KeyBy(key).ConnectBroadcast(b.BroadcastWithState(rules)).ProcessKeyed(&keyedRuled{})
	},
	"two keyed streams with timers": func(a, b *DataStream[ev]) conformance.Handle {
		return a.KeyBy(key).Connect(b.KeyBy(key)).Process(&coSum{})
	},
	"two keyed streams with timers and the key": func(a, b *DataStream[ev]) conformance.Handle {
		return a.KeyBy(key).Connect(b.KeyBy(key)).ProcessKeyed(&keyedCoSum{})
	},
	"the partitions of keys, mapped": func(a, _ *DataStream[ev]) conformance.Handle {
		return partitions(a).MapPartition(func(vs iter.Seq[ev], out Collector[ev]) { both(vs, vs, out) })
	},
	"the partitions of keys, reduced": func(a, _ *DataStream[ev]) conformance.Handle {
		return partitions(a).Reduce(func(x, y ev) ev { return ev{x.K, x.V*3 + y.V, 0} })
	},
	"the partitions of keys, aggregated": func(a, _ *DataStream[ev]) conformance.Handle {
		return partitions(a).Aggregate(concat{})
	},
	"the partitions of keys, sorted": func(a, _ *DataStream[ev]) conformance.Handle {
		return partitions(a).SortPartition(func(v ev) int { return v.V % 4 }, Descending)
	},
	"a function on a reinterpreted stream": func(a, _ *DataStream[ev]) conformance.Handle {
		return a.ReinterpretAsKeyedStream(key).ProcessKeyed(&keyedSum{})
	},
	"windows on a reinterpreted stream": func(a, _ *DataStream[ev]) conformance.Handle {
		out := a.ReinterpretAsKeyedStream(key).Window(EventTimeSession(3 * ms)).SideOutputLateData(late).Process(counted{})
		out.GetSideOutput(late)
		return out
	},
}

func partitions(s *DataStream[ev]) *PartitionWindowedStream[ev] {
	return s.KeyBy(key).FullWindowPartition()
}

// TestARestoreChangesNothing: an operator that goes on from a snapshot, and gets the watermark again that the first one had,
// does what the first one would have done.
func TestARestoreChangesNothing(t *testing.T) {
	for name, build := range stateful {
		t.Run(name, func(t *testing.T) {
			some := false
			for seed := range uint64(40) {
				r := rand.New(rand.NewPCG(seed, 7))
				start := func() *driven {
					e := NewEnv(WithParallelism(1))
					return drive(t, build(&e.FromData(ev{}).DataStream, &e.FromData(ev{}).DataStream))
				}
				whole, parts := start(), start()
				items := script(r, whole.inputs)
				places := rises(items)
				cut := places[r.IntN(len(places))]
				whole.feed(t, items)
				parts.feed(t, items[:cut])
				parts.Restart()
				parts.feed(t, items[cut:])
				if r.IntN(2) == 0 {
					parts.Restart() // twice
				}
				whole.End()
				parts.End()
				if got, want := parts.Counters(), whole.Counters(); got.Keys != want.Keys || got.Timers != want.Timers {
					t.Fatalf("seed %d, a restore after %d of %v: %d keys and %d timers are left, without a restore %d and %d", seed, cut, items, got.Keys, got.Timers, want.Keys, want.Timers)
				}
				if got, want := parts.results(), whole.results(); got != want {
					t.Fatalf("seed %d, a restore after %d of %v:\n got %s\nwant %s", seed, cut, items, got, want)
				}
				some = some || len(whole.Out) > 3 // one for each key, and the last watermark
			}
			if !some {
				t.Error("nothing came out of any run")
			}
		})
	}
}

// TestASnapshotDoesNotSeeWhatComesAfterIt: the operator that gave a snapshot goes on, then two others start from it, one after
// the other, and do the same.
func TestASnapshotDoesNotSeeWhatComesAfterIt(t *testing.T) {
	for name, build := range stateful {
		t.Run(name, func(t *testing.T) {
			some := false
			for seed := range uint64(10) {
				r := rand.New(rand.NewPCG(seed, 8))
				start := func() *driven {
					e := NewEnv(WithParallelism(1))
					return drive(t, build(&e.FromData(ev{}).DataStream, &e.FromData(ev{}).DataStream))
				}
				d := start()
				items := script(r, d.inputs)
				places := rises(items)
				cut := places[len(places)/2]
				d.feed(t, items[:cut])
				snapshot, top := d.Snapshot(), d.top
				d.feed(t, items[cut:])
				d.End()
				var first string
				for i := range 2 {
					next := start()
					if top >= 0 {
						next.feed(t, []item{{wm: true, v: ev{T: top}}})
					}
					next.RestartFrom(snapshot)
					next.feed(t, items[cut:])
					next.End()
					got := next.results()
					some = some || records(next.Out) > 0
					if i == 0 {
						first = got
					} else if got != first {
						t.Fatalf("seed %d, a snapshot after %d of %v: the second time\n got %s\nwant %s", seed, cut, items, got, first)
					}
				}
			}
			if !some {
				t.Error("nothing came out of any run")
			}
		})
	}
}

// TestASnapshotWithKeysIsBoundToItsSubtasks: another number of subtasks is refused, and nothing is dropped.
func TestASnapshotWithKeysIsBoundToItsSubtasks(t *testing.T) {
	for name, build := range stateful {
		e := NewEnv(WithParallelism(1))
		d := drive(t, build(&e.FromData(ev{}).DataStream, &e.FromData(ev{}).DataStream))
		d.feed(t, []item{{v: ev{"a", 1, 1}}})
		snapshot := d.Snapshot()
		_, err := snapshot.(core.Rescalable).Rescale([]any{snapshot}, 2)
		if keyed := name != "broadcast state"; keyed != (err != nil) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestTheCountOfTimersNeedsNoWatermark: a timer counts from the record that set it.
func TestTheCountOfTimersNeedsNoWatermark(t *testing.T) {
	for _, name := range []string{"an interval join", "broadcast state beside keyed state and timers", "two keyed streams with timers",
		"two keyed streams with timers and the key", "a function on a reinterpreted stream"} {
		e := NewEnv(WithParallelism(1))
		d := drive(t, stateful[name](&e.FromData(ev{}).DataStream, &e.FromData(ev{}).DataStream))
		d.feed(t, []item{{v: ev{"a", 1, 1}}, {v: ev{"b", 1, 1}}})
		if got := d.Counters(); got.Keys != 2 || got.Timers != 2 {
			t.Errorf("%s: got %d keys and %d timers, want 2 of each", name, got.Keys, got.Timers)
		}
	}
}

// records counts the records among what an operator sent.
func records(sent []conformance.Item) (n int) {
	for _, i := range sent {
		if i.Kind == conformance.Record {
			n++
		}
	}
	return n
}

func pair(a, b ev) ev { return ev{a.K, a.V*100 + b.V, 0} }

func both(as, bs iter.Seq[ev], out Collector[ev]) {
	n := 7
	for v := range as {
		n = n*31 + v.V
	}
	for v := range bs {
		n = n*37 + v.V
	}
	out.Collect(ev{"", n, 0})
}

type concat struct{}

func (concat) CreateAccumulator() string   { return "" }
func (concat) Add(v ev, acc string) string { return acc + v.String() }
func (concat) GetResult(acc string) string { return "<" + acc + ">" }
func (concat) Merge(a, b string) string    { return a + b }

// counted counts the records of a window, and the windows of its key.
type counted struct{}

func (counted) Process(k string, ctx *ProcessWindowContext[TimeWindow], vs iter.Seq[ev], out Collector[string]) error {
	windows := ctx.GlobalState().State(NewValueStateDescriptor[int]("windows"))
	windows.Update(windows.Value() + 1)
	out.Collect(fmt.Sprint(k, windows.Value(), texts(vs)))
	return nil
}

var rules = NewMapStateDescriptor[string, int]("rules")

// ruled adds to each record the rule of its key.
type ruled struct{}

func (ruled) ProcessElement(v ev, ctx *ReadOnlyBroadcastContext, out Collector[ev]) error {
	n, _ := ctx.BroadcastState(rules).Get(v.K)
	out.Collect(ev{v.K, v.V*1000 + n, 0})
	return nil
}

func (ruled) ProcessBroadcastElement(v ev, ctx *BroadcastContext, _ Collector[ev]) error {
	ctx.BroadcastState(rules).Put(v.K, v.V)
	return nil
}

// sums is keyed state with a timer 4 ms after the first record of each round.
type sums struct{ sum ValueState[int] }

func (s *sums) Open(ctx *RuntimeContext) error {
	s.sum = ctx.State(NewValueStateDescriptor[int]("sum"))
	return nil
}

func (s *sums) add(v ev, n int, timers *TimerService) {
	old, set := s.sum.Get()
	if !set {
		timers.RegisterEventTimeTimer(max(v.T, timers.CurrentWatermark()) + 4)
	}
	s.sum.Update(old*3 + n)
}

func (s *sums) result(ts int64, out Collector[ev]) {
	out.Collect(ev{"sum", s.sum.Value(), ts})
	s.sum.Clear()
}

type keyedSum struct{ sums }

func (s *keyedSum) ProcessElement(v ev, ctx *KeyedContext[string], _ Collector[ev]) error {
	s.add(v, v.V, ctx.TimerService())
	return nil
}

func (s *keyedSum) OnTimer(ts int64, _ *OnTimerContext[string], out Collector[ev]) error {
	s.result(ts, out)
	return nil
}

type coSum struct{ sums }

func (s *coSum) ProcessElement1(v ev, ctx *ProcessContext, _ Collector[ev]) error {
	s.add(v, v.V, ctx.TimerService())
	return nil
}

func (s *coSum) ProcessElement2(v ev, ctx *ProcessContext, _ Collector[ev]) error {
	s.add(v, -v.V, ctx.TimerService())
	return nil
}

func (s *coSum) OnTimer(ts int64, _ *CoOnTimerContext, out Collector[ev]) error {
	s.result(ts, out)
	return nil
}

type keyedCoSum struct{ keyedSum }

func (s *keyedCoSum) ProcessElement1(v ev, ctx *KeyedContext[string], out Collector[ev]) error {
	return s.ProcessElement(v, ctx, out)
}

func (s *keyedCoSum) ProcessElement2(v ev, ctx *KeyedContext[string], _ Collector[ev]) error {
	s.add(v, -v.V, ctx.TimerService())
	return nil
}

// keyedRuled sums with the rule of the key.
type keyedRuled struct{ sums }

func (s *keyedRuled) ProcessElement(v ev, ctx *KeyedReadOnlyBroadcastContext[string], _ Collector[ev]) error {
	n, _ := ctx.BroadcastState(rules).Get(v.K)
	s.add(v, v.V*100+n, ctx.TimerService())
	return nil
}

func (s *keyedRuled) ProcessBroadcastElement(v ev, ctx *KeyedBroadcastContext[string], _ Collector[ev]) error {
	ctx.BroadcastState(rules).Put(v.K, v.V)
	return nil
}

func (s *keyedRuled) OnTimer(ts int64, ctx *BroadcastOnTimerContext[string], out Collector[ev]) error {
	n, _ := ctx.BroadcastState(rules).Get(ctx.CurrentKey())
	s.sum.Update(s.sum.Value()*1000 + n)
	s.result(ts, out)
	return nil
}
