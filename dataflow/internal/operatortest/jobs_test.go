package operatortest_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

// where emits for each record its key and the subtask that handles it.
type where struct{ at int }

func (w *where) Open(ctx *RuntimeContext) error {
	w.at = ctx.TaskInfo().Subtask
	return nil
}

func (w *where) emit(k string, out Collector[ev]) error {
	out.Collect(ev{k, w.at, 0})
	return nil
}

func (w *where) ProcessElement(v ev, _ *KeyedContext[string], out Collector[ev]) error {
	return w.emit(v.K, out)
}

type whereWindow struct{ where }

func (w *whereWindow) Process(k string, _ *ProcessWindowContext[TimeWindow], _ iter.Seq[ev], out Collector[ev]) error {
	return w.emit(k, out)
}

type wherePair struct{ where }

func (w *wherePair) Join(a, _ ev, out Collector[ev]) error { return w.emit(a.K, out) }

type whereGroup struct{ where }

func (w *whereGroup) CoGroup(as, bs iter.Seq[ev], out Collector[ev]) error {
	for v := range as {
		w.emit(v.K, out)
	}
	for v := range bs {
		w.emit(v.K, out)
	}
	return nil
}

type whereInterval struct{ where }

func (w *whereInterval) ProcessElement(l, _ ev, _ *ProcessJoinContext, out Collector[ev]) error {
	return w.emit(l.K, out)
}

type whereBoth struct{ where }

func (w *whereBoth) ProcessElement1(v ev, _ *KeyedContext[string], out Collector[ev]) error {
	return w.emit(v.K, out)
}

func (w *whereBoth) ProcessElement2(v ev, _ *KeyedContext[string], out Collector[ev]) error {
	return w.emit(v.K, out)
}

// TestOneKeyIsInOneSubtask: and it is the same subtask for every operator of the same parallelism.
func TestOneKeyIsInOneSubtask(t *testing.T) {
	windows := TumblingEventTime(50 * ms)
	for name, build := range map[string]func(a, b *DataStream[ev]) *SingleOutputStreamOperator[ev]{
		"a keyed function": func(a, _ *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return a.KeyBy(key).ProcessKeyed(&where{})
		},
		"a window": func(a, _ *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return a.KeyBy(key).Window(windows).Process(&whereWindow{})
		},
		"a join": func(a, b *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return a.Join(b).Where(key).EqualTo(key).Window(windows).ApplyFlatRich(&wherePair{})
		},
		"a coGroup": func(a, b *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return a.CoGroup(b).Where(key).EqualTo(key).Window(windows).ApplyRich(&whereGroup{})
		},
		"an interval join": func(a, b *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return a.KeyBy(key).IntervalJoin(b.KeyBy(key)).Between(-9*ms, 9*ms).Process(&whereInterval{})
		},
		"two keyed streams": func(a, b *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return a.Connect(b).KeyBy(key, key).ProcessKeyed(&whereBoth{})
		},
		"a reinterpreted stream": func(a, _ *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return a.KeyBy(key).Map(same).ReinterpretAsKeyedStream(key).ProcessKeyed(&where{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []RuntimeMode{Streaming, Batch} {
				env := NewEnv(WithParallelism(3), WithDeterministic(4)).SetRuntimeMode(mode)
				in := func() *DataStream[ev] {
					return withTimes(&env.FromSequence(0, 99).Map(func(n int64) ev { return ev{next("a", int(n%17)), int(n), n} }).DataStream)
				}
				got, err := build(in(), in()).ExecuteAndCollectLimit(context.Background(), 10_000)
				if err != nil {
					t.Fatal(err)
				}
				at := map[string]int{}
				used := map[int]bool{}
				for _, v := range got {
					if old, ok := at[v.K]; ok && old != v.V {
						t.Fatalf("%v: key %s is in the subtasks %d and %d", mode, v.K, old, v.V)
					}
					at[v.K], used[v.V] = v.V, true
				}
				// a, b, c have the key groups 81, 22, 62 of 128: the subtasks 1, 0, 1 of 3.
				if len(at) != 17 || len(used) != 3 || at["a"] != 1 || at["b"] != 0 || at["c"] != 1 {
					t.Errorf("%v: %v", mode, at)
				}
			}
		})
	}
}

// batchJob runs a job of one subtask in BATCH mode.
func batchJob[R any](t *testing.T, build func(s *DataStream[ev]) *SingleOutputStreamOperator[R], in ...ev) string {
	t.Helper()
	env := NewEnv(WithParallelism(1), WithDeterministic(1)).SetRuntimeMode(Batch)
	timed := withTimes(&env.FromElements(in...).Map(same).DataStream)
	out := build(timed).ProcessFunc(func(v R, ctx *ProcessContext, out Collector[string]) {
		ts, ok := ctx.Timestamp()
		switch {
		case !ok:
			out.Collect(fmt.Sprint(v))
		case ts == 1<<63-1:
			out.Collect(fmt.Sprint(v, "@MAX"))
		default:
			out.Collect(fmt.Sprint(v, "@", ts))
		}
	})
	got, err := out.ExecuteAndCollectLimit(context.Background(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(got, " ")
}

// echo emits each record, and tells at a timer of each domain which timer it was; a timer sets another one.
type echo struct{}

func (echo) ProcessElement(v ev, ctx *KeyedContext[string], out Collector[string]) error {
	out.Collect(v.String())
	ctx.TimerService().RegisterProcessingTimeTimer(1 << 50)
	ctx.TimerService().RegisterEventTimeTimer(v.T + 10)
	return nil
}

func (echo) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), ctx.TimeDomain().String()[:1]))
	ctx.TimerService().RegisterEventTimeTimer(ts + 1)
	return nil
}

