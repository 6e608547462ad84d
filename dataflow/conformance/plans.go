package conformance

import (
	"cmp"
	"path"
	"slices"

	"flinkish/dataflow"
	"flinkish/dataflow/graph"
)

// This file compares the graph of a program with what a case expects of it.

// Same compares a plain value with an expectation. got is made of the types of Value.Plain, and of int.
func (t *T) Same(got any, want Value) {
	if g, w := textOf(got), textOf(want.Plain()); g != w {
		t.Errorf("%s: got %s, want %s", want.path, g, w)
	}
}

// Graph compares the graph of a program with each expectation that is there.
func (t *T) Graph(env *dataflow.StreamExecutionEnvironment) {
	g, err := env.JobGraph()
	if err != nil {
		t.Fatalf("graph: %v", err)
	}
	t.JobGraph(g)
}

// JobGraph is Graph for a graph that was generated already.
func (t *T) JobGraph(g *graph.JobGraph) {
	if err := g.Check(); err != nil {
		t.Errorf("%v", err)
	}
	for _, key := range t.Expect.Keys() {
		facts := graphFacts[key]
		if facts == nil {
			t.Fatalf("%s is nothing that a graph has", key)
		}
		t.Same(facts(g), t.Expect.At(key))
	}
}

// graphFacts says what a graph has under each name, in topological order of the vertices. Operators go by the names that
// the program gave them, without prefixes.
var graphFacts = map[string]func(g *graph.JobGraph) any{
	"vertices": eachVertex(func(v *graph.Vertex) any {
		return listOf(v.Chain, func(n *graph.Node) any { return n.T.Name })
	}),
	"edges": eachEdge(func(e *graph.JobEdge) any {
		return [][2]any{{"from", e.Edge.From.T.Name}, {"to", e.Edge.To.T.Name},
			{"partitioner", e.Edge.Partitioning.String()}, {"pattern", e.Edge.Pattern()}}
	}),
	"vertex_names":       eachVertex(func(v *graph.Vertex) any { return v.Name }),
	"vertex_parallelism": eachVertex(func(v *graph.Vertex) any { return v.Parallelism }),
	"vertex_description": func(g *graph.JobGraph) any { return g.Vertices[0].Description },
	"result_types":       eachEdge(func(e *graph.JobEdge) any { return e.ResultType() }),
	"parallelism_configured": eachVertex(func(v *graph.Vertex) any {
		return v.ParallelismConfigured()
	}),
	"groups": func(g *graph.JobGraph) any {
		return mapOf(g.Stream.Nodes, func(n *graph.Node) (string, any) { return n.T.Name, n.Group })
	},
	"max_parallelism": func(g *graph.JobGraph) any {
		return mapOf(g.Stream.Nodes, func(n *graph.Node) (string, any) { return n.T.Name, n.MaxParallelism })
	},
	"edge_input_numbers": func(g *graph.JobGraph) any {
		last := g.Vertices[len(g.Vertices)-1]
		return mapOf(last.In, func(e *graph.JobEdge) (string, any) { return e.Edge.From.T.Name, e.Edge.Input + 1 })
	},
	"in_edges_of_m": inEdges("m"),
	"in_edges_of_b": inEdges("b"),
	"input_order_of_sink": func(g *graph.JobGraph) any {
		last := g.Vertices[len(g.Vertices)-1]
		return listOf(last.In, func(e *graph.JobEdge) any { return e.Edge.From.T.Name })
	},
	"slot_sharing_groups": func(g *graph.JobGraph) any {
		var groups []string
		for _, v := range g.Vertices {
			if !slices.Contains(groups, v.Group) {
				groups = append(groups, v.Group)
			}
		}
		return listOf(groups, func(s string) any { return s })
	},
	"extra_vertices":        patterns(func(v *graph.Vertex) bool { return v.Chain[0].T.Iteration != 0 }),
	"same_colocation_group": patterns(func(v *graph.Vertex) bool { return v.CoLocation() != "" }),
	"other_vertices_colocation": func(g *graph.JobGraph) any {
		for _, v := range g.Vertices {
			if v.Chain[0].T.Iteration == 0 && v.CoLocation() != "" {
				return v.CoLocation()
			}
		}
		return nil
	},
}

// patterns are the names of some vertices, sources first, with a star for the number at their end.
func patterns(which func(*graph.Vertex) bool) func(*graph.JobGraph) any {
	return func(g *graph.JobGraph) any {
		var names []any
		keys := map[string]bool{}
		for _, v := range g.Vertices {
			if which(v) {
				keys[v.CoLocation()] = true
				names = append(names, starred(v.Name))
			}
		}
		slices.SortFunc(names, func(a, b any) int { return -cmp.Compare(a.(string), b.(string)) })
		if len(keys) != 1 {
			return len(keys) // groups instead of one
		}
		return names
	}
}

// starred replaces the digits at the end of a name by a star.
func starred(name string) string {
	end := len(name)
	for end > 0 && name[end-1] >= '0' && name[end-1] <= '9' {
		end--
	}
	if end == len(name) {
		return name
	}
	return name[:end] + "*"
}

// Matches compares a name with a pattern that may have stars.
func (t *T) Matches(name string, pattern Value) {
	if ok, err := path.Match(pattern.Text(), name); err != nil || !ok {
		t.Errorf("%s: got %s, want %s", pattern.path, name, pattern.Text())
	}
}

func inEdges(consumer string) func(g *graph.JobGraph) any {
	return func(g *graph.JobGraph) any {
		for _, n := range g.Stream.Nodes {
			if n.T.Name == consumer {
				return listOf(n.In, func(e *graph.Edge) any {
					return [][2]any{{"from", e.From.T.Name}, {"partitioner", e.Partitioning.String()}}
				})
			}
		}
		return nil
	}
}

func eachVertex(f func(*graph.Vertex) any) func(*graph.JobGraph) any {
	return func(g *graph.JobGraph) any { return listOf(g.Vertices, f) }
}

func eachEdge(f func(*graph.JobEdge) any) func(*graph.JobGraph) any {
	return func(g *graph.JobGraph) any {
		var all []*graph.JobEdge
		for _, v := range g.Vertices {
			all = append(all, v.In...)
		}
		return listOf(all, f)
	}
}

func listOf[X any](xs []X, f func(X) any) []any {
	all := []any{}
	for _, x := range xs {
		all = append(all, f(x))
	}
	return all
}

func mapOf[X any](xs []X, f func(X) (string, any)) [][2]any {
	var all [][2]any
	for _, x := range xs {
		k, v := f(x)
		all = append(all, [2]any{k, v})
	}
	return all
}
