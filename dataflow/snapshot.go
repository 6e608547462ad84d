package dataflow

import (
	"fmt"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
)

// This file makes operators core.Snapshotters. What they hold is the keyed state that functions open, and by
// kind of operator timers and windows.

// Snapshot returns the keyed state, nil when there is none.
func (b *opBase) Snapshot() (any, error) {
	if b.rt.access.store == nil {
		return nil, nil
	}
	return b.rt.access.store.Snapshot(), nil
}

// Restore takes the keyed state of a snapshot over.
func (b *opBase) Restore(snapshot any) error { return b.restore(snapshot, nil) }

func (b *opBase) restore(snapshot any, more func(id func(int32) int32)) error {
	keys, ok := snapshot.(*state.Snapshot)
	switch {
	case snapshot == nil && b.rt.access.store == nil:
		return nil
	case !ok || b.rt.access.store == nil:
		return fmt.Errorf("the snapshot is not of this operator (%T); restore it into the one that made it", snapshot)
	}
	return b.rt.access.store.Restore(keys, more)
}

// timedSnapshot is the snapshot of an operator with user timers.
type timedSnapshot struct {
	keys   *state.Snapshot
	timers timer.Snapshot[struct{}]
}

// Snapshot returns the keyed state and the timers.
func (o *timed[K, R]) Snapshot() (any, error) {
	return &timedSnapshot{o.keys.Snapshot(), o.svc.Snapshot()}, nil
}

// Restore takes keyed state and timers over.
func (o *timed[K, R]) Restore(snapshot any) error {
	x, ok := snapshot.(*timedSnapshot)
	if !ok {
		return o.restore(snapshot, nil)
	}
	return o.restore(x.keys, func(id func(int32) int32) { o.svc.Restore(x.timers, id) })
}

// Snapshot returns what the operator on connected streams holds.
func (c coTimedOp[K, R]) Snapshot() (any, error) { return c.o.timed.Snapshot() }

// Restore takes a snapshot of such an operator over.
func (c coTimedOp[K, R]) Restore(snapshot any) error { return c.o.timed.Restore(snapshot) }

// Snapshot returns windows, timers and keyed state.
func (o *windowOp[K, T, R, W]) Snapshot() (any, error) {
	return o.op.(core.Snapshotter).Snapshot()
}

// Restore takes windows, timers and keyed state over.
func (o *windowOp[K, T, R, W]) Restore(snapshot any) error {
	return o.op.(core.Snapshotter).Restore(snapshot)
}
