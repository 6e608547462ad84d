// switch, type switch and select.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (e *emitter) switchStmt(s *ast.SwitchStmt, label string) string {
	var b strings.Builder
	b.WriteString("{\n")
	if s.Init != nil {
		b.WriteString(e.stmt(s.Init, ""))
	}
	var tag ast.Expr
	if s.Tag != nil {
		b.WriteString(e.mark(s.Tag))
		t := types.Default(e.typeOf(s.Tag))
		n := e.tmp("tag")
		b.WriteString(e.define(n, t, e.exprTo(s.Tag, t)))
		tag = e.synthetic(n, t, s.Tag.Pos())
	}
	e.enter(label, false)
	defer e.leaveLoop()
	if fallsThrough(s) {
		return b.String() + e.fallthroughs(s, tag, label) + "}\n"
	}
	b.WriteString(labelText(label) + "switch {\n")
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if cc.List == nil {
			b.WriteString("default:\n")
		} else {
			var cs []string
			for _, x := range cc.List {
				cs = append(cs, e.caseCond(tag, x))
			}
			b.WriteString("case " + e.condition(strings.Join(cs, " || ")) + ":\n")
		}
		b.WriteString(e.clause(cc.Body))
	}
	return b.String() + "}\n}\n"
}

// clause is the body of a clause; yaegi finds the labels in it only if it is a block.
func (e *emitter) clause(body []ast.Stmt) string {
	for _, s := range body {
		if _, ok := s.(*ast.LabeledStmt); ok {
			return "{\n" + e.block(body) + "}\n"
		}
	}
	return e.block(body)
}

// fallsThrough reports whether a clause of s goes on with the next one.
func fallsThrough(s *ast.SwitchStmt) bool {
	for _, c := range s.Body.List {
		if b := c.(*ast.CaseClause).Body; len(b) > 0 && isFallthrough(b[len(b)-1]) {
			return true
		}
	}
	return false
}

func isFallthrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// fallthroughs is a switch with fallthrough: yaegi moves default to the end, and falls into what is next then.
// Here the clauses become numbers, and a clause that falls through sets the next one's.
func (e *emitter) fallthroughs(s *ast.SwitchStmt, tag ast.Expr, label string) string {
	n := e.tmp("case")
	choose, bodies, other := "", "", -1
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if cc.List == nil {
			other = i
		} else {
			var cs []string
			for _, x := range cc.List {
				cs = append(cs, e.caseCond(tag, x))
			}
			choose += fmt.Sprintf("case %s:\n%s = %d\n", e.condition(strings.Join(cs, " || ")), n, i)
		}
		body := cc.Body
		next := ""
		if len(body) > 0 && isFallthrough(body[len(body)-1]) {
			body, next = body[:len(body)-1], fmt.Sprintf("%s = %d\n", n, i+1)
		}
		bodies += fmt.Sprintf("if %s == %d {\n%s%s}\n", n, i, e.block(body), next)
	}
	return fmt.Sprintf("%s := %d\nswitch {\n%s}\n%sswitch {\ncase true:\n%s}\n", n, other, choose, labelText(label), bodies)
}

// caseCond is the condition of x in a case. It notes its own place when it may panic: the statement before it is the
// switch, or another case.
func (e *emitter) caseCond(tag, x ast.Expr) string {
	cond := ""
	switch {
	case tag == nil && isIface(e.typeOf(x)):
		cond = "rtǃ.Equal(" + e.expr(x) + ", true)"
	case tag == nil:
		cond = e.guarded(x)
	default:
		eq := &ast.BinaryExpr{X: tag, Op: token.EQL, OpPos: x.Pos(), Y: x}
		cond = e.equal(eq, e.typeOf(tag), e.typeOf(x))
	}
	if !e.mayPanic(x, nil) {
		return "(" + cond + ")"
	}
	h := e.l.once(e, "noted", func(n string) string { return "func " + n + "(p *int, n int) bool { *p = n; return true }\n" })
	return "(" + h + "(" + e.place(x) + ") && " + cond + ")"
}

// synthetic is an expression for a variable of ours, as if the user had written it.
func (e *emitter) synthetic(name string, t types.Type, at token.Pos) *ast.Ident {
	id := &ast.Ident{NamePos: at, Name: name}
	v := types.NewVar(at, e.l.pkg, name, t)
	e.info.Uses[id] = v
	e.info.Types[id] = types.TypeAndValue{Type: t}
	e.local[v] = &local{name: name, typ: e.typ(t), signed: e.signed(t)}
	return id
}