func TestBatchModeAsItIsDescribed(t *testing.T) {
	in := []ev{{"bb", 1, 7}, {"c", 2, 5}, {"bb", 3, 2}, {"aaa", 4, 1}, {"c", 5, 9}}
	for name, c := range map[string]struct{ got, want string }{
		"a reduce gives one result for each key, at the end of time": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.KeyBy(key).Reduce(func(a, b ev) ev { return ev{a.K, a.V*10 + b.V, 0} })
		}, in...), "c25@MAX bb31@MAX aaa4@MAX"},
		// Keys come in the order of their bytes, where the length of a text is first; the records of a key by time.
		"keys come one after the other, their timers at their end": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return s.KeyBy(key).ProcessKeyed(echo{})
		}, in...), "c2@5 c5@9 cE@15 cE@19 cP bb3@2 bb1@7 bbE@12 bbE@17 bbP aaa4@1 aaaE@11 aaaP"},
		"windows fire at the end of each key, nothing is late": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[string] {
			return members(s.KeyBy(key).Window(TumblingEventTime(5 * ms)))
		}, in...), "c2+c5@9 bb3@4 bb1@9 aaa4@4"},
		"a map is as in streaming mode": {batchJob(t, func(s *DataStream[ev]) *SingleOutputStreamOperator[ev] {
			return s.Map(same)
		}, in[:3]...), "bb1@7 c2@5 bb3@2"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, c.got, c.want)
		}
	}
}

func TestAStreamIsReinterpretedOnlyWhereItsKeysAre(t *testing.T) {
	env := NewEnv(WithParallelism(2), WithDeterministic(1))
	// a is in the key group 81 of 128, of subtask 1; b in 22, of subtask 0.
	out := env.FromElements(ev{"a", 1, 0}).KeyBy(key).Map(func(v ev) ev { return ev{"b", v.V, 0} }).ReinterpretAsKeyedStream(key).ProcessKeyed(&keyedSum{})
	_, err := out.ExecuteAndCollectLimit(context.Background(), 10)
	if err == nil || !strings.Contains(err.Error(), "IllegalArgument") || !strings.Contains(err.Error(), "22") {
		t.Errorf("got %v", err)
	}
}

