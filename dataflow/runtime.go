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

// JobInfo names the job.
func (c *RuntimeContext) JobInfo() JobInfo { return JobInfo{c.sub.JobID, c.sub.JobName} }

// TaskInfo tells which subtask this is.
func (c *RuntimeContext) TaskInfo() TaskInfo {
	s := c.sub
	return TaskInfo{s.TaskName, s.Index, s.Parallelism, s.MaxParallelism, s.Attempt}
}

// State returns the handle of a ValueState. It needs a keyed stream, as all states of this context do.
func (c *RuntimeContext) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return c.access.value(d)
}

// ListState returns the handle of a ListState.
func (c *RuntimeContext) ListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return c.access.list(d)
}

// MapState returns the handle of a MapState.
func (c *RuntimeContext) MapState[MK comparable, V any](d *MapStateDescriptor[MK, V]) MapState[MK, V] {
	return c.access.mapOf(d)
}

// ReducingState returns the handle of a ReducingState.
func (c *RuntimeContext) ReducingState[V any](d *ReducingStateDescriptor[V]) ReducingState[V] {
	return c.access.reducing(d)
}

// AggregatingState returns the handle of an AggregatingState.
func (c *RuntimeContext) AggregatingState[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT]) AggregatingState[IN, OUT] {
	return c.access.aggregating(d)
}
