// Reading through pointers. yaegi reads *p only when it needs the value, and takes what a nil pointer leads to for a
// value like others where it needs none of its parts: in a string operation, as a function, on the way into a map,
// where nothing keeps it. There a function reads it, which panics.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// star is x as a dereference, parentheses aside; nil if it is none.
func (e *emitter) star(x ast.Expr) *ast.StarExpr {
	s, ok := ast.Unparen(x).(*ast.StarExpr)
	if !ok || e.info.Types[s].IsType() {
		return nil
	}
	return s
}

// loaded is x as a value, when x is *p of a kind whose operations yaegi runs without reading it.
func (e *emitter) loaded(x ast.Expr) (string, bool) {
	s := e.star(x)
	if s == nil {
		return "", false
	}
	t := e.typeOf(s)
	switch u := t.Underlying().(type) {
	case *types.Signature:
	case *types.Basic:
		if u.Info()&types.IsString == 0 {
			return "", false
		}
	default:
		return "", false
	}
	return e.opened(e.same(e.closed(s), t), x), true
}

// kept is text s of x where nothing reads it: as the key or element of a map, or for no use at all.
func (e *emitter) kept(x ast.Expr, s string, t types.Type) string {
	if !e.unread(x) {
		return s
	}
	return e.same(s, t)
}

// unread reports whether x is *p, perhaps converted, or a constant that is none for go/types, as a conversion to a type
// parameter: yaegi would refuse two such keys that are the same.
func (e *emitter) unread(x ast.Expr) bool {
	if c, ok := ast.Unparen(x).(*ast.CallExpr); ok && e.info.Types[c.Fun].IsType() && len(c.Args) == 1 {
		if e.info.Types[x].Value != nil {
			return false
		}
		return e.info.Types[c.Args[0]].Value != nil || e.unread(c.Args[0])
	}
	return e.star(x) != nil
}

// pointerTo is &*p: p, which must not be nil.
func (e *emitter) pointerTo(x *ast.StarExpr) string {
	if u, ok := ast.Unparen(x.X).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return e.expr(x.X)
	}
	t := e.typeOf(x.X)
	return e.l.helper(e, "pointer", t, func(n string) string {
		tt := e.whole(t)
		return fmt.Sprintf("func %s(p %s) %s { if p == nil { panic(rtǃ.NilPointer) }; return p }\n", n, tt, tt)
	}) + "(" + e.expr(x.X) + ")"
}
