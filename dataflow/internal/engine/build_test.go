package engine

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/exchange"
	"flinkish/dataflow/internal/keygroup"
)

// This file builds small job graphs by hand, with the least operators that show what the engine does.

// plan collects nodes and turns them into a JobGraph: every node without a chained input heads a vertex.
type plan struct {
	nodes []*graph.Node
	head  map[*graph.Node]*graph.Node // of the chain that a node is in
	edges []*graph.Edge
}

func newPlan() *plan { return &plan{head: map[*graph.Node]*graph.Node{}} }

func node[R any](p *plan, name string, par int, f core.Factory) *graph.Node {
	n := &graph.Node{ID: len(p.nodes) + 1, Name: name, Parallelism: par, T: &graph.Transformation{
		Name: name, Factory: f, Mover: exchange.Of[R](), Movers: map[string]core.Mover{},
		BufferTimeout: graph.DefaultBufferTimeout,
	}}
	p.nodes = append(p.nodes, n)
	p.head[n] = n
	return n
}

func (p *plan) edge(from, to *graph.Node, input int, kind core.Partitioning, payload any) *graph.Edge {
	e := &graph.Edge{ID: len(p.edges) + 1, From: from, To: to, Input: input, Partitioning: kind, Payload: payload}
	from.Out, to.In = append(from.Out, e), append(to.In, e)
	p.edges = append(p.edges, e)
	return e
}

// ship connects two nodes over the network; chain puts to into the chain of from.
func (p *plan) ship(from, to *graph.Node, kind core.Partitioning) *graph.Edge {
	return p.edge(from, to, 0, kind, nil)
}

func (p *plan) chain(from, to *graph.Node) *graph.Edge {
	p.head[to] = p.head[from]
	return p.edge(from, to, 0, core.Forward, nil)
}

func shipKeyed[T any, K comparable](p *plan, from, to *graph.Node, key func(T) K) *graph.Edge {
	return p.edge(from, to, 0, core.Hash, exchange.Keyed(key, keygroup.HasherOf[K]()))
}

func (p *plan) graph() *graph.JobGraph {
	g := &graph.JobGraph{JobName: "test", Stream: &graph.StreamGraph{
		BufferTimeout: 100 * time.Millisecond, WatermarkInterval: 200 * time.Millisecond,
	}}
	vertex := map[*graph.Node]*graph.Vertex{}
	for _, n := range p.nodes {
		h := p.head[n]
		v := vertex[h]
		if v == nil {
			v = &graph.Vertex{
				ID: fmt.Sprintf("%032x", h.ID), Index: len(g.Vertices), Name: h.Name,
				Parallelism: h.Parallelism, MaxParallelism: 128,
			}
			vertex[h] = v
			g.Vertices = append(g.Vertices, v)
		}
		if n != h {
			v.Name += " -> " + n.Name
		}
		v.Chain = append(v.Chain, n)
	}
	for _, e := range p.edges {
		from, to := vertex[p.head[e.From]], vertex[p.head[e.To]]
		if e.To == p.head[e.To] {
			je := &graph.JobEdge{From: from, To: to, Edge: e}
			from.Out, to.In = append(from.Out, je), append(to.In, je)
		}
	}
	return g
}

// factory is a core.Factory made of a function.
type factory func(s *core.Subtask, out core.Outputs) *core.Instance

func (f factory) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	return f(s, out), nil
}

// passive is the control side of an operator that forwards everything. on sees the calls.
type passive struct {
	out core.Control
	on  func(call string)
}

func (p passive) note(format string, args ...any) {
	if p.on != nil {
		p.on(fmt.Sprintf(format, args...))
	}
}

func (p passive) Open() error { p.note("open"); return nil }
func (p passive) Watermark(input int, wm int64) {
	p.note("watermark %d %d", input, wm)
	p.out.Watermark(wm)
}
func (p passive) Status(input int, idle bool) {
	p.note("status %d %v", input, idle)
	p.out.Status(idle)
}
func (p passive) EndInput(input int) { p.note("endInput %d", input) }
func (p passive) Finish()            { p.note("finish") }
func (p passive) Close() error       { p.note("close"); return nil }

// sourceOf emits what gen yields; ts comes from gen too.
func sourceOf[T any](gen func(s *core.Subtask, emit core.Emit[T])) core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		emit, c := out.Main.(core.Emit[T]), &core.Counters{}
		op := s.OpIndex
		return &core.Instance{Op: passive{out: out.Control}, Counters: c, Run: func() error {
			s.Op = op
			gen(s, emit)
			return nil
		}}
	})
}

// numbers emits the part of 0..n-1 that falls to the subtask.
func numbers(n int) core.Factory {
	return sourceOf(func(s *core.Subtask, emit core.Emit[int]) {
		for i := s.Index; i < n; i += s.Parallelism {
			if !s.Poll() {
				return
			}
			emit(i, core.NoTimestamp)
		}
	})
}

// flatMap calls f for each record. It names the record it works on.
func flatMap[T, R any](f func(s *core.Subtask, v T, ts int64, out core.Emit[R])) core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		emit, op, c := out.Main.(core.Emit[R]), s.OpIndex, &core.Counters{}
		var last T
		return &core.Instance{
			Op: passive{out: out.Control}, Record: func() any { return last }, Counters: c,
			Inputs: []any{core.Emit[T](func(v T, ts int64) {
				last, s.Op = v, op
				c.In++
				f(s, v, ts, emit)
			})},
		}
	})
}

func mapOf[T, R any](f func(T) R) core.Factory {
	return flatMap(func(_ *core.Subtask, v T, ts int64, out core.Emit[R]) { out(f(v), ts) })
}

// keyedSum keeps a running sum per key and emits it.
func keyedSum() core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		emit, sums := out.Main.(core.Emit[string]), map[int]int{}
		return &core.Instance{Op: passive{out: out.Control}, Inputs: []any{
			core.KeyedEmit[int, int](func(k, v int, ts int64) {
				sums[k] += v
				emit(fmt.Sprintf("%d=%d", k, sums[k]), ts)
			}),
		}}
	})
}

// results is a sink that all of its subtasks share.
type results[T any] struct {
	mu  sync.Mutex
	got []T
}

func (r *results[T]) factory() core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		var last T
		c := &core.Counters{}
		return &core.Instance{Op: passive{out: out.Control}, Counters: c, Record: func() any { return last }, Inputs: []any{core.Emit[T](func(v T, _ int64) {
			last = v
			c.In++
			r.mu.Lock()
			defer r.mu.Unlock()
			r.got = append(r.got, v)
		})}}
	})
}

func (r *results[T]) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}

// texts returns the records as text, sorted: the multiset.
func (r *results[T]) texts() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, v := range r.got {
		all = append(all, fmt.Sprint(v))
	}
	slices.Sort(all)
	return all
}

// tracer is a node that notes every call it gets and drops records; of two inputs if asked.
type tracer struct {
	mu    sync.Mutex
	calls []string
}

func (t *tracer) note(call string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, call)
}

func (t *tracer) factory(inputs int) core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		var ins []any
		for i := range inputs {
			ins = append(ins, core.Emit[int](func(v int, ts int64) { t.note(fmt.Sprintf("record %d %d@%d", i, v, ts)) }))
		}
		return &core.Instance{Op: passive{out: out.Control, on: t.note}, Inputs: ins}
	})
}
