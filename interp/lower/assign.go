// Assignments, and the places that they go to.

package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (e *emitter) assign(s *ast.AssignStmt) string {
	switch {
	case s.Tok == token.DEFINE:
		return e.shortVar(s)
	case s.Tok != token.ASSIGN:
		return e.opAssign(s)
	case len(s.Lhs) == 1 && len(s.Rhs) == 1:
		if isBlank(s.Lhs[0]) {
			return e.forget(s.Rhs[0])
		}
		if e.effects(s.Rhs[0]) > 0 && !isIdent(s.Lhs[0]) {
			t := e.typeOf(s.Lhs[0])
			return e.storeLast(s.Lhs[0], "", e.assigned(s.Rhs[0], t), t)
		}
		if f := e.fieldOf(s.Lhs[0]); f != nil && isIOWriter(f.Type()) {
			return e.store(e.lhs(s.Lhs[0]), e.forField(s.Rhs[0], f))
		}
		return e.store(e.lhs(s.Lhs[0]), e.assigned(s.Rhs[0], e.typeOf(s.Lhs[0])))
	case len(s.Rhs) == 1:
		return e.tupleAssign(s)
	}
	return e.parallelAssign(s)
}

// fieldOf is the field that x selects; nil if it is none.
func (e *emitter) fieldOf(x ast.Expr) *types.Var {
	if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok && e.info.Selections[sel] != nil {
		f, _ := e.info.Selections[sel].Obj().(*types.Var)
		return f
	}
	return nil
}

func isIdent(x ast.Expr) bool {
	_, ok := ast.Unparen(x).(*ast.Ident)
	return ok
}

// forget is the assignment of x to the blank identifier.
func (e *emitter) forget(x ast.Expr) string {
	if e.info.Types[x].IsNil() {
		return ""
	}
	return "_ = " + e.kept(x, e.value(x), types.Default(e.typeOf(x))) + "\n"
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
	case *ast.StarExpr:
		return e.kept(x, v, t)
	case *ast.CallExpr:
		return e.kept(x, e.through(v, t), t)
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
		p, take := e.passed("x", t)
		return "func " + n + "(" + p + ") " + e.typ(t) + " { " + take + "return x }\n"
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

// storeLast is x = value or, with an operator, x op= value, where value, of type t, has effects: x is looked for after them,
// but for calls of its own.
func (e *emitter) storeLast(x ast.Expr, op, value string, t types.Type) string {
	calls := e.effects(x) > 0
	p, v := e.hoisted(x), e.tmp("v")
	first, then := e.define(v, t, value), p.pre
	if calls {
		first, then = then, first
	}
	if op != "" {
		v = p.text + " " + op + " " + v
	}
	return "{\n" + first + then + p.text + " = " + v + "\n}\n"
}

// lhs is the target of an assignment whose operands need not be evaluated first.
func (e *emitter) lhs(x ast.Expr) place {
	if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
		if m, ok := coreType(e.typeOf(i.X)).(*types.Map); ok {
			return place{text: e.expr(i.X) + "[" + e.mapKey(i.Index, m.Key()) + "]"}
		}
	}
	return place{text: e.closed(x)}
}

// hoisted is a target whose operands are evaluated into variables of their own.
func (e *emitter) hoisted(x ast.Expr) place {
	switch x := ast.Unparen(x).(type) {
	case *ast.StarExpr:
		n := e.tmp("p")
		return place{e.defineWhole(n, e.typeOf(x.X), e.expr(x.X)), "(*" + n + ")"}
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
			return place{e.defineWhole(n, t, e.expr(x.X)), text}
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
		key := i
		if e.riskyKey(x.Index, u.Key()) {
			key = e.hashable(i, u.Key(), "1")
		}
		return place{e.defineWhole(m, t, e.expr(x.X)) + e.define(i, u.Key(), e.exprTo(x.Index, u.Key())), m + "[" + key + "]"}
	case *types.Slice:
		s := e.tmp("s")
		return place{e.defineWhole(s, t, e.expr(x.X)) + e.define(i, types.Typ[types.Int], e.indexValue(x.Index)), e.indexText(i, s, "len("+s+")", x)}
	case *types.Pointer:
		p := e.tmp("p")
		return place{e.defineWhole(p, t, e.expr(x.X)) + e.define(i, types.Typ[types.Int], e.indexValue(x.Index)), e.indexText(i, "(*"+p+")", e.lenOf(x.X), x)}
	}
	p := e.hoisted(x.X)
	p.pre += e.define(i, types.Typ[types.Int], e.indexValue(x.Index))
	p.text = e.indexText(i, p.text, e.lenOf(x.X), x)
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
	t := e.typeOf(s.Lhs[0])
	if shift := op == token.SHL || op == token.SHR; e.effects(s.Rhs[0]) > 0 && !isIdent(s.Lhs[0]) && !shift && op != token.AND_NOT {
		return e.storeLast(s.Lhs[0], op.String(), e.exprTo(s.Rhs[0], t), t)
	}
	p := e.hoisted(s.Lhs[0])
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
		b.WriteString(e.closed(id) + " = " + e.conv(tmps[i], ts[i], e.typeOf(id), s) + "\n")
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
