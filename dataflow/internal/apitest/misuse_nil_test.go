package apitest_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	. "flinkish/dataflow"
)

type (
	stream   = *DataStreamSource[pair]
	windows  = *WindowedStream[pair, string, TimeWindow]
	joint    = *JoinWithWindow[pair, pair, string, TimeWindow]
	coGroups = *CoGroupWithWindow[pair, pair, string, TimeWindow]
)

func nameOf(p pair) string { return p.F0 }

func hourly(s stream) windows { return s.KeyBy(nameOf).Window(TumblingEventTime(time.Hour)) }

func joined(s stream) joint {
	return s.Join(s).Where(nameOf).EqualTo(nameOf).Window(TumblingEventTime(time.Hour))
}

func grouped(s stream) coGroups {
	return s.CoGroup(s).Where(nameOf).EqualTo(nameOf).Window(TumblingEventTime(time.Hour))
}

// TestANilFunctionIsANullPointerAtTheCall is true of every method that takes a function, also where the function is given
// to a constructor of something that a method takes.
func TestANilFunctionIsANullPointerAtTheCall(t *testing.T) {
	for call, do := range map[string]func(s stream){
		"Map":                            func(s stream) { s.Map[int](nil) },
		"MapE":                           func(s stream) { s.MapE[int](nil) },
		"MapRich":                        func(s stream) { s.MapRich[int](nil) },
		"FlatMap":                        func(s stream) { s.FlatMap[int](nil) },
		"FlatMapSeq":                     func(s stream) { s.FlatMapSeq[int](nil) },
		"FlatMapE":                       func(s stream) { s.FlatMapE[int](nil) },
		"FlatMapRich":                    func(s stream) { s.FlatMapRich[int](nil) },
		"Filter":                         func(s stream) { s.Filter(nil) },
		"FilterE":                        func(s stream) { s.FilterE(nil) },
		"FilterRich":                     func(s stream) { s.FilterRich(nil) },
		"Process":                        func(s stream) { s.Process[int](nil) },
		"ProcessFunc":                    func(s stream) { s.ProcessFunc[int](nil) },
		"KeyBy":                          func(s stream) { s.KeyBy[int](nil) },
		"PartitionCustom":                func(s stream) { s.PartitionCustom(func(string, int) int { return 0 }, nil) },
		"AddSink":                        func(s stream) { s.AddSink(nil) },
		"AddSinkFunc":                    func(s stream) { s.AddSinkFunc(nil) },
		"SinkTo":                         func(s stream) { s.SinkTo(nil) },
		"WriteToSocket":                  func(s stream) { s.WriteToSocket("localhost:1", nil) },
		"Transform":                      func(s stream) { s.Transform[int]("raw", nil) },
		"TransformFactory":               func(s stream) { s.TransformFactory[int]("raw", nil) },
		"WriteUsingOutputFormat":         func(s stream) { s.WriteUsingOutputFormat(nil) },
		"ReinterpretAsKeyedStream":       func(s stream) { s.ReinterpretAsKeyedStream[string](nil) },
		"AssignPeriodic":                 func(s stream) { s.AssignPeriodic(nil) },
		"AssignPeriodic of an extractor": func(s stream) { s.AssignPeriodic(AscendingTimestampExtractor[pair](nil)) },
		"AssignPeriodic of an extractor without a handler": func(s stream) {
			s.AssignPeriodic(AscendingTimestampExtractor(func(pair) int64 { return 0 }, WithViolationHandler(nil)))
		},
		"AssignPeriodic of a bounded extractor":             func(s stream) { s.AssignPeriodic(BoundedOutOfOrdernessTimestampExtractor[pair](0, nil)) },
		"AssignPunctuated":                                  func(s stream) { s.AssignPunctuated(nil) },
		"AssignTimestampsAndWatermarks without a generator": func(s stream) { s.AssignTimestampsAndWatermarks(ForGenerator[pair](nil)) },
		"AssignTimestampsAndWatermarks without an assigner": func(s stream) {
			s.AssignTimestampsAndWatermarks(NoWatermarks[pair]().WithTimestampAssigner(nil))
		},

		"ProcessKeyed":     func(s stream) { s.KeyBy(nameOf).ProcessKeyed[int](nil) },
		"ProcessKeyedFunc": func(s stream) { s.KeyBy(nameOf).ProcessKeyedFunc[int](nil) },
		"Reduce":           func(s stream) { s.KeyBy(nameOf).Reduce(nil) },
		"ReduceE":          func(s stream) { s.KeyBy(nameOf).ReduceE(nil) },
		"ReduceRich":       func(s stream) { s.KeyBy(nameOf).ReduceRich(nil) },
		"SumBy":            func(s stream) { s.KeyBy(nameOf).SumBy[int](nil, nil) },

		"Window":                    func(s stream) { s.KeyBy(nameOf).Window[TimeWindow](nil) },
		"Window of dynamic gaps":    func(s stream) { s.KeyBy(nameOf).Window(EventTimeSessionDynamic[pair](nil)) },
		"WindowAll of dynamic gaps": func(s stream) { s.WindowAll(ProcessingTimeSessionDynamic[pair](nil)) },
		"Trigger":                   func(s stream) { hourly(s).Trigger(nil) },
		"Trigger of delta":          func(s stream) { hourly(s).Trigger(DeltaTrigger[pair](1, nil)) },
		"Trigger of one's own":      func(s stream) { hourly(s).Trigger(CustomTrigger[pair, TimeWindow](nil)) },
		"Trigger that purges":       func(s stream) { hourly(s).Trigger(PurgingTrigger(nil)) },
		"Trigger with a timeout":    func(s stream) { hourly(s).Trigger(ProcessingTimeoutTrigger(nil, time.Hour)) },
		"Evictor":                   func(s stream) { hourly(s).Evictor(nil) },
		"Evictor of delta":          func(s stream) { hourly(s).Evictor(DeltaEvictor[pair](1, nil)) },
		"Evictor of one's own":      func(s stream) { hourly(s).Evictor(CustomEvictor[pair, TimeWindow](nil)) },
		"Reduce of windows":         func(s stream) { hourly(s).Reduce(nil) },
		"Aggregate of windows":      func(s stream) { hourly(s).Aggregate[int, int](nil) },
		"Apply of windows":          func(s stream) { hourly(s).Apply[int](nil) },
		"Process of windows":        func(s stream) { hourly(s).Process[int](nil) },
		"ReduceWith of windows":     func(s stream) { hourly(s).ReduceWith[int](func(a, _ pair) pair { return a }, nil) },

		"Join":                      func(s stream) { s.Join[int](nil) },
		"Where":                     func(s stream) { s.Join(s).Where[string](nil) },
		"EqualTo":                   func(s stream) { s.Join(s).Where(nameOf).EqualTo(nil) },
		"Apply of a join":           func(s stream) { joined(s).Apply[int](nil) },
		"ApplyE of a join":          func(s stream) { joined(s).ApplyE[int](nil) },
		"ApplyRich of a join":       func(s stream) { joined(s).ApplyRich[int](nil) },
		"ApplyFlat of a join":       func(s stream) { joined(s).ApplyFlat[int](nil) },
		"ApplyFlatRich of a join":   func(s stream) { joined(s).ApplyFlatRich[int](nil) },
		"Trigger of a join":         func(s stream) { joined(s).Trigger(nil) },
		"Evictor of a join":         func(s stream) { joined(s).Evictor(nil) },
		"CoGroup":                   func(s stream) { s.CoGroup[int](nil) },
		"Apply of a coGroup":        func(s stream) { grouped(s).Apply[int](nil) },
		"ApplyRich of a coGroup":    func(s stream) { grouped(s).ApplyRich[int](nil) },
		"Connect":                   func(s stream) { s.Connect[int](nil) },
		"ConnectBroadcast":          func(s stream) { s.ConnectBroadcast[int](nil) },
		"BroadcastWithState":        func(s stream) { s.BroadcastWithState(nil) },
		"KeyBy of connected":        func(s stream) { s.Connect(s).KeyBy[string](nil, nameOf) },
		"Map of connected":          func(s stream) { s.Connect(s).Map[int](nil, nil) },
		"FlatMap of connected":      func(s stream) { s.Connect(s).FlatMap[int](nil, nil) },
		"Process of connected":      func(s stream) { s.Connect(s).Process[int](nil) },
		"ProcessKeyed of connected": func(s stream) { s.KeyBy(nameOf).Connect(s.KeyBy(nameOf)).ProcessKeyed[string, int](nil) },
		"Process of a broadcast":    func(s stream) { s.ConnectBroadcast(s.BroadcastWithState()).Process[int](nil) },
		"IntervalJoin":              func(s stream) { s.KeyBy(nameOf).IntervalJoin[pair](nil) },
		"Process of an interval":    func(s stream) { s.KeyBy(nameOf).IntervalJoin(s.KeyBy(nameOf)).Between(0, 0).Process[int](nil) },
		"MapPartition":              func(s stream) { s.FullWindowPartition().MapPartition[int](nil) },
		"MapPartitionRich":          func(s stream) { s.FullWindowPartition().MapPartitionRich[int](nil) },
		"MapPartitionRich by key":   func(s stream) { s.KeyBy(nameOf).FullWindowPartition().MapPartitionRich[int](nil) },
		"Reduce of a partition":     func(s stream) { s.FullWindowPartition().Reduce(nil) },
		"ReduceE of a partition":    func(s stream) { s.FullWindowPartition().ReduceE(nil) },
		"ReduceRich of a partition": func(s stream) { s.FullWindowPartition().ReduceRich(nil) },
		"ReduceE of windows":        func(s stream) { hourly(s).ReduceE(nil) },
		"Aggregate of a partition":  func(s stream) { s.FullWindowPartition().Aggregate[int, int](nil) },
		"SortPartition":             func(s stream) { s.FullWindowPartition().SortPartition[int](nil, Ascending) },
		"CollectAsyncInto":          func(s stream) { s.CollectAsyncInto(nil) },
		"CloseWith":                 func(s stream) { s.Iterate().CloseWith(nil) },

		"FromSeq":         func(s stream) { s.Env().FromSeq[int](nil) },
		"FromParallelSeq": func(s stream) { s.Env().FromParallelSeq[int](nil) },
		"AddSource":       func(s stream) { s.Env().AddSource[int](nil) },
		"CreateInput":     func(s stream) { s.Env().CreateInput[int](nil) },
		"FromSource":      func(s stream) { s.Env().FromSource[int](nil, NoWatermarks[int](), "numbers") },
		"ReadFile":        func(s stream) { s.Env().ReadFile[int]("f", nil) },
		"PathFilter":      func(s stream) { s.Env().ReadTextFile("f", PathFilter(nil)) },
		"OnJob":           func(s stream) { s.Env().OnJob(nil) },
		"OnJobExecuted":   func(s stream) { s.Env().OnJobExecuted(nil) },
	} {
		t.Run(call, func(t *testing.T) {
			e := env()
			do(pairs(e))
			mistake(t, e.Err(), "NullPointer", "nil")
		})
	}
}

