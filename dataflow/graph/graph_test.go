package graph

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestUIDsHashAsInFlink(t *testing.T) {
	for text, want := range map[string]string{
		"":      "00000000000000000000000000000000",
		"hello": "029bbd41b3a7d8cb191dae486a901e5b",
	} {
		if got := hex.EncodeToString(murmur128([]byte(text))); got != want {
			t.Errorf("murmur128(%q): got %s, want %s", text, got, want)
		}
	}
}

// program is a source with two maps, each with two sinks, all of parallelism 1.
func program() []*Transformation {
	id := 0
	add := func(k Kind, name string, in ...*Transformation) *Transformation {
		id++
		return &Transformation{ID: id, Kind: k, Name: name, Inputs: in, Parallelism: 1, Bounded: true, BufferTimeout: DefaultBufferTimeout}
	}
	src := add(Source, "src")
	m1, m2 := add(Operator, "map1", src), add(Operator, "map2", src)
	all := []*Transformation{m1, m2}
	for _, m := range all[:2:2] {
		all = append(all, add(Sink, "first of "+m.Name, m), add(Sink, "second of "+m.Name, m))
	}
	return all
}

func build(t *testing.T, ts []*Transformation, c Config) *JobGraph {
	t.Helper()
	g, err := Generate(ts, c)
	if err != nil {
		t.Fatal(err)
	}
	j, err := JobGraphOf(g)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	return j
}

func TestABranchingChainHasItsNameAndDescription(t *testing.T) {
	v := build(t, program(), Config{Chaining: true}).Vertices[0]
	if want := "Source: src -> (map1 -> (Sink: first of map1, Sink: second of map1), map2 -> (Sink: first of map2, Sink: second of map2))"; v.Name != want {
		t.Errorf("name: got %s, want %s", v.Name, want)
	}
	want := strings.Join([]string{
		"Source: src",
		":- map1",
		":  :- Sink: first of map1",
		":  +- Sink: second of map1",
		"+- map2",
		"   :- Sink: first of map2",
		"   +- Sink: second of map2",
	}, "\n")
	if v.Description != want {
		t.Errorf("description: got\n%s\nwant\n%s", v.Description, want)
	}
}

func TestTheSameProgramHasTheSameIDs(t *testing.T) {
	a, b := build(t, program(), Config{Chaining: true}), build(t, program(), Config{Chaining: true})
	seen := map[string]bool{}
	for i, n := range a.Stream.Nodes {
		if m := b.Stream.Nodes[i]; n.Hash != m.Hash || len(n.Hash) != 32 {
			t.Errorf("%s: got %s and %s", n.Name, n.Hash, m.Hash)
		}
		if seen[n.Hash] {
			t.Errorf("%s: its id %s is not its own", n.Name, n.Hash)
		}
		seen[n.Hash] = true
	}
}

func TestSinksComeLastInThePlan(t *testing.T) {
	g, err := Generate(program(), Config{Chaining: true})
	if err != nil {
		t.Fatal(err)
	}
	plan := g.Plan()
	if strings.Index(plan, `"Data Sink"`) < strings.LastIndex(plan, `"Operator"`) {
		t.Errorf("a sink stands before an operator:\n%s", plan)
	}
}

func TestABatchJobStartsAChainAtAKeyedOperator(t *testing.T) {
	ts := program()
	ts[0].Keyed = true
	j := build(t, ts, Config{Chaining: true, Batch: true})
	if len(j.Vertices) != 2 || j.Vertices[1].Chain[0].Name != "map1" {
		t.Errorf("got\n%s", j)
	}
	ts[0].Inputs[0].Bounded = false
	if _, err := Generate(ts, Config{Batch: true}); err == nil || err.(*GraphError).Kind != "IllegalState" {
		t.Errorf("an unbounded source in BATCH: got %v", err)
	}
}

