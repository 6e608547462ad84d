package operatortest_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// The tests here generate jobs whose results Flink promises whatever the scheduler, the parallelism, the
// chaining and the size of a batch, and demand equal results from all of them.

// step is one generated operation; it must not depend on the order in which records arrive.
type step struct {
	name  string
	apply func(s *DataStream[ev]) *DataStream[ev]
}

func sumOf(a, b ev) ev { return ev{a.K, a.V + b.V, max(a.T, b.T)} }

// next is the key n places after k.
func next(k string, n int) string { return string(rune(k[0]) + rune(n)) }

// steps are the operations that a job is made of.
var steps = []func(r *rand.Rand) step{
	func(r *rand.Rand) step {
		n := r.IntN(9) + 1
		return step{fmt.Sprint("add ", n), func(s *DataStream[ev]) *DataStream[ev] {
			return &s.Map(func(v ev) ev { v.V += n; return v }).DataStream
		}}
	},
	func(r *rand.Rand) step {
		n := r.IntN(5) + 2
		return step{fmt.Sprint("drop multiples of ", n), func(s *DataStream[ev]) *DataStream[ev] {
			return &s.Filter(func(v ev) bool { return v.V%n != 0 }).DataStream
		}}
	},
	func(r *rand.Rand) step {
		n := r.IntN(3) + 1
		return step{fmt.Sprint("repeat ", n), func(s *DataStream[ev]) *DataStream[ev] {
			return &s.FlatMap(func(v ev, out Collector[ev]) {
				for i := range n {
					out.Collect(ev{next(v.K, i), v.V, v.T})
				}
			}).DataStream
		}}
	},
	func(r *rand.Rand) step {
		kind := r.IntN(5)
		return step{fmt.Sprint("partition ", kind), func(s *DataStream[ev]) *DataStream[ev] {
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
			return s.PartitionCustom(func(k string, n int) int { return int(k[0]) % n }, key)
		}}
	},
	func(r *rand.Rand) step {
		return step{"union with itself", func(s *DataStream[ev]) *DataStream[ev] {
			return s.Union(s.Map(func(v ev) ev { v.V++; return v }))
		}}
	},
	func(r *rand.Rand) step {
		size := time.Duration(r.IntN(40)+5) * time.Millisecond
		slide := (size / time.Duration(r.IntN(3)+1)).Truncate(time.Millisecond)
		return step{fmt.Sprint("windows ", size, " every ", slide), func(s *DataStream[ev]) *DataStream[ev] {
			return &withTimes(s).KeyBy(key).Window(SlidingEventTime(size, slide)).
				Reduce(sumOf).DataStream
		}}
	},
	func(r *rand.Rand) step {
		gap := time.Duration(r.IntN(6)+1) * time.Millisecond
		return step{fmt.Sprint("sessions ", gap), func(s *DataStream[ev]) *DataStream[ev] {
			return &withTimes(s).KeyBy(key).Window(EventTimeSession(gap)).
				Reduce(sumOf).DataStream
		}}
	},
	func(r *rand.Rand) step {
		return step{"sum of each key at the end", func(s *DataStream[ev]) *DataStream[ev] {
			return &withTimes(s).KeyBy(key).ProcessKeyed(&totals{}).DataStream
		}}
	},
	func(r *rand.Rand) step {
		size := time.Duration(r.IntN(30)+5) * time.Millisecond
		return step{fmt.Sprint("join with sums of windows ", size), func(s *DataStream[ev]) *DataStream[ev] {
			return &withTimes(s).Join(withTimes(windowSums(s, size))).Where(key).EqualTo(key).Window(TumblingEventTime(size)).
				Apply(func(a, b ev) ev { return ev{a.K, a.V + 2*b.V, a.T} }).DataStream
		}}
	},
	func(r *rand.Rand) step {
		size := time.Duration(r.IntN(30)+5) * time.Millisecond
		return step{fmt.Sprint("coGroup with itself in windows ", size), func(s *DataStream[ev]) *DataStream[ev] {
			return &withTimes(s).CoGroup(withTimes(&s.Filter(func(v ev) bool { return v.V%3 != 1 }).DataStream)).Where(key).EqualTo(key).
				Window(TumblingEventTime(size)).Apply(func(as, bs iter.Seq[ev], out Collector[ev]) {
				sum := ev{}
				for v := range as {
					sum = ev{v.K, sum.V + v.V, max(sum.T, v.T)}
				}
				for v := range bs {
					sum.V += 3 * v.V
				}
				out.Collect(sum)
			}).DataStream
		}}
	},
	func(r *rand.Rand) step {
		bound := time.Duration(r.IntN(4)+1) * time.Millisecond
		return step{fmt.Sprint("interval join within ", bound), func(s *DataStream[ev]) *DataStream[ev] {
			sums := windowSums(s, 9*time.Millisecond)
			return &withTimes(s).KeyBy(key).IntervalJoin(withTimes(sums).KeyBy(key)).Between(-bound, (bound / 2).Truncate(time.Millisecond)).
				ProcessFunc(func(a, b ev, _ *ProcessJoinContext, out Collector[ev]) error {
					out.Collect(ev{a.K, a.V - b.V, a.T})
					return nil
				}).DataStream
		}}
	},
	func(r *rand.Rand) step {
		return step{"rules by broadcast", func(s *DataStream[ev]) *DataStream[ev] {
			return &withTimes(s).KeyBy(key).ConnectBroadcast(withTimes(s).BroadcastWithState(sumRules)).ProcessKeyed(&ruledAtEnd{}).DataStream
		}}
	},
	func(r *rand.Rand) step {
		return step{"partitions of keys", func(s *DataStream[ev]) *DataStream[ev] {
			return &s.KeyBy(key).FullWindowPartition().Reduce(sumOf).DataStream
		}}
	},
}

