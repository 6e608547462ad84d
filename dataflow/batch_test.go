package dataflow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/graph"
)

// batches yields an environment of each scheduler in BATCH mode.
func batches(parallelism int) func(yield func(string, *StreamExecutionEnvironment) bool) {
	return func(yield func(string, *StreamExecutionEnvironment) bool) {
		for name, env := range environments(parallelism) {
			if !yield(name, env.SetRuntimeMode(Batch)) {
				return
			}
		}
	}
}

func TestBatchEmitsTheFinalValueOfEachKey(t *testing.T) {
	for name, env := range batches(2) {
		in := env.FromElements(pairs("a", 1, "b", 2, "a", 3, "c", 4, "b", 5)...)
		sum := pairs("a", 4, "b", 7, "c", 4)
		sameUnordered(t, collect(t, in.KeyBy(first).Sum(1)), sum)
		sameUnordered(t, collect(t, in.KeyBy(first).Reduce(sumPairs)), sum)
		sameUnordered(t, collect(t, in.KeyBy(first).ReduceE(func(a, b keyInt) (keyInt, error) { return sumPairs(a, b), nil })), sum)
		sameUnordered(t, collect(t, in.KeyBy(first).MaxBy(1)), pairs("a", 3, "b", 5, "c", 4))
		stamps := collect(t, in.KeyBy(first).Sum(1).ProcessFunc(func(v keyInt, ctx *ProcessContext, out Collector[int64]) {
			ts, _ := ctx.Timestamp()
			out.Collect(ts)
		}))
		if fmt.Sprint(stamps) != "[9223372036854775807 9223372036854775807 9223372036854775807]" {
			t.Errorf("%s: got the timestamps %v, want the greatest one", name, stamps)
		}
	}
}

func TestBatchProcessesOneKeyAfterTheOther(t *testing.T) {
	for name, env := range batches(1) {
		in := env.FromElements(pairs("bb", 3, "a", 2, "bb", 1, "c", 9, "a", 1)...).AssignTimestampsAndWatermarks(
			ForMonotonousTimestamps[keyInt]().WithTimestampAssigner(func(v keyInt, _ int64) int64 { return int64(v.F1) }))
		got := collect(t, in.KeyBy(first).ProcessKeyedFunc(func(v keyInt, ctx *KeyedContext[string], out Collector[string]) {
			s := ctx.State(NewValueStateDescriptor[int]("n"))
			s.Update(s.Value() + 1)
			out.Collect(fmt.Sprint(v.F0, v.F1, "#", s.Value(), " ", ctx.TimerService().CurrentWatermark() == -1<<63))
		}))
		// Keys come in the order of their bytes, a string with its length first; records in the order of time.
		want := []string{"a1#1 true", "a2#2 true", "c9#1 true", "bb1#1 true", "bb3#2 true"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\ngot  %v\nwant %v", name, got, want)
		}
	}
}

// batchTimers sets timers of both domains and tells what fires.
type batchTimers struct{}

func (batchTimers) ProcessElement(v keyInt, ctx *KeyedContext[string], out Collector[string]) error {
	out.Collect(v.F0)
	ctx.TimerService().RegisterEventTimeTimer(int64(v.F1))
	ctx.TimerService().RegisterProcessingTimeTimer(1 << 50)
	return nil
}

func (batchTimers) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), " ", ctx.TimeDomain(), " ", ts))
	ctx.TimerService().RegisterEventTimeTimer(ts + 1)
	ctx.TimerService().RegisterProcessingTimeTimer(ts + 1)
	return nil
}

func TestBatchFiresTimersAtTheEndOfEachKey(t *testing.T) {
	for name, env := range batches(1) {
		got := collect(t, env.FromElements(pairs("a", 7, "b", 1, "a", 5)...).KeyBy(first).ProcessKeyed(batchTimers{}))
		want := []string{"a", "a", "a EVENT_TIME 5", "a EVENT_TIME 7", "a PROCESSING_TIME 1125899906842624",
			"b", "b EVENT_TIME 1", "b PROCESSING_TIME 1125899906842624"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, want)
		}
	}
}

