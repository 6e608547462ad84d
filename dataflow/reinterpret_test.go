package dataflow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

func keepPair(v keyInt) keyInt { return v }

// hundredKeys is a stream of 300 records, three of each of a hundred keys.
func hundredKeys(env *StreamExecutionEnvironment) *SingleOutputStreamOperator[keyInt] {
	return env.FromSequence(0, 299).Map(func(v int64) keyInt { return keyInt{F0: fmt.Sprint(v % 100), F1: 1} })
}

func TestAReinterpretedStreamHasStateAndTimers(t *testing.T) {
	for name, env := range environments(3) {
		env.SetMaxParallelism(8)
		again := hundredKeys(env).KeyBy(first).Map(keepPair).ReinterpretAsKeyedStream(first)
		last := map[string]int{}
		for _, v := range collect(t, again.Sum(1)) {
			last[v.F0] = max(last[v.F0], v.F1)
		}
		for k, n := range last {
			if n != 3 {
				t.Errorf("%s: key %s: got %d, want 3", name, k, n)
			}
		}
		if len(last) != 100 {
			t.Errorf("%s: got %d keys, want 100", name, len(last))
		}
		stamped := hundredKeys(env).AssignTimestampsAndWatermarks(
			ForMonotonousTimestamps[keyInt]().WithTimestampAssigner(func(keyInt, int64) int64 { return 500 }))
		windows := ReinterpretAsKeyedStream(stamped.KeyBy(first).Map(keepPair), first, KeyType(TypeOf[string]())).
			Window(TumblingEventTime(time.Second)).Reduce(sumPairs)
		total := 0
		for _, v := range collect(t, windows) {
			total += v.F1
		}
		if total != 300 {
			t.Errorf("%s: got %d, want 300", name, total)
		}
	}
}

func TestAKeyOfAnotherSubtaskFailsWhenItsStateIsUsed(t *testing.T) {
	for name, env := range environments(2) {
		// "a" is in key group 81, of subtask 1; "b" in 22, of subtask 0.
		renamed := func() *KeyedStream[keyInt, string] {
			return env.FromElements(pairs("b", 1, "a", 2)...).KeyBy(first).Map(func(v keyInt) keyInt { v.F0 = "a"; return v }).
				ReinterpretAsKeyedStream(first)
		}
		if got := collect(t, renamed().Map(keepPair)); len(got) != 2 {
			t.Errorf("%s: without state: got %v, want both records", name, got)
		}
		uses := map[string]func(*KeyedStream[keyInt, string]){
			"a value": func(k *KeyedStream[keyInt, string]) {
				k.ProcessKeyedFunc(func(_ keyInt, ctx *KeyedContext[string], _ Collector[int]) {
					ctx.State(NewValueStateDescriptor[int]("n")).Value()
				})
			},
			"a timer": func(k *KeyedStream[keyInt, string]) {
				k.ProcessKeyedFunc(func(_ keyInt, ctx *KeyedContext[string], _ Collector[int]) {
					ctx.TimerService().RegisterEventTimeTimer(1)
				})
			},
			"a sum":    func(k *KeyedStream[keyInt, string]) { k.Sum(1) },
			"a window": func(k *KeyedStream[keyInt, string]) { k.CountWindow(1).Reduce(sumPairs) },
		}
		for what, use := range uses {
			use(renamed())
			_, err := env.Execute(context.Background())
			want := "key a is in key group 81, which is not in the range [0, 63] of this subtask"
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "use KeyBy instead") {
				t.Errorf("%s, %s: got %v, want %s", name, what, err, want)
			}
		}
	}
}

func TestPreKeyedSources(t *testing.T) {
	for name, env := range environments(2) {
		env.Configure(WithParallelism(1))
		same(t, collect(t, env.FromElements(pairs("a", 1, "b", 2, "a", 3)...).ReinterpretAsKeyedStream(first).Sum(1)), pairs("a", 1, "b", 2, "a", 4))
		env.Configure(WithParallelism(2))
		// Both subtasks have keys that belong to the other one by their hash codes.
		split := env.FromSequence(0, 99)
		got := collect(t, split.ReinterpretAsKeyedStream(func(v int64) int64 { return v / 10 }).ProcessKeyedFunc(
			func(v int64, ctx *KeyedContext[int64], out Collector[int]) {
				n := ctx.State(NewValueStateDescriptor[int]("n"))
				n.Update(n.Value() + 1)
				if n.Value() == 10 {
					out.Collect(10)
				}
			}))
		if len(got) != 10 {
			t.Errorf("%s: got %d whole keys, want 10", name, len(got))
		}
	}
}

