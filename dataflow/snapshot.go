package dataflow

import (
	"fmt"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
)

// This file makes operators core.Snapshotters. What they hold is the keyed state and the operator state that functions
// open, and by kind of operator timers and windows.

// opSnapshot is what an operator without windows held at one moment.
type opSnapshot struct {
	keys     *state.Snapshot // nil without keys
	timers   *timer.Snapshot[struct{}]
	operator operatorSnapshot
}

// Rescale gives each of n subtasks its part of the snapshots of all subtasks.
func (*opSnapshot) Rescale(all []any, n int) ([]any, error) {
	var parts []operatorSnapshot
	for _, x := range all {
		s := x.(*opSnapshot)
		if s.keys != nil {
			return nil, fmt.Errorf("keyed state is bound to %d subtasks, got %d; restore it with the same parallelism", len(all), n)
		}
		parts = append(parts, s.operator)
	}
	out := make([]any, n)
	for i, p := range redistribute(parts, n) {
		out[i] = &opSnapshot{operator: p}
	}
	return out, nil
}

// Snapshot returns keyed state and operator state.
func (b *opBase) Snapshot() (any, error) {
	s, err := b.snapshot()
	return s, err
}

func (b *opBase) snapshot() (*opSnapshot, error) {
	operator, err := b.snapshotOperatorState()
	if err != nil {
		return nil, err
	}
	s := &opSnapshot{operator: operator}
	if b.rt.access.store != nil {
		s.keys = b.rt.access.store.Snapshot()
	}
	return s, nil
}

// Restore takes the state of a snapshot over.
func (b *opBase) Restore(snapshot any) error {
	_, err := b.restore(snapshot, nil)
	return err
}

func (b *opBase) restore(snapshot any, more func(s *opSnapshot, id func(int32) int32)) (*opSnapshot, error) {
	s, ok := snapshot.(*opSnapshot)
	if !ok || (s.keys != nil) != (b.rt.access.store != nil) {
		return nil, fmt.Errorf("the snapshot is not of this operator (%T); restore it into the one that made it", snapshot)
	}
	if err := b.restoreOperatorState(s.operator); err != nil || s.keys == nil {
		return s, err
	}
	return s, b.rt.access.store.Restore(s.keys, func(id func(int32) int32) {
		if more != nil {
			more(s, id)
		}
	})
}

// Snapshot returns state and timers.
func (o *timed[K, R]) Snapshot() (any, error) {
	s, err := o.snapshot()
	if err == nil {
		timers := o.svc.Snapshot()
		s.timers = &timers
	}
	return s, err
}

// Restore takes state and timers over.
func (o *timed[K, R]) Restore(snapshot any) error {
	_, err := o.restore(snapshot, func(s *opSnapshot, id func(int32) int32) {
		if s.timers != nil {
			o.svc.Restore(*s.timers, id)
		}
	})
	return err
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
