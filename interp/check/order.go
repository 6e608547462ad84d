// Putting declarations in an order that can be checked.

package check

import (
	"go/ast"
	"go/types"
	"sort"
)

// typesFirst takes types, constants and imports off the items, as a sub-cell of their own, when the
// items also add methods to types of earlier cells: the headers of those may name the new types.
func (c *Checker) typesFirst(st *state, s *source, items []*Item) (first, rest []*Item) {
	n := splitRedefined(items)
	late, types := false, false
	for _, it := range items[:n] {
		switch it.Kind {
		case FuncItem:
			late = late || c.isLate(st, s, it.Decl.(*ast.FuncDecl), items[:n])
		case TypeItem, ConstItem:
			types = true
		}
	}
	if !late || !types {
		return nil, items
	}
	for _, it := range items[:n] {
		switch it.Kind {
		case TypeItem, ConstItem, ImportItem:
			first = append(first, it)
		default:
			rest = append(rest, it)
		}
	}
	return first, append(rest, items[n:]...)
}

// isLate reports whether a method belongs to a type of an earlier cell, which the items may declare
// once more as it is.
func (c *Checker) isLate(st *state, s *source, fd *ast.FuncDecl, items []*Item) bool {
	name, _ := receiver(fd)
	tn, ok := st.objs[name].(*types.TypeName)
	if name == "" || !ok {
		return false
	}
	for _, it := range items {
		if it.Kind != TypeItem {
			continue
		}
		for _, sp := range it.Decl.(*ast.GenDecl).Specs {
			if ts := sp.(*ast.TypeSpec); ts.Name.Name == name {
				return st.defs[tn].text == s.text(ts)
			}
		}
	}
	return true
}

// sortBy sorts list by key, keeping the order of equal keys.
func sortBy(list []int, key func(int) int) {
	sort.SliceStable(list, func(i, j int) bool { return key(list[i]) < key(list[j]) })
}
