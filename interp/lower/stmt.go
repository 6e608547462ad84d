// Statements.

package lower

import (
	"fmt"
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

func (e *emitter) labeled(s *ast.LabeledStmt) string {
	switch s.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return e.stmt(s.Stmt, s.Label.Name)
	}
	return s.Label.Name + ":\n" + e.stmt(s.Stmt, "")
}

func (e *emitter) ifStmt(s *ast.IfStmt) string {
	var b strings.Builder
	if s.Init != nil {
		b.WriteString("{\n" + e.stmt(s.Init, ""))
	}
	b.WriteString(e.mark(s.Cond) + "if " + e.expr(s.Cond) + " {\n" + e.block(s.Body.List) + "}")
	if s.Else != nil {
		b.WriteString(" else {\n" + e.stmt(s.Else, "") + "}")
	}
	b.WriteString("\n")
	if s.Init != nil {
		b.WriteString("}\n")
	}
	return b.String()
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
		for _, x := range vs.Values {
			b.WriteString(e.mark(x))
		}
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
					return "_ = " + e.value(vs.Values[0]) + "\n"
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

func (e *emitter) assign(s *ast.AssignStmt) string {
	switch {
	case s.Tok == token.DEFINE:
		return e.shortVar(s)
	case s.Tok != token.ASSIGN:
		return e.opAssign(s)
	case len(s.Lhs) == 1 && len(s.Rhs) == 1:
		if isBlank(s.Lhs[0]) {
			return "_ = " + e.value(s.Rhs[0]) + "\n"
		}
		return e.store(e.lhs(s.Lhs[0]), e.assigned(s.Rhs[0], e.typeOf(s.Lhs[0])))
	case len(s.Rhs) == 1:
		return e.tupleAssign(s)
	}
	return e.parallelAssign(s)
}

func isBlank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// assigned is a value to assign. yaegi loses a literal that is assigned through a pointer, so a helper passes it on.
func (e *emitter) assigned(x ast.Expr, t types.Type) string {
	v := e.exprTo(x, t)
	switch ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return e.same(v, t)
	case *ast.CallExpr:
		return e.through(v, t)
	}
	return v
}

// through is a value that is assigned through a pointer: yaegi loses a function that a compiled one returned.
func (e *emitter) through(v string, t types.Type) string {
	if _, ok := e.sub(t).Underlying().(*types.Signature); ok && strings.HasSuffix(v, ")") && !strings.HasPrefix(v, "mk") {
		return e.same(v, t)
	}
	return v
}

// same passes a value through a function.
func (e *emitter) same(v string, t types.Type) string {
	return e.l.helper(e, "same", t, func(n string) string {
		tt := e.typ(t)
		return "func " + n + "(x " + tt + ") " + tt + " { return x }\n"
	}) + "(" + v + ")"
}

// place is where an assignment goes.
type place struct {
	pre  string // statements that evaluate operands
	text string
}

func (e *emitter) store(p place, value string) string {
	if p.pre == "" {
		return p.text + " = " + value + "\n"
	}
	return "{\n" + p.pre + p.text + " = " + value + "\n}\n"
}

// lhs is the target of an assignment whose operands need not be evaluated first.
func (e *emitter) lhs(x ast.Expr) place { return place{text: e.expr(x)} }

// hoisted is a target whose operands are evaluated into variables of their own.
func (e *emitter) hoisted(x ast.Expr) place {
	switch x := ast.Unparen(x).(type) {
	case *ast.StarExpr:
		n := e.tmp("p")
		return place{e.define(n, e.typeOf(x.X), e.expr(x.X)), "(*" + n + ")"}
	case *ast.IndexExpr:
		return e.hoistedIndex(x)
	case *ast.SelectorExpr:
		s := e.info.Selections[x]
		if s == nil || s.Kind() != types.FieldVal {
			return e.lhs(x)
		}
		t := e.typeOf(x.X)
		_, index, _ := types.LookupFieldOrMethod(t, true, e.l.pkgOf(s.Obj()), x.Sel.Name)
		if isPointer(t) {
			n := e.tmp("p")
			text, _ := e.path(n, t, index)
			return place{e.define(n, t, e.expr(x.X)), text}
		}
		p := e.hoisted(x.X)
		p.text, _ = e.path(p.text, t, index)
		return p
	}
	return e.lhs(x)
}

