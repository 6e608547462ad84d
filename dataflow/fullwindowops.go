package dataflow

import (
	"errors"
	"iter"
	"reflect"

	"flinkish/dataflow/internal/core"
)

// This file holds the operators of partitions that are not keyed, except sorting.

// partitionReduce folds the records of a subtask (PartitionReduceOperator).
type partitionReduce[T any] struct {
	f      func(a, b T) T
	object ReduceFunction[T] // in place of f; may be nil
}

func (f *partitionReduce[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	fold, fn := f.f, any(nil)
	if f.object != nil {
		object := prototype(f.object)
		fold, fn = orPanic(object.Reduce), object
	}
	o := &atEnd{opBase: newBase(s, out, rt, fn)}
	emit, last := out.Main.(core.Emit[T]), new(T)
	var acc T
	some := false
	in := core.Emit[T](func(v T, _ int64) {
		*last = v
		o.enter()
		o.n.In++
		if some {
			v = fold(acc, v)
		}
		acc, some = v, true
	})
	o.end = func() {
		if some {
			emit(acc, core.NoTimestamp)
		}
	}
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

// partitionAggregate folds the records of a subtask into an accumulator (PartitionAggregateOperator).
type partitionAggregate[T, ACC, R any] struct{ f AggregateFunction[T, ACC, R] }

func (f *partitionAggregate[T, ACC, R]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	fn := prototype(f.f)
	o := &atEnd{opBase: newBase(s, out, rt, fn)}
	emit, last := out.Main.(core.Emit[R]), new(T)
	var acc ACC
	o.start = func() error {
		acc = fn.CreateAccumulator()
		if v := reflect.ValueOf(&acc).Elem(); (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
			return errNoAccumulator
		}
		return nil
	}
	in := core.Emit[T](func(v T, _ int64) {
		*last = v
		o.enter()
		o.n.In++
		acc = fn.Add(v, acc)
	})
	o.end = func() {
		emit(fn.GetResult(acc), core.NoTimestamp)
	}
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

var errNoAccumulator = &GraphError{Kind: "NullPointer", Call: "Aggregate", Msg: "CreateAccumulator must not return nil; return an empty accumulator"}

// atEnd is the control side of an operator whose results come at the end of its input, after the last watermark.
type atEnd struct {
	opBase
	start   func() error // after Open; may be nil
	end     func()
	release func() error // before Close; may be nil
}

func (o *atEnd) Open() error {
	if err := o.opBase.Open(); err != nil || o.start == nil {
		return err
	}
	return o.start()
}

func (o *atEnd) EndInput(int) {
	o.enter()
	o.end()
}

func (o *atEnd) Close() error {
	var err error
	if o.release != nil {
		err = o.release()
	}
	return errors.Join(err, o.opBase.Close())
}

// mapPartition hands the records of a subtask to a function as they come (MapPartitionOperator). The function runs as a
// coroutine that reads records and hands results over; emitting is left to the subtask, which may have to wait.
type mapPartition[T, R any] struct {
	f      func(values iter.Seq[T], out Collector[R]) error
	object MapPartitionFunction[T, R] // in place of f; may be nil
}

// heldResults is how many results of a MapPartition function are handed over at once.
const heldResults = 100

func (f *mapPartition[T, R]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	call, fn := f.f, any(nil)
	if f.object != nil {
		object := prototype(f.object)
		call, fn = object.MapPartition, object
	}
	o := &partitionMapper[T, R]{atEnd: atEnd{opBase: newBase(s, out, rt, fn)}, f: call, emit: out.Main.(core.Emit[R])}
	o.start, o.end, o.release = o.begin, o.finish, o.abort
	in := core.Emit[T](func(v T, _ int64) {
		o.last = v
		o.enter()
		o.n.In++
		if !o.done {
			o.current, o.full = v, true
			o.run()
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return o.last }, Counters: &o.n}, nil
}

type partitionMapper[T, R any] struct {
	atEnd
	f    func(values iter.Seq[T], out Collector[R]) error
	emit core.Emit[R]

	next func() (struct{}, bool)
	stop func()
	wait func(struct{}) bool // of the function's side: lets the subtask go on

	current T // the record that was handed over, when full
	full    bool
	ended   bool // no record comes any more
	done    bool // the function has returned
	results []R
	err     error
	last    T
}

// begin starts the function and lets it run to its first record.
func (o *partitionMapper[T, R]) begin() error {
	o.next, o.stop = iter.Pull(func(yield func(struct{}) bool) {
		o.wait = yield
		o.err = o.f(o.values, o)
	})
	o.run()
	return nil
}

// values is what the function ranges over.
func (o *partitionMapper[T, R]) values(yield func(T) bool) {
	for {
		for !o.full {
			if o.ended {
				return
			}
			o.pause()
		}
		v := o.current
		var zero T
		o.current, o.full = zero, false
		if !yield(v) {
			return
		}
	}
}

// pause lets the subtask go on. It does not come back when the job is being cancelled.
func (o *partitionMapper[T, R]) pause() {
	if !o.wait(struct{}{}) {
		panic(core.Unwind{})
	}
}

// Collect hands a result over.
func (o *partitionMapper[T, R]) Collect(v R) {
	o.results = append(o.results, v)
	if len(o.results) >= heldResults {
		o.pause()
	}
}

// run lets the function go on until it needs a record or has returned, and emits what it makes.
func (o *partitionMapper[T, R]) run() {
	for {
		o.enter()
		_, more := o.next()
		o.done = !more
		n := len(o.results)
		for i, v := range o.results {
			o.emit(v, core.NoTimestamp)
			var zero R
			o.results[i] = zero
		}
		o.results = o.results[:0]
		o.enter()
		switch {
		case o.err != nil:
			o.fail(o.err)
		case o.done || n < heldResults && !o.full:
			return
		}
	}
}

// finish ends the values and lets the function return.
func (o *partitionMapper[T, R]) finish() {
	o.ended = true
	for !o.done {
		o.run()
	}
}

// abort ends a function that has not returned.
func (o *partitionMapper[T, R]) abort() (err error) {
	if o.stop == nil || o.done {
		return nil
	}
	o.done = true
	defer func() {
		if r := recover(); r != nil && r != any(core.Unwind{}) {
			panic(r)
		}
	}()
	o.stop()
	return nil
}