func TestAPreKeyedSourceMustBeChained(t *testing.T) {
	breaks := map[string]func(env *StreamExecutionEnvironment, s *SingleOutputStreamOperator[keyInt]){
		"chaining is disabled for the job": func(env *StreamExecutionEnvironment, _ *SingleOutputStreamOperator[keyInt]) {
			env.DisableOperatorChaining()
		},
		"chaining is disabled for Keyed Aggregation":    func(_ *StreamExecutionEnvironment, s *SingleOutputStreamOperator[keyInt]) { s.DisableChaining() },
		"Keyed Aggregation starts a new chain":          func(_ *StreamExecutionEnvironment, s *SingleOutputStreamOperator[keyInt]) { s.StartNewChain() },
		"the slot sharing groups differ: default and x": func(_ *StreamExecutionEnvironment, s *SingleOutputStreamOperator[keyInt]) { s.SlotSharingGroup("x") },
	}
	for want, apply := range breaks {
		env := NewEnv(WithParallelism(1))
		apply(env, env.FromElements(pairs("a", 1)...).ReinterpretAsKeyedStream(first).Sum(1))
		_, err := env.JobGraph()
		if err == nil || !strings.HasPrefix(err.Error(), "IllegalState: ReinterpretAsKeyedStream: ") || !strings.Contains(err.Error(), "not chained: "+want+";") {
			t.Errorf("got %v, want %s", err, want)
		}
		env.SetRuntimeMode(Batch)
		if _, err := env.JobGraph(); err != nil {
			t.Errorf("%s, in BATCH: got %v", want, err)
		}
	}
}

func TestDoubtfulReinterpretationsAreWarnedOf(t *testing.T) {
	tests := []struct {
		name  string
		build func(env *StreamExecutionEnvironment)
		want  string
	}{
		{"the key is kept", func(env *StreamExecutionEnvironment) {
			hundredKeys(env).KeyBy(first).Map(keepPair).Filter(func(keyInt) bool { return true }).ReinterpretAsKeyedStream(first).Sum(1)
		}, ""},
		{"twice", func(env *StreamExecutionEnvironment) {
			hundredKeys(env).KeyBy(first).Sum(1).ReinterpretAsKeyedStream(first).Sum(1).ReinterpretAsKeyedStream(first).Sum(1)
		}, ""},
		{"no KeyBy", func(env *StreamExecutionEnvironment) { hundredKeys(env).ReinterpretAsKeyedStream(first).Sum(1) }, "but no KeyBy comes before;"},
		{"a shuffle", func(env *StreamExecutionEnvironment) {
			hundredKeys(env).KeyBy(first).Map(keepPair).Name("m").Rebalance().Map(keepPair).Name("n").ReinterpretAsKeyedStream(first).Sum(1)
		}, "but the edge from m to n is REBALANCE;"},
		{"another max parallelism", func(env *StreamExecutionEnvironment) {
			hundredKeys(env).KeyBy(first).Map(keepPair).Name("m").ReinterpretAsKeyedStream(first).Sum(1).SetMaxParallelism(16)
		}, "but the max parallelism of m after KeyBy is not set and here it is 16;"},
	}
	for _, tt := range tests {
		env := NewEnv(WithParallelism(2))
		tt.build(env)
		g, err := env.StreamGraph()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(g.Warnings, "\n"); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestReinterpretingDoesNotAllowAnotherParallelism(t *testing.T) {
	env := NewEnv(WithParallelism(2))
	hundredKeys(env).KeyBy(first).Map(keepPair).SetParallelism(3).ReinterpretAsKeyedStream(first).Sum(1)
	if _, err := env.JobGraph(); err == nil || !strings.HasPrefix(err.Error(), "UnsupportedOperation: ") {
		t.Errorf("got %v, want UnsupportedOperation", err)
	}
	hundredKeys(env).ReinterpretAsKeyedStream(func(keyInt) [1]int { return [1]int{} })
	if err := env.Err(); err == nil || !strings.HasPrefix(err.Error(), "InvalidProgram: ReinterpretAsKeyedStream: ") {
		t.Errorf("got %v, want InvalidProgram", err)
	}
}
