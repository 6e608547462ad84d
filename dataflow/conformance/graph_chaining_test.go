package conformance

import (
	"strconv"
	"strings"
	"time"

	df "flinkish/dataflow"
	"flinkish/dataflow/graph"
)

func text(s string) string     { return s }
func always(string) bool       { return true }
func first(a, _ string) string { return a }

// source is a stream with one record.
func source(env *df.StreamExecutionEnvironment, name string) *df.SingleOutputStreamOperator[string] {
	return env.FromData("x").Name(name)
}

// mapped adds a map that changes nothing.
func mapped(s df.Stream[string], name string) *df.SingleOutputStreamOperator[string] {
	return streamOf(s).Map(text).Name(name)
}

// drawn compares the graph of a program with the case.
func drawn(build func(env *df.StreamExecutionEnvironment), opts ...df.EnvOption) Func {
	return func(t *T) {
		env := t.Env(opts...)
		build(env)
		t.Graph(env)
	}
}

// raw compares the graph of transformations that no call of the API makes.
func (t *T) raw(c graph.Config, ts ...*graph.Transformation) {
	for i, tr := range ts {
		tr.ID, tr.Parallelism, tr.BufferTimeout = i+1, t.Parallelism, graph.DefaultBufferTimeout
	}
	g, err := graph.Generate(ts, c)
	if err != nil {
		t.Fatalf("graph: %v", err)
	}
	j, err := graph.JobGraphOf(g)
	if err != nil {
		t.Fatalf("graph: %v", err)
	}
	t.JobGraph(j)
}

// perKey tells what it sees: each record with its number within the key, and the end of the key's time.
type perKey struct{ n df.ValueState[int] }

func (p *perKey) Open(ctx *df.RuntimeContext) error {
	p.n = ctx.State(df.NewValueStateDescriptor[int]("n"))
	return nil
}

func (p *perKey) ProcessElement(v kv, ctx *df.KeyedContext[string], out df.Collector[string]) error {
	n, _ := p.n.Get()
	p.n.Update(n + 1)
	ctx.TimerService().RegisterEventTimeTimer(1)
	out.Collect("record " + v.F0 + " " + strconv.Itoa(n+1))
	return nil
}

func (p *perKey) OnTimer(_ int64, ctx *df.OnTimerContext[string], out df.Collector[string]) error {
	n, _ := p.n.Get()
	out.Collect("timer " + ctx.CurrentKey() + " " + strconv.Itoa(n))
	return nil
}

// batchKeyed runs a keyed operator in BATCH mode and tells from its results how it got its records.
func batchKeyed(t *T) {
	env := t.Env()
	p := env.FromData(AllAs[kv](t.Input)...).KeyBy(keyOf).ProcessKeyed(&perKey{}).Name("p")
	g, err := env.StreamGraph()
	if err != nil {
		t.Fatalf("graph: %v", err)
	}
	node := g.Nodes[len(g.Nodes)-1]
	got := Collect(t, p)
	runs, timers, counts := keyRuns(got)
	t.Same([][2]any{{"name", node.T.Name}, {"inputs_sorted", runs}, {"chaining", node.Chaining.String()}}, t.Expect.At("operator"))
	t.Same(timers, t.Expect.At("single_key_timers"))
	t.Same(counts, t.Expect.At("single_key_state"))
}

// keyRuns reports whether each key came in one run, whether its timer fired at the end of the run, and whether its state
// counted the run.
func keyRuns(got []string) (sorted, timers, counts bool) {
	sorted, timers, counts = true, true, true
	seen := map[string]bool{}
	key, n, open := "", 0, false
	for _, line := range got {
		f := strings.Fields(line)
		if f[0] == "timer" {
			timers = timers && open && f[1] == key
			counts = counts && f[2] == strconv.Itoa(n)
			open = false
			continue
		}
		if f[1] != key {
			timers = timers && !open
			sorted = sorted && !seen[f[1]]
			key, n, open = f[1], 0, true
			seen[key] = true
		}
		n++
		counts = counts && f[2] == strconv.Itoa(n)
	}
	return sorted && len(seen) > 1, timers && !open, counts
}

