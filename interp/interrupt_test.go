// Stopping a cell that never comes past the turn of a loop.

package interp

import (
	"context"
	"errors"
	"io"
	"testing"

	"flinkish/dataflow"
)

// onWrite calls itself for each write of a cell.
type onWrite func()

func (f onWrite) Write(b []byte) (int, error) { f(); return len(b), nil }

// interruptedByOutput is a session whose cells are stopped when they print.
func interruptedByOutput(t *testing.T) *Session {
	t.Helper()
	var s *Session
	s, err := New(Options{Stdout: onWrite(func() { s.Interrupt() }), Stderr: io.Discard, Env: dataflow.NewEnv(dataflow.WithDeterministic(1))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestARecursionWithoutALoopIsStopped(t *testing.T) {
	s := interruptedByOutput(t)
	const cell = `
func f(n int) int { if n == 0 { return 0 }; return f(n-1) + f(n-1) }
fmt.Println("begun")
f(60)`
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: cell}); err != ErrInterrupted {
		t.Fatalf("error %v, want %v and nothing left behind", err, ErrInterrupted)
	}
	if _, err := s.Eval(context.Background(), Cell{Number: 2, Source: "f(3)"}); err != nil && !errors.Is(err, ErrInterrupted) {
		t.Fatalf("the next cell: %v", err)
	}
}

func TestCallsThatDoNotEndAreCounted(t *testing.T) {
	s := interruptedByOutput(t)
	eval := func(n int, cell string) error {
		_, err := s.Eval(context.Background(), Cell{Number: n, Source: cell})
		return err
	}
	if err := eval(1, "in, to := io.Pipe()"); err != nil {
		t.Fatal(err)
	}
	for n, others := range []string{"", ", as 1 earlier call does", ", as 2 earlier calls do"} {
		const hangs = "fmt.Println(\"begun\")\nin.Read(make([]byte, 1))"
		want := "interrupted, but a call in line 2 does not end; it goes on in the background" + others
		var re *RunError
		if err := eval(n+2, hangs); !errors.As(err, &re) || re.Msg != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := eval(9, "to.Close()"); err != nil {
		t.Error(err)
	}
}
