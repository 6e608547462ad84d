package dataflow_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// The tests here generate jobs whose results Flink promises whatever the scheduler, the parallelism, the
// chaining and the size of a batch, and demand equal results from all of them.

// rec is the record of the generated jobs.
type rec struct{ K, V, TS int64 }

// step is one generated operation; it must not depend on the order in which records arrive.
type step struct {
	name  string
	apply func(s *DataStream[rec]) *DataStream[rec]
}

func sumRecs(a, b rec) rec { return rec{a.K, a.V + b.V, max(a.TS, b.TS)} }

// steps are the operations that a job is made of.
var steps = []func(r *rand.Rand) step{
	func(r *rand.Rand) step {
		n := r.Int64N(9) + 1
		return step{fmt.Sprint("add ", n), func(s *DataStream[rec]) *DataStream[rec] {
			return &s.Map(func(v rec) rec { v.V += n; return v }).DataStream
		}}
	},
	func(r *rand.Rand) step {
		n := r.Int64N(5) + 2
		return step{fmt.Sprint("drop multiples of ", n), func(s *DataStream[rec]) *DataStream[rec] {
			return &s.Filter(func(v rec) bool { return v.V%n != 0 }).DataStream
		}}
	},
	func(r *rand.Rand) step {
		n := r.Int64N(3) + 1
		return step{fmt.Sprint("repeat ", n), func(s *DataStream[rec]) *DataStream[rec] {
			return &s.FlatMap(func(v rec, out Collector[rec]) {
				for i := range n {
					out.Collect(rec{v.K + i, v.V, v.TS})
				}
			}).DataStream
		}}
	},
	func(r *rand.Rand) step {
		kind := r.IntN(5)
		return step{fmt.Sprint("partition ", kind), func(s *DataStream[rec]) *DataStream[rec] {
			switch kind {
			case 0:
				return s.Rebalance()
			case 1:
				return s.Rescale()
			case 2:
				return s.Shuffle()
			case 3:
				return s.Global()
			}
			return s.PartitionCustom(func(k int64, n int) int { return int(k) % n }, func(v rec) int64 { return v.K })
		}}
	},
	func(r *rand.Rand) step {
		return step{"union with itself", func(s *DataStream[rec]) *DataStream[rec] {
			return s.Union(s.Map(func(v rec) rec { v.V++; return v }))
		}}
	},
	func(r *rand.Rand) step {
		size := time.Duration(r.IntN(40)+5) * time.Millisecond
		slide := size / time.Duration(r.IntN(3)+1)
		return step{fmt.Sprint("windows ", size, " every ", slide), func(s *DataStream[rec]) *DataStream[rec] {
			return &withTimes(s).KeyBy(func(v rec) int64 { return v.K }).Window(SlidingEventTime(size, slide)).
				Reduce(sumRecs).DataStream
		}}
	},
	func(r *rand.Rand) step {
		gap := time.Duration(r.IntN(6)+1) * time.Millisecond
		return step{fmt.Sprint("sessions ", gap), func(s *DataStream[rec]) *DataStream[rec] {
			return &withTimes(s).KeyBy(func(v rec) int64 { return v.K }).Window(EventTimeSession(gap)).
				Reduce(sumRecs).DataStream
		}}
	},
	func(r *rand.Rand) step {
		return step{"sum of each key at the end", func(s *DataStream[rec]) *DataStream[rec] {
			return &withTimes(s).KeyBy(func(v rec) int64 { return v.K }).ProcessKeyed(&totals{}).DataStream
		}}
	},
}

// withTimes gives each record its own time and no watermark before the end, so that nothing is late.
func withTimes(s *DataStream[rec]) *DataStream[rec] {
	return &s.AssignTimestampsAndWatermarks(NoWatermarks[rec]().WithTimestampAssigner(func(v rec, _ int64) int64 { return v.TS })).DataStream
}

// totals adds up each key in state and emits the sum from a timer at the end of time.
type totals struct{ sum ValueState[int64] }

func (t *totals) Open(ctx *RuntimeContext) error {
	t.sum = ctx.State(NewValueStateDescriptor[int64]("sum"))
	return nil
}

func (t *totals) ProcessElement(v rec, ctx *KeyedContext[int64], _ Collector[rec]) error {
	t.sum.Update(t.sum.Value() + v.V)
	ctx.TimerService().RegisterEventTimeTimer(1 << 40)
	return nil
}

func (t *totals) OnTimer(ts int64, ctx *OnTimerContext[int64], out Collector[rec]) error {
	out.Collect(rec{ctx.CurrentKey(), t.sum.Value(), 99})
	return nil
}

// run builds the job of a seed on env and returns its sorted results.
func (j generated) run(env *StreamExecutionEnvironment) (string, error) {
	s := &env.FromSequence(0, 149).Map(func(n int64) rec { return rec{n * 7 % 11, n, n * 5 % 97} }).DataStream
	for _, st := range j.steps {
		s = st.apply(s)
	}
	it, err := s.ExecuteAndCollect(context.Background())
	if err != nil {
		return "", err
	}
	var lines []string
	for v, err := range it.All() {
		if err != nil {
			return "", err
		}
		lines = append(lines, fmt.Sprint(v))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

type generated struct{ steps []step }

func generate(seed uint64) (j generated, name string) {
	r := rand.New(rand.NewPCG(seed, 1))
	var names []string
	for range r.IntN(4) + 2 {
		st := steps[r.IntN(len(steps))](r)
		j.steps = append(j.steps, st)
		names = append(names, st.name)
	}
	return j, strings.Join(names, ", ")
}

func TestResultsDoNotDependOnHowAJobRuns(t *testing.T) {
	for seed := range uint64(30) {
		j, name := generate(seed)
		t.Run(fmt.Sprint(seed, ": ", name), func(t *testing.T) {
			t.Parallel()
			want, err := j.run(NewEnv(WithParallelism(1), WithDeterministic(1)))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []int{1, 2, 4} {
				for _, batch := range []int{1, 7, 512} {
					for _, scheduler := range []EnvOption{WithDeterministic(seed), WithParallelScheduler()} {
						env := NewEnv(WithParallelism(p), WithBatchSize(batch), scheduler)
						if seed%3 == 1 {
							env.DisableOperatorChaining()
						}
						got, err := j.run(env)
						if err != nil {
							t.Fatalf("parallelism %d, batches of %d, deterministic %t: %v", p, batch, env.Deterministic(), err)
						}
						if got != want {
							t.Fatalf("parallelism %d, batches of %d, deterministic %t:\ngot\n%s\nwant\n%s", p, batch, env.Deterministic(), got, want)
						}
					}
				}
			}
		})
	}
}
