// Keys of struct literals that are fields of embedded structs. They are put into literals of the embedded structs, so that
// those who come after see one form only.

package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// nestPromoted rewrites the struct literals in n.
func (l *Lowerer) nestPromoted(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			l.nestLit(lit)
		}
		return true
	})
}

func (l *Lowerer) nestLit(lit *ast.CompositeLit) {
	t := l.info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := coreType(t).(*types.Struct)
	if !ok {
		return
	}
	groups := map[int]*ast.CompositeLit{} // by the index of the embedded field
	var elts []ast.Expr
	last := -1
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			return
		}
		_, index, _ := types.LookupFieldOrMethod(st, false, l.pkg, key.Name)
		if len(index) < 2 {
			elts, last = append(elts, el), -1
			continue
		}
		group := groups[index[0]]
		switch {
		case group == nil:
			group = l.embedded(lit, kv, st.Field(index[0]))
			groups[index[0]] = group
			elts = append(elts, &ast.KeyValueExpr{Key: l.fieldKey(kv, st.Field(index[0])), Colon: kv.Colon, Value: group})
		case last != index[0] && l.calls(lit):
			refuse(kv.Pos(), "the fields of %s stand apart here, which changes the order of calls in a cell: write %s side by side", st.Field(index[0]).Name(), key.Name)
		}
		group.Elts = append(group.Elts, kv)
		group.Rbrace, last = kv.End(), index[0]
	}
	if len(groups) > 0 {
		lit.Elts = elts
	}
}

// embedded is an empty literal of an embedded field, in the place of its first key.
func (l *Lowerer) embedded(outer *ast.CompositeLit, kv *ast.KeyValueExpr, f *types.Var) *ast.CompositeLit {
	lit := &ast.CompositeLit{Lbrace: kv.Pos(), Rbrace: kv.End()}
	tv := l.info.Types[outer]
	tv.Type = f.Type()
	l.info.Types[lit] = tv
	return lit
}

func (l *Lowerer) fieldKey(kv *ast.KeyValueExpr, f *types.Var) *ast.Ident {
	id := &ast.Ident{NamePos: kv.Pos(), Name: f.Name()}
	l.info.Uses[id] = f
	return id
}

// calls reports whether evaluating the parts of n may have effects that others see.
func (l *Lowerer) calls(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && l.info.Types[x].Value != nil {
			return false // a constant
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !l.info.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}
