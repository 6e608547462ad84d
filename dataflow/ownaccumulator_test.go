package dataflow_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/graph"
)

// wordSet is an accumulator of a program's own kind: which words came.
type wordSet struct{ seen map[string]bool }

func newWordSet() *wordSet         { return &wordSet{map[string]bool{}} }
func (w *wordSet) Add(s string)    { w.seen[s] = true }
func (w *wordSet) LocalValue() any { return slices.Sorted(maps.Keys(w.seen)) }
func (w *wordSet) Merge(other Accumulator) {
	for s := range other.(*wordSet).seen {
		if s == "bad" {
			panic(errBadWord)
		}
		w.seen[s] = true
	}
}

var errBadWord = errors.New("a bad word")

// seeing adds each record to its words.
type seeing struct {
	w *wordSet
}

func (m *seeing) Open(ctx *RuntimeContext) error {
	m.w = newWordSet()
	ctx.AddAccumulator("words", m.w)
	if a, ok := ctx.GetAccumulator("words"); !ok || a.(*wordSet) != m.w {
		return fmt.Errorf("got %v, %v, want what was added", a, ok)
	}
	return nil
}

func (m *seeing) Map(s string) (string, error) {
	m.w.Add(s)
	return s, nil
}

func TestAnAccumulatorOfTheProgramsOwnKindIsMergedAtTheEnd(t *testing.T) {
	for mode, scheduler := range map[string]EnvOption{"deterministic": WithDeterministic(1), "parallel": WithParallelScheduler()} {
		t.Run(mode, func(t *testing.T) {
			env := NewEnv(WithParallelism(1), scheduler, WithOutput(io.Discard, io.Discard))
			env.FromElements("b", "a", "b", "c", "d").Rebalance().MapRich(&seeing{}).SetParallelism(3).Print()
			c, err := env.ExecuteAsync(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for { // reading while subtasks write is safe, and shows none before the end
				all, err := c.Accumulators(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				s, _ := c.Status(context.Background())
				if _, shown := all["words"]; shown {
					if s, _ = c.Status(context.Background()); !s.Terminal() {
						t.Fatalf("a running job shows %v", all)
					}
				}
				if s.Terminal() || mode == "deterministic" {
					break
				}
			}
			r, err := c.Result(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // merged once, whoever asks
				if got := fmt.Sprint(r.AllAccumulators()); got != "map[words:[a b c d]]" {
					t.Errorf("got %s", got)
				}
				if r, err = c.Result(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestAPanicInMergeIsTheErrorOfTheResult(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1), WithOutput(io.Discard, io.Discard))
	env.FromElements("bad", "bad").Rebalance().MapRich(&seeing{}).SetParallelism(2).Print()
	_, err := env.Execute(context.Background())
	var e *graph.GraphError
	if !errors.As(err, &e) || e.Kind != "FlinkRuntime" || !errors.Is(err, errBadWord) ||
		!strings.Contains(e.Error(), "FlinkRuntime: Merge: the accumulator words could not be merged: a bad word") {
		t.Errorf("got %v", err)
	}
}
