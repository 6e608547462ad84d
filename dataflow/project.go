package dataflow

import (
	"reflect"
)

// Project makes tuples of some fields of tuples, counted from 0, in the order of the arguments; a field may be given
// more than once. For the type parameter see CountWindow.
func (d *DataStream[T]) Project[P ~int](fields ...P) *SingleOutputStreamOperator[Tuple] {
	return project(d, fields, tupleKey)
}

func project[P ~int, T, R any](d *DataStream[T], fields []P, result func(Tuple) R) *SingleOutputStreamOperator[R] {
	if n := len(fields); n == 0 || n > 25 {
		d.env.fail("IllegalArgument", d.tr.Name, "Project", "one to 25 fields must be given, got %d", n)
	}
	if rt := record(d.tr.Out); rt != nil && !isTuple(rt) {
		d.env.fail("IllegalArgument", d.tr.Name, "Project", "%s is not a tuple, so its fields have no positions; use Map", recordName(d.tr.Out))
	}
	var parts []*access[T]
	for _, p := range fields {
		parts = append(parts, fieldAccess(d, "Project", position(int(p))))
	}
	f := func(v T) R {
		vals := make([]any, len(parts))
		for i, a := range parts {
			p, f := a.at(&v)
			vals[i] = reflect.NewAt(f.typ, p).Elem().Interface()
		}
		return result(tupleOf(vals))
	}
	return unary[T, R](d, "Projection", &function[T, R, func(T) R]{f, wireMap[T, R]}, []TypeOption{WithType(TypeOf[Tuple]())})
}

// fieldAccess resolves a field; a mistake is kept in the environment.
func fieldAccess[T any](d *DataStream[T], call string, sel selector) *access[T] {
	a, _, err := newAccess[T](sel, d.tr.Out)
	if err != nil {
		d.env.blame(d.tr.Name, call, err)
	}
	return a
}

// PartitionCustomByPosition is PartitionCustom by the field at position pos of a tuple, counted from 0; 0 is a basic
// value itself.
//
// Deprecated in Flink, gone in 2.0: use PartitionCustom.
func (d *DataStream[T]) PartitionCustomByPosition[K any](p func(key K, n int) int, pos int) *DataStream[T] {
	return partitionByField(d, "PartitionCustomByPosition", p, position(pos))
}

// PartitionCustomByField is PartitionCustom by a field expression: a name, names with dots, f0 for a tuple.
//
// Deprecated in Flink, gone in 2.0: use PartitionCustom.
func (d *DataStream[T]) PartitionCustomByField[K any](p func(key K, n int) int, expr string) *DataStream[T] {
	return partitionByField(d, "PartitionCustomByField", p, named(expr))
}

func partitionByField[T, K any](d *DataStream[T], call string, p func(key K, n int) int, sel selector) *DataStream[T] {
	a, f, err := newAccess[T](sel, d.tr.Out)
	kt := dynamic(keyParam[K](d.env))
	if kt == nil {
		kt = reflect.TypeFor[K]()
	}
	switch {
	case err != nil:
		d.env.blame(d.tr.Name, call, err)
	case f != nil && f.typ.Kind() == reflect.Struct && !f.typ.AssignableTo(kt):
		d.env.fail("InvalidProgram", d.tr.Name, call, "the key must be a single field, and %s has several", fieldType(f.typ))
	case f != nil && !f.typ.AssignableTo(kt):
		d.env.fail("InvalidProgram", d.tr.Name, call, "the partitioner takes %s, but the field %s is %s", typeName(kt), sel.expr, fieldType(f.typ))
	}
	return d.partitionCustom(call, p, func(v T) K {
		at, f := a.at(&v)
		k, _ := reflect.NewAt(f.typ, at).Elem().Interface().(K)
		return k
	})
}
