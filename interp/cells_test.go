package interp

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"flinkish/dataflow"
)

// newSession is a session over a deterministic environment; its output goes to the buffer.
func newSession(t *testing.T) (*Session, *bytes.Buffer) {
	t.Helper()
	s, out, _ := newSessionEnv(t)
	return s, out
}

func newSessionEnv(t *testing.T) (*Session, *bytes.Buffer, *dataflow.StreamExecutionEnvironment) {
	t.Helper()
	var out bytes.Buffer
	env := dataflow.NewEnv(dataflow.WithDeterministic(1), dataflow.WithParallelism(1), dataflow.WithOutput(&out, &out))
	s, err := New(Options{Stdout: &out, Stderr: &out, Env: env, Deterministic: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, &out, env
}

// A file of testdata/cells is one session: each "cell" is followed by what it prints ("out"), what it leaves
// to show ("show", a line "type = text" for each value) and, if it fails, its error ("error": must be contained).
func TestCells(t *testing.T) {
	files, err := filepath.Glob("testdata/cells/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cells: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) { runCells(t, f) })
	}
}

func runCells(t *testing.T, file string) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, out, env := newSessionEnv(t)
	fs := txtar.Parse(b).Files
	for n := 0; len(fs) > 0; {
		n++
		src := string(fs[0].Data)
		if fs[0].Name != "cell" {
			t.Fatalf("%s: expected a cell, found %q", file, fs[0].Name)
		}
		want := map[string]string{}
		for fs = fs[1:]; len(fs) > 0 && fs[0].Name != "cell"; fs = fs[1:] {
			want[fs[0].Name] = string(fs[0].Data)
		}
		out.Reset()
		env.SetCell(fmt.Sprint(n))
		r, err := s.Eval(context.Background(), Cell{Number: n, Source: strings.TrimSuffix(src, "\n")})
		got := ""
		if err != nil {
			got = err.Error()
			env.RemoveCell(fmt.Sprint(n)) // as the kernel does with a cell that failed
		}
		if w := strings.TrimSpace(want["error"]); w == "" && got != "" || !strings.Contains(got, w) {
			t.Errorf("cell %d\n%s error: %q\n  want: %q", n, src, got, w)
		}
		if out.String() != want["out"] {
			t.Errorf("cell %d\n%s out: %q\nwant: %q", n, src, out.String(), want["out"])
		}
		if show := shown(r); show != want["show"] {
			t.Errorf("cell %d\n%s show: %q\n want: %q", n, src, show, want["show"])
		}
	}
}

// shown writes the values and warnings of a result.
func shown(r Result) string {
	var b strings.Builder
	for _, v := range r.Values {
		if v.Stream != nil {
			fmt.Fprintf(&b, "%s  %s  parallelism %d\n", v.Stream.Name, v.Stream.Type, v.Stream.Parallelism)
			continue
		}
		fmt.Fprintf(&b, "%s = %s\n", v.Type, v.Text)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}
