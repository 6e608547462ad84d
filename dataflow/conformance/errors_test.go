package conformance

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	df "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// More moments: the JobGraph is made of the graph, and Execute is called.
const (
	atJobGraph Moment = "job_graph"
	atExecute  Moment = "execute"
)

// outcome is what became of a program: "ok", or the kind of its error and when it came.
type outcome struct {
	kind string
	when Moment
	err  error
}

func tried(env *df.StreamExecutionEnvironment) outcome {
	if err := env.Err(); err != nil {
		return outcome{kindOf(err), AtCall, err}
	}
	if _, err := env.StreamGraph(); err != nil {
		return outcome{kindOf(err), AtGraph, err}
	}
	if _, err := env.JobGraph(); err != nil {
		return outcome{kindOf(err), atJobGraph, err}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := env.Execute(ctx); err != nil {
		return outcome{kindOfFailure(err), AtRun, err}
	}
	return outcome{kind: "ok", when: AtNever}
}

// kindOfFailure is the kind with which the cause of a job's failure begins.
func kindOfFailure(err error) string {
	var f *job.Failure
	if !errors.As(err, &f) {
		return kindOf(err)
	}
	kind, _, _ := strings.Cut(f.Cause.Error(), ":")
	return kind
}

// program is one way to make a mistake; s is a source of numbers.
type program func(env *df.StreamExecutionEnvironment, s *df.DataStreamSource[int])

func (t *T) try(p program) outcome {
	env := t.Env()
	s := env.FromElements(1, 2, 3)
	p(env, s)
	s.Print()
	return tried(env)
}

// outcomes compares what becomes of programs with the expectation under their names; all that fail do so at "when".
func (t *T) outcomes(expect Value, programs map[string]program) {
	for _, name := range expect.Keys() {
		if p := programs[name]; p != nil {
			got := t.try(p)
			t.Equal(got.kind, expect.At(name))
			if got.when != AtNever {
				t.Equal(string(got.when), expect.At("when"))
			}
		}
	}
}

// mistakes demands of each program the "error", with the words of "says", and "when" of the case.
func mistakes(programs ...program) Func {
	return func(t *T) {
		for _, p := range programs {
			got := t.try(p)
			t.Equal(got.kind, t.Expect.At("error"))
			t.Equal(string(got.when), t.Expect.At("when"))
			t.says(got.err)
		}
	}
}

func (t *T) says(err error) {
	if v := t.Expect.At("says"); v.Exists() && (err == nil || !strings.Contains(err.Error(), v.Text())) {
		t.Errorf("got %v, which does not say %q", err, v.Text())
	}
}

// refusedByTypes compares with an expectation that a program does not compile.
func (t *T) refusedByTypes(expect Value, refused bool) {
	kind, when := "type", compiler
	if !refused {
		kind, when = "", AtNever
	}
	t.Equal(kind, expect.At("error"))
	t.Equal(string(when), expect.At("when"))
}

// forEach makes a program of each number, by its text.
func forEach(numbers []string, p func(env *df.StreamExecutionEnvironment, s *df.DataStreamSource[int], n int)) map[string]program {
	all := map[string]program{}
	for _, text := range numbers {
		if n, err := strconv.Atoi(text); err == nil {
			all[text] = func(env *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) { p(env, s, n) }
		}
	}
	return all
}

func sameNumber(v int) int { return v }

// keyedAs keys by values of the type X.
func keyedAs[X any](x X) program {
	return func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
		s.KeyBy(func(int) any { return x }, df.KeyType(df.TypeOf[X]())).Map(sameNumber).Print()
	}
}

// color is what Go has instead of an enum.
type color int

const red color = 1

// plainPOJO is a record type with an array, hashedPOJO has a hash of its contents besides.
type plainPOJO struct{ ID [2]int }

type hashedPOJO struct{ ID [2]int }

func (p hashedPOJO) HashCode() int32 { return int32(p.ID[0]*31 + p.ID[1]) }

// richSum is an aggregate function with a life cycle.
type richSum struct{}

func (richSum) Open(*df.RuntimeContext) error { return nil }
func (richSum) CreateAccumulator() int        { return 0 }
func (richSum) Add(v, acc int) int            { return acc + v }
func (richSum) GetResult(acc int) int         { return acc }
func (richSum) Merge(a, b int) int            { return a + b }

// twoSides handles a broadcast stream beside one that is not keyed; twoSidesKeyed beside one that is.
type twoSides struct{}

func (twoSides) ProcessElement(int, *df.ReadOnlyBroadcastContext, df.Collector[int]) error {
	return nil
}
func (twoSides) ProcessBroadcastElement(int, *df.BroadcastContext, df.Collector[int]) error {
	return nil
}

type twoSidesKeyed struct{}

