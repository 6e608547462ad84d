package dataflow

import (
	"strconv"
)

//go:generate go run ./internal/tuplegen tuples_gen.go

// Tuple is a tuple whose arity and field types are known at run time only: the key of KeyByPositions
// and KeyByFields. Tuple1 to Tuple25 implement it.
type Tuple interface {
	// Arity is the number of fields.
	Arity() int
	// F is field i, counted from 0; it panics when there is no such field.
	F(i int) any
}

func noField(i, arity int) error {
	return kindError("IndexOutOfBounds", "there is no field %d in a tuple of %d; fields count from 0", i, arity)
}

func wrongArity(n int) error {
	return kindError("IllegalArgument", "a tuple has 1 to 25 fields, not %d", n)
}

// tupleField is the name of field i of a tuple.
func tupleField(i int) string { return "F" + strconv.Itoa(i) }
