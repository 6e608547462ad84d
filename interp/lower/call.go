package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/symbols/erase"
)

func (e *emitter) call(c *ast.CallExpr) string {
	tv := e.info.Types[c.Fun]
	switch {
	case tv.IsType():
		return e.conversion(c)
	case tv.IsBuiltin():
		return e.builtin(c)
	}
	sig, _ := coreType(e.typeOf(c.Fun)).(*types.Signature)
	fun := ast.Unparen(c.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		if _, ok := e.info.Instances[identOf(f.X)]; ok && identOf(f.X) != nil {
			fun = ast.Unparen(f.X)
		}
	case *ast.IndexListExpr:
		fun = ast.Unparen(f.X)
	}
	switch f := fun.(type) {
	case *ast.Ident:
		if o, ok := e.info.Uses[f].(*types.Func); ok {
			return e.funcCall(c, f, o, sig)
		}
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok {
			if _, ok := e.info.Uses[id].(*types.PkgName); ok {
				if o, ok := e.info.Uses[f.Sel].(*types.Func); ok {
					return e.funcCall(c, f, o, sig)
				}
			}
		}
		if s := e.info.Selections[f]; s != nil && s.Kind() == types.MethodVal {
			return e.methodCall(c, f, sig)
		}
	}
	if len(c.Args) == 1 {
		if tup, ok := e.typeOf(c.Args[0]).(*types.Tuple); ok {
			return e.spread(c, sig, tup, "", e.expr(fun), e.whole(sig), true)
		}
	}
	return e.expr(fun) + "(" + strings.Join(e.args(c, sig, true), ", ") + ")"
}

// funcCall calls a declared function: ours, generic ones of our std sources, the library's, or compiled.
func (e *emitter) funcCall(c *ast.CallExpr, x ast.Expr, f *types.Func, sig *types.Signature) string {
	if name, ok := e.instantiated(x); ok {
		return e.apply(c, sig, name, "", "", true)
	}
	if e.l.funcs[f.Origin()] != nil {
		return e.apply(c, sig, e.l.instance(e.inst, f.Origin(), nil).name, "", "", true)
	}
	if f.Pkg() == e.l.pkg {
		return e.fail(c, "function %s has no body", f.Name())
	}
	if isLibPkg(f.Pkg()) {
		return e.libFuncCall(c, f, sig)
	}
	if f.Pkg().Path() == "reflect" && f.Name() == "TypeFor" {
		return e.reflectTypeFor(x)
	}
	if generic(f) {
		return e.fail(c, "the generic function %s.%s is not available in a cell", f.Pkg().Name(), f.Name())
	}
	return e.stdCall(c, f, sig)
}

func (e *emitter) methodCall(c *ast.CallExpr, sel *ast.SelectorExpr, sig *types.Signature) string {
	t := e.typeOf(sel.X)
	s := e.info.Selections[sel]
	f := s.Obj().(*types.Func)
	if obj, _, _ := types.LookupFieldOrMethod(t, true, e.l.pkgOf(f), sel.Sel.Name); obj != nil {
		if g, ok := obj.(*types.Func); ok {
			f = g // of the instance, where go/types saw a type parameter
		}
	}
	if isLibPkg(f.Pkg()) && e.l.funcs[f.Origin()] == nil {
		return e.libMethodCall(c, sel, f, sig)
	}
	var targs []types.Type
	if in, ok := e.info.Instances[sel.Sel]; ok {
		for a := range in.TypeArgs.Types() {
			targs = append(targs, e.sub(a))
		}
	}
	recv := e.closed(sel.X)
	if isPointer(t) {
		recv = e.open(recv, t)
	}
	cl := e.method(sel, recv, t, sel.Sel.Name, e.l.pkgOf(f), targs)
	ours := cl.recv != ""
	if !ours {
		if special, ok := e.stdMethod(c, cl, sig); ok {
			return special
		}
	}
	return e.apply(c, sig, cl.text, cl.recv, cl.recvType, ours)
}

// args are the arguments of a call. For a lowered function the variadic part is one slice.
func (e *emitter) args(c *ast.CallExpr, sig *types.Signature, ours bool) []string {
	return e.argsFor(c, sig, ours, !ours)
}

