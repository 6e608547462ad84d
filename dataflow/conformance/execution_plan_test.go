package conformance

import (
	"encoding/json"
	"slices"
	"strings"

	df "flinkish/dataflow"
)

// planOf is the plan of a program: its nodes, each with its fields in order, and its text.
func (t *T) planOf(env *df.StreamExecutionEnvironment) (nodes []map[string]any, text string) {
	text, err := env.ExecutionPlan()
	if err != nil {
		t.Fatalf("plan: %v", err)
	}
	var plan struct {
		Nodes []map[string]any `json:"nodes"`
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		t.Fatalf("plan: %v", err)
	}
	return plan.Nodes, text
}

// fieldsOf are the names of the fields of the first node of a plan that has predecessors, in the order of the text.
func fieldsOf(text string) []any {
	var fields []any
	for _, line := range strings.Split(text, "\n") {
		name, isField := strings.CutPrefix(line, `      "`)
		switch {
		case strings.HasPrefix(line, "    {"):
			fields = nil
		case isField:
			name, _, _ = strings.Cut(name, `"`)
			fields = append(fields, name)
			if name == "predecessors" {
				return fields
			}
		}
	}
	return fields
}

// planNode compares a node of a plan with what a case says of it.
func (t *T) planNode(got map[string]any, want Value) {
	t.Matches(got["type"].(string), want.At("type"))
	t.Same(got["pact"], want.At("pact"))
	t.Same(got["parallelism"], want.At("parallelism"))
	ins, some := got["predecessors"].([]any)
	if w := want.At("has_predecessors"); w.Exists() {
		t.Same(some, w)
	}
	if w := want.At("predecessors"); w.Exists() {
		t.Same(listOf(ins, func(in any) any {
			m := in.(map[string]any)
			return [][2]any{{"ship_strategy", m["ship_strategy"]}, {"side", m["side"]}}
		}), w)
	}
}

var _ = register(map[string]Func{
	"PL-shape": func(t *T) {
		env := t.Env()
		env.FromData("x").Map(text).KeyBy(text).Reduce(first).Print()
		nodes, plan := t.planOf(env)
		want := t.Expect.At("json")
		if w := want.At("nodes_in_order").List(); len(w) != len(nodes) {
			t.Fatalf("got %d nodes, want %d", len(nodes), len(w))
		}
		for i, w := range want.At("nodes_in_order").List() {
			t.planNode(nodes[i], w)
		}
		t.Same(fieldsOf(plan), want.At("node_fields"))
	},
	"PL-sinks-last": func(t *T) {
		env := t.Env()
		src := source(env, "src")
		for i := range 32 {
			if i%2 == 0 {
				src.AddSinkFunc(func(string) error { return nil })
			} else {
				src.Map(text)
			}
		}
		_, err := env.ExecutionPlan()
		t.Equal(err, t.Expect.At("error"))
		nodes, _ := t.planOf(env)
		t.Same(len(nodes), t.Expect.At("json").At("count"))
		var ids []float64
		for _, n := range nodes {
			ids = append(ids, n["id"].(float64))
		}
		created := slices.Sorted(slices.Values(ids))
		t.Same(listOf(ids, func(id float64) any { return slices.Index(created, id) }), t.Expect.At("json").At("order"))
	},
	"PL-names-in-plan": func(t *T) {
		env := t.Env()
		var maps [2]*df.SingleOutputStreamOperator[string]
		for i, n := range []string{"1", "2"} {
			maps[i] = env.FromSequence(0, 0).Name("testSource" + n).Map(strconvs).Name("testMap")
		}
		keep := func(v string, out df.Collector[string]) { out.Collect(v) }
		maps[0].Connect(maps[1]).FlatMap(keep, keep).Name("testCoFlatMap").
			WindowAll(df.GlobalWindows()).Trigger(df.PurgingTrigger(df.CountTrigger(10))).Reduce(first).Name("testWindowReduce").Print()
		_, plan := t.planOf(env)
		for _, name := range t.Expect.At("contains").List() {
			if !strings.Contains(plan, name.Text()) {
				t.Errorf("the plan has no %s", name.Text())
			}
		}
	},
})
