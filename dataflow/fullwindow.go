package dataflow

import (
	"iter"
	"reflect"
	"unsafe"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/sort"
)

// PartitionWindowedStream is a stream whose records are gathered to the end of the input: all records of a key, or of a
// subtask when the stream is not keyed (Flink's PartitionWindowedStream). Results come when the input has ended, so never
// for an unbounded one.
type PartitionWindowedStream[T any] struct{ in *DataStream[T] }

// FullWindowPartition gathers the records of each subtask, on a keyed stream those of each key, to the end of the
// input.
func (d *DataStream[T]) FullWindowPartition() *PartitionWindowedStream[T] {
	return &PartitionWindowedStream[T]{d}
}

// Order is the direction of a sort (Flink's Order).
type Order uint8

const (
	// Ascending puts the least value first, nil before every value.
	Ascending Order = iota
	// Descending puts the greatest value first.
	Descending
)

// String is Flink's word for the order.
func (o Order) String() string {
	if o == Ascending {
		return "ASCENDING"
	}
	return "DESCENDING"
}

// sortMemory is how much memory sorting may take, in bytes.
type sortMemory struct{ partition, keyed int64 }

var defaultSortMemory = sortMemory{128 << 20, 128 << 20}

// WithSortPartitionMemory sets how many bytes of memory each subtask of a SortPartition that is not keyed may use
// (ExecutionOptions.SORT_PARTITION_MEMORY); what does not fit is sorted on disk. The default is 128 MiB, the least 1 MiB.
func WithSortPartitionMemory(bytes int64) EnvOption {
	return func(e *StreamExecutionEnvironment) {
		e.memory.partition = e.checkedMemory("WithSortPartitionMemory", bytes)
	}
}

// WithSortKeyedPartitionMemory is WithSortPartitionMemory for keyed streams, and for the keyed inputs that are sorted
// in BATCH mode (ExecutionOptions.SORT_KEYED_PARTITION_MEMORY).
func WithSortKeyedPartitionMemory(bytes int64) EnvOption {
	return func(e *StreamExecutionEnvironment) {
		e.memory.keyed = e.checkedMemory("WithSortKeyedPartitionMemory", bytes)
	}
}

func (e *StreamExecutionEnvironment) checkedMemory(call string, bytes int64) int64 {
	if bytes <= 0 {
		e.fail("IllegalArgument", "", call, "the memory must be positive, got %d bytes", bytes)
	}
	return max(bytes, sort.MinBudget)
}

