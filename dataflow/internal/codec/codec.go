// Package codec turns values of any Go type into bytes and back, for data that leaves the heap for a while:
// sorted runs on disk, blocking exchanges, caches. The bytes are good within one process and one
// Codec only; nothing here is a storage format.
//
// What bytes cannot hold (pointers inside a value, functions, channels) is pinned: the Codec keeps it in memory and
// the bytes hold its number. So every value comes back equal, and only values that are mostly pointers gain
// nothing. A pointer at the top, as in a stream of *Order, is followed: its target comes back as a copy.
package codec

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// Codec encodes values of one static type. It is not safe for concurrent use; handing it over from the writer to
// the reader is.
type Codec struct {
	top   *plan
	plans map[reflect.Type]*plan
	types []reflect.Type // dynamic types of interface values, by number
	ids   map[reflect.Type]int
	pins  []any
	known map[any]int // numbers of pinned pointers
}

// plan is the compiled way of one type. dec fills *p, which is zero, and returns the rest of b.
type plan struct {
	enc func(b []byte, p unsafe.Pointer) []byte
	dec func(b []byte, p unsafe.Pointer) []byte
}

// New returns a Codec for values of type t.
func New(t reflect.Type) *Codec {
	c := &Codec{plans: map[reflect.Type]*plan{}, ids: map[reflect.Type]int{}, known: map[any]int{}}
	c.top = c.whole(t)
	return c
}

// Append appends the value at p, which is of the Codec's type.
func (c *Codec) Append(b []byte, p unsafe.Pointer) []byte { return c.top.enc(b, p) }

// Decode fills the zero value at p from b, and returns an error when b is not what Append made.
func (c *Codec) Decode(b []byte, p unsafe.Pointer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("codec: the bytes of a record are damaged: %v", r)
		}
	}()
	if rest := c.top.dec(b, p); len(rest) != 0 {
		return fmt.Errorf("codec: the bytes of a record are damaged: %d too many", len(rest))
	}
	return nil
}

// Pinned is how many values are kept in memory.
func (c *Codec) Pinned() int { return len(c.pins) }

// whole is the plan of a value at the top.
func (c *Codec) whole(t reflect.Type) *plan {
	switch t.Kind() {
	case reflect.Pointer:
		return c.pointer(t)
	case reflect.Interface:
		return c.dynamic(t, c.whole)
	}
	return c.plan(t)
}

// plan is the plan of a value anywhere.
func (c *Codec) plan(t reflect.Type) *plan {
	if p := c.plans[t]; p != nil {
		return p
	}
	p := &plan{}
	c.plans[t] = p // first, for a type may contain itself
	*p = *c.compile(t)
	return p
}

func (c *Codec) compile(t reflect.Type) *plan {
	if flat(t) {
		return raw(t.Size())
	}
	switch t.Kind() {
	case reflect.String:
		return text
	case reflect.Slice:
		return c.slice(t)
	case reflect.Array:
		return c.array(t)
	case reflect.Struct:
		return c.structure(t)
	case reflect.Map:
		return c.mapping(t)
	case reflect.Interface:
		return c.dynamic(t, c.plan)
	}
	return c.pin(t)
}

var flats sync.Map // reflect.Type -> bool

// flat reports whether the memory of a value is the value.
func flat(t reflect.Type) bool {
	if f, ok := flats.Load(t); ok {
		return f.(bool)
	}
	f := false
	switch t.Kind() {
	case reflect.Struct:
		f = true
		for i := range t.NumField() {
			f = f && flat(t.Field(i).Type)
		}
	case reflect.Array:
		f = flat(t.Elem())
	default:
		f = t.Kind() <= reflect.Complex128 && t.Kind() != reflect.Uintptr && t.Kind() != reflect.Invalid
	}
	flats.Store(t, f)
	return f
}

// raw copies the memory of a flat value.
func raw(size uintptr) *plan {
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte { return append(b, unsafe.Slice((*byte)(p), size)...) },
		dec: func(b []byte, p unsafe.Pointer) []byte {
			copy(unsafe.Slice((*byte)(p), size), b[:size])
			return b[size:]
		},
	}
}

var text = &plan{
	enc: func(b []byte, p unsafe.Pointer) []byte {
		s := *(*string)(p)
		return append(binary.AppendUvarint(b, uint64(len(s))), s...)
	},
	dec: func(b []byte, p unsafe.Pointer) []byte {
		n, b := length(b)
		*(*string)(p) = string(b[:n])
		return b[n:]
	},
}

// length reads a uvarint; it panics when there is none.
func length(b []byte) (int, []byte) {
	n, k := binary.Uvarint(b)
	if k <= 0 {
		panic("a length is missing")
	}
	return int(n), b[k:]
}