// TestMistakesOfDescriptors are there once the descriptor is made, and fail the job that uses it.
func TestMistakesOfDescriptors(t *testing.T) {
	add := func(a, b int) int { return a + b }
	for _, c := range []struct {
		name, kind, says string
		err              error
	}{
		{"a value without a name", "NullPointer", "name", NewValueStateDescriptor[int]("").Err()},
		{"a list without a name", "NullPointer", "name", NewListStateDescriptor[int]("").Err()},
		{"a map without a name", "NullPointer", "name", NewMapStateDescriptor[int, int]("").Err()},
		{"a reducing state without a name", "NullPointer", "name", NewReducingStateDescriptor("", add).Err()},
		{"an aggregating state without a name", "NullPointer", "name", NewAggregatingStateDescriptor("", noAccumulator{}).Err()},
		{"a reducing state without a function", "NullPointer", "nil", NewReducingStateDescriptor[int]("r", nil).Err()},
		{"an aggregating state without a function", "NullPointer", "nil", NewAggregatingStateDescriptor[int, int, int]("a", nil).Err()},
		{"an aggregating state with a life cycle", "UnsupportedOperation", "Open", NewAggregatingStateDescriptor("a", &opened{}).Err()},
		{"a life of nothing", "IllegalArgument", "positive", NewValueStateDescriptor[int]("v").TTL(0).Err()},
		{"a cleanup of nothing", "IllegalArgument", "positive", NewMapStateDescriptor[int, int]("m").TTL(time.Hour, CleanupIncrementally(0, false)).Err()},
	} {
		t.Run(c.name, func(t *testing.T) { mistake(t, c.err, c.kind, c.says) })
	}
	e := env()
	s := e.FromElements(1)
	s.KeyBy(one).ProcessKeyedFunc(func(v int, ctx *KeyedContext[int], _ Collector[int]) {
		ctx.ReducingState(NewReducingStateDescriptor[int]("r", nil)).Add(v)
	})
	_, err := e.Execute(context.Background())
	mistake(t, err, "NullPointer", "reduce function")

	s.BroadcastWithState(NewMapStateDescriptor[int, int]("m").TTL(time.Hour))
	mistake(t, e.TakeErr(), "UnsupportedOperation", "time to live")
	s.BroadcastWithState(NewMapStateDescriptor[int, int](""))
	mistake(t, e.TakeErr(), "NullPointer", "name")
}

