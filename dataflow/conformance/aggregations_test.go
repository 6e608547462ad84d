package conformance

import df "flinkish/dataflow"

type (
	pair   = df.Tuple2[int, int]
	triple = df.Tuple3[int, int, int]
	tagged = df.Tuple3[int, int, string]
)

func key2(v pair) int   { return v.F0 }
func key3(v triple) int { return v.F0 }
func keyT(v tagged) int { return v.F0 }

// rolling runs the input of the case through an aggregation and compares every result.
func rolling[X any](t *T, f func(s *df.DataStreamSource[X]) *df.SingleOutputStreamOperator[X]) {
	t.Compare(Records(Collect(t, f(t.Env().FromData(AllAs[X](t.Input)...)))), "output")
}

var _ = register(map[string]Func{
	"AG-sum-rolling": func(t *T) {
		rolling(t, func(s *df.DataStreamSource[pair]) *df.SingleOutputStreamOperator[pair] { return s.KeyBy(key2).Sum(1) })
	},
})
