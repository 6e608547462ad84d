package dataflow

import (
	"reflect"
	"unsafe"

	"flinkish/dataflow/internal/window"
)

// ByOption changes MinBy and MaxBy.
type ByOption func(*bool)

// First tells which of equal records wins: the older one, which is the default, or the newer one.
func First(first bool) ByOption { return func(keep *bool) { *keep = first } }

func keepsFirst(opts []ByOption) bool {
	first := true
	for _, o := range opts {
		o(&first)
	}
	return first
}

// aggregation is one of sum, min, max, minBy and maxBy. It takes *v into *acc.
type aggregation[T any] func(acc, v *T)

// aggregate is what an aggregation does: sign is 0 for sum, -1 for min, 1 for max.
type aggregate struct {
	call  string
	sign  int
	whole bool // minBy, maxBy: the whole record
	first bool
}

// aggregationOf resolves the field; a mistake is kept in the environment, and the result then does nothing.
func aggregationOf[T any](d *DataStream[T], g aggregate, sel selector) aggregation[T] {
	a, f, err := newAccess[T](sel, d.tr.Out)
	if err == nil && f != nil && g.sign == 0 && !summable(f.typ) {
		err = kindError("Runtime", "sum does not support %s; use a field with a number", fieldType(f.typ))
	}
	if err != nil {
		d.env.blame(d.tr.Name, g.call, err)
		return func(_, _ *T) {}
	}
	switch {
	case g.whole:
		return func(acc, v *T) {
			p, f := a.at(acc)
			q, _ := a.at(v)
			if c := compareAt(f.typ, q, p) * g.sign; c > 0 || c == 0 && !g.first {
				*acc = *v
			}
		}
	case g.sign != 0:
		return func(acc, v *T) {
			q, f := a.at(v)
			p, _ := a.at(acc)
			if compareAt(f.typ, q, p)*g.sign >= 0 {
				a.change(acc, func(p unsafe.Pointer) { reflect.NewAt(f.typ, p).Elem().Set(reflect.NewAt(f.typ, q).Elem()) })
			}
		}
	case a.direct != nil:
		offset, add := a.direct.offset, adder(a.direct.typ)
		return func(acc, v *T) {
			add(unsafe.Add(unsafe.Pointer(acc), offset), unsafe.Add(unsafe.Pointer(v), offset))
		}
	}
	return func(acc, v *T) {
		q, f := a.at(v)
		a.change(acc, func(p unsafe.Pointer) { adder(f.typ)(p, q) })
	}
}

func summable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Interface:
		return true
	}
	return false
}

// adder adds the number at q to the one at p, with wrap-around.
func adder(t reflect.Type) func(p, q unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Int:
		return addAt[int]
	case reflect.Int8:
		return addAt[int8]
	case reflect.Int16:
		return addAt[int16]
	case reflect.Int32:
		return addAt[int32]
	case reflect.Int64:
		return addAt[int64]
	case reflect.Uint:
		return addAt[uint]
	case reflect.Uint8:
		return addAt[uint8]
	case reflect.Uint16:
		return addAt[uint16]
	case reflect.Uint32:
		return addAt[uint32]
	case reflect.Uint64:
		return addAt[uint64]
	case reflect.Float32:
		return addAt[float32]
	case reflect.Float64:
		return addAt[float64]
	case reflect.Interface:
		return addBoxed
	}
	panic(kindError("Runtime", "sum does not support %s; use a field with a number", fieldType(t)))
}

func addAt[N int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64](p, q unsafe.Pointer) {
	*(*N)(p) += *(*N)(q)
}

// addBoxed adds two numbers of the same type that stand in interfaces.
func addBoxed(p, q unsafe.Pointer) {
	a, b := reflect.ValueOf(*(*any)(p)), reflect.ValueOf(*(*any)(q))
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		panic(kindError("ClassCast", "cannot add %v and %v", a, b))
	}
	sum, add := reflect.New(a.Type()), reflect.New(a.Type())
	sum.Elem().Set(a)
	add.Elem().Set(b)
	adder(a.Type())(sum.UnsafePointer(), add.UnsafePointer())
	*(*any)(p) = sum.Elem().Interface()
}

func (k *KeyedStream[T, K]) aggregate(g aggregate, sel selector) *SingleOutputStreamOperator[T] {
	return k.fold("Keyed Aggregation", &reducer[T, K]{inPlace: aggregationOf(&k.DataStream, g, sel)})
}

func (w *WindowedStream[T, K, W]) aggregate(g aggregate, sel selector) *SingleOutputStreamOperator[T] {
	f := aggregationOf(w.in, g, sel)
	contents := func() window.Contents[T, T] {
		scratch := new(T)
		return window.Contents[T, T]{
			Add: func(a *T, has bool, v T, _ int64) {
				if !has {
					*a = v
					return
				}
				*scratch = v
				f(a, scratch)
			},
			Merge: func(into, from *T) { f(into, from) },
		}
	}
	class := "ComparableAggregator"
	if g.sign == 0 {
		class = "SumAggregator"
	}
	return w.in.sameType(w.reduceWith(class, "PassThroughWindowFunction", contents, func(a, b T) T { f(&a, &b); return a },
		nil, passThrough[K, T, W], nil))
}
