package dataflow

// Sum adds the field up; the other fields stay those of the first record (sum). It emits one
// record for each firing.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (w *WindowedStream[T, K, W]) Sum(pos int) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"Sum", 0, false, true}, position(pos))
}

// SumField adds the field up; the other fields stay those of the first record (sum). It emits one
// record for each firing.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (w *WindowedStream[T, K, W]) SumField(name string) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"SumField", 0, false, true}, named(name))
}

// Min keeps the least value of the field; the other fields stay those of the first record (min). It emits one
// record for each firing.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (w *WindowedStream[T, K, W]) Min(pos int) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"Min", -1, false, true}, position(pos))
}

// MinField keeps the least value of the field; the other fields stay those of the first record (min). It emits one
// record for each firing.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (w *WindowedStream[T, K, W]) MinField(name string) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"MinField", -1, false, true}, named(name))
}

// Max keeps the greatest value of the field; the other fields stay those of the first record (max). It emits one
// record for each firing.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (w *WindowedStream[T, K, W]) Max(pos int) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"Max", 1, false, true}, position(pos))
}

// MaxField keeps the greatest value of the field; the other fields stay those of the first record (max). It emits one
// record for each firing.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (w *WindowedStream[T, K, W]) MaxField(name string) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"MaxField", 1, false, true}, named(name))
}

// MinBy keeps the record with the least value of the field (minBy). It emits one
// record for each firing.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (w *WindowedStream[T, K, W]) MinBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"MinBy", -1, true, keepsFirst(opts)}, position(pos))
}

// MinByField keeps the record with the least value of the field (minBy). It emits one
// record for each firing.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (w *WindowedStream[T, K, W]) MinByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"MinByField", -1, true, keepsFirst(opts)}, named(name))
}

// MaxBy keeps the record with the greatest value of the field (maxBy). It emits one
// record for each firing.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (w *WindowedStream[T, K, W]) MaxBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"MaxBy", 1, true, keepsFirst(opts)}, position(pos))
}

// MaxByField keeps the record with the greatest value of the field (maxBy). It emits one
// record for each firing.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (w *WindowedStream[T, K, W]) MaxByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return w.aggregate(aggregate{"MaxByField", 1, true, keepsFirst(opts)}, named(name))
}
