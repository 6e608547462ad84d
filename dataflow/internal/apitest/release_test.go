package apitest_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"weak"

	. "flinkish/dataflow"
)

type megabyte [1 << 20]byte

// holder keeps much for each subtask, and a gauge that reads it.
type holder struct {
	much *megabyte
	fail bool
	kept *keptParts
}

// keptParts are what the functions of a job kept; those of the parallel engine open at once.
type keptParts struct {
	mu  sync.Mutex
	all []weak.Pointer[megabyte]
}

func (h *holder) Open(ctx *RuntimeContext) error {
	h.much = new(megabyte)
	h.kept.mu.Lock()
	defer h.kept.mu.Unlock()
	h.kept.all = append(h.kept.all, weak.Make(h.much))
	ctx.MetricGroup().Gauge("size", func() any { return len(h.much) })
	return nil
}

func (h *holder) Map(v int) (int, error) {
	if h.fail {
		return 0, errors.New("no")
	}
	return v + len(h.much), nil
}

// TestAHandleOfAnEndedJobKeepsNothingOfItsFunctions: a session has the handles of all of its jobs.
func TestAHandleOfAnEndedJobKeepsNothingOfItsFunctions(t *testing.T) {
	parallel := func() *StreamExecutionEnvironment { return NewEnv(WithParallelism(1), WithParallelScheduler()) }
	batch := func() *StreamExecutionEnvironment { return env().SetRuntimeMode(Batch) }
	for _, c := range []struct {
		name string
		env  func() *StreamExecutionEnvironment
		fail bool
	}{{"one that finished", env, false}, {"of the parallel engine", parallel, false}, {"in batch mode", batch, false}, {"one that failed", env, true}} {
		t.Run(c.name, func(t *testing.T) {
			var kept keptParts
			e := c.env()
			h := func(fail bool) *holder { return &holder{fail: fail, kept: &kept} }
			e.FromData(1, 2).MapRich(h(false)).KeyBy(one).MapRich(h(c.fail)).Union(e.FromData(3)).MapRich(h(false)).AddSinkFunc(func(int) error { return nil })
			client, err := e.ExecuteAsync(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Result(context.Background()); (err != nil) != c.fail {
				t.Fatal(err)
			}
			runtime.GC()
			if len(kept.all) != 3 {
				t.Fatalf("%d functions were opened", len(kept.all))
			}
			for i, p := range kept.all {
				if p.Value() != nil {
					t.Errorf("function %d is kept", i)
				}
			}
			sizes := 0
			for _, v := range client.Job().Metrics().Vertices {
				for _, s := range v.Subtasks {
					for _, u := range s.User {
						if u.Value == 1<<20 {
							sizes++
						}
					}
				}
			}
			if sizes != 3 {
				t.Errorf("%d gauges have their last value", sizes)
			}
		})
	}
}
