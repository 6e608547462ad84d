package dataflow_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

func self(s string) string { return s }

func TestChainsAreFlinks(t *testing.T) {
	for _, c := range []struct {
		name        string
		parallelism int
		build       func(env *StreamExecutionEnvironment)
		want        string
	}{
		{"equal parallelism chains completely", 1, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).Filter(func(string) bool { return true }).Print()
		}, "0 Source: Collection Source -> Map -> Filter -> Sink: Print to Std. Out x1"},
		{"a change of parallelism rebalances", 2, func(env *StreamExecutionEnvironment) {
			env.FromData("a").Map(self).Print()
		}, "0 Source: Collection Source x1\n1 Map -> Sink: Print to Std. Out x2 <-REBALANCE- 0"},
		{"keyBy breaks the chain", 1, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).KeyBy(self).Reduce(func(a, b string) string { return a }).Print()
		}, "0 Source: Collection Source -> Map x1\n1 Keyed Reduce -> Sink: Print to Std. Out x1 <-HASH- 0"},
		{"disableChaining cuts both sides", 1, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).Name("a").Map(self).Name("b").DisableChaining().Map(self).Name("c").Print()
		}, "0 Source: Collection Source -> a x1\n1 b x1 <-FORWARD- 0\n2 c -> Sink: Print to Std. Out x1 <-FORWARD- 1"},
		{"startNewChain cuts towards the input", 1, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).Name("a").Map(self).Name("b").StartNewChain().Map(self).Name("c").Print()
		}, "0 Source: Collection Source -> a x1\n1 b -> c -> Sink: Print to Std. Out x1 <-FORWARD- 0"},
		{"chaining can be off for the job", 1, func(env *StreamExecutionEnvironment) {
			env.DisableOperatorChaining()
			env.FromElements("a").Map(self).Print()
		}, "0 Source: Collection Source x1\n1 Map x1 <-FORWARD- 0\n2 Sink: Print to Std. Out x1 <-FORWARD- 1"},
		{"slot sharing groups break chains and are inherited", 1, func(env *StreamExecutionEnvironment) {
			s := env.FromElements("a")
			s.SlotSharingGroup("a")
			s.Map(self).SlotSharingGroup("b").Print()
		}, "0 Source: Collection Source x1\n1 Map -> Sink: Print to Std. Out x1 <-FORWARD- 0"},
		{"the last partitioning wins", 1, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).Rebalance().Global().Shuffle().Broadcast().Map(self).Name("b")
		}, "0 Source: Collection Source -> Map x1\n1 b x1 <-BROADCAST- 0"},
		{"each branch of a union keeps its partitioning", 4, func(env *StreamExecutionEnvironment) {
			a := env.FromElements("a").Map(self).Name("p2").SetParallelism(2)
			b := env.FromElements("b").Map(self).Name("p4")
			a.Broadcast().Union(b).Map(self).Name("m")
		}, "0 Source: Collection Source x1\n1 Source: Collection Source x1\n2 p2 x2 <-REBALANCE- 0\n3 p4 x4 <-REBALANCE- 1\n4 m x4 <-BROADCAST- 2 <-FORWARD- 3"},
		{"two inputs start a chain", 1, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Connect(env.FromElements("b")).Map(self, self).Print()
		}, "0 Source: Collection Source x1\n1 Source: Collection Source x1\n2 Co-Map -> Sink: Print to Std. Out x1 <-FORWARD- 0 <-FORWARD- 1"},
		{"side outputs chain and branch", 1, func(env *StreamExecutionEnvironment) {
			p := env.FromElements("a").Map(self).Name("p")
			p.Print()
			p.GetSideOutput(NewOutputTag[string]("tag")).Map(self).Name("m").Print()
		}, "0 Source: Collection Source -> p -> (Sink: Print to Std. Out, m -> Sink: Print to Std. Out) x1"},
		{"timestamps take the parallelism of their input", 4, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").AssignTimestampsAndWatermarks(NoWatermarks[string]()).Print()
		}, "0 Source: Collection Source -> Timestamps/Watermarks x1\n1 Sink: Print to Std. Out x4 <-REBALANCE- 0"},
		{"windows are named after their assigner", 2, func(env *StreamExecutionEnvironment) {
			env.FromElements("a").KeyBy(self).Window(TumblingEventTime(5 * time.Second)).Reduce(func(a, b string) string { return a })
		}, "0 Source: Collection Source x1\n1 TumblingEventTimeWindows x2 <-HASH- 0"},
		{"reinterpretAsKeyedStream keeps the chain", 2, func(env *StreamExecutionEnvironment) {
			fold := func(a, b string) string { return a }
			env.FromElements("a").KeyBy(self).Reduce(fold).ReinterpretAsKeyedStream(self).Reduce(fold)
		}, "0 Source: Collection Source x1\n1 Keyed Reduce -> Keyed Reduce x2 <-HASH- 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := NewEnv(WithParallelism(c.parallelism))
			c.build(env)
			g, err := env.JobGraph()
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Check(); err != nil {
				t.Error(err)
			}
			if got := strings.TrimSpace(g.String()); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestDescriptionsOfWindows(t *testing.T) {
	env := NewEnv(WithParallelism(1))
	fold := func(a, b string) string { return a }
	k := env.FromElements("a").KeyBy(self)
	for want, tr := range map[string]*Transformation{
		"Window(TumblingEventTimeWindows(5000), EventTimeTrigger, ReduceFunction, PassThroughWindowFunction)":                       k.Window(TumblingEventTime(5 * time.Second)).Reduce(fold).Transformation(),
		"Window(GlobalWindows(trigger=NeverTrigger), PurgingTrigger, ReduceFunction, PassThroughWindowFunction)":                    k.CountWindow(3).Reduce(fold).Transformation(),
		"Window(SlidingProcessingTimeWindows(10000, 5000), ProcessingTimeTrigger, ComparableAggregator, PassThroughWindowFunction)": k.Window(SlidingProcessingTime(10*time.Second, 5*time.Second)).Max(0).Transformation(),
	} {
		if tr.Description != want {
			t.Errorf("got  %s\nwant %s", tr.Description, want)
		}
	}
	all := env.FromElements("a").WindowAll(TumblingEventTime(time.Second)).Reduce(fold).Transformation()
	if got := all.Description; !strings.HasPrefix(got, "TriggerWindow(TumblingEventTimeWindows(1000), ") || !strings.Contains(got, "EventTimeTrigger(), AllWindowedStream.reduce(graph_test.go:") {
		t.Errorf("got %s", got)
	}
}

func TestThePlanIsFlinksJSON(t *testing.T) {
	env := NewEnv(WithParallelism(2))
	env.FromElements("a").Map(self).KeyBy(self).Reduce(func(a, b string) string { return a }).Print()
	text, err := env.ExecutionPlan()
	if err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Nodes []struct {
			ID           int
			Type, Pact   string
			Parallelism  int
			Predecessors []struct {
				ID           int
				ShipStrategy string `json:"ship_strategy"`
				Side         string
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		t.Fatal(err)
	}
	want := []string{"Source: Collection Source|Data Source|", "Map|Operator|REBALANCE second", "Keyed Reduce|Operator|HASH second", "Sink: Print to Std. Out|Data Sink|FORWARD second"}
	var got []string
	for _, n := range plan.Nodes {
		line := n.Type + "|" + n.Pact + "|"
		for _, p := range n.Predecessors {
			line += p.ShipStrategy + " " + p.Side
		}
		got = append(got, line)
	}
	same(t, got, want)
	if again, _ := env.ExecutionPlan(); again != text {
		t.Error("the plan changed the program")
	}
}

func TestKeyGroupsAreInherited(t *testing.T) {
	env := NewEnv(WithParallelism(1)).SetMaxParallelism(4).DisableOperatorChaining()
	env.FromElements("a").Map(self).SetMaxParallelism(10).Print().SetMaxParallelism(20)
	g, err := env.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, v := range g.Vertices {
		got = append(got, v.MaxParallelism)
	}
	same(t, got, []int{4, 10, 20})
}
