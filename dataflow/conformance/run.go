package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"flinkish/dataflow"
	"flinkish/dataflow/graph"
)

// Func runs one case: it builds the pipeline and compares. It must take input and expectation from t.
type Func func(t *T)

// registry holds the functions by case id. The files of the topics fill it while the package starts.
var registry = map[string]Func{}

// register adds the functions of a topic.
func register(cases map[string]Func) bool {
	for id, f := range cases {
		if registry[id] != nil {
			panic("conformance: two functions for " + id)
		}
		registry[id] = f
	}
	return true
}

// T is what the function of a case works with.
type T struct {
	*Case
	errs []string
}

// run calls f for a case and returns what was wrong.
func run(c *Case, f Func) (errs []string) {
	t := &T{Case: c}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			t.errs = append(t.errs, r.msg)
		default:
			t.errs = append(t.errs, fmt.Sprintf("panic: %v\n%s", r, debug.Stack()))
		}
		errs = t.errs
	}()
	f(t)
	return t.errs
}

// Errorf says that the case fails.
func (t *T) Errorf(format string, args ...any) {
	t.errs = append(t.errs, fmt.Sprintf(format, args...))
}

// Fatalf says that the case fails, and ends it.
func (t *T) Fatalf(format string, args ...any) { panic(stop{fmt.Sprintf(format, args...)}) }

// Env is an environment with the parallelism and the mode of the case. Its jobs run one step at a time.
func (t *T) Env(opts ...dataflow.EnvOption) *dataflow.StreamExecutionEnvironment {
	all := []dataflow.EnvOption{dataflow.WithParallelism(max(1, t.Parallelism)), dataflow.WithDeterministic(1), dataflow.WithOutput(io.Discard, io.Discard)}
	env := dataflow.NewEnv(append(all, opts...)...)
	if t.Mode == "BATCH" {
		env.SetRuntimeMode(dataflow.Batch)
	}
	return env
}

// Equal compares one value with an expectation.
func (t *T) Equal(got any, want Value) {
	if g, w := textOf(plainOf(got)), textOf(want.Plain()); g != w {
		t.Errorf("%s: got %s, want %s", want.path, g, w)
	}
}

// Compare compares items with the list under key of the expectation. The flags beside it say how much of
// the order counts.
func (t *T) Compare(got []Item, key string) {
	if d := difference(got, t.Expect.At(key), orderOf(t.Expect)); d != "" {
		t.Errorf("%s", d)
	}
}

// CompareSet is Compare without regard to the order.
func (t *T) CompareSet(got []Item, want Value) {
	if d := difference(got, want, anyOrder); d != "" {
		t.Errorf("%s", d)
	}
}

// Moment is when an error appears.
type Moment string

// The moments, as they stand under "when".
const (
	AtCall   Moment = "call"  // of the builder
	AtGraph  Moment = "graph" // when the graph is generated
	AtRun    Moment = "run"   // while the job runs
	AtNever  Moment = "never"
	compiler Moment = "compile"
)

// kindOf is the kind of an error: of the GraphError in it, else empty.
func kindOf(err error) string {
	var g *graph.GraphError
	if errors.As(err, &g) {
		return g.Kind
	}
	return ""
}

// Failure runs a program that must fail, and says with which error and when. The environment is looked at
// after build, then the graph is generated, then the job runs.
func (t *T) Failure(build func(env *dataflow.StreamExecutionEnvironment)) (Moment, error) {
	env := t.Env()
	build(env)
	if err := env.Err(); err != nil {
		return AtCall, err
	}
	if _, err := env.JobGraph(); err != nil {
		return AtGraph, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := env.Execute(ctx); err != nil {
		return AtRun, err
	}
	return AtNever, nil
}

// Fails demands of each program the error and the moment of the case: its "error" and "when".
func (t *T) Fails(builds ...func(env *dataflow.StreamExecutionEnvironment)) {
	kind, when := t.Expect.At("error").Text(), t.Expect.At("when").Text()
	for i, b := range builds {
		m, err := t.Failure(b)
		if got := kindOf(err); got != kind || string(m) != when {
			t.Errorf("program %d: got %q at %s (%v), want %q at %s", i, got, m, err, kind, when)
		}
	}
}

// Collect runs the program of a stream and returns the stream's records.
func Collect[X any](t *T, s dataflow.Stream[X]) []X {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	it, err := streamOf(s).ExecuteAndCollect(ctx)
	if err != nil {
		t.Fatalf("submit: %v", err)
	}
	var all []X
	for v, err := range it.All() {
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		all = append(all, v)
	}
	return all
}

// streamOf is the DataStream in any handle.
func streamOf[X any](s dataflow.Stream[X]) *dataflow.DataStream[X] {
	return s.(interface {
		Union(others ...dataflow.Stream[X]) *dataflow.DataStream[X]
	}).Union()
}
