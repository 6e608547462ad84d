package dataflow

import (
	"iter"
	"reflect"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// sourceOf makes a source that runs run in each of its subtasks.
func sourceOf[T any](e *StreamExecutionEnvironment, t *Transformation, typ Type, run func(s *core.Subtask, t *Transformation, emit func(v T) bool) error) *DataStreamSource[T] {
	return loopSource(e, t, typ, func(s *core.Subtask, t *Transformation, out *sourceOutput[T]) error { return run(s, t, out.send) })
}

// loopSource is sourceOf for sources that can send many records at a time.
func loopSource[T any](e *StreamExecutionEnvironment, t *Transformation, typ Type, run func(s *core.Subtask, t *Transformation, out *sourceOutput[T]) error) *DataStreamSource[T] {
	t.Kind, t.Out, t.Mover = graph.Source, typ, moverOf[T]()
	t.Factory = &source[T]{t, run}
	e.transformation(t)
	return &DataStreamSource[T]{SingleOutputStreamOperator[T]{DataStream[T]{env: e, tr: t}}}
}

type source[T any] struct {
	tr  *Transformation
	run func(s *core.Subtask, t *Transformation, out *sourceOutput[T]) error
}

func (f *source[T]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	b := newBase(s, out, newRuntimeContext(s, nil), nil)
	to := &sourceOutput[T]{&b, out.Main.(core.Emit[T])}
	run := func() error {
		b.enter()
		return f.run(s, f.tr, to)
	}
	return &core.Instance{Op: &b, Run: run, Counters: &b.n}, nil
}

// sourceOutput is where a source sends its records, without timestamps.
type sourceOutput[T any] struct {
	base *opBase
	emit core.Emit[T]
}

// send sends a record and reports whether the source may go on.
func (o *sourceOutput[T]) send(v T) bool {
	b := o.base
	o.emit(v, core.NoTimestamp)
	b.sub.Op = b.idx
	return b.sub.Poll()
}

// sendAll is send for each of vs, as long as the source may go on.
func (o *sourceOutput[T]) sendAll(vs []T) {
	sub, emit := o.base.sub, o.emit
	for len(vs) > 0 {
		n := min(len(vs), sub.Credit+1)
		for i, v := range vs[:n] {
			emit(v, core.NoTimestamp)
			if sub.Signal.Load() != 0 {
				n = i + 1
				break
			}
		}
		sub.Op = o.base.idx
		if !sub.PollAfter(n) {
			return
		}
		vs = vs[n:]
	}
}

// sendNumbers sends the numbers from lo to hi to emit, as long as the source may go on.
func (b *opBase) sendNumbers(lo, hi int64, emit core.Emit[int64]) {
	sub := b.sub
	for lo <= hi {
		last := hi
		if uint64(hi)-uint64(lo) > uint64(sub.Credit) {
			last = lo + int64(sub.Credit)
		}
		v := lo
		for ; ; v++ {
			emit(v, core.NoTimestamp)
			if v == last || sub.Signal.Load() != 0 {
				break
			}
		}
		sub.Op = b.idx
		if !sub.PollAfter(int(v-lo)+1) || v == hi {
			return
		}
		lo = v + 1
	}
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

func emitSlice[T any](vs []T) func(*core.Subtask, *Transformation, *sourceOutput[T]) error {
	return func(s *core.Subtask, _ *Transformation, out *sourceOutput[T]) error {
		from, to := part(s, len(vs))
		out.sendAll(vs[from:to])
		return nil
	}
}

// elements checks the records of a collection source as Flink does: some, none of them nil. first is the kind of a nil
// first record, which differs between a list of arguments and a collection.
func elements[T any](e *StreamExecutionEnvironment, call, first string, vs []T) {
	if len(vs) == 0 {
		e.fail("IllegalArgument", "", call, "a collection source needs at least one element; its type comes from them")
	}
	for i, v := range vs {
		if r := reflect.ValueOf(v); !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
			kind := "IllegalArgument"
			if i == 0 {
				kind = first
			}
			e.fail(kind, "", call, "element %d is nil; records must not be nil", i)
		}
	}
}

// FromElements returns the given records, in order, from one subtask (fromElements).
//
// Deprecated in Flink since 1.19: use FromData.
func (e *StreamExecutionEnvironment) FromElements[T any](vs ...T) *DataStreamSource[T] {
	elements(e, "FromElements", "NullPointer", vs)
	return loopSource(e, &Transformation{Name: "Collection Source", Parallelism: 1, NonParallel: true, Bounded: true, LegacySource: true},
		TypeOf[T](), emitSlice(vs))
}

// FromData returns the given records, in order, from one subtask; with a higher parallelism each subtask
// takes a contiguous part (fromData).
func (e *StreamExecutionEnvironment) FromData[T any](vs ...T) *DataStreamSource[T] {
	elements(e, "FromData", "NullPointer", vs)
	return loopSource(e, &Transformation{Name: "Collection Source", Parallelism: 1, Bounded: true}, TypeOf[T](), emitSlice(vs))
}

// FromSlice returns the records of a slice, in order, from one subtask (fromCollection). The slice must not
// change while a job runs.
func (e *StreamExecutionEnvironment) FromSlice[T any](vs []T) *DataStreamSource[T] {
	elements(e, "FromSlice", "IllegalArgument", vs)
	return loopSource(e, &Transformation{Name: "Collection Source", Parallelism: 1, NonParallel: true, Bounded: true, LegacySource: true},
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
	return sequence(e, from, to, func(emit core.Emit[int64]) core.Emit[int64] { return emit })
}

// sequence makes the source of FromSequence; numbers makes what takes a number of what takes a record.
func sequence[T any](e *StreamExecutionEnvironment, from, to int64, numbers func(core.Emit[T]) core.Emit[int64]) *DataStreamSource[T] {
	if from > to {
		e.fail("IllegalArgument", "", "FromSequence", "the first number must not be above the last, got %d and %d", from, to)
	}
	run := func(s *core.Subtask, _ *Transformation, out *sourceOutput[T]) error {
		lo, hi := rangePart(s, from, to)
		out.base.sendNumbers(lo, hi, numbers(out.emit))
		return nil
	}
	return loopSource(e, &Transformation{Name: "Sequence Source", Bounded: true}, TypeOf[int64](), run)
}

// rangePart is the contiguous part of [from, to] that belongs to a subtask; lo > hi when it is empty.
// The count may exceed an int64, so it is kept unsigned.
func rangePart(s *core.Subtask, from, to int64) (lo, hi int64) {
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
