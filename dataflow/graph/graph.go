package graph

import (
	"slices"
	"strconv"
	"time"
)

// Node is one operator of a StreamGraph.
type Node struct {
	ID    int
	T     *Transformation
	Name  string // with the prefix "Source: " or "Sink: ", if it has one
	In    []*Edge
	Out   []*Edge
	Group string // slot sharing group, resolved
	Hash  string // operator id: 32 hex digits

	Parallelism    int
	MaxParallelism int // 0: from the vertex
	Chaining       Chaining
}

// Edge is one connection of two nodes. Two edges may connect the same two nodes.
type Edge struct {
	ID           int
	From, To     *Node
	Input        int    // of the consumer: 0 or 1
	Tag          string // side output that it reads; empty for the main output
	Partitioning Partitioning
	Payload      any // see Transformation.Payload
	// Via is the Partition that says how the records go; nil if none does.
	Via *Transformation
}

// StreamGraph is the program as a graph of operators.
type StreamGraph struct {
	JobName       string
	Nodes         []*Node // inputs before consumers, in order of creation
	Sources       []*Node
	Chaining      bool // for the whole job
	SameMax       bool // see Config
	BufferTimeout time.Duration
	Batch         bool
	SortMemory    int64 // bytes for sorting one keyed input, in BATCH mode
	// IndexPrefix: names of vertices start with their index.
	IndexPrefix  bool
	Descriptions DescriptionMode
	// Warnings tell what looks wrong but may be right.
	Warnings []string
	// WatermarkInterval is pipeline.auto-watermark-interval.
	WatermarkInterval time.Duration
}

// Vertex is one chain: what one task runs, in Parallelism subtasks.
type Vertex struct {
	ID             string // hash of its head, 32 hex digits
	Index          int    // in topological order, from 0
	Name           string // as in "A -> (B, C)"
	Description    string
	Parallelism    int
	MaxParallelism int     // number of key groups, always set
	Chain          []*Node // head first, then in tree order
	In, Out        []*JobEdge
	Group          string // slot sharing group of the head
	// SlotSharingGroupID is one for all vertices that share slots: the ID of the first of them.
	SlotSharingGroupID string
}

// JobEdge connects two vertices through the network.
type JobEdge struct {
	From, To *Vertex
	Edge     *Edge // the stream edge that it carries
	// Blocking: the consumer starts when the producer has ended.
	Blocking bool
}

// ResultType is Flink's word for how the data are exchanged: BLOCKING_PERSISTENT where a cache keeps them, BLOCKING or
// PIPELINED_BOUNDED.
func (e *JobEdge) ResultType() string {
	switch {
	case e.Blocking && e.Edge.To.T.Persistent:
		return "BLOCKING_PERSISTENT"
	case e.Blocking:
		return "BLOCKING"
	}
	return "PIPELINED_BOUNDED"
}

// ParallelismConfigured reports whether the user set the parallelism of some operator of the chain.
func (v *Vertex) ParallelismConfigured() bool {
	return slices.ContainsFunc(v.Chain, func(n *Node) bool { return n.T.ParallelismSet })
}

// CoLocation is the key of the co-location group: subtasks with the same index of vertices with the same key share a
// slot. Empty: the vertex is in none. The ends of an iteration are co-located.
func (v *Vertex) CoLocation() string {
	for _, n := range v.Chain {
		if id := n.T.Iteration; id != 0 {
			return "IterationCoLocationGroup-" + strconv.Itoa(id)
		}
	}
	return ""
}

// emitsAtEnd reports whether an operator of the chain emits after the end of its input only. Flink then makes every edge
// that leaves the chain blocking.
func (v *Vertex) emitsAtEnd() bool {
	for _, n := range v.Chain {
		if n.T.EmitsAtEnd {
			return true
		}
	}
	return false
}

// JobGraph is what the engine runs.
type JobGraph struct {
	JobName  string
	Stream   *StreamGraph
	Vertices []*Vertex // in topological order
}

// Chained reports whether e lies inside a vertex.
func (g *JobGraph) Chained(e *Edge) bool {
	for _, v := range g.Vertices {
		for _, n := range v.Chain {
			if n == e.To {
				return n != v.Chain[0]
			}
		}
	}
	return false
}
