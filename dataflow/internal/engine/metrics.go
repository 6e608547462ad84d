package engine

import (
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sched"
	"flinkish/dataflow/job"
)

// rates remembers the accounts of the last look, so that a screen sees what happens now and not the
// average since the start. Deterministic jobs show the average: a number that repeats.
type rates struct {
	at        int64 // nanoseconds; 0: never looked
	base, now []sched.Usage
}

// rateWindow is how old the base of a rate gets, in nanoseconds.
const rateWindow = 1_000_000_000

// baseline returns the accounts to subtract from u, with mu held.
func (r *rates) baseline(nanos int64, u []sched.Usage) []sched.Usage {
	if nanos-r.at >= rateWindow {
		r.base, r.now, r.at = r.now, u, nanos
	}
	return r.base
}

// Metrics implements job.Job.
func (j *run) Metrics() job.Metrics {
	usage, base := j.usage()
	j.mu.Lock()
	m := job.Metrics{Status: j.status, Now: j.now(), Started: j.started, Ended: j.ended, Runtime: j.runtimeOf()}
	j.mu.Unlock()
	if j.coop != nil {
		m.Steps = j.coop.Steps()
	}
	n := 0
	for i, v := range j.g.Vertices {
		vm := job.VertexMetrics{ID: v.ID}
		for _, node := range v.Chain {
			vm.Operators = append(vm.Operators, job.OperatorMetrics{Name: node.Name})
		}
		for index, t := range j.tasks[i] {
			s := shares(usage[n], base, n)
			n++
			view := t.View()
			s.Index, s.In, s.Out = index, view.In, view.Out
			s.Queued, s.QueueCap, s.Watermark = view.Queued, view.QueueCap, view.Watermark
			s.Keys, s.Timers, s.LateDropped = view.Keys, view.Timers, view.Late
			for _, u := range view.User {
				s.User = append(s.User, job.UserMetric{Operator: v.Chain[u.Op].Name, Name: u.Name, Kind: u.Kind, Value: u.Value})
			}
			vm.Subtasks = append(vm.Subtasks, s)
			for k, o := range view.Operators {
				vm.Operators[k].In += o.In
				vm.Operators[k].Out += o.Out
				vm.Operators[k].LateDropped += o.Late
			}
		}
		m.Vertices = append(m.Vertices, vm)
	}
	return m
}

func (j *run) usage() (now, base []sched.Usage) {
	if j.coop != nil {
		return j.coop.Usage(), nil
	}
	now = j.parallel.Usage()
	j.mu.Lock()
	defer j.mu.Unlock()
	return now, j.rates.baseline(j.o.Clock.Nanos(), now)
}

// shares turns the account of subtask n into milliseconds per second that add up to 1000. One that has
// done nothing yet, or has ended, is idle.
func shares(u sched.Usage, base []sched.Usage, n int) job.SubtaskMetrics {
	s := job.SubtaskMetrics{State: u.Reason.String(), Idle: 1000}
	if base != nil {
		u.Total -= base[n].Total
		u.Idle -= base[n].Idle
		u.BackPressured -= base[n].BackPressured
	}
	if u.Reason == core.Done && base != nil || u.Total <= 0 {
		return s
	}
	s.Idle = int(max(0, min(u.Idle*1000/u.Total, 1000)))
	s.BackPressured = int(max(0, min(u.BackPressured*1000/u.Total, int64(1000-s.Idle))))
	s.Busy = 1000 - s.Idle - s.BackPressured
	return s
}

// Samples implements job.Job. Records that left the vertex are taken from its edges, those that reached
// a vertex without an output from the edges that lead there.
func (j *run) Samples(vertex string, n int) []job.Sample {
	if n <= 0 {
		return nil
	}
	for i, v := range j.g.Vertices {
		if v.ID != vertex {
			continue
		}
		switch {
		case len(v.Out) > 0:
			return j.samplesLeaving(i, n)
		case len(v.In) > 0:
			return j.samplesReaching(i, n)
		}
		return j.samplesTapped(i, n)
	}
	return nil
}

func (j *run) samplesLeaving(i, n int) []job.Sample {
	var perSource [][]job.Sample
	for _, e := range j.outEdges[i] {
		for p := range j.tasks[i] {
			var got []job.Sample
			for _, s := range e.net.Writer(p).Sample(n) {
				got = append(got, job.Sample{Value: s.Value, Type: typeOf(e), Timestamp: s.Timestamp, Subtask: p})
			}
			perSource = append(perSource, got)
		}
	}
	return interleave(perSource, n)
}

func (j *run) samplesReaching(i, n int) []job.Sample {
	var perSource [][]job.Sample
	for from, out := range j.outEdges {
		for _, e := range out {
			if e.to != j.g.Vertices[i] {
				continue
			}
			for p := range j.tasks[from] {
				var got []job.Sample
				for _, s := range e.net.Writer(p).Sample(n) {
					got = append(got, job.Sample{Value: s.Value, Type: typeOf(e), Timestamp: s.Timestamp, Subtask: s.Channel})
				}
				perSource = append(perSource, got)
			}
		}
	}
	return interleave(perSource, n)
}

func (j *run) samplesTapped(i, n int) []job.Sample {
	var perSource [][]job.Sample
	for p, t := range j.tasks[i] {
		var got []job.Sample
		all, typ := t.Samples(n)
		for _, s := range all {
			got = append(got, job.Sample{Value: s.Value, Type: typ, Timestamp: s.Timestamp, Subtask: p})
		}
		perSource = append(perSource, got)
	}
	return interleave(perSource, n)
}

// interleave takes the newest of each source by turns until there are n, and returns them oldest first.
func interleave(sources [][]job.Sample, n int) []job.Sample {
	var newest []job.Sample
	for back := 1; len(newest) < n; back++ {
		before := len(newest)
		for _, s := range sources {
			if back <= len(s) && len(newest) < n {
				newest = append(newest, s[len(s)-back])
			}
		}
		if len(newest) == before {
			break
		}
	}
	for a, b := 0, len(newest)-1; a < b; a, b = a+1, b-1 {
		newest[a], newest[b] = newest[b], newest[a]
	}
	return newest
}

// typeOf is the type of the records on an edge.
func typeOf(e outEdge) graph.Type {
	if e.stream.Tag != "" {
		return e.stream.From.T.SideOut[e.stream.Tag]
	}
	return e.stream.From.T.Out
}
