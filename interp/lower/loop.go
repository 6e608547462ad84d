// Loops. Every turn reads the stop flag.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"flinkish/interp/rt"
)

const stopCheck = "if *rtǃ.Stop != 0 { rtǃ.Halt() }\n"

// loopCtx is a statement that break or continue may mean.
type loopCtx struct {
	label string
	loop  bool
	rf    *rangeCtx // a loop over a function: its body is a literal
}

func (e *emitter) enter(label string, loop bool) {
	e.loops = append(e.loops, &loopCtx{label: label, loop: loop})
}

func (e *emitter) leaveLoop() { e.loops = e.loops[:len(e.loops)-1] }

func (e *emitter) forStmt(s *ast.ForStmt, label string) string {
	var b strings.Builder
	b.WriteString("{\n")
	if s.Init != nil {
		b.WriteString(e.stmt(s.Init, ""))
	}
	e.enter(label, true)
	defer e.leaveLoop()
	copies, update := e.iterationCopies(s)
	b.WriteString(copies)
	cond := ""
	if s.Cond != nil {
		b.WriteString(e.mark(s.Cond))
		cond = e.expr(s.Cond)
	}
	post := ""
	if s.Post != nil {
		post = e.stmt(s.Post, "")
	}
	simple := strings.TrimSpace(post)
	if update == "" && !strings.ContainsAny(simple, "\n{;") {
		b.WriteString(labelText(label) + "for ; " + cond + "; " + simple + " {\n" + stopCheck)
		if simple == "" && cond == "" {
			b.Reset()
			b.WriteString("{\n" + e.again(s.Init) + labelText(label) + "for {\n" + stopCheck)
		}
		b.WriteString(e.block(s.Body.List) + "}\n}\n")
		return b.String()
	}
	first := e.tmp("first")
	b.WriteString(first + " := true\n" + labelText(label) + "for {\n" + stopCheck + update)
	b.WriteString("if " + first + " { " + first + " = false } else {\n" + post + "}\n")
	if cond != "" {
		b.WriteString("if !" + paren(cond) + " { break }\n")
	}
	b.WriteString(e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

func paren(s string) string { return "(" + s + ")" }

// again writes the init statement of a loop without condition and post statement; there is none to repeat.
func (e *emitter) again(s ast.Stmt) string {
	if s == nil {
		return ""
	}
	return e.stmt(s, "")
}

// iterationCopies gives each turn its own copy of the loop variables that live behind a pointer: update
// runs at the start of each turn.
func (e *emitter) iterationCopies(s *ast.ForStmt) (init, update string) {
	as, ok := s.Init.(*ast.AssignStmt)
	if !ok || as.Tok != token.DEFINE {
		return "", ""
	}
	for _, l := range as.Lhs {
		v, ok := e.info.Defs[nonNil(identOf(l))].(*types.Var)
		if !ok || e.local[v] == nil || !e.local[v].boxed {
			continue
		}
		n := e.local[v]
		c := e.tmp("c")
		update += fmt.Sprintf("%s := new(%s)\n*%s = *%s\n%s = %s\n", c, n.typ, c, n.name, n.name, c)
	}
	return "", update
}

func (e *emitter) rangeStmt(s *ast.RangeStmt, label string) string {
	t := e.typeOf(s.X)
	at := e.mark(s.X)
	switch u := coreType(t).(type) {
	case *types.Signature:
		return at + e.rangeFunc(s, label, u)
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			return at + e.rangeInt(s, label, t)
		}
		return at + e.rangeString(s, label)
	case *types.Map:
		return at + e.rangeMap(s, label, u)
	case *types.Chan:
		return at + e.rangeChan(s, label, u)
	case *types.Slice:
		if _, ok := e.sub(u.Elem()).Underlying().(*types.Chan); ok {
			return at + e.rangeIndex(s, label, u)
		}
		return at + e.rangeNative(s, label, e.expr(s.X), types.Typ[types.Int], u.Elem())
	case *types.Array:
		return at + e.rangeNative(s, label, e.expr(s.X), types.Typ[types.Int], u.Elem())
	case *types.Pointer:
		x := "(*" + e.expr(s.X) + ")"
		if s.Value == nil || isBlank(s.Value) {
			return at + e.rangeCount(s, label, fmt.Sprint(u.Elem().Underlying().(*types.Array).Len()), types.Typ[types.Int])
		}
		return at + e.rangeNative(s, label, x+"[:]", types.Typ[types.Int], u.Elem().Underlying().(*types.Array).Elem())
	}
	return e.fail(s, "a cell cannot range over %s", t)
}

// loopVar gives the text that receives a key or value on each turn, and what must run first in the body.
func (e *emitter) loopVar(x ast.Expr, s *ast.RangeStmt, t types.Type) (name, pre string) {
	if x == nil || isBlank(x) {
		return "_", ""
	}
	if s.Tok == token.DEFINE {
		v := e.info.Defs[x.(*ast.Ident)].(*types.Var)
		n := e.declare(v)
		if !n.boxed && !e.an.changed[v] {
			return n.name, ""
		}
		r := e.tmp("r") // yaegi counts in the variable that the body would change
		if !n.boxed {
			return r, n.name + " := " + r + "\n_ = " + n.name + "\n"
		}
		return r, n.name + " := new(" + n.typ + ")\n*" + n.name + " = " + r + "\n"
	}
	r := e.tmp("r")
	return r, e.store(e.lhs(x), e.conv(r, t, e.typeOf(x), x))
}

func (e *emitter) rangeNative(s *ast.RangeStmt, label, x string, kt, vt types.Type) string {
	e.enter(label, true)
	defer e.leaveLoop()
	k, pk := e.loopVar(s.Key, s, kt)
	v, pv := e.loopVar(s.Value, s, vt)
	xs := e.tmp("xs")
	var b strings.Builder
	b.WriteString("{\n" + xs + " := " + x + "\n" + labelText(label))
	switch {
	case k == "_" && v == "_":
		b.WriteString("for range " + xs)
	case v == "_":
		b.WriteString("for " + k + " := range " + xs)
	default:
		b.WriteString("for " + k + ", " + v + " := range " + xs)
	}
	b.WriteString(" {\n" + stopCheck + pk + pv + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

// rangeIndex is a loop over a slice of channels, which yaegi takes for one over a channel.
func (e *emitter) rangeIndex(s *ast.RangeStmt, label string, u *types.Slice) string {
	e.enter(label, true)
	defer e.leaveLoop()
	k, pk := e.loopVar(s.Key, s, types.Typ[types.Int])
	v, pv := e.loopVar(s.Value, s, u.Elem())
	xs, i, n := e.tmp("xs"), e.tmp("i"), e.tmp("n")
	var b strings.Builder
	fmt.Fprintf(&b, "{\n%s := %s\n%s := len(%s)\n%s := 0\n%sfor ; %s < %s; %s++ {\n%s", xs, e.expr(s.X), n, xs, i, labelText(label), i, n, i, stopCheck)
	if k != "_" {
		b.WriteString(k + " := " + i + "\n")
	}
	if v != "_" {
		b.WriteString(v + " := " + xs + "[" + i + "]\n")
	}
	b.WriteString(pk + pv + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

// rangeString decodes by itself: yaegi's offsets are wrong.
func (e *emitter) rangeString(s *ast.RangeStmt, label string) string {
	e.enter(label, true)
	defer e.leaveLoop()
	k, pk := e.loopVar(s.Key, s, types.Typ[types.Int])
	v, pv := e.loopVar(s.Value, s, types.Typ[types.Rune])
	str, i, r, w := e.tmp("s"), e.tmp("i"), e.tmp("r"), e.tmp("w")
	var b strings.Builder
	fmt.Fprintf(&b, "{\n%s := %s\n%s, %s, %s := 0, int32(0), 0\n_ = %s\n%sfor ; %s < len(%s); %s += %s {\n%s", str, e.value(s.X), i, r, w, r, labelText(label), i, str, i, w, stopCheck)
	fmt.Fprintf(&b, "%s, %s = rtǃ.Rune(%s, %s)\n", r, w, str, i)
	if k != "_" {
		b.WriteString(k + " := " + i + "\n")
	}
	if v != "_" {
		b.WriteString(v + " := " + r + "\n")
	}
	b.WriteString(pk + pv + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

func (e *emitter) rangeInt(s *ast.RangeStmt, label string, t types.Type) string {
	kt := t
	if s.Key != nil && !isBlank(s.Key) {
		if id, ok := s.Key.(*ast.Ident); ok && s.Tok == token.DEFINE {
			kt = e.sub(e.info.Defs[id].Type())
		} else {
			kt = e.typeOf(s.Key)
		}
	}
	return e.rangeCount(s, label, e.exprTo(s.X, types.Default(kt)), types.Default(kt))
}

// rangeCount is a loop from 0 to n.
func (e *emitter) rangeCount(s *ast.RangeStmt, label, n string, t types.Type) string {
	e.enter(label, true)
	defer e.leaveLoop()
	k, pre := e.loopVar(s.Key, s, t)
	i, end := e.tmp("i"), e.tmp("n")
	tt := e.typ(t)
	var b strings.Builder
	fmt.Fprintf(&b, "{\nvar %s %s = %s\nvar %s %s\n%sfor ; %s < %s; %s++ {\n%s", end, tt, n, i, tt, labelText(label), i, end, i, stopCheck)
	if k != "_" {
		b.WriteString(k + " := " + i + "\n")
	}
	b.WriteString(pre + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

func (e *emitter) rangeMap(s *ast.RangeStmt, label string, u *types.Map) string {
	e.enter(label, true)
	defer e.leaveLoop()
	m, ks, k := e.tmp("m"), e.tmp("ks"), e.tmp("k")
	kv, pk := e.loopVar(s.Key, s, u.Key())
	vv, pv := e.loopVar(s.Value, s, u.Elem())
	var b strings.Builder
	fmt.Fprintf(&b, "{\n%s := %s\n%s := rtǃ.Keys(%s).([]%s)\n%sfor _, %s := range %s {\n%s", m, e.expr(s.X), ks, m, e.typ(u.Key()), labelText(label), k, ks, stopCheck)
	ok, val := e.tmp("ok"), vv
	if vv == "_" {
		val = e.tmp("v")
	}
	fmt.Fprintf(&b, "%s, %s := %s[%s]\nif !%s { continue }\n", val, ok, m, k, ok)
	if kv != "_" {
		b.WriteString(kv + " := " + k + "\n")
	}
	b.WriteString(pk + pv + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

func (e *emitter) rangeChan(s *ast.RangeStmt, label string, u *types.Chan) string {
	e.enter(label, true)
	defer e.leaveLoop()
	c, ok := e.tmp("ch"), e.tmp("ok")
	k, pre := e.loopVar(s.Key, s, u.Elem())
	if k == "_" {
		k = e.tmp("v")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{\n%s := %s\n%sfor {\n%s%s, %s := %s(%s)\nif !%s { break }\n", c, e.expr(s.X), labelText(label), stopCheck, k, ok, e.l.recvOkHelper(e, u.Elem()), c, ok)
	b.WriteString(pre + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

// rangeCtx is the body of a loop over a function, written as a literal. Leaving it in any way but
// continue is done by a code in a variable that the statement after the loop looks at. The variable also tells
// whether the function may call the body: see rt.Body.
type rangeCtx struct {
	outer *rangeCtx
	body  *ast.BlockStmt
	code  string
	codes []string // what code i+1 means: "break L", "continue "
	ret   bool
}

func (r *rangeCtx) leaveFunc() string {
	r.ret = true
	return r.stop(-1) + "\n"
}

// stop leaves the loop for the place that code stands for.
func (r *rangeCtx) stop(code int) string {
	return fmt.Sprintf("*%s = %d; return false", r.code, code)
}

// holds reports whether a label lies in the body.
func (r *rangeCtx) holds(label types.Object) bool {
	return label != nil && r.body.Pos() <= label.Pos() && label.Pos() < r.body.End()
}

// next ends this turn of the loop.
func (r *rangeCtx) next() string { return "*" + r.code + " = 0; return true" }

func (e *emitter) rangeFunc(s *ast.RangeStmt, label string, sig *types.Signature) string {
	ys := coreType(e.sub(sig.Params().At(0).Type())).(*types.Signature)
	seq := e.expr(s.X)
	rf := &rangeCtx{outer: e.fn.rf, body: s.Body, code: e.tmp("code")}
	synth := e.fn.synth
	e.fn.synth = append(append([]local{}, synth...), local{name: rf.code, typ: "*int"})
	var nodes []ast.Node
	if s.Tok != token.DEFINE {
		nodes = append(nodes, exprNodes(s.Key, s.Value)...)
	}
	caps := e.captures(e.fn.synth, append(nodes, s.Body)...)
	e.fn.rf = rf
	e.loops = append(e.loops, &loopCtx{label: label, loop: true, rf: rf})
	var ps, pre []string
	for i := range ys.Params().Len() {
		t := e.sub(ys.Params().At(i).Type())
		x := s.Key
		if i == 1 {
			x = s.Value
		}
		n := e.tmp("y")
		ps = append(ps, n+" "+e.typ(t))
		if x == nil || isBlank(x) {
			continue
		}
		if s.Tok == token.DEFINE {
			pre = append(pre, e.bind(e.info.Defs[x.(*ast.Ident)].(*types.Var), n))
		} else {
			pre = append(pre, e.store(e.lhs(x), e.conv(n, t, e.typeOf(x), x)))
		}
	}
	body := fmt.Sprintf("if *%s != 0 { rtǃ.Body(*%s) }\n*%s = %d\n", rf.code, rf.code, rf.code, rt.InBody) + stopCheck +
		strings.Join(pre, "") + e.block(s.Body.List) + rf.next() + "\n"
	e.leaveLoop()
	e.fn.rf = rf.outer
	lit := e.maker("func("+strings.Join(ps, ", ")+") bool", body, caps)
	e.fn.synth = synth
	f := e.tmp("seq")
	r := "{\n" + rf.code + " := new(int)\nvar " + f + " " + e.typ(sig) + " = " + seq + "\n" + f + "(" + lit + ")\n"
	left := e.tmp("left")
	after := e.afterRange(rf, left)
	done := fmt.Sprintf("if *%s == %d { rtǃ.Body(%d) }\n", rf.code, rt.InBody, rt.LostPanic)
	if after == "" {
		return r + done + fmt.Sprintf("*%s = %d\n}\n", rf.code, rt.LoopEnded)
	}
	return r + done + fmt.Sprintf("%s := *%s\n*%s = %d\n", left, rf.code, rf.code, rt.LoopEnded) + after + "}\n"
}

// afterRange continues where the body of a loop over a function wanted to go, as the variable left says.
func (e *emitter) afterRange(rf *rangeCtx, left string) string {
	r := ""
	if rf.ret {
		r += "if " + left + " == -1 {\n" + e.leave() + "}\n"
	}
	for i, c := range rf.codes {
		kind, l, _ := strings.Cut(c, " ")
		s := &ast.BranchStmt{Tok: map[string]token.Token{"break": token.BREAK, "continue": token.CONTINUE, "goto": token.GOTO}[kind]}
		if l != "" {
			s.Label = ast.NewIdent(l)
		}
		r += fmt.Sprintf("if %s == %d { %s }\n", left, i+1, e.branch(s))
	}
	return r
}

func exprNodes(xs ...ast.Expr) []ast.Node {
	var r []ast.Node
	for _, x := range xs {
		if x != nil {
			r = append(r, x)
		}
	}
	return r
}

// branch is break, continue, goto or fallthrough. Inside the body of a loop over a function it may have to
// cross a literal.
func (e *emitter) branch(s *ast.BranchStmt) string {
	l := ""
	if s.Label != nil {
		l = s.Label.Name
	}
	native := strings.TrimSpace(s.Tok.String() + " " + l)
	if s.Tok == token.FALLTHROUGH {
		return native
	}
	if s.Tok == token.GOTO {
		if rf := e.fn.rf; rf != nil && !rf.holds(e.info.Uses[s.Label]) {
			return e.fail(s, "goto out of a loop over a function is not supported in a cell")
		}
		return native
	}
	for i := len(e.loops) - 1; i >= 0; i-- {
		c := e.loops[i]
		hit := l != "" && c.label == l || l == "" && (c.loop || s.Tok == token.BREAK)
		if c.rf == nil {
			if hit {
				return native
			}
			continue
		}
		if hit {
			if s.Tok == token.CONTINUE {
				return c.rf.next()
			}
			return c.rf.stop(rt.LoopLeft)
		}
		c.rf.codes = append(c.rf.codes, s.Tok.String()+" "+l)
		return c.rf.stop(len(c.rf.codes))
	}
	return native
}
