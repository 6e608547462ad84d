// Bound names: a constant with another value, a function with another signature and a variable of another type are new
// things under an old name. The functions that were declared before keep the old thing, as do values made of functions.

package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// bound finds what keeps a thing whose name the cell gives to another, by that name, and adds to again where it does.
func (ad *adviser) bound(again map[string]*ast.Ident) map[string][]string {
	keep, fresh := map[string][]string{}, map[string]types.Object{}
	at := map[string]*ast.Ident{}
	for it := range ad.items() {
		eachDeclared(it, func(name string, id *ast.Ident) {
			if o := ad.cell.Info.Defs[id]; o != nil {
				fresh[name], at[name] = o, id
			}
		})
	}
	for who, uses := range ad.cell.after.bound {
		typ, _, _ := strings.Cut(who, ".")
		if _, isType := fresh[typ].(*types.TypeName); fresh[who] != nil || isType {
			delete(ad.cell.after.bound, who) // it is another one
			continue
		}
		for o := range uses {
			name := methodName(o)
			if n := fresh[name]; n != nil && n != o && !alike(o, n) {
				keep[name] = append(keep[name], who)
				again[name] = at[name]
			}
		}
	}
	return keep
}

// alike reports whether nobody sees the difference between an old thing and a new one.
func alike(old, fresh types.Object) bool {
	o, ok := old.(*types.Const)
	n, okToo := fresh.(*types.Const)
	return ok && okToo && types.Identical(o.Type(), n.Type()) && constant.Compare(o.Val(), token.EQL, n.Val())
}

// bind notes what the functions and the values made of functions mention that the cell declares.
func (ad *adviser) bind() {
	for it := range ad.items() {
		if it.Kind == FuncItem && it.Func != nil && ad.current(it.Func) {
			ad.cell.after.bound[methodName(it.Func)] = ad.mentioned(it.Decl)
		}
		for v, x := range ad.sets(it) {
			if delete(ad.cell.after.bound, v.Name()); x != nil && ad.keepsFunctions(v.Type()) {
				ad.cell.after.bound[v.Name()] = ad.mentioned(x)
			}
		}
	}
}

// current reports whether f is no method of a type that the cell declares again.
func (ad *adviser) current(f *types.Func) bool {
	typ, _, method := strings.Cut(methodName(f), ".")
	if !method {
		return true
	}
	t := f.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && ad.cell.after.objs[typ] == n.Obj()
}

// usersOf are the functions of earlier cells that call f and that the items do not declare again.
func (a *attempt) usersOf(f *types.Func) []string {
	declared := map[string]bool{}
	for _, it := range a.items {
		eachDeclared(it, func(name string, _ *ast.Ident) { declared[name] = true })
	}
	var users []string
	for who, uses := range a.st.bound {
		if _, value := a.st.objs[who].(*types.Var); uses[f] && !declared[who] && !value {
			users = append(users, who)
		}
	}
	slices.Sort(users)
	return users
}

// mentioned are the constants, functions and variables of the session that a piece of code mentions.
func (ad *adviser) mentioned(n ast.Node) map[types.Object]bool {
	set := map[types.Object]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := ad.cell.Info.Uses[id].(type) {
		case *types.Func:
			if o.Pkg() == ad.c.pkg && (o.Signature().Recv() != nil || ad.cell.after.objs[o.Name()] == o) {
				set[o] = true
			}
		case *types.Const, *types.Var:
			if ad.cell.after.objs[o.Name()] == o {
				set[o] = true
			}
		}
		return true
	})
	return set
}
