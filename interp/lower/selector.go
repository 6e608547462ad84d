// Fields, methods and package members.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/rt"
)

func (e *emitter) selector(x *ast.SelectorExpr) string {
	if id, ok := x.X.(*ast.Ident); ok {
		if _, ok := e.info.Uses[id].(*types.PkgName); ok {
			return e.pkgMember(x)
		}
	}
	s := e.info.Selections[x]
	if s == nil {
		return e.fail(x, "%s has no value here", x.Sel.Name)
	}
	if s.Kind() == types.MethodExpr {
		return e.methodExpr(x)
	}
	t := e.typeOf(x.X)
	obj, index, _ := types.LookupFieldOrMethod(t, true, e.l.pkgOf(s.Obj()), x.Sel.Name)
	if _, ok := obj.(*types.Var); ok {
		r, _ := e.path(e.expr(x.X), t, index)
		return r
	}
	return e.methodValue(x)
}

// pkgOf is the package whose unexported names a selection may see.
func (l *Lowerer) pkgOf(o types.Object) *types.Package {
	if o != nil && o.Pkg() != nil {
		return o.Pkg()
	}
	return l.pkg
}

// pkgMember is pkg.Name.
func (e *emitter) pkgMember(x *ast.SelectorExpr) string {
	switch o := e.info.Uses[x.Sel].(type) {
	case *types.TypeName:
		return e.typ(o.Type())
	case *types.Var:
		return e.pkgVar(x, o)
	case *types.Func:
		if name, ok := e.instantiated(x); ok {
			return e.funcValue(name, e.typeOf(x))
		}
		return e.compiledFunc(x, o)
	}
	return e.fail(x, "%s has no value here", x.Sel.Name)
}

// path is s.f1.f2 through embedded fields, with the type reached.
func (e *emitter) path(s string, t types.Type, index []int) (string, types.Type) {
	if len(index) > 0 && !isPointer(t) {
		s = pointerOf(s)
	}
	for _, i := range index {
		u := t.Underlying()
		if p, ok := u.(*types.Pointer); ok {
			s = e.open(s, t)
			u = e.sub(p.Elem()).Underlying()
		}
		f := u.(*types.Struct).Field(i)
		s, t = s+"."+fieldName(f, i), e.sub(f.Type())
	}
	return s, t
}

// pointerOf is the pointer that s dereferences, as an operand of a selector: p.f is (*p).f without a copy of the struct.
// Any other text stays as it is.
func pointerOf(s string) string {
	if !strings.HasPrefix(s, "(*") || closing(s) != len(s)-1 {
		return s
	}
	if p := s[2 : len(s)-1]; p[0] != '*' && p[0] != '&' {
		return p
	}
	return s
}

// callee says how to call a method: Text(Recv, args...), or Text(args...) when Recv is empty.
type callee struct {
	text, recv, recvType string
	f                    *types.Func
}

// method resolves a method of a value that is already text. addr is the text of its address, if it has one.
func (e *emitter) method(at ast.Node, recv string, t types.Type, name string, pkg *types.Package, targs []types.Type) callee {
	obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	f, ok := obj.(*types.Func)
	if !ok {
		e.fail(at, "method %s is not known here", name)
	}
	p, pt := e.path(recv, t, index[:len(index)-1])
	if isIface(pt) {
		if e.typ(pt) == "any" {
			return callee{text: e.dispatch(f, pt), recv: p, recvType: "any", f: f}
		}
		if g := guardedInterfaces[f.FullName()]; g != "" {
			return callee{text: g, recv: p, recvType: e.typ(pt), f: f}
		}
		return callee{text: p + "." + name, f: f}
	}
	declared := f.Type().(*types.Signature).Recv().Type()
	base, ptrRecv := declared, false
	if q, ok := declared.(*types.Pointer); ok {
		base, ptrRecv = q.Elem(), true
	}
	n := e.l.isUser(base)
	if g := rt.GuardedMethods[f.FullName()]; g != "" {
		if !isPointer(pt) {
			p = addressOf(p)
		}
		return callee{text: "rtǃ." + g, recv: p, recvType: e.typ(declared), f: f}
	}
	if isAtomic(base) {
		if !isPointer(pt) {
			p = addressOf(p)
		}
		return callee{text: e.atomicMethod(f), recv: p, recvType: "*rtǃ.AtomicPointer", f: f}
	}
	if n == nil || isLibPkg(n.Obj().Pkg()) {
		if ptrRecv && !isPointer(pt) && len(index) > 1 {
			return callee{text: "(&" + p + ")." + name, f: f}
		}
		return callee{text: p + "." + name, f: f}
	}
	switch isPtr := isPointer(pt); {
	case ptrRecv && !isPtr:
		p = addressOf(p)
	case !ptrRecv && isPtr:
		p = "(*" + e.open(p, pt) + ")"
	}
	return callee{text: e.l.instance(e.inst, f.Origin(), append(receiverArgs(e.sub(pt)), targs...)).name, recv: p, recvType: e.recvType(pt, ptrRecv), f: f}
}

