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
		"42":    "6c4f323f22da8fb6e34f80c61be7a689",
		"44":    "3e129e83691e7737fbf876b47452acbc",
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

// row is a source and operators, each of which reads the one before. It returns the last.
func row(operators int) *Transformation {
	t := &Transformation{ID: 1, Kind: Source, Name: "src", Parallelism: 1, Bounded: true, BufferTimeout: DefaultBufferTimeout}
	for i := range operators {
		t = &Transformation{ID: i + 2, Kind: Operator, Name: "op", Inputs: []*Transformation{t}, Parallelism: 1, BufferTimeout: DefaultBufferTimeout}
	}
	return t
}

func TestIDsWithoutUIDsAreFlinks(t *testing.T) {
	const alone, chained = "bc764cd8ddf7a0cff126f51c16239658", "cbc357ccb763df2852fee8c4fc7d55f2" // of sources, known from many logs
	for _, c := range []struct {
		name   string
		change func(last *Transformation)
		want   []string
	}{
		{"nothing is chained", func(last *Transformation) {
			for t := last; len(t.Inputs) > 0; t = t.Inputs[0] {
				t.Chaining = Never
			}
		}, []string{alone, "0a448493b4782967b150582570326227", "ea632d67b7d595e5b851708ae9ad79d6", "6d2677a0ecc3fd8df0b72ec675edf8f4"}},
		{"a source with one operator, and two more", func(last *Transformation) { last.Inputs[0].Chaining = Head },
			[]string{chained, "7df19f87deec5680128845fd9a6ca18d", "90bea66de1c231edf33913ecd54406c1"}},
		{"names and functions do not matter", func(last *Transformation) {
			last.Name, last.Inputs[0].Description, last.Inputs[0].Chaining = "other", "other", Head
		}, []string{chained, "7df19f87deec5680128845fd9a6ca18d", "90bea66de1c231edf33913ecd54406c1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := row(3)
			c.change(last)
			for i, n := range build(t, []*Transformation{last}, Config{Chaining: true}).Stream.Nodes {
				if i < len(c.want) && n.Hash != c.want[i] {
					t.Errorf("operator %d: got %s, want %s", i, n.Hash, c.want[i])
				}
			}
		})
	}
}

func TestEqualSourcesHaveDifferentIDs(t *testing.T) {
	a, b := row(1), row(1)
	b.ID, b.Inputs[0].ID = 4, 3
	seen := map[string]bool{}
	for _, n := range build(t, []*Transformation{a, b}, Config{Chaining: true}).Stream.Nodes {
		seen[n.Hash] = true
	}
	if len(seen) != 4 {
		t.Errorf("got %d ids for 4 operators", len(seen))
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
	head.Tail = add(Transformation{Kind: Sink, Name: "IterationSink-2", Inputs: []*Transformation{body}, Iteration: 2, Chaining: Never})
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