func (e *emitter) typeSwitch(s *ast.TypeSwitchStmt, label string) string {
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = ast.Unparen(a.X).(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		x = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr).X
	}
	var b strings.Builder
	b.WriteString("{\n")
	if s.Init != nil {
		b.WriteString(e.stmt(s.Init, ""))
	}
	ts, xt := e.tmp("ts"), e.typeOf(x)
	text, whole := e.expr(x), ts
	b.WriteString(e.mark(x))
	if isLib(xt) != nil { // yaegi cannot assert an interface of the library
		whole = e.tmp("ts")
		fmt.Fprintf(&b, "var %s %s = %s\n_ = %s\n", whole, e.typ(xt), text, whole)
		text = received(whole, xt)
	}
	b.WriteString("var " + ts + " any = " + text + "\n")
	e.enter(label, false)
	defer e.leaveLoop()
	b.WriteString(labelText(label) + "switch {\n")
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		b.WriteString(e.typeCase(cc, ts))
		if v, ok := e.info.Implicits[cc].(*types.Var); ok && e.uses(cc.Body, v) {
			b.WriteString(e.bind(v, e.typeCaseValue(cc, ts, whole, xt, v)))
		}
		b.WriteString(e.clause(cc.Body))
	}
	return b.String() + "}\n}\n"
}

func (e *emitter) typeCase(cc *ast.CaseClause, ts string) string {
	if cc.List == nil {
		return "default:\n"
	}
	var cs []string
	for _, t := range cc.List {
		if e.info.Types[t].IsNil() {
			cs = append(cs, ts+" == nil")
			continue
		}
		tt := e.typeOf(t)
		h := e.l.helper(e, "is", tt, func(n string) string {
			return "func " + n + "(x any) bool { return " + e.isType("x", tt) + " }\n"
		})
		cs = append(cs, h+"("+ts+")")
	}
	return "case " + strings.Join(cs, " || ") + ":\n"
}

// typeCaseValue is the variable of a clause: of the clause's type, else of that of the operand, which is whole.
func (e *emitter) typeCaseValue(cc *ast.CaseClause, ts, whole string, xt types.Type, v *types.Var) string {
	if len(cc.List) == 1 && !e.info.Types[cc.List[0]].IsNil() {
		return e.unboxed(ts, e.sub(v.Type()))
	}
	if e.typ(xt) == "any" || whole != ts {
		return whole
	}
	return e.asIface(xt) + "(" + ts + ")"
}

func (e *emitter) uses(l []ast.Stmt, v *types.Var) bool {
	found := false
	for _, s := range l {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && e.info.Uses[id] == v {
				found = true
			}
			return !found
		})
	}
	return found
}

func (e *emitter) selectStmt(s *ast.SelectStmt, label string) string {
	i, v, ok := e.tmp("i"), e.tmp("v"), e.tmp("ok")
	var cases []string
	hasDefault := false
	at := ""
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		if cc.Comm == nil {
			hasDefault = true
			continue
		}
		at += e.note(cc.Comm)
		cases = append(cases, e.commCase(cc.Comm))
	}
	if at == "" && !hasDefault && e.fn != nil {
		at = e.noted(s) // it may wait for ever
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{\n%s%s, %s, %s := rtǃ.Select(%v, []any{%s})\n_, _ = %s, %s\n", at, i, v, ok, hasDefault, strings.Join(cases, ", "), v, ok)
	e.enter(label, false)
	defer e.leaveLoop()
	b.WriteString(labelText(label) + "switch {\n")
	n := 0
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		if cc.Comm == nil {
			b.WriteString("default:\n")
		} else {
			fmt.Fprintf(&b, "case %s == %d:\n%s", i, n, e.commValue(cc.Comm, v, ok))
			n++
		}
		b.WriteString(e.clause(cc.Body))
	}
	return b.String() + "}\n}\n"
}

func recvOf(s ast.Stmt) *ast.UnaryExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		u, _ := ast.Unparen(s.X).(*ast.UnaryExpr)
		return u
	case *ast.AssignStmt:
		u, _ := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr)
		return u
	}
	return nil
}

func (e *emitter) commCase(s ast.Stmt) string {
	if send, ok := s.(*ast.SendStmt); ok {
		t := coreType(e.typeOf(send.Chan)).(*types.Chan)
		return "rtǃ.SendCase(" + e.expr(send.Chan) + ", " + e.exprTo(send.Value, t.Elem()) + ")"
	}
	return "rtǃ.RecvCase(" + e.expr(recvOf(s).X) + ")"
}

// commValue binds what a receive of a select got.
func (e *emitter) commValue(s ast.Stmt, v, ok string) string {
	as, isAssign := s.(*ast.AssignStmt)
	if !isAssign {
		return ""
	}
	t := coreType(e.typeOf(recvOf(s).X)).(*types.Chan).Elem()
	values := []string{e.unany(v, t), ok}
	ts := []types.Type{t, types.Typ[types.Bool]}
	var b strings.Builder
	for i, l := range as.Lhs {
		if isBlank(l) {
			continue
		}
		if id, isID := l.(*ast.Ident); isID && as.Tok == token.DEFINE {
			if d, isVar := e.info.Defs[id].(*types.Var); isVar {
				b.WriteString(e.bind(d, values[i]))
				continue
			}
		}
		b.WriteString(e.store(e.lhs(l), e.conv(values[i], ts[i], e.typeOf(l), l)))
	}
	return b.String()
}
