// Calls: of built-in functions, of the standard library, and of the collector.

package closure

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/types/typeutil"
)

// called is a compiled call: do makes it, then results give what it returned. Without do, evaluating the one result
// makes the call.
type called struct {
	do      func(*frame)
	results []value
}

// effect makes the call and drops what it returns.
func (r called) effect() func(*frame) {
	if r.do == nil {
		return discard(r.results[0])
	}
	return r.do
}

func (c *compiler) call(x *ast.CallExpr) value {
	tv := c.info.Types[x.Fun]
	switch {
	case tv.IsType():
		return c.conversion(x)
	case tv.IsBuiltin():
		return c.builtin(x)
	}
	r := c.calls(x)
	if len(r.results) != 1 {
		c.refuse("a call in an expression")
	}
	return after(r.do, r.results[0])
}

// after is v, evaluated after do.
func after(do func(*frame), v value) value {
	if do == nil {
		return v
	}
	r := v
	r.where, r.isConst = nil, false
	switch v.k {
	case kInt, kUint:
		r.i = func(f *frame) int64 { do(f); return v.i(f) }
	case kFloat:
		r.f = func(f *frame) float64 { do(f); return v.f(f) }
	case kString:
		r.s = func(f *frame) string { do(f); return v.s(f) }
	case kBool:
		r.b = func(f *frame) bool { do(f); return v.b(f) }
	default:
		r.p = func(f *frame) unsafe.Pointer { do(f); return v.p(f) }
	}
	return r
}

// collect is out.Collect(v); nil if x is another call.
func (c *compiler) collect(x *ast.CallExpr) func(*frame) {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Collect" {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := c.info.Uses[id].(*types.Var)
	if v == nil || v != c.out {
		return nil
	}
	t := types.Unalias(v.Type()).(*types.Named).TypeArgs().At(0)
	box := c.boxed(c.exprTo(x.Args[0], t))
	return func(f *frame) { f.out.Collect(box(f)) }
}

// calls is a call of a compiled function or method.
func (c *compiler) calls(x *ast.CallExpr) called {
	if x.Ellipsis.IsValid() {
		c.refuse("a call with ...")
	}
	if tv := c.info.Types[x.Fun]; tv.IsType() || tv.IsBuiltin() {
		c.refuse("this call as a statement")
	}
	f, ok := typeutil.Callee(c.info, x).(*types.Func)
	if !ok {
		c.refuse("a call of a function value")
	}
	sig := f.Signature()
	if c.src.Funcs[f] != nil {
		return c.callUnit(x, f)
	}
	if f.Pkg() != nil && f.Pkg().Path() == library && sig.Recv() != nil {
		return c.libraryCall(x, f)
	}
	if sig.TypeParams().Len() > 0 || f.Pkg() == nil || !Pure(f) {
		c.refuse("function %s", f.Name())
	}
	if f.Pkg().Path() == "fmt" {
		return c.sprint(x, f.Name())
	}
	if sig.Variadic() {
		c.refuse("a variadic function")
	}
	var args []value
	fn := reflect.Value{}
	if recv := sig.Recv(); recv != nil {
		var v value
		fn, v = c.method(x.Fun, f, recv.Type())
		args = append(args, v)
	} else {
		fn = c.host.Symbol(f.Pkg().Path(), f.Name())
	}
	if !fn.IsValid() || fn.Kind() != reflect.Func {
		c.refuse("function %s", f.Name())
	}
	for i, a := range x.Args {
		if i >= sig.Params().Len() {
			c.refuse("the arguments of %s", f.Name())
		}
		args = append(args, c.exprTo(a, sig.Params().At(i).Type()))
	}
	if len(args) != fn.Type().NumIn() || len(x.Args) != sig.Params().Len() {
		c.refuse("the arguments of %s", f.Name())
	}
	return c.invoke(fn, args, sig.Results())
}

// method is a method of a compiled type as a function of its receiver, and the receiver.
func (c *compiler) method(fun ast.Expr, f *types.Func, recv types.Type) (reflect.Value, value) {
	sel := ast.Unparen(fun).(*ast.SelectorExpr)
	s := c.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		c.refuse("method %s", f.Name())
	}
	t := c.typeOf(sel.X)
	if types.IsInterface(t) {
		c.refuse("method %s of an interface", f.Name())
	}
	rt := c.reflect(recv)
	m, ok := rt.MethodByName(f.Name())
	if !ok {
		c.refuse("method %s", f.Name())
	}
	wants, has := rt.Kind() == reflect.Pointer, c.reflect(t).Kind() == reflect.Pointer
	switch {
	case wants == has && c.reflect(t) == rt:
		v := c.expr(sel.X)
		v.typ = recv
		return m.Func, v
	case wants && !has:
		at, cell := c.place(sel.X), c.slot(rt)
		if !at.local { // a variable of the frame: others may be shared or have no address
			c.refuse("the address of a receiver")
		}
		addr := at.addr()
		return m.Func, value{typ: recv, k: kMem, p: func(f *frame) unsafe.Pointer {
			p := unsafe.Add(f.mem, cell)
			*(*unsafe.Pointer)(p) = addr(f)
			return p
		}}
	case has && !wants:
		return m.Func, c.loadPlace(deref(c.expr(sel.X)), recv)
	}
	c.refuse("method %s", f.Name())
	return reflect.Value{}, value{}
}

