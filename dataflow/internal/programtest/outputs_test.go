package programtest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// collect runs the program and returns what each stream gave, sorted.
func collect[T any](t *testing.T, e *StreamExecutionEnvironment, streams ...*CloseableIterator[T]) [][]string {
	t.Helper()
	all, err := collected(e, streams...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func collected[T any](e *StreamExecutionEnvironment, streams ...*CloseableIterator[T]) (all [][]string, err error) {
	if _, err := e.ExecuteAsync(context.Background()); err != nil {
		return nil, err
	}
	for _, s := range streams {
		got := []string{}
		for v, err := range s.All() {
			if err != nil {
				return nil, err
			}
			got = append(got, fmt.Sprint(v))
		}
		slices.Sort(got)
		all = append(all, got)
	}
	return all, nil
}

var odd, even = NewOutputTag[int]("odd"), NewOutputTag[int]("even")

// parted sends each number to the side output of its kind, and on.
func parted(s *DataStream[int]) *SingleOutputStreamOperator[int] {
	return s.ProcessFunc(func(v int, ctx *ProcessContext, out Collector[int]) {
		if v%2 == 1 {
			ctx.Output(odd, v)
		} else {
			ctx.Output(even, v)
		}
		out.Collect(v)
	})
}

func TestUnionsOfSideOutputs(t *testing.T) {
	for _, p := range []int{1, 3} {
		e := env(p)
		s := parted(&e.FromElements(1, 2, 3, 4).DataStream)
		odds, evens := s.GetSideOutput(odd), s.GetSideOutput(even)
		got := collect(t, e, odds.CollectAsync(), evens.CollectAsync(), s.CollectAsync(), odds.Union(evens).CollectAsync(), evens.Union(odds).CollectAsync(),
			odds.Union(odds).CollectAsync(), odds.Union(e.FromElements(2, 4)).CollectAsync(), s.GetSideOutput(NewOutputTag[int]("none")).CollectAsync(), odds.Union(s).CollectAsync())
		if want := "[[1 3] [2 4] [1 2 3 4] [1 2 3 4] [1 2 3 4] [1 1 3 3] [1 2 3 4] [] [1 1 2 3 3 4]]"; fmt.Sprint(got) != want {
			t.Errorf("parallelism %d: got %v, want %s", p, got, want)
		}
	}
}

// reified shows records and watermarks as text.
type reified struct{}

func (reified) ProcessElement(v int, ctx *OperatorContext[string]) error {
	ctx.Collect(fmt.Sprint("E", v))
	return nil
}

func (reified) ProcessWatermark(wm int64, ctx *OperatorContext[string]) error {
	ctx.EmitWatermark(wm)
	ctx.Collect(fmt.Sprint("W", wm))
	return nil
}

// stamping sends five records and two watermarks.
type stamping struct{}

func (stamping) Run(ctx *SourceContext[int]) error {
	ctx.CollectWithTimestamp(1, 0)
	ctx.EmitWatermark(0)
	ctx.CollectWithTimestamp(2, 1)
	ctx.CollectWithTimestamp(5, 2)
	ctx.EmitWatermark(2)
	ctx.CollectWithTimestamp(3, 3)
	ctx.CollectWithTimestamp(4, 4)
	return nil
}

func TestWatermarksReachTheReadersOfEverySideOutput(t *testing.T) {
	for _, p := range []int{1, 3} {
		e := env(p)
		s := parted(&e.AddSource(stamping{}).DataStream)
		got := collect(t, e, s.Transform("reify", reified{}).CollectAsync(), s.GetSideOutput(odd).Transform("reify", reified{}).CollectAsync(),
			s.GetSideOutput(NewOutputTag[int]("none")).Transform("reify", reified{}).CollectAsync())
		watermarks := func() (w []string) {
			for _, m := range []string{"W0", "W2", "W9223372036854775807"} {
				for range p {
					w = append(w, m)
				}
			}
			return w
		}()
		want := [][]string{append([]string{"E1", "E2", "E3", "E4", "E5"}, watermarks...), append([]string{"E1", "E3", "E5"}, watermarks...), watermarks}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("parallelism %d: got  %v\nwant %v", p, got, want)
		}
	}
}

func TestAFeedbackOfAnotherTypeIsBroadcastAndJoinedByAnOutsideStream(t *testing.T) {
	e := env(2)
	other := e.FromElements("1000", "2000").Map(func(s string) string { return s })
	it := e.FromElements(0, 0).Map(same).Iterate(MaxWait(2 * time.Second)).WithFeedbackType[string]()
	head := it.FlatMap(func(v int, out Collector[string]) { out.Collect(fmt.Sprint(v + 1)) }, func(s string, out Collector[string]) {
		if s < "2" && s != "1000" {
			out.Collect("2")
		}
	})
	it.CloseWith(head.Broadcast().Union(other))
	if got, want := fmt.Sprint(collect(t, e, head.CollectAsync())), "[[1 1 2 2 2 2]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestALoopByKeyKeepsAKeyInOneSubtask(t *testing.T) {
	e := env(3).SetMaxParallelism(3)
	it := e.FromElements(1, 2, 3).Map(same).KeyBy(mod3).Iterate(MaxWait(3 * time.Second))
	head := it.FlatMap(func(v int, out Collector[int]) {
		if v > 0 {
			out.Collect(v - 1)
		}
	})
	it.CloseWith(head.KeyBy(mod3).Union(head.Map(same).KeyBy(mod3)))
	if got, want := fmt.Sprint(collect(t, e, head.CollectAsync())), "[[0 0 0 0 0 0 0 1 1 1 2]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAUnionOfKeyedStreamsIsSplitByKeyAndHasNone(t *testing.T) {
	for _, p := range []int{1, 3} {
		for _, mode := range []RuntimeMode{Streaming, Batch} {
			e := env(p).SetRuntimeMode(mode)
			a, b := e.FromElements(1, 2, 3).KeyBy(mod3), e.FromElements(4, 5).KeyBy(mod3)
			got := collect(t, e, a.Union(b).Map(same).CollectAsync(), a.Union(e.FromElements(6)).CollectAsync(), a.Union().Map(same).CollectAsync(),
				a.Union(b).KeyBy(mod3).Reduce(larger).Map(func(v int) int { return v % 3 }).CollectAsync(),
				a.Map(same).ReinterpretAsKeyedStream(mod3).Union().Map(same).CollectAsync())
			keys := map[RuntimeMode]string{Streaming: "[0 1 1 2 2]", Batch: "[0 1 2]"}[mode]
			if want := "[[1 2 3 4 5] [1 2 3 6] [1 2 3] " + keys + " [1 2 3]]"; fmt.Sprint(got) != want {
				t.Errorf("parallelism %d, %v: got  %v\nwant %s", p, mode, got, want)
			}
		}
	}
}

func larger(a, b int) int { return max(a, b) }

// few emits n records and watermarks, and the last watermark twice.
type few struct{ n int }

func (f few) Run(ctx *SourceContext[int]) error {
	for i := range f.n {
		ctx.CollectWithTimestamp(i, int64(i))
		ctx.EmitWatermark(int64(i))
	}
	ctx.EmitWatermark(1<<63 - 1)
	ctx.EmitWatermark(1<<63 - 1)
	return nil
}

// never stamps records and emits no watermark.
type never struct{}

func (never) ExtractTimestamp(v int, _ int64) int64             { return int64(v) }
func (never) CheckAndGetNextWatermark(int, int64) (int64, bool) { return 0, false }
func (never) CurrentWatermark() (int64, bool)                   { return 0, false }

func watermarksOf(got []string) (w []string) {
	for _, s := range got {
		if s[0] == 'W' {
			w = append(w, s)
		}
	}
	return w
}

func TestWatermarksMeetBehindUnionsAndConnections(t *testing.T) {
	const end = "W9223372036854775807"
	for _, c := range []struct {
		name  string
		build func(a, b *DataStreamSource[int]) *DataStream[int]
		want  []string
	}{
		{"the slower of two holds the other back, and the end of one lets it go", func(a, b *DataStreamSource[int]) *DataStream[int] {
			return &a.Union(b).Map(same).Connect(b).Map(same, same).DataStream
		}, []string{"W0", "W1", end}},
		{"an assigner lets nothing pass but the last, once", func(a, b *DataStreamSource[int]) *DataStream[int] {
			return &a.AssignPunctuated(never{}).DataStream
		}, []string{end}},
		{"a periodic assigner too", func(a, b *DataStreamSource[int]) *DataStream[int] { return &a.AssignPeriodic(never{}).DataStream }, []string{end}},
		{"the last is sent on once", func(a, b *DataStreamSource[int]) *DataStream[int] { return &a.Map(same).DataStream },
			[]string{"W0", "W1", "W2", "W3", end}},
	} {
		for _, p := range []int{1, 2} {
			e := env(p)
			got := watermarksOf(collect(t, e, c.build(e.AddSource(few{4}), e.AddSource(few{2})).Transform("reify", reified{}).CollectAsync())[0])
			var want []string
			for _, w := range c.want {
				want = append(want, slices.Repeat([]string{w}, p)...)
			}
			if c.want[0] == "W0" && len(c.want) == 3 { // how far the faster comes before the other ends is not fixed
				first := slices.DeleteFunc(slices.Clone(got), func(w string) bool { return w > "W1" && w != end })
				got = first
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, parallelism %d: got %v, want %v", c.name, p, got, want)
			}
		}
	}
}
