package dataflow

import (
	"reflect"
	"unsafe"

	"flinkish/dataflow/internal/keygroup"
)

// KeyByPositions keys a stream of tuples by fields, or one of arrays or slices by elements, counted from 0. The key is always a Tuple, even of one field; a
// field that is a tuple itself counts as all its fields. For the type parameter see CountWindow.
//
// Deprecated in Flink, gone in 2.0: use KeyBy.
func (d *DataStream[T]) KeyByPositions[P ~int](pos ...P) *KeyedStream[T, Tuple] {
	return keyByNumbers(d, pos, tupleKey)
}

func keyByNumbers[P ~int, T any, K comparable](d *DataStream[T], pos []P, key func(Tuple) K) *KeyedStream[T, K] {
	sels := make([]selector, len(pos))
	for i, p := range pos {
		sels[i] = position(int(p))
	}
	if rt := record(d.tr.Out); rt != nil && !isTuple(rt) && !isArray(rt) {
		d.env.fail("InvalidProgram", d.tr.Name, "KeyByPositions", "%s is not a tuple, so its fields have no positions; use KeyBy with a function, or KeyByFields", recordName(d.tr.Out))
		sels = nil
	}
	return keyByFields(d, "KeyByPositions", sels, key)
}

// KeyByFields keys a stream by field expressions: a name, names with dots, f0 for a tuple, or * for the value
// itself. The key is always a Tuple; a field that is a struct counts as all its fields. For the type parameter see
// CountWindow.
//
// Deprecated in Flink, gone in 2.0: use KeyBy.
func (d *DataStream[T]) KeyByFields[S ~string](expr ...S) *KeyedStream[T, Tuple] {
	return keyByNames(d, expr, tupleKey)
}

func keyByNames[S ~string, T any, K comparable](d *DataStream[T], expr []S, key func(Tuple) K) *KeyedStream[T, K] {
	sels := make([]selector, len(expr))
	for i, e := range expr {
		sels[i] = named(string(e))
	}
	return keyByFields(d, "KeyByFields", sels, key)
}

func keyByFields[T any, K comparable](d *DataStream[T], call string, sels []selector, key func(Tuple) K) *KeyedStream[T, K] {
	if len(sels) == 0 {
		d.env.fail("IllegalArgument", d.tr.Name, call, "at least one field must be given")
	}
	var parts []*access[T]
	for _, s := range sels {
		a, f, err := newAccess[T](s, d.tr.Out)
		if err == nil && f != nil {
			err = keygroup.CheckKeyType(f.typ)
		}
		if err != nil {
			d.env.blame(d.tr.Name, call, err)
		}
		parts = append(parts, a)
	}
	return keyed(d, call, func(v T) K {
		vals := make([]any, 0, len(parts))
		for _, a := range parts {
			p, f := a.at(&v)
			vals = flatFields(vals, f.typ, p)
		}
		return key(tupleOf(vals))
	}, TypeOf[Tuple]())
}

// flatFields appends the value at p, or the values of its fields when it is a plain struct.
func flatFields(vals []any, t reflect.Type, p unsafe.Pointer) []any {
	if t.Kind() != reflect.Struct || t.NumField() == 0 || t.NumMethod() > 0 && !isTuple(t) {
		return append(vals, reflect.NewAt(t, p).Elem().Interface())
	}
	for i := range t.NumField() {
		f := t.Field(i)
		vals = flatFields(vals, f.Type, unsafe.Add(p, f.Offset))
	}
	return vals
}
