// Old functions: a function that is declared again is seen by all functions that call it, but the streams and function values
// that were made before keep the old one. Whoever declares it again hears of them. See bound.go for what is something else
// by now.

package check

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// old warns of the values that keep a function which the cell declares again, and notes what functions and values call.
func (ad *adviser) old() {
	again := map[string]*ast.Ident{} // by name, where the cell declares it
	for it := range ad.items() {
		if it.Kind != FuncItem || it.Func == nil {
			continue
		}
		fd := it.Decl.(*ast.FuncDecl)
		name := methodName(it.Func)
		if before := ad.c.st.text[name]; before != "" && before != ad.cell.after.text[name] {
			again[name] = fd.Name
		}
		ad.cell.after.calls[name] = ad.called(fd.Body)
	}
	keep := ad.bound(again) // the names of the values, by the name of the function
	for v, calls := range ad.cell.after.made {
		for name := range again {
			if ad.c.resolve(ad.cell.after, v.Name()) == v && calls[name] {
				keep[name] = append(keep[name], v.Name())
			}
		}
	}
	for it := range ad.items() {
		made := map[*types.Var]map[string]bool{}
		for v, x := range ad.sets(it) {
			if x != nil && ad.keepsFunctions(v.Type()) {
				made[v] = ad.reached(x)
			}
		}
		for v := range ad.sets(it) { // after all of them are known: a value may be made from itself
			for name := range keep {
				keep[name] = slices.DeleteFunc(keep[name], func(n string) bool { return n == v.Name() })
			}
			if delete(ad.cell.after.made, v); made[v] != nil {
				ad.cell.after.made[v] = made[v]
			}
		}
	}
	ad.bind()
	for _, name := range slices.Sorted(maps.Keys(keep)) {
		if list := slices.Compact(slices.Sorted(slices.Values(keep[name]))); len(list) > 0 {
			ad.warn(again[name], again[name], strings.Join(list, ", ")+keeps(len(list))+"the old "+name, "run the cells that made "+them(len(list))+" again to have the new one")
		}
	}
}

func keeps(n int) string {
	if n == 1 {
		return " keeps "
	}
	return " keep "
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// items are those of the cell, in order.
func (ad *adviser) items() func(func(*Item) bool) {
	return func(yield func(*Item) bool) {
		for _, sub := range ad.cell.Subs {
			for _, it := range sub.Items {
				if !yield(it) {
					return
				}
			}
		}
	}
}

// sets are the variables of the session that an item sets, each with its value, nil where that is one of several results.
func (ad *adviser) sets(it *Item) map[*types.Var]ast.Expr {
	set := map[*types.Var]ast.Expr{}
	value := func(list []ast.Expr, i, of int) ast.Expr {
		if len(list) == of {
			return list[i]
		}
		return nil
	}
	switch it.Kind {
	case VarItem:
		for i, v := range it.Vars {
			if v != nil {
				set[v] = value(it.Spec.Values, i, len(it.Vars))
			}
		}
	case StmtItem:
		if as, ok := it.Stmt.(*ast.AssignStmt); ok {
			for i, l := range as.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					if v, ok := ad.cell.Info.Uses[id].(*types.Var); ok {
						set[v] = value(as.Rhs, i, len(as.Lhs))
					}
				}
			}
		}
	}
	return set
}

// keepsFunctions reports whether a value of type t is a function, or a stream, whose operators keep theirs.
func (ad *adviser) keepsFunctions(t types.Type) bool {
	_, isFunc := t.Underlying().(*types.Signature)
	return isFunc || ad.c.IsStream(t)
}

// called are the functions of the session, by name, that a piece of code mentions.
func (ad *adviser) called(n ast.Node) map[string]bool {
	set := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := ad.cell.Info.Uses[id].(*types.Func); ok && f.Pkg() == ad.c.pkg {
				set[methodName(f)] = true
			}
		}
		return true
	})
	return set
}

// reached are the functions that a value keeps: those that it mentions, the ones they call, and those of the values it is made from.
func (ad *adviser) reached(x ast.Expr) map[string]bool {
	set := map[string]bool{}
	var add func(names map[string]bool)
	add = func(names map[string]bool) {
		for name := range names {
			if !set[name] {
				set[name] = true
				add(ad.cell.after.calls[name])
			}
		}
	}
	add(ad.called(x))
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := ad.cell.Info.Uses[id].(*types.Var); ok {
				add(ad.cell.after.made[v])
			}
		}
		return true
	})
	return set
}
