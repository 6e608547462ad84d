package operatortest_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/conformance"
)

// The corners of BATCH mode, of sorted partitions, and of what a program runs.

// stubborn sets a timer of each domain for each record and, when one fires, again.
type stubborn struct{}

func (stubborn) set(ts int64, s *TimerService) {
	s.RegisterEventTimeTimer(ts)
	s.RegisterProcessingTimeTimer(ts)
}

func (f stubborn) ProcessElement(v ev, ctx *KeyedContext[string], _ Collector[string]) error {
	f.set(int64(v.V), ctx.TimerService())
	ctx.TimerService().RegisterEventTimeTimer(99)
	ctx.TimerService().DeleteEventTimeTimer(99)
	return nil
}

func (f stubborn) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), ctx.TimeDomain().String()[:1], ts))
	f.set(ts+1, ctx.TimerService())
	return nil
}

// clocks tells the watermark that records and timers of event time see.
type clocks struct{}

func (clocks) ProcessElement(v ev, ctx *KeyedContext[string], out Collector[string]) error {
	ctx.TimerService().RegisterEventTimeTimer(v.T)
	out.Collect(fmt.Sprint(v, "|", ctx.TimerService().CurrentWatermark()))
	return nil
}

func (clocks) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), "|", ctx.TimerService().CurrentWatermark()))
	return nil
}