// recvType is the type of the receiver parameter of a lowered method found on a value of type t.
func (e *emitter) recvType(t types.Type, pointer bool) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if pointer {
		return "*" + e.typ(t)
	}
	if e.signed(t) {
		return "any" // see passed
	}
	return e.typ(t)
}

// addressOf is & of a text; a variable behind a pointer gives the pointer.
func addressOf(s string) string {
	if strings.HasPrefix(s, "(*") && strings.HasSuffix(s, ")") && !strings.ContainsAny(s[2:len(s)-1], "(). [") {
		return s[2 : len(s)-1]
	}
	return "&" + s
}

// receiverArgs are the type arguments of a receiver type.
func receiverArgs(t types.Type) []types.Type {
	if q, ok := t.Underlying().(*types.Pointer); ok {
		if _, named := t.(*types.Named); !named {
			t = types.Unalias(q.Elem())
		}
	}
	n, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	var r []types.Type
	for a := range n.TypeArgs().Types() {
		r = append(r, a)
	}
	return r
}

// dispatch is a helper that calls method f of a value in an interface of ours.
func (e *emitter) dispatch(f *types.Func, it types.Type) string {
	sig := e.sub(f.Type()).(*types.Signature)
	key := f.Name()
	if p := f.Pkg(); p != nil && !f.Exported() {
		key += "@" + p.Path()
	}
	plain := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	return e.l.helper(e, "call "+key, plain, func(n string) string {
		names := e.temps(plain.Params().Len(), "a")
		ps, ts, as, take := []string{"r any"}, []string{"any"}, []string{"r"}, ""
		for i, a := range names {
			t := plain.Params().At(i).Type()
			p, v := e.passed(a, t)
			take += v
			ps, ts, as = append(ps, p), append(ts, e.typ(t)), append(as, a)
		}
		var rs []string
		for v := range plain.Results().Variables() {
			rs = append(rs, e.typ(v.Type()))
		}
		res := resultText(rs)
		return fmt.Sprintf("func %s(%s)%s { %sf, okǃ := rtǃ.Find(r, %q).(func(%s)%s); if !okǃ { rtǃ.Resigned(r, %q) }; %sf(%s) }\n",
			n, strings.Join(ps, ", "), res, take, f.Name(), strings.Join(ts, ", "), res, f.Name(), returns(plain), strings.Join(as, ", "))
	})
}

// methodExpr is T.Method: a function that takes the receiver first.
func (e *emitter) methodExpr(x *ast.SelectorExpr) string {
	t := e.typeOf(x.X)
	sig := e.typeOf(x).(*types.Signature)
	names := e.temps(sig.Params().Len(), "a")
	s := e.info.Selections[x]
	c := e.method(x, names[0], t, x.Sel.Name, e.l.pkgOf(s.Obj()), nil)
	mk := e.tmp("me")
	fmt.Fprintf(&e.l.out.decls, "func %s() %s { return func%s { %s%s } }\n", mk, e.typ(sig), e.sig(sig, names), returns(sig), e.invokeValue(x, c, names[1:], withoutFirst(sig)))
	return mk + "()"
}

