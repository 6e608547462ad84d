// Recording what a checked attempt declares.

package check

import (
	"go/ast"
	"go/types"
	"maps"
)

// typeDef is what a type declaration depends on: with the same text and the same meanings, it declares
// the same type again.
type typeDef struct {
	text string
	deps map[string]types.Object
}

// record adds the declarations of the attempt to the state of the cell, and its facts to the cell.
func (a *attempt) record(cell *Cell) {
	a.finishMethods()
	for _, p := range a.imported {
		a.declare(p.Name(), p)
	}
	for _, o := range a.dots {
		a.declare(o.Name(), o)
	}
	same := map[types.Object]types.Object{} // objects that continue earlier ones
	for i, it := range a.items {
		switch it.Kind {
		case VarItem:
			a.recordVars(i, it, same)
		case FuncItem:
			a.recordFunc(it, same)
		case TypeItem:
			a.recordTypes(it.Decl.(*ast.GenDecl))
		case ConstItem:
			for _, sp := range it.Decl.(*ast.GenDecl).Specs {
				for _, id := range sp.(*ast.ValueSpec).Names {
					a.declare(id.Name, a.info.Defs[id])
				}
			}
		}
	}
	a.recordText()
	replace(a.info.Defs, same)
	replace(a.info.Uses, same)
	a.recordImports(cell)
	defaultTypes(a.info)
	merge(cell.Info, a.info)
	if a.program {
		a.initOrder(same)
	}
	a.abandonLater()
}

func (a *attempt) declare(name string, o types.Object) {
	if name == "_" || o == nil {
		return
	}
	if old, ok := a.st.objs[name].(*types.TypeName); ok && old != o {
		a.st.stale[name]++
		delete(a.st.defs, old)
	}
	a.st.objs[name] = o
	a.st.cell[o] = a.number
}

func (a *attempt) recordVars(i int, it *Item, same map[types.Object]types.Object) {
	it.Vars, it.New = make([]*types.Var, len(it.Spec.Names)), make([]bool, len(it.Spec.Names))
	for k, id := range it.Spec.Names {
		v, _ := a.info.Defs[id].(*types.Var)
		if id.Name == "_" || v == nil {
			continue
		}
		old, _ := a.c.resolve(a.st, id.Name).(*types.Var)
		if old != nil && old != v && types.Identical(old.Type(), v.Type()) {
			same[v] = old
			a.st.objs[id.Name] = old
			a.st.cell[old] = a.number
			it.Vars[k] = old
			continue
		}
		if v.Name() != id.Name { // renamed
			*v = *types.NewVar(v.Pos(), a.c.pkg, id.Name, v.Type())
			a.c.pkg.Scope().Insert(v)
		}
		a.declare(id.Name, v)
		it.Vars[k], it.New[k] = v, true
	}
}

// recordFunc makes a redefinition with the same signature the same object, with the new contents.
func (a *attempt) recordFunc(it *Item, same map[types.Object]types.Object) {
	fd := it.Decl.(*ast.FuncDecl)
	if it.Func != nil { // a late method
		return
	}
	f, _ := a.info.Defs[fd.Name].(*types.Func)
	if f == nil {
		return
	}
	it.Func = f
	if fd.Recv != nil || fd.Name.Name == "init" {
		return
	}
	if old, ok := a.st.objs[fd.Name.Name].(*types.Func); ok && old.Pkg() == a.c.pkg && sameSignature(old, f) {
		saved := *old
		*old = *f
		a.undo = append(a.undo, func() { *old = saved })
		same[f] = old
		it.Func, it.Again = old, true
		f = old
	}
	a.declare(fd.Name.Name, f)
}

func (a *attempt) recordTypes(g *ast.GenDecl) {
	for _, sp := range g.Specs {
		ts := sp.(*ast.TypeSpec)
		if tn := a.kept[ts.Name]; tn != nil {
			a.info.Defs[ts.Name] = tn
			a.st.cell[tn] = a.number
			continue
		}
		tn, ok := a.info.Defs[ts.Name].(*types.TypeName)
		if !ok {
			continue
		}
		a.declare(ts.Name.Name, tn)
		def := typeDef{a.s.text(ts), map[string]types.Object{}}
		ast.Inspect(ts, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				switch o := a.info.Uses[id].(type) {
				case *types.TypeName, *types.Const, *types.PkgName:
					if o.Parent() == a.c.pkg.Scope() || a.c.resolve(a.st, id.Name) == o || isPackage(o) {
						def.deps[id.Name] = o
					}
				}
			}
			return true
		})
		a.st.defs[tn] = def
	}
}

