package graph

import "strconv"

// This file writes the graph of operators as the web interface draws it (JobPlanInfo's stream graph).

type streamPlanNode struct {
	ID          string            `json:"id"`
	Parallelism int               `json:"parallelism"`
	Operator    string            `json:"operator"`
	Description string            `json:"description"`
	JobVertexID string            `json:"job_vertex_id,omitempty"` // absent: pending
	Inputs      []streamPlanInput `json:"inputs"`
}

type streamPlanInput struct {
	Num          int    `json:"num"`
	ID           string `json:"id"`
	ShipStrategy string `json:"ship_strategy"`
	Exchange     string `json:"exchange"`
}

// undefinedExchange is the exchange mode of an edge that leaves the choice to the JobGraph (StreamExchangeMode); no call
// sets another one.
const undefinedExchange = "UNDEFINED"

// StreamPlan is the StreamGraph of a job as the JSON of Flink's web interface: one entry for each operator, by ascending
// id, with the id of the vertex that runs it, and one input for each edge.
func (g *JobGraph) StreamPlan() string {
	in := map[*Node]string{}
	for _, v := range g.Vertices {
		for _, n := range v.Chain {
			in[n] = v.ID
		}
	}
	return g.Stream.streamPlan(in)
}

// StreamPlan is JobGraph.StreamPlan of a graph that has no vertices yet: every operator is pending.
func (g *StreamGraph) StreamPlan() string { return g.streamPlan(nil) }

func (g *StreamGraph) streamPlan(vertex map[*Node]string) string {
	nodes := []streamPlanNode{}
	for _, n := range g.Nodes {
		p := streamPlanNode{ID: strconv.Itoa(n.ID), Parallelism: n.Parallelism, Operator: n.Name, Description: n.Describe(),
			JobVertexID: vertex[n], Inputs: []streamPlanInput{}}
		for i, e := range n.In {
			p.Inputs = append(p.Inputs, streamPlanInput{i, strconv.Itoa(e.From.ID), e.Partitioning.String(), undefinedExchange})
		}
		nodes = append(nodes, p)
	}
	return encodeJSON(map[string][]streamPlanNode{"nodes": nodes}, "")
}