func TestBatchWindowsFireAtTheEndOfEachKey(t *testing.T) {
	for name, env := range batches(1) {
		// b9 would be late after b25 in STREAMING.
		in := env.FromElements(pairs("b", 25, "a", 3, "b", 9, "a", 14, "b", 21, "a", 4)...).AssignTimestampsAndWatermarks(
			ForMonotonousTimestamps[keyInt]().WithTimestampAssigner(func(v keyInt, _ int64) int64 { return int64(v.F1) }))
		windows := map[string]*SingleOutputStreamOperator[keyInt]{
			"tumbling": in.KeyBy(first).Window(TumblingEventTime(10 * time.Millisecond)).Reduce(sumPairs),
			"session":  in.KeyBy(first).Window(EventTimeSession(5 * time.Millisecond)).Reduce(sumPairs),
		}
		want := map[string][]keyInt{"tumbling": pairs("a", 7, "a", 14, "b", 9, "b", 46), "session": pairs("a", 7, "a", 14, "b", 9, "b", 46)}
		for what, s := range windows {
			if got := collect(t, s); fmt.Sprint(got) != fmt.Sprint(want[what]) {
				t.Errorf("%s, %s: got %v, want %v", name, what, got, want[what])
			}
		}
		byClock := in.KeyBy(first).Window(TumblingProcessingTime(time.Hour)).Reduce(sumPairs)
		same(t, collect(t, byClock), pairs("a", 21, "b", 55))
		counted := in.KeyBy(first).CountWindow(2).Reduce(sumPairs)
		same(t, collect(t, counted), pairs("a", 7, "b", 30))
	}
}

// joined tells in which order the records of two streams come.
type joined struct{}

func (joined) ProcessElement1(v keyInt, ctx *KeyedContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(v.F0, v.F1))
	ctx.TimerService().RegisterEventTimeTimer(1)
	return nil
}

func (joined) ProcessElement2(v keyInt, ctx *KeyedContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(v.F0, v.F1))
	return nil
}

func (joined) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(ctx.CurrentKey() + " ends")
	return nil
}

