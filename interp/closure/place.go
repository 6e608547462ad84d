// Places: where variables and their parts lie.

package closure

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"
)

// place is where an addressable expression lies. A field of a value that has no address lies in the value.
func (c *compiler) place(x ast.Expr) place {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return c.variable(x)
	case *ast.SelectorExpr:
		return c.fieldPlace(x)
	case *ast.StarExpr:
		return deref(c.expr(x.X))
	case *ast.IndexExpr:
		if c.mapElement(x) == nil {
			return c.element(x)
		}
	}
	v := c.expr(x)
	if v.k != kMem {
		c.refuse("a part of a value")
	}
	return place{base: v.p}
}

func (c *compiler) variable(x *ast.Ident) place {
	obj := c.info.Uses[x]
	if obj == nil {
		obj = c.info.Defs[x]
	}
	v, ok := obj.(*types.Var)
	if !ok {
		c.refuse("%s as a value", x.Name)
	}
	if p, ok := c.vars[v]; ok {
		return p
	}
	return c.global(v)
}

// global is a variable of the session.
func (c *compiler) global(v *types.Var) place {
	n, ok := c.src.Globals[v]
	if !ok {
		c.refuse("variable %s", v.Name())
	}
	g := reflect.ValueOf(c.host.Global(n))
	if g.Kind() != reflect.Pointer || g.IsNil() || g.Type().Elem() != c.reflect(v.Type()) {
		c.refuse("variable %s", v.Name())
	}
	return fixed(g.UnsafePointer())
}

// deref is what a pointer points to.
func deref(v value) place {
	p := v.p
	return place{base: func(f *frame) unsafe.Pointer {
		q := *(*unsafe.Pointer)(p(f))
		if q == nil {
			nilDereference()
		}
		return q
	}}
}

var nilInt *int

// nilDereference panics as Go does.
//
//go:noinline
func nilDereference() int { return *nilInt }

func (c *compiler) fieldPlace(x *ast.SelectorExpr) place {
	s := c.info.Selections[x]
	if s == nil || s.Kind() != types.FieldVal {
		c.refuse("selector %s", x.Sel.Name)
	}
	t := c.typeOf(x.X)
	var p place
	if _, ok := t.Underlying().(*types.Pointer); ok {
		p = deref(c.expr(x.X))
		t = t.Underlying().(*types.Pointer).Elem()
	} else {
		p = c.place(x.X)
	}
	for n, i := range s.Index() {
		if ptr, ok := t.Underlying().(*types.Pointer); ok && n > 0 {
			p = deref(value{p: p.addr()})
			t = ptr.Elem()
		}
		p, t = c.part(p, t, i)
	}
	return p
}

// part is field i of the struct t at p.
func (c *compiler) part(p place, t types.Type, i int) (place, types.Type) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		c.refuse("a field of %s", t)
	}
	rt := c.reflect(t)
	if rt.Kind() != reflect.Struct || rt.NumField() != st.NumFields() {
		c.refuse("the layout of %s", t)
	}
	ft := st.Field(i).Type()
	if rt.Field(i).Type != c.reflect(ft) {
		c.refuse("field %s", st.Field(i).Name())
	}
	return p.at(rt.Field(i).Offset), types.Unalias(ft)
}

// element is an element of a slice or an array.
func (c *compiler) element(x *ast.IndexExpr) place {
	t := c.typeOf(x.X)
	i := c.exprTo(x.Index, indexType(c.info, x.Index))
	if i.k != kInt && i.k != kUint {
		c.refuse("an index")
	}
	at := i.i
	if i.k == kUint {
		at = bounded(at)
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		size := c.reflect(u.Elem()).Size()
		s := c.expr(x.X).p
		return place{base: func(f *frame) unsafe.Pointer {
			h := (*sliceHeader)(s(f))
			data, n := h.data, h.len
			i := at(f)
			if uint64(i) >= uint64(n) {
				outOfRange(i, n)
			}
			return unsafe.Add(data, uintptr(i)*size)
		}}
	case *types.Array:
		size, n := c.reflect(u.Elem()).Size(), int(u.Len())
		base := c.place(x.X).addr()
		return place{base: func(f *frame) unsafe.Pointer {
			array := base(f)
			i := at(f)
			if uint64(i) >= uint64(n) {
				outOfRange(i, n)
			}
			return unsafe.Add(array, uintptr(i)*size)
		}}
	}
	c.refuse("an element of %s", t)
	return place{}
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// outOfRange panics as Go does.
func outOfRange(i int64, n int) { _ = make([]struct{}, n)[i] }

// bounded makes an unsigned number that no int64 holds a too large index.
func bounded(i func(*frame) int64) func(*frame) int64 {
	return func(f *frame) int64 {
		n := i(f)
		if n < 0 {
			return 1<<63 - 1
		}
		return n
	}
}

// indexType is the type in which an index is evaluated: an untyped constant is an int.
func indexType(info *types.Info, x ast.Expr) types.Type {
	if info.Types[x].Value != nil {
		return types.Typ[types.Int]
	}
	return types.Unalias(info.TypeOf(x))
}
