package graph

import (
	"fmt"
	"slices"

	"flinkish/dataflow/internal/keygroup"
)

// Chainable reports whether the consumer of e runs in the same task as its producer
// (StreamingJobGraphGenerator.isChainable).
func Chainable(g *StreamGraph, e *Edge) bool { return WhyNotChained(g, e) == "" }

// WhyNotChained is the first condition that keeps e from being chained, or "" when it is chained.
func WhyNotChained(g *StreamGraph, e *Edge) string {
	up, down := e.From, e.To
	switch {
	case !g.Chaining:
		return "chaining is disabled for the job"
	case len(down.In) != 1:
		return fmt.Sprintf("%s has %d inputs", down.Name, len(down.In))
	case e.Partitioning != Forward:
		return fmt.Sprintf("the edge is %s", e.Partitioning)
	case up.Parallelism != down.Parallelism:
		return fmt.Sprintf("the parallelism changes from %d to %d", up.Parallelism, down.Parallelism)
	case g.SameMax && up.MaxParallelism != down.MaxParallelism:
		return fmt.Sprintf("the max parallelism changes from %s to %s", maxText(up), maxText(down))
	case up.Group != down.Group:
		return fmt.Sprintf("the slot sharing groups differ: %s and %s", up.Group, down.Group)
	case up.Chaining == Never:
		return fmt.Sprintf("chaining is disabled for %s", up.Name)
	case down.Chaining == Never:
		return fmt.Sprintf("chaining is disabled for %s", down.Name)
	case down.Chaining == Head:
		return fmt.Sprintf("%s starts a new chain", down.Name)
	case down.Chaining == HeadWithSources && (up.T.Kind != Source || up.T.LegacySource):
		return fmt.Sprintf("%s is chained to sources only", down.Name)
	case down.T.Yielding && headIsLegacy(g, up):
		return fmt.Sprintf("%s yields, which a legacy source cannot", down.Name)
	}
	return ""
}

// headIsLegacy reports whether the chain of n begins with a legacy source, in whose chain nothing may yield.
func headIsLegacy(g *StreamGraph, n *Node) bool {
	for len(n.In) == 1 && Chainable(g, n.In[0]) {
		n = n.In[0].From
	}
	return n.T.Kind == Source && n.T.LegacySource
}

// JobGraphOf chains the nodes of a StreamGraph into the vertices that the engine runs
// (StreamingJobGraphGenerator). An error is a *GraphError.
func JobGraphOf(g *StreamGraph) (*JobGraph, error) {
	if err := checkUIDs(g); err != nil {
		return nil, err
	}
	j := &JobGraph{JobName: g.JobName, Stream: g}
	c := &chainer{graph: g, vertexOf: map[*Node]*Vertex{}, index: map[*Edge]bool{}}
	for _, n := range g.Nodes {
		if len(n.In) == 0 || !Chainable(g, n.In[0]) {
			c.vertices = append(c.vertices, c.vertex(n))
		}
	}
	c.link()
	j.Vertices = topological(c.vertices)
	for i, v := range j.Vertices {
		v.Index = i
		if g.IndexPrefix {
			v.Name = fmt.Sprintf("[vertex-%d]%s", i, v.Name)
		}
		if err := checkVertex(v); err != nil {
			return nil, err
		}
	}
	j.shareSlots()
	return j, nil
}

type chainer struct {
	graph    *StreamGraph
	vertices []*Vertex
	vertexOf map[*Node]*Vertex
	index    map[*Edge]bool // edges inside a vertex
}

func (c *chainer) vertex(head *Node) *Vertex {
	v := &Vertex{ID: head.Hash, Parallelism: head.Parallelism, Group: head.Group}
	c.collect(v, head)
	v.Name = c.name(head)
	v.Description = c.describe(head)
	for _, n := range v.Chain {
		if m := n.MaxParallelism; m > 0 && (v.MaxParallelism == 0 || m < v.MaxParallelism) {
			v.MaxParallelism = m
		}
	}
	if v.MaxParallelism == 0 {
		v.MaxParallelism = keygroup.DefaultMaxParallelism(v.Parallelism)
	}
	return v
}

// collect appends n and what is chained to it, in tree order.
func (c *chainer) collect(v *Vertex, n *Node) {
	v.Chain = append(v.Chain, n)
	c.vertexOf[n] = v
	for _, e := range n.Out {
		if Chainable(c.graph, e) {
			c.index[e] = true
			c.collect(v, e.To)
		}
	}
}

// link makes the edges between vertices: the outputs in chain order, the inputs in order of declaration.
func (c *chainer) link() {
	made := map[*Edge]*JobEdge{}
	for _, v := range c.vertices {
		for _, e := range v.Chain[0].In {
			je := &JobEdge{From: c.vertexOf[e.From], To: v, Edge: e, Blocking: c.graph.Batch || c.vertexOf[e.From].emitsAtEnd()}
			made[e] = je
			v.In = append(v.In, je)
		}
	}
	for _, v := range c.vertices {
		for _, n := range v.Chain {
			for _, e := range n.Out {
				if !c.index[e] {
					v.Out = append(v.Out, made[e])
				}
			}
		}
	}
}

// topological orders the vertices: sources first, then each vertex once all its inputs are placed.
func topological(all []*Vertex) []*Vertex {
	var sorted []*Vertex
	placed := map[*Vertex]bool{}
	place := func(v *Vertex) { sorted, placed[v] = append(sorted, v), true }
	for _, v := range all {
		if len(v.In) == 0 {
			place(v)
		}
	}
	var follow func(v *Vertex)
	follow = func(v *Vertex) {
		for _, e := range v.Out {
			open := slices.ContainsFunc(e.To.In, func(in *JobEdge) bool { return !placed[in.From] })
			if !placed[e.To] && !open {
				place(e.To)
				follow(e.To)
			}
		}
	}
	for _, v := range sorted[:len(sorted):len(sorted)] {
		follow(v)
	}
	return sorted
}

func checkUIDs(g *StreamGraph) error {
	first := map[string]*Node{}
	for _, n := range g.Nodes {
		uid := n.T.UID
		if uid == "" {
			continue
		}
		if o := first[uid]; o != nil {
			return &GraphError{Kind: "IllegalArgument", Op: n.Name, Call: "UID", Pos: n.T.Pos,
				Msg: fmt.Sprintf("hash collision on user-specified id: the uid %q is used by %s and by %s; give each operator a uid of its own", uid, o.Name, n.Name)}
		}
		first[uid] = n
	}
	return nil
}

func checkVertex(v *Vertex) error {
	if v.Parallelism > v.MaxParallelism {
		n := v.Chain[0]
		return &GraphError{Kind: "IllegalArgument", Op: v.Name, Call: "SetParallelism", Pos: n.T.Pos,
			Msg: fmt.Sprintf("vertex %s: parallelism %d is higher than the max parallelism %d; lower the one or raise the other", v.Name, v.Parallelism, v.MaxParallelism)}
	}
	for _, n := range v.Chain[1:] {
		if n.T.UIDHash != "" {
			return &GraphError{Kind: "IllegalArgument", Op: n.Name, Call: "UIDHash", Pos: n.T.Pos,
				Msg: fmt.Sprintf("%s has a uid hash but runs in the middle of the chain %s; set the hash on the head of a chain, or call StartNewChain", n.Name, v.Name)}
		}
	}
	return nil
}
