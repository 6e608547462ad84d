// Maps: looking for elements and writing them.

package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"unsafe"
)

// entry is m[k]. Its parts work on variables of the frame: find evaluates m and k; get looks, and leaves the element,
// or a zero value, at val, and whether it was there at found; set writes what lies at val.
type entry struct {
	typ        types.Type
	val, found place
	find       func(*frame)
	get, set   func(*frame)
}

// mapElement is x as an element of a map; nil if it is none.
func (c *compiler) mapElement(x ast.Expr) *ast.IndexExpr {
	ix, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	if _, ok := c.typeOf(ix.X).Underlying().(*types.Map); !ok {
		return nil
	}
	return ix
}

// entry compiles an element of a map.
func (c *compiler) entry(x *ast.IndexExpr) entry {
	mt := c.typeOf(x.X).Underlying().(*types.Map)
	rt := c.reflect(c.typeOf(x.X))
	kt, et := rt.Key(), rt.Elem()
	elem := types.Unalias(mt.Elem())
	switch {
	case !flat(kt):
		c.refuse("a map with keys of type %s", mt.Key())
	case c.reflect(elem) != et:
		c.refuse("an element of %s", mt)
	}
	m, k := c.expr(x.X).p, c.writer(c.exprTo(x.Index, mt.Key()))
	viewMap, viewKey, viewVal := viewer(rt), viewer(kt), viewer(et)
	table, key, val, found := c.slot(rt), c.slot(kt), c.slot(et), c.slot(basics[types.Bool])
	return entry{typ: elem, val: place{local: true, off: val}, found: place{local: true, off: found},
		find: func(f *frame) {
			*(*unsafe.Pointer)(unsafe.Add(f.mem, table)) = *(*unsafe.Pointer)(m(f))
			k(f, unsafe.Add(f.mem, key))
		},
		get: func(f *frame) {
			r := viewMap(unsafe.Add(f.mem, table)).MapIndex(viewKey(unsafe.Add(f.mem, key)))
			dst := viewVal(unsafe.Add(f.mem, val))
			if *(*bool)(unsafe.Add(f.mem, found)) = r.IsValid(); r.IsValid() {
				dst.Set(r)
			} else {
				dst.SetZero()
			}
		},
		set: func(f *frame) {
			viewMap(unsafe.Add(f.mem, table)).SetMapIndex(viewKey(unsafe.Add(f.mem, key)), viewVal(unsafe.Add(f.mem, val)))
		}}
}

// lookup is m[k], and whether it is there. Evaluating the value looks, and leaves both in variables.
func (c *compiler) lookup(x *ast.IndexExpr) (v, ok value) {
	e := c.entry(x)
	v = after(func(f *frame) { e.find(f); e.get(f) }, c.loadPlace(e.val, e.typ))
	v.where = &e.val
	return v, c.loadPlace(e.found, types.Typ[types.Bool])
}

// setElement is m[k] = r.
func (c *compiler) setElement(x *ast.IndexExpr, r ast.Expr) func(*frame) {
	e := c.entry(x)
	put := c.store(e.val, c.exprTo(r, e.typ))
	return func(f *frame) {
		e.find(f)
		put(f)
		e.set(f)
	}
}

// updateElement is m[k] op= v.
func (c *compiler) updateElement(x *ast.IndexExpr, op token.Token, v value) func(*frame) {
	e := c.entry(x)
	put := c.store(e.val, c.operate(op, e.typ, c.loadPlace(e.val, e.typ), v))
	return func(f *frame) {
		e.find(f)
		e.get(f)
		put(f)
		e.set(f)
	}
}
