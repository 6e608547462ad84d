// Variables that are defined again: the same variable when the type is identical, else a new one.

package check

import (
	"fmt"
	"go/ast"
	"go/types"
)

// rename is a variable that go/types sees under another name, because its own is taken in the sub-cell
// or because its value mentions the variable of before: x := x + 1.
type rename struct {
	id   *ast.Ident
	name string
	item int
	self bool // the value mentions it; else the name is defined earlier in the sub-cell
}

// splitRedefined is how many items come before the first that declares a name again in a way that
// cannot be checked together: all but variables defined again as variables.
func splitRedefined(items []*Item) int {
	seen := map[string]Kind{}
	for i, it := range items {
		for _, n := range declares(it) {
			if k, ok := seen[n]; ok && (k != VarItem || it.Kind != VarItem) && i > 0 {
				return i
			}
		}
		for _, n := range declares(it) {
			seen[n] = it.Kind
		}
	}
	return len(items)
}

// declares lists the names that an item declares at top level; a method is "Type.Name".
func declares(it *Item) []string {
	var names []string
	eachDeclared(it, func(name string, _ *ast.Ident) { names = append(names, name) })
	return names
}

// eachDeclared calls f for what declares lists, with the identifier at the place of its declaration.
func eachDeclared(it *Item, f func(name string, id *ast.Ident)) {
	named := func(id *ast.Ident) {
		if id.Name != "_" {
			f(id.Name, id)
		}
	}
	switch it.Kind {
	case VarItem:
		for _, id := range it.Spec.Names {
			named(id)
		}
	case FuncItem:
		fd := it.Decl.(*ast.FuncDecl)
		switch {
		case fd.Recv != nil:
			base, _ := receiver(fd)
			f(base+"."+fd.Name.Name, fd.Name)
		case fd.Name.Name != "init":
			named(fd.Name)
		}
	case TypeItem, ConstItem:
		for _, sp := range it.Decl.(*ast.GenDecl).Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				named(sp.Name)
			case *ast.ValueSpec:
				for _, id := range sp.Names {
					named(id)
				}
			}
		}
	}
}

// rename gives other names to the variables that need one, until restore.
func (a *attempt) rename() {
	a.renamed = nil
	if a.program {
		return
	}
	seen := map[string]bool{}
	for i, it := range a.items {
		if it.Kind != VarItem {
			continue
		}
		inItem := map[string]bool{}
		for _, id := range it.Spec.Names {
			n := id.Name
			if n == "_" || inItem[n] { // x, x := is an error that go/types reports
				continue
			}
			inItem[n] = true
			self := a.mentions(it, n) && (seen[n] || a.c.resolve(a.st, n) != nil)
			if self || seen[n] {
				a.renamed = append(a.renamed, &rename{id, n, i, self})
				id.Name = fmt.Sprintf("%s·%d", n, len(a.renamed))
			}
		}
		for n := range inItem {
			seen[n] = true
		}
	}
}

func (a *attempt) restore() {
	for _, r := range a.renamed {
		r.id.Name = r.name
	}
}

// mentions reports whether the values or the type of a variable mention name outside of functions.
func (a *attempt) mentions(it *Item, name string) bool {
	if it.Spec.Type != nil && mention(it.Spec.Type, name) != nil {
		return true
	}
	for _, v := range it.Spec.Values {
		if mention(v, name) != nil {
			return true
		}
	}
	return false
}

// mention finds the first use of name in x, outside of function literals, field names and keys.
func mention(x ast.Node, name string) (found *ast.Ident) {
	inspectDirect(x, func(id *ast.Ident) {
		if found == nil && id.Name == name {
			found = id
		}
	})
	return found
}

// inspectDirect calls f for the identifiers that running x reads at once.
func inspectDirect(x ast.Node, f func(*ast.Ident)) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			inspectDirect(n.X, f)
			return false
		case *ast.KeyValueExpr:
			if _, ok := n.Key.(*ast.Ident); !ok {
				inspectDirect(n.Key, f)
			}
			inspectDirect(n.Value, f)
			return false
		case *ast.Ident:
			f(n)
		}
		return true
	})
}

// splitAt is how many of the items could be checked together: fewer than all when a variable is
// defined again with another type, or read before a definition that replaces an earlier one.
func (a *attempt) splitAt() (int, *Error) {
	n := len(a.items)
	for _, r := range a.renamed {
		v, _ := a.info.Defs[r.id].(*types.Var)
		if v == nil || v.Type() == types.Typ[types.Invalid] || a.sameVar(r, v) {
			continue
		}
		if r.self && !a.definedBefore(r) { // a new variable, once its value is known
			n = min(n, r.item+1)
		} else if r.item > 0 {
			n = min(n, r.item)
		}
	}
	if n < len(a.items) || a.program {
		return n, nil
	}
	return a.usedEarly()
}

// sameVar reports whether a renamed variable continues an earlier one.
func (a *attempt) sameVar(r *rename, v *types.Var) bool {
	old, ok := a.earlier(r).(*types.Var)
	return ok && types.Identical(old.Type(), v.Type())
}

// earlier is what the name of a renamed variable meant before.
func (a *attempt) earlier(r *rename) types.Object {
	for i := range a.items[:r.item] {
		if a.items[i].Kind != VarItem {
			continue
		}
		for _, id := range a.items[i].Spec.Names {
			if o := a.info.Defs[id]; o != nil && id.Name == r.name {
				return o // the first of them is the one that has the name
			}
		}
	}
	return a.c.resolve(a.st, r.name)
}

func (a *attempt) definedBefore(r *rename) bool {
	for _, it := range a.items[:r.item] {
		if it.Kind == VarItem {
			for _, id := range it.Spec.Names {
				if id.Name == r.name {
					return true
				}
			}
		}
	}
	return false
}

// usedEarly finds a variable that is read before the item that defines it. If the name meant something
// before, the cell is split there; else it is an error.
func (a *attempt) usedEarly() (int, *Error) {
	home := map[types.Object]int{}
	for i, it := range a.items {
		if it.Kind == VarItem {
			for _, id := range it.Spec.Names {
				if o := a.info.Defs[id]; o != nil {
					home[o] = i
				}
			}
		}
	}
	n := len(a.items)
	var err *Error
	for i, it := range a.items {
		var node ast.Node
		switch it.Kind {
		case VarItem:
			node = &ast.CompositeLit{Type: it.Spec.Type, Elts: it.Spec.Values}
		case StmtItem:
			node = it.Stmt
		default:
			continue
		}
		inspectDirect(node, func(id *ast.Ident) {
			o := a.info.Uses[id]
			at, ok := home[o]
			if !ok || at <= i {
				return
			}
			if a.c.resolve(a.st, id.Name) != nil {
				if old, ok := a.c.resolve(a.st, id.Name).(*types.Var); !ok || !types.Identical(old.Type(), o.Type()) {
					n = min(n, at)
				}
				return
			}
			if err == nil {
				err = a.s.errorPos(id.Pos(), id.End(), "undefined: "+id.Name)
				l := a.s.fset.Position(o.Pos()).Line
				err.Hint = fmt.Sprintf("%s is defined on line %d, after its use", id.Name, l)
			}
		})
	}
	if n < len(a.items) {
		return n, nil
	}
	return n, err
}
