package dataflow_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

type wrongOpen struct{}

func (wrongOpen) Open() error                  { return nil }
func (wrongOpen) Map(v string) (string, error) { return v, nil }

type byValue struct{}

func (*byValue) Open(*RuntimeContext) error  { return nil }
func (byValue) Map(v string) (string, error) { return v, nil }

type richCount struct{}

func (richCount) Open(*RuntimeContext) error  { return nil }
func (richCount) CreateAccumulator() string   { return "" }
func (richCount) Add(v, acc string) string    { return acc + v }
func (richCount) GetResult(acc string) string { return acc }
func (richCount) Merge(a, b string) string    { return a + b }

func TestMistakesAreNamedAtTheCall(t *testing.T) {
	self := func(s string) string { return s }
	for _, c := range []struct {
		name, kind, says string
		do               func(env *StreamExecutionEnvironment, s *DataStreamSource[string])
	}{
		{"a keyed stream is not partitioned again", "UnsupportedOperation", "keyed stream", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.KeyBy(self).Rebalance()
		}},
		{"the parallelism is at least 1", "IllegalArgument", "at least 1", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.Map(self).SetParallelism(0)
		}},
		{"the environment's parallelism too", "IllegalArgument", "got -2", func(env *StreamExecutionEnvironment, _ *DataStreamSource[string]) {
			env.SetParallelism(-2)
		}},
		{"the max parallelism is at most 32768", "IllegalArgument", "32768", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.Map(self).SetMaxParallelism(32769)
		}},
		{"a collection source is not parallel", "IllegalArgument", "Collection Source", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.SetParallelism(2)
		}},
		{"windowAll is not parallel", "IllegalArgument", "parallelism is 1", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.WindowAll(TumblingEventTime(time.Second)).Reduce(func(a, b string) string { return a }).SetParallelism(2)
		}},
		{"the lateness is not negative", "IllegalArgument", "-1ms", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.WindowAll(TumblingEventTime(time.Second)).AllowedLateness(-time.Millisecond)
		}},
		{"a window has a size", "IllegalArgument", "size must be positive", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.WindowAll(TumblingEventTime(-5 * time.Second))
		}},
		{"sessions need a trigger that merges", "UnsupportedOperation", "merging", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.WindowAll(EventTimeSession(time.Second)).Trigger(DeltaTrigger(1, func(a, b string) float64 { return 0 }))
		}},
		{"a late tag is needed", "NullPointer", "output tag", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.WindowAll(TumblingEventTime(time.Second)).SideOutputLateData(OutputTag[string]{})
		}},
		{"an aggregate of a window has no life cycle", "UnsupportedOperation", "Open or Close", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.WindowAll(TumblingEventTime(time.Second)).Aggregate(richCount{})
		}},
		{"a side output has one type", "UnsupportedOperation", "side", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			m := s.Map(self)
			m.GetSideOutput(NewOutputTag[string]("side"))
			m.GetSideOutput(NewOutputTag[int64]("side"))
		}},
		{"a slice is no key", "InvalidProgram", "cannot be a key", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.KeyBy(func(s string) [2]string { return [2]string{s, s} })
		}},
		{"a string has no positions", "InvalidProgram", "not a tuple", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.KeyByPositions(0)
		}},
		{"a sequence goes up", "IllegalArgument", "10 and 1", func(env *StreamExecutionEnvironment, _ *DataStreamSource[string]) {
			env.FromSequence(10, 1)
		}},
		{"the buffer timeout is not negative", "IllegalArgument", "-2ms", func(env *StreamExecutionEnvironment, _ *DataStreamSource[string]) {
			env.SetBufferTimeout(-2 * time.Millisecond)
		}},
		{"the out-of-orderness is not negative", "IllegalArgument", "negative", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.AssignTimestampsAndWatermarks(ForBoundedOutOfOrderness[string](-1))
		}},
		{"a function is needed", "NullPointer", "function", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.Filter(nil)
		}},
		{"Open has its signature", "InvalidProgram", "func(*RuntimeContext) error", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.MapRich(wrongOpen{})
		}},
		{"Open is reachable", "InvalidProgram", "pointer receiver", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.MapRich(byValue{})
		}},
		{"a sum needs a number", "Runtime", "does not support string", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.KeyBy(self).Sum(0)
		}},
		{"a uid hash has 32 digits", "IllegalArgument", "32 hex", func(_ *StreamExecutionEnvironment, s *DataStreamSource[string]) {
			s.UIDHash("abc")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := NewEnv(WithParallelism(2))
			c.do(env, env.FromElements("a"))
			var e *GraphError
			if !errors.As(env.Err(), &e) || e.Kind != c.kind || !strings.Contains(e.Error(), c.says) {
				t.Fatalf("got %v, want %s with %q", env.Err(), c.kind, c.says)
			}
			if !strings.Contains(e.Pos, "errors_test.go:") {
				t.Errorf("position: got %q, want a line of this file", e.Pos)
			}
			if _, err := env.Execute(context.Background()); err != env.Err() {
				t.Errorf("Execute: got %v, want the same mistake", err)
			}
		})
	}
}

func TestMistakesOfTheWholeGraph(t *testing.T) {
	self := func(s string) string { return s }
	for _, c := range []struct {
		name, kind string
		do         func(env *StreamExecutionEnvironment)
		planFails  bool
	}{
		{"no operators", "IllegalState", func(env *StreamExecutionEnvironment) { env.FromElements("a") }, true},
		{"forward with another parallelism", "UnsupportedOperation", func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).SetParallelism(2).Forward().Map(self).SetParallelism(4)
		}, true},
		{"one uid twice", "IllegalArgument", func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).UID("same").Map(self).UID("same")
		}, false},
		{"more subtasks than key groups", "IllegalArgument", func(env *StreamExecutionEnvironment) {
			env.FromElements("a").Map(self).SetParallelism(4).SetMaxParallelism(2)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := NewEnv(WithParallelism(1))
			c.do(env)
			if _, err := env.ExecutionPlan(); (err != nil) != c.planFails {
				t.Errorf("ExecutionPlan: got %v", err)
			}
			_, err := env.Execute(context.Background())
			var e *GraphError
			if !errors.As(err, &e) || e.Kind != c.kind {
				t.Fatalf("got %v, want %s", err, c.kind)
			}
			if _, err := env.Execute(context.Background()); err == nil || !strings.Contains(err.Error(), "no operators") {
				t.Errorf("a second Execute: got %v, want that nothing is left", err)
			}
		})
	}
}

func TestALimitOfZeroSpoilsNoLaterCall(t *testing.T) {
	s := NewEnv(WithParallelism(1)).FromElements(1, 2)
	var e *GraphError
	if _, err := s.ExecuteAndCollectLimit(context.Background(), 0); !errors.As(err, &e) || e.Kind != "IllegalState" {
		t.Fatalf("limit 0: got %v, want IllegalState", err)
	}
	if got, err := s.ExecuteAndCollectLimit(context.Background(), 2); err != nil || len(got) != 2 {
		t.Errorf("limit 2 after it: got %v, %v", got, err)
	}
}