// looping repeats a calculation on each record until it is done. It comes last in a job: what is fed back does not hold event
// time back.
var looping = step{"loop", func(s *DataStream[ev]) *DataStream[ev] {
	it := s.Iterate(MaxWait(time.Second))
	less := it.Map(func(v ev) ev { v.V /= 2; return v })
	it.CloseWith(less.Filter(func(v ev) bool { return v.V > 3 || v.V < -3 }))
	return &less.Filter(func(v ev) bool { return v.V <= 3 && v.V >= -3 }).DataStream
}}

func windowSums(s *DataStream[ev], size time.Duration) *DataStream[ev] {
	return &withTimes(s).KeyBy(key).Window(TumblingEventTime(size)).Reduce(sumOf).DataStream
}

var sumRules = NewMapStateDescriptor[string, int]("rules")

// ruledAtEnd adds up the records of a key, and at the end of time what the broadcast records of the key add up to in every
// subtask.
type ruledAtEnd struct{ totals }

func (f *ruledAtEnd) ProcessElement(v ev, ctx *KeyedReadOnlyBroadcastContext[string], out Collector[ev]) error {
	return f.totals.ProcessElement(v, ctx.KeyedContext, out)
}

func (f *ruledAtEnd) ProcessBroadcastElement(v ev, ctx *KeyedBroadcastContext[string], _ Collector[ev]) error {
	rules := ctx.BroadcastState(sumRules)
	n, _ := rules.Get(v.K)
	rules.Put(v.K, n+v.V)
	return nil
}

func (f *ruledAtEnd) OnTimer(ts int64, ctx *BroadcastOnTimerContext[string], out Collector[ev]) error {
	n, _ := ctx.BroadcastState(sumRules).Get(ctx.CurrentKey())
	out.Collect(ev{ctx.CurrentKey(), f.sum.Value()*5 + n, 99})
	return nil
}

// withTimes gives each record its own time and no watermark before the end, so that nothing is late.
func withTimes(s *DataStream[ev]) *DataStream[ev] {
	return &s.AssignTimestampsAndWatermarks(NoWatermarks[ev]().WithTimestampAssigner(func(v ev, _ int64) int64 { return v.T })).DataStream
}

// totals adds up each key in state and emits the sum from a timer at the end of time.
type totals struct{ sum ValueState[int] }

func (t *totals) Open(ctx *RuntimeContext) error {
	t.sum = ctx.State(NewValueStateDescriptor[int]("sum"))
	return nil
}

func (t *totals) ProcessElement(v ev, ctx *KeyedContext[string], _ Collector[ev]) error {
	t.sum.Update(t.sum.Value() + v.V)
	ctx.TimerService().RegisterEventTimeTimer(1 << 40)
	return nil
}

func (t *totals) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[ev]) error {
	out.Collect(ev{ctx.CurrentKey(), t.sum.Value(), 99})
	return nil
}

// run builds the job of a seed on env and returns its sorted results.
func (j generated) run(env *StreamExecutionEnvironment) (string, error) {
	s := &env.FromSequence(0, 149).Map(func(n int64) ev { return ev{next("a", int(n*7%11)), int(n), n * 5 % 97} }).DataStream
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
		lines = append(lines, fmt.Sprint(v, "@", v.T))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

type generated struct {
	steps []step
	loops bool // ends when nothing was fed back for a while, so only a virtual clock can run it; BATCH mode refuses it
}

func generate(seed uint64) (j generated, name string) {
	r := rand.New(rand.NewPCG(seed, 1))
	var names []string
	for range r.IntN(4) + 2 {
		st := steps[r.IntN(len(steps))](r)
		j.steps = append(j.steps, st)
		names = append(names, st.name)
	}
	if r.IntN(5) == 0 {
		j.loops, j.steps, names = true, append(j.steps, looping), append(names, looping.name)
	}
	return j, strings.Join(names, ", ")
}

func TestResultsDoNotDependOnHowAJobRuns(t *testing.T) {
	for seed := range uint64(40) {
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
						if j.loops && !env.Deterministic() {
							continue
						}
						if batch == 7 && !j.loops {
							env.SetRuntimeMode(Batch)
						}
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
