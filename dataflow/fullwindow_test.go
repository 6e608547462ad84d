package dataflow_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

type keyText = Tuple2[string, string]
type keyInt = Tuple2[string, int]

func pairs(vs ...any) (out []keyInt) {
	for i := 0; i < len(vs); i += 2 {
		out = append(out, keyInt{F0: vs[i].(string), F1: vs[i+1].(int)})
	}
	return out
}

// collect runs the program and returns the records of a stream.
func collect[T any](t *testing.T, s *SingleOutputStreamOperator[T]) []T {
	t.Helper()
	it, err := s.ExecuteAndCollect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return all(t, it)
}

func first(v keyInt) string { return v.F0 }

func sumPairs(a, b keyInt) keyInt { a.F1 += b.F1; return a }

// hundredMinus subtracts from 100; it must not be merged.
type hundredMinus struct{ t *testing.T }

func (hundredMinus) CreateAccumulator() int    { return 100 }
func (hundredMinus) Add(v keyInt, acc int) int { return acc - v.F1 }
func (hundredMinus) GetResult(acc int) string  { return fmt.Sprint(acc) }
func (h hundredMinus) Merge(int, int) int      { h.t.Error("Merge was called"); return 0 }

// runsOf writes the values of neighbours with the same key, each followed by a blank.
func runsOf(values iter.Seq[keyInt], out Collector[string]) error {
	var b strings.Builder
	last := ""
	for v := range values {
		if b.Len() > 0 && v.F0 != last {
			out.Collect(b.String())
			b.Reset()
		}
		last = v.F0
		fmt.Fprintf(&b, "%d ", v.F1)
	}
	out.Collect(b.String())
	return nil
}

var threeKeys = []any{"key1", 0, "key1", 7, "key1", 3, "key1", 1, "key2", 1, "key2", 100, "key2", 0, "key2", 79,
	"key3", 77, "key3", 66, "key3", 55, "key3", 8}

func TestKeyedPartition(t *testing.T) {
	for name, env := range environments(2) {
		t.Run(name+": MapPartition gets the records of a key in the order of arrival", func(t *testing.T) {
			in := env.FromElements(keyText{F0: "key1", F1: "a"}, keyText{F0: "key2", F1: "d"}, keyText{F0: "key3", F1: "g"}, keyText{F0: "key1", F1: "b"}, keyText{F0: "key2", F1: "e"},
				keyText{F0: "key3", F1: "h"}, keyText{F0: "key1", F1: "c"}, keyText{F0: "key2", F1: "f"}, keyText{F0: "key3", F1: "i"})
			out := in.KeyBy(func(v keyText) string { return v.F0 }).FullWindowPartition().MapPartitionE(func(vs iter.Seq[keyText], out Collector[string]) error {
				s := ""
				for range 2 {
					for v := range vs {
						s += v.F0 + v.F1
					}
				}
				out.Collect(s[:len(s)/2])
				return nil
			})
			sameUnordered(t, collect(t, out), []string{"key1akey1bkey1c", "key2dkey2ekey2f", "key3gkey3hkey3i"})
		})
		t.Run(name+": Reduce emits the final value of a key", func(t *testing.T) {
			in := env.FromElements(pairs("key1", 1, "key1", 999, "key2", 2, "key2", 998, "key3", 3, "key3", 997, "one", 5)...)
			sameUnordered(t, collect(t, in.KeyBy(first).FullWindowPartition().Reduce(sumPairs)), pairs("key1", 1000, "key2", 1000, "key3", 1000, "one", 5))
		})
		t.Run(name+": Aggregate does not merge", func(t *testing.T) {
			in := env.FromElements(pairs("Key1", 1, "Key1", 2, "Key2", 2, "Key2", 1, "Key3", 1, "Key3", 1, "Key3", 1)...)
			sameUnordered(t, collect(t, in.KeyBy(first).FullWindowPartition().Aggregate(hundredMinus{t})), []string{"97", "97", "97"})
		})
		for _, o := range []Order{Ascending, Descending} {
			t.Run(fmt.Sprint(name, ": SortPartition sorts inside each key, ", o), func(t *testing.T) {
				want := []string{"0 1 3 7 ", "0 1 79 100 ", "8 55 66 77 "}
				if o == Descending {
					want = []string{"7 3 1 0 ", "100 79 1 0 ", "77 66 55 8 "}
				}
				keyed := env.FromElements(pairs(threeKeys...)...).KeyBy(first).FullWindowPartition()
				by := func(v keyInt) int { return v.F1 }
				own := func(v keyInt) reversed { return reversed{-v.F1} }
				for _, s := range []*SingleOutputStreamOperator[keyInt]{keyed.SortPartition(by, o), keyed.SortPartitionByPosition(2, o),
					keyed.SortPartitionByField("f1", o), keyed.SortPartition(own, o)} {
					sameUnordered(t, collect(t, s.FullWindowPartition().MapPartitionE(runsOf)), want)
				}
			})
		}
		t.Run(name+": records come in the order of their timestamps", func(t *testing.T) {
			stamped := env.FromElements(pairs("a", 3, "b", 9, "a", 1, "a", 2, "b", 8)...).AssignTimestampsAndWatermarks(
				ForMonotonousTimestamps[keyInt]().WithTimestampAssigner(func(v keyInt, _ int64) int64 { return int64(v.F1) }))
			sameUnordered(t, collect(t, stamped.KeyBy(first).FullWindowPartition().MapPartitionE(runsOf)), []string{"1 2 3 ", "8 9 "})
		})
	}
}

