package dataflow

// Sum adds the field up; the other fields stay those of the first record (sum). It emits the value for every
// record of the key.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (k *KeyedStream[T, K]) Sum(pos int) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"Sum", 0, false, true}, position(pos))
}

// SumField adds the field up; the other fields stay those of the first record (sum). It emits the value for every
// record of the key.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (k *KeyedStream[T, K]) SumField(name string) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"SumField", 0, false, true}, named(name))
}

// Min keeps the least value of the field; the other fields stay those of the first record (min). It emits the value for every
// record of the key.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (k *KeyedStream[T, K]) Min(pos int) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"Min", -1, false, true}, position(pos))
}

// MinField keeps the least value of the field; the other fields stay those of the first record (min). It emits the value for every
// record of the key.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (k *KeyedStream[T, K]) MinField(name string) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"MinField", -1, false, true}, named(name))
}

// Max keeps the greatest value of the field; the other fields stay those of the first record (max). It emits the value for every
// record of the key.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (k *KeyedStream[T, K]) Max(pos int) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"Max", 1, false, true}, position(pos))
}

// MaxField keeps the greatest value of the field; the other fields stay those of the first record (max). It emits the value for every
// record of the key.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (k *KeyedStream[T, K]) MaxField(name string) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"MaxField", 1, false, true}, named(name))
}

// MinBy keeps the record with the least value of the field (minBy). It emits the value for every
// record of the key.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (k *KeyedStream[T, K]) MinBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"MinBy", -1, true, keepsFirst(opts)}, position(pos))
}

// MinByField keeps the record with the least value of the field (minBy). It emits the value for every
// record of the key.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (k *KeyedStream[T, K]) MinByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"MinByField", -1, true, keepsFirst(opts)}, named(name))
}

// MaxBy keeps the record with the greatest value of the field (maxBy). It emits the value for every
// record of the key.
// The field is the one at position pos of a tuple, or of a basic value for 0.
func (k *KeyedStream[T, K]) MaxBy(pos int, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"MaxBy", 1, true, keepsFirst(opts)}, position(pos))
}

// MaxByField keeps the record with the greatest value of the field (maxBy). It emits the value for every
// record of the key.
// The field is the one named name; dots lead into structs, * is a basic value itself.
func (k *KeyedStream[T, K]) MaxByField(name string, opts ...ByOption) *SingleOutputStreamOperator[T] {
	return k.aggregate(aggregate{"MaxByField", 1, true, keepsFirst(opts)}, named(name))
}
