package dataflow

import (
	"bytes"
	"fmt"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/timer"
)

// This file makes operators core.Snapshotters. What they hold is the keyed state and the operator state that functions
// open, and by kind of operator timers and windows.

// opSnapshot is what an operator held at one moment.
type opSnapshot struct {
	keys     *state.Snapshot // nil without keys
	more     any             // what belongs to keys, by kind of operator; nil: nothing
	operator operatorSnapshot
}

// Rescale gives each of n subtasks its part of the snapshots of all subtasks. What belongs to keys, such as windows, cannot be
// given to others.
func (*opSnapshot) Rescale(all []any, n int) ([]any, error) {
	var parts []operatorSnapshot
	for _, x := range all {
		s := x.(*opSnapshot)
		if s.keys != nil || s.more != nil {
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

func notOfThis(snapshot any) error {
	return fmt.Errorf("the snapshot is not of this operator (%T); restore it into the one that made it", snapshot)
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
		return nil, notOfThis(snapshot)
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

// snapshotTimers is Snapshot of an operator whose keys have timers; none is nil.
func snapshotTimers[N comparable](b *opBase, timers *timer.Service[N]) (any, error) {
	s, err := b.snapshot()
	if err == nil && timers != nil {
		s.more = timers.Snapshot()
	}
	return s, err
}

// restoreTimers is Restore of such an operator.
func restoreTimers[N comparable](b *opBase, timers *timer.Service[N], snapshot any) error {
	_, err := b.restore(snapshot, func(s *opSnapshot, id func(int32) int32) {
		if x, ok := s.more.(timer.Snapshot[N]); ok && timers != nil {
			timers.Restore(x, id)
		}
	})
	return err
}

// Snapshot returns state and timers.
func (o *timed[K, R]) Snapshot() (any, error) { return snapshotTimers(&o.opBase, o.svc) }

// Restore takes state and timers over.
func (o *timed[K, R]) Restore(snapshot any) error { return restoreTimers(&o.opBase, o.svc, snapshot) }

// Snapshot returns what the operator on connected streams holds.
func (c coTimedOp[K, R]) Snapshot() (any, error) { return c.o.timed.Snapshot() }

// Restore takes a snapshot of such an operator over.
func (c coTimedOp[K, R]) Restore(snapshot any) error { return c.o.timed.Restore(snapshot) }

// Snapshot returns state and timers.
func (o *coOp) Snapshot() (any, error) { return snapshotTimers(&o.opBase, o.timers) }

// Restore takes state and timers over.
func (o *coOp) Restore(snapshot any) error { return restoreTimers(&o.opBase, o.timers, snapshot) }

// Snapshot returns the records that wait on both sides, and when they go.
func (o *intervalOp) Snapshot() (any, error) { return snapshotTimers(&o.opBase, o.timers) }

// Restore takes the records of both sides over.
func (o *intervalOp) Restore(snapshot any) error { return restoreTimers(&o.opBase, o.timers, snapshot) }

// Snapshot returns windows, timers, keyed state and operator state.
func (o *windowOp[K, T, R, W]) Snapshot() (any, error) {
	operator, err := o.snapshotOperatorState()
	if err != nil {
		return nil, err
	}
	windows, err := o.op.(core.Snapshotter).Snapshot()
	return &opSnapshot{more: windows, operator: operator}, err
}

// Restore takes windows, timers, keyed state and operator state over.
func (o *windowOp[K, T, R, W]) Restore(snapshot any) error {
	s, ok := snapshot.(*opSnapshot)
	if !ok {
		return notOfThis(snapshot)
	}
	if err := o.restoreOperatorState(s.operator); err != nil {
		return err
	}
	return o.op.(core.Snapshotter).Restore(s.more)
}

// savedRecords are the records that wait to be sorted, as pairs of a key and a payload.
type savedRecords [][2][]byte

func (r *records[T]) save() (x savedRecords, err error) {
	err = r.sorter.All(func(key, payload []byte) error {
		x = append(x, [2][]byte{bytes.Clone(key), bytes.Clone(payload)})
		return nil
	})
	return x, err
}

func (r *records[T]) load(x savedRecords) error {
	for _, p := range x {
		if err := r.sorter.Add(p[0], p[1]); err != nil {
			return err
		}
	}
	return nil
}

// snapshotRecords is Snapshot of an operator that gathers the records of keys.
func snapshotRecords[T any](b *opBase, r *records[T]) (any, error) {
	s, err := b.snapshot()
	if err != nil {
		return nil, err
	}
	s.more, err = r.save()
	return s, err
}

// restoreRecords is Restore of such an operator.
func restoreRecords[T any](b *opBase, r *records[T], snapshot any) error {
	s, err := b.restore(snapshot, nil)
	if err != nil {
		return err
	}
	x, ok := s.more.(savedRecords)
	if !ok {
		return notOfThis(snapshot)
	}
	return r.load(x)
}

// Snapshot returns the records that were gathered.
func (o *keyedPartitionOp[T]) Snapshot() (any, error) { return snapshotRecords(&o.opBase, o.records) }

// Restore takes the records over.
func (o *keyedPartitionOp[T]) Restore(snapshot any) error {
	return restoreRecords(&o.opBase, o.records, snapshot)
}

// Snapshot returns the records that were gathered, of a keyed stream. Those of another one are in no snapshot, as in Flink.
func (o *sortOp[T]) Snapshot() (any, error) {
	if !o.keyed {
		return o.opBase.Snapshot()
	}
	return snapshotRecords(&o.opBase, o.records)
}

// Restore takes the records over.
func (o *sortOp[T]) Restore(snapshot any) error {
	if !o.keyed {
		return o.opBase.Restore(snapshot)
	}
	return restoreRecords(&o.opBase, o.records, snapshot)
}
