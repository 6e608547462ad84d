// Declarations of a cell: functions, types and variables, and what they change of earlier cells.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"

	"flinkish/interp/check"
)

// functions registers and emits what the items declare.
func (l *Lowerer) functions(sub *check.Sub) {
	var again []*fn
	for _, it := range sub.Items {
		if it.Kind != check.FuncItem || it.Decl.(*ast.FuncDecl).Body == nil {
			continue
		}
		d := it.Decl.(*ast.FuncDecl)
		f := l.funcs[it.Func.Origin()]
		if f != nil && !it.Again { // a method with another signature
			f.retire()
			f = nil
		}
		if f == nil {
			f = &fn{obj: it.Func}
			l.funcs[it.Func.Origin()] = f
		} else {
			again = append(again, f)
		}
		f.decl, f.info, f.an = d, l.info, nil
	}
	for _, it := range sub.Items {
		if it.Kind != check.VarItem {
			continue
		}
		for _, v := range it.Vars {
			if v != nil && l.globals[v] == nil {
				l.Declare(v)
			}
		}
	}
	l.types(sub)
	l.relower(again)
	for _, it := range sub.Items {
		if it.Kind == check.FuncItem && it.Func != nil && !generic(it.Func) && l.funcs[it.Func.Origin()] != nil {
			l.instance(nil, it.Func.Origin(), nil)
		}
	}
	l.lateMethods(sub)
}

// types lowers the types that the items declare, so that one which cannot be is refused where it is declared.
func (l *Lowerer) types(sub *check.Sub) {
	for _, it := range sub.Items {
		if it.Kind != check.TypeItem {
			continue
		}
		for _, sp := range it.Decl.(*ast.GenDecl).Specs {
			ts := sp.(*ast.TypeSpec)
			tn, ok := l.info.Defs[ts.Name].(*types.TypeName)
			if !ok || ts.TypeParams != nil || ts.Assign.IsValid() {
				continue
			}
			l.at = ts.Name
			e := &emitter{l: l, info: l.info}
			e.typ(tn.Type())
			if pointsToItself(tn.Type()) {
				e.fail(ts.Name, "a cell cannot run a type of pointers that lead only to pointers, such as type P *P")
			}
		}
	}
}

// pointsToItself reports whether pointers lead from t to nothing but pointers.
func pointsToItself(t types.Type) bool {
	for seen := map[types.Type]bool{}; !seen[t]; {
		seen[t] = true
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			return false
		}
		t = p.Elem()
	}
	return true
}

// globalName is the pointer to session variable v; its first use declares it.
func (e *emitter) globalName(v *types.Var) string {
	g := e.l.globals[v]
	if g == nil {
		return ""
	}
	if !g.declared {
		g.declared = true
		e.l.declareGlobal(g, v)
	}
	return g.name
}

func (l *Lowerer) declareGlobal(g *global, v *types.Var) {
	e := &emitter{l: l, info: l.info}
	t := e.typ(v.Type())
	fmt.Fprintf(&l.out.decls, "var %s *%s\n", g.name, t)
	fmt.Fprintf(&l.out.inits, "if p := rtǃ.Kept(%d); p != nil { %s = p.(*%s) } else { %s = new(%s); rtǃ.Keep(%d, %s) }\n", g.num, g.name, t, g.name, t, g.num, g.name)
}

// retire leaves f and the functions that call it as they are for good: their code is of a method with another signature.
func (f *fn) retire() {
	for _, in := range f.insts {
		in.retired = true
		for u := range in.users {
			u.retired = true
		}
	}
}

// relower gives functions whose body changed, and all that call them, new names and new text. Values that
// hold a closure of the old one keep it.
func (l *Lowerer) relower(changed []*fn) {
	seen := map[*inst]bool{}
	var order []*inst
	var visit func(in *inst)
	visit = func(in *inst) {
		if seen[in] || in.retired {
			return
		}
		seen[in] = true
		order = append(order, in)
		for _, f := range l.sortedUsers(in) {
			visit(f)
		}
	}
	for _, f := range changed { // one that is declared again calls what there is now
		for _, in := range f.insts {
			in.retired = false
		}
	}
	for _, f := range changed {
		for _, in := range f.insts {
			visit(in)
		}
	}
	for _, in := range order {
		in.name = l.fresh(baseName(in.fn.obj))
	}
	for _, in := range order {
		l.emitFunc(in)
	}
	for _, in := range order {
		for n := range in.descs {
			d := l.reg.D(n)
			e := &emitter{l: l, info: in.fn.info}
			e.descMethods(d.Type, n)
		}
	}
}

func (l *Lowerer) sortedUsers(in *inst) []*inst {
	var r []*inst
	for u := range in.users {
		r = append(r, u)
	}
	sortBy(r, func(a, b *inst) bool { return a.name < b.name })
	return r
}
