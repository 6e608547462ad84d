package graph

import (
	"bytes"
	"encoding/json"
	"strings"
)

type planNode struct {
	ID           int         `json:"id"`
	Type         string      `json:"type"`
	Pact         string      `json:"pact"`
	Contents     string      `json:"contents"`
	Parallelism  int         `json:"parallelism"`
	Predecessors []planInput `json:"predecessors,omitempty"`
}

type planInput struct {
	ID           int    `json:"id"`
	ShipStrategy string `json:"ship_strategy"`
	Side         string `json:"side"`
}

// Plan is the execution plan as Flink's JSON: one entry for each node of the StreamGraph, sinks last,
// each group by ascending id. Chains are not shown.
func (g *StreamGraph) Plan() string {
	nodes := make([]planNode, 0, len(g.Nodes))
	for _, n := range g.Nodes {
		if n.T.Kind != Sink {
			nodes = append(nodes, planOf(n))
		}
	}
	for _, n := range g.Sinks {
		nodes = append(nodes, planOf(n))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(map[string][]planNode{"nodes": nodes}); err != nil {
		return "{}" // unreachable: the nodes are plain data
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func planOf(n *Node) planNode {
	p := planNode{ID: n.ID, Type: n.Name, Pact: "Operator", Contents: n.Describe(), Parallelism: n.Parallelism}
	switch n.T.Kind {
	case Source:
		p.Pact = "Data Source"
	case Sink:
		p.Pact = "Data Sink"
	}
	for _, e := range n.In {
		p.Predecessors = append(p.Predecessors, planInput{e.From.ID, e.Partitioning.String(), "second"})
	}
	return p
}
