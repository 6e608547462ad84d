package engine

import (
	"fmt"
	"testing"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

// What an operator gave is what its readers have taken. These are the cases in which that could go wrong.
func TestRecordsOutAreThoseThatWereTaken(t *testing.T) {
	pass := func() core.Factory { return mapOf(func(v int) int { return v }) }
	sink := func() core.Factory { return (&results[int]{}).factory() }
	tests := []struct {
		name  string
		build func(p *plan)
		want  string
	}{
		{"a chain", func(p *plan) {
			src, m := node[int](p, "Source", 1, numbers(10)), node[int](p, "Map", 1, pass())
			p.chain(src, m)
			p.chain(m, node[int](p, "Sink", 1, sink()))
		}, "Source 0/10, Map 10/10, Sink 10/0"},
		{"over the network", func(p *plan) {
			p.ship(node[int](p, "Source", 2, numbers(10)), node[int](p, "Sink", 3, sink()), core.Rebalance)
		}, "Source 0/10, Sink 10/0"},
		{"two readers get the same records", func(p *plan) {
			src := node[int](p, "Source", 1, numbers(10))
			p.ship(src, node[int](p, "A", 2, sink()), core.Rebalance)
			p.chain(src, node[int](p, "B", 1, sink()))
		}, "Source 0/10, B 10/0, A 10/0"},
		{"a broadcast record is one", func(p *plan) {
			p.ship(node[int](p, "Source", 1, numbers(10)), node[int](p, "Sink", 3, sink()), core.Broadcast)
		}, "Source 0/10, Sink 30/0"},
		{"an output that nobody reads", func(p *plan) {
			src := node[int](p, "Source", 1, numbers(10))
			p.chain(src, node[int](p, "Map", 1, pass()))
		}, "Source 0/10, Map 10/10"},
		{"more and fewer records than came", func(p *plan) {
			src := node[int](p, "Source", 1, numbers(10))
			twice := node[int](p, "Twice", 1, flatMap(func(_ *core.Subtask, v int, ts int64, out core.Emit[int]) { out(v, ts); out(v, ts) }))
			few := node[int](p, "Few", 1, flatMap(func(_ *core.Subtask, v int, ts int64, out core.Emit[int]) {
				if v < 3 {
					out(v, ts)
				}
			}))
			p.chain(src, twice)
			p.chain(twice, few)
			p.chain(few, node[int](p, "Sink", 1, sink()))
		}, "Source 0/10, Twice 10/20, Few 20/6, Sink 6/0"},
		{"a record on which the function fails is not given", func(p *plan) {
			src := node[int](p, "Source", 1, numbers(10))
			m := node[int](p, "Map", 1, mapOf(func(v int) int { return 12 / (4 - v) }))
			p.chain(src, m)
			p.chain(m, node[int](p, "Sink", 1, sink()))
		}, "Source 0/5, Map 5/4, Sink 4/0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlan()
			tt.build(p)
			j := submit(t, p, Options{Deterministic: true})
			_ = j.Wait(limit(t))
			if got := counts(j); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func counts(j job.Job) (text string) {
	for _, v := range j.Metrics().Vertices {
		for _, o := range v.Operators {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%s %d/%d", o.Name, o.In, o.Out)
		}
	}
	return text
}

// A batch that waits for room was given once, also when the job is cancelled there.
func TestABatchThatWaitsForRoomIsCountedOnce(t *testing.T) {
	p := newPlan()
	src := node[int](p, "Source", 1, numbers(1000))
	stuck := node[int](p, "Stuck", 1, flatMap(func(s *core.Subtask, _ int, _ int64, _ core.Emit[int]) {
		s.Runtime.Wait(core.IdleInput, func() bool { return false })
	}))
	p.ship(src, stuck, core.Forward)
	j := submit(t, p, Options{Deterministic: true, BatchSize: 8, Slots: 2})
	j.Advance(limit(t), 100)
	j.Cancel()
	_ = j.Wait(limit(t))
	if got, want := counts(j), "Source 0/24, Stuck 1/0"; got != want {
		t.Errorf("got %s, want %s: three batches of 8", got, want)
	}
}
