package graph

import "fmt"

// Check verifies what every part relies on: each node runs in exactly one vertex, edges agree at both
// ends, vertices are in topological order. An error is a bug of ours, never the user's.
func (g *JobGraph) Check() error {
	at := map[*Node]*Vertex{}
	for i, v := range g.Vertices {
		if v.Index != i || len(v.Chain) == 0 {
			return fmt.Errorf("graph: vertex %d (%s) is misplaced or empty", i, v.Name)
		}
		for _, n := range v.Chain {
			if at[n] != nil {
				return fmt.Errorf("graph: %s runs in two vertices", n.Name)
			}
			if n.Parallelism != v.Parallelism {
				return fmt.Errorf("graph: %s differs in parallelism from its vertex", n.Name)
			}
			at[n] = v
		}
		for _, e := range v.In {
			if e.To != v || e.From.Index >= i {
				return fmt.Errorf("graph: vertex %d (%s) comes before its input", i, v.Name)
			}
		}
	}
	for _, n := range g.Stream.Nodes {
		if at[n] == nil {
			return fmt.Errorf("graph: %s runs in no vertex", n.Name)
		}
	}
	return nil
}
