// Statements.

package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (e *emitter) block(l []ast.Stmt) string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(e.stmt(s, ""))
	}
	return b.String()
}

func labelText(label string) string {
	if label == "" {
		return ""
	}
	return label + ":\n"
}

// stmt writes one statement, ended by a newline.
func (e *emitter) stmt(s ast.Stmt, label string) string {
	if s != nil {
		e.l.at = s
	}
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
		return labelText(label)
	case *ast.ExprStmt:
		return e.mark(s) + e.exprStmt(s.X) + "\n"
	case *ast.SendStmt:
		t := coreType(e.typeOf(s.Chan)).(*types.Chan)
		return e.mark(s) + "rtǃ.Send(" + e.expr(s.Chan) + ", " + e.exprTo(s.Value, t.Elem()) + ")\n"
	case *ast.IncDecStmt:
		return e.mark(s.X) + e.incDec(s)
	case *ast.AssignStmt:
		return e.mark(s) + e.assign(s)
	case *ast.GoStmt:
		return e.mark(s.Call) + "rtǃ.Go(" + e.thunk(s.Call, false) + ")\n"
	case *ast.DeferStmt:
		return e.mark(s.Call) + e.deferStmt(s.Call)
	case *ast.ReturnStmt:
		return e.ret(s)
	case *ast.BranchStmt:
		return e.branch(s) + "\n"
	case *ast.BlockStmt:
		return labelText(label) + "{\n" + e.block(s.List) + "}\n"
	case *ast.LabeledStmt:
		return e.labeled(s)
	case *ast.IfStmt:
		return labelText(label) + e.ifStmt(s)
	case *ast.ForStmt:
		return e.forStmt(s, label)
	case *ast.RangeStmt:
		return e.rangeStmt(s, label)
	case *ast.SwitchStmt:
		return e.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		return e.typeSwitch(s, label)
	case *ast.SelectStmt:
		return e.selectStmt(s, label)
	case *ast.DeclStmt:
		return e.localDecl(s.Decl.(*ast.GenDecl))
	}
	return e.fail(s, "a cell cannot run this statement (%T)", s)
}

// exprStmt is a call or a receive for its effect.
func (e *emitter) exprStmt(x ast.Expr) string {
	if c, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		if tv := e.info.Types[c.Fun]; !tv.IsType() && !tv.IsBuiltin() {
			return e.expr(x)
		}
		if tv := e.info.Types[c.Fun]; tv.IsBuiltin() {
			switch identOf(c.Fun).Name {
			case "panic", "print", "println", "clear", "close", "delete", "copy", "recover":
				return e.expr(x)
			}
		}
	}
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return e.expr(x)
	}
	if _, ok := e.typeOf(x).(*types.Tuple); ok {
		return e.expr(x)
	}
	return "_ = " + e.value(x)
}

// labeled is a statement with a label. A loop may become several statements: the label that break and continue name stands
// within, that of goto before them. Every goto reads the stop flag; and yaegi loses itself in a turn that has no statement.
func (e *emitter) labeled(s *ast.LabeledStmt) string {
	o := e.info.Defs[s.Label]
	if !e.an.loops[o] {
		check := ""
		if e.an.gotos[o] {
			check = stopCheck
		}
		return s.Label.Name + ":\n" + check + e.stmt(s.Stmt, "")
	}
	text := e.stmt(s.Stmt, s.Label.Name)
	if e.an.gotos[o] {
		return s.Label.Name + gotoMark + ":\n" + stopCheck + text
	}
	return text
}

// gotoMark ends the label that a goto to a loop names.
const gotoMark = "ǃgoto"

func (e *emitter) ifStmt(s *ast.IfStmt) string {
	var b strings.Builder
	if s.Init != nil {
		b.WriteString("{\n" + e.stmt(s.Init, ""))
	}
	b.WriteString(e.mark(s.Cond) + "if " + e.condition(e.expr(s.Cond)) + " {\n" + e.block(s.Body.List) + "}")
	if s.Else != nil {
		b.WriteString(" else {\n" + e.stmt(s.Else, "") + "}")
	}
	b.WriteString("\n")
	if s.Init != nil {
		b.WriteString("}\n")
	}
	return b.String()
}

// condition is text s as a condition. In a cell with goto no parentheses are around it: yaegi would take a turn that goes
// through them for one that goes nowhere.
func (e *emitter) condition(s string) string {
	if len(e.an.gotos) == 0 || strings.Contains(s, "{") {
		return s
	}
	return bare(s)
}

func (e *emitter) localDecl(d *ast.GenDecl) string {
	if d.Tok != token.VAR {
		return "" // constants are folded, types are hoisted
	}
	var b strings.Builder
	for _, sp := range d.Specs {
		vs := sp.(*ast.ValueSpec)
		e.l.at = vs
		if vs.Type != nil {
			e.l.at = vs.Type
		}
		b.WriteString(e.mark(exprNodes(vs.Values...)...))
		b.WriteString(e.valueSpec(vs))
	}
	return b.String()
}

func (e *emitter) valueSpec(vs *ast.ValueSpec) string {
	var b strings.Builder
	def := func(id *ast.Ident) *types.Var {
		v, _ := e.info.Defs[id].(*types.Var)
		return v
	}
	switch {
	case len(vs.Values) == 0:
		for _, id := range vs.Names {
			if v := def(id); v != nil && id.Name != "_" {
				b.WriteString(e.bind(v, e.zero(v.Type())))
			}
		}
	case len(vs.Values) == len(vs.Names):
		var tmps []string
		for i, id := range vs.Names {
			v := def(id)
			t := e.typeOf(vs.Values[i])
			if v != nil && id.Name != "_" {
				t = v.Type()
			}
			if len(vs.Names) == 1 {
				if id.Name == "_" {
					return e.forget(vs.Values[0])
				}
				return e.bind(v, e.exprTo(vs.Values[0], t))
			}
			n := e.tmp("t")
			tmps = append(tmps, n)
			b.WriteString(e.define(n, types.Default(t), e.exprTo(vs.Values[i], t)))
		}
		for i, id := range vs.Names {
			if v := def(id); v != nil && id.Name != "_" {
				b.WriteString(e.bind(v, tmps[i]))
			}
		}
	default:
		tmps := e.temps(len(vs.Names), "t")
		tup := e.typeOf(vs.Values[0])
		b.WriteString(strings.Join(tmps, ", ") + " := " + e.multi(vs.Values[0]) + "\n")
		for i, id := range vs.Names {
			if v := def(id); v != nil && id.Name != "_" {
				b.WriteString(e.bind(v, e.conv(tmps[i], tupleAt(tup, i), v.Type(), vs)))
			}
		}
	}
	return b.String()
}
