package conformance

import (
	"reflect"
	"slices"
	"strconv"

	df "flinkish/dataflow"
)

// sourceOf is a bounded source; one without records is made by a filter.
func sourceOf(env *df.StreamExecutionEnvironment, vs []int) df.Stream[int] {
	if len(vs) == 0 {
		return env.FromData(0).Filter(func(int) bool { return false })
	}
	return env.FromData(vs...)
}

// latest stores what comes on the first input, and emits it for what comes on the second.
type latest struct{ last df.ValueState[int] }

func (l *latest) Open(ctx *df.RuntimeContext) error {
	l.last = ctx.State(df.NewValueStateDescriptor[int]("last"))
	return nil
}

func (l *latest) ProcessElement1(v kv, _ *df.KeyedContext[string], _ df.Collector[df.Tuple3[string, int, *int]]) error {
	l.last.Update(v.F1)
	return nil
}

func (l *latest) ProcessElement2(v kv, _ *df.KeyedContext[string], out df.Collector[df.Tuple3[string, int, *int]]) error {
	out.Collect(df.Tuple3[string, int, *int]{F0: v.F0, F1: v.F1, F2: orNil(l.last.Get())})
	return nil
}

// compiles demands that a program of the case does not compile: ok says whether it would.
func (t *T) compiles(ok bool) {
	kind, when := "type", compiler
	if ok {
		kind, when = "", AtNever
	}
	t.Equal(kind, t.Expect.At("error"))
	t.Equal(string(when), t.Expect.At("when"))
}

var _ = register(map[string]Func{
	"CU-union-multiset": func(t *T) {
		env := t.Env()
		var all []df.Stream[int]
		for _, k := range t.Input.Keys() {
			all = append(all, sourceOf(env, AllAs[int](t.Input.At(k))))
		}
		got := Collect(t, streamOf(all[0]).Union(all[1:]...))
		t.Compare(Records(got), "output")
		kept := true
		for _, k := range t.Input.Keys() {
			left := got
			for _, v := range AllAs[int](t.Input.At(k)) {
				i := slices.Index(left, v)
				kept = kept && i >= 0
				left = left[i+1:]
			}
		}
		t.Equal(kept, t.Expect.At("order_within_each_input"))
	},
	"CU-union-self": func(t *T) {
		s := t.Env().FromData(AllAs[int](t.Input)...)
		t.Compare(Records(Collect(t, s.Union(s))), "output")
	},
	"CU-union-type-mismatch": func(t *T) {
		t.compiles(reflect.TypeFor[*df.DataStream[string]]().Implements(reflect.TypeFor[df.Stream[int]]()))
	},
	"CU-coflatmap": func(t *T) {
		env := t.Env()
		out := env.FromData("").Connect(env.FromData(0)).FlatMap(
			func(v string, out df.Collector[string]) {
				for _, r := range v {
					out.Collect(string(r))
				}
			},
			func(v int, out df.Collector[string]) {
				if v%2 == 1 {
					out.Collect(strconv.Itoa(v))
					out.Collect(strconv.Itoa(v + 1))
				}
			})
		op := t.Operator(out).Feed(t.Input)
		t.noError(op)
		t.Compare(op.Out, "output")
	},
	"CU-keyed-connect-shared-state": func(t *T) {
		env := t.Env()
		out := env.FromData(kv{}).Connect(env.FromData(kv{})).KeyBy(keyOf, keyOf).ProcessKeyed(&latest{})
		op := t.Operator(out).Feed(t.Input)
		t.noError(op)
		t.Compare(op.Out, "output")
	},
	"CU-self-connection": func(t *T) {
		src := t.Env().FromData(AllAs[int](t.Input)...)
		s := src.Map(func(v int) string { return "x " + strconv.Itoa(v) })
		out := src.Connect(s).Map(func(v int) string { return strconv.Itoa(v + 1) }, func(v string) string { return v })
		t.Compare(Records(Collect(t, out)), "output")
	},
	"CU-iterate-countdown": func(t *T) {
		passes := 0
		it := t.Env().FromData(AllAs[int](t.Input)...).Iterate(df.MaxWait(1000 * ms))
		down := it.Map(func(v int) int { passes++; return v - 1 })
		it.CloseWith(down.Filter(func(v int) bool { return v > 0 }))
		t.Compare(Records(Collect(t, down.Filter(func(v int) bool { return v <= 0 }))), "output")
		t.Equal(passes, t.Expect.At("loop_passes"))
	},
	"CU-iterate-empty": looped(func(s *df.SingleOutputStreamOperator[int]) { s.Iterate().Map(same[int]).Print() }),
	"CU-iterate-parallelism": looped(func(s *df.SingleOutputStreamOperator[int]) {
		it := s.Iterate()
		it.CloseWith(it.Map(same[int]).SetParallelism(2))
	}),
	"CU-iterate-foreign-feedback": looped(func(s *df.SingleOutputStreamOperator[int]) {
		one, two := s.Iterate(), s.Iterate()
		two.CloseWith(one.Map(same[int]))
	}),
	"CU-iterate-batch": looped(func(s *df.SingleOutputStreamOperator[int]) {
		it := s.Iterate()
		it.CloseWith(it.Map(same[int]))
	}),
})

// looped demands the error of a program with iterations over a stream of the environment's parallelism.
func looped(build func(s *df.SingleOutputStreamOperator[int])) Func {
	return func(t *T) {
		t.Fails(func(env *df.StreamExecutionEnvironment) { build(env.FromData(AllAs[int](t.Input)...).Map(same[int])) })
	}
}
