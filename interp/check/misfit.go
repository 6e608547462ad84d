// Misfits: why an object is not what a generic call wants. go/types says only that it does not match.

package check

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// misfit says which method of the argument is not as the interface wants it; empty: that is not the mistake.
func (a *attempt) misfit(call *ast.CallExpr, sel *ast.SelectorExpr, te types.Error) string {
	s := a.info.Selections[sel]
	i := slices.IndexFunc(call.Args, func(x ast.Expr) bool { return x.Pos() == te.Pos })
	if s == nil || i < 0 || !strings.Contains(te.Msg, " does not match ") {
		return ""
	}
	sig, ok := s.Type().(*types.Signature)
	if !ok || i >= sig.Params().Len() {
		return ""
	}
	want, ok := sig.Params().At(i).Type().Underlying().(*types.Interface)
	have := a.info.Types[call.Args[i]].Type
	if !ok || have == nil || want.NumMethods() == 0 {
		return ""
	}
	bound := map[*types.TypeParam]types.Type{}
	for m := range want.Methods() {
		o, _, _ := types.LookupFieldOrMethod(have, true, a.c.pkg, m.Name())
		f, ok := o.(*types.Func)
		if !ok || !m.Exported() {
			continue // said elsewhere
		}
		if !unify(m.Signature(), f.Signature(), bound) {
			return fmt.Sprintf("%s must be %s%s", m.Name(), m.Name(), strings.TrimPrefix(a.c.plain(a.c.TypeString(m.Signature())), "func"))
		}
	}
	return ""
}

// unify reports whether have can be want when the type parameters in want stand for some types, those in bound for these.
func unify(want, have types.Type, bound map[*types.TypeParam]types.Type) bool {
	want, have = types.Unalias(want), types.Unalias(have)
	switch w := want.(type) {
	case *types.TypeParam:
		if t := bound[w]; t != nil {
			return types.Identical(t, have)
		}
		bound[w] = have
		return true
	case *types.Signature:
		h, ok := have.(*types.Signature)
		return ok && w.Variadic() == h.Variadic() && unifyTuple(w.Params(), h.Params(), bound) && unifyTuple(w.Results(), h.Results(), bound)
	case *types.Named:
		h, ok := have.(*types.Named)
		if !ok || w.Origin() != h.Origin() || w.TypeArgs().Len() != h.TypeArgs().Len() {
			return false
		}
		for i := range w.TypeArgs().Len() {
			if !unify(w.TypeArgs().At(i), h.TypeArgs().At(i), bound) {
				return false
			}
		}
		return true
	case *types.Pointer:
		h, ok := have.(*types.Pointer)
		return ok && unify(w.Elem(), h.Elem(), bound)
	case *types.Slice:
		h, ok := have.(*types.Slice)
		return ok && unify(w.Elem(), h.Elem(), bound)
	}
	return types.Identical(want, have)
}

func unifyTuple(want, have *types.Tuple, bound map[*types.TypeParam]types.Type) bool {
	if want.Len() != have.Len() {
		return false
	}
	for i := range want.Len() {
		if !unify(want.At(i).Type(), have.At(i).Type(), bound) {
			return false
		}
	}
	return true
}
