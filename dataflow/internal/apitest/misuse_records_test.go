package apitest_test

import (
	"context"
	"testing"

	. "flinkish/dataflow"
)

type pair = Tuple2[string, int]

func pairs(e *StreamExecutionEnvironment) *DataStreamSource[pair] {
	return e.FromData(pair{F0: "a", F1: 1}, pair{F0: "b", F1: 2})
}

// openedFold is a reduce function with a life cycle.
type openedFold struct{}

func (*openedFold) Open(*RuntimeContext) error     { return nil }
func (*openedFold) Reduce(a, _ pair) (pair, error) { return a, nil }

// TestMistakesInTagsElementsAndPositions are errors of the calls whose records are no numbers.
func TestMistakesInTagsElementsAndPositions(t *testing.T) {
	for _, c := range []struct {
		name, kind, says string
		do               func(e *StreamExecutionEnvironment)
	}{
		{"a tag with an empty id", "IllegalArgument", "NewOutputTag", func(e *StreamExecutionEnvironment) {
			pairs(e).Map(func(p pair) pair { return p }).GetSideOutput(NewOutputTag[int](""))
		}},
		{"no tag", "NullPointer", "output tag", func(e *StreamExecutionEnvironment) {
			pairs(e).Map(func(p pair) pair { return p }).GetSideOutput(OutputTag[int]{})
		}},
		{"late data to a tag with an empty id", "IllegalArgument", "NewOutputTag", func(e *StreamExecutionEnvironment) {
			pairs(e).WindowAll(GlobalWindows()).SideOutputLateData(NewOutputTag[pair](""))
		}},
		{"late data to a tag that is read as another type", "UnsupportedOperation", `the id "late"`, func(e *StreamExecutionEnvironment) {
			w := pairs(e).WindowAll(GlobalWindows()).SideOutputLateData(NewOutputTag[pair]("late"))
			w.Reduce(func(a, b pair) pair { return a }).GetSideOutput(NewOutputTag[int]("late"))
		}},
		{"late data of an interval join to a tag that is read as another type", "UnsupportedOperation", `the id "late"`, func(e *StreamExecutionEnvironment) {
			intervals(e).SideOutputRightLateData(NewOutputTag[int]("late")).ProcessFunc(noPair).GetSideOutput(NewOutputTag[pair]("late"))
		}},
		{"late data of both sides to one tag", "UnsupportedOperation", " and int", func(e *StreamExecutionEnvironment) {
			intervals(e).SideOutputRightLateData(NewOutputTag[int]("late")).SideOutputLeftLateData(NewOutputTag[pair]("late")).ProcessFunc(noPair)
		}},
		{"a nil first argument", "NullPointer", "element 0", func(e *StreamExecutionEnvironment) { e.FromElements[any](nil, 1) }},
		{"a nil first argument of FromData", "NullPointer", "element 0", func(e *StreamExecutionEnvironment) { e.FromData[*int](nil) }},
		{"a nil argument later on", "IllegalArgument", "element 1", func(e *StreamExecutionEnvironment) { e.FromElements[any](1, nil) }},
		{"a nil first element of a slice", "IllegalArgument", "element 0", func(e *StreamExecutionEnvironment) { e.FromSlice([]*int{nil}) }},
		{"a source without a watermark strategy", "NullPointer", "strategy", func(e *StreamExecutionEnvironment) {
			e.FromSource(&numbers{}, WatermarkStrategy[int]{}, "numbers")
		}},
		{"a source whose strategy has no generator", "NullPointer", "generator", func(e *StreamExecutionEnvironment) {
			e.FromSource(&numbers{}, ForGenerator[int](nil), "numbers")
		}},
		{"keys at no position", "IllegalArgument", "at least one field", func(e *StreamExecutionEnvironment) { pairs(e).KeyByPositions[int]() }},
		{"keys of no field", "IllegalArgument", "at least one field", func(e *StreamExecutionEnvironment) { pairs(e).KeyByFields[string]() }},
		{"a key at a position below 0", "IndexOutOfBounds", "0 to 1", func(e *StreamExecutionEnvironment) { pairs(e).KeyByPositions(-1) }},
		{"a key at a position beyond the tuple", "IndexOutOfBounds", "0 to 1", func(e *StreamExecutionEnvironment) { pairs(e).KeyByPositions(0, 2) }},
		{"a key beyond an array", "IndexOutOfBounds", "[2]int", func(e *StreamExecutionEnvironment) { e.FromData([2]int{}).KeyByPositions(2) }},
		{"keys of connected streams of two types", "UnsupportedOperation", "[string] and [int]", func(e *StreamExecutionEnvironment) {
			pairs(e).Connect(pairs(e)).KeyByPositions([]int{0}, []int{1})
		}},
		{"more keys of one connected stream", "UnsupportedOperation", "[string int] and [string]", func(e *StreamExecutionEnvironment) {
			pairs(e).Connect(pairs(e)).KeyByFields([]string{"f0", "f1"}, []string{"f0"})
		}},
		{"a key of a connected stream beyond the tuple", "IndexOutOfBounds", "0 to 1", func(e *StreamExecutionEnvironment) {
			pairs(e).Connect(pairs(e)).KeyByPositions([]int{0}, []int{2})
		}},
		{"keys of a loop with feedback of its own", "UnsupportedOperation", "cannot be keyed here", func(e *StreamExecutionEnvironment) {
			pairs(e).Iterate().WithFeedbackType[pair]().KeyByPositions([]int{0}, []int{0})
		}},
		{"a reduce object of keyed partitions with Open", "UnsupportedOperation", "Open or Close", func(e *StreamExecutionEnvironment) {
			pairs(e).KeyBy(nameOf).FullWindowPartition().ReduceRich(&openedFold{})
		}},
		{"a projection beyond the tuple", "IndexOutOfBounds", "0 to 1", func(e *StreamExecutionEnvironment) { pairs(e).Project(2) }},
		{"a projection of 26 fields", "IllegalArgument", "25", func(e *StreamExecutionEnvironment) { pairs(e).Project(make([]int, 26)...) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env()
			c.do(e)
			mistake(t, e.Err(), c.kind, c.says)
		})
	}
}

