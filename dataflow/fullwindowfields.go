package dataflow

import (
	"fmt"
)

// sortPosition selects the field of a tuple at a position that counts from 1.
func sortPosition(pos int) selector {
	return selector{expr: fmt.Sprint(pos), find: func(s shape) (*field, error) {
		t, name := s.t, s.name
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

// sortField selects a field by its expression.
func sortField(expr string) selector {
	sel := named(expr)
	return selector{expr: expr, find: func(s shape) (*field, error) {
		f, err := sel.find(s)
		if wrong, is := err.(*GraphError); is {
			return nil, kindError("InvalidProgram", "%s", wrong.Msg)
		}
		return f, err
	}}
}
