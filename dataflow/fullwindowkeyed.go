package dataflow

import (
	"encoding/binary"
	"errors"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"flinkish/dataflow/internal/codec"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/sort"
	"flinkish/dataflow/internal/state"
)

// records sorts records of T in a budget of memory.
type records[T any] struct {
	sorter *sort.Sorter
	codec  *codec.Codec
	buf    []byte
}

func newRecords[T any](c sort.Config) *records[T] {
	return &records[T]{sorter: sort.New(c), codec: codec.New(reflect.TypeFor[T]())}
}

func (r *records[T]) add(key []byte, v T) error {
	r.buf = r.codec.Append(r.buf[:0], unsafe.Pointer(&v))
	return r.sorter.Add(key, r.buf)
}

func (r *records[T]) next() (key []byte, v T, ok bool, err error) {
	key, b, ok, err := r.sorter.Next()
	if ok && err == nil {
		err = r.codec.Decode(b, unsafe.Pointer(&v))
	}
	return key, v, ok && err == nil, err
}

func (k *keySpec[T, K]) grouped(in func(key []byte, v T, ts int64)) any {
	groups := sort.GroupsOf(reflect.TypeFor[K]())
	var buf []byte
	return core.KeyedEmit[K, T](func(k K, v T, ts int64) {
		buf = groups.Append(buf[:0], unsafe.Pointer(&k))
		in(buf, v, ts)
	})
}

// appendTime appends a timestamp so that bytes compare as times do.
func appendTime(b []byte, ts int64) []byte { return binary.BigEndian.AppendUint64(b, uint64(ts)^1<<63) }

// group is what an operator does with the records of one key after the other: add takes one, end makes the results and
// forgets the key.
type group[T any] struct {
	add func(v T)
	end func()
}

// partitionFactory makes the operators of keyed partitions. They sort their input by key and time, as Flink does
// for them in every mode, so only the records of one key are at hand at a time.
type partitionFactory[T, R any] struct {
	keys   keying[T]
	memory int64
	object any // a function object with a life cycle and keyed state; nil: none
	group  func(fn any, b *opBase, out *collector[R]) group[T]
}

func (f *partitionFactory[T, R]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	o, fn := &keyedPartitionOp[T]{}, prototype(f.object)
	var store *state.Store
	if fn != nil {
		o.keys, store = f.keys.backend()
		o.enterKey = f.keys.enter(o.keys)
	}
	o.opBase = newBase(s, out, newRuntimeContext(s, store), fn)
	o.records = newRecords[T](sort.Config{Budget: f.memory})
	c := &collector[R]{base: &o.opBase, emit: out.Main.(core.Emit[R]), ts: core.MaxWatermark}
	o.group = f.group(fn, &o.opBase, c)
	var buf []byte
	in := f.keys.grouped(func(key []byte, v T, ts int64) {
		o.last = v
		o.enter()
		o.n.In++
		buf = appendTime(append(buf[:0], key...), ts)
		if err := o.records.add(buf, v); err != nil {
			o.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return o.last }, Counters: &o.n}, nil
}

// keyedPartitionOp is one instance of a keyed partition.
type keyedPartitionOp[T any] struct {
	opBase
	records *records[T]
	group   group[T]
	last    T

	keys     keyBackend // of a function object; nil: none
	enterKey func(v T)
}

// Watermark makes the results with the last watermark, for the window of a key ends there. Others do not get through a
// sorted input, nor does idleness.
func (o *keyedPartitionOp[T]) Watermark(_ int, wm int64) {
	if wm != core.MaxWatermark {
		return
	}
	o.enter()
	if err := o.all(); err != nil {
		o.fail(err)
	}
	o.opBase.Watermark(0, wm)
}

func (o *keyedPartitionOp[T]) Status(int, bool) {}

func (o *keyedPartitionOp[T]) all() error {
	if err := o.records.sorter.Sort(); err != nil {
		return err
	}
	var at []byte
	some := false
	for {
		key, v, ok, err := o.records.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		o.attend()
		key = key[:len(key)-8]
		if some && string(key) != string(at) {
			o.endGroup()
			some = false
		}
		if !some && o.keys != nil {
			o.enterKey(v)
		}
		at, some, o.last = append(at[:0], key...), true, v
		o.group.add(v)
	}
	if some {
		o.endGroup()
	}
	return nil
}

// endGroup makes the results of a key, and forgets its states: it does not come again.
func (o *keyedPartitionOp[T]) endGroup() {
	o.group.end()
	if o.keys != nil {
		o.EndKey()
		o.keys.ClearCurrent()
	}
}

// attend lets a cancelled job end in the middle of much work.
func (b *opBase) attend() {
	if b.sub.Signal.Load()&core.SignalStop != 0 {
		b.sub.Hooks.Attend()
	}
}

func (o *keyedPartitionOp[T]) Close() error {
	return errors.Join(o.records.sorter.Close(), o.opBase.Close())
}

// listGroup calls what bind makes of the object with the records of a key.
func listGroup[T, R any](bind func(fn any) func(values iter.Seq[T], out Collector[R]) error) func(any, *opBase, *collector[R]) group[T] {
	return func(fn any, b *opBase, out *collector[R]) group[T] {
		f := bind(fn)
		var vs []T
		return group[T]{
			add: func(v T) { vs = append(vs, v) },
			end: func() {
				if err := f(slices.Values(vs), out); err != nil {
					b.fail(err)
				}
				vs = nil // the function may have kept the sequence
			},
		}
	}
}

func reduceGroup[T any](f func(a, b T) T) func(any, *opBase, *collector[T]) group[T] {
	return func(_ any, b *opBase, out *collector[T]) group[T] {
		var acc T
		some := false
		return group[T]{
			add: func(v T) {
				if some {
					v = f(acc, v)
				}
				acc, some = v, true
			},
			end: func() {
				out.Collect(acc)
				some = false
			},
		}
	}
}

func aggregateGroup[T, ACC, R any](f AggregateFunction[T, ACC, R]) func(any, *opBase, *collector[R]) group[T] {
	return func(_ any, b *opBase, out *collector[R]) group[T] {
		fn := prototype(f)
		var acc ACC
		some := false
		return group[T]{
			add: func(v T) {
				if !some {
					acc, some = fn.CreateAccumulator(), true
				}
				acc = fn.Add(v, acc)
			},
			end: func() {
				out.Collect(fn.GetResult(acc))
				some = false
			},
		}
	}
}
