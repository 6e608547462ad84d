// Maps that several subtasks would write at once: Go ends the process when that happens.

package lower

import (
	"go/ast"
	"go/types"
)

// sharedMaps refuses function x of a job, an argument of type target, when subtasks run at the same time and x
// writes a map that lies outside of it. A function that takes a lock knows what it does.
func (e *emitter) sharedMaps(x ast.Expr, target types.Type) {
	if e.l.Parallel == nil || !e.l.Parallel() {
		return
	}
	w := writes{l: e.l, seen: map[ast.Node]bool{}}
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncLit:
		w.body(x, e.info)
	case *ast.Ident:
		if f, ok := e.info.Uses[x].(*types.Func); ok {
			w.function(f)
		}
	}
	if n := e.objectType(x, target); n != nil {
		w.object(n)
	}
	if w.name == "" || w.locks {
		return
	}
	panic(&Error{Pos: x.Pos(), End: x.Pos(), Msg: "this function writes map " + w.name + ", and on the parallel engine several subtasks would write it at once",
		Hint: "keep it in keyed state, guard it with a sync.Mutex, or :set engine deterministic"})
}

// objectType is the type of the cells whose methods x brings, when target asks for a function object; else nil.
func (e *emitter) objectType(x ast.Expr, target types.Type) *types.Named {
	if isLib(target) == nil || !isIface(target) {
		return nil
	}
	t := e.typeOf(x)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = e.sub(p.Elem())
	}
	if n := e.l.isUser(t); n != nil && !isLibPkg(n.Obj().Pkg()) && n.NumMethods() > 0 {
		return n
	}
	return nil
}

// object looks through the methods of a function object. Each subtask has a copy of it, whose maps are still the
// same: but for a field that a method sets, as Open does, and for an object that copies itself.
func (w *writes) object(n *types.Named) {
	w.made, w.recvs = map[string]bool{}, map[types.Object]bool{}
	var ms []*fn
	for m := range n.Methods() {
		if m.Name() == "Clone" {
			return
		}
		fi := w.l.funcs[m.Origin()]
		if fi == nil || fi.decl == nil || fi.decl.Body == nil {
			continue
		}
		ms = append(ms, fi)
		if r := fi.decl.Recv.List[0]; len(r.Names) == 1 {
			w.recvs[fi.info.Defs[r.Names[0]]] = true
		}
		ast.Inspect(fi.decl.Body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for _, l := range a.Lhs {
					if s, ok := ast.Unparen(l).(*ast.SelectorExpr); ok {
						w.made[s.Sel.Name] = true
					}
				}
			}
			return true
		})
	}
	for _, fi := range ms {
		w.body(fi.decl, fi.info)
	}
}

// writes looks for the map that a function writes and did not make.
type writes struct {
	l     *Lowerer
	seen  map[ast.Node]bool
	name  string
	locks bool
	recvs map[types.Object]bool // receivers of the methods of a function object
	made  map[string]bool       // fields that they set
}

func (w *writes) function(f *types.Func) {
	if fi := w.l.funcs[f.Origin()]; fi != nil && fi.decl != nil && fi.decl.Body != nil {
		w.body(fi.decl, fi.info)
	}
}

func (w *writes) body(fn ast.Node, info *types.Info) {
	if w.seen[fn] {
		return
	}
	w.seen[fn] = true
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				w.element(l, fn, info)
			}
		case *ast.IncDecStmt:
			w.element(n.X, fn, info)
		case *ast.CallExpr:
			w.call(n, fn, info)
		}
		return true
	})
}

func (w *writes) call(c *ast.CallExpr, fn ast.Node, info *types.Info) {
	id := identOf(c.Fun)
	if id == nil {
		return
	}
	switch o := info.Uses[id].(type) {
	case *types.Builtin:
		if (o.Name() == "delete" || o.Name() == "clear") && len(c.Args) > 0 {
			w.outside(c.Args[0], fn, info)
		}
	case *types.Func:
		if o.Pkg() != nil && o.Pkg().Path() == "sync" && o.Name() == "Lock" {
			w.locks = true
		}
		w.function(o)
	}
}

// element notes the map of which x is an element.
func (w *writes) element(x ast.Expr, fn ast.Node, info *types.Info) {
	if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
		w.outside(i.X, fn, info)
	}
}

// outside notes map m when the variable that it hangs on is declared outside of fn.
func (w *writes) outside(m ast.Expr, fn ast.Node, info *types.Info) {
	t := info.TypeOf(m)
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Map); !ok {
		return
	}
	field := ""
	for x := m; ; {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			x, field = y.X, y.Sel.Name
		case *ast.IndexExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.Ident:
			v, ok := info.Uses[y].(*types.Var)
			if ok && w.name == "" && (v.Pos() < fn.Pos() || v.Pos() > fn.End() || w.recvs[v] && field != "" && !w.made[field]) {
				w.name = types.ExprString(m)
			}
			return
		default:
			return
		}
	}
}