func TestSplitsOfAPreKeyedSourceHaveKeyGroups(t *testing.T) {
	for groups, fails := range map[int]bool{2: true, 3: false} {
		var log []string
		env := NewEnv(WithParallelism(1), WithDeterministic(1)).SetMaxParallelism(groups)
		src := env.FromSource[ev](paced{"s", []pacedSplit{{"x", 1, 1, 3}, {"y", 1, 1, 3}, {"z", 1, 1, 3}}, &log}, NoWatermarks[ev](), "s")
		sums := src.ReinterpretAsKeyedStream(key).Reduce(func(a, b ev) ev { return ev{a.K, a.V + b.V, 0} })
		got, err := sums.ExecuteAndCollectLimit(context.Background(), 100)
		if fails {
			if err == nil || !strings.Contains(err.Error(), "raise the max parallelism") {
				t.Errorf("3 splits on %d key groups: %v", groups, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(got, func(a, b ev) int { return strings.Compare(a.String(), b.String()) })
		if s := fmt.Sprint(got); s != "[x1 x3 x6 y1 y3 y6 z1 z3 z6]" {
			t.Errorf("got %s", s)
		}
	}
}

// tally counts the records that its copy has seen.
type tally struct{ n int }

func (*tally) CreateAccumulator() string         { return "" }
func (c *tally) Add(v ev, _ string) string       { c.n++; return fmt.Sprint(v.K, c.n) }
func (*tally) GetResult(acc string) string       { return acc }
func (*tally) Merge(_, acc string) (both string) { return acc }

// TestEachSubtaskHasItsOwnAggregate: a is in subtask 1 of 2, b in subtask 0.
func TestEachSubtaskHasItsOwnAggregate(t *testing.T) {
	e := NewEnv(WithParallelism(2), WithDeterministic(1))
	in := withTimes(&e.FromElements(ev{"a", 1, 1}, ev{"a", 2, 2}, ev{"b", 3, 3}).DataStream).KeyBy(key)
	for name, build := range map[string]func() *SingleOutputStreamOperator[string]{
		"of a window": func() *SingleOutputStreamOperator[string] {
			return in.Window(TumblingEventTime(9 * ms)).Aggregate(&tally{})
		},
		"of a partition": func() *SingleOutputStreamOperator[string] { return in.FullWindowPartition().Aggregate(&tally{}) },
		"behind an evictor": func() *SingleOutputStreamOperator[string] {
			return in.Window(TumblingEventTime(9 * ms)).Evictor(CountEvictor(9)).Aggregate(&tally{})
		},
		"of a state": func() *SingleOutputStreamOperator[string] {
			sum := NewAggregatingStateDescriptor("sum", &tally{})
			return in.ProcessKeyedFunc(func(v ev, ctx *KeyedContext[string], out Collector[string]) {
				s := ctx.AggregatingState(sum)
				s.Add(v)
				if r, _ := s.Get(); v.V > 1 {
					out.Collect(r)
				}
			})
		},
	} {
		if got := sorted(t, build()); got != "a2 b1" {
			t.Errorf("%s: got %s, want a2 b1", name, got)
		}
	}
}

// TestAUnionOfKeyedStreamsIsNotKeyed: its records go where their keys are, to a function that has no keys.
func TestAUnionOfKeyedStreamsIsNotKeyed(t *testing.T) {
	for _, mode := range []RuntimeMode{Streaming, Batch} {
		e := NewEnv(WithParallelism(2), WithDeterministic(1)).SetRuntimeMode(mode)
		in := e.FromElements(ev{"a", 1, 0}, ev{"b", 2, 0})
		keyed := in.KeyBy(key)
		for name, c := range map[string]struct {
			s    *SingleOutputStreamOperator[ev]
			want string
		}{
			"with another stream":         {keyed.Union(in).Map(same), "a1 a1 b2 b2"},
			"of two":                      {keyed.Union(keyed).Map(same), "a1 a1 b2 b2"},
			"of one":                      {keyed.Union().Map(same), "a1 b2"},
			"of a reinterpreted one":      {keyed.Map(same).ReinterpretAsKeyedStream(key).Union().Map(same), "a1 b2"},
			"connected with a keyed one":  {keyed.Union().Connect(keyed).Map(same, bumped), "a1 a2 b2 b3"},
			"keyed again":                 {keyed.Union(in).KeyBy(key).FullWindowPartition().Reduce(sumOf), "a2 b4"},
			"gathered in its subtasks":    {keyed.Union(in.KeyBy(key)).Map(same).FullWindowPartition().Reduce(sumOf), "a2 b4"},
			"of a keyed one, in a window": {keyed.Union(in).WindowAll(GlobalWindowsEndOfStream()).Reduce(sumOf), "a6"},
		} {
			if got := sorted(t, c.s); got != c.want {
				t.Errorf("%v, %s: got %s, want %s", mode, name, got, c.want)
			}
		}
	}
}
