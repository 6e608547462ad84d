package graph

import "strings"

// jobPlan is the JSON of /jobs/:id/plan (JobPlanInfo).
type jobPlan struct {
	JID   string        `json:"jid"`
	Name  string        `json:"name"`
	Type  string        `json:"type"`
	Nodes []jobPlanNode `json:"nodes"`
}

type jobPlanNode struct {
	ID          string         `json:"id"`
	Parallelism int            `json:"parallelism"`
	Operator    string         `json:"operator"`          // empty: not of a stream program
	Strategy    string         `json:"operator_strategy"` // likewise
	Description string         `json:"description"`
	Optimizer   struct{}       `json:"optimizer_properties"`
	Inputs      []jobPlanInput `json:"inputs"`
}

type jobPlanInput struct {
	Num           int     `json:"num"`
	ID            string  `json:"id"`
	ShipStrategy  string  `json:"ship_strategy"`
	Exchange      string  `json:"exchange"`
	LocalStrategy *string `json:"local_strategy"` // null: not of a stream program
	Caching       *string `json:"caching"`        // likewise
}

// Plan is the graph of a job as the JSON of Flink's web interface: one entry for each vertex, in topological order, and
// one input for each edge. jid is the id of the job.
func (g *JobGraph) Plan(jid string) string {
	p := jobPlan{JID: jid, Name: g.JobName, Type: "STREAMING", Nodes: []jobPlanNode{}}
	if g.Stream.Batch {
		p.Type = "BATCH"
	}
	for _, v := range g.Vertices {
		n := jobPlanNode{ID: v.ID, Parallelism: v.Parallelism, Description: g.prettyName(v), Inputs: []jobPlanInput{}}
		for i, e := range v.In {
			n.Inputs = append(n.Inputs, jobPlanInput{Num: i, ID: e.From.ID, ShipStrategy: e.Edge.Partitioning.String(),
				Exchange: strings.ToLower(e.ResultType())})
		}
		p.Nodes = append(p.Nodes, n)
	}
	return encodeJSON(map[string]jobPlan{"plan": p}, "")
}

var toHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "<br/>", `\`, "&#92;")

// prettyName is the description of a vertex as the web interface shows it. Every line of a tree has an end.
func (g *JobGraph) prettyName(v *Vertex) string {
	text := v.Description
	if g.Stream.Descriptions == Tree {
		text += "\n"
	}
	return toHTML.Replace(text)
}
