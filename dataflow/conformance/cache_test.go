package conformance

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	df "flinkish/dataflow"
)

// fileOf is a file with a line for each text; the caller removes the folder.
func fileOf(t *T, lines []string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		t.Fatalf("%v", err)
	}
	path = filepath.Join(dir, "file")
	rewrite(t, path, lines)
	return path, func() { os.RemoveAll(dir) }
}

func rewrite(t *T, path string, lines []string) {
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatalf("%v", err)
	}
}

// incremented is the stream of a file's numbers, one more each; every call is counted.
func incremented(env *df.StreamExecutionEnvironment, path string, calls *int) *df.CachedDataStream[int] {
	return env.ReadTextFile(path).MapE(func(s string) (int, error) {
		*calls++
		n, err := strconv.Atoi(s)
		return n + 1, err
	}).Cache()
}

var _ = register(map[string]Func{
	"CA-produce-consume": func(t *T) {
		path, remove := fileOf(t, AllAs[string](t.Input))
		defer remove()
		calls := 0
		c := incremented(t.Env(), path, &calls)
		t.Compare(Records(Collect(t, c)), "job1")
		t.Compare(Records(Collect(t, c)), "job2")
		t.Equal(calls, t.Expect.At("map_calls_total"))
	},
	"CA-invalidate": func(t *T) {
		path, remove := fileOf(t, AllAs[string](t.Input.At("before")))
		defer remove()
		c := incremented(t.Env(), path, new(int))
		t.Compare(Records(Collect(t, c)), "job1")
		if err := c.Invalidate(context.Background()); err != nil {
			t.Fatalf("%v", err)
		}
		rewrite(t, path, AllAs[string](t.Input.At("after")))
		t.Compare(Records(Collect(t, c)), "job2")
	},
	"CA-batch-produce-stream-consume": func(t *T) {
		env, calls := t.Env().SetRuntimeMode(df.Batch), 0
		c := env.FromElements(AllAs[int](t.Input)...).Map(func(v int) int { calls++; return v + 1 }).Cache()
		t.Compare(Records(Collect(t, c)), "job1")
		produced := calls
		env.SetRuntimeMode(df.Streaming)
		t.Compare(Records(Collect(t, c.Map(func(v int) int { return v + 1 }))), "job2")
		if calls != produced {
			t.Errorf("the second job computed the records again")
		}
	},
	"CA-side-output": func(t *T) {
		tag, calls := df.NewOutputTag[int]("side"), 0
		split := t.Env().FromElements(AllAs[pair](t.Input)...).ProcessFunc(func(v pair, ctx *df.ProcessContext, out df.Collector[int]) {
			calls++
			if v.F0 == 2 {
				ctx.Output(tag, v.F1)
			} else {
				out.Collect(v.F1)
			}
		})
		c := split.GetSideOutput(tag).Cache()
		t.Compare(Records(Collect(t, c)), "job1")
		produced := calls
		t.Compare(Records(Collect(t, c)), "job2")
		if calls != produced {
			t.Errorf("the second job computed the records again")
		}
	},
	"CA-not-physical": func(t *T) {
		can := func(s any) bool { return anyMethod(reflect.TypeOf(s), "Cache") }
		s := t.Env().FromElements(1)
		virtual := can(s.Union()) || can(s.Rebalance()) || can(s.KeyBy(sameNumber))
		t.compiles(virtual || !can(s.Map(sameNumber)) || !can(s.Map(sameNumber).GetSideOutput(df.NewOutputTag[int]("side"))))
	},
})