func TestBatchModeAtItsBounds(t *testing.T) {
	two := []ev{{"b", 1, 7}, {"a", 2, 5}, {"b", 3, 2}, {"a", 4, 1}, {"a", 5, 6}}
	for name, c := range map[string]struct{ got, want string }{
		"keys that are numbers come in the order of their bytes": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.KeyBy(func(v ev) int { return v.V }).Reduce(sumOf)
		}, ev{"k", -1, 0}, ev{"k", 256, 0}, ev{"k", 2, 0}, ev{"k", 1, 0}), "k1@MAX k2@MAX k256@MAX k-1@MAX"},
		"the length of a text has low digits first": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.KeyBy(func(v ev) string { return strings.Repeat("x", v.V) }).Reduce(sumOf).Map(ev.String)
		}, ev{"k", 129, 0}, ev{"k", 255, 0}, ev{"k", 0, 0}, ev{"k", 1, 0}), "k0@MAX k1@MAX k255@MAX k129@MAX"},
		"time stands still for a key, and then is over": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.KeyBy(key).ProcessKeyed(clocks{})
		}, two[:3]...), "a2|-9223372036854775808@5 a|9223372036854775807@5 b3|-9223372036854775808@2 b1|-9223372036854775808@7 b|9223372036854775807@2 b|9223372036854775807@7"},
		"no timer sets another, of either domain": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.KeyBy(key).ProcessKeyed(stubborn{})
		}, two[:3]...), "aE2@2 aP2 bE1@1 bE3@3 bP1 bP3"},
		"two inputs are sorted as one, by key and then by time": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			small := s.Filter(func(v ev) bool { return v.V < 4 })
			return small.Connect(s.Filter(func(v ev) bool { return v.V > 3 })).KeyBy(key, key).ProcessKeyed(twoSided{})
		}, two...), "2a4@1 1a2@5 2a5@6 aE2@2 aE4@4 aE5@5 1b3@2 1b1@7 bE1@1 bE3@3"},
		"the rules come before the records": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.ConnectBroadcast(s.Filter(func(v ev) bool { return v.V > 3 }).BroadcastWithState(rules, texted)).Process(twoStates{})
		}, two[2:]...), "b3:a5@2 b3:4a@2 b3:5a@2 a4:a5@1 a4:4a@1 a4:5a@1 a5:a5@6 a5:4a@6 a5:5a@6"},
		"a count that is not full is lost": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return members(s.KeyBy(key).CountWindow(2))
		}, two...), "a4+a2@MAX b3+b1@MAX"},
		"sessions of a key end with it": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return members(s.KeyBy(key).Window(EventTimeSession(3 * ms)))
		}, two...), "a4@3 a2+a5@8 b3@4 b1@9"},
		"the clock's trigger fires at the end of a key": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return members(s.KeyBy(key).Window(GlobalWindows()).Trigger(ProcessingTimeTrigger()))
		}, two...), "a4+a2+a5@MAX b3+b1@MAX"},
		"a continuous trigger is not set again at the end": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return members(s.KeyBy(key).Window(TumblingEventTime(10 * ms)).Trigger(ContinuousEventTimeTrigger(3 * ms)))
		}, ev{"a", 1, 1}, ev{"a", 2, 2}), "a1+a2@9 a1+a2@9"},
		"windows without a key come in the order of time": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.WindowAll(TumblingEventTime(5 * ms)).Reduce(sumOf)
		}, two...), "a7@4 a8@9"},
		"a union is sorted as one": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return members(s.Union(s.Filter(func(v ev) bool { return v.K == "b" }).Map(func(v ev) ev { return ev{"a", v.V, v.T} })).KeyBy(key).CountWindow(5))
		}, two...), "a4+a3+a2+a5+a1@MAX"},
		"an interval join drops nothing": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.KeyBy(key).IntervalJoin(s.KeyBy(key)).Between(1*ms, 5*ms).ProcessFunc(func(l, r ev, _ *ProcessJoinContext, out Collector[string]) error {
				out.Collect(l.String() + r.String())
				return nil
			})
		}, two[:4]...), "a4a2@5 b3b1@7"},
		"two keyed streams come in the order of their times": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.Connect(withTimes(&s.Map(func(v ev) ev { return ev{v.K, v.V + 10, v.T + 1} }).DataStream)).KeyBy(key, key).ProcessKeyed(twoSided{})
		}, two...), "1a4@1 2a14@2 1a2@5 1a5@6 2a12@6 2a15@7 aE2@2 aE4@4 aE5@5 aE12@12 aE14@14 aE15@15 " +
			"1b3@2 2b13@3 1b1@7 2b11@8 bE1@1 bE3@3 bE11@11 bE13@13"},
		"a timer of two keyed streams sets no other": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.Connect(s).KeyBy(key, key).Process(restless{})
		}, two[0], two[2]), "b3@2 b1@7 E2@2 E7@7 P2 P7"},
		"the rules are there before the first key": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.KeyBy(key).ConnectBroadcast(s.Map(func(v ev) ev { return ev{v.K, v.V + 10, v.T} }).BroadcastWithState(rules)).ProcessKeyed(visitor{})
		}, two...), "a4=15 true@1 a2=15 true@5 a5=15 true@6 aT15@4 aT15@8 aT15@9 b3=13 true@2 b1=13 true@7 bT13@5 bT13@10"},
		"a stream that is not keyed comes before one that is": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.KeyBy(key).Connect(s.Filter(func(v ev) bool { return v.V > 3 })).Map(func(v ev) string { return "1" + v.String() }, func(v ev) string { return "2" + v.String() })
		}, two...), "2a4@1 2a5@6 1a4@1 1a2@5 1a5@6 1b3@2 1b1@7"},
		"a union of keyed streams is not sorted": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.KeyBy(key).Union(s.Filter(func(v ev) bool { return v.V > 9 }).KeyBy(key)).Map(same)
		}, two[:3]...), "b1@7 a2@5 b3@2"},
		"a reinterpreted stream is sorted": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.KeyBy(key).Map(same).ReinterpretAsKeyedStream(key).Reduce(func(a, b ev) ev { return ev{a.K, a.V*10 + b.V, 0} })
		}, two...), "a425@MAX b31@MAX"},
		"sorted partitions of keys": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return partitions(s).SortPartitionByField("V", Descending)
		}, two...), "a5 a4 a2 b3 b1"},
		"partitions of keys": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return partitions(s).MapPartition(func(vs iter.Seq[ev], out Collector[string]) { out.Collect(texts(vs)) })
		}, two...), "a4+a2+a5@MAX b3+b1@MAX"},
		"a coGroup meets its keys in order": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.CoGroup(s.Filter(func(v ev) bool { return v.K == "a" })).Where(key).EqualTo(key).Window(TumblingEventTime(10 * ms)).Apply(coMembers)
		}, two...), "a4+a2+a5+a4+a2+a5@9 b3+b1@9"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, c.got, c.want)
		}
	}
}

// restless sets a timer of both domains for each record of its first stream, and others when one fires.
type restless struct{}

func (restless) ProcessElement1(v ev, ctx *ProcessContext, out Collector[string]) error {
	out.Collect(v.String())
	ctx.TimerService().RegisterEventTimeTimer(v.T)
	ctx.TimerService().RegisterProcessingTimeTimer(v.T)
	return nil
}

func (restless) ProcessElement2(ev, *ProcessContext, Collector[string]) error { return nil }

func (restless) OnTimer(ts int64, ctx *CoOnTimerContext, out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.TimeDomain().String()[:1], ts))
	if ts < 100 {
		ctx.TimerService().RegisterEventTimeTimer(ts + 50)
		ctx.TimerService().RegisterProcessingTimeTimer(ts + 50)
	}
	return nil
}

// coOutputs emits each record twice, and then that it is at the end.
func coOutputs(vs iter.Seq[ev], out Collector[string]) {
	for v := range vs {
		out.Collect(v.String())
		out.Collect(v.String())
	}
	out.Collect("end")
}