func isPackage(o types.Object) bool { _, ok := o.(*types.PkgName); return ok }

// keptTypes finds the types that the items declare again exactly as they are: running a cell twice
// leaves the values of its types usable.
func (a *attempt) keptTypes() map[*ast.Ident]*types.TypeName {
	kept := map[*ast.Ident]*types.TypeName{}
	byName := map[string]*ast.Ident{}
	local := map[string]bool{}
	for _, it := range a.items {
		for _, n := range declares(it) {
			local[n] = true
		}
		if it.Kind != TypeItem {
			continue
		}
		for _, sp := range it.Decl.(*ast.GenDecl).Specs {
			ts := sp.(*ast.TypeSpec)
			tn, ok := a.st.objs[ts.Name.Name].(*types.TypeName)
			if def, known := a.st.defs[tn]; ok && known && def.text == a.s.text(ts) {
				kept[ts.Name], byName[ts.Name.Name] = tn, ts.Name
			}
		}
	}
	for again := true; again; {
		again = false
		for id, tn := range kept {
			for n, o := range a.st.defs[tn].deps {
				if !a.sameMeaning(n, o, local[n], kept[byName[n]]) {
					delete(kept, id)
					delete(byName, id.Name)
					again = true
					break
				}
			}
		}
	}
	return kept
}

// sameMeaning reports whether name still means o. local: the attempt declares it, as kept if not nil.
func (a *attempt) sameMeaning(name string, o types.Object, local bool, kept *types.TypeName) bool {
	if local {
		return kept != nil && kept == o
	}
	now := a.c.resolve(a.st, name)
	if q, ok := o.(*types.PkgName); ok {
		p, ok := now.(*types.PkgName)
		return now == nil || ok && p.Imported() == q.Imported()
	}
	return now == o
}

// recordImports notes the packages that were imported on first use. The name stays free: rand may mean
// another package in the next cell.
func (a *attempt) recordImports(cell *Cell) {
	used := map[types.Object]bool{}
	for _, o := range a.info.Uses {
		if isPackage(o) {
			used[o] = true
		}
	}
	for _, p := range a.implicit {
		if path := p.Imported().Path(); used[p] && !a.st.auto[path] {
			a.st.auto[path] = true
			cell.Imports = append(cell.Imports, path)
		}
	}
}

func replace(m map[*ast.Ident]types.Object, same map[types.Object]types.Object) {
	if len(same) == 0 {
		return
	}
	for id, o := range m {
		if n := same[o]; n != nil {
			m[id] = n
		}
	}
}

// defaultTypes gives the comparisons that go/types left untyped, because nothing uses them, type bool.
func defaultTypes(info *types.Info) {
	for x, tv := range info.Types {
		if tv.Value == nil && tv.Type == types.Typ[types.UntypedBool] {
			tv.Type = types.Typ[types.Bool]
			info.Types[x] = tv
		}
	}
}

// merge adds the facts of one attempt to those of the cell.
func merge(to, from *types.Info) {
	if len(to.Types) == 0 {
		*to = *from
		return
	}
	maps.Copy(to.Types, from.Types)
	maps.Copy(to.Defs, from.Defs)
	maps.Copy(to.Uses, from.Uses)
	maps.Copy(to.Instances, from.Instances)
	maps.Copy(to.Selections, from.Selections)
	maps.Copy(to.Implicits, from.Implicits)
	maps.Copy(to.Scopes, from.Scopes)
}

// initOrder puts the variables of a program in the order in which Go initialises them.
func (a *attempt) initOrder(same map[types.Object]types.Object) {
	rank := map[types.Object]int{}
	for i, in := range a.info.InitOrder {
		for _, v := range in.Lhs {
			rank[v] = i + 1
		}
	}
	var vars, slots []int
	for i, it := range a.items {
		if it.Kind == VarItem {
			slots = append(slots, i)
		}
	}
	vars = append(vars, slots...)
	first := func(i int) int {
		for _, id := range a.items[i].Spec.Names {
			o := a.info.Defs[id]
			for v, old := range same {
				if old == o {
					o = v
				}
			}
			if r := rank[o]; r > 0 {
				return r
			}
		}
		return 0
	}
	sortBy(vars, first)
	items := append([]*Item(nil), a.items...)
	for k, slot := range slots {
		items[slot] = a.items[vars[k]]
	}
	a.items = items
}

func (a *attempt) sub() *Sub {
	return &Sub{Items: a.items, Packages: a.usedPackages()}
}
