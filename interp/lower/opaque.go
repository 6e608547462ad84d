// Recursive types that yaegi has not: types that are no structs, such as type F func() F, and functions over a struct that
// holds such functions. A value of such a type is an any, which is opened wherever its parts are wanted.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
)

// opaque reports whether values of t are known as an any.
func (e *emitter) opaque(t types.Type) bool {
	t = e.sub(t)
	switch u := t.(type) {
	case *types.Signature:
	case *types.Named:
		if _, ok := u.Underlying().(*types.Struct); ok || e.l.isUser(u) == nil {
			return false
		}
	default:
		return false
	}
	if is, ok := e.l.recursive.At(t).(bool); ok {
		return is
	}
	is := false
	switch u := t.Underlying().(type) {
	case *types.Signature:
		is = e.l.reaches(u, t, true) || t != u && e.opaque(u)
	case *types.Slice, *types.Map, *types.Chan, *types.Pointer:
		is = e.l.reaches(u, t, false)
	}
	e.l.recursive.Set(t, is)
	return is
}

// reaches reports whether from, which is what target consists of, is made with target. structs says to look into the
// fields of structs, too.
func (l *Lowerer) reaches(from, target types.Type, structs bool) bool {
	seen, began := map[*types.Named]bool{}, false
	var inside func(t types.Type) bool
	inside = func(t types.Type) bool {
		return mentions(t, func(u types.Type) bool {
			if top := u == from && !began; !top && types.Identical(u, target) {
				return true
			}
			began = true
			n, ok := u.(*types.Named)
			if !ok || l.isUser(n) == nil || seen[n] || len(seen) > 1000 {
				return false
			}
			switch n.Underlying().(type) {
			case *types.Interface:
				return false
			case *types.Struct:
				if !structs {
					return false
				}
			}
			seen[n] = true
			return inside(n.Underlying())
		})
	}
	return inside(from)
}

// whole is the text of what t consists of.
func (e *emitter) whole(t types.Type) string {
	if e.opaque(t) {
		return e.structure(e.sub(t).Underlying())
	}
	return e.typ(t)
}

// opened is text s of x as what its type consists of.
func (e *emitter) opened(s string, x ast.Expr) string {
	if tv, ok := e.info.Types[x]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return s
	}
	t := e.typeOf(x)
	if t == nil || !e.opaque(t) {
		return s
	}
	return e.l.helper(e, "open", t, func(n string) string {
		tt := e.whole(t)
		return fmt.Sprintf("func %s(x any) %s { if x == nil { var z %s; return z }; return x.(%s) }\n", n, tt, tt, tt)
	}) + "(" + s + ")"
}
