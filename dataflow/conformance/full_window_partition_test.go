package conformance

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	df "flinkish/dataflow"
)

// hundredMinus subtracts from 100; its accumulators are never merged.
type hundredMinus[X any] struct{ number func(X) int }

func (hundredMinus[X]) CreateAccumulator() int   { return 100 }
func (h hundredMinus[X]) Add(v X, acc int) int   { return acc - h.number(v) }
func (hundredMinus[X]) GetResult(acc int) string { return strconv.Itoa(acc) }
func (hundredMinus[X]) Merge(int, int) int       { panic("Merge was called") }

func countOf(v kv) int { return v.F1 }

// gathered is the input of the case, gathered for each key.
func gathered(t *T) *df.PartitionWindowedStream[kv] {
	return keyedRecords(t).FullWindowPartition()
}

func keyedRecords(t *T) *byKey { return t.Env().FromData(AllAs[kv](t.Input)...).KeyBy(keyOf) }

// dealt is the input of the case, dealt out to the subtasks in turn, and gathered in each.
func dealt[X any](t *T, env *df.StreamExecutionEnvironment) *df.PartitionWindowedStream[X] {
	return env.FromData(AllAs[X](t.Input)...).Map(func(v X) X { return v }).FullWindowPartition()
}

// joined writes all records of a partition as one text.
func joined[X any](values iter.Seq[X], out df.Collector[string]) {
	var b strings.Builder
	for v := range values {
		fmt.Fprint(&b, v)
	}
	out.Collect(b.String())
}

// runsOfKeys writes the numbers of neighbours with the same key, each followed by a blank.
func runsOfKeys(values iter.Seq[kv], out df.Collector[string]) {
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
}

func sumOf(a, b int) int { return a + b }

var _ = register(map[string]Func{
	"FW-keyed-map-partition": func(t *T) {
		in := t.Env().FromData(AllAs[named](t.Input)...)
		out := in.KeyBy(func(v named) string { return v.F0 }).FullWindowPartition().MapPartition(func(values iter.Seq[named], out df.Collector[string]) {
			s := ""
			for v := range values {
				s += v.F0 + v.F1
			}
			out.Collect(s)
		})
		t.Compare(Records(Collect(t, out)), "output")
	},
	"FW-keyed-reduce":    func(t *T) { t.Compare(Records(Collect(t, gathered(t).Reduce(add))), "output") },
	"FW-keyed-aggregate": func(t *T) { t.Compare(Records(Collect(t, gathered(t).Aggregate(hundredMinus[kv]{countOf}))), "output") },
	"FW-keyed-sort-desc": func(t *T) {
		sorted := gathered(t).SortPartitionByPosition(2, df.Descending)
		t.Compare(Records(Collect(t, sorted.FullWindowPartition().MapPartition(runsOfKeys))), "output")
	},
	"FW-keyed-sort-selector": func(t *T) {
		sorted := gathered(t).SortPartition(countOf, df.Ascending)
		t.Compare(Records(Collect(t, sorted.FullWindowPartition().MapPartition(runsOfKeys))), "output")
	},
	"FW-nonkeyed-map-partition": func(t *T) {
		t.Compare(Records(Collect(t, dealt[string](t, t.Env()).MapPartition(joined[string]))), "output")
	},
	"FW-nonkeyed-reduce": func(t *T) {
		t.Compare(Records(Collect(t, dealt[int](t, t.Env()).Reduce(sumOf))), "output")
	},
	"FW-nonkeyed-aggregate": func(t *T) {
		t.Compare(Records(Collect(t, dealt[int](t, t.Env()).Aggregate(hundredMinus[int]{sameNumber}))), "output")
	},
	"FW-nonkeyed-sort": func(t *T) {
		for key, o := range map[string]df.Order{"ASC": df.Ascending, "DESC": df.Descending} {
			var in []kv
			for _, n := range AllAs[int](t.Input) {
				in = append(in, kv{F0: "Test", F1: n})
			}
			sorted := t.Env().FromData(in...).Rebalance().Map(func(v kv) kv { return v }).FullWindowPartition().SortPartitionByPosition(2, o)
			out := sorted.FullWindowPartition().MapPartition(func(values iter.Seq[kv], out df.Collector[string]) {
				s := ""
				for v := range values {
					s += strconv.Itoa(v.F1)
				}
				out.Collect(s)
			})
			t.Compare(Records(Collect(t, out)), key)
		}
	},
	"FW-emit-only-at-end": func(t *T) {
		op := t.Operator(t.Env().FromData(0).FullWindowPartition().Reduce(sumOf)).Feed(t.Input)
		t.Compare(recordsIn(op.Out), "before_end")
		op.End()
		t.Compare(recordsIn(op.Out), "after_end")
		t.noError(op)
	},
	"FW-reduce-single-record": func(t *T) {
		calls := 0
		in := t.Env().FromData(AllAs[pair](t.Input)...).PartitionCustom(func(k, _ int) int { return k }, firstOfPair).Map(func(v pair) int { return v.F1 })
		out := in.FullWindowPartition().Reduce(func(a, b int) int { calls++; return a + b })
		t.Compare(Records(Collect(t, out)), "output")
		t.Equal(calls, t.Expect.At("reduce_calls"))
	},
	"FW-sort-negative-and-equal": func(t *T) {
		in := t.Env().FromData(AllAs[df.Tuple2[int, string]](t.Input)...)
		sorted := in.FullWindowPartition().SortPartitionByPosition(1, df.Ascending)
		t.Compare(Records(Collect(t, sorted.Map(func(v df.Tuple2[int, string]) int { return v.F0 }))), "output")
	},
	"FW-keyed-order-of-keys-free": func(t *T) {
		out := gathered(t).MapPartition(func(values iter.Seq[kv], out df.Collector[string]) {
			key, n := "", 0
			for v := range values {
				key = v.F0
				n++
			}
			out.Collect(key + strconv.Itoa(n))
		})
		t.Compare(Records(Collect(t, out)), "output")
	},
})

// recordsIn leaves watermarks and idleness out.
func recordsIn(items []Item) []Item {
	var all []Item
	for _, i := range items {
		if i.Kind == Record {
			all = append(all, i)
		}
	}
	return all
}
