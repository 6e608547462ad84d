package graph

import (
	"bytes"
	"encoding/json"
	"strings"
)

// This file writes what getExecutionPlan returns (JSONGenerator).

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
	Side         string `json:"side"` // always "second", as Flink writes it
}

// Plan is the execution plan as Flink's JSON: one entry for each node of the StreamGraph, sinks last,
// each group by ascending id. Chains are not shown.
func (g *StreamGraph) Plan() string {
	nodes, sinks := []planNode{}, []planNode{}
	for _, n := range g.Nodes {
		if p := planOf(n); p.Pact == "Data Sink" {
			sinks = append(sinks, p)
		} else {
			nodes = append(nodes, p)
		}
	}
	return encodeJSON(map[string][]planNode{"nodes": append(nodes, sinks...)}, "  ")
}

func planOf(n *Node) planNode {
	p := planNode{ID: n.ID, Type: n.Name, Pact: n.pact(), Contents: n.Describe(), Parallelism: n.Parallelism}
	for _, e := range n.In {
		p.Predecessors = append(p.Predecessors, planInput{e.From.ID, e.Partitioning.String(), "second"})
	}
	return p
}

// pact is Flink's word for what the node is. The writers and committers of a Sink are ordinary operators.
func (n *Node) pact() string {
	switch {
	case n.T.Kind == Source:
		return "Data Source"
	case n.T.Kind == Sink && n.T.Part == "":
		return "Data Sink"
	default:
		return "Operator"
	}
}

// encodeJSON is v as JSON that leaves <, > and & as they are; indent is empty for one line.
func encodeJSON(v any, indent string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return "{}" // unreachable: the graphs are plain data
	}
	return strings.TrimSuffix(b.String(), "\n")
}
