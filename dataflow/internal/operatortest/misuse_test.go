package operatortest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// program is what a misuse begins with.
type program struct {
	env  *StreamExecutionEnvironment
	a, b *DataStreamSource[ev]
}

func newProgram() program {
	e := NewEnv(WithParallelism(2))
	return program{e, e.FromData(ev{}), e.FromData(ev{})}
}

func (p program) join() *JoinWithWindow[ev, ev, string, TimeWindow] {
	return p.a.Join(p.b).Where(key).EqualTo(key).Window(TumblingEventTime(5 * ms))
}

func (p program) window() *WindowedStream[ev, string, TimeWindow] {
	return p.a.KeyBy(key).Window(TumblingEventTime(5 * ms))
}

func (p program) interval() *IntervalJoin[ev, ev, string] {
	return p.a.KeyBy(key).IntervalJoin(p.b.KeyBy(key))
}

func same(v ev) ev { return v }

// badTimer has the OnTimer of another kind of function.
type badTimer struct{ mixed }

func (badTimer) OnTimer(int64, *ProcessContext, Collector[string]) error { return nil }

// badMerge has an OnMerge that returns something.
type badMerge struct{ noted }

func (badMerge) OnMerge(TimeWindow, *TriggerContext) TriggerResult { return Fire }

// badAssigner has a MergeWindows that returns the windows.
type badAssigner struct{}

func (badAssigner) AssignWindows(_, _ int64, into []TimeWindow) []TimeWindow { return into }
func (badAssigner) IsEventTime() bool                                        { return true }
func (badAssigner) MergeWindows(ws []TimeWindow) []TimeWindow                { return ws }

// stiffAssigner has windows that merge and a trigger that does not.
type stiffAssigner struct{}

func (stiffAssigner) AssignWindows(_, _ int64, into []TimeWindow) []TimeWindow  { return into }
func (stiffAssigner) IsEventTime() bool                                         { return true }
func (stiffAssigner) MergeWindows([]TimeWindow, func(TimeWindow, []TimeWindow)) {}
func (stiffAssigner) DefaultTrigger() AnyTrigger {
	return DeltaTrigger(1, func(_, _ ev) float64 { return 0 })
}

// richConcat is an aggregate with a life cycle.
type richConcat struct{ concat }

func (*richConcat) Open(*RuntimeContext) error { return nil }

