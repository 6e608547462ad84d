package dataflow

import "flinkish/dataflow/internal/state"

// CheckpointedFunction is what a function object may have besides: state that belongs to a subtask, not to a key (Flink's
// class of the same name).
type CheckpointedFunction interface {
	// InitializeState is called before Open. It asks ctx for its states, which hold what a restore brought.
	InitializeState(ctx *InitializationContext) error
	// SnapshotState is called before a snapshot is taken, to bring the states up to date.
	SnapshotState(ctx *SnapshotContext) error
}

// InitializationContext gives a function its operator states (FunctionInitializationContext).
type InitializationContext struct{ base *opBase }

// IsRestored reports whether the operator goes on from a snapshot.
func (c *InitializationContext) IsRestored() bool { return c.base.ops.restored }

// ListState returns a list of this subtask. When the parallelism changes, the elements of all subtasks are dealt
// out anew (getListState).
func (c *InitializationContext) ListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return operatorList(c, &c.base.ops.split, d)
}

// UnionListState returns a list of this subtask. After a restore it holds the elements of all subtasks
// (getUnionListState).
func (c *InitializationContext) UnionListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return operatorList(c, &c.base.ops.union, d)
}

func operatorList[V any](c *InitializationContext, s **state.Store, d *ListStateDescriptor[V]) ListState[V] {
	if d == nil {
		c.base.fail(noDescriptor)
	}
	if d.ttl.set && !d.ttl.off {
		c.base.fail(kindError("UnsupportedOperation", "the operator state %s must not have a time to live; leave TTL out", d.name))
	}
	return c.access(s).list(d)
}

func (c *InitializationContext) access(s **state.Store) *stateAccess {
	if *s == nil {
		*s = state.NewScope()
	}
	return &stateAccess{store: *s, fail: c.base.fail, now: c.base.sub.Now}
}

// SnapshotContext is what a function may ask while a snapshot is taken (FunctionSnapshotContext).
type SnapshotContext struct{ base *opBase }

// CheckpointTimestamp is the processing time of the snapshot in milliseconds.
func (c *SnapshotContext) CheckpointTimestamp() int64 { return c.base.sub.Now() }

// operatorState is the state of one subtask that belongs to no key, nil where nobody asked for any.
type operatorState struct {
	split, union *state.Store
	broadcast    *state.Store // equal in all subtasks
	restored     bool
}

// operatorSnapshot holds an operatorState.
type operatorSnapshot struct{ split, union, broadcast *state.Snapshot }

func (b *opBase) snapshotOperatorState() (s operatorSnapshot, err error) {
	b.enter()
	if err := b.life.snapshot(&SnapshotContext{b}); err != nil {
		return s, err
	}
	if b.ops.split != nil {
		s.split = b.ops.split.Snapshot()
	}
	if b.ops.union != nil {
		s.union = b.ops.union.Snapshot()
	}
	if b.ops.broadcast != nil {
		s.broadcast = b.ops.broadcast.Snapshot()
	}
	return s, nil
}

func (b *opBase) restoreOperatorState(s operatorSnapshot) error {
	b.ops.restored = true
	for _, x := range []struct {
		from *state.Snapshot
		to   **state.Store
	}{{s.split, &b.ops.split}, {s.union, &b.ops.union}} {
		if x.from == nil {
			continue
		}
		*x.to = state.NewScope()
		if err := (*x.to).Restore(x.from, nil); err != nil {
			return err
		}
	}
	if b.ops.broadcast != nil && s.broadcast != nil {
		return b.ops.broadcast.Restore(s.broadcast, nil)
	}
	return nil
}

// redistribute gives each of n subtasks its part of the operator states of all. Broadcast states go to all: subtask i has the
// one of the old subtask i mod their number.
func redistribute(all []operatorSnapshot, n int) []operatorSnapshot {
	var split, union []*state.Snapshot
	for _, s := range all {
		if s.split != nil {
			split = append(split, s.split)
		}
		if s.union != nil {
			union = append(union, s.union)
		}
	}
	parts := make([]operatorSnapshot, n)
	for i, s := range state.Deal(split, n) {
		parts[i].split = s
	}
	for i := range parts {
		parts[i].union, parts[i].broadcast = state.Union(union), all[i%len(all)].broadcast
	}
	return parts
}
