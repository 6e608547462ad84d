package graph

import (
	"fmt"
	"strings"
)

// Pattern is how the subtasks of the two ends are linked.
func (e *Edge) Pattern() string {
	if e.Partitioning.Pointwise() {
		return "POINTWISE"
	}
	return "ALL_TO_ALL"
}

// String lists the nodes, one a line, each with the edges that it reads.
func (g *StreamGraph) String() string {
	var b strings.Builder
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "%d %s x%d", n.ID, n.Name, n.Parallelism)
		for _, e := range n.In {
			fmt.Fprintf(&b, " <-%s- %d", e.label(), e.From.ID)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (e *Edge) label() string {
	if e.Tag == "" {
		return e.Partitioning.String()
	}
	return e.Partitioning.String() + "[" + e.Tag + "]"
}

// String lists the vertices, one a line, each with the edges that it reads.
func (g *JobGraph) String() string {
	var b strings.Builder
	for _, v := range g.Vertices {
		fmt.Fprintf(&b, "%d %s x%d", v.Index, v.Name, v.Parallelism)
		for _, e := range v.In {
			fmt.Fprintf(&b, " <-%s- %d", e.Edge.label(), e.From.Index)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
