package dataflow

import (
	"iter"
	"reflect"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// sourceOf makes a source that runs run in each of its subtasks.
func sourceOf[T any](e *StreamExecutionEnvironment, t *Transformation, typ Type, run func(s *core.Subtask, t *Transformation, emit func(v T) bool) error) *DataStreamSource[T] {
	t.Kind, t.Out, t.Mover = graph.Source, typ, moverOf[T]()
	t.Factory = &source[T]{t, run}
	e.transformation(t)
	return &DataStreamSource[T]{SingleOutputStreamOperator[T]{DataStream[T]{env: e, tr: t}}}
}

type source[T any] struct {
	tr  *Transformation
	run func(s *core.Subtask, t *Transformation, emit func(v T) bool) error
}

func (f *source[T]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	b := newBase(s, out, newRuntimeContext(s, nil), nil)
	emit := out.Main.(core.Emit[T])
	send := func(v T) bool {
		b.n.Out++
		emit(v, core.NoTimestamp)
		s.Op = b.idx
		return s.Poll()
	}
	run := func() error {
		b.enter()
		return f.run(s, f.tr, send)
	}
	return &core.Instance{Op: &b, Run: run, Counters: &b.n}, nil
}

// part is the contiguous range of n items that belongs to a subtask; the first ones get one more.
func part(s *core.Subtask, n int) (from, to int) {
	size, rest := n/s.Parallelism, n%s.Parallelism
	from = s.Index*size + min(s.Index, rest)
	to = from + size
	if s.Index < rest {
		to++
	}
	return from, to
}

func emitSlice[T any](vs []T) func(*core.Subtask, *Transformation, func(T) bool) error {
	return func(s *core.Subtask, _ *Transformation, emit func(T) bool) error {
		from, to := part(s, len(vs))
		for _, v := range vs[from:to] {
			if !emit(v) {
				break
			}
		}
		return nil
	}
}

// elements checks the records of a collection source as Flink does: some, none of them nil.
func elements[T any](e *StreamExecutionEnvironment, call string, vs []T) {
	if len(vs) == 0 {
		e.fail("IllegalArgument", "", call, "a collection source needs at least one element; its type comes from them")
	}
	for i, v := range vs {
		if r := reflect.ValueOf(&v).Elem(); r.Kind() == reflect.Interface && r.IsNil() || r.Kind() == reflect.Pointer && r.IsNil() {
			e.fail("IllegalArgument", "", call, "element %d is nil; records must not be nil", i)
		}
	}
}

// FromElements returns the given records, in order, from one subtask (fromElements).
func (e *StreamExecutionEnvironment) FromElements[T any](vs ...T) *DataStreamSource[T] {
	elements(e, "FromElements", vs)
	return sourceOf(e, &Transformation{Name: "Collection Source", Parallelism: 1, NonParallel: true, Bounded: true, LegacySource: true},
		TypeOf[T](), emitSlice(vs))
}

// FromData returns the given records, in order, from one subtask; with a higher parallelism each subtask
// takes a contiguous part (fromData).
func (e *StreamExecutionEnvironment) FromData[T any](vs ...T) *DataStreamSource[T] {
	elements(e, "FromData", vs)
	return sourceOf(e, &Transformation{Name: "Collection Source", Parallelism: 1, Bounded: true}, TypeOf[T](), emitSlice(vs))
}

// FromSlice returns the records of a slice, in order, from one subtask (fromCollection). The slice must not
// change while a job runs.
func (e *StreamExecutionEnvironment) FromSlice[T any](vs []T) *DataStreamSource[T] {
	elements(e, "FromSlice", vs)
	return sourceOf(e, &Transformation{Name: "Collection Source", Parallelism: 1, NonParallel: true, Bounded: true, LegacySource: true},
		TypeOf[T](), emitSlice(vs))
}

// FromSeq returns the records of a sequence from one subtask (fromCollection of an Iterator). Each job ranges
// over seq anew.
func (e *StreamExecutionEnvironment) FromSeq[T any](seq iter.Seq[T]) *DataStreamSource[T] {
	if e.nilArg(seq == nil, "FromSeq", "sequence") {
		seq = func(func(T) bool) {}
	}
	run := func(_ *core.Subtask, _ *Transformation, emit func(T) bool) error { seq(emit); return nil }
	return sourceOf(e, &Transformation{Name: "Collection Source", Parallelism: 1, NonParallel: true, Bounded: true, LegacySource: true},
		TypeOf[T](), run)
}

// FromSequence returns the numbers from first to last, both included (fromSequence). Each subtask takes a
// contiguous part.
func (e *StreamExecutionEnvironment) FromSequence(from, to int64) *DataStreamSource[int64] {
	return sequence(e, from, to, func(n int64) int64 { return n })
}

func sequence[T any](e *StreamExecutionEnvironment, from, to int64, record func(int64) T) *DataStreamSource[T] {
	if from > to {
		e.fail("IllegalArgument", "", "FromSequence", "the first number must not be above the last, got %d and %d", from, to)
	}
	run := func(s *core.Subtask, _ *Transformation, emit func(T) bool) error {
		lo, hi := numbers(s, from, to)
		for v := lo; v <= hi; v++ {
			if !emit(record(v)) || v == hi {
				break
			}
		}
		return nil
	}
	return sourceOf(e, &Transformation{Name: "Sequence Source", Bounded: true}, TypeOf[int64](), run)
}

// numbers is the contiguous part of [from, to] that belongs to a subtask; lo > hi when it is empty.
// The count may exceed an int64, so it is kept unsigned.
func numbers(s *core.Subtask, from, to int64) (lo, hi int64) {
	n, p, i := uint64(to)-uint64(from), uint64(s.Parallelism), uint64(s.Index)
	size, rest := n/p, n%p
	if rest++; rest == p { // n is the count - 1, which always fits
		size, rest = size+1, 0
	}
	start := i*size + min(i, rest)
	if i < rest {
		size++
	}
	if size == 0 {
		return 1, 0
	}
	return int64(uint64(from) + start), int64(uint64(from) + start + size - 1)
}
