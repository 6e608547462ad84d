package conformance

import (
	"context"
	"math"
	"strconv"

	df "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// rest reads an iterator to its end.
func rest[X any](t *T, it *df.CloseableIterator[X]) []X {
	var all []X
	for v, err := range it.All() {
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		all = append(all, v)
	}
	return all
}

func numbersOf(t *T, env *df.StreamExecutionEnvironment) *df.DataStreamSource[int] {
	return env.FromElements(AllAs[int](t.Input)...)
}

var _ = register(map[string]Func{
	"CO-execute-and-collect": func(t *T) {
		it, err := numbersOf(t, t.Env()).ExecuteAndCollect(context.Background())
		if err != nil {
			t.Fatalf("submit: %v", err)
		}
		t.Compare(Records(rest(t, it)), "output")
		var more []bool
		for range t.Expect.At("has_next_after_end").List() {
			_, ok, err := it.Next(context.Background())
			if err != nil {
				t.Errorf("after the end: %v", err)
			}
			more = append(more, ok)
		}
		t.Equal(more, t.Expect.At("has_next_after_end"))
	},
	"CO-limit-less": func(t *T) {
		for _, limit := range t.Expect.At("sizes").Keys() {
			n, err := strconv.Atoi(limit)
			if err != nil {
				t.Fatalf("%v", err)
			}
			got, err := numbersOf(t, t.Env()).ExecuteAndCollectLimit(context.Background(), n)
			if err != nil {
				t.Fatalf("limit %d: %v", n, err)
			}
			t.Equal(len(got), t.Expect.At("sizes").At(limit))
			if want := t.Expect.At("values_limit_" + limit); want.Exists() {
				t.Equal(got, want)
			}
		}
	},
	"CO-limit-invalid": func(t *T) {
		env, jobs := t.Env(), 0
		env.OnJob(func(job.Job) { jobs++ })
		for _, n := range AllAs[int](t.Input) {
			when := AtNever
			_, err := env.FromElements(1).ExecuteAndCollectLimit(context.Background(), n)
			switch {
			case err != nil && jobs == 0:
				when = AtCall
			case err != nil:
				when = AtRun
			}
			t.Equal(kindOf(err), t.Expect.At("error"))
			t.Equal(string(when), t.Expect.At("when"))
		}
		t.Equal(jobs, t.Expect.At("jobs"))
	},
	"CO-collect-async": func(t *T) {
		env := t.Env()
		in := numbersOf(t, env)
		one := in.CollectAsync()
		two := in.Filter(func(v int) bool { return v%2 == 0 }).CollectAsync()
		if _, err := env.ExecuteAsync(context.Background()); err != nil {
			t.Fatalf("submit: %v", err)
		}
		t.Compare(Records(rest(t, one)), "it1")
		t.Compare(Records(rest(t, two)), "it2")
	},
	"CO-close-cancels": func(t *T) {
		env := t.Env()
		var started job.Job
		env.OnJob(func(j job.Job) { started = j })
		it, err := env.FromSequence(0, math.MaxInt64).ExecuteAndCollect(context.Background())
		if err != nil {
			t.Fatalf("submit: %v", err)
		}
		var got []int64
		for range As[int](t.Input.At("read")) {
			v, _, err := it.Next(context.Background())
			if err != nil {
				t.Fatalf("run: %v", err)
			}
			got = append(got, v)
		}
		t.Compare(Records(got), "output")
		if err := it.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if err := started.Wait(context.Background()); err != nil {
			t.Errorf("wait: %v", err)
		}
		t.Equal(string(started.Status()), t.Expect.At("job_status"))
	},
	"CO-parallel-multiset": func(t *T) {
		from, to := t.Input.At("from").Int(), t.Input.At("to").Int()
		it, err := t.Env().FromSequence(from, to).Map(func(v int64) int64 { return v }).ExecuteAndCollect(context.Background())
		if err != nil {
			t.Fatalf("submit: %v", err)
		}
		t.Compare(Records(rest(t, it)), "output")
	},
})
