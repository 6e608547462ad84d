package graph

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Config holds what the environment says about the whole job.
type Config struct {
	JobName           string
	Chaining          bool
	SameMax           bool // operators of different max parallelism are not chained
	Batch             bool // the mode that was resolved from the environment's
	MaxParallelism    int  // for operators that set none; 0: from the parallelism
	BufferTimeout     time.Duration
	WatermarkInterval time.Duration
	SortMemory        int64 // bytes for sorting one keyed input, in BATCH mode
	IndexPrefix       bool  // pipeline.vertex-name-include-index-prefix
	Descriptions      DescriptionMode
	RequireUIDs       bool // an operator needs a uid or a uid hash (pipeline.auto-generate-uids is false)
	NoIterations      bool // checkpoints are on, which iterations do not take part in
	// Instead holds transformations that take the place of others, such as the source that reads a full cache.
	Instead map[*Transformation]*Transformation
}

// Generate builds the StreamGraph of the given transformations and of everything they read
// (StreamGraphGenerator). An error is a *GraphError.
func Generate(registered []*Transformation, c Config) (*StreamGraph, error) {
	if len(registered) == 0 {
		return nil, &GraphError{Kind: "IllegalState", Call: "Execute",
			Msg: "no operators defined in the streaming topology; add an operator such as Map or Print before executing"}
	}
	b := &builder{
		graph: &StreamGraph{JobName: c.JobName, Chaining: c.Chaining, SameMax: c.SameMax, Batch: c.Batch,
			BufferTimeout: c.BufferTimeout, WatermarkInterval: c.WatermarkInterval, SortMemory: c.SortMemory,
			IndexPrefix: c.IndexPrefix, Descriptions: c.Descriptions},
		config: c,
		nodes:  map[*Transformation]*Node{},
		seen:   map[*Transformation]bool{},
	}
	for _, t := range registered {
		if err := b.translate(t); err != nil {
			return nil, err
		}
	}
	if err := b.closeLoops(); err != nil {
		return nil, err
	}
	b.finish()
	if err := checkReinterpreted(b.graph); err != nil {
		return nil, err
	}
	return b.graph, nil
}

type builder struct {
	graph  *StreamGraph
	config Config
	nodes  map[*Transformation]*Node
	seen   map[*Transformation]bool
	heads  []*Transformation // of iterations
}

// closeLoops adds the tails of the iterations: what feeds them may read what they feed, so it comes last.
func (b *builder) closeLoops() error {
	for i := 0; i < len(b.heads); i++ { // a tail may lead to another iteration
		h := b.heads[i]
		switch {
		case b.config.Batch:
			return &GraphError{Kind: "UnsupportedOperation", Op: h.Name, Call: "Iterate", Pos: h.Pos,
				Msg: "iterations cannot run in BATCH mode; call SetRuntimeMode(Streaming)"}
		case b.config.NoIterations:
			return &GraphError{Kind: "UnsupportedOperation", Op: h.Name, Call: "EnableCheckpointing", Pos: h.Pos,
				Msg: "checkpoints do not take in the records inside an iteration; leave checkpointing off, or give it ForceCheckpoints()"}
		case h.Tail == nil:
			return &GraphError{Kind: "IllegalState", Op: h.Name, Call: "Iterate", Pos: h.Pos,
				Msg: fmt.Sprintf("%s has no feedback edges; close the iteration with CloseWith", h.Name)}
		}
		if err := b.translate(h.Tail); err != nil {
			return err
		}
		b.nodes[h].Group = b.nodes[h.Tail].Group // one slot holds both
	}
	return nil
}

// instead is what takes the place of t: mostly t itself.
func (b *builder) instead(t *Transformation) *Transformation {
	if o := b.config.Instead[t]; o != nil {
		return o
	}
	return t
}

// translate makes the node of t, after those of its inputs; each transformation is translated once.
func (b *builder) translate(t *Transformation) error {
	t = b.instead(t)
	if b.seen[t] {
		return nil
	}
	b.seen[t] = true
	for _, in := range t.Inputs {
		if err := b.translate(in); err != nil {
			return err
		}
	}
	if t.Mistake != nil {
		return t.Mistake
	}
	if t.Virtual() {
		return nil
	}
	if t.Kind == Source && b.config.Batch && !t.Bounded {
		return &GraphError{Kind: "IllegalState", Op: t.Name, Call: "Execute", Pos: t.Pos,
			Msg: fmt.Sprintf("source %q is unbounded, which BATCH cannot run; use STREAMING or AUTOMATIC, or a bounded source", t.Name)}
	}
	if b.config.RequireUIDs && t.Iteration == 0 && t.UID == "" && t.UIDHash == "" {
		return &GraphError{Kind: "IllegalState", Op: t.Name, Call: "Execute", Pos: t.Pos,
			Msg: fmt.Sprintf("operator %q has no uid, and automatic ones are off; call UID on it", nodeName(t))}
	}
	n := &Node{ID: t.ID, T: t, Name: nodeName(t), Parallelism: t.Parallelism,
		MaxParallelism: t.MaxParallelism, Chaining: t.Chaining}
	if n.MaxParallelism == 0 {
		n.MaxParallelism = b.config.MaxParallelism
	}
	if b.config.Batch && t.Keyed && (n.Chaining == Always || n.Chaining == HeadWithSources) {
		n.Chaining = Head
	}
	for i, in := range t.Inputs {
		if err := b.connect(n, i, in, route{}); err != nil {
			return err
		}
	}
	n.Group = slotGroup(n)
	b.nodes[t] = n
	if t.Iteration != 0 && t.Kind == Source {
		b.heads = append(b.heads, t)
	}
	b.graph.Nodes = append(b.graph.Nodes, n)
	return nil
}

