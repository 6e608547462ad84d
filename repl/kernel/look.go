package kernel

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/job"
	"flinkish/repl/session"
)

// Incomplete reports whether src needs more lines.
func (k *Kernel) Incomplete(src string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ready() == nil && k.in.Incomplete(src)
}

// Complete proposes continuations. While a cell runs there are none.
func (k *Kernel) Complete(_ context.Context, src string, pos int) (cs []session.Candidate, start int) {
	if !k.mu.TryLock() {
		return nil, pos
	}
	defer k.mu.Unlock()
	start = pos
	if k.ready() != nil {
		return nil, pos
	}
	for _, c := range k.in.Complete(src, pos) {
		start = c.Start
		cs = append(cs, session.Candidate{Text: c.Text, Kind: c.Kind, Type: c.Detail, Doc: c.Doc, Snippet: c.Snippet})
	}
	return cs, start
}

// TypeOf is the type of an expression.
func (k *Kernel) TypeOf(_ context.Context, expr string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return "", err
	}
	t, err := k.in.TypeOf(expr)
	if err != nil {
		return "", k.diagnostic(context.Background(), session.Cell{Number: k.last + 1, Source: expr}, err)
	}
	return t, nil
}

// Vars lists the live names by the cells that declared them, those of one cell by name.
func (k *Kernel) Vars(context.Context) []session.Var {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ready() != nil {
		return nil
	}
	var out []session.Var
	for _, v := range k.in.Vars() {
		out = append(out, session.Var{Name: v.Name, Kind: v.Kind, Type: v.Type, Value: v.Text, Cell: v.Cell})
	}
	slices.SortStableFunc(out, func(a, b session.Var) int { return a.Cell - b.Cell })
	return out
}

// Plan is Flink's JSON.
func (k *Kernel) Plan(context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return "", err
	}
	return k.env.ExecutionPlan()
}

// Graph is the graph of a job, or of the environment.
func (k *Kernel) Graph(_ context.Context, name string) (session.Graph, error) {
	if name != "" {
		j, err := k.jobs.find(name)
		if err != nil {
			return session.Graph{}, err
		}
		g := plain(j.Graph())
		g.Job, g.Name = j.ID(), j.Name()
		return g, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return session.Graph{}, err
	}
	jg, err := k.env.JobGraph()
	if nothing(err) {
		return session.Graph{}, nil
	}
	if err != nil {
		return session.Graph{}, err
	}
	return plain(jg), nil
}

// nothing reports whether err says that the environment holds no operators.
func nothing(err error) bool {
	var e *graph.GraphError
	return errors.As(err, &e) && e.Kind == "IllegalState" && e.Op == ""
}

// plain makes the drawable form of a job graph.
func plain(jg *graph.JobGraph) session.Graph {
	g := session.Graph{Name: jg.JobName}
	for i, v := range jg.Vertices {
		t := session.Task{ID: v.ID, Label: letters(i), Name: v.Name, Parallelism: v.Parallelism}
		depth := map[*graph.Node]int{}
		for _, n := range v.Chain {
			op := session.Operator{ID: n.ID, Name: n.Name}
			if n != v.Chain[0] {
				op.Depth = chainDepth(n, depth)
			}
			depth[n] = op.Depth
			if n.T != nil {
				op.Cell = n.T.Cell
				op.Sink = isSink(n)
				op.Type = typeName(n.T.Out)
			}
			t.Operators = append(t.Operators, op)
		}
		g.Tasks = append(g.Tasks, t)
		for _, e := range v.Out {
			g.Edges = append(g.Edges, session.Edge{From: e.From.ID, To: e.To.ID, Tag: e.Edge.Tag,
				Partitioning: e.Edge.Partitioning.String(), Type: edgeType(e.Edge)})
		}
	}
	return g
}

// isSink reports whether results leave the job at n; the tail of an iteration is a sink in the graph only.
func isSink(n *graph.Node) bool {
	return n.T != nil && n.T.Kind == graph.Sink && n.T.Iteration == 0
}

// sinks counts the sinks of the streams that were not submitted.
func (k *Kernel) sinks() int {
	g, err := k.env.StreamGraph()
	if err != nil {
		return 0
	}
	n := 0
	for _, node := range g.Nodes {
		if isSink(node) {
			n++
		}
	}
	return n
}

// chainDepth is one more than that of the deepest input inside the chain.
func chainDepth(n *graph.Node, depth map[*graph.Node]int) int {
	d := 0
	for _, e := range n.In {
		if up, ok := depth[e.From]; ok {
			d = max(d, up+1)
		}
	}
	return d
}

func edgeType(e *graph.Edge) string {
	if e.From.T == nil {
		return ""
	}
	if e.Tag != "" {
		return typeName(e.From.T.SideOut[e.Tag])
	}
	return typeName(e.From.T.Out)
}

func typeName(t graph.Type) string {
	if t == nil {
		return ""
	}
	return t.String()
}

// letters names task i: A to Z, AA, AB, ...
func letters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letters(i/26-1) + letters(i%26)
}

// Metrics are the numbers of a job.
func (k *Kernel) Metrics(_ context.Context, name string) (session.Metrics, error) {
	j, err := k.jobs.find(name)
	if err != nil {
		return session.Metrics{}, err
	}
	m := j.Metrics()
	out := session.Metrics{Job: info(j, m)}
	for _, v := range m.Vertices {
		out.Tasks = append(out.Tasks, taskMetrics(v))
	}
	return out, nil
}

func taskMetrics(v job.VertexMetrics) session.TaskMetrics {
	t := session.TaskMetrics{ID: v.ID, Watermark: session.NoTime}
	for i, s := range v.Subtasks {
		t.In += s.In
		t.Out += s.Out
		t.Busy = max(t.Busy, s.Busy)
		t.Idle = max(t.Idle, s.Idle)
		t.BackPressured = max(t.BackPressured, s.BackPressured)
		t.LateDropped += s.LateDropped
		if i == 0 || s.Watermark < t.Watermark {
			t.Watermark = s.Watermark
		}
		t.Subtasks = append(t.Subtasks, session.SubtaskMetrics{Index: s.Index, State: s.State, In: s.In, Out: s.Out,
			Busy: s.Busy, Idle: s.Idle, BackPressured: s.BackPressured, Queued: s.Queued, QueueCap: s.QueueCap,
			Watermark: s.Watermark, Keys: s.Keys, Timers: s.Timers, LateDropped: s.LateDropped, User: userMetrics(s.User)})
	}
	for _, o := range v.Operators {
		t.Operators = append(t.Operators, session.OperatorMetrics{Name: o.Name, In: o.In, Out: o.Out, LateDropped: o.LateDropped})
	}
	return t
}

func userMetrics(ms []job.UserMetric) (out []session.UserMetric) {
	for _, m := range ms {
		out = append(out, session.UserMetric{Operator: m.Operator, Name: m.Name, Kind: m.Kind, Value: fmt.Sprint(m.Value)})
	}
	return out
}

// Samples are recent records of a task.
func (k *Kernel) Samples(_ context.Context, name, task string, n int) ([]session.Sample, error) {
	j, err := k.jobs.find(name)
	if err != nil {
		return nil, err
	}
	var out []session.Sample
	for _, s := range j.Job.Samples(task, n) {
		text := ""
		if s.Type != nil {
			text = s.Type.Format(s.Value)
		} else {
			text = fmt.Sprint(s.Value)
		}
		out = append(out, session.Sample{Text: text, Type: typeName(s.Type), Timestamp: s.Timestamp, Subtask: s.Subtask})
	}
	return out, nil
}
