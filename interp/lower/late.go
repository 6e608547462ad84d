// Methods that come after their type was in an interface: what descriptors were made without them gets them.

package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"flinkish/interp/check"
)

// lateMethods gives the methods that sub declares for types of earlier cells to the descriptors of all types that have them.
func (l *Lowerer) lateMethods(sub *check.Sub) {
	own := map[token.Pos]bool{} // the types of sub, of which no descriptor lacks a method
	for _, it := range sub.Items {
		if it.Kind != check.TypeItem {
			continue
		}
		for _, sp := range it.Decl.(*ast.GenDecl).Specs {
			own[sp.(*ast.TypeSpec).Name.Pos()] = true
		}
	}
	for _, it := range sub.Items {
		if it.Kind != check.FuncItem || it.Func == nil || l.funcs[it.Func.Origin()] == nil {
			continue
		}
		if n := receiverOf(it.Func); n != nil && !own[n.Obj().Pos()] {
			l.lateMethod(it.Func, n)
		}
	}
}

// receiverOf is the type that declares f, itself not an instance; nil if f is no method.
func receiverOf(f *types.Func) *types.Named {
	r := f.Signature().Recv()
	if r == nil {
		return nil
	}
	t := types.Unalias(r.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin()
	}
	return nil
}

// lateMethod gives method f of n to the descriptors of n or its instances, of pointers to them, and of what embeds them.
func (l *Lowerer) lateMethod(f *types.Func, n *types.Named) {
	if n.TypeParams().Len() > 0 { // go/types knows the methods of an instance from when it was made
		l.reg.Renew(func(t types.Type) types.Type { return check.Renewed(t, n) })
	}
	e := &emitter{l: l, info: l.funcs[f.Origin()].info}
	for _, t := range l.boxedInside(n) {
		e.reg(t)
	}
	for i, t := range l.reg.Types() {
		if hasMethod(t, f) {
			e.descMethods(t, i)
		}
	}
}

// boxedInside lists n, or its instances, where a type that has a descriptor is made of them.
func (l *Lowerer) boxedInside(n *types.Named) (found []*types.Named) {
	var seen typeutil.Map
	var visit func(t types.Type)
	visit = func(t types.Type) {
		mentions(t, func(t types.Type) bool {
			m := l.isUser(t)
			if m == nil || seen.At(m) != nil {
				return false
			}
			seen.Set(m, true)
			if m.Origin() == n {
				found = append(found, m)
			}
			visit(m.Underlying())
			return false
		})
	}
	for _, t := range l.reg.Types() {
		visit(t)
	}
	return found
}

// hasMethod reports whether f, or what an instance makes of it, is a method of t.
func hasMethod(t types.Type, f *types.Func) bool {
	if isIface(t) {
		return false
	}
	o, _, _ := types.LookupFieldOrMethod(t, false, f.Pkg(), f.Name())
	m, ok := o.(*types.Func)
	return ok && m.Origin() == f.Origin()
}