func TestBatchBringsTheKeysOfTwoStreamsTogether(t *testing.T) {
	for name, env := range batches(1) {
		left, right := env.FromElements(pairs("a", 1, "b", 2, "a", 3)...), env.FromElements(pairs("b", 20, "c", 30, "a", 10)...)
		got := collect(t, left.Connect(right).KeyBy(first, first).ProcessKeyed(joined{}))
		want := "[a1 a3 a10 a ends b2 b20 b ends c30]"
		if fmt.Sprint(got) != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestBatchReadsTheBroadcastSideFirst(t *testing.T) {
	for name, env := range batches(2) {
		numbers := env.FromSequence(1, 5000)
		config := env.FromElements("x").Map(func(s string) string { return s })
		got := collect(t, numbers.Connect(config.Broadcast()).Map(func(int64) string { return "n" }, func(string) string { return "c" }))
		text := strings.Join(got, "")
		if strings.Count(text, "c") != 2 || strings.Count(text, "n") != 5000 || !strings.HasPrefix(text, "c") {
			t.Errorf("%s: got %.20s..., want the two broadcast records first", name, text)
		}
	}
}

func TestBatchSendsOneWatermarkAtTheEnd(t *testing.T) {
	for name, env := range batches(1) {
		in := env.FromElements(pairs("a", 1, "a", 2, "b", 3)...).AssignTimestampsAndWatermarks(
			ForMonotonousTimestamps[keyInt]().WithTimestampAssigner(func(v keyInt, _ int64) int64 { return int64(v.F1) }))
		out := in.ProcessFunc(func(v keyInt, ctx *ProcessContext, out Collector[int64]) {
			out.Collect(ctx.TimerService().CurrentWatermark())
		})
		if got := fmt.Sprint(collect(t, out)); got != "[-9223372036854775808 -9223372036854775808 -9223372036854775808]" {
			t.Errorf("%s: got the watermarks %s, want none", name, got)
		}
	}
}

func TestBatchHoldsBigExchangesOnDisk(t *testing.T) {
	env := NewEnv(WithParallelism(2), WithSortKeyedPartitionMemory(1)).SetRuntimeMode(Batch)
	n := int64(200000)
	in := env.FromSequence(1, n).Map(func(v int64) keyInt { return keyInt{F0: fmt.Sprint("key", v%7), F1: int(v)} })
	total := 0
	got := collect(t, in.KeyBy(first).Reduce(sumPairs))
	for _, v := range got {
		total += v.F1
	}
	if len(got) != 7 || total != int(n*(n+1)/2) {
		t.Errorf("got %v, which is %d in total; want %d", got, total, n*(n+1)/2)
	}
}

func TestTheModeDecidesNamesAndExchanges(t *testing.T) {
	build := func(env *StreamExecutionEnvironment) {
		in := env.FromElements(pairs("a", 1)...).Name("src")
		keyed := in.KeyBy(first).Map(func(v keyInt) keyInt { return v }).Name("m")
		keyed.ReinterpretAsKeyedStream(first).ProcessKeyedFunc(func(v keyInt, _ *KeyedContext[string], out Collector[keyInt]) {}).Name("p").Print().Name("s")
	}
	tests := []struct {
		mode         RuntimeMode
		name, result string
		graph        string
	}{
		{Streaming, "Flink Streaming Job", "PIPELINED_BOUNDED", "0 Source: src x1\n1 m -> p -> Sink: s x2 <-HASH- 0\n"},
		{Batch, "Flink Batch Job", "BLOCKING", "0 Source: src x1\n1 m x2 <-HASH- 0\n2 p -> Sink: s x2 <-FORWARD- 1\n"},
		{Automatic, "Flink Batch Job", "BLOCKING", "0 Source: src x1\n1 m x2 <-HASH- 0\n2 p -> Sink: s x2 <-FORWARD- 1\n"},
	}
	for _, tt := range tests {
		env := NewEnv(WithParallelism(2)).SetRuntimeMode(tt.mode)
		build(env)
		g, err := env.JobGraph()
		if err != nil {
			t.Fatal(err)
		}
		if g.JobName != tt.name || g.String() != tt.graph {
			t.Errorf("%s: got %s\n%swant %s\n%s", tt.mode, g.JobName, g, tt.name, tt.graph)
		}
		for _, v := range g.Vertices {
			for _, e := range v.In {
				if e.ResultType() != tt.result {
					t.Errorf("%s: got %s, want %s", tt.mode, e.ResultType(), tt.result)
				}
			}
		}
	}
}

func TestEdgesThatLeaveAFullWindowPartitionAreBlocking(t *testing.T) {
	env := NewEnv(WithParallelism(2))
	env.FromElements(pairs("b", 1, "a", 2)...).Map(func(v keyInt) keyInt { return v }).
		FullWindowPartition().SortPartitionByPosition(1, Ascending).KeyBy(first).Sum(1).Print()
	g, err := env.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, v := range g.Vertices {
		for _, e := range v.In {
			types = append(types, e.ResultType())
		}
	}
	if got := fmt.Sprint(types); got != "[PIPELINED_BOUNDED BLOCKING]" {
		t.Errorf("got %s in %s", got, g)
	}
}

func TestBatchRefusesUnboundedSources(t *testing.T) {
	env := NewEnv().SetRuntimeMode(Batch)
	s := env.FromSequence(1, 2)
	s.Transformation().Bounded = false
	s.Print()
	_, err := env.Execute(context.Background())
	if g, ok := err.(*graph.GraphError); !ok || g.Kind != "IllegalState" {
		t.Errorf("got %v, want IllegalState", err)
	}
}
