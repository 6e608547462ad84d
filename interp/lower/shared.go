// Maps that several subtasks would write at once: Go ends the process when that happens.

package lower

import (
	"go/ast"
	"go/types"
)

// sharedMaps refuses function x of a job when subtasks run at the same time and x writes a map that lies outside
// of it. A function that takes a lock knows what it does.
func (e *emitter) sharedMaps(x ast.Expr) {
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
	if w.name == "" || w.locks {
		return
	}
	panic(&Error{Pos: x.Pos(), End: x.Pos(), Msg: "this function writes map " + w.name + ", and on the parallel engine several subtasks would write it at once",
		Hint: "keep it in keyed state, guard it with a sync.Mutex, or :set engine deterministic"})
}

// writes looks for the map that a function writes and did not make.
type writes struct {
	l     *Lowerer
	seen  map[ast.Node]bool
	name  string
	locks bool
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
	for x := m; ; {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.Ident:
			if v, ok := info.Uses[y].(*types.Var); ok && (v.Pos() < fn.Pos() || v.Pos() > fn.End()) && w.name == "" {
				w.name = types.ExprString(m)
			}
			return
		default:
			return
		}
	}
}
