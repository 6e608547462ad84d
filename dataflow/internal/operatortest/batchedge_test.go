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
		"a coGroup meets its keys in order": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.CoGroup(s.Filter(func(v ev) bool { return v.K == "a" })).Where(key).EqualTo(key).Window(TumblingEventTime(10 * ms)).Apply(coMembers)
		}, two...), "a4+a2+a5+a4+a2+a5@9 b3+b1@9"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, c.got, c.want)
		}
	}
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
