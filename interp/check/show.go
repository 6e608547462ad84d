// What a cell displays.

package check

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"strings"
)

// show decides from the last item.
func (c *Checker) show(cell *Cell) *Show {
	if len(cell.Subs) == 0 || cell.Main != nil {
		return nil
	}
	items := cell.Subs[len(cell.Subs)-1].Items
	last := items[len(items)-1]
	switch last.Kind {
	case VarItem:
		return c.showStreams(last.Vars)
	case StmtItem:
		switch st := last.Stmt.(type) {
		case *ast.ExprStmt:
			return c.showExpr(cell.Info, st.X)
		case *ast.AssignStmt:
			var vars []*types.Var
			for _, l := range st.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					v, _ := cell.Info.Uses[id].(*types.Var)
					vars = append(vars, v)
				}
			}
			return c.showStreams(vars)
		}
	}
	return nil
}

func (c *Checker) showStreams(vars []*types.Var) *Show {
	s := &Show{}
	for _, v := range vars {
		if v != nil && c.IsStream(v.Type()) {
			s.Vars = append(s.Vars, v)
		}
	}
	if s.Vars == nil {
		return nil
	}
	return s
}

// showExpr shows all results of an expression; printing calls have shown theirs already.
func (c *Checker) showExpr(info *types.Info, x ast.Expr) *Show {
	tv := info.Types[x]
	if tv.Type == nil || tv.IsVoid() || prints(info, x) {
		return nil
	}
	s := &Show{Expr: x}
	if t, ok := tv.Type.(*types.Tuple); ok {
		for i := range t.Len() {
			s.Types = append(s.Types, t.At(i).Type())
		}
	} else {
		tv = typed(tv)
		info.Types[x] = tv
		s.Types = []types.Type{tv.Type}
	}
	for _, t := range s.Types {
		s.Quiet = append(s.Quiet, c.quiet(t))
	}
	return s
}

// typed gives an untyped value the type that a variable of it would have. A constant that no such variable can hold,
// as 1<<100, becomes its text: nobody computes with it any more.
func typed(tv types.TypeAndValue) types.TypeAndValue {
	def := types.Default(tv.Type)
	if tv.Value != nil && tv.Type != def && overflows(tv.Value) {
		def, tv.Value = types.Typ[types.String], constant.MakeString(exact(tv.Value))
	}
	tv.Type = def
	return tv
}

// overflows reports whether the default type of an untyped number cannot hold v.
func overflows(v constant.Value) bool {
	switch v.Kind() {
	case constant.Int:
		_, fits := constant.Int64Val(v)
		return !fits
	case constant.Float, constant.Complex:
		re, _ := constant.Float64Val(constant.Real(v))
		im, _ := constant.Float64Val(constant.Imag(v))
		return math.IsInf(re, 0) || math.IsInf(im, 0)
	}
	return false
}

func exact(v constant.Value) string {
	if v.Kind() == constant.Int {
		return v.ExactString()
	}
	return v.String()
}

// prints reports whether x is a call of fmt.Print or its kin.
func prints(info *types.Info, x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" && (strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

// quiet reports whether values of type t are not worth a line of their own.
func (c *Checker) quiet(t types.Type) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" {
		return true
	}
	n := libraryNamed(t)
	if n == nil {
		return false
	}
	switch n.Obj().Name() {
	case "StreamExecutionEnvironment", "DataStreamSink", "CloseableIterator", "StreamCollector", "JobClient", "JobExecutionResult":
		return n.Obj().Pkg() == c.lib
	case "Job":
		return n.Obj().Pkg().Path() == library+"/job"
	}
	return false
}

// IsStream reports whether t is a handle on a stream: DataStream, KeyedStream and the like.
func (c *Checker) IsStream(t types.Type) bool {
	n := libraryNamed(t)
	if n == nil || n.Obj().Pkg() != c.lib {
		return false
	}
	o, _, _ := types.LookupFieldOrMethod(t, true, c.lib, "asDataStream")
	_, ok := o.(*types.Func)
	return ok
}

// libraryNamed is the named type of t, or of what it points to, when it is one of the library's.
func libraryNamed(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !strings.HasPrefix(n.Obj().Pkg().Path(), library) {
		return nil
	}
	return n
}
