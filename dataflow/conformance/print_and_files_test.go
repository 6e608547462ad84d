package conformance

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	df "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// printed runs a program that prints the input from the last subtask, and compares what stands in the outputs.
func printed(print func(s *df.DataStream[string])) Func {
	return func(t *T) {
		var out, errs bytes.Buffer
		env := t.Env(df.WithOutput(&out, &errs))
		last := func(_ string, n int) int { return n - 1 }
		print(env.FromElements(AllAs[string](t.Input)...).PartitionCustom(last, func(v string) string { return v }))
		if got := tried(env); got.err != nil {
			t.Fatalf("%v", got.err)
		}
		for _, key := range t.Expect.Keys() {
			t.Equal(map[string]string{"stdout": out.String(), "stderr": errs.String()}[key], t.Expect.At(key))
		}
	}
}

// inFolder runs f with the path of a file that does not exist.
func inFolder(t *T, f func(path string)) {
	path, remove := fileOf(t, nil)
	defer remove()
	if err := os.Remove(path); err != nil {
		t.Fatalf("%v", err)
	}
	f(path)
}

// written compares what a program wrote: path_is, the text of the file, and the names in the directory.
func written(write func(t *T, env *df.StreamExecutionEnvironment, path string)) Func {
	return func(t *T) {
		inFolder(t, func(path string) {
			env := t.Env()
			write(t, env, path)
			if got := tried(env); got.err != nil {
				t.Fatalf("%v", got.err)
			}
			is, text, files := "file", "", []string{}
			if info, err := os.Stat(path); err != nil {
				t.Fatalf("%v", err)
			} else if info.IsDir() {
				is = "directory"
				all, _ := os.ReadDir(path)
				for _, f := range all {
					files = append(files, f.Name())
				}
			} else {
				b, _ := os.ReadFile(path)
				text = string(b)
			}
			got := map[string]any{"path_is": is, "file": text, "files": files}
			for _, key := range t.Expect.Keys() {
				t.Equal(got[key], t.Expect.At(key))
			}
		})
	}
}

// overExisting writes to a file that exists: it is replaced, or the job fails because it exists, and when.
func overExisting(t *T, opts ...df.WriteOption) (outcome string, when string) {
	inFolder(t, func(path string) {
		const old = "old"
		rewrite(t, path, []string{old})
		env := t.Env()
		env.FromElements("new").WriteAsText(path, opts...)
		_, err := env.Execute(context.Background())
		b, _ := os.ReadFile(path)
		var f *job.Failure
		switch {
		case errors.As(err, &f) && strings.Contains(f.Cause.Error(), "exists") && string(b) == old+"\n":
			outcome, when = "exists", f.During
		case err == nil && string(b) == "new\n":
			outcome = "replaced"
		default:
			t.Errorf("got %v, and the file has %q", err, b)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
			t.Errorf("got the files %v, want one", left)
		}
	})
	return outcome, when
}

var _ = register(map[string]Func{
	"PF-print-p1":                printed(func(s *df.DataStream[string]) { s.Print() }),
	"PF-print-err":               printed(func(s *df.DataStream[string]) { s.PrintToErr() }),
	"PF-print-prefix":            printed(func(s *df.DataStream[string]) { s.Print() }),
	"PF-print-identifier":        printed(func(s *df.DataStream[string]) { s.Print(df.Identifier("mySink")) }),
	"PF-print-identifier-prefix": printed(func(s *df.DataStream[string]) { s.Print(df.Identifier("mySink")) }),
	"PF-text-p1": written(func(t *T, env *df.StreamExecutionEnvironment, path string) {
		env.FromElements(AllAs[kv](t.Input)...).WriteAsText(path)
	}),
	"PF-text-p2": written(func(t *T, env *df.StreamExecutionEnvironment, path string) {
		env.FromElements("a", "b", "c").WriteAsText(path)
	}),
	"PF-text-overwrite": func(t *T) {
		for name, opts := range map[string][]df.WriteOption{"default": nil, "NO_OVERWRITE": {df.Mode(df.NoOverwrite)}, "OVERWRITE": {df.Mode(df.Overwrite)}} {
			got, when := overExisting(t, opts...)
			t.Equal(got, t.Expect.At(name))
			if when != "" {
				t.Equal(when, t.Expect.At("when"))
			}
		}
	},
	"PF-csv-default": written(func(t *T, env *df.StreamExecutionEnvironment, path string) {
		env.FromElements(AllAs[df.Tuple3[string, int, int]](t.Input)...).WriteAsCsv(path)
	}),
})