func (e *emitter) hoistedIndex(x *ast.IndexExpr) place {
	t := e.typeOf(x.X)
	i := e.tmp("i")
	switch u := coreType(t).(type) {
	case *types.Map:
		m := e.tmp("m")
		return place{e.define(m, t, e.expr(x.X)) + e.define(i, u.Key(), e.exprTo(x.Index, u.Key())), m + "[" + i + "]"}
	case *types.Slice:
		s := e.tmp("s")
		return place{e.define(s, t, e.expr(x.X)) + e.define(i, types.Typ[types.Int], e.indexValue(x.Index)), s + "[" + i + "]"}
	case *types.Pointer:
		p := e.tmp("p")
		return place{e.define(p, t, e.expr(x.X)) + e.define(i, types.Typ[types.Int], e.indexValue(x.Index)), "(*" + p + ")[" + i + "]"}
	}
	p := e.hoisted(x.X)
	p.pre += e.define(i, types.Typ[types.Int], e.indexValue(x.Index))
	p.text += "[" + i + "]"
	return p
}

func (e *emitter) incDec(s *ast.IncDecStmt) string {
	op := "+"
	if s.Tok == token.DEC {
		op = "-"
	}
	if id, ok := ast.Unparen(s.X).(*ast.Ident); ok {
		t := e.expr(id)
		if e.local[e.varOf(id)] != nil && !e.local[e.varOf(id)].boxed {
			return t + s.Tok.String() + "\n"
		}
		return t + " = " + t + " " + op + " " + e.typ(e.typeOf(s.X)) + "(1)\n"
	}
	p := e.hoisted(s.X)
	return e.store(p, p.text+" "+op+" "+e.typ(e.typeOf(s.X))+"(1)")
}

func (e *emitter) varOf(id *ast.Ident) *types.Var {
	v, _ := e.info.Uses[id].(*types.Var)
	return v
}

// opAssign is x op= y.
func (e *emitter) opAssign(s *ast.AssignStmt) string {
	op := token.Token(s.Tok - token.ADD_ASSIGN + token.ADD)
	p := e.hoisted(s.Lhs[0])
	t := e.typeOf(s.Lhs[0])
	y := ""
	switch op {
	case token.SHL, token.SHR:
		if tv := e.info.Types[s.Rhs[0]]; tv.Value != nil {
			y = e.constant(tv.Value, types.Typ[types.Uint])
		} else {
			y = e.shiftCount(s.Rhs[0])
		}
	case token.AND_NOT:
		return e.store(p, p.text+" & ("+e.exprTo(s.Rhs[0], t)+" ^ "+e.typ(t)+"("+allOnes(t)+"))")
	default:
		y = e.exprTo(s.Rhs[0], t)
	}
	return e.store(p, p.text+" "+op.String()+" "+y)
}

// shortVar is :=, which may also assign to variables that exist.
func (e *emitter) shortVar(s *ast.AssignStmt) string {
	if len(s.Lhs) == 1 {
		id := s.Lhs[0].(*ast.Ident)
		v, ok := e.info.Defs[id].(*types.Var)
		if !ok {
			return e.store(e.lhs(id), e.exprTo(s.Rhs[0], e.typeOf(id)))
		}
		return e.bind(v, e.exprTo(s.Rhs[0], v.Type()))
	}
	var tmps []string
	var ts []types.Type
	var b strings.Builder
	if len(s.Rhs) == 1 {
		tup := e.typeOf(s.Rhs[0])
		tmps = e.temps(len(s.Lhs), "t")
		for i := range s.Lhs {
			ts = append(ts, tupleAt(tup, i))
		}
		b.WriteString(strings.Join(tmps, ", ") + " := " + e.multi(s.Rhs[0]) + "\n")
	} else {
		for i, x := range s.Rhs {
			t := e.lhsType(s.Lhs[i], x)
			n := e.tmp("t")
			tmps, ts = append(tmps, n), append(ts, t)
			b.WriteString(e.define(n, t, e.exprTo(x, t)))
		}
	}
	for i, l := range s.Lhs {
		id := l.(*ast.Ident)
		if id.Name == "_" {
			continue
		}
		if v, ok := e.info.Defs[id].(*types.Var); ok {
			b.WriteString(e.bind(v, e.conv(tmps[i], ts[i], v.Type(), s)))
			continue
		}
		b.WriteString(e.expr(id) + " = " + e.conv(tmps[i], ts[i], e.typeOf(id), s) + "\n")
	}
	return b.String()
}

// lhsType is the type in which a value waits for its assignment.
func (e *emitter) lhsType(l, x ast.Expr) types.Type {
	if isBlank(l) {
		return types.Default(e.typeOf(x))
	}
	if id, ok := l.(*ast.Ident); ok {
		if v, ok := e.info.Defs[id].(*types.Var); ok {
			return e.sub(v.Type())
		}
	}
	return e.typeOf(l)
}