// argsFor are the arguments of c. ours tells that the variadic part is one slice, compiled that Go's compiler made the function.
func (e *emitter) argsFor(c *ast.CallExpr, sig *types.Signature, ours, compiled bool) []string {
	n := sig.Params().Len()
	var r []string
	fixed := n
	if sig.Variadic() && !c.Ellipsis.IsValid() {
		fixed = n - 1
	}
	for i := 0; i < fixed && i < len(c.Args); i++ {
		arg := e.exprTo
		if compiled {
			arg = e.handed
		}
		r = append(r, arg(c.Args[i], sig.Params().At(i).Type()))
	}
	if fixed == n {
		if c.Ellipsis.IsValid() && !ours {
			r[len(r)-1] += "..."
		}
		return r
	}
	st := e.sub(sig.Params().At(n - 1).Type())
	et := st.Underlying().(*types.Slice).Elem()
	var vs []string
	for _, a := range c.Args[fixed:] {
		if compiled && isIOWriter(et) {
			vs = append(vs, e.handed(a, et))
			continue
		}
		vs = append(vs, e.element(a, et))
	}
	if !ours {
		return append(r, vs...)
	}
	if len(vs) == 0 {
		return append(r, e.zero(st))
	}
	return append(r, e.whole(st)+"{"+strings.Join(vs, ", ")+"}")
}

// apply calls text with the arguments of c. recv, of type recvType, comes first when it is not empty. ours
// tells that the function is lowered: its variadic part is one slice.
func (e *emitter) apply(c *ast.CallExpr, sig *types.Signature, text, recv, recvType string, ours bool) string {
	if len(c.Args) == 1 {
		if tup, ok := e.typeOf(c.Args[0]).(*types.Tuple); ok {
			return e.spread(c, sig, tup, text, recv, recvType, ours)
		}
	}
	args := e.argsFor(c, sig, ours, !ours || strings.HasPrefix(text, "rtǃ."))
	if recv != "" {
		args = append([]string{recv}, args...)
	}
	return text + "(" + strings.Join(args, ", ") + ")"
}

// spread is f(g()) where g has several results: a function between the two takes them apart.
func (e *emitter) spread(c *ast.CallExpr, sig *types.Signature, tup *types.Tuple, text, recv, recvType string, ours bool) string {
	names := e.temps(tup.Len(), "r")
	var ps []string
	for i, n := range names {
		ps = append(ps, n+" "+e.typ(tup.At(i).Type()))
	}
	args := e.spreadArgs(c, sig, tup, names, ours)
	var caps []local
	if recv != "" {
		r := e.tmp("recv")
		caps = []local{{name: r, typ: recvType}}
		args = append([]string{r}, args...)
		if text == "" {
			text, args = r, args[1:]
		}
	}
	var rs []string
	for v := range sig.Results().Variables() {
		rs = append(rs, e.typ(v.Type()))
	}
	head := "func(" + strings.Join(ps, ", ") + ")" + resultText(rs)
	mk := e.maker(head, returns(sig)+text+"("+strings.Join(args, ", ")+")\n", caps)
	if recv != "" {
		mk = mk[:strings.Index(mk, "(")] + "(" + recv + ")"
	}
	return mk + "(" + e.multi(c.Args[0]) + ")"
}

func (e *emitter) spreadArgs(c *ast.CallExpr, sig *types.Signature, tup *types.Tuple, names []string, ours bool) []string {
	var r []string
	n := sig.Params().Len()
	fixed := n
	if sig.Variadic() {
		fixed = n - 1
	}
	for i := range fixed {
		a := e.conv(names[i], tup.At(i).Type(), sig.Params().At(i).Type(), c)
		if !ours && isIOWriter(sig.Params().At(i).Type()) {
			a = "rtǃ.Writer(" + a + ")"
		}
		r = append(r, a)
	}
	if fixed == n {
		return r
	}
	st := e.sub(sig.Params().At(n - 1).Type())
	et := st.Underlying().(*types.Slice).Elem()
	var vs []string
	for i := fixed; i < tup.Len(); i++ {
		vs = append(vs, e.conv(names[i], tup.At(i).Type(), et, c))
	}
	if !ours {
		return append(r, vs...)
	}
	if len(vs) == 0 {
		return append(r, e.zero(st))
	}
	return append(r, e.whole(st)+"{"+strings.Join(vs, ", ")+"}")
}

// multi is an expression with several results: a call, or one with comma ok.
func (e *emitter) multi(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.TypeAssertExpr:
		return e.assert(e.expr(x.X), e.typeOf(x.X), e.typeOf(x.Type), true)
	case *ast.UnaryExpr: // v, ok := <-ch
		t := e.typeOf(x.X).Underlying().(*types.Chan).Elem()
		return e.l.recvOkHelper(e, t) + "(" + e.expr(x.X) + ")"
	case *ast.IndexExpr: // v, ok := m[k]
		m, ok := coreType(e.typeOf(x.X)).(*types.Map)
		if !ok {
			break
		}
		return e.l.lookupHelper(e, m) + "(" + e.expr(x.X) + ", " + e.exprTo(x.Index, m.Key()) + ")"
	}
	return e.expr(x)
}

