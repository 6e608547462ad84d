package dataflow

// Number is what SumBy can add up.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// SumBy adds a number of the records up: get reads it, and set returns the record with another one. The rest stays that of the
// first record. It emits the value for every record of the key, as Sum does, without looking into the record by name.
func (k *KeyedStream[T, K]) SumBy[N Number](get func(v T) N, set func(v T, sum N) T) *SingleOutputStreamOperator[T] {
	k.env.checkFunction("SumBy", get)
	k.env.checkFunction("SumBy", set)
	return k.fold("Keyed Aggregation", &reducer[T, K]{plain: func(a, v T) T { return set(a, get(a)+get(v)) }})
}
