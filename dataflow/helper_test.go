package dataflow_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	. "flinkish/dataflow"
)

// environments yields an environment of each scheduler.
func environments(parallelism int, opts ...EnvOption) iter.Seq2[string, *StreamExecutionEnvironment] {
	return func(yield func(string, *StreamExecutionEnvironment) bool) {
		opts = append(opts, WithParallelism(parallelism))
		_ = yield("parallel", NewEnv(opts...)) && yield("deterministic", NewEnv(append(opts, WithDeterministic(1))...))
	}
}

// all reads an iterator to its end.
func all[T any](t *testing.T, it *CloseableIterator[T]) (vs []T) {
	t.Helper()
	for v, err := range it.All() {
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	return vs
}

// same compares two lists by their texts.
func same[T any](t *testing.T, got, want []T) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

// sameUnordered compares two lists as multisets.
func sameUnordered[T any](t *testing.T, got, want []T) {
	t.Helper()
	texts := func(vs []T) (s []string) {
		for _, v := range vs {
			s = append(s, fmt.Sprint(v))
		}
		slices.Sort(s)
		return s
	}
	same(t, texts(got), texts(want))
}