// TestMisuseFailsAtTheCall: the error is there once the call has returned, has the kind of Flink's exception, and says which
// call it was.
func TestMisuseFailsAtTheCall(t *testing.T) {
	for _, c := range []struct {
		name       string
		do         func(p program)
		kind, call string
		says       string // words of the message, separated by |
	}{
		{"a union with a stream of another environment", func(p program) { p.a.Union(newProgram().b) }, "IllegalArgument", "Union", "different environments"},
		{"a union of different types", func(p program) {
			p.env.FromData[any](1).Returns(TypeOf[int]()).Union(p.env.FromData[any]("x").Returns(TypeOf[string]()))
		}, "IllegalArgument", "Union", "int|string"},
		{"a union with nothing", func(p program) { p.a.Union(nil) }, "NullPointer", "Union", "nil"},
		{"Returns after a map", func(p program) { p.a.Map(same); p.a.Returns(TypeOf[ev]()) }, "IllegalState", "Returns", "used already"},
		{"Returns after KeyBy", func(p program) { p.a.KeyBy(key); p.a.Returns(TypeOf[ev]()) }, "IllegalState", "Returns", ""},
		{"Returns after a union", func(p program) { p.b.Union(p.a); p.a.Returns(TypeOf[ev]()) }, "IllegalState", "Returns", ""},
		{"Returns after a sink", func(p program) { p.a.Print(); p.a.Returns(TypeOf[ev]()) }, "IllegalState", "Returns", ""},
		{"Returns after reading the type", func(p program) { p.a.Type(); p.a.Returns(TypeOf[ev]()) }, "IllegalState", "Returns", ""},
		{"Returns with another type", func(p program) { p.a.Returns(TypeOf[int]()) }, "IllegalArgument", "Returns", "ev|not int"},
		{"Returns of nothing", func(p program) { p.a.Returns(nil) }, "NullPointer", "Returns", "type"},

		{"keys of different types", func(p program) {
			p.a.KeyBy(key).Connect(p.b.KeyBy(func(v ev) int { return v.V })).Map(same, same)
		}, "UnsupportedOperation", "Connect", "string|int"},
		{"keys declared to be of different types", func(p program) {
			s := p.env.FromData[any]("x")
			id := func(v any) any { return v }
			s.KeyBy(id, KeyType(TypeOf[string]())).Connect(s.KeyBy(id, KeyType(TypeOf[int]()))).Map(id, id)
		}, "UnsupportedOperation", "Connect", "string|int"},
		{"a keyed function on a stream that is not", func(p program) { p.a.Connect(p.b).ProcessKeyed(&keyedCoSum{}) }, "UnsupportedOperation", "ProcessKeyed", "KeyBy"},
		{"a broadcast function on a keyed stream", func(p program) {
			p.a.KeyBy(key).ConnectBroadcast(p.b.BroadcastWithState(rules)).Process(ruled{})
		}, "IllegalArgument", "Process", "ProcessKeyed"},
		{"a keyed broadcast function on another stream", func(p program) {
			p.a.ConnectBroadcast(p.b.BroadcastWithState(rules)).ProcessKeyed(&keyedRuled{})
		}, "IllegalArgument", "ProcessKeyed", "KeyBy"},
		{"the broadcast of a keyed stream", func(p program) { p.a.KeyBy(key).BroadcastWithState(rules) }, "UnsupportedOperation", "BroadcastWithState", "keyed"},

		{"a sum of texts", func(p program) { p.a.KeyBy(key).SumField("K") }, "Runtime", "SumField", "string|number"},
		{"a sum of texts in a window", func(p program) { p.window().SumField("K") }, "Runtime", "SumField", "string|number"},
		{"the rebalance of a keyed stream", func(p program) { p.a.KeyBy(key).Rebalance() }, "UnsupportedOperation", "Rebalance", "keyed"},
		{"a partitioner of a field of a keyed stream", func(p program) {
			p.a.KeyBy(key).PartitionCustomByField(func(string, int) int { return 0 }, "K")
		}, "UnsupportedOperation", "PartitionCustomByField", "keyed"},
		{"the rebalance of a reinterpreted stream", func(p program) { p.a.ReinterpretAsKeyedStream(key).Rebalance() }, "UnsupportedOperation", "Rebalance", "keyed"},
		{"a reinterpreted stream whose key has no hash", func(p program) { p.a.ReinterpretAsKeyedStream(func(ev) [1]int { return [1]int{} }) }, "InvalidProgram", "ReinterpretAsKeyedStream", ""},
		{"an OnTimer that two streams would never call", func(p program) { p.a.Connect(p.b).Process(&badTimer{}) }, "InvalidProgram", "Process", "OnTimer|never be called"},

		{"late data without a tag", func(p program) { p.window().SideOutputLateData(OutputTag[ev]{}) }, "NullPointer", "SideOutputLateData", "tag"},
		{"negative lateness", func(p program) { p.window().AllowedLateness(-ms) }, "IllegalArgument", "AllowedLateness", "negative"},
		{"sessions with a trigger that cannot merge", func(p program) {
			p.a.KeyBy(key).Window(EventTimeSession(5 * ms)).Trigger(PurgingTrigger(DeltaTrigger(1, func(_, _ ev) float64 { return 0 })))
		}, "UnsupportedOperation", "Trigger", "DeltaTrigger|merg"},
		{"a trigger of other records", func(p program) { p.window().Trigger(DeltaTrigger(1, func(_, _ int) float64 { return 0 })) }, "IllegalArgument", "Trigger", "ev"},
		{"an evictor of other records", func(p program) { p.window().Evictor(DeltaEvictor(1, func(_, _ int) float64 { return 0 })) }, "IllegalArgument", "Evictor", "ev"},
		{"a trigger whose OnMerge would never be called", func(p program) { p.window().Trigger(CustomTrigger(badMerge{})) }, "InvalidProgram", "Trigger", "OnMerge"},
		{"an assigner whose windows would never merge", func(p program) { p.a.KeyBy(key).Window(badAssigner{}) }, "InvalidProgram", "Window", "MergeWindows"},
		{"an assigner whose windows merge, but not its trigger", func(p program) { p.a.KeyBy(key).Window(stiffAssigner{}) }, "UnsupportedOperation", "Window", "DeltaTrigger|merg"},
		{"an assigner whose trigger is for other records", func(p program) {
			p.a.Join(p.b).Where(key).EqualTo(key).Window(stiffAssigner{})
		}, "IllegalArgument", "Window", "DeltaTrigger"},
		{"an aggregate with a life cycle", func(p program) { p.window().Aggregate(&richConcat{}) }, "UnsupportedOperation", "Aggregate", "Open"},
		{"an aggregate with a life cycle before a function", func(p program) { p.window().AggregateWith(&richConcat{}, one{}) }, "UnsupportedOperation", "AggregateWith", "Open"},
		{"an aggregate with a life cycle, of all", func(p program) { p.a.WindowAll(TumblingEventTime(ms)).Aggregate(&richConcat{}) }, "UnsupportedOperation", "Aggregate", "Open"},
		{"a window of all in two subtasks", func(p program) { p.a.WindowAll(TumblingEventTime(ms)).Reduce(sumOf).SetParallelism(2) }, "IllegalArgument", "SetParallelism", "not parallel"},
		{"a window of all in two key groups", func(p program) { p.a.CountWindowAll(2).Reduce(sumOf).SetMaxParallelism(2) }, "IllegalArgument", "SetMaxParallelism", "not parallel"},

		{"a join with nothing", func(p program) { p.a.Join[ev](nil) }, "NullPointer", "Join", "stream"},
		{"a join with a stream of another environment", func(p program) { p.a.Join(newProgram().b) }, "IllegalArgument", "Join", "different environments"},
		{"a join without the first key", func(p program) { p.a.Join(p.b).Where[string](nil) }, "NullPointer", "Where", "key selector"},
		{"a join without the second key", func(p program) { p.a.Join(p.b).Where(key).EqualTo(nil) }, "NullPointer", "EqualTo", "key selector"},
		{"a join by a key that has no hash", func(p program) { p.a.Join(p.b).Where(func(ev) [1]int { return [1]int{} }) }, "InvalidProgram", "Where", ""},
		{"a join without windows", func(p program) { p.a.Join(p.b).Where(key).EqualTo(key).Window[TimeWindow](nil) }, "NullPointer", "Window", ""},
		{"a join in windows that look at the record", func(p program) {
			p.a.Join(p.b).Where(key).EqualTo(key).Window(EventTimeSessionDynamic(func(ev) time.Duration { return ms }))
		}, "IllegalArgument", "Window", "another type"},
		{"a join without function", func(p program) { p.join().Apply[ev](nil) }, "NullPointer", "Apply", ""},
		{"a join with negative lateness", func(p program) { p.join().AllowedLateness(-ms) }, "IllegalArgument", "AllowedLateness", "negative"},
		{"a join with a trigger that cannot merge", func(p program) {
			p.a.Join(p.b).Where(key).EqualTo(key).Window(EventTimeSession(5 * ms)).Trigger(ProcessingTimeoutTrigger(CountTrigger(1), ms))
		}, "UnsupportedOperation", "Trigger", "merg"},
		{"a coGroup with nothing", func(p program) { p.a.CoGroup[ev](nil) }, "NullPointer", "CoGroup", "stream"},
		{"a coGroup without evictor", func(p program) {
			p.a.CoGroup(p.b).Where(key).EqualTo(key).Window(TumblingEventTime(5 * ms)).Evictor(nil)
		}, "NullPointer", "Evictor", ""},

		{"an interval join with nothing", func(p program) { p.a.KeyBy(key).IntervalJoin[ev](nil) }, "NullPointer", "IntervalJoin", ""},
		{"an interval join with a stream of another environment", func(p program) {
			p.a.KeyBy(key).IntervalJoin(newProgram().b.KeyBy(key))
		}, "IllegalArgument", "IntervalJoin", "different environments"},
		{"an interval join in processing time", func(p program) { p.interval().InProcessingTime().Between(-ms, ms) }, "UnsupportedTimeCharacteristic", "Between", "event time only"},
		{"an interval whose bounds cross", func(p program) { p.interval().Between(ms, -ms).ProcessFunc(noPair) }, "IllegalArgument", "ProcessFunc", "lower"},
		{"an interval join of keys declared to be of different types", func(p program) {
			s := p.env.FromData[any]("x")
			id := func(v any) any { return v }
			s.KeyBy(id, KeyType(TypeOf[string]())).IntervalJoin(s.KeyBy(id, KeyType(TypeOf[int]()))).Between(0, 0).
				ProcessFunc(func(any, any, *ProcessJoinContext, Collector[ev]) error { return nil })
		}, "UnsupportedOperation", "IntervalJoin", "string|int"},
		{"an interval join without function", func(p program) { p.interval().Between(-ms, ms).Process[ev](nil) }, "NullPointer", "Process", ""},
		{"an interval join without tag", func(p program) { p.interval().Between(-ms, ms).SideOutputLeftLateData(OutputTag[ev]{}) }, "NullPointer", "SideOutputLeftLateData", ""},

		{"a loop closed by a stream from elsewhere", func(p program) { p.a.Iterate().CloseWith(p.b) }, "UnsupportedOperation", "CloseWith", "does not read|this iteration"},
		{"a loop closed with another parallelism", func(p program) {
			it := p.a.Iterate()
			it.CloseWith(it.Map(same).SetParallelism(3))
		}, "UnsupportedOperation", "CloseWith", "parallelism"},
		{"a loop that is none", func(p program) { p.a.CloseWith(p.a) }, "UnsupportedOperation", "CloseWith", "Iterate"},
		{"feedback of another type from elsewhere", func(p program) { p.a.Iterate().WithFeedbackType[ev]().CloseWith(p.b) }, "UnsupportedOperation", "CloseWith", "this iteration"},
		{"feedback of another type for no loop", func(p program) { p.a.WithFeedbackType[ev]() }, "UnsupportedOperation", "WithFeedbackType", "Iterate"},
		{"a loop closed with the parallelism that it had", func(p program) {
			it := p.a.Iterate()
			it.SetParallelism(2).CloseWith(it.Map(same).SetParallelism(1))
		}, "UnsupportedOperation", "CloseWith", "parallelism of the iteration, 2"},
		{"a loop of no subtask", func(p program) { p.a.Iterate().SetParallelism(0) }, "IllegalArgument", "SetParallelism", "at least 1"},
		{"a loop of no key group", func(p program) { p.a.Iterate().SetMaxParallelism(0) }, "IllegalArgument", "SetMaxParallelism", ""},
		{"a loop with a hash that is none", func(p program) { p.a.Iterate().UIDHash("12") }, "IllegalArgument", "UIDHash", "32"},
		{"a loop whose side output has another type", func(p program) {
			m := p.a.Map(same)
			m.GetSideOutput(late)
			m.KeyBy(key).Iterate().GetSideOutput(NewOutputTag[int](late.ID()))
		}, "UnsupportedOperation", "GetSideOutput", "another id"},
		{"a new chain from a loop on", func(p program) { p.a.Iterate().StartNewChain() }, "UnsupportedOperation", "StartNewChain", "chaining strategy|no operator of its own"},
		{"a loop without chains", func(p program) { p.a.Iterate().Name("loop").DisableChaining() }, "UnsupportedOperation", "DisableChaining", "chaining strategy|loop"},
		{"a loop with asynchronous state", func(p program) { p.a.KeyBy(key).Iterate().EnableAsyncState() }, "UnsupportedOperation", "EnableAsyncState", ""},
		{"a loop that is kept", func(p program) { p.a.Iterate().Cache() }, "IllegalState", "Cache", "no operator of its own"},
		{"keys of a loop with feedback of another type", func(p program) {
			p.a.Iterate().WithFeedbackType[ev]().KeyBy(key, key)
		}, "UnsupportedOperation", "KeyBy", "before"},

		{"the partitions of nobody", func(p program) { p.a.FullWindowPartition().MapPartition[ev](nil) }, "NullPointer", "MapPartition", ""},
		{"a reduce of partitions without function", func(p program) { p.a.FullWindowPartition().Reduce(nil) }, "NullPointer", "Reduce", ""},
		{"a sort by a position that no tuple has", func(p program) { p.a.FullWindowPartition().SortPartitionByPosition(1, Ascending) }, "InvalidProgram", "SortPartitionByPosition", "tuple"},
		{"a sort by a position before the first", func(p program) { p.a.FullWindowPartition().SortPartitionByPosition(0, Ascending) }, "IllegalArgument", "SortPartitionByPosition", "count from 1"},
		{"a sort by a field that is not there", func(p program) { p.a.FullWindowPartition().SortPartitionByField("W", Ascending) }, "InvalidProgram", "SortPartitionByField", "W"},

		{"an alignment without group", func(p program) { assign(p, ForMonotonousTimestamps[ev]().WithWatermarkAlignment("", ms)) }, "IllegalArgument", "AssignTimestampsAndWatermarks", "group"},
		{"an alignment without drift", func(p program) { assign(p, ForMonotonousTimestamps[ev]().WithWatermarkAlignment("g", 0)) }, "IllegalArgument", "AssignTimestampsAndWatermarks", "drift"},
		{"an alignment without interval", func(p program) { assign(p, ForMonotonousTimestamps[ev]().WithWatermarkAlignment("g", ms, 0)) }, "IllegalArgument", "AssignTimestampsAndWatermarks", "interval"},
		{"disorder below zero", func(p program) { assign(p, ForBoundedOutOfOrderness[ev](-ms)) }, "IllegalArgument", "AssignTimestampsAndWatermarks", "negative"},
		{"idle at once", func(p program) { assign(p, ForMonotonousTimestamps[ev]().WithIdleness(0)) }, "IllegalArgument", "AssignTimestampsAndWatermarks", "idle"},
		{"a strategy of nothing", func(p program) { assign(p, WatermarkStrategy[ev]{}) }, "NullPointer", "AssignTimestampsAndWatermarks", "empty"},
		{"a strategy without generator", func(p program) { assign(p, ForGenerator[ev](nil)) }, "NullPointer", "AssignTimestampsAndWatermarks", "generator"},
		{"a strategy without assigner", func(p program) { assign(p, ForMonotonousTimestamps[ev]().WithTimestampAssigner(nil)) }, "NullPointer", "AssignTimestampsAndWatermarks", "assigner"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram()
			c.do(p)
			isError(t, p.env.Err(), c.kind, c.call, c.says)
			if _, err := p.env.ExecutionPlan(); !errors.Is(err, p.env.Err()) {
				t.Errorf("the plan fails with %v", err)
			}
		})
	}
}

