package conformance

import (
	"slices"
	"strconv"
	"time"

	df "flinkish/dataflow"
)

// manyKeys is a stream of the input's records, with a key that goes round the input's keys.
func manyKeys(t *T) *df.DataStreamSource[kv] {
	env := t.Env().SetMaxParallelism(As[int](t.Input.At("max_parallelism")))
	var all []kv
	for i := range As[int](t.Input.At("records")) {
		all = append(all, kv{F0: strconv.Itoa(i % As[int](t.Input.At("keys"))), F1: 1})
	}
	return env.FromData(all...)
}

// again keys a stream, keeps the keys, and takes the result as keyed.
func again(s *df.DataStream[kv]) *byKey {
	return s.KeyBy(keyOf).Map(func(v kv) kv { return v }).Name("m").ReinterpretAsKeyedStream(keyOf)
}

// reinterpreted is the program of the graph cases.
func reinterpreted(t *T) *df.StreamExecutionEnvironment {
	env := t.Env()
	source := env.FromData(kv{F0: "a", F1: 1}).Name("source")
	again(&source.DataStream).ProcessKeyedFunc(func(v kv, _ *df.KeyedContext[string], out df.Collector[kv]) { out.Collect(v) }).
		Name("p").Print().Name("s")
	return env
}

// chains compares the vertices of the program, each as the names in its chain.
func (t *T) chains(env *df.StreamExecutionEnvironment) {
	g, err := env.JobGraph()
	if err != nil {
		t.Fatalf("%v", err)
	}
	vertices := [][]string{}
	type edge struct{ from, to, partitioner string }
	edges := []edge{}
	inner := map[string]string{}
	for _, v := range g.Vertices {
		var names []string
		for _, n := range v.Chain {
			names = append(names, n.T.Name)
			for _, e := range n.In {
				if g.Chained(e) {
					inner[e.From.T.Name+"_to_"+e.To.T.Name] = e.Partitioning.String()
				}
			}
		}
		vertices = append(vertices, names)
		for _, e := range v.In {
			edges = append(edges, edge{e.Edge.From.T.Name, e.Edge.To.T.Name, e.Edge.Partitioning.String()})
		}
	}
	t.Equal(vertices, t.Expect.At("vertices"))
	if want := t.Expect.At("edges"); want.Exists() {
		if len(want.List()) != len(edges) {
			t.Fatalf("got the edges %v", edges)
		}
		for i, w := range want.List() {
			t.Equal(edges[i].from, w.At("from"))
			t.Equal(edges[i].to, w.At("to"))
			t.Equal(edges[i].partitioner, w.At("partitioner"))
		}
	}
	if want := t.Expect.At("inner_partitioner_m_to_p"); want.Exists() {
		t.Equal(inner["m_to_p"], want)
	}
}

var _ = register(map[string]Func{
	"RK-sum-after-key-preserving-map": func(t *T) {
		last := map[string]int{}
		for _, v := range Collect(t, again(&manyKeys(t).DataStream).Sum(1)) {
			last[v.F0] = v.F1
		}
		total, each := 0, []int{}
		for _, n := range last {
			total += n
			each = append(each, n)
		}
		slices.Sort(each)
		t.Equal(len(last), t.Expect.At("keys"))
		t.Equal(slices.Compact(each), t.Expect.At("each"))
		t.Equal(total, t.Expect.At("total"))
	},
	"RK-graph": func(t *T) { t.chains(reinterpreted(t)) },
	"RK-windowed": func(t *T) {
		at := df.ForMonotonousTimestamps[kv]().WithTimestampAssigner(func(kv, int64) int64 { return 500 })
		stamped := manyKeys(t).AssignTimestampsAndWatermarks(at)
		sums := again(&stamped.DataStream).Window(df.TumblingEventTime(time.Second)).Reduce(add)
		total := 0
		sums.AddSinkFunc(func(v kv) error { total += v.F1; return nil }).SetParallelism(1)
		if got := tried(sums.Env()); got.err != nil {
			t.Fatalf("%v", got.err)
		}
		t.Equal(total, t.Expect.At("output_sum"))
	},
	"RK-batch": func(t *T) {
		env := reinterpreted(t)
		t.chains(env)
		if got := tried(env); got.err != nil {
			t.Errorf("%v", got.err)
		}
	},
})