func intervals(e *StreamExecutionEnvironment) *IntervalJoined[pair, int, string] {
	return pairs(e).KeyBy(nameOf).IntervalJoin(e.FromElements(1).KeyBy(func(int) string { return "" })).Between(0, 0)
}

func noPair(pair, int, *ProcessJoinContext, Collector[int]) error { return nil }

// TestMistakesThatARecordBrings have Flink's kind although they are found far below the API.
func TestMistakesThatARecordBrings(t *testing.T) {
	type stream = *DataStreamSource[int]
	keyed := func(do func(ctx *KeyedContext[int])) func(s stream) *SingleOutputStreamOperator[int] {
		return func(s stream) *SingleOutputStreamOperator[int] {
			return s.KeyBy(one).ProcessKeyedFunc(func(_ int, ctx *KeyedContext[int], _ Collector[int]) { do(ctx) })
		}
	}
	opened := func(do func(ctx *RuntimeContext)) func(s stream) *SingleOutputStreamOperator[int] {
		return func(s stream) *SingleOutputStreamOperator[int] { return s.KeyBy(one).MapRich(&onOpen{do}) }
	}
	partitioned := func(to int) func(s stream) *SingleOutputStreamOperator[int] {
		return func(s stream) *SingleOutputStreamOperator[int] {
			return s.PartitionCustom(func(int, int) int { return to }, one).Map(one).SetParallelism(2)
		}
	}
	for _, c := range []struct {
		name, kind, says string
		do               func(s stream) *SingleOutputStreamOperator[int]
	}{
		{"a partitioner that counts too far", "ArrayIndexOutOfBounds", "0 to 1", partitioned(2)},
		{"a partitioner that counts below 0", "ArrayIndexOutOfBounds", "returned -1", partitioned(-1)},
		{"a nil key", "NullPointer", "key selector returned nil", func(s stream) *SingleOutputStreamOperator[int] {
			return s.KeyBy(func(int) any { return nil }).Map(one)
		}},
		{"a key whose hash code nobody knows", "InvalidProgram", "cannot be a key", func(s stream) *SingleOutputStreamOperator[int] {
			return s.KeyBy(func(int) any { return [1]int{} }).Map(one).SetParallelism(2)
		}},
		{"a nil element of a list state", "NullPointer", `state "l"`, keyed(func(ctx *KeyedContext[int]) {
			ctx.ListState(NewListStateDescriptor[any]("l")).Add(nil)
		})},
		{"nil among the elements of a list state", "NullPointer", `state "l"`, keyed(func(ctx *KeyedContext[int]) {
			ctx.ListState(NewListStateDescriptor[*int]("l")).AddAll([]*int{new(int), nil})
		})},
		{"an update of a list state with nil", "NullPointer", `state "l"`, keyed(func(ctx *KeyedContext[int]) {
			ctx.ListState(NewListStateDescriptor[any]("l")).Update([]any{nil})
		})},
		{"a state that is used in Open", "NullPointer", "no key set", opened(func(ctx *RuntimeContext) {
			ctx.State(NewValueStateDescriptor[int]("n")).Update(1)
		})},
		{"one name for two states", "StateMigration", "choose another", opened(func(ctx *RuntimeContext) {
			ctx.State(NewValueStateDescriptor[int]("n"))
			ctx.ListState(NewListStateDescriptor[int]("n"))
		})},
		{"one name for two types", "StateMigration", "choose another", opened(func(ctx *RuntimeContext) {
			ctx.State(NewValueStateDescriptor[int]("n"))
			ctx.State(NewValueStateDescriptor[string]("n"))
		})},
		{"a key of another subtask", "IllegalArgument", "use KeyBy instead", func(s stream) *SingleOutputStreamOperator[int] {
			a, b := func(int) string { return "a" }, func(int) string { return "b" } // in different halves of the key groups
			return s.KeyBy(a).Map(one).SetParallelism(2).ReinterpretAsKeyedStream(b).ProcessKeyedFunc(func(_ int, ctx *KeyedContext[string], _ Collector[int]) {
				ctx.State(NewValueStateDescriptor[int]("n")).Update(1)
			}).SetParallelism(2)
		}},
		{"a timer of a key of another subtask", "IllegalArgument", "use KeyBy instead", func(s stream) *SingleOutputStreamOperator[int] {
			a, b := func(int) string { return "a" }, func(int) string { return "b" }
			return s.KeyBy(a).Map(one).SetParallelism(2).ReinterpretAsKeyedStream(b).ProcessKeyedFunc(func(_ int, ctx *KeyedContext[string], _ Collector[int]) {
				ctx.TimerService().RegisterEventTimeTimer(1)
			}).SetParallelism(2)
		}},
		{"a field that a tuple does not have", "IndexOutOfBounds", "fields count from 0", func(s stream) *SingleOutputStreamOperator[int] {
			return s.Map(func(v int) int { return pair{F1: v}.F(2).(int) })
		}},
		{"a position that a slice does not have", "ArrayIndexOutOfBounds", "position 3", func(s stream) *SingleOutputStreamOperator[int] {
			return s.Map(func(v int) []int { return []int{v} }).KeyByPositions(3).Map(func(vs []int) int { return vs[0] })
		}},
		{"an accumulator that is nil", "NullPointer", "CreateAccumulator", func(s stream) *SingleOutputStreamOperator[int] {
			return s.FullWindowPartition().Aggregate(noAccumulator{})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env()
			c.do(e.FromElements(1))
			_, err := e.Execute(context.Background())
			mistake(t, err, c.kind, c.says)
		})
	}
}

type noAccumulator struct{}

func (noAccumulator) CreateAccumulator() *int  { return nil }
func (noAccumulator) Add(_ int, acc *int) *int { return acc }
func (noAccumulator) GetResult(acc *int) int   { return 0 }
func (noAccumulator) Merge(a, _ *int) *int     { return a }

func TestPositionsOfArraysAndSlicesAreTheirElements(t *testing.T) {
	e := env()
	sums, err := e.FromData([2]int{1, 2}, [2]int{1, 5}, [2]int{3, 4}).KeyByPositions(0).Sum(1).ExecuteAndCollectLimit(context.Background(), 9)
	if want := [][2]int{{1, 2}, {1, 7}, {3, 4}}; err != nil || len(sums) != 3 || [3][2]int(sums) != [3][2]int(want) {
		t.Errorf("arrays: got %v, %v", sums, err)
	}
	in := [][]int{{1, 2}, {1, 5}}
	slices, err := e.FromSlice(in).KeyByPositions(0).SumField("1").ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil || len(slices) != 2 || slices[0][1] != 2 || slices[1][1] != 7 || in[0][1] != 2 {
		t.Errorf("slices: got %v of %v, %v", slices, in, err)
	}
}