func (e *emitter) tupleAssign(s *ast.AssignStmt) string {
	tup := e.typeOf(s.Rhs[0])
	tmps := e.temps(len(s.Lhs), "t")
	var ps []place
	var b strings.Builder
	b.WriteString("{\n")
	for _, l := range s.Lhs {
		p := place{}
		if !isBlank(l) {
			p = e.hoisted(l)
		}
		ps = append(ps, p)
		b.WriteString(p.pre)
	}
	b.WriteString(strings.Join(tmps, ", ") + " := " + e.multi(s.Rhs[0]) + "\n")
	for i, l := range s.Lhs {
		if !isBlank(l) {
			b.WriteString(ps[i].text + " = " + e.conv(tmps[i], tupleAt(tup, i), e.typeOf(l), s) + "\n")
		}
	}
	return b.String() + "}\n"
}

// parallelAssign evaluates all operands first, then assigns from left to right.
func (e *emitter) parallelAssign(s *ast.AssignStmt) string {
	var b strings.Builder
	b.WriteString("{\n")
	var ps []place
	for _, l := range s.Lhs {
		p := place{}
		if !isBlank(l) {
			p = e.hoisted(l)
		}
		ps = append(ps, p)
		b.WriteString(p.pre)
	}
	var tmps []string
	for i, x := range s.Rhs {
		t := e.lhsType(s.Lhs[i], x)
		n := e.tmp("t")
		tmps = append(tmps, n)
		b.WriteString(e.define(n, t, e.exprTo(x, t)))
	}
	for i, l := range s.Lhs {
		if !isBlank(l) {
			b.WriteString(ps[i].text + " = " + tmps[i] + "\n")
		}
	}
	return b.String() + "}\n"
}

// ret is a return statement: it may have to leave a body literal first.
func (e *emitter) ret(s *ast.ReturnStmt) string {
	at := ""
	for _, r := range s.Results {
		at += e.mark(r)
	}
	if e.fn.rf != nil || e.fn.inBody || len(e.fn.boxes) > 0 {
		return at + e.boxedReturn(s)
	}
	if len(s.Results) == 0 {
		if len(e.fn.named) == 0 {
			return "return\n"
		}
		var rs []string
		for _, v := range e.fn.named {
			rs = append(rs, e.local[v].text())
		}
		return "return " + strings.Join(rs, ", ") + "\n"
	}
	if len(s.Results) == 1 && len(e.fn.results) > 1 {
		return at + e.forward(s.Results[0])
	}
	var rs []string
	pre := ""
	for i, r := range s.Results {
		v := e.result(i, e.exprTo(r, e.fn.results[i]))
		if len(s.Results) > 1 && hasCall(r) {
			// yaegi returns zero for a call of a function in a field beside other results.
			n := e.tmp("t")
			pre += "var " + n + " " + e.fn.types[i] + " = " + v + "\n"
			v = n
		}
		rs = append(rs, v)
	}
	at += pre
	return at + "return " + strings.Join(rs, ", ") + "\n"
}

func hasCall(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = true
		}
		return !found
	})
	return found
}

// result converts result i to the erased result of a library callback, in a literal that has one.
func (e *emitter) result(i int, s string) string {
	if e.fn.conv != nil {
		return e.fn.conv[i](s)
	}
	return s
}

// forward is return f() where f has several results.
func (e *emitter) forward(x ast.Expr) string {
	tup := e.typeOf(x)
	tmps := e.temps(len(e.fn.results), "t")
	var rs []string
	for i, t := range tmps {
		rs = append(rs, e.result(i, e.conv(t, tupleAt(tup, i), e.fn.results[i], x)))
	}
	return strings.Join(tmps, ", ") + " := " + e.multi(x) + "\nreturn " + strings.Join(rs, ", ") + "\n"
}

// boxedReturn sets the result boxes and leaves.
func (e *emitter) boxedReturn(s *ast.ReturnStmt) string {
	var b strings.Builder
	b.WriteString("{\n")
	var tmps []string
	switch {
	case len(s.Results) == 1 && len(e.fn.results) > 1:
		tup := e.typeOf(s.Results[0])
		raw := e.temps(len(e.fn.results), "t")
		b.WriteString(strings.Join(raw, ", ") + " := " + e.multi(s.Results[0]) + "\n")
		for i, t := range raw {
			tmps = append(tmps, e.result(i, e.conv(t, tupleAt(tup, i), e.fn.results[i], s)))
		}
	default:
		for i, r := range s.Results {
			n := e.tmp("t")
			tmps = append(tmps, n)
			b.WriteString("var " + n + " " + e.fn.types[i] + " = " + e.result(i, e.exprTo(r, e.fn.results[i])) + "\n")
		}
	}
	for i, t := range tmps {
		fmt.Fprintf(&b, "*%s = %s\n", e.fn.boxes[i], t)
	}
	b.WriteString(e.leave() + "}\n")
	return b.String()
}

// leave leaves the function once its results are in their boxes.
func (e *emitter) leave() string {
	if e.fn.rf != nil {
		return e.fn.rf.leaveFunc()
	}
	if e.fn.inBody || len(e.fn.boxes) == 0 {
		return "return\n"
	}
	return "return " + e.boxValues() + "\n"
}
