package apicells

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"flinkish/dataflow"
	"flinkish/interp"
)

var (
	update = flag.Bool("update", false, "store what the compiled cells print")
	trace  = flag.Bool("trace", false, "log what the interpreter gets")
)

// limit is the time that a cell may take before it counts as hanging.
const limit = 30 * time.Second

// buffer collects what a cell prints from several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// native is what a compiled cell finds in its session.
type native struct {
	fmt printer
	env *dataflow.StreamExecutionEnvironment
	ctx context.Context
}

// printer stands for package fmt in the statements of a compiled cell.
type printer struct{ w io.Writer }

func (p printer) Println(a ...any)                       { fmt.Fprintln(p.w, a...) }
func (p printer) Printf(format string, a ...any)         { fmt.Fprintf(p.w, format, a...) }
func (p printer) Sprint(a ...any) string                 { return fmt.Sprint(a...) }
func (p printer) Sprintf(format string, a ...any) string { return fmt.Sprintf(format, a...) }
func (p printer) Errorf(format string, a ...any) error   { return fmt.Errorf(format, a...) }

// newEnv is the environment of a session: deterministic, parallelism 1.
func newEnv(out io.Writer) *dataflow.StreamExecutionEnvironment {
	return dataflow.NewEnv(dataflow.WithDeterministic(1), dataflow.WithParallelism(1), dataflow.WithOutput(out, out))
}

func runCompiled(c Cell) (string, error) {
	f := compiled[c.Name]
	if f == nil {
		return "", fmt.Errorf("the cell is not compiled; run go generate ./interp/apicells")
	}
	var out buffer
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	env := newEnv(&out)
	f(&native{fmt: printer{&out}, env: env, ctx: ctx})
	return ended(&out, env.Err())
}

// ended is what a cell printed, with the mistake in the graph that ended it.
func ended(out *buffer, err error) (string, error) {
	var mistake *dataflow.GraphError
	if errors.As(err, &mistake) {
		fmt.Fprintln(out, "error:", mistake)
		err = nil
	}
	return out.String(), err
}

func runInSession(c Cell) (string, error) {
	var out buffer
	s, err := interp.New(interp.Options{Stdout: &out, Stderr: &out, Env: newEnv(&out), Trust: true})
	if err != nil {
		return "", err
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	_, err = s.Eval(ctx, interp.Cell{Number: 1, Source: c.Source})
	return ended(&out, err)
}

func load(t *testing.T) []Cell {
	t.Helper()
	cells, err := LoadCells(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// TestCompiled runs the cells as Go functions.
func TestCompiled(t *testing.T) {
	cells := load(t)
	for i, c := range cells {
		t.Run(c.Name, func(t *testing.T) {
			got, err := runCompiled(c)
			if *update {
				cells[i].Want = got
			}
			check(t, got, err, cells[i].Want)
		})
	}
	if *update {
		if err := StoreCells(".", cells); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCells runs the cells in a session.
func TestCells(t *testing.T) {
	for _, c := range load(t) {
		t.Run(c.Name, func(t *testing.T) {
			if *trace {
				interp.Trace = func(text string) { t.Log(text) }
				defer func() { interp.Trace = nil }()
			}
			got, err := runInSession(c)
			check(t, got, err, c.Want)
		})
	}
}

func check(t *testing.T, got string, err error, want string) {
	t.Helper()
	if err != nil {
		t.Errorf("error: %v", err)
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", indent(got), indent(want))
	}
}

func indent(s string) string {
	return "\t" + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n\t") + "\n"
}