func (l *Lowerer) lookupHelper(e *emitter, m *types.Map) string {
	return l.helper(e, "lookup", m, func(n string) string {
		k, take := e.passed("k", m.Key())
		key := "k"
		if !e.strictlyComparable(m.Key()) {
			key = e.hashable("k", m.Key(), "len(m)")
		}
		return "func " + n + "(m " + e.whole(m) + ", " + k + ") (" + e.typ(m.Elem()) + ", bool) { " + take + "v, ok := m[" + key + "]; return v, ok }\n"
	})
}

func (l *Lowerer) recvHelper(e *emitter, t types.Type) string {
	return l.helper(e, "recv", t, func(n string) string {
		tt := e.typ(t)
		return "func " + n + "(c any) " + tt + " { v, _ := rtǃ.Recv(c); return " + e.unany("v", t) + " }\n"
	})
}

func (l *Lowerer) recvOkHelper(e *emitter, t types.Type) string {
	return l.helper(e, "recvOk", t, func(n string) string {
		tt := e.typ(t)
		return "func " + n + "(c any) (" + tt + ", bool) { v, ok := rtǃ.Recv(c); return " + e.unany("v", t) + ", ok }\n"
	})
}

// unany takes a value of our representation out of an any.
func (e *emitter) unany(s string, t types.Type) string {
	tt := e.typ(t)
	if tt == "any" {
		return s
	}
	return e.l.helper(e, "un", t, func(n string) string {
		if isEmptyStruct(t) {
			return "func " + n + "(x any) " + tt + " { return " + tt + "{} }\n"
		}
		return "func " + n + "(x any) " + tt + " { var z " + tt + "; if x == nil { return z }; return x.(" + tt + ") }\n"
	}) + "(" + s + ")"
}

// once emits a helper that is about no type.
func (l *Lowerer) once(e *emitter, kind string, make func(name string) string) string {
	return l.helper(e, kind, types.Typ[types.Int], make)
}

// assert is a type assertion on text s of interface type it.
func (e *emitter) assert(s string, it, t types.Type, ok bool) string {
	s = received(s, it)
	kind := "must"
	if ok {
		kind = "assert"
	}
	static := goTypeString(it)
	h := e.l.helper(e, kind+" "+static, t, func(n string) string {
		tt, zero := e.typ(t), "var z "+e.typ(t)+"; "
		cond, v := e.isType("x", t), e.unboxed("x", t)
		if ok {
			return "func " + n + "(x any) (" + tt + ", bool) { if " + cond + " { return " + v + ", true }; " + zero + "return z, false }\n"
		}
		return "func " + n + "(x any) " + tt + " { if " + cond + " { return " + v + " }; panic(rtǃ.AssertError(x, " + e.desc(t) + ", " + quote(static) + ")) }\n"
	})
	return h + "(" + s + ")"
}

// received is what text s of the interface type it stands for: inside of the library's own is the user's value.
func received(s string, it types.Type) string {
	if n := isLib(it); n != nil && erase.ComesBack(n) {
		return "rtǃ.Received(" + s + ")"
	}
	return s
}

// isType is a condition: x, an any, holds a t.
func (e *emitter) isType(x string, t types.Type) string {
	switch {
	case isIface(t) && t.Underlying().(*types.Interface).NumMethods() == 0:
		return x + " != nil"
	case isIface(t) || e.l.needsBox(t):
		return "rtǃ.Is(" + x + ", " + e.desc(t) + ")"
	}
	return "rtǃ.IsRaw(" + x + ", " + e.rawZero(t) + ")"
}

// rawZero is a value by which the runtime knows the compiled type t.
func (e *emitter) rawZero(t types.Type) string {
	return "new(" + e.typ(t) + ")"
}

// isEmptyStruct reports whether t is a struct without fields. There is one value of it, and yaegi cannot assert
// an interface to it.
func isEmptyStruct(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// boxedValue is the t in x, a box or a bare value.
func (e *emitter) boxedValue(x string, t types.Type) string {
	if isEmptyStruct(t) {
		return e.typ(t) + "{}"
	}
	if e.opaque(t) {
		return e.open("rtǃ.Unbox("+x+")", t)
	}
	return "rtǃ.Unbox(" + x + ").(" + e.typ(t) + ")"
}

// unboxed is x, an any that holds a t, as t.
func (e *emitter) unboxed(x string, t types.Type) string {
	switch {
	case isIface(t):
		if e.typ(t) == "any" {
			return x
		}
		return e.asIface(t) + "(" + x + ")"
	case isEmptyStruct(t):
		return e.typ(t) + "{}"
	case e.l.needsBox(t):
		return e.boxedValue(x, t)
	}
	return x + ".(" + e.typ(t) + ")"
}
