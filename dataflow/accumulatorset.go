// The accumulators of one job: who registered them, and what all of a name have collected together.

package dataflow

import (
	"cmp"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

// accumulatorOf says whose accumulator of what name.
type accumulatorOf struct {
	sub  *core.Subtask
	op   int32
	name string
}

// accumulators are the accumulators of one job.
type accumulators struct {
	mu     sync.Mutex
	byUser map[accumulatorOf]Accumulator
	byName map[string][]registeredAccumulator
	// valuesMu is held while values are merged; final are those of the job's end.
	valuesMu sync.Mutex
	final    map[string]any
	// onFailure says what a session knows of a panic in one of them; nil in a program.
	onFailure func(*job.Failure)
}

type registeredAccumulator struct {
	Accumulator
	of accumulatorOf
}

func newAccumulators() *accumulators {
	return &accumulators{byUser: map[accumulatorOf]Accumulator{}, byName: map[string][]registeredAccumulator{}}
}

func wrongAccumulator(name string, a Accumulator) error {
	return &GraphError{Kind: "UnsupportedOperation", Call: "AddAccumulator",
		Msg: fmt.Sprintf("the accumulator %s is a %T elsewhere in the job; use another name", name, a)}
}

func (a *accumulators) add(of accumulatorOf, acc Accumulator) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if all := a.byName[of.name]; len(all) > 0 && fmt.Sprintf("%T", all[0].Accumulator) != fmt.Sprintf("%T", acc) {
		return wrongAccumulator(of.name, all[0].Accumulator)
	}
	a.byUser[of] = acc
	a.byName[of.name] = append(a.byName[of.name], registeredAccumulator{acc, of})
	return nil
}

func (a *accumulators) find(of accumulatorOf) (Accumulator, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	acc, ok := a.byUser[of]
	return acc, ok
}

// fresh returns an accumulator of the type of a that has collected nothing; nil where a is of the program's own kind, which
// nobody else can make. Those that it knows may be read while their subtask adds to them.
func fresh(a Accumulator) Accumulator {
	switch a.(type) {
	case *IntCounter:
		return NewIntCounter()
	case *LongCounter:
		return NewLongCounter()
	case *DoubleCounter:
		return NewDoubleCounter()
	case *LongMinimum:
		return NewLongMinimum()
	case *LongMaximum:
		return NewLongMaximum()
	case *DoubleMinimum:
		return NewDoubleMinimum()
	case *DoubleMaximum:
		return NewDoubleMaximum()
	case *AverageAccumulator:
		return NewAverageAccumulator()
	case *Histogram:
		return NewHistogram()
	}
	return nil
}

// values is what all accumulators have collected; before the job has ended without those of the program's own kinds. What
// could not be merged is an unmerged.
func (a *accumulators) values(ended bool) map[string]any {
	a.valuesMu.Lock()
	defer a.valuesMu.Unlock()
	if a.final != nil {
		return maps.Clone(a.final)
	}
	a.mu.Lock()
	names := make(map[string][]registeredAccumulator, len(a.byName))
	for name, all := range a.byName {
		names[name] = slices.Clone(all)
	}
	a.mu.Unlock() // what follows may be code of the program
	values := make(map[string]any, len(names))
	for name, all := range names {
		if sum := fresh(all[0].Accumulator); sum != nil {
			values[name] = a.merged(name, sum, all)
		} else if ended {
			inOrder(all)
			values[name] = a.merged(name, all[0].Accumulator, all[1:])
		}
	}
	if ended { // the merging has changed accumulators, so it is done once
		a.final = values
	}
	return maps.Clone(values)
}

// inOrder sorts the accumulators of one name by operator and subtask, whichever was opened first.
func inOrder(all []registeredAccumulator) {
	slices.SortStableFunc(all, func(x, y registeredAccumulator) int {
		return cmp.Or(cmp.Compare(x.of.sub.TaskName, y.of.sub.TaskName), cmp.Compare(x.of.op, y.of.op), cmp.Compare(x.of.sub.Index, y.of.sub.Index))
	})
}

// merged is the value of sum after it has taken in all.
func (a *accumulators) merged(name string, sum Accumulator, all []registeredAccumulator) (v any) {
	defer func() {
		if r := recover(); r != nil {
			v = unmerged{a.mergeFailed(name, r)}
		}
	}()
	for _, o := range all {
		sum.Merge(o.Accumulator)
	}
	return sum.LocalValue()
}

// unmerged stands for the value of accumulators that could not be merged.
type unmerged struct{ err *GraphError }

// String is the text of the error, for a screen.
func (u unmerged) String() string { return u.err.Error() }

// mergeFailed is the error of a panic r in a method of an accumulator.
func (a *accumulators) mergeFailed(name string, r any) *GraphError {
	f := &job.Failure{Cause: &job.PanicError{Value: r}, Stack: string(debug.Stack())}
	if err, is := r.(error); is {
		f.Cause = err
	}
	if a.onFailure != nil {
		a.onFailure(f)
	}
	return &graph.GraphError{Kind: "FlinkRuntime", Call: "Merge", Err: f.Cause,
		Msg: fmt.Sprintf("the accumulator %s could not be merged: %v", name, f.Cause)}
}

// merged are values, unless one could not be merged: then the error of the first of them by name.
func merged(values map[string]any) (map[string]any, error) {
	var first string
	for name, v := range values {
		if _, bad := v.(unmerged); bad && (first == "" || name < first) {
			first = name
		}
	}
	if u, bad := values[first].(unmerged); bad {
		return nil, u.err
	}
	return values, nil
}
