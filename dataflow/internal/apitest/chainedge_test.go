package apitest_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

func smaller(a, b int) int { return min(a, b) }

func nothing(iter.Seq[int], Collector[int]) {}

// pass is a function of two streams of every kind.
type pass struct{}

func (pass) ProcessElement1(v int, _ *KeyedContext[int], out Collector[int]) error { return nil }
func (pass) ProcessElement2(v int, _ *KeyedContext[int], out Collector[int]) error { return nil }

// TestChainsAtTheirEdges: which operators make a task, at which parallelism, and how the tasks are linked.
func TestChainsAtTheirEdges(t *testing.T) {
	const src = "Source: Collection Source"
	tumbling := TumblingEventTime(5 * time.Second)
	for _, c := range []struct {
		name        string
		parallelism int
		build       func(e *StreamExecutionEnvironment)
		want        string
	}{
		{"a union with itself has two edges and no chain", 1, func(e *StreamExecutionEnvironment) {
			s := e.FromElements(1).Map(one)
			s.Union(s).Map(one).Name("m")
		}, "0 SRC -> Map x1\n1 m x1 <-FORWARD- 0 <-FORWARD- 0"},
		{"timestamps behind a union have the parallelism of its first stream", 4, func(e *StreamExecutionEnvironment) {
			a, b := e.FromSequence(1, 9).SetParallelism(2), e.FromSequence(1, 9).SetParallelism(3)
			a.Union(b).AssignTimestampsAndWatermarks(NoWatermarks[int64]())
		}, "0 Source: Sequence Source x2\n1 Source: Sequence Source x3\n2 Timestamps/Watermarks x2 <-FORWARD- 0 <-REBALANCE- 1"},
		{"the last word on chaining counts: a new chain", 1, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).Map(one).Name("a").DisableChaining().StartNewChain().Map(one).Name("b")
		}, "0 SRC x1\n1 a -> b x1 <-FORWARD- 0"},
		{"the last word on chaining counts: no chain", 1, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).Map(one).Name("a").StartNewChain().DisableChaining().Map(one).Name("b")
		}, "0 SRC x1\n1 a x1 <-FORWARD- 0\n2 b x1 <-FORWARD- 1"},
		{"a sink may stay out of the chain", 1, func(e *StreamExecutionEnvironment) { e.FromElements(1).Print().DisableChaining() },
			"0 SRC x1\n1 Sink: Print to Std. Out x1 <-FORWARD- 0"},
		{"max parallelism does not break a chain", 2, func(e *StreamExecutionEnvironment) {
			e.FromSequence(1, 2).Map(func(v int64) int { return 0 }).SetMaxParallelism(10).Map(one).SetMaxParallelism(20)
		}, "0 Source: Sequence Source -> Map -> Map x2"},
		{"a partition function is a task of its own, as wide as its input", 4, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).FullWindowPartition().MapPartition(nothing).Map(one)
		}, "0 SRC x1\n1 MapPartition x1 <-FORWARD- 0\n2 Map x4 <-REBALANCE- 1"},
		{"other partition operators chain", 4, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).FullWindowPartition().SortPartition(one, Ascending).FullWindowPartition().Reduce(smaller)
		}, "0 SRC -> SortPartition -> PartitionReduce x1"},
		{"partitions of keys", 2, func(e *StreamExecutionEnvironment) {
			k := e.FromElements(1).KeyBy(one)
			k.FullWindowPartition().SortPartition(one, Ascending)
			k.FullWindowPartition().Reduce(smaller)
		}, "0 SRC x1\n1 KeyedSortPartition x1 <-HASH- 0\n2 GlobalWindows x2 <-HASH- 0"},
		{"windows without a key are one subtask behind a hash", 4, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).Map(one).WindowAll(tumbling).Reduce(smaller).Map(one)
		}, "0 SRC x1\n1 Map x4 <-REBALANCE- 0\n2 TumblingEventTimeWindows x1 <-HASH- 1\n3 Map x4 <-REBALANCE- 2"},
		{"one subtask by force", 4, func(e *StreamExecutionEnvironment) { e.FromElements(1).Map(one).ForceNonParallel() }, "0 SRC -> Map x1"},
		{"the parallelism of the environment is that of the call", 2, func(e *StreamExecutionEnvironment) {
			m := e.FromElements(1).Map(one)
			e.SetParallelism(3)
			m.Map(one).Name("b")
		}, "0 SRC x1\n1 Map x2 <-REBALANCE- 0\n2 b x3 <-REBALANCE- 1"},
		{"the second key counts", 2, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).KeyBy(one).KeyBy(func(v int) int { return v + 1 }).Reduce(smaller)
		}, "0 SRC x1\n1 Keyed Reduce x2 <-HASH- 0"},
		{"keyBy counts behind rebalance", 2, func(e *StreamExecutionEnvironment) { e.FromElements(1).Rebalance().KeyBy(one).Map(one) }, "0 SRC x1\n1 Map x2 <-HASH- 0"},
		{"an explicit forward chains like none", 1, func(e *StreamExecutionEnvironment) { e.FromElements(1).Forward().Map(one) }, "0 SRC -> Map x1"},
		{"a rescale never chains", 1, func(e *StreamExecutionEnvironment) { e.FromElements(1).Rescale().Map(one) }, "0 SRC x1\n1 Map x1 <-RESCALE- 0"},
		{"collecting is one subtask", 2, func(e *StreamExecutionEnvironment) { e.FromElements(1).Map(one).CollectAsync() },
			"0 SRC x1\n1 Map x2 <-REBALANCE- 0\n2 Sink: Data stream collect sink x1 <-REBALANCE- 1"},
		{"names keep their prefixes", 1, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).Name("in").AddSinkFunc(func(int) error { return nil }).Name("out")
		}, "0 Source: in -> Sink: out x1"},
		{"a sink without a name", 1, func(e *StreamExecutionEnvironment) { e.FromElements(1).AddSinkFunc(func(int) error { return nil }) }, "0 SRC -> Sink: Unnamed x1"},
		{"functions of two keyed streams", 2, func(e *StreamExecutionEnvironment) {
			k := e.FromElements(1).KeyBy(one)
			k.Connect(k).ProcessKeyed(pass{})
			k.IntervalJoin(k).Between(0, 0).ProcessFunc(func(_, _ int, _ *ProcessJoinContext, _ Collector[int]) error { return nil })
		}, "0 SRC x1\n1 Co-Keyed-Process x2 <-HASH- 0 <-HASH- 0\n2 Interval Join x2 <-HASH- 0 <-HASH- 0"},
		{"the taggers of a join have the parallelism of their inputs", 4, func(e *StreamExecutionEnvironment) {
			e.FromElements(1).Join(e.FromElements(2).Map(one).SetParallelism(2)).Where(one).EqualTo(one).Window(tumbling).Apply(smaller)
		}, "0 SRC -> Map x1\n1 SRC x1\n2 Map -> Map x2 <-REBALANCE- 1\n3 TumblingEventTimeWindows x4 <-HASH- 0 <-HASH- 2"},
		{"in batch a keyed operator is a head, and what follows chains", 1, func(e *StreamExecutionEnvironment) {
			e.SetRuntimeMode(Batch).FromElements(1).Map(one).KeyBy(one).Reduce(smaller).Map(one).Print()
		}, "0 SRC -> Map x1\n1 Keyed Reduce -> Map -> Sink: Print to Std. Out x1 <-HASH- 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewEnv(WithParallelism(c.parallelism))
			c.build(e)
			g, err := e.JobGraph()
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Check(); err != nil {
				t.Error(err)
			}
			if got, want := strings.TrimSpace(g.String()), strings.ReplaceAll(c.want, "SRC", src); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestNamesOfWindowsWithoutAKey: some calls name the operator by its assigner, the others by the whole text.
func TestNamesOfWindowsWithoutAKey(t *testing.T) {
	all := func() *AllWindowedStream[int, TimeWindow] {
		return env().FromElements(1).WindowAll(SlidingEventTime(6*time.Second, 2*time.Second))
	}
	const short, long = "SlidingEventTimeWindows", "TriggerWindow(SlidingEventTimeWindows(6000, 2000), "
	for call, c := range map[string]struct {
		s     *SingleOutputStreamOperator[int]
		short bool
	}{
		"reduce": {all().Reduce(smaller), true},
		"sum":    {all().Sum(0), true},
		"apply":  {all().Apply(func(_ TimeWindow, _ iter.Seq[int], _ Collector[int]) {}), false},
	} {
		tr := c.s.Transformation()
		if !strings.HasPrefix(tr.Description, long) || !strings.Contains(tr.Description, "EventTimeTrigger(), AllWindowedStream."+call+"(chainedge_test.go:") {
			t.Errorf("%s is described as %s", call, tr.Description)
		}
		if want := map[bool]string{true: short, false: tr.Description}[c.short]; tr.Name != want {
			t.Errorf("%s has the name %s, want %s", call, tr.Name, want)
		}
	}
}

// TestDescriptionsOfKeyedWindows are those with an evictor, a trigger, and sessions.
func TestDescriptionsOfKeyedWindows(t *testing.T) {
	k := env().FromElements(1).KeyBy(one)
	pass := func(_ int, _ TimeWindow, _ iter.Seq[int], _ Collector[int]) {}
	for want, s := range map[string]*SingleOutputStreamOperator[int]{
		"Window(EventTimeSessionWindows(3000), EventTimeTrigger, WindowFunction)":                                            k.Window(EventTimeSession(3 * time.Second)).Apply(pass),
		"Window(TumblingProcessingTimeWindows(7), ContinuousProcessingTimeTrigger, WindowFunction)":                          k.Window(TumblingProcessingTime(7 * time.Millisecond)).Trigger(ContinuousProcessingTimeTrigger(time.Second)).Apply(pass),
		"Window(TumblingEventTimeWindows(7), EventTimeTrigger, TimeEvictor, WindowFunction)":                                 k.Window(TumblingEventTime(7 * time.Millisecond)).Evictor(TimeEvictor(time.Second)).Apply(pass),
		"Window(TumblingEventTimeWindows(7), EventTimeTrigger, SumAggregator, PassThroughWindowFunction)":                    k.Window(TumblingEventTime(7 * time.Millisecond)).Sum(0),
		"Window(DynamicEventTimeSessionWindows(), EventTimeTrigger, ComparableAggregator, PassThroughWindowFunction)":        k.Window(EventTimeSessionDynamic(func(int) time.Duration { return 1 })).MinBy(0),
		"Window(GlobalWindows(trigger=NeverTrigger), CountTrigger, CountEvictor, ReduceFunction, PassThroughWindowFunction)": k.CountWindow(4, CountSlide(2)).Reduce(smaller),
	} {
		if got := s.Transformation().Description; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestBothPlansAreFlinksJSON reads the fields of a plan of operators and one of tasks.
func TestBothPlansAreFlinksJSON(t *testing.T) {
	e := NewEnv(WithParallelism(2))
	m := e.FromElements(1).UID("source-1").Map(one).UID("foo").Description(`a <b> \ "c"`)
	m.KeyBy(one).Reduce(smaller).Union(m).Map(one).Name("last").Print()
	plan, err := e.ExecutionPlan()
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Nodes []map[string]any }
	if err := json.Unmarshal([]byte(plan), &p); err != nil {
		t.Fatal(err)
	}
	first := p.Nodes[0]["id"].(float64)
	var got []string
	for _, n := range p.Nodes {
		line := fmt.Sprint(n["id"].(float64)-first, " ", n["type"], ", ", n["pact"], ", ", n["contents"], ", ", n["parallelism"])
		ins, _ := n["predecessors"].([]any)
		for _, in := range ins {
			in := in.(map[string]any)
			line += fmt.Sprint(" <-", in["id"].(float64)-first, " ", in["ship_strategy"], " ", in["side"])
		}
		got = append(got, line)
	}
	// The key, the union and the sink have numbers of their own; only the sink is drawn, after all others.
	want := []string{
		"0 Source: Collection Source, Data Source, Source: Collection Source, 1",
		"1 Map, Operator, a <b> \\ \"c\", 2 <-0 REBALANCE second",
		"3 Keyed Reduce, Operator, Keyed Reduce, 2 <-1 HASH second",
		"5 last, Operator, last, 2 <-3 FORWARD second <-1 FORWARD second",
		"6 Sink: Print to Std. Out, Data Sink, Sink: Print to Std. Out, 2 <-5 FORWARD second",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	g, err := e.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	// The ids are murmur3 of the uids, 128 bits.
	if a, b := g.Vertices[0].ID, g.Vertices[1].ID; a != "f0bd8a29f4afd2e5cc43b41a168f6ab5" || b != "6145f501578671e2877dba2be487af7e" {
		t.Errorf("got the ids %s and %s", a, b)
	}
}
