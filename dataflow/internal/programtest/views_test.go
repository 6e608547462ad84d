package programtest_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/connector"
)

// passing is a function of a stream and a broadcast one, keyed or not.
type passing struct{}

func (passing) ProcessElement(v int, _ *ReadOnlyBroadcastContext, out Collector[int]) error {
	out.Collect(v)
	return nil
}

func (passing) ProcessBroadcastElement(int, *BroadcastContext, Collector[int]) error { return nil }

// through is a raw operator that hands on.
type through struct{}

func (through) ProcessElement(v int, ctx *OperatorContext[int]) error { ctx.Collect(v); return nil }

// counting sums, per key where there is one.
func counting(k *KeyedStream[int, int]) *DataStream[int] {
	return &k.FullWindowPartition().Reduce(add).DataStream
}

type stream = *DataStream[int]

// views are ways to look at the records of a stream, which stay the same.
var views = map[string]func(s stream) stream{
	"as it is":                      func(s stream) stream { return s },
	"rebalanced":                    func(s stream) stream { return s.Rebalance() },
	"rescaled":                      func(s stream) stream { return s.Rescale() },
	"shuffled":                      func(s stream) stream { return s.Shuffle() },
	"global":                        func(s stream) stream { return s.Global() },
	"keyed":                         func(s stream) stream { return &s.KeyBy(mod3).DataStream },
	"keyed twice":                   func(s stream) stream { return &s.KeyBy(same).KeyBy(mod3).DataStream },
	"keyed and united with nothing": func(s stream) stream { return s.KeyBy(mod3).Union() },
	"two halves united, one of them keyed": func(s stream) stream {
		small := func(v int) bool { return v < 3 }
		return s.Filter(small).KeyBy(mod3).Union(s.Filter(func(v int) bool { return !small(v) }))
	},
	"partitioned": func(s stream) stream { return s.PartitionCustom(func(k, n int) int { return k % n }, same) },
	"a side output": func(s stream) stream {
		return &s.ProcessFunc(func(v int, ctx *ProcessContext, _ Collector[int]) { ctx.Output(side, v) }).GetSideOutput(side).DataStream
	},
	"a keyed side output": func(s stream) stream {
		return &s.ProcessFunc(func(v int, ctx *ProcessContext, _ Collector[int]) { ctx.Output(side, v) }).GetSideOutput(side).KeyBy(mod3).DataStream
	},
	"reinterpreted": func(s stream) stream { return &s.KeyBy(mod3).Map(same).ReinterpretAsKeyedStream(mod3).DataStream },
	"cached":        func(s stream) stream { return &s.Map(same).Cache().DataStream },
	"in a loop": func(s stream) stream {
		it := s.Iterate(MaxWait(time.Second))
		it.CloseWith(it.Filter(func(int) bool { return false }))
		return &it.DataStream
	},
	"in a loop by key": func(s stream) stream {
		it := s.KeyBy(mod3).Iterate(MaxWait(time.Second))
		it.CloseWith(it.Filter(func(int) bool { return false }).KeyBy(mod3))
		return &it.DataStream
	},
	"behind a new chain": func(s stream) stream { return &s.Map(same).StartNewChain().DataStream },
}

