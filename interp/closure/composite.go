// Literals of structs and slices.

package closure

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"
)

func (c *compiler) composite(x *ast.CompositeLit, t types.Type) value {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return c.structLit(x, t, u)
	case *types.Slice:
		return c.sliceLit(x, t, u)
	}
	c.refuse("a literal of %s", t)
	return value{}
}

// element is an element of a literal, whose own type may be left out.
func (c *compiler) elementOf(x ast.Expr, t types.Type) value {
	t = types.Unalias(t)
	if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil {
		return c.composite(lit, t)
	}
	return c.exprTo(x, t)
}

// part writes one part of a literal.
type part struct {
	off uintptr
	put func(f *frame, dst unsafe.Pointer)
}

func (c *compiler) structLit(x *ast.CompositeLit, t types.Type, u *types.Struct) value {
	rt := c.reflect(t)
	if rt.Kind() != reflect.Struct {
		c.refuse("the layout of %s", t)
	}
	var parts []part
	for i, el := range x.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			i, el = fieldIndex(u, kv.Key.(*ast.Ident).Name), kv.Value
		}
		p, ft := c.part(place{}, t, i)
		parts = append(parts, part{p.off, c.writer(c.elementOf(el, ft))})
	}
	into := func(f *frame, d unsafe.Pointer) {
		for i := range parts {
			parts[i].put(f, unsafe.Add(d, parts[i].off))
		}
	}
	if len(parts) == 2 {
		a, b := parts[0], parts[1]
		into = func(f *frame, d unsafe.Pointer) {
			a.put(f, unsafe.Add(d, a.off))
			b.put(f, unsafe.Add(d, b.off))
		}
	}
	off, clear := c.slot(rt), c.clearer(rt, len(parts) == u.NumFields())
	return value{typ: t, k: kMem, into: into, p: func(f *frame) unsafe.Pointer {
		d := unsafe.Add(f.mem, off)
		if clear != nil {
			clear(d)
		}
		into(f, d)
		return d
	}}
}

// clearer makes memory zero; nil if all of it is written anyway.
func (c *compiler) clearer(t reflect.Type, full bool) func(unsafe.Pointer) {
	if full {
		return nil
	}
	zero, copy := reflect.New(t).UnsafePointer(), copierOf(t)
	return func(d unsafe.Pointer) { copy(d, zero) }
}

func fieldIndex(u *types.Struct, name string) int {
	for i := range u.NumFields() {
		if u.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

func (c *compiler) sliceLit(x *ast.CompositeLit, t types.Type, u *types.Slice) value {
	rt, n := c.reflect(t), len(x.Elts)
	size, off := rt.Elem().Size(), c.slot(rt)
	var puts []func(*frame, unsafe.Pointer)
	for _, el := range x.Elts {
		if _, ok := el.(*ast.KeyValueExpr); ok {
			c.refuse("a literal with keys")
		}
		puts = append(puts, c.writer(c.elementOf(el, u.Elem())))
	}
	return value{typ: t, k: kMem, p: func(f *frame) unsafe.Pointer {
		s := reflect.MakeSlice(rt, n, n)
		data := s.UnsafePointer()
		for i, put := range puts {
			put(f, unsafe.Add(data, uintptr(i)*size))
		}
		h := (*sliceHeader)(unsafe.Add(f.mem, off))
		h.data, h.len, h.cap = data, n, n
		return unsafe.Pointer(h)
	}}
}