func TestPartitionsAreSortedAsJavaCompares(t *testing.T) {
	sorted := func(by func(s *PartitionWindowedStream[ev]) *SingleOutputStreamOperator[ev]) func(a, b *DataStream[ev]) conformance.Handle {
		return func(a, _ *DataStream[ev]) conformance.Handle { return by(a.FullWindowPartition()) }
	}
	special := []float64{math.NaN(), math.Inf(-1), 0, math.Copysign(0, -1), 5}
	pointer := func(v ev) *int {
		if v.V == 0 {
			return nil
		}
		return &v.V
	}
	for _, c := range []specCase{
		{name: "NaN is the greatest, minus zero before zero", build: sorted(func(s *PartitionWindowedStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.SortPartition(func(v ev) float64 { return special[v.V] }, Ascending)
		}), script: "a0 a1 a2 a3 a4 end", want: "a1 a3 a2 a4 a0"},
		{name: "nothing comes first", build: sorted(func(s *PartitionWindowedStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.SortPartition(pointer, Ascending)
		}), script: "a2 a0 a1 end", want: "a0 a1 a2"},
		{name: "nothing comes last the other way", build: sorted(func(s *PartitionWindowedStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.SortPartition(pointer, Descending)
		}), script: "a1 a0 a2 end", want: "a2 a1 a0"},
		{name: "false before true", build: sorted(func(s *PartitionWindowedStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.SortPartition(func(v ev) bool { return v.V > 2 }, Ascending)
		}), script: "a4 a1 end", want: "a1 a4"},
		{name: "by the fields of a tuple, one after the other", build: sorted(func(s *PartitionWindowedStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.SortPartition(func(v ev) Tuple2[string, int] { return Tuple2[string, int]{F0: v.K, F1: -v.V} }, Ascending)
		}), script: "b1 a1 b2 a2 end", want: "a2 a1 b2 b1"},
		{name: "by a field", build: sorted(func(s *PartitionWindowedStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.SortPartitionByField("V", Descending)
		}), script: "b1@1 a3@2 b-2@3 end", want: "a3 b1 b-2"},
		{name: "several outputs of a partition", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().MapPartition(coOutputs)
		}, script: "a1 b2 end", want: "a1 a1 b2 b2 end"},
		{name: "a partition that is empty is still mapped", build: func(a, _ *DataStream[ev]) conformance.Handle {
			return a.FullWindowPartition().MapPartition(coOutputs)
		}, script: "end", want: "end"},
	} {
		t.Run(c.name, c.run)
	}
}

// TestAProgramRunsWhatIsNew: each execution takes the operators that were added since the last one, with all they read.
func TestAProgramRunsWhatIsNew(t *testing.T) {
	var log []string
	note := func(who string) func(v ev) ev {
		return func(v ev) ev { log = append(log, who+v.String()); return v }
	}
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	run := func(want string) {
		t.Helper()
		log = nil
		_, err := env.Execute(context.Background())
		if got := strings.Join(log, " "); want == "" && (err == nil || !strings.Contains(err.Error(), "IllegalState")) || want != "" && (err != nil || got != want) {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	src := env.FromElements(ev{"a", 1, 0})
	run("") // a source alone is nothing to run
	src.KeyBy(key)
	src.Union(src).Rebalance()
	run("")
	old := src.Map(note("old")) // no sink is needed
	if _, err := env.ExecutionPlan(); err != nil {
		t.Error(err)
	}
	run("olda1") // the plan has taken nothing away
	run("")
	old.Map(note("sink"))
	run("olda1 sinka1")
	old.Map(note("new")) // what it reads runs again, its former neighbour does not
	run("olda1 newa1")
}

// TestTheModeIsChosenByTheSources: one that never ends is enough for STREAMING.
func TestTheModeIsChosenByTheSources(t *testing.T) {
	for _, bounded := range []bool{true, false} {
		env := NewEnv(WithParallelism(1), WithDeterministic(1)).SetRuntimeMode(Automatic)
		in := &env.FromElements(ev{"a", 1, 0}, ev{"a", 2, 0}).DataStream
		want := "[a3]"
		if !bounded {
			in, want = in.Union(env.AddSource(nobody{})), "[a1 a3]"
		}
		got, err := in.KeyBy(key).Reduce(sumOf).ExecuteAndCollectLimit(context.Background(), 9)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("got %v, %v, want %s", got, err, want)
		}
	}
}

// nobody is a source of an unknown length that ends at once.
type nobody struct{}

func (nobody) Run(*SourceContext[ev]) error { return nil }