// TestEveryCallTakesEveryView: the records of a stream are the same however it is partitioned and keyed, so each call gives the
// same on each view of it, at each parallelism and in both modes.
func TestEveryCallTakesEveryView(t *testing.T) {
	few := func(s stream) stream { return &s.Env().FromElements(7).DataStream }
	hour := TumblingEventTime(time.Hour)
	calls := map[string]struct {
		do   func(s stream) stream
		want string
	}{
		"Map":    {func(s stream) stream { return &s.Map(func(v int) int { return 2 * v }).DataStream }, "[10 12 2 4 6 8]"},
		"Filter": {func(s stream) stream { return &s.Filter(func(v int) bool { return v > 3 }).DataStream }, "[4 5 6]"},
		"Process": {func(s stream) stream {
			return &s.ProcessFunc(func(v int, _ *ProcessContext, out Collector[int]) { out.Collect(v) }).DataStream
		}, "[1 2 3 4 5 6]"},
		"Transform":    {func(s stream) stream { return &s.Transform("through", through{}).DataStream }, "[1 2 3 4 5 6]"},
		"KeyBy":        {func(s stream) stream { return counting(s.KeyBy(mod3)) }, "[5 7 9]"},
		"WindowAll":    {func(s stream) stream { return &s.WindowAll(hour).Reduce(add).DataStream }, "[21]"},
		"Window":       {func(s stream) stream { return &s.KeyBy(mod3).Window(hour).Reduce(add).DataStream }, "[5 7 9]"},
		"Union":        {func(s stream) stream { return &s.Union(few(s)).Map(same).DataStream }, "[1 2 3 4 5 6 7]"},
		"self-union":   {func(s stream) stream { return &s.Union(s).Map(same).DataStream }, "[1 1 2 2 3 3 4 4 5 5 6 6]"},
		"Connect":      {func(s stream) stream { return &s.Connect(few(s)).Map(same, same).DataStream }, "[1 2 3 4 5 6 7]"},
		"be connected": {func(s stream) stream { return &few(s).Connect(s).Map(same, same).DataStream }, "[1 2 3 4 5 6 7]"},
		"connect keyed": {func(s stream) stream {
			return &s.Connect(few(s)).KeyBy(mod3, mod3).ProcessKeyed(passingTwo{}).DataStream
		}, "[1 2 3 4 5 6 7]"},
		"connect to keyed": {func(s stream) stream { return &s.Connect(few(s).KeyBy(mod3)).FlatMap(hand, hand).DataStream }, "[1 2 3 4 5 6 7]"},
		"be broadcast with": {func(s stream) stream {
			return &few(s).ConnectBroadcast(s.Map(same).BroadcastWithState()).Process(passing{}).DataStream
		}, "[7]"},
		"Join": {func(s stream) stream {
			return &s.Join(s).Where(same).EqualTo(same).Window(hour).Apply(add).DataStream
		}, "[10 12 2 4 6 8]"},
		"CoGroup": {func(s stream) stream {
			return &s.CoGroup(s).Where(mod3).EqualTo(mod3).Window(hour).Apply(func(a, b iter.Seq[int], out Collector[int]) { out.Collect(total(a) + total(b)) }).DataStream
		}, "[10 14 18]"},
		"IntervalJoin": {func(s stream) stream {
			return &s.KeyBy(same).IntervalJoin(s.KeyBy(same)).Between(0, 0).ProcessFunc(func(a, b int, _ *ProcessJoinContext, out Collector[int]) error {
				out.Collect(a + b)
				return nil
			}).DataStream
		}, "[10 12 2 4 6 8]"},
		"assign timestamps": {func(s stream) stream {
			return &s.AssignTimestampsAndWatermarks(ForMonotonousTimestamps[int]()).WindowAll(hour).Reduce(add).DataStream
		}, "[21]"},
		"project to one subtask": {func(s stream) stream {
			return &s.Map(same).Map(same).ForceNonParallel().FullWindowPartition().Reduce(add).DataStream
		}, "[21]"},
		"sort": {func(s stream) stream {
			return &s.Map(same).Map(same).ForceNonParallel().FullWindowPartition().SortPartition(same, Descending).DataStream
		}, "[1 2 3 4 5 6]"},
	}
	for view, see := range views {
		for call, c := range calls {
			inEachWay(view, func(way string, s stream) {
				got, err := collected(s.Env(), c.do(see(s)).CollectAsync())
				if err != nil || fmt.Sprint(got[0]) != c.want {
					t.Errorf("%s of a stream %s, %s: got %v, %v, want %s", call, view, way, got, err, c.want)
				}
			})
		}
	}
}

// inEachWay runs do on a stream of the numbers from 1 to 6, at each parallelism and in the modes that the view can have.
func inEachWay(view string, do func(way string, s stream)) {
	for _, p := range []int{1, 3} {
		for _, mode := range []RuntimeMode{Streaming, Batch} {
			if mode == Batch && strings.Contains(view, "loop") {
				continue
			}
			s := env(p).SetRuntimeMode(mode).FromData(1, 2, 3, 4, 5, 6).AssignTimestampsAndWatermarks(ForMonotonousTimestamps[int]().
				WithTimestampAssigner(func(v int, _ int64) int64 { return int64(v) })).Map(same)
			do(fmt.Sprintf("parallelism %d, %v", p, mode), &s.DataStream)
		}
	}
}

// sum is a sink that adds up.
type sum struct {
	mu sync.Mutex
	n  int
}

func (s *sum) add(v int) {
	s.mu.Lock()
	s.n += v
	s.mu.Unlock()
}

func (s *sum) Writer(connector.WriterContext) (connector.Writer[int], error) { return adder{s}, nil }

type adder struct{ to *sum }

func (a adder) Write(v int, _ connector.WriteContext) error { a.to.add(v); return nil }
func (a adder) Flush(bool) error                            { return nil }
func (a adder) Close() error                                { return nil }

func TestEverySinkTakesEveryView(t *testing.T) {
	for view, see := range views {
		for sink, to := range map[string]func(s stream, n *sum){
			"AddSinkFunc": func(s stream, n *sum) { s.AddSinkFunc(func(v int) error { n.add(v); return nil }) },
			"SinkTo":      func(s stream, n *sum) { s.SinkTo(n) },
			"CollectAsync beside it": func(s stream, n *sum) {
				s.Map(same).Broadcast().Filter(func(int) bool { return false }).CollectAsync()
				s.AddSinkFunc(func(v int) error { n.add(v); return nil })
			},
		} {
			inEachWay(view, func(way string, s stream) {
				n := &sum{}
				to(see(s), n)
				if _, err := s.Env().Execute(context.Background()); err != nil || n.n != 21 {
					t.Errorf("%s of a stream %s, %s: got the sum %d, %v, want 21", sink, view, way, n.n, err)
				}
			})
		}
	}
}

func total(vs iter.Seq[int]) (n int) {
	for v := range vs {
		n += v
	}
	return n
}

func hand(v int, out Collector[int]) { out.Collect(v) }

// passingTwo hands on the records of two keyed streams.
type passingTwo struct{}

func (passingTwo) ProcessElement1(v int, _ *KeyedContext[int], out Collector[int]) error {
	out.Collect(v)
	return nil
}

func (passingTwo) ProcessElement2(v int, _ *KeyedContext[int], out Collector[int]) error {
	out.Collect(v)
	return nil
}
