// Composite literals.

package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"flinkish/interp/rt"
)

func (e *emitter) composite(x *ast.CompositeLit) string {
	t := e.typeOf(x)
	if p, ok := t.Underlying().(*types.Pointer); ok { // an elided &T inside a slice or map literal
		return e.newOf(p.Elem(), e.compositeOf(x, p.Elem()))
	}
	return e.compositeOf(x, t)
}

func (e *emitter) compositeOf(x *ast.CompositeLit, t types.Type) string {
	var els []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return e.structLit(x, t, u)
	case *types.Map:
		for _, el := range x.Elts {
			kv := el.(*ast.KeyValueExpr)
			key := e.kept(kv.Key, e.element(kv.Key, u.Key()), u.Key())
			if e.riskyKey(kv.Key, u.Key()) {
				key = e.hashable(key, u.Key(), "1")
			}
			els = append(els, key+": "+e.kept(kv.Value, e.element(kv.Value, u.Elem()), u.Elem()))
		}
	case *types.Slice, *types.Array:
		et := u.(interface{ Elem() types.Type }).Elem()
		e.fits(x, et)
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				els = append(els, e.constant(e.info.Types[kv.Key].Value, types.Typ[types.Int])+": "+e.element(kv.Value, et))
				continue
			}
			els = append(els, e.element(el, et))
		}
	}
	return e.whole(t) + "{" + strings.Join(els, ", ") + "}"
}

// fits refuses a literal whose indices ask for more memory than a cell may have in one piece.
func (e *emitter) fits(x *ast.CompositeLit, elem types.Type) {
	size, next := max(1, gcSizes.Sizeof(elem)), int64(0)
	for _, el := range x.Elts {
		at := ast.Node(x)
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			at = kv.Key
			next, _ = constant.Int64Val(constant.ToInt(e.info.Types[kv.Key].Value))
		}
		if next++; next > rt.MaxRequest/size {
			refuse(at.Pos(), "a list of %d elements is too large for a cell", next)
		}
	}
}

// element is x inside a composite literal of elements of type t. yaegi guesses its type before it compiles it, and takes *p for a pointer to what p is: so no operation stands in parentheses, and what begins with
// a dereference passes through a function.
func (e *emitter) element(x ast.Expr, t types.Type) string {
	s := bare(e.exprTo(x, t))
	if strings.HasPrefix(s, "(*") {
		if n := closing(s) + 1; n < len(s) && strings.IndexByte(".([", s[n]) >= 0 {
			return e.same(s, t)
		}
	}
	return s
}

// bare is s without the parentheses around it.
func bare(s string) string {
	for len(s) > 2 && s[0] == '(' && s[1] != '*' && closing(s) == len(s)-1 {
		s = s[1 : len(s)-1]
	}
	return s
}

// closing is where the parenthesis that opens s ends.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '"':
			for i++; s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// forField is x as the value of field f; compiled code may write to one of its own.
func (e *emitter) forField(x ast.Expr, f *types.Var) string {
	if f.Pkg() != e.l.pkg && isIOWriter(f.Type()) {
		return e.handed(x, f.Type())
	}
	return e.exprTo(x, f.Type())
}

func (e *emitter) structLit(x *ast.CompositeLit, t types.Type, u *types.Struct) string {
	var els []string
	for i, el := range x.Elts {
		f := i
		v := el
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			v = kv.Value
			for j := range u.NumFields() {
				if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
					f = j
				}
			}
		}
		els = append(els, fieldName(u.Field(f), f)+": "+e.forField(v, u.Field(f)))
	}
	return e.typ(t) + "{" + strings.Join(els, ", ") + "}"
}