// reversed is a sort key with an order of its own.
type reversed struct{ n int }

func (r reversed) Compare(o reversed) int { return o.n - r.n }

func TestPartitionWithoutKey(t *testing.T) {
	for name, env := range environments(2) {
		twelve := func() *SingleOutputStreamOperator[int] {
			return env.FromElements(1, 1, 2, 2, 3, 3).Map(func(v int) int { return v })
		}
		t.Run(name+": MapPartition is called once in each subtask", func(t *testing.T) {
			out := env.FromElements("T", "T", "T", "T").Map(func(s string) string { return s }).FullWindowPartition().MapPartitionE(
				func(vs iter.Seq[string], out Collector[string]) error {
					s := ""
					for v := range vs {
						s += v
					}
					out.Collect(s)
					return nil
				})
			sameUnordered(t, collect(t, out), []string{"TT", "TT"})
		})
		t.Run(name+": MapPartition is called without records, and may leave some unread", func(t *testing.T) {
			out := env.FromElements(1, 2, 3).Filter(func(v int) bool { return v < 3 }).Global().FullWindowPartition().MapPartitionE(
				func(vs iter.Seq[int], out Collector[string]) error {
					for v := range vs {
						out.Collect(fmt.Sprint("first ", v))
						return nil
					}
					out.Collect("none")
					return nil
				})
			got := collect(t, out)
			if len(got) != 2 || !strings.Contains(fmt.Sprint(got), "none") || !strings.Contains(fmt.Sprint(got), "first ") {
				t.Errorf("got %v, want one first record and one none", got)
			}
		})
		t.Run(name+": MapPartition may emit much more than it reads", func(t *testing.T) {
			out := env.FromElements(1, 2).FullWindowPartition().MapPartitionE(func(vs iter.Seq[int], out Collector[int]) error {
				for v := range vs {
					for i := range 1000 {
						out.Collect(v * i)
					}
				}
				return nil
			}).Map(func(v int) int { return v })
			if got := collect(t, out); len(got) != 2000 {
				t.Errorf("got %d results, want 2000", len(got))
			}
		})
		t.Run(name+": Reduce emits once in each subtask", func(t *testing.T) {
			in := env.FromElements(1, 1, 1, 1, 998, 998).Map(func(v int) int { return v })
			sameUnordered(t, collect(t, in.FullWindowPartition().Reduce(func(a, b int) int { return a + b })), []int{1000, 1000})
		})
		t.Run(name+": Reduce does not touch a single record, and emits nothing without records", func(t *testing.T) {
			calls := 0
			in := env.FromElements(5, 7).PartitionCustom(func(k, n int) int { return k % n }, func(v int) int { return v }).Map(func(v int) int { return v })
			got := collect(t, in.FullWindowPartition().Reduce(func(a, b int) int { calls++; return a + b }))
			if fmt.Sprint(got) != "[12]" || calls != 1 {
				t.Errorf("got %v and %d calls, want [12] and one call: both records are odd", got, calls)
			}
		})
		t.Run(name+": Aggregate emits in each subtask", func(t *testing.T) {
			out := twelve().Map(func(v int) keyInt { return keyInt{F1: v} }).FullWindowPartition().Aggregate(hundredMinus{t})
			sameUnordered(t, collect(t, out), []string{"94", "94"})
			out = env.FromElements(1).Map(func(v int) keyInt { return keyInt{F1: v} }).FullWindowPartition().Aggregate(hundredMinus{t})
			sameUnordered(t, collect(t, out), []string{"99", "100"})
		})
		t.Run(name+": SortPartition sorts each subtask", func(t *testing.T) {
			for _, o := range []Order{Ascending, Descending} {
				in := env.FromElements(pairs("T", 0, "T", 0, "T", 3, "T", 3, "T", -1, "T", -1)...).Rebalance().Map(func(v keyInt) keyInt { return v })
				want := "-1 0 3 "
				if o == Descending {
					want = "3 0 -1 "
				}
				sameUnordered(t, collect(t, in.FullWindowPartition().SortPartitionByPosition(2, o).FullWindowPartition().MapPartitionE(runsOf)), []string{want, want})
			}
		})
	}
}