var _ = register(map[string]Func{
	"GR-all-chained-p1": drawn(func(env *df.StreamExecutionEnvironment) {
		mapped(source(env, "src"), "m").Filter(always).Name("f").Print().Name("s")
	}),
	"GR-chain-start-end": drawn(func(env *df.StreamExecutionEnvironment) { mapped(source(env, "src"), "m").Print().Name("p") }),
	"GR-set-parallelism-3-vertices": drawn(func(env *df.StreamExecutionEnvironment) {
		s := env.FromSequence(1, 2).Name("src").Map(strconvs).Name("m").SetParallelism(10)
		s.Print().Name("p").SetParallelism(20)
	}),
	"GR-same-parallelism-set-explicitly": drawn(func(env *df.StreamExecutionEnvironment) {
		env.FromSequence(1, 2).Name("src").Map(strconvs).Name("m").Print().Name("p").SetParallelism(env.Parallelism())
	}),
	"GR-keyby-breaks": drawn(func(env *df.StreamExecutionEnvironment) {
		mapped(source(env, "src"), "m").Filter(always).Name("f").KeyBy(text).Reduce(first).Name("r").Print().Name("s")
	}),
	"GR-disable-chaining-op": drawn(func(env *df.StreamExecutionEnvironment) {
		b := mapped(mapped(source(env, "src"), "a"), "b").DisableChaining()
		mapped(b, "c").Print().Name("s")
	}),
	"GR-start-new-chain": drawn(func(env *df.StreamExecutionEnvironment) {
		b := mapped(mapped(source(env, "src"), "a"), "b").StartNewChain()
		mapped(b, "c").Print().Name("s")
	}),
	"GR-env-disable-chaining": drawn(func(env *df.StreamExecutionEnvironment) {
		env.DisableOperatorChaining()
		mapped(source(env, "src"), "a").Print().Name("s")
	}),
	"GR-slot-sharing-group-breaks": drawn(func(env *df.StreamExecutionEnvironment) {
		mapped(source(env, "src").SlotSharingGroup("a"), "m").SlotSharingGroup("b").Print().Name("s")
	}),
	"GR-exchange-pipelined": drawn(func(env *df.StreamExecutionEnvironment) {
		mapped(source(env, "src").Forward(), "m").Rescale().Print().Name("p").SetParallelism(2)
	}),
	"GR-batch-all-exchanges": drawn(func(env *df.StreamExecutionEnvironment) {
		env.DisableOperatorChaining()
		b := mapped(mapped(source(env, "src"), "a").SetParallelism(1).Rescale(), "b")
		mapped(b.Rebalance(), "c").KeyBy(text).Map(text).Name("d").Print().Name("s")
	}),
	"GR-batch-keyed-head": batchKeyed,
	"GR-union-keeps-partitioning": drawn(func(env *df.StreamExecutionEnvironment) {
		in4 := mapped(source(env, "src4"), "in4").SetParallelism(2)
		in5 := mapped(source(env, "src5"), "in5").SetParallelism(4)
		mapped(in4.Broadcast().Union(in5), "m").SetParallelism(4)
	}),
	"GR-last-partitioning-wins": drawn(func(env *df.StreamExecutionEnvironment) {
		mapped(mapped(source(env, "src"), "r").Rebalance().Global().Shuffle().Broadcast(), "b")
	}),
	"GR-union-order-stable": drawn(func(env *df.StreamExecutionEnvironment) {
		var maps []df.Stream[string]
		for _, n := range []string{"1", "2", "3", "4"} {
			maps = append(maps, mapped(source(env, "source"+n), "map"+n))
		}
		streamOf(maps[0]).Union(maps[1:]...).Print()
	}),
	"GR-connect-vertices": drawn(func(env *df.StreamExecutionEnvironment) {
		source(env, "a").Connect(source(env, "b")).Map(text, text).Name("co").Print().Name("s")
	}),
	"GR-connect-keyed": drawn(func(env *df.StreamExecutionEnvironment) {
		source(env, "a").Connect(source(env, "b")).KeyBy(text, text).Map(text, text).Name("co")
	}),
	"GR-multiple-input-naming-not-chained": func(t *T) {
		var ts []*graph.Transformation
		for _, n := range []string{"1", "2", "3"} {
			ts = append(ts, &graph.Transformation{Kind: graph.Source, Name: "source-" + n, Bounded: true})
		}
		mit := &graph.Transformation{Kind: graph.Operator, Name: "mit", Inputs: ts[:3:3], Chaining: graph.Never}
		over := &graph.Transformation{Kind: graph.Partition, Inputs: []*graph.Transformation{mit}, Partitioning: graph.Rebalance}
		t.raw(graph.Config{Chaining: true}, append(ts, mit, over,
			&graph.Transformation{Kind: graph.Operator, Name: "sink", Part: "Writer", Inputs: []*graph.Transformation{over}, Yielding: true})...)
	},
	"GR-cascading-description": drawn(func(env *df.StreamExecutionEnvironment) {
		src := source(env, "source").Description("test source")
		for _, n := range []string{"1", "2"} {
			m := mapped(src, "map"+n).Description("x + " + n)
			m.Print().Description("first print of map" + n)
			m.Print().Description("second print of map" + n)
		}
	}, df.WithCascadingDescriptions()),
	"GR-vertex-index-prefix": func(t *T) {
		for key, opts := range map[string][]df.EnvOption{"vertex_names": {df.WithVertexIndexPrefix()}, "without_option": nil} {
			env := t.Env(opts...).DisableOperatorChaining()
			s1, s2 := source(env, "source1"), source(env, "source2")
			mapped(s1, "map1")
			mapped(s2, "map2")
			g, err := env.JobGraph()
			if err != nil {
				t.Fatalf("graph: %v", err)
			}
			t.Same(graphFacts["vertex_names"](g), t.Expect.At(key))
		}
	},
	"GR-new-source-yielding": drawn(func(env *df.StreamExecutionEnvironment) {
		y := mapped(mapped(source(env, "src"), "a"), "y")
		y.Transformation().Yielding = true
		y.Print().Name("s")
	}),
	"GR-iteration-vertices": drawn(func(env *df.StreamExecutionEnvironment) {
		it := mapped(source(env, "source"), "in").Iterate(df.MaxWait(3000 * time.Millisecond))
		f := mapped(it, "map").Filter(always).Name("filter")
		it.CloseWith(f)
		f.Print()
	}),
	"GR-side-output-no-vertex": drawn(func(env *df.StreamExecutionEnvironment) {
		p := mapped(source(env, "src"), "p")
		p.Print().Name("s1")
		mapped(p.GetSideOutput(df.NewOutputTag[string]("tag")), "m").Print().Name("s2")
	}),
	"GR-max-parallelism-inherit": drawn(func(env *df.StreamExecutionEnvironment) {
		env.SetMaxParallelism(4)
		mapped(source(env, "source"), "map").SetMaxParallelism(10).Print().Name("print").SetMaxParallelism(20)
	}),
})

func strconvs(n int64) string { return strconv.FormatInt(n, 10) }
