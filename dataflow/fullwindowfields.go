package dataflow

import (
	"fmt"
	"reflect"
	"strings"
)

// sortPosition selects the field of a tuple at a position that counts from 1.
func sortPosition(pos int) selector {
	return selector{expr: fmt.Sprint(pos), find: func(t reflect.Type, name string) (*field, error) {
		switch {
		case pos < 1:
			return nil, kindError("IllegalArgument", "positions count from 1, got %d", pos)
		case !isTuple(t):
			return nil, kindError("InvalidProgram", "%s is not a tuple, so its fields have no positions; use SortPartitionByField, or SortPartition with a function", name)
		case pos > t.NumField():
			return nil, kindError("IndexOutOfBounds", "position %d is not in %s, which has the positions 1 to %d", pos, name, t.NumField())
		}
		f := t.Field(pos - 1)
		return &field{expr: fmt.Sprint(pos), root: t, typ: f.Type, offset: f.Offset}, nil
	}}
}

// sortField selects a field by its expression; every name on the way must be exported.
func sortField(expr string) selector {
	sel := named(expr)
	return selector{expr: expr, find: func(t reflect.Type, root string) (*field, error) {
		f, err := sel.find(t, root)
		if wrong, is := err.(*GraphError); is {
			return nil, kindError("InvalidProgram", "%s", wrong.Msg)
		}
		if expr == "*" || expr == "_" {
			return f, nil
		}
		at := t
		for name := range strings.SplitSeq(expr, ".") {
			sf, _ := fieldNamed(at, name)
			if !sf.IsExported() {
				return nil, kindError("InvalidProgram", "field %s of %s is not exported, so records cannot be sorted by it; export it, or use SortPartition with a function", sf.Name, root)
			}
			at, root = sf.Type, "the field "+name
		}
		return f, nil
	}}
}
