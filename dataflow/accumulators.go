//lint:file-ignore U1000 the folds are called through the type parameter of number

package dataflow

import (
	"fmt"
	"maps"
	"math"
	"sync"

	"flinkish/dataflow/internal/core"
)

// Accumulator collects values in each subtask; the result of a job has what it collected, merged over the subtasks by
// name (Flink's Accumulator). One object belongs to one subtask; its values may be read while the job runs. The zero value of
// each is ready.
type Accumulator interface {
	// LocalValue is what this subtask has collected.
	LocalValue() any
	// merged is what all of them have collected together; they are of one type.
	merged(all []Accumulator) any
}

// numberFold is how numbers are folded, and what there is before the first.
type numberFold[N int64 | float64] interface {
	fold(a, b N) N
	empty() N
}

// number is an accumulator that folds numbers. Its zero value is ready.
type number[N int64 | float64, F numberFold[N]] struct {
	mu  sync.Mutex
	n   N
	any bool // a number came
}

// Add takes n in.
func (a *number[N, F]) Add(n N) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.any {
		var f F
		n = f.fold(a.n, n)
	}
	a.n, a.any = n, true
}

// Local is what this subtask has collected.
func (a *number[N, F]) Local() N {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.any {
		var f F
		return f.empty()
	}
	return a.n
}

// LocalValue is Local.
func (a *number[N, F]) LocalValue() any { return a.Local() }

func (a *number[N, F]) merged(all []Accumulator) any {
	var f F
	n := f.empty()
	for _, o := range all {
		n = f.fold(n, o.(interface{ Local() N }).Local())
	}
	return n
}

type (
	summing[N int64 | float64] struct{}
	longMin                    struct{}
	longMax                    struct{}
	doubleMin                  struct{}
	doubleMax                  struct{}
)

func (summing[N]) fold(a, b N) N            { return a + b }
func (summing[N]) empty() (zero N)          { return zero }
func (longMin) fold(a, b int64) int64       { return min(a, b) }
func (longMin) empty() int64                { return math.MaxInt64 }
func (longMax) fold(a, b int64) int64       { return max(a, b) }
func (longMax) empty() int64                { return math.MinInt64 }
func (doubleMin) fold(a, b float64) float64 { return min(a, b) }
func (doubleMin) empty() float64            { return math.Inf(1) }
func (doubleMax) fold(a, b float64) float64 { return max(a, b) }
func (doubleMax) empty() float64            { return math.Inf(-1) }

// IntCounter adds whole numbers up (Flink's IntCounter).
type IntCounter struct{ number[int64, summing[int64]] }

// LongCounter adds whole numbers up (Flink's LongCounter).
type LongCounter struct{ number[int64, summing[int64]] }

// DoubleCounter adds numbers up (Flink's DoubleCounter).
type DoubleCounter struct {
	number[float64, summing[float64]]
}

// LongMinimum keeps the least number, MaxInt64 without one (Flink's IntMinimum and LongMinimum).
type LongMinimum struct{ number[int64, longMin] }

// LongMaximum keeps the greatest number, MinInt64 without one (Flink's IntMaximum and LongMaximum).
type LongMaximum struct{ number[int64, longMax] }

// DoubleMinimum keeps the least number, +Inf without one (Flink's DoubleMinimum).
type DoubleMinimum struct{ number[float64, doubleMin] }

// DoubleMaximum keeps the greatest number, -Inf without one (Flink's DoubleMaximum).
type DoubleMaximum struct{ number[float64, doubleMax] }

// NewIntCounter returns a counter at 0.
func NewIntCounter() *IntCounter { return &IntCounter{} }

// NewLongCounter returns a counter at 0.
func NewLongCounter() *LongCounter { return &LongCounter{} }

// NewDoubleCounter returns a counter at 0.
func NewDoubleCounter() *DoubleCounter { return &DoubleCounter{} }

// NewLongMinimum returns a minimum of nothing.
func NewLongMinimum() *LongMinimum { return &LongMinimum{} }

// NewLongMaximum returns a maximum of nothing.
func NewLongMaximum() *LongMaximum { return &LongMaximum{} }

// NewDoubleMinimum returns a minimum of nothing.
func NewDoubleMinimum() *DoubleMinimum { return &DoubleMinimum{} }

// NewDoubleMaximum returns a maximum of nothing.
func NewDoubleMaximum() *DoubleMaximum { return &DoubleMaximum{} }

// AverageAccumulator is the mean of numbers, 0 without one (Flink's AverageAccumulator).
type AverageAccumulator struct {
	mu  sync.Mutex
	n   int64
	sum float64
}

// NewAverageAccumulator returns a mean of nothing.
func NewAverageAccumulator() *AverageAccumulator { return &AverageAccumulator{} }

// Add takes x in.
func (a *AverageAccumulator) Add(x float64) {
	a.mu.Lock()
	a.n, a.sum = a.n+1, a.sum+x
	a.mu.Unlock()
}