// opened is an aggregate with a life cycle.
type opened struct{ noAccumulator }

func (*opened) Open(*RuntimeContext) error { return nil }

// TestWindowsAtTheEndGetTheirRecordsInTheOrderOfTime although the job streams: what emits at the end of its input only has
// the input sorted by key and time.
func TestWindowsAtTheEndGetTheirRecordsInTheOrderOfTime(t *testing.T) {
	e := env()
	late := []pair{{F0: "b", F1: 3}, {F0: "a", F1: 2}, {F0: "b", F1: 1}, {F0: "a", F1: 1}}
	stamped := e.FromData(late...).AssignTimestampsAndWatermarks(ForMonotonousTimestamps[pair]().
		WithTimestampAssigner(func(p pair, _ int64) int64 { return int64(p.F1) }))
	text := func(vs iter.Seq[pair]) (s string) {
		for p := range vs {
			s += fmt.Sprintf("(%s,%d)", p.F0, p.F1)
		}
		return s
	}
	keyed := stamped.KeyBy(nameOf).Window(GlobalWindowsEndOfStream()).Apply(func(_ string, _ GlobalWindow, vs iter.Seq[pair], out Collector[string]) {
		out.Collect(text(vs))
	}).CollectAsync()
	all := stamped.WindowAll(GlobalWindowsEndOfStream()).Apply(func(_ GlobalWindow, vs iter.Seq[pair], out Collector[string]) {
		out.Collect(text(vs))
	}).CollectAsync()
	if _, err := e.ExecuteAsync(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		it   *CloseableIterator[string]
		want string
	}{{keyed, "(a,1)(a,2) (b,1)(b,3) "}, {all, "(b,1)(a,1)(a,2)(b,3) "}} {
		got := ""
		for s, err := range c.it.All() {
			if err != nil {
				t.Fatal(err)
			}
			got += s + " "
		}
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
