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

func TestARecursionWithoutALoopIsStopped(t *testing.T) {
	var s *Session
	out := onWrite(func() { s.Interrupt() })
	s, err := New(Options{Stdout: out, Stderr: io.Discard, Env: dataflow.NewEnv(dataflow.WithDeterministic(1))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
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
