package dataflow

import "sync"

// IntCounter is an accumulator that adds numbers up over the subtasks of a job (Flink's IntCounter). One object
// belongs to one subtask.
type IntCounter struct {
	job *accumulators
	n   int64
	sum *int64 // of the job, under the lock of job
}

// Add adds n.
func (c *IntCounter) Add(n int64) {
	c.n += n
	if c.job != nil {
		c.job.mu.Lock()
		*c.sum += n
		c.job.mu.Unlock()
	}
}

// Local is what this subtask has added.
func (c *IntCounter) Local() int64 { return c.n }

// IntCounter returns the accumulator of this name; its sum over the subtasks is in the result of the job, as an
// int64.
func (c *RuntimeContext) IntCounter(name string) *IntCounter {
	job, ok := c.sub.Shared.(*accumulators)
	if !ok {
		return &IntCounter{}
	}
	return &IntCounter{job: job, sum: job.counter(name)}
}

// accumulators are the accumulators of one job.
type accumulators struct {
	mu   sync.Mutex
	sums map[string]*int64
}

func newAccumulators() *accumulators { return &accumulators{sums: map[string]*int64{}} }

func (a *accumulators) counter(name string) *int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sums[name] == nil {
		a.sums[name] = new(int64)
	}
	return a.sums[name]
}

// values is a copy of all accumulators.
func (a *accumulators) values() map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make(map[string]any, len(a.sums))
	for name, sum := range a.sums {
		all[name] = *sum
	}
	return all
}