// LocalValue is the mean of this subtask, a float64.
func (a *AverageAccumulator) LocalValue() any { return a.merged([]Accumulator{a}) }

func (a *AverageAccumulator) merged(all []Accumulator) any {
	n, sum := int64(0), 0.0
	for _, o := range all {
		o := o.(*AverageAccumulator)
		o.mu.Lock()
		n, sum = n+o.n, sum+o.sum
		o.mu.Unlock()
	}
	if n == 0 {
		return 0.0
	}
	return sum / float64(n)
}

// Histogram counts how often each whole number came (Flink's Histogram). Its value is a map[int]int.
type Histogram struct {
	mu     sync.Mutex
	counts map[int]int
}

// NewHistogram returns a histogram of nothing.
func NewHistogram() *Histogram { return &Histogram{} }

// Add counts v.
func (h *Histogram) Add(v int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts == nil {
		h.counts = map[int]int{}
	}
	h.counts[v]++
}

// LocalValue is what this subtask has counted.
func (h *Histogram) LocalValue() any {
	h.mu.Lock()
	defer h.mu.Unlock()
	values := map[int]int{}
	maps.Copy(values, h.counts)
	return values
}

func (h *Histogram) merged(all []Accumulator) any {
	sum := map[int]int{}
	for _, o := range all {
		for v, n := range o.LocalValue().(map[int]int) {
			sum[v] += n
		}
	}
	return sum
}

// AddAccumulator registers an accumulator under a name that this function has not used yet.
func (c *RuntimeContext) AddAccumulator(name string, a Accumulator) {
	if nothing(a) {
		c.states().fail(kindError("NullPointer", "the accumulator %s must not be nil; make it with NewLongCounter or one of its siblings", name))
	}
	if _, ok := c.GetAccumulator(name); ok {
		c.access.fail(&GraphError{Kind: "UnsupportedOperation", Call: "AddAccumulator", Msg: "the accumulator " + name + " exists already; use another name"})
	}
	c.addAccumulator(name, a)
}

func (c *RuntimeContext) addAccumulator(name string, a Accumulator) {
	if job, ok := c.sub.Shared.(*jobShared); ok {
		if err := job.add(accumulatorOf{c.sub, c.sub.Op, name}, a); err != nil {
			c.access.fail(err)
		}
	}
}

// GetAccumulator returns the accumulator that this function registered under the name, and whether there is one.
func (c *RuntimeContext) GetAccumulator(name string) (Accumulator, bool) {
	job, ok := c.task().Shared.(*jobShared)
	if !ok {
		return nil, false
	}
	return job.find(accumulatorOf{c.sub, c.sub.Op, name})
}

// registered returns the accumulator of this name, made by make when there is none.
func registered[A Accumulator](c *RuntimeContext, name string, make func() A) A {
	if a, ok := c.GetAccumulator(name); ok {
		if a, ok := a.(A); ok {
			return a
		}
		c.access.fail(wrongAccumulator(name, a))
	}
	a := make()
	c.addAccumulator(name, a)
	return a
}

// IntCounter returns the counter of this name; its sum over the subtasks is in the result of the job, as an int64.
func (c *RuntimeContext) IntCounter(name string) *IntCounter {
	return registered(c, name, NewIntCounter)
}

// LongCounter is IntCounter.
func (c *RuntimeContext) LongCounter(name string) *LongCounter {
	return registered(c, name, NewLongCounter)
}

// DoubleCounter returns the counter of this name; its sum is in the result of the job, as a float64.
func (c *RuntimeContext) DoubleCounter(name string) *DoubleCounter {
	return registered(c, name, NewDoubleCounter)
}

// Histogram returns the histogram of this name; its sum is in the result of the job, as a map[int]int.
func (c *RuntimeContext) Histogram(name string) *Histogram { return registered(c, name, NewHistogram) }

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
	byName map[string][]Accumulator
}

func newAccumulators() *accumulators {
	return &accumulators{byUser: map[accumulatorOf]Accumulator{}, byName: map[string][]Accumulator{}}
}

func wrongAccumulator(name string, a Accumulator) error {
	return &GraphError{Kind: "UnsupportedOperation", Call: "AddAccumulator",
		Msg: fmt.Sprintf("the accumulator %s is a %T elsewhere in the job; use another name", name, a)}
}

func (a *accumulators) add(of accumulatorOf, acc Accumulator) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if all := a.byName[of.name]; len(all) > 0 && fmt.Sprintf("%T", all[0]) != fmt.Sprintf("%T", acc) {
		return wrongAccumulator(of.name, all[0])
	}
	a.byUser[of] = acc
	a.byName[of.name] = append(a.byName[of.name], acc)
	return nil
}

func (a *accumulators) find(of accumulatorOf) (Accumulator, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	acc, ok := a.byUser[of]
	return acc, ok
}

// values is what all accumulators have collected.
func (a *accumulators) values() map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	values := make(map[string]any, len(a.byName))
	for name, all := range a.byName {
		values[name] = all[0].merged(all)
	}
	return values
}