// invoke calls fn: directly when its signature is a known one, else by reflection.
func (c *compiler) invoke(fn reflect.Value, args []value, results *types.Tuple) called {
	if r, ok := c.direct(fn, args, results); ok {
		return r
	}
	ins := make([]func(*frame) reflect.Value, len(args))
	for i, a := range args {
		ins[i] = c.reflected(a, fn.Type().In(i))
	}
	temps, vs := c.resultTemps(results)
	views := make([]func(unsafe.Pointer) reflect.Value, len(vs))
	for i := range vs {
		if fn.Type().Out(i) != c.reflect(vs[i].typ) {
			c.refuse("a result of type %s", vs[i].typ)
		}
		views[i] = viewer(fn.Type().Out(i))
	}
	return called{results: vs, do: func(f *frame) {
		var buf [4]reflect.Value
		in := buf[:0]
		for _, g := range ins {
			in = append(in, g(f))
		}
		for i, r := range fn.Call(in) {
			views[i](unsafe.Add(f.mem, temps[i])).Set(r)
		}
	}}
}

// resultTemps are variables for the results of a call.
func (c *compiler) resultTemps(results *types.Tuple) (offs []uintptr, vs []value) {
	for i := range results.Len() {
		t := types.Unalias(results.At(i).Type())
		off := c.slot(c.reflect(t))
		offs = append(offs, off)
		vs = append(vs, c.loadPlace(place{local: true, off: off}, t))
	}
	return offs, vs
}

// reflected is an argument for a call by reflection, which copies it.
func (c *compiler) reflected(v value, t reflect.Type) func(*frame) reflect.Value {
	if c.reflect(v.typ) != t {
		c.refuse("an argument of type %s", v.typ)
	}
	put, view, off := c.writer(v), viewer(t), c.slot(t)
	return func(f *frame) reflect.Value {
		p := unsafe.Add(f.mem, off)
		put(f, p)
		return view(p)
	}
}

func (c *compiler) builtin(x *ast.CallExpr) value {
	t := c.typeOf(x)
	switch name := ast.Unparen(x.Fun).(*ast.Ident).Name; name {
	case "len", "cap":
		return c.length(x, name)
	case "min", "max":
		return c.extreme(x, t, name)
	case "append":
		return c.append(x, t)
	default:
		c.refuse("builtin %s", name)
	}
	return value{}
}

func (c *compiler) length(x *ast.CallExpr, name string) value {
	t := c.typeOf(x.Args[0])
	r := value{typ: types.Typ[types.Int], k: kInt}
	if kindOf(t) == kString {
		s := c.expr(x.Args[0]).s
		r.i = func(f *frame) int64 { return int64(len(s(f))) }
		return r
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		p := c.expr(x.Args[0]).p
		r.i = func(f *frame) int64 { return int64((*sliceHeader)(p(f)).len) }
		if name == "cap" {
			r.i = func(f *frame) int64 { return int64((*sliceHeader)(p(f)).cap) }
		}
	case *types.Map:
		p, view := c.expr(x.Args[0]).p, viewer(c.reflect(t))
		r.i = func(f *frame) int64 { return int64(view(p(f)).Len()) }
	default:
		c.refuse("%s of %s", name, t)
	}
	return r
}

func (c *compiler) extreme(x *ast.CallExpr, t types.Type, name string) value {
	r := c.exprTo(x.Args[0], t)
	for _, a := range x.Args[1:] {
		v := c.exprTo(a, t)
		least := name == "min"
		switch l := r; r.k {
		case kInt:
			r = value{typ: t, k: kInt, i: extremeOf(l.i, v.i, least)}
		case kUint:
			u := func(g func(*frame) int64) func(*frame) uint64 { return func(f *frame) uint64 { return uint64(g(f)) } }
			g := extremeOf(u(l.i), u(v.i), least)
			r = value{typ: t, k: kUint, i: func(f *frame) int64 { return int64(g(f)) }}
		case kFloat:
			r = value{typ: t, k: kFloat, f: extremeOf(l.f, v.f, least)}
		case kString:
			r = value{typ: t, k: kString, s: extremeOf(l.s, v.s, least)}
		default:
			c.refuse("%s of %s", name, t)
		}
	}
	return r
}

func extremeOf[V int64 | uint64 | float64 | string](l, r func(*frame) V, least bool) func(*frame) V {
	if least {
		return func(f *frame) V { x := l(f); return min(x, r(f)) }
	}
	return func(f *frame) V { x := l(f); return max(x, r(f)) }
}

// append appends one element.
func (c *compiler) append(x *ast.CallExpr, t types.Type) value {
	st, ok := t.Underlying().(*types.Slice)
	if !ok || len(x.Args) != 2 || x.Ellipsis.IsValid() {
		c.refuse("append of several values")
	}
	rt := c.reflect(t)
	et := rt.Elem()
	s, off, tmp := c.exprTo(x.Args[0], t), c.slot(rt), c.slot(et)
	v := c.exprTo(x.Args[1], types.Unalias(st.Elem()))
	put, copy, view, size := c.writer(v), copierOf(et), viewer(rt), et.Size()
	return value{typ: t, k: kMem, p: func(f *frame) unsafe.Pointer {
		p, e := unsafe.Add(f.mem, off), unsafe.Add(f.mem, tmp)
		*(*words)(p) = *(*words)(s.p(f))
		put(f, e)
		h := (*sliceHeader)(p)
		if h.len == h.cap {
			view(p).Grow(1)
		}
		copy(unsafe.Add(h.data, uintptr(h.len)*size), e)
		h.len++
		return p
	}}
}