// TestMisuseFailsWithTheGraph: nothing is wrong before the graph is made.
func TestMisuseFailsWithTheGraph(t *testing.T) {
	for _, c := range []struct {
		name       string
		do         func(p program)
		kind, call string
		says       string
	}{
		{"a loop that is never closed", func(p program) { p.a.Iterate().Map(same) }, "IllegalState", "Iterate", "CloseWith"},
		{"a loop in batch mode", func(p program) {
			it := p.a.Iterate()
			it.CloseWith(it.Map(same).SetParallelism(1))
			p.env.SetRuntimeMode(Batch)
		}, "UnsupportedOperation", "Iterate", "BATCH"},
		{"a loop whose feedback of another type never comes", func(p program) {
			p.a.Iterate().WithFeedbackType[ev]().Map(same, same)
		}, "IllegalState", "Iterate", "CloseWith"},
		{"a loop in a job with checkpoints", func(p program) {
			it := p.a.Iterate()
			it.CloseWith(it.Map(same).SetParallelism(1))
			p.env.EnableCheckpointing(time.Second)
		}, "UnsupportedOperation", "EnableCheckpointing", "ForceCheckpoints"},
		{"a loop whose slots need what others of their group do not", func(p program) {
			p.a.Map(same).SlotSharingGroup("g", ResourceSpec{CPUCores: 1})
			it := p.b.Iterate().SlotSharingGroup("g", ResourceSpec{CPUCores: 2})
			it.CloseWith(it.Map(same).SetParallelism(1))
		}, "IllegalArgument", "SlotSharingGroup", "cpu=1.0|cpu=2.0"},
		{"a pre-keyed source before a new chain", func(p program) {
			p.a.ReinterpretAsKeyedStream(key).ProcessKeyed(&keyedSum{}).SetParallelism(1).StartNewChain()
		}, "IllegalState", "ReinterpretAsKeyedStream", "chain"},
		{"a pre-keyed source in another slot", func(p program) {
			p.a.ReinterpretAsKeyedStream(key).ProcessKeyed(&keyedSum{}).SetParallelism(1).SlotSharingGroup("other")
		}, "IllegalState", "ReinterpretAsKeyedStream", "chain"},
		{"a pre-keyed source in a job without chains", func(p program) {
			p.a.ReinterpretAsKeyedStream(key).ProcessKeyed(&keyedSum{}).SetParallelism(1)
			p.env.DisableOperatorChaining()
		}, "IllegalState", "ReinterpretAsKeyedStream", "chain"},
		{"forward to another parallelism", func(p program) { p.a.Forward().Map(same) }, "UnsupportedOperation", "Forward", "parallelism"},
		{"a reinterpreted stream that changes its parallelism", func(p program) {
			p.a.KeyBy(key).Map(same).SetParallelism(1).ReinterpretAsKeyedStream(key).ProcessKeyed(&keyedSum{})
		}, "UnsupportedOperation", "ReinterpretAsKeyedStream", "parallelism"},
		{"a pre-keyed source that is not chained", func(p program) {
			p.a.ReinterpretAsKeyedStream(key).ProcessKeyed(&keyedSum{}).SetParallelism(1).DisableChaining()
		}, "IllegalState", "ReinterpretAsKeyedStream", "chain"},
		{"nothing but a union", func(p program) { p.a.Union(p.b) }, "IllegalState", "Execute", "no operators"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram()
			c.do(p)
			if p.env.Err() != nil {
				t.Fatalf("at the call: %v", p.env.Err())
			}
			_, err := p.env.ExecutionPlan()
			isError(t, err, c.kind, c.call, c.says)
		})
	}
}

