package engine

import (
	"fmt"
	"testing"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

func TestMetricsCountRecordsAndSharesAddUp(t *testing.T) {
	for _, deterministic := range []bool{false, true} {
		p, _ := sumJob(2)
		j := submit(t, p, Options{Deterministic: deterministic, BatchSize: 16})
		if err := j.Wait(limit(t)); err != nil {
			t.Fatal(err)
		}
		m := j.Metrics()
		if m.Status != job.Finished || len(m.Vertices) != 3 {
			t.Fatalf("got %+v", m)
		}
		var in, out [3]uint64
		for i, v := range m.Vertices {
			for _, s := range v.Subtasks {
				in[i] += s.In
				out[i] += s.Out
				if s.Busy+s.Idle+s.BackPressured != 1000 || s.State != "done" {
					t.Errorf("got %+v, want shares of 1000 and state done", s)
				}
				if s.Watermark != core.MaxWatermark {
					t.Errorf("vertex %d: got watermark %d, want the maximum", i, s.Watermark)
				}
			}
		}
		if in != [3]uint64{0, 1000, 1000} || out != [3]uint64{1000, 1000, 0} {
			t.Errorf("got in %v out %v", in, out)
		}
		if got := m.Vertices[1].Operators[0]; got.Name != "Map" || got.In != 1000 {
			t.Errorf("got %+v, want Map with 1000 records in", got)
		}
	}
}

func TestDeterministicMetricsRepeat(t *testing.T) {
	var want string
	for range 3 {
		p, _ := sumJob(2)
		j := submit(t, p, Options{Deterministic: true, Seed: 5, BatchSize: 8, Slots: 2})
		j.Advance(limit(t), 60)
		got := fmt.Sprint(j.Metrics())
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestSamplesShowWhatLeftOrReachedAVertex(t *testing.T) {
	p, _ := sumJob(1)
	j := submit(t, p, Options{Deterministic: true})
	if err := j.Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	g := j.Graph()
	if got := fmt.Sprint(values(j.Samples(g.Vertices[0].ID, 3))); got != "[997 998 999]" {
		t.Errorf("left the source: got %s, want [997 998 999]", got)
	}
	if got := fmt.Sprint(values(j.Samples(g.Vertices[2].ID, 3))); got != "[7 8 9]" {
		t.Errorf("reached the sum: got %s, want [7 8 9]", got)
	}
	p2 := newPlan()
	p2.chain(node[int](p2, "Source", 1, numbers(20)), node[int](p2, "Sink", 1, (&results[int]{}).factory()))
	j2 := submit(t, p2, Options{Deterministic: true})
	if err := j2.Wait(limit(t)); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(values(j2.Samples(j2.Graph().Vertices[0].ID, 2))); got != "[18 19]" {
		t.Errorf("a chain without edges: got %s, want [18 19]", got)
	}
}

func values(all []job.Sample) (vals []any) {
	for _, s := range all {
		vals = append(vals, s.Value)
	}
	return vals
}

func TestIdsComeFromSeedAndNumber(t *testing.T) {
	id := func(seed, number uint64) string {
		p, _ := sumJob(1)
		return submit(t, p, Options{Deterministic: true, Seed: seed, Number: number}).ID()
	}
	if a, b := id(1, 0), id(1, 0); a != b || len(a) != 32 {
		t.Errorf("got %s and %s, want the same 32 digits", a, b)
	}
	if id(1, 0) == id(1, 1) || id(1, 0) == id(2, 0) {
		t.Error("jobs with another seed or number got the same id")
	}
}
