package dataflow

import (
	"encoding/binary"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sort"
)

// orderBy appends the bytes of a record's sort key. compare is nil when the bytes compare as the keys do.
type orderBy[T any] struct {
	appendKey func(b []byte, v *T) []byte
	compare   func(a, b []byte) int
}

// sortPartition sorts the records of a subtask (SortPartitionOperator), on a keyed stream by key first
// (KeyedSortPartitionOperator).
type sortPartition[T any] struct {
	by     func() (orderBy[T], error) // for each subtask, since it is not safe for concurrent use
	keys   keying[T]                  // nil: not keyed
	memory int64
}

func (f *sortPartition[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	by, err := f.by()
	if err != nil {
		return nil, err
	}
	o := &sortOp[T]{atEnd: atEnd{opBase: newBase(s, out, rt, nil)}, keyed: f.keys != nil}
	compare := by.compare
	if f.keys != nil && compare != nil {
		compare = inGroups(compare)
	}
	rs := newRecords[T](sort.Config{Budget: f.memory, Compare: compare})
	o.records = rs
	emit, last := out.Main.(core.Emit[T]), new(T)
	var buf []byte
	add := func(key []byte, v T) {
		*last = v
		o.enter()
		o.n.In++
		buf = append(buf[:0], key...)
		if f.keys != nil && compare != nil {
			buf = binary.AppendUvarint(buf[:0], uint64(len(key)))
			buf = append(buf, key...)
		}
		buf = by.appendKey(buf, last)
		if err := rs.add(buf, v); err != nil {
			o.fail(err)
		}
	}
	o.end = func() {
		if err := rs.sorter.Sort(); err != nil {
			o.fail(err)
		}
		for {
			_, v, ok, err := rs.next()
			if err != nil {
				o.fail(err)
			}
			if !ok {
				return
			}
			o.attend()
			emit(v, core.NoTimestamp)
			o.enter()
		}
	}
	o.release = func() error { return rs.sorter.Close() }
	var in any = core.Emit[T](func(v T, _ int64) { add(nil, v) })
	if f.keys != nil {
		in = f.keys.grouped(func(key []byte, v T, _ int64) { add(key, v) })
	}
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

// sortOp is the control side of sortPartition.
type sortOp[T any] struct {
	atEnd
	records *records[T]
	keyed   bool
}

// inGroups compares keys that begin with the length and the bytes of the stream's key.
func inGroups(compare func(a, b []byte) int) func(a, b []byte) int {
	cut := func(k []byte) (group, key []byte) {
		n, l := binary.Uvarint(k)
		return k[l : l+int(n)], k[l+int(n):]
	}
	return func(a, b []byte) int {
		ga, ka := cut(a)
		gb, kb := cut(b)
		if c := compareBytes(ga, gb); c != 0 {
			return c
		}
		return compare(ka, kb)
	}
}

func compareBytes(a, b []byte) int {
	switch {
	case string(a) < string(b):
		return -1
	case string(a) > string(b):
		return 1
	}
	return 0
}