// MapPartition calls f with all records of the partition. On a keyed stream it is called once for each key, and values can
// be ranged over again. Else it is called once in each subtask, also without records, and starts when the job
// does: values are the records as they arrive, once; what f leaves unread is dropped. Each subtask runs the same f.
func (w *PartitionWindowedStream[T]) MapPartition[R any](f func(values iter.Seq[T], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.in.env.checkFunction("MapPartition", f)
	return w.MapPartitionE(func(values iter.Seq[T], out Collector[R]) error { f(values, out); return nil }, opts...)
}

// MapPartitionE is MapPartition with a function that may fail; its error fails the job.
func (w *PartitionWindowedStream[T]) MapPartitionE[R any](f func(values iter.Seq[T], out Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.in.env.checkFunction("MapPartitionE", f)
	if w.in.keys != nil {
		return keyedPartition(w, "KeyedMapPartitionWindowFunction", &partitionFactory[T, R]{keys: w.in.keys, memory: w.in.env.memory.keyed,
			group: listGroup(func(any) func(iter.Seq[T], Collector[R]) error { return f })}, opts)
	}
	return ownPartition[T, R](w, "MapPartition", &mapPartition[T, R]{f: f}, opts).DisableChaining()
}

// MapPartitionFunction is a function object for MapPartitionRich (Flink's RichMapPartitionFunction). It may have Open and
// Close.
type MapPartitionFunction[T, R any] interface {
	// MapPartition is called with all records of a partition, as the function of MapPartition is. out is valid during the
	// call only.
	MapPartition(values iter.Seq[T], out Collector[R]) error
}

// MapPartitionRich is MapPartition with a function object. Each subtask works on its own copy of f. On a keyed stream it has
// keyed state, which belongs to the key whose records it is called with.
func (w *PartitionWindowedStream[T]) MapPartitionRich[R any](f MapPartitionFunction[T, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	w.in.env.checkFunction("MapPartitionRich", f)
	if w.in.keys != nil {
		return keyedPartition(w, "KeyedMapPartitionWindowFunction", &partitionFactory[T, R]{keys: w.in.keys, memory: w.in.env.memory.keyed,
			object: f, group: listGroup(func(fn any) func(iter.Seq[T], Collector[R]) error {
				return fn.(MapPartitionFunction[T, R]).MapPartition
			})}, opts)
	}
	return ownPartition[T, R](w, "MapPartition", &mapPartition[T, R]{object: f}, opts).DisableChaining()
}

// Reduce folds the records of the partition, in the order of their arrival: f(accumulated, new). A single record goes
// through as it is; without records there is no result.
func (w *PartitionWindowedStream[T]) Reduce(f func(a, b T) T) *SingleOutputStreamOperator[T] {
	w.in.env.checkFunction("Reduce", f)
	if w.in.keys != nil {
		return w.in.sameType(keyedPartition(w, "PassThroughWindowFunction", &partitionFactory[T, T]{keys: w.in.keys, memory: w.in.env.memory.keyed,
			group: reduceGroup(f)}, nil))
	}
	return w.in.sameType(ownPartition[T, T](w, "PartitionReduce", &partitionReduce[T]{f: f}, nil))
}

// ReduceE is Reduce with a function that may fail; its error fails the job.
func (w *PartitionWindowedStream[T]) ReduceE(f func(a, b T) (T, error)) *SingleOutputStreamOperator[T] {
	w.in.env.checkFunction("ReduceE", f)
	return w.Reduce(orPanic(f))
}

// ReduceRich is Reduce with a function object, which must not have Open or Close on a keyed stream. Each subtask works on
// its own copy of f.
func (w *PartitionWindowedStream[T]) ReduceRich(f ReduceFunction[T]) *SingleOutputStreamOperator[T] {
	switch e := w.in.env; {
	case !e.checkFunction("ReduceRich", f):
		return w.Reduce(nil)
	case w.in.keys == nil:
		return w.in.sameType(ownPartition[T, T](w, "PartitionReduce", &partitionReduce[T]{object: f}, nil))
	case isRich(f):
		e.fail("UnsupportedOperation", w.in.tr.Name, "ReduceRich", "the reduce function must not have Open or Close on a keyed stream: it runs inside the window's state")
	}
	return w.Reduce(orPanic(f.Reduce))
}

// Aggregate folds the records of the partition into an accumulator. Merge is never called. Without a key there is a
// result in each subtask, also without records. f must not have Open or Close on a keyed stream.
//
// Flink drops what Add returns when the stream is not keyed, so there accumulators must be changed in place; here the
// returned one counts.
func (w *PartitionWindowedStream[T]) Aggregate[ACC, R any](f AggregateFunction[T, ACC, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	e := w.in.env
	e.checkFunction("Aggregate", f)
	if w.in.keys == nil {
		return ownPartition[T, R](w, "PartitionAggregate", &partitionAggregate[T, ACC, R]{f}, opts)
	}
	if isRich(f) {
		e.fail("UnsupportedOperation", w.in.tr.Name, "Aggregate", "the aggregate function must not have Open or Close on a keyed stream: it runs inside the window's state")
	}
	return keyedPartition(w, "PassThroughWindowFunction", &partitionFactory[T, R]{keys: w.in.keys, memory: e.memory.keyed,
		group: aggregateGroup(f)}, opts)
}

// keyedPartition makes the operator of a keyed partition. As it groups its input by itself it starts a chain.
func keyedPartition[T, R any](w *PartitionWindowedStream[T], class string, f *partitionFactory[T, R], opts []TypeOption) *SingleOutputStreamOperator[R] {
	out := keyedOperator[T, R](w.in, "GlobalWindows", f, opts)
	out.tr.Description = "Window(GlobalWindows(trigger=EndOfStreamTrigger), EndOfStreamTrigger, " + class + ")"
	out.tr.Chaining, out.tr.EmitsAtEnd, out.tr.SortsInput = graph.Head, true, true
	return out
}

// ownPartition makes an operator with the parallelism of its input.
func ownPartition[T, R any](w *PartitionWindowedStream[T], name string, f unaryFactory, opts []TypeOption) *SingleOutputStreamOperator[R] {
	out := unary[T, R](w.in, name, f, opts)
	out.tr.Parallelism, out.tr.ParallelismSet, out.tr.EmitsAtEnd = w.in.tr.Parallelism, true, true
	return out
}

// SortPartition sorts the records of the partition by key, which is called once for each record. Equal keys keep the
// order of arrival. Keys are numbers, strings, booleans, times, structs of them, or have a method Compare(K) int.
// On a keyed stream the result is grouped by the stream's key and sorted inside each group.
func (w *PartitionWindowedStream[T]) SortPartition[K any](key func(v T) K, o Order, opts ...KeyOption) *SingleOutputStreamOperator[T] {
	e := w.in.env
	typ := TypeOf[K]()
	for _, opt := range opts {
		opt(&typ)
	}
	e.nilArg(key == nil, "SortPartition", "key selector")
	if rt := dynamic(typ); rt != nil {
		if _, err := sort.OrderOf(rt); err != nil {
			e.fail("InvalidProgram", w.in.tr.Name, "SortPartition", "%s", err)
		}
	}
	return w.sorted(o, func() (orderBy[T], error) {
		ord, err := sort.OrderOf(reflect.TypeFor[K]())
		if err != nil {
			return orderBy[T]{}, err
		}
		ord = directed(ord, o)
		return orderBy[T]{func(b []byte, v *T) []byte {
			k := key(*v)
			return ord.Append(b, unsafe.Pointer(&k))
		}, ord.Compare()}, nil
	})
}

// SortPartitionByPosition is SortPartition by a field of a tuple. Positions count from 1, as Flink's documentation
// says; its code passes the number on to where the first field is 0, so there 1 sorts by the second field. A field
// that is nil fails the job.
func (w *PartitionWindowedStream[T]) SortPartitionByPosition(pos int, o Order) *SingleOutputStreamOperator[T] {
	return w.sortedByField("SortPartitionByPosition", sortPosition(pos), o)
}

// SortPartitionByField is SortPartition by a field expression: a name, names with dots, f0 for a tuple, or * for the
// value itself. A field that is nil comes first in ascending order.
func (w *PartitionWindowedStream[T]) SortPartitionByField(field string, o Order) *SingleOutputStreamOperator[T] {
	return w.sortedByField("SortPartitionByField", sortField(field), o)
}

func (w *PartitionWindowedStream[T]) sortedByField(call string, sel selector, o Order) *SingleOutputStreamOperator[T] {
	a, f, err := newAccess[T](sel, w.in.tr.Out)
	if err == nil && f != nil {
		if _, none := sort.OrderOf(f.typ); none != nil {
			err = kindError("InvalidProgram", "%v", none)
		}
	}
	if err != nil {
		w.in.env.blame(w.in.tr.Name, call, err)
	}
	return w.sorted(o, func() (orderBy[T], error) { return fieldOrder(a, f, o, call == "SortPartitionByPosition") })
}

func directed(ord *sort.Order, o Order) *sort.Order {
	if o != Ascending {
		return ord.Descending()
	}
	return ord
}

// fieldOrder is the order by a field. f is nil when only the records know it.
func fieldOrder[T any](a *access[T], f *field, o Order, noNil bool) (orderBy[T], error) {
	typ := reflect.TypeFor[any]()
	if f != nil {
		typ = f.typ
	}
	ord, err := sort.OrderOf(typ)
	if err != nil {
		return orderBy[T]{}, err
	}
	ord = directed(ord, o)
	return orderBy[T]{func(b []byte, v *T) []byte {
		p, at := a.at(v)
		if noNil && isNilAt(at.typ, p) {
			panic(kindError("NullField", "field %s of a tuple is nil", at.expr))
		}
		if f == nil && at.typ.Kind() != reflect.Interface {
			boxed := reflect.NewAt(at.typ, p).Elem().Interface()
			return ord.Append(b, unsafe.Pointer(&boxed))
		}
		return ord.Append(b, p)
	}, ord.Compare()}, nil
}

func isNilAt(t reflect.Type, p unsafe.Pointer) bool {
	k := t.Kind()
	return (k == reflect.Pointer || k == reflect.Interface) && reflect.NewAt(t, p).Elem().IsNil()
}

func (w *PartitionWindowedStream[T]) sorted(o Order, by func() (orderBy[T], error)) *SingleOutputStreamOperator[T] {
	f := &sortPartition[T]{by: by, memory: w.in.env.memory.partition}
	if w.in.keys == nil {
		return w.in.sameType(ownPartition[T, T](w, "SortPartition", f, nil))
	}
	f.keys, f.memory = w.in.keys, w.in.env.memory.keyed
	out := keyedOperator[T, T](w.in, "KeyedSortPartition", plain{f}, nil)
	out.tr.Parallelism, out.tr.ParallelismSet = w.in.tr.Parallelism, true
	out.tr.EmitsAtEnd, out.tr.SortsInput = true, true
	return w.in.sameType(out)
}