func TestOperatorsOfDifferentMaxParallelismChainUnlessTheJobSaysNo(t *testing.T) {
	for _, c := range []struct {
		own, env int // max parallelism of map1 and of the environment
		same     bool
		want     int // vertices
	}{{16, 0, false, 1}, {16, 0, true, 2}, {16, 16, true, 1}, {0, 16, true, 1}, {0, 0, true, 1}} {
		ts := program()
		ts[0].MaxParallelism = c.own
		for _, t := range ts {
			if t.Kind == Sink && t.Inputs[0] == ts[0] { // the readers of map1 are of its own
				t.MaxParallelism = c.own
			}
		}
		if j := build(t, ts, Config{Chaining: true, SameMax: c.same, MaxParallelism: c.env}); len(j.Vertices) != c.want {
			t.Errorf("%+v: got\n%s", c, j)
		}
	}
}

func TestDescriptionsCascade(t *testing.T) {
	v := build(t, program(), Config{Chaining: true, Descriptions: Cascading}).Vertices[0]
	want := "Source: src -> (map1 -> (Sink: first of map1 , Sink: second of map1) , map2 -> (Sink: first of map2 , Sink: second of map2))"
	if v.Description != want {
		t.Errorf("got %s\nwant %s", v.Description, want)
	}
}

func TestNamesOfVerticesMayHaveTheIndex(t *testing.T) {
	ts := program()
	ts[1].Chaining = Never
	for i, v := range build(t, ts, Config{Chaining: true, IndexPrefix: true}).Vertices {
		if !strings.HasPrefix(v.Name, "[vertex-"+string(rune('0'+i))+"]") {
			t.Errorf("vertex %d is called %s", i, v.Name)
		}
	}
}

// loopOf is an iteration whose body has a slot sharing group.
func loopOf(group string) []*Transformation {
	id := 0
	add := func(t Transformation) *Transformation {
		id++
		t.ID, t.Parallelism, t.BufferTimeout = id, 1, DefaultBufferTimeout
		return &t
	}
	src := add(Transformation{Kind: Source, Name: "src", Bounded: true})
	head := add(Transformation{Kind: Source, Name: "IterationSource-2", Bounded: true, Iteration: 2, Chaining: Never})
	body := add(Transformation{Kind: Operator, Name: "body", Inputs: []*Transformation{src, head}, SlotSharingGroup: group})
	body.Inputs = []*Transformation{add(Transformation{Kind: Union, Inputs: body.Inputs})}
	head.Feedback = []*Transformation{add(Transformation{Kind: Sink, Name: "IterationSink-2", Inputs: []*Transformation{body}, Iteration: 2, Chaining: Never})}
	return []*Transformation{body}
}

func TestTheEndsOfALoopAreCoLocatedInTheGroupOfItsFeedback(t *testing.T) {
	for group, want := range map[string]string{"": "default", "g": "g"} {
		ends := 0
		for _, v := range build(t, loopOf(group), Config{Chaining: true}).Vertices {
			loop := v.Chain[0].T.Iteration != 0
			if loop != (v.CoLocation() == "IterationCoLocationGroup-2") || loop && v.Group != want {
				t.Errorf("%s is in the group %q and co-located as %q", v.Name, v.Group, v.CoLocation())
			}
			if loop {
				ends++
			}
		}
		if ends != 2 {
			t.Errorf("got %d ends of the loop", ends)
		}
	}
}

func TestAUIDGivesTheIDWhereverItsOperatorStands(t *testing.T) {
	ids := func(change func(ts []*Transformation)) map[string]string {
		ts := program()
		change(ts)
		m := map[string]string{}
		for _, n := range build(t, ts, Config{Chaining: true}).Stream.Nodes {
			m[n.T.Name] = n.Hash
		}
		return m
	}
	plain := ids(func([]*Transformation) {})
	named := ids(func(ts []*Transformation) { ts[0].UID = "hello" })
	if got, want := named["map1"], "029bbd41b3a7d8cb191dae486a901e5b"; got != want {
		t.Errorf("the id of map1: got %s, want %s", got, want)
	}
	for name, changes := range map[string]bool{"src": false, "map2": false, "first of map1": true, "second of map2": false} {
		if (plain[name] != named[name]) != changes {
			t.Errorf("the id of %s: %s without the uid, %s with it", name, plain[name], named[name])
		}
	}
	// A uid hash is a second id: the one of the vertex stays.
	if hashed := ids(func(ts []*Transformation) { ts[0].Inputs[0].UIDHash = strings.Repeat("a", 32) }); hashed["src"] != plain["src"] {
		t.Errorf("the id of src: got %s, want %s", hashed["src"], plain["src"])
	}
}
