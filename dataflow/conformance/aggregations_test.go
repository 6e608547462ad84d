package conformance

import df "flinkish/dataflow"

type (
	pair   = df.Tuple2[int, int]
	triple = df.Tuple3[int, int, int]
	tagged = df.Tuple3[int, int, string]
	word   = df.Tuple3[string, int, string]
)

// counts is a record with named fields.
type counts struct{ F0, F1 int }

// aggregated runs the input of the case, keyed by the first field, through an aggregation and compares every result.
func aggregated[X any](t *T, key func(X) int, key2 string, f func(k *df.KeyedStream[X, int]) *df.SingleOutputStreamOperator[X]) {
	in := t.Env().FromData(AllAs[X](t.Input)...)
	t.Compare(Records(Collect(t, f(in.KeyBy(key)))), key2)
}

func firstOfPair(v pair) int     { return v.F0 }
func firstOfTriple(v triple) int { return v.F0 }
func firstOfTagged(v tagged) int { return v.F0 }

// rolling is a case with pairs.
func rolling(f func(k *df.KeyedStream[pair, int]) *df.SingleOutputStreamOperator[pair]) Func {
	return func(t *T) { aggregated(t, firstOfPair, "output", f) }
}

var _ = register(map[string]Func{
	"AG-sum-rolling": rolling(func(k *df.KeyedStream[pair, int]) *df.SingleOutputStreamOperator[pair] { return k.Sum(1) }),
	"AG-min-rolling": rolling(func(k *df.KeyedStream[pair, int]) *df.SingleOutputStreamOperator[pair] { return k.Min(1) }),
	"AG-max-rolling": rolling(func(k *df.KeyedStream[pair, int]) *df.SingleOutputStreamOperator[pair] { return k.Max(1) }),
	"AG-maxby-first": func(t *T) {
		aggregated(t, firstOfTriple, "output", func(k *df.KeyedStream[triple, int]) *df.SingleOutputStreamOperator[triple] {
			return k.MaxBy(1, df.First(true))
		})
	},
	"AG-minby-first": func(t *T) {
		aggregated(t, firstOfTriple, "output", func(k *df.KeyedStream[triple, int]) *df.SingleOutputStreamOperator[triple] {
			return k.MinBy(1, df.First(true))
		})
	},
	"AG-min-keeps-other-fields": func(t *T) {
		aggregated(t, firstOfTagged, "min", func(k *df.KeyedStream[tagged, int]) *df.SingleOutputStreamOperator[tagged] { return k.Min(1) })
		aggregated(t, firstOfTagged, "minBy", func(k *df.KeyedStream[tagged, int]) *df.SingleOutputStreamOperator[tagged] { return k.MinBy(1) })
	},
	"AG-sum-keeps-other-fields": func(t *T) {
		aggregated(t, firstOfTagged, "output", func(k *df.KeyedStream[tagged, int]) *df.SingleOutputStreamOperator[tagged] { return k.Sum(1) })
	},
	"AG-pojo-field": func(t *T) {
		in := t.Env().FromData(AllAs[counts](t.Input)...)
		t.Compare(Records(Collect(t, in.KeyByFields("F0").SumField("F1"))), "output")
	},
	"AG-windowed-max-maxby": func(t *T) {
		for name, f := range map[string]func(w *df.WindowedStream[word, string, df.GlobalWindow]) *df.SingleOutputStreamOperator[word]{
			"max": func(w *df.WindowedStream[word, string, df.GlobalWindow]) *df.SingleOutputStreamOperator[word] {
				return w.Max(1)
			},
			"maxBy": func(w *df.WindowedStream[word, string, df.GlobalWindow]) *df.SingleOutputStreamOperator[word] {
				return w.MaxBy(1)
			},
			"maxBy_last": func(w *df.WindowedStream[word, string, df.GlobalWindow]) *df.SingleOutputStreamOperator[word] {
				return w.MaxBy(1, df.First(false))
			},
		} {
			in := t.Env().FromData(AllAs[word](t.Input)...)
			w := in.KeyBy(func(v word) string { return v.F0 }).CountWindow(len(t.Input.List()))
			t.Compare(Records(Collect(t, f(w))), name)
		}
	},
	"AG-reduce-not-called-single": func(t *T) {
		calls := 0
		in := t.Env().FromData(AllAs[int](t.Input)...)
		out := in.KeyBy(func(v int) int { return v }).Reduce(func(a, b int) int { calls++; return a + b })
		t.Compare(Records(Collect(t, out)), "output")
		t.Equal(calls, t.Expect.At("reduce_calls"))
	},
})
