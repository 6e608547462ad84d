package apitest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// What sources and sinks are told, and where their words go.

func TestElementsOfSources(t *testing.T) {
	for _, c := range []struct {
		name, kind, says string // no kind: it runs, and says what comes out
		do               func(e *StreamExecutionEnvironment) *DataStreamSource[any]
	}{
		{"no arguments", "IllegalArgument", "", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromData[any]() }},
		{"no arguments, old", "IllegalArgument", "", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromElements[any]() }},
		{"an empty slice", "IllegalArgument", "", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromSlice([]any{}) }},
		{"nil for a slice", "IllegalArgument", "", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromSlice[any](nil) }},
		{"a nil first", "NullPointer", "element 0", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromData[any](nil, 1) }},
		{"a nil later", "IllegalArgument", "element 1", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromData[any](1, nil) }},
		{"a nil later in a slice", "IllegalArgument", "element 2", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromSlice([]any{1, 2, nil}) }},
		{"what is of the given type, though of two kinds", "", "[1 a]", func(e *StreamExecutionEnvironment) *DataStreamSource[any] { return e.FromData[any](1, "a") }},
		{"a sequence may be empty", "", "[]", func(e *StreamExecutionEnvironment) *DataStreamSource[any] {
			return e.FromSeq(func(func(any) bool) {})
		}},
		{"a sequence is in order", "", "[3 1 2]", func(e *StreamExecutionEnvironment) *DataStreamSource[any] {
			return e.FromSeq(slices.Values([]any{3, 1, 2}))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env()
			s := c.do(e)
			if c.kind != "" {
				mistake(t, e.Err(), c.kind, c.says)
				return
			}
			got, err := s.ExecuteAndCollectLimit(context.Background(), 9)
			if fmt.Sprint(got) != c.says || err != nil {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

func TestSourcesHaveTheirParallelism(t *testing.T) {
	e := NewEnv(WithParallelism(3), WithDeterministic(1))
	seq := func(i, n int) iter.Seq[int] { return slices.Values([]int{i}) }
	for name, c := range map[string]struct {
		s    interface{ Parallelism() int }
		want int
	}{
		"FromData": {e.FromData(1), 1}, "FromElements": {e.FromElements(1), 1}, "FromSlice": {e.FromSlice([]int{1}), 1},
		"FromSeq": {e.FromSeq(slices.Values([]int{1})), 1}, "FromSequence": {e.FromSequence(1, 2), 3}, "GenerateSequence": {e.GenerateSequence(1, 2), 3},
		"FromParallelSeq": {e.FromParallelSeq(seq), 3}, "AddSource": {e.AddSource(&pausing{}), 1},
		"AddSource with ParallelSource": {e.AddSource(&pausing{}, ParallelSource()), 3},
		"FromData that was raised":      {e.FromData(1, 2).SetParallelism(2), 2},
	} {
		if got := c.s.Parallelism(); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
	before := e.FromSequence(1, 2).Map(func(v int64) int { return int(v) })
	if e.SetParallelism(2); before.Parallelism() != 3 || before.Map(one).Parallelism() != 2 {
		t.Error("an operator has the parallelism of the environment at its call")
	}
	if e.Err() != nil {
		t.Error(e.Err())
	}
	e.FromElements(1).SetParallelism(2)
	mistake(t, e.Err(), "IllegalArgument", "")
}

// TestWatermarksOfASourceDoNotGoBack: neither in its chain nor behind a network.
func TestWatermarksOfASourceDoNotGoBack(t *testing.T) {
	for _, chained := range []bool{true, false} {
		e := env()
		s := e.AddSource(&pausing{"w50 1 w40 2 w60 3 w60 4"})
		if !chained {
			s.DisableChaining()
		}
		got, err := s.ProcessFunc(func(v string, ctx *ProcessContext, out Collector[string]) {
			out.Collect(fmt.Sprint(v, "@", ctx.TimerService().CurrentWatermark()))
		}).ExecuteAndCollectLimit(context.Background(), 9)
		if want := "[1@50 2@50 3@60 4@60]"; fmt.Sprint(got) != want || err != nil {
			t.Errorf("chained %v: got %v, %v, want %s", chained, got, err, want)
		}
	}
}

// spinning is a source that has nothing to send and only looks whether it may go on.
type spinning struct{ came chan bool }

func (s *spinning) Run(ctx *SourceContext[int]) error {
	for first := true; ctx.Running(); first = false {
		if first {
			close(s.came)
		}
		runtime.Gosched()
	}
	return errors.New("this is not heard any more")
}

func TestASourceWithoutRecordsIsCancelled(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		s, d := &spinning{make(chan bool)}, &diary{}
		e.AddSource(s).AddSink(&lived{d, "s", ""})
		c := started(t, e)
		go c.Result(context.Background())
		<-s.came
		ctx, stop := context.WithTimeout(context.Background(), 4*time.Second) // less than a job is given before it is lost
		defer stop()
		if err := c.Cancel(ctx); err != nil {
			t.Error(err)
		}
		stands(t, c, job.Canceled)
		if d.String() != "s.open s.close" {
			t.Errorf("got %s", d)
		}
	})
}

// asking is a sink that writes down what it is told.
type asking struct{ *diary }

func (a *asking) Invoke(v string, ctx *SinkContext) error {
	ts, ok := ctx.Timestamp()
	a.note(fmt.Sprint(v, ":", ts, ",", ok, ",", ctx.CurrentWatermark(), ",", ctx.CurrentProcessingTime()))
	return nil
}

// plain is a source of two records, one of which has no time.
type plain struct{}

func (plain) Run(ctx *SourceContext[string]) error {
	ctx.Collect("a")
	ctx.EmitWatermark(5)
	ctx.Sleep(70 * time.Millisecond)
	ctx.CollectWithTimestamp("b", 9)
	return nil
}

func TestASinkIsToldTheTime(t *testing.T) {
	d := &diary{}
	e := NewEnv(WithParallelism(1), WithDeterministic(1), WithClock(func() time.Time { return time.UnixMilli(1000) }))
	e.AddSource(plain{}).AddSink(&asking{d})
	if _, err := e.Execute(context.Background()); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("a:%d,false,%d,1000 b:9,true,5,1070", math.MinInt64, math.MinInt64); d.String() != want {
		t.Errorf("got  %s\nwant %s", d, want)
	}
}

// lonely is an adding that must not merge.
type lonely struct{ adding }

func (lonely) Merge(a, b int) int { panic("merged") }

// TestOnlyWindowsThatMergeMergeAccumulators: in every other operator Merge is never called.
func TestOnlyWindowsThatMergeMergeAccumulators(t *testing.T) {
	second := time.Second
	stream := func(e *StreamExecutionEnvironment) *KeyedStream[int, int] {
		return e.FromElements(1, 2, 3, 4, 5, 6).AssignTimestampsAndWatermarks(ForMonotonousTimestamps[int]().
			WithTimestampAssigner(func(v int, _ int64) int64 { return int64(v) * 400 })).KeyBy(func(v int) int { return v % 2 })
	}
	for _, c := range []struct {
		name  string
		do    func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int]
		want  string
		fails bool
	}{
		{"tumbling windows", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.Window(TumblingEventTime(second)).Aggregate(lonely{})
		}, "[1 2 3 4 5 6]", false},
		{"sliding windows", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.Window(SlidingEventTime(2*second, second)).Aggregate(lonely{})
		}, "[1 2 4 5 6 6 8 10]", false},
		{"counts", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.CountWindow(3).Aggregate(lonely{})
		}, "[9 12]", false},
		{"sliding counts", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.CountWindow(2, CountSlide(1)).Aggregate(lonely{})
		}, "[1 2 4 6 8 10]", false},
		{"sessions with an evictor, which keep the records", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.Window(EventTimeSession(second)).Evictor(CountEvictor(9)).Aggregate(lonely{})
		}, "[9 12]", false},
		{"a session that grows by one record at a time", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.Window(EventTimeSession(second)).Aggregate(lonely{})
		}, "[9 12]", false},
		{"all windows", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.WindowAll(TumblingEventTime(second)).Aggregate(lonely{})
		}, "[3 7 11]", false},
		{"partitions", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			return k.FullWindowPartition().Aggregate(lonely{})
		}, "[9 12]", false},
		{"two sessions that meet", func(k *KeyedStream[int, int]) *SingleOutputStreamOperator[int] {
			late := map[int]int64{1: 0, 3: 9000, 5: 4500}
			return k.AssignTimestampsAndWatermarks(NoWatermarks[int]().WithTimestampAssigner(func(v int, _ int64) int64 { return late[v] })).
				KeyBy(func(v int) int { return v % 2 }).Window(EventTimeSession(5 * second)).Aggregate(lonely{})
		}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.do(stream(env())).ExecuteAndCollectLimit(context.Background(), 99)
			slices.Sort(got)
			if failed := err != nil && strings.Contains(err.Error(), "merged"); failed != c.fails || !failed && (err != nil || fmt.Sprint(got) != c.want) {
				t.Errorf("got %v, %v, want %s", got, err, c.want)
			}
		})
	}
}
