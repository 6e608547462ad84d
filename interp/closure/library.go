// Calls of the library's handles: contexts, timers, keyed state. Their types are erased to any, so values are put
// into an any on the way in and taken out of it on the way back.

package closure

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"
)

// libraryCall calls a method, not itself generic, of a handle.
func (c *compiler) libraryCall(x *ast.CallExpr, f *types.Func) called {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok || x.Ellipsis.IsValid() {
		c.refuse("method %s", f.Name())
	}
	osig, sig := f.Origin().Signature(), c.typeOf(x.Fun).(*types.Signature)
	if osig.TypeParams().Len() > 0 || osig.Variadic() || osig.Params().Len() != len(x.Args) {
		c.refuse("method %s", f.Name())
	}
	recv := c.expr(sel.X)
	rt := c.reflect(recv.typ)
	m, ok := rt.MethodByName(f.Name())
	if !ok || rt.Kind() == reflect.Interface {
		c.refuse("method %s", f.Name())
	}
	args := []value{recv}
	for i, a := range x.Args {
		args = append(args, c.erase(a, osig.Params().At(i).Type(), sig.Params().At(i).Type()))
	}
	var vars []*types.Var
	for i := range osig.Results().Len() {
		t := sig.Results().At(i).Type()
		if isParam(osig.Results().At(i).Type()) {
			t = emptyInterface
		}
		vars = append(vars, types.NewParam(0, nil, "", t))
	}
	r := c.invoke(m.Func, args, types.NewTuple(vars...))
	for i, v := range r.results {
		if isParam(osig.Results().At(i).Type()) {
			r.results[i] = c.restore(v, types.Unalias(sig.Results().At(i).Type()))
		}
	}
	return r
}

func isParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// erase is an argument of type t where the library declares p.
func (c *compiler) erase(x ast.Expr, p, t types.Type) value {
	v := c.exprTo(x, t)
	if !isParam(p) {
		return v
	}
	box, off := c.boxed(v), c.slot(reflect.TypeFor[any]())
	return value{typ: emptyInterface, k: kMem, p: func(f *frame) unsafe.Pointer {
		d := unsafe.Add(f.mem, off)
		*(*any)(d) = box(f)
		return d
	}}
}

// restore is the value of type t that the library gives as any; nil is the zero value.
func (c *compiler) restore(v value, t types.Type) value {
	rt := c.reflect(t)
	if rt.Kind() == reflect.Interface {
		if rt != reflect.TypeFor[any]() {
			c.refuse("a value of %s", t)
		}
		return v
	}
	word, direct, zero, host, get, off := typeWord(rt), isDirect(rt), reflect.Zero(rt).Interface(), c.host, v.p, c.slot(reflect.TypeFor[any]())
	base := func(f *frame) unsafe.Pointer {
		x := taken(host, *(*any)(get(f)), word, zero)
		d := (*eface)(unsafe.Add(f.mem, off))
		*(*any)(unsafe.Pointer(d)) = x
		if direct {
			return unsafe.Pointer(&d.data)
		}
		return d.data
	}
	return c.loadPlace(place{base: base}, t)
}