func (twoSidesKeyed) ProcessElement(int, *df.KeyedReadOnlyBroadcastContext[int], df.Collector[int]) error {
	return nil
}
func (twoSidesKeyed) ProcessBroadcastElement(int, *df.KeyedBroadcastContext[int], df.Collector[int]) error {
	return nil
}

// oneSource is an unbounded source that is not parallel.
type oneSource struct{}

func (oneSource) Run(ctx *df.SourceContext[int]) error {
	ctx.Collect(1)
	return nil
}

func ofSeconds(s *df.DataStreamSource[int]) *df.AllWindowedStream[int, df.TimeWindow] {
	return s.WindowAll(df.TumblingEventTime(time.Second))
}

var _ = register(map[string]Func{
	"ER-empty-job": func(t *T) {
		env, when := t.Env(), AtCall
		err := env.Err()
		if err == nil {
			when = atExecute
			_, err = env.Execute(context.Background())
		}
		t.Equal(kindOf(err), t.Expect.At("error"))
		t.Equal(string(when), t.Expect.At("when"))
		t.says(err)
	},
	"ER-parallelism-zero": func(t *T) {
		for _, n := range AllAs[int](t.Input.At("operator")) {
			mistakes(func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
				s.Map(sameNumber).SetParallelism(n)
			})(t)
		}
		for _, n := range AllAs[int](t.Input.At("environment")) {
			mistakes(func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) { env.SetParallelism(n) })(t)
		}
	},
	"ER-max-parallelism-bounds": func(t *T) {
		t.outcomes(t.Expect, forEach(t.Expect.Keys(), func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int], n int) {
			s.Map(sameNumber).SetMaxParallelism(n).Print()
		}))
		t.outcomes(t.Expect, forEach(t.Expect.Keys(), func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int], n int) {
			env.SetMaxParallelism(n)
		}))
	},
	"ER-non-parallel-source": func(t *T) {
		t.outcomes(t.Expect, map[string]program{
			"parallelism_2":     func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) { s.SetParallelism(2) },
			"max_parallelism_2": func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) { s.SetMaxParallelism(2) },
		})
		t.outcomes(t.Expect, map[string]program{
			"parallelism_2": func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) {
				env.AddSource(oneSource{}).SetParallelism(2)
			},
			"max_parallelism_2": func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) {
				env.AddSource(oneSource{}).SetMaxParallelism(2).Print()
			},
		})
	},
	"ER-windowall-parallelism": func(t *T) {
		t.outcomes(t.Expect, forEach(t.Expect.Keys(), func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int], n int) {
			s.CountWindowAll(1).Reduce(func(a, b int) int { return a + b }).SetParallelism(n).Print()
		}))
	},
	"ER-forward-parallelism-change": mistakes(func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
		s.Map(sameNumber).SetParallelism(2).Forward().Map(sameNumber).SetParallelism(4).Print()
	}),
	"ER-side-output-type-clash": mistakes(func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
		texts, numbers := df.NewOutputTag[string]("side"), df.NewOutputTag[int]("side")
		p := s.ProcessFunc(func(v int, ctx *df.ProcessContext, _ df.Collector[int]) {
			ctx.Output(texts, strconv.Itoa(v))
			ctx.Output(numbers, v)
		})
		p.GetSideOutput(texts)
		p.GetSideOutput(numbers)
	}),
	"ER-side-output-unknown-tag": func(t *T) {
		env := t.Env()
		p := env.FromElements(1, 2, 3).ProcessFunc(func(v int, ctx *df.ProcessContext, _ df.Collector[int]) {
			ctx.Output(df.NewOutputTag[int]("other-side"), v)
		})
		got := Collect(t, p.GetSideOutput(df.NewOutputTag[int]("side")))
		t.Compare(Records(got), "output")
		t.Equal(env.Err(), t.Expect.At("error"))
	},
	"ER-duplicate-uid": mistakes(func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
		s.UID("source").Map(sameNumber).UID("source").Print()
	}),
	"ER-array-key": mistakes(keyedAs([1]int{}), keyedAs([1]string{}), keyedAs([1]any{})),
	"ER-enum-key":  mistakes(keyedAs(red)),
	"ER-no-hashcode-key": func(t *T) {
		t.outcomes(t.Expect, map[string]program{"without_hash": keyedAs(plainPOJO{}), "with_hash": keyedAs(hashedPOJO{})})
	},
	"ER-key-position": func(t *T) {
		two := func(env *df.StreamExecutionEnvironment) *df.DataStreamSource[kv] {
			return env.FromElements(kv{F0: "a", F1: 1})
		}
		t.outcomes(t.Expect, map[string]program{
			"non_tuple": func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) {
				env.FromElements("a").KeyByPositions(0)
			},
			"position_5":  func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) { two(env).KeyByPositions(5) },
			"position_-1": func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) { two(env).KeyByPositions(-1) },
		})
	},
	"ER-null-key": func(t *T) {
		for p := t.Parallelism; p <= 2; p++ {
			mistakes(func(env *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
				keys := t.Input.List()
				s.KeyBy(func(v int) any { return keys[v-1].Plain() }).Map(sameNumber).SetParallelism(p).Print()
			})(t)
		}
	},
	"ER-broadcast-process-kind": func(t *T) {
		side := func(env *df.StreamExecutionEnvironment) *df.BroadcastStream[int] {
			return env.FromElements(1).BroadcastWithState(df.NewMapStateDescriptor[string, int]("rules"))
		}
		t.outcomes(t.Expect, map[string]program{
			"keyed": func(env *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
				s.KeyBy(sameNumber).ConnectBroadcast(side(env)).Process(twoSides{})
			},
			"non_keyed": func(env *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
				s.ConnectBroadcast(side(env)).ProcessKeyed(twoSidesKeyed{})
			},
		})
	},
	"ER-rich-reduce-in-window": func(t *T) {
		t.outcomes(t.Expect, map[string]program{"aggregate": func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
			ofSeconds(s).Aggregate(richSum{})
		}})
		t.outcomes(t.Expect, map[string]program{"aggregate": func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
			s.KeyBy(sameNumber).Window(df.TumblingEventTime(time.Second)).Aggregate(richSum{})
		}})
		for _, w := range []any{&df.AllWindowedStream[int, df.TimeWindow]{}, &df.WindowedStream[int, int, df.TimeWindow]{}} {
			m, _ := reflect.TypeOf(w).MethodByName("Reduce")
			_, rich := reflect.TypeOf(w).MethodByName("ReduceRich")
			plain := !rich && m.Type != nil && m.Type.In(1).Kind() == reflect.Func
			t.refusedByTypes(t.Expect.At("reduce"), plain)
		}
	},
	"ER-negative-lateness": func(t *T) {
		for _, n := range AllAs[int](t.Input) {
			mistakes(func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
				ofSeconds(s).AllowedLateness(time.Duration(n) * time.Millisecond)
			}, func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
				s.KeyBy(sameNumber).Window(df.TumblingEventTime(time.Second)).AllowedLateness(time.Duration(n) * time.Millisecond)
			})(t)
		}
	},
	"ER-batch-unbounded": mistakes(func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) {
		env.AddSource(oneSource{}).Print()
	}),
	"ER-project-ok": func(t *T) {
		in := t.Env().FromData(AllAs[df.Tuple5[string, string, string, string, string]](t.Input)...)
		t.Compare(Records(Collect(t, in.Project(4, 4, 3))), "output")
	},
	"ER-csv-non-tuple": mistakes(func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) {
		env.FromElements("a").WriteAsCsv("never-written")
	}),
	"ER-sequence-bounds": func(t *T) {
		n := t.Input.Ints()
		mistakes(func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) { env.FromSequence(n[0], n[1]) },
			func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int]) {
				env.GenerateSequence(n[0], n[1])
			})(t)
	},
	"ER-buffer-timeout": func(t *T) {
		of := t.Expect.At("environment")
		t.outcomes(of, forEach(of.Keys(), func(env *df.StreamExecutionEnvironment, _ *df.DataStreamSource[int], n int) {
			env.SetBufferTimeout(time.Duration(n) * time.Millisecond)
		}))
		of = t.Expect.At("operator")
		t.outcomes(of, forEach(of.Keys(), func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int], n int) {
			s.Map(sameNumber).SetBufferTimeout(time.Duration(n) * time.Millisecond).Print()
		}))
	},
	"ER-user-error-cause": func(t *T) {
		boom := errors.New("boom")
		bad := As[int](t.Input.At("fails_on"))
		env := t.Env()
		var status job.Job
		env.OnJob(func(j job.Job) { status = j })
		env.FromElements(AllAs[int](t.Input.At("elements"))...).MapE(func(v int) (int, error) {
			if v == bad {
				return 0, boom
			}
			return v, nil
		}).Print()
		got := tried(env)
		if f := (*job.Failure)(nil); errors.As(got.err, &f) {
			got.kind = "JobExecution"
		}
		t.Equal(got.kind, t.Expect.At("error"))
		t.Equal(string(got.when), t.Expect.At("when"))
		root := got.err
		for errors.Unwrap(root) != nil {
			root = errors.Unwrap(root)
		}
		t.Equal(root.Error(), t.Expect.At("root_cause"))
		if root != boom {
			t.Errorf("the root cause is a copy of the user's error")
		}
		t.Equal(string(status.Status()), t.Expect.At("job_status"))
	},
	"ER-late-side-output-null-tag": mistakes(func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
		ofSeconds(s).SideOutputLateData(df.OutputTag[int]{})
	}, func(_ *df.StreamExecutionEnvironment, s *df.DataStreamSource[int]) {
		s.KeyBy(sameNumber).Window(df.TumblingEventTime(time.Second)).SideOutputLateData(df.OutputTag[int]{})
	}),
})