func nodeName(t *Transformation) string {
	switch {
	case t.Iteration != 0 || t.NoPrefix:
		return t.Name
	case t.Part != "":
		return t.Name + ": " + t.Part
	case t.Kind == Source:
		return "Source: " + t.Name
	case t.Kind == Sink:
		return "Sink: " + t.Name
	default:
		return t.Name
	}
}

// route is what the virtual nodes between a consumer and its producer say. They are resolved from the
// consumer towards the source, so that the partitioner nearest to the consumer wins.
type route struct {
	partitioning Partitioning
	payload      any
	via          *Transformation // that said both
	tag          string
}

func (b *builder) connect(n *Node, input int, from *Transformation, r route) error {
	from = b.instead(from)
	switch from.Kind {
	case Partition:
		if r.partitioning == Unspecified {
			r.partitioning, r.payload, r.via = from.Partitioning, from.Payload, from
		}
	case SideOutput:
		if r.tag == "" {
			r.tag = from.Tag
		}
	case Union:
	default:
		return b.addEdge(b.nodes[from], n, input, r)
	}
	for _, in := range from.Inputs {
		if err := b.connect(n, input, in, r); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) addEdge(from, to *Node, input int, r route) error {
	e := &Edge{From: from, To: to, Input: input, Tag: r.tag, Partitioning: r.partitioning, Payload: r.payload, Via: r.via}
	equal := from.Parallelism == to.Parallelism
	switch {
	case r.partitioning == Unspecified && equal:
		e.Partitioning = Forward
	case r.partitioning == Unspecified:
		e.Partitioning = Rebalance
	case e.reinterpreted() && !equal:
		return &GraphError{Kind: "UnsupportedOperation", Op: to.Name, Call: "ReinterpretAsKeyedStream", Pos: to.T.Pos,
			Msg: fmt.Sprintf("a reinterpreted stream is not shuffled, which does not allow a change of parallelism: %s has %d, %s has %d; give both the same parallelism, or use KeyBy",
				from.Name, from.Parallelism, to.Name, to.Parallelism)}
	case r.partitioning == Forward && !equal:
		return &GraphError{Kind: "UnsupportedOperation", Op: to.Name, Call: "Forward", Pos: to.T.Pos,
			Msg: fmt.Sprintf("forward partitioning does not allow a change of parallelism: %s has %d, %s has %d; use Rebalance, Rescale, Shuffle, Broadcast or Global, or give both the same parallelism",
				from.Name, from.Parallelism, to.Name, to.Parallelism)}
	}
	from.Out = append(from.Out, e)
	to.In = append(to.In, e)
	return nil
}

// slotGroup resolves the slot sharing group: its own, else the one that all inputs agree on, else
// "default".
func slotGroup(n *Node) string {
	if g := n.T.SlotSharingGroup; g != "" {
		return g
	}
	group := ""
	for _, e := range n.In {
		switch {
		case group == "":
			group = e.From.Group
		case group != e.From.Group:
			return defaultGroup
		}
	}
	if group == "" {
		return defaultGroup
	}
	return group
}

// finish orders the nodes by id, which is program order, and numbers the edges.
func (b *builder) finish() {
	g := b.graph
	slices.SortFunc(g.Nodes, func(x, y *Node) int { return cmp.Compare(x.ID, y.ID) })
	id := 0
	for _, n := range g.Nodes {
		slices.SortStableFunc(n.Out, func(x, y *Edge) int { return cmp.Compare(x.To.ID, y.To.ID) })
		if n.T.Kind == Source {
			g.Sources = append(g.Sources, n)
		}
		for _, e := range n.In {
			e.ID = id
			id++
		}
	}
	assignHashes(g)
}

// AllBounded reports whether every source that the transformations read is bounded.
func AllBounded(registered []*Transformation) bool {
	seen := map[*Transformation]bool{}
	var bounded func(t *Transformation) bool
	bounded = func(t *Transformation) bool {
		if seen[t] {
			return true
		}
		seen[t] = true
		if t.Kind == Source && !t.Bounded {
			return false
		}
		return !slices.ContainsFunc(t.Inputs, func(in *Transformation) bool { return !bounded(in) })
	}
	return !slices.ContainsFunc(registered, func(t *Transformation) bool { return !bounded(t) })
}