func TestPartitionOperatorsStandInThePlanAsInFlink(t *testing.T) {
	env := NewEnv(WithParallelism(2))
	in := env.FromElements(pairs("a", 1)...).Map(func(v keyInt) keyInt { return v }).Name("m")
	in.FullWindowPartition().MapPartitionE(runsOf).Print()
	in.FullWindowPartition().Reduce(sumPairs).Print()
	in.FullWindowPartition().SortPartitionByField("f0", Ascending).Print()
	in.FullWindowPartition().Aggregate(hundredMinus{t}).Print()
	k := in.KeyBy(first).FullWindowPartition()
	mapped := k.MapPartitionE(runsOf)
	k.SortPartitionByField("f1", Descending).Print()
	g, err := env.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	want := `0 Source: Collection Source x1
1 m -> (PartitionReduce -> Sink: Print to Std. Out, SortPartition -> Sink: Print to Std. Out, PartitionAggregate -> Sink: Print to Std. Out) x2 <-REBALANCE- 0
2 MapPartition x2 <-FORWARD- 1
3 Sink: Print to Std. Out x2 <-FORWARD- 2
4 GlobalWindows x2 <-HASH- 1
5 KeyedSortPartition -> Sink: Print to Std. Out x2 <-HASH- 1
`
	if got := g.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	text := "Window(GlobalWindows(trigger=EndOfStreamTrigger), EndOfStreamTrigger, KeyedMapPartitionWindowFunction)"
	if got := mapped.Transformation().Description; got != text {
		t.Errorf("got %s, want %s", got, text)
	}
}

type hidden struct {
	Name string
	age  int //lint:ignore U1000 a field that nobody outside may read
	At   struct{ Zip []int }
}

