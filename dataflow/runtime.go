package dataflow

import (
	"fmt"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
)

// RuntimeContext is what a function object gets in Open: where it runs, and its state (Flink's
// RuntimeContext).
type RuntimeContext struct {
	sub    *core.Subtask
	op     int32 // position of the operator in the chain
	access stateAccess
}

func newRuntimeContext(s *core.Subtask, store *state.Store) *RuntimeContext {
	idx := s.OpIndex
	guard(s, store)
	return &RuntimeContext{sub: s, op: idx, access: stateAccess{store: store, now: s.Now, fail: func(err error) {
		s.Op = idx
		s.Runtime.Fail(err)
	}}}
}

// JobInfo names a job.
type JobInfo struct {
	ID   string // 32 hex digits
	Name string
}

// TaskInfo tells which subtask a function runs in.
type TaskInfo struct {
	Name           string // of the chain
	Subtask        int    // from 0
	Parallelism    int
	MaxParallelism int // number of key groups
	Attempt        int // from 0
}

// NameWithSubtasks is the text of Flink's logs, as in "Map (1/4)#0".
func (t TaskInfo) NameWithSubtasks() string {
	return fmt.Sprintf("%s (%d/%d)#%d", t.Name, t.Subtask+1, t.Parallelism, t.Attempt)
}

// task is the subtask. A context that did not come from Open has none, which fails the job.
func (c *RuntimeContext) task() *core.Subtask {
	if c == nil || c.sub == nil {
		panic(kindError("IllegalState", "the runtime context is not initialised; keep the one that Open gets"))
	}
	return c.sub
}

// states gives the states of the operator.
func (c *RuntimeContext) states() *stateAccess {
	c.task()
	return &c.access
}

// JobInfo names the job.
func (c *RuntimeContext) JobInfo() JobInfo { return JobInfo{c.task().JobID, c.task().JobName} }

// TaskInfo tells which subtask this is.
func (c *RuntimeContext) TaskInfo() TaskInfo {
	s := c.task()
	return TaskInfo{s.TaskName, s.Index, s.Parallelism, s.MaxParallelism, s.Attempt}
}

// State returns the handle of a ValueState. It needs a keyed stream, as all states of this context do.
func (c *RuntimeContext) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return c.states().value(d)
}

// ListState returns the handle of a ListState.
func (c *RuntimeContext) ListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return c.states().list(d)
}

// MapState returns the handle of a MapState.
func (c *RuntimeContext) MapState[MK comparable, V any](d *MapStateDescriptor[MK, V]) MapState[MK, V] {
	return c.states().mapOf(d)
}

// ReducingState returns the handle of a ReducingState.
func (c *RuntimeContext) ReducingState[V any](d *ReducingStateDescriptor[V]) ReducingState[V] {
	return c.states().reducing(d)
}

// AggregatingState returns the handle of an AggregatingState.
func (c *RuntimeContext) AggregatingState[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT]) AggregatingState[IN, OUT] {
	return c.states().aggregating(d)
}