// invoke calls a resolved method with arguments that are already text, the last of a variadic one a slice.
func (e *emitter) invoke(c callee, args []string, sig *types.Signature) string {
	if c.recv != "" {
		args = append([]string{c.recv}, args...)
	} else if sig.Variadic() && len(args) > 0 {
		args = append(append([]string{}, args[:len(args)-1]...), args[len(args)-1]+"...")
	}
	return c.text + "(" + strings.Join(args, ", ") + ")"
}

// withoutFirst is sig without the receiver that is its first parameter.
func withoutFirst(sig *types.Signature) *types.Signature {
	var ps []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		ps = append(ps, sig.Params().At(i))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(ps...), sig.Results(), sig.Variadic())
}

// methodValue is x.Method as a function: the receiver is evaluated now.
func (e *emitter) methodValue(x *ast.SelectorExpr) string {
	t := e.typeOf(x.X)
	s := e.info.Selections[x]
	sig := e.typeOf(x).Underlying().(*types.Signature)
	plain := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	if f, ok := s.Obj().(*types.Func); ok && isLibPkg(f.Pkg()) {
		return e.libMethodValue(x, f, plain)
	}
	recv, rt := e.expr(x.X), e.whole(t)
	vt := t
	if e.wantsPointer(s) && !isPointer(t) {
		recv, rt, vt = e.address(x.X), "*"+e.typ(t), types.NewPointer(t)
	}
	if b, bt, ok := e.boundReceiver(recv, vt, x.Sel.Name, e.l.pkgOf(s.Obj())); ok {
		recv, rt, vt = b, e.whole(bt), bt
	}
	r := e.tmp("r")
	names := e.temps(plain.Params().Len(), "a")
	c := e.method(x, r, vt, x.Sel.Name, e.l.pkgOf(s.Obj()), nil)
	mk := e.tmp("mv")
	p, take := e.passedText(r, rt, e.signed(vt))
	fmt.Fprintf(&e.l.out.decls, "func %s(%s) %s { %sreturn func%s { %s%s } }\n", mk, p, e.typ(plain), take, e.sig(plain, names), returns(plain), e.invokeValue(x, c, names, plain))
	return mk + "(" + recv + ")"
}

// boundReceiver is the value that a method value of recv, of type t, keeps: what its embedded fields and pointers
// lead to now, not when it is called. ok is false when recv itself is kept.
func (e *emitter) boundReceiver(recv string, t types.Type, name string, pkg *types.Package) (text string, vt types.Type, ok bool) {
	obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	f, isFunc := obj.(*types.Func)
	if !isFunc {
		return "", nil, false
	}
	p, pt := e.path(recv, t, index[:len(index)-1])
	ptrRecv := isPointer(f.Type().(*types.Signature).Recv().Type())
	switch {
	case isIface(pt):
		if e.typ(pt) == "any" {
			return "rtǃ.Bound(" + p + ")", pt, true
		}
		return e.l.helper(e, "bound", pt, func(n string) string {
			tt := e.typ(pt)
			return "func " + n + "(x " + tt + ") " + tt + " { rtǃ.Bound(x); return x }\n"
		}) + "(" + p + ")", pt, true
	case ptrRecv && isPointer(pt):
		return e.open(p, pt), pt, len(index) > 1
	case ptrRecv:
		return "", nil, false
	case isPointer(pt):
		return "(*" + e.open(p, pt) + ")", e.sub(pt.Underlying().(*types.Pointer).Elem()), true
	}
	return e.open(p, pt), pt, len(index) > 1
}

// wantsPointer reports whether the selected method has a pointer receiver reached without an indirection.
func (e *emitter) wantsPointer(s *types.Selection) bool {
	f, ok := s.Obj().(*types.Func)
	if !ok {
		return false
	}
	r := f.Type().(*types.Signature).Recv()
	return r != nil && isPointer(r.Type()) && !s.Indirect()
}
