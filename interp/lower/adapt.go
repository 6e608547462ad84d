// Function objects: a value of the user's type becomes an implementation of the library's interface, made of
// one function for each method.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/rt"
	"flinkish/interp/symbols/erase"
)

// adapt turns text x of type t into the library's interface a.
func (e *emitter) adapt(x string, t types.Type, a *types.Named, at ast.Node) string {
	name, err := erase.AdapterName(a)
	if err != nil {
		return e.fail(at, "%v", err)
	}
	methods, err := erase.Methods(a)
	if err != nil {
		return e.fail(at, "%v", err)
	}
	b := &bindings{m: map[*types.TypeParam]types.Type{}, local: map[*types.Named]*types.Named{}}
	for i := range a.Origin().TypeParams().Len() {
		b.m[a.Origin().TypeParams().At(i)] = a.TypeArgs().At(i)
	}
	if erase.ComesBack(a) {
		x = e.conv(x, t, types.NewInterfaceType(nil, nil), at)
	}
	args := []string{x, e.cloner(t)}
	for _, m := range methods {
		args = append(args, e.adaptMethod(t, m, b, at, erase.ComesBack(a)))
	}
	return e.l.libAlias(a.Obj().Pkg()) + "." + name + "(" + strings.Join(args, ", ") + ")"
}

// cloner is a function that copies a function object for one subtask; nil when it has nothing to copy.
func (e *emitter) cloner(t types.Type) string {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || e.l.isUser(p.Elem()) == nil {
		return "nil"
	}
	return e.l.helper(e, "clone", t, func(n string) string {
		return fmt.Sprintf("func %s() func(any) any { return func(r any) any { p := r.(%s); q := new(%s); *q = %s; return q } }\n",
			n, e.whole(t), e.typ(p.Elem()), e.cloned("p", t, p))
	}) + "()"
}

// cloned is the copy of *p: by the user's Clone, if there is one.
func (e *emitter) cloned(p string, t types.Type, pt *types.Pointer) string {
	obj, _, _ := types.LookupFieldOrMethod(t, true, e.l.pkg, "Clone")
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 1 {
		return "*" + p
	}
	r := e.sub(f.Signature().Results().At(0).Type())
	call := e.invoke(e.method(&ast.Ident{}, p, t, "Clone", e.l.pkg, nil), nil, f.Signature())
	switch {
	case types.Identical(r, t):
		return "*" + call
	case types.Identical(r, pt.Elem()):
		return call
	}
	return "*" + p
}

// adaptMethod is one method as a function that takes the receiver first, in its box if boxed is set; nil when an optional one is not
// there.
func (e *emitter) adaptMethod(t types.Type, m erase.Method, b *bindings, at ast.Node, boxed bool) string {
	obj, _, _ := types.LookupFieldOrMethod(t, true, e.l.pkg, m.Name)
	f, ok := obj.(*types.Func)
	if m.Name == "String" && (!ok || !isString(f.Signature())) {
		return fmt.Sprintf("func(any) string { return %q }", strings.TrimPrefix(rt.TypeString(t), "*"))
	}
	if !ok {
		if !m.Optional {
			e.fail(at, "%s has no method %s", rt.TypeString(t), m.Name)
		}
		return "nil"
	}
	have := e.sub(f.Signature()).(*types.Signature)
	if r := erase.Record(m); r != nil && have.Params().Len() > 0 {
		b.m[r] = have.Params().At(0).Type()
	}
	want := b.subst(m.Signature).(*types.Signature)
	if !types.Identical(types.NewSignatureType(nil, nil, nil, have.Params(), have.Results(), have.Variadic()), want) {
		e.fail(at, "method %s of %s has the wrong signature: have %s, want %s", m.Name, rt.TypeString(t), signatureText(have), signatureText(want))
	}
	names := e.temps(want.Params().Len(), "a")
	var args []string
	for i, n := range names {
		args = append(args, e.fromErased(n, m.Signature.Params().At(i).Type(), want.Params().At(i).Type()))
	}
	v := e.tmp("v")
	call := e.invoke(e.method(at, v, t, m.Name, e.l.pkg, nil), args, want)
	head := e.erasedSig(m.Signature, want, names)
	head = "(r any" + comma(names) + head[1:]
	am := e.tmp("am")
	recv := "r"
	switch {
	case boxed:
		recv = e.unboxed("r", t)
	case !isIface(t):
		recv = "r.(" + e.whole(t) + ")"
	}
	fmt.Fprintf(&e.l.out.decls, "func %s() func%s { return func%s { %s := %s; %s } }\n", am, head, head, v, recv, e.wrapBody(call, m.Signature, want, true))
	return e.compiledMethod(t, f, am+"()", m.Signature, want)
}

// isString reports whether a method String is the one of fmt.Stringer.
func isString(s *types.Signature) bool {
	return s.Params().Len() == 0 && s.Results().Len() == 1 && types.Identical(s.Results().At(0).Type(), types.Typ[types.String])
}

func comma(names []string) string {
	if len(names) > 0 {
		return ", "
	}
	return ""
}

func signatureText(s *types.Signature) string {
	return rt.TypeString(types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic()))
}
