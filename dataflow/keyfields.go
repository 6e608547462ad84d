package dataflow

import (
	"reflect"
	"slices"
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

// KeyByPositions keys both streams by fields of their tuples, as DataStream.KeyByPositions does: records whose keys are equal
// field by field meet. Fields that face each other must have one type.
//
// Deprecated in Flink, gone in 2.0: use KeyBy.
func (c *ConnectedStreams[A, B]) KeyByPositions[P ~int](first, second []P) *ConnectedStreams[A, B] {
	return coKeyByNumbers(c, first, second, tupleKey)
}

func coKeyByNumbers[P ~int, A, B any, K comparable](c *ConnectedStreams[A, B], first, second []P, key func(Tuple) K) *ConnectedStreams[A, B] {
	a, b := keyByNumbers(c.first, first, key), keyByNumbers(c.second, second, key)
	return connectKeyed(c, "KeyByPositions", &a.DataStream, &b.DataStream, positions(first), positions(second))
}

// KeyByFields keys both streams by field expressions, as DataStream.KeyByFields does: records whose keys are equal field by
// field meet. Fields that face each other must have one type.
//
// Deprecated in Flink, gone in 2.0: use KeyBy.
func (c *ConnectedStreams[A, B]) KeyByFields[S ~string](first, second []S) *ConnectedStreams[A, B] {
	return coKeyByNames(c, first, second, tupleKey)
}

func coKeyByNames[S ~string, A, B any, K comparable](c *ConnectedStreams[A, B], first, second []S, key func(Tuple) K) *ConnectedStreams[A, B] {
	a, b := keyByNames(c.first, first, key), keyByNames(c.second, second, key)
	return connectKeyed(c, "KeyByFields", &a.DataStream, &b.DataStream, names(first), names(second))
}

// connectKeyed connects two streams that were keyed by fields, if these are of the same types.
func connectKeyed[A, B any](c *ConnectedStreams[A, B], call string, a *DataStream[A], b *DataStream[B], first, second []selector) *ConnectedStreams[A, B] {
	x, y := fieldTypes[A](c.first.tr.Out, first), fieldTypes[B](c.second.tr.Out, second)
	if !slices.Equal(x, y) {
		c.Env().fail("UnsupportedOperation", c.first.tr.Name, call, "the keys have the types %v and %v; key both streams by the same types", x, y)
	}
	return &ConnectedStreams[A, B]{first: a, second: b}
}

// fieldTypes are the types of the fields that sels name; one that cannot be found was an error before.
func fieldTypes[T any](out Type, sels []selector) []reflect.Type {
	var types []reflect.Type
	for _, s := range sels {
		if _, f, err := newAccess[T](s, out); err == nil && f != nil {
			types = append(types, f.typ)
		}
	}
	return types
}

func positions[P ~int](pos []P) []selector {
	sels := make([]selector, len(pos))
	for i, p := range pos {
		sels[i] = position(int(p))
	}
	return sels
}

func names[S ~string](expr []S) []selector {
	sels := make([]selector, len(expr))
	for i, e := range expr {
		sels[i] = named(string(e))
	}
	return sels
}

func keyByNumbers[P ~int, T any, K comparable](d *DataStream[T], pos []P, key func(Tuple) K) *KeyedStream[T, K] {
	sels := positions(pos)
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
	return keyByFields(d, "KeyByFields", names(expr), key)
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