func assign(p program, s WatermarkStrategy[ev]) { p.a.AssignTimestampsAndWatermarks(s) }

func noPair(ev, ev, *ProcessJoinContext, Collector[ev]) error { return nil }

func isError(t *testing.T, err error, kind, call, says string) {
	t.Helper()
	var e *GraphError
	if !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	if e.Kind != kind || e.Call != call {
		t.Errorf("got %s at %s, want %s at %s: %v", e.Kind, e.Call, kind, call, err)
	}
	for word := range strings.SplitSeq(says, "|") {
		if !strings.Contains(e.Msg, word) {
			t.Errorf("%q does not say %q", e.Msg, word)
		}
	}
	if e.Pos == "" && call != "Execute" { // which is no call that builds
		t.Errorf("%v has no place", err)
	}
}

func TestReturnsMayBeCalledUntilTheTypeIsUsed(t *testing.T) {
	p := newProgram()
	p.a.Returns(TypeOf[ev]()).Name("n").Returns(TypeOf[ev]())
	m := p.a.Map(same)
	m.GetSideOutput(late)
	m.Returns(TypeOf[ev]())
	if p.env.Err() != nil {
		t.Error(p.env.Err())
	}
}

// TestGlobalWindowsOfTheEndBlock: what fires at the end of the input only gives a blocking edge.
func TestGlobalWindowsOfTheEndBlock(t *testing.T) {
	for name, c := range map[string]struct {
		make func(p program) *SingleOutputStreamOperator[ev]
		want string
	}{
		"at the end": {func(p program) *SingleOutputStreamOperator[ev] {
			return p.a.KeyBy(key).Window(GlobalWindowsEndOfStream()).Reduce(sumOf)
		}, "BLOCKING"},
		"at the end, by the trigger": {func(p program) *SingleOutputStreamOperator[ev] {
			return p.a.KeyBy(key).Window(GlobalWindows()).Trigger(EndOfStreamTrigger()).Reduce(sumOf)
		}, "BLOCKING"},
		"at the end, of all": {func(p program) *SingleOutputStreamOperator[ev] {
			return p.a.WindowAll(GlobalWindowsEndOfStream()).Reduce(sumOf)
		}, "BLOCKING"},
		"a join at the end": {func(p program) *SingleOutputStreamOperator[ev] {
			return p.a.Join(p.b).Where(key).EqualTo(key).Window(GlobalWindowsEndOfStream()).Apply(pair)
		}, "BLOCKING"},
		"another trigger": {func(p program) *SingleOutputStreamOperator[ev] {
			return p.a.KeyBy(key).Window(GlobalWindowsEndOfStream()).Trigger(CountTrigger(2)).Reduce(sumOf)
		}, "PIPELINED_BOUNDED"},
		"windows of time": {func(p program) *SingleOutputStreamOperator[ev] {
			return p.a.KeyBy(key).Window(TumblingEventTime(5 * ms)).Reduce(sumOf)
		}, "PIPELINED_BOUNDED"},
	} {
		p := newProgram()
		c.make(p).Rebalance().Map(same)
		g, err := p.env.JobGraph()
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Vertices[len(g.Vertices)-1].In[0].ResultType(); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}
