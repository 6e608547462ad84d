//lint:file-ignore U1000 the folds are called through the type parameter of number

package dataflow

import (
	"maps"
	"math"
	"sync"
)

// Accumulator collects values in each subtask; the result of a job has what it collected, merged over the subtasks by
// name (Flink's Accumulator). One object belongs to one subtask, which alone adds to it, by what methods it likes. The values of
// those here may be read while the job runs, and their zero values are ready. One of a program's own kind needs no lock: its
// value is there once every subtask of the job has ended. Then the first takes in the others, in the order of subtasks.
type Accumulator interface {
	// LocalValue is what this one has collected, and what was merged into it.
	LocalValue() any
	// Merge takes in what other, which has the type of this one, has collected. It leaves other as it is. A panic is the
	// error of who asks for the result.
	Merge(other Accumulator)
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

// Merge takes in what other, of the same type, has collected.
func (a *number[N, F]) Merge(other Accumulator) {
	a.Add(other.(interface{ Local() N }).Local())
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
func (a *AverageAccumulator) LocalValue() any {
	n, sum := a.read()
	if n == 0 {
		return 0.0
	}
	return sum / float64(n)
}

func (a *AverageAccumulator) read() (n int64, sum float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n, a.sum
}

// Merge takes in what other, an *AverageAccumulator, has collected.
func (a *AverageAccumulator) Merge(other Accumulator) {
	n, sum := other.(*AverageAccumulator).read()
	a.mu.Lock()
	a.n, a.sum = a.n+n, a.sum+sum
	a.mu.Unlock()
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

// Merge takes in what other, a *Histogram, has counted.
func (h *Histogram) Merge(other Accumulator) {
	counts := other.LocalValue().(map[int]int)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts == nil {
		h.counts = map[int]int{}
	}
	for v, n := range counts {
		h.counts[v] += n
	}
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
