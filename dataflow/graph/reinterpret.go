package graph

import (
	"fmt"

	"flinkish/dataflow/internal/core"
)

// This file checks streams that are taken as keyed without a shuffle (reinterpretAsKeyedStream). Flink checks nothing but
// the parallelism.

// reinterpreted reports whether the consumer of e takes its records as keyed where they are.
func (e *Edge) reinterpreted() bool {
	_, keyed := e.Payload.(core.Keyer)
	return keyed && e.Partitioning == Forward
}

// checkReinterpreted refuses a pre-keyed source whose chain is broken, and collects what looks wrong elsewhere.
func checkReinterpreted(g *StreamGraph) error {
	for _, n := range g.Nodes {
		for _, e := range n.In {
			if !e.reinterpreted() {
				continue
			}
			if e.From.T.Kind == Source {
				if why := WhyNotChained(g, e); why != "" && !g.Batch {
					return &GraphError{Kind: "IllegalState", Op: n.Name, Call: "ReinterpretAsKeyedStream", Pos: n.T.Pos,
						Msg: fmt.Sprintf("%s takes the records of %s as keyed, which works only in the chain of the source, but it is not chained: %s; remove what breaks the chain, or use KeyBy",
							n.Name, e.From.Name, why)}
				}
				continue
			}
			if why := doubtful(e, e.From); why != "" {
				g.Warnings = append(g.Warnings, fmt.Sprintf("%s takes its records as keyed without a shuffle, but %s; use KeyBy unless you know that every key is where KeyBy would put it", n.Name, why))
			}
		}
	}
	return nil
}

// doubtful follows the stream of e back from n to a keyBy and tells what on the way makes its keys doubtful.
func doubtful(e *Edge, n *Node) string {
	if len(n.In) == 0 {
		return "no KeyBy comes before"
	}
	for _, in := range n.In {
		_, keyed := in.Payload.(core.Keyer)
		switch {
		case keyed && in.Partitioning == Hash:
			if n.Parallelism != e.To.Parallelism {
				return fmt.Sprintf("the parallelism of %s after KeyBy is %d and here it is %d", n.Name, n.Parallelism, e.To.Parallelism)
			}
			if n.MaxParallelism != e.To.MaxParallelism {
				return fmt.Sprintf("the max parallelism of %s after KeyBy is %s and here it is %s", n.Name, maxText(n), maxText(e.To))
			}
		case in.reinterpreted() && in.From.T.Kind == Source:
		case in.Partitioning != Forward:
			return fmt.Sprintf("the edge from %s to %s is %s", in.From.Name, n.Name, in.Partitioning)
		default:
			if why := doubtful(e, in.From); why != "" {
				return why
			}
		}
	}
	return ""
}

func maxText(n *Node) string {
	if n.MaxParallelism == 0 {
		return "not set"
	}
	return fmt.Sprint(n.MaxParallelism)
}
