// Failures of the functions that choose the way of a record: key selectors and partitioners.

package dataflow_test

import (
	"context"
	"errors"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/graph"
	"flinkish/dataflow/job"
)

func TestAFailureOfAKeySelectorOrPartitionerNamesItTheRecordAndTheCall(t *testing.T) {
	type ints = *DataStream[int]
	plain := func(v int) int { return v }
	divide := func(v int) int { return 8 / v }
	sum := func(a, b int) int { return a + b }
	first := func(k, n int) int { return 0 }
	const by = `operator "Source: Collection Source" (1/1): the `
	for _, c := range []struct {
		name   string
		build  func(s ints) ints
		behind string
		kind   string
		want   string
	}{
		{"the selector of KeyBy", func(s ints) ints { return &s.KeyBy(divide).Reduce(sum).DataStream }, "key selector", "Runtime",
			by + "key selector behind it failed on record 0: Runtime: KeyBy: could not extract the key: integer divide by zero"},
		{"a nil key", func(s ints) ints {
			return &s.KeyBy(func(v int) (k any) { return nil }, KeyType(TypeOf[string]())).Reduce(sum).DataStream
		}, "key selector", "NullPointer",
			by + "key selector behind it failed on record 4: NullPointer: KeyBy: could not extract the key: the key selector returned nil; filter such records out before"},
		{"the selector of PartitionCustom", func(s ints) ints { return &s.PartitionCustom(first, divide).Map(plain).DataStream }, "key selector", "Runtime",
			by + "key selector behind it failed on record 0: Runtime: PartitionCustom: could not extract the key: integer divide by zero"},
		{"the partitioner, whose panic Flink passes on as it is", func(s ints) ints {
			return &s.PartitionCustom(func(k, n int) int { panic("sel") }, plain).Map(plain).DataStream
		}, "partitioner", "", by + "partitioner behind it failed on record 4: sel"},
		{"a subtask that is not there", func(s ints) ints {
			return &s.PartitionCustom(func(k, n int) int { return k - 3 }, plain).Map(plain).DataStream
		}, "partitioner", "ArrayIndexOutOfBounds",
			by + "partitioner behind it failed on record 4: ArrayIndexOutOfBounds: PartitionCustom: the partitioner returned 1 for 1 subtasks; it must return 0 to 0"},
		{"a selector inside of a chain", func(s ints) ints {
			return &s.Map(plain).ReinterpretAsKeyedStream(divide).Reduce(sum).DataStream
		}, "key selector", "Runtime",
			`operator "Map" (1/1): the key selector behind it failed on record 0: Runtime: ReinterpretAsKeyedStream: could not extract the key: integer divide by zero`},
	} {
		for mode, scheduler := range map[string]EnvOption{"deterministic": WithDeterministic(1), "parallel": WithParallelScheduler()} {
			t.Run(c.name+", "+mode, func(t *testing.T) {
				env := NewEnv(WithParallelism(1), scheduler)
				_, err := c.build(&env.FromElements(4, 2, 0).DataStream).ExecuteAndCollectLimit(context.Background(), 9)
				var f *job.Failure
				if !errors.As(err, &f) || f.Behind != c.behind || !f.HasRecord || f.Error() != c.want {
					t.Fatalf("got  %v\nwant %s", err, c.want)
				}
				var kind string
				if e := (*graph.GraphError)(nil); errors.As(err, &e) {
					kind = e.Kind
				}
				if kind != c.kind {
					t.Errorf("kind %q, want %q", kind, c.kind)
				}
			})
		}
	}
}

var errSelector = errors.New("no such key")

func TestTheCauseOfAKeySelectorIsFoundBehindItsKind(t *testing.T) {
	env := NewEnv(WithParallelism(1))
	_, err := env.FromElements(1).KeyBy(func(int) int { panic(errSelector) }).Sum(0).ExecuteAndCollectLimit(context.Background(), 9)
	if !errors.Is(err, errSelector) {
		t.Errorf("got %v, want the error of the selector in it", err)
	}
}