func TestMistakesInPartitionCalls(t *testing.T) {
	stream := func(e *StreamExecutionEnvironment) *PartitionWindowedStream[keyInt] {
		return e.FromElements(pairs("a", 1)...).FullWindowPartition()
	}
	people := func(e *StreamExecutionEnvironment) *PartitionWindowedStream[hidden] {
		return e.FromElements(hidden{Name: "a"}).FullWindowPartition()
	}
	tests := []struct {
		name  string
		build func(e *StreamExecutionEnvironment)
		want  string
	}{
		{"positions count from 1", func(e *StreamExecutionEnvironment) { stream(e).SortPartitionByPosition(0, Ascending) }, "IllegalArgument: SortPartitionByPosition: positions count from 1, got 0"},
		{"a position beyond the tuple", func(e *StreamExecutionEnvironment) { stream(e).SortPartitionByPosition(3, Ascending) }, "IndexOutOfBounds: SortPartitionByPosition: position 3 is not in Tuple2[string, int], which has the positions 1 to 2"},
		{"a position of what is no tuple", func(e *StreamExecutionEnvironment) { people(e).SortPartitionByPosition(1, Ascending) }, "InvalidProgram: SortPartitionByPosition: dataflow_test.hidden is not a tuple"},
		{"an unknown field", func(e *StreamExecutionEnvironment) { people(e).SortPartitionByField("nme", Ascending) }, `InvalidProgram: SortPartitionByField: dataflow_test.hidden has no field "nme"`},
		{"a field that is not exported", func(e *StreamExecutionEnvironment) { people(e).SortPartitionByField("age", Ascending) }, "InvalidProgram: SortPartitionByField: field age of dataflow_test.hidden is not exported"},
		{"a field without order", func(e *StreamExecutionEnvironment) { people(e).SortPartitionByField("At.Zip", Ascending) }, "InvalidProgram: SortPartitionByField: []int has no order"},
		{"a key without order", func(e *StreamExecutionEnvironment) {
			stream(e).SortPartition(func(keyInt) []int { return nil }, Ascending)
		}, "InvalidProgram: SortPartition: []int has no order"},
		{"no key selector", func(e *StreamExecutionEnvironment) { stream(e).SortPartition[int](nil, Ascending) }, "NullPointer: SortPartition: "},
		{"no function", func(e *StreamExecutionEnvironment) { stream(e).Reduce(nil) }, "NullPointer: Reduce: "},
		{"no memory", func(e *StreamExecutionEnvironment) { e.Configure(WithSortPartitionMemory(0)) }, "IllegalArgument: WithSortPartitionMemory: the memory must be positive, got 0 bytes"},
		{"a rich aggregate on keys", func(e *StreamExecutionEnvironment) {
			e.FromElements(pairs("a", 1)...).KeyBy(first).FullWindowPartition().Aggregate(richMinus{hundredMinus{t}})
		}, "UnsupportedOperation: Aggregate: "},
	}
	for _, tt := range tests {
		env := NewEnv()
		tt.build(env)
		if err := env.Err(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

type richMinus struct{ hundredMinus }

func (richMinus) Open(*RuntimeContext) error { return nil }

func TestFailuresInPartitions(t *testing.T) {
	wrong := errors.New("wrong")
	for name, env := range environments(1) {
		tests := map[string]func() *SingleOutputStreamOperator[int]{
			"an error of MapPartition": func() *SingleOutputStreamOperator[int] {
				return env.FromElements(1, 2, 3).FullWindowPartition().MapPartitionE(func(vs iter.Seq[int], _ Collector[int]) error {
					for range vs {
						return wrong
					}
					return nil
				})
			},
			"a panic of MapPartition": func() *SingleOutputStreamOperator[int] {
				return env.FromElements(1, 2, 3).FullWindowPartition().MapPartitionE(func(vs iter.Seq[int], _ Collector[int]) error { panic(wrong) })
			},
			"an error of a keyed MapPartition": func() *SingleOutputStreamOperator[int] {
				return env.FromElements(1, 2, 3).KeyBy(func(v int) int { return v }).FullWindowPartition().MapPartitionE(
					func(iter.Seq[int], Collector[int]) error { return wrong })
			},
			"nil as a field of a tuple": func() *SingleOutputStreamOperator[int] {
				in := env.FromElements(Tuple2[*int, int]{})
				return in.FullWindowPartition().SortPartitionByPosition(1, Ascending).Map(func(v Tuple2[*int, int]) int { return v.F1 })
			},
		}
		for what, build := range tests {
			it, err := build().ExecuteAndCollect(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = it.Next(context.Background())
			if err == nil || !errors.Is(err, wrong) && !strings.Contains(err.Error(), "NullField") {
				t.Errorf("%s, %s: got %v", name, what, err)
			}
		}
	}
}

func TestACancelledJobEndsAMapPartitionFunction(t *testing.T) {
	for name, env := range environments(1) {
		ctx, cancel := context.WithCancel(context.Background())
		returned := make(chan bool, 1)
		env.FromSequence(0, 1<<40).FullWindowPartition().MapPartitionE(func(vs iter.Seq[int64], out Collector[int64]) error {
			defer func() { returned <- true }()
			for v := range vs {
				if v == 1000 {
					cancel() // the records come while the input still arrives
				}
			}
			t.Error(name + ": the values ended although the job was cancelled")
			return nil
		})
		if _, err := env.Execute(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
		<-returned
	}
}

func TestASortThatDoesNotFitIsDoneOnDisk(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithSortPartitionMemory(1), WithSortKeyedPartitionMemory(1))
	n := int64(60000)
	in := env.FromSequence(1, n).Map(func(v int64) keyInt { return keyInt{F0: fmt.Sprint("key", v%3), F1: int(v * 7919 % n)} })
	last, count := -1, 0
	for _, v := range collect(t, in.FullWindowPartition().SortPartition(func(v keyInt) int { return v.F1 }, Ascending)) {
		if count++; v.F1 < last {
			t.Fatalf("%d comes after %d", v.F1, last)
		}
		last = v.F1
	}
	if count != int(n) {
		t.Errorf("got %d records, want %d", count, n)
	}
	sums := collect(t, in.KeyBy(first).FullWindowPartition().Reduce(sumPairs))
	total := 0
	for _, v := range sums {
		total += v.F1
	}
	if len(sums) != 3 || total != int(n*(n-1)/2) {
		t.Errorf("got %v, which is %d in total; want %d", sums, total, n*(n-1)/2)
	}
}

func TestPartitionsOfErasedRecordsAreSortedByTheirFields(t *testing.T) {
	env := NewEnv(WithParallelism(1))
	in := env.FromElements[any](keyInt{F0: "b", F1: 2}, keyInt{F0: "a", F1: 3}, keyInt{F0: "c", F1: 1}).Returns(TypeOf[keyInt]())
	w := in.FullWindowPartition()
	same(t, collect(t, w.SortPartitionByPosition(1, Ascending)), []any{keyInt{F0: "a", F1: 3}, keyInt{F0: "b", F1: 2}, keyInt{F0: "c", F1: 1}})
	same(t, collect(t, w.SortPartitionByField("f1", Ascending)), []any{keyInt{F0: "c", F1: 1}, keyInt{F0: "b", F1: 2}, keyInt{F0: "a", F1: 3}})
	same(t, collect(t, w.SortPartition(func(v any) any { return v.(keyInt).F0 }, Descending, KeyType(TypeOf[string]()))),
		[]any{keyInt{F0: "c", F1: 1}, keyInt{F0: "b", F1: 2}, keyInt{F0: "a", F1: 3}})
	keyed := in.KeyBy(func(v any) any { return v.(keyInt).F0 }, KeyType(TypeOf[string]())).FullWindowPartition()
	sameUnordered(t, collect(t, keyed.Reduce(func(a, b any) any { return a })), []any{keyInt{F0: "c", F1: 1}, keyInt{F0: "b", F1: 2}, keyInt{F0: "a", F1: 3}})
}
