// Loops. Every turn reads the stop flag.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
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
		b.WriteString(e.note(s.Cond))
		cond = e.guarded(s.Cond)
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
		return at + e.rangeList(s, label, e.expr(s.X), u.Elem())
	case *types.Array:
		if s.Value == nil && e.effects(s.X) == 0 { // the array is not evaluated
			return at + e.rangeCount(s, label, fmt.Sprint(u.Len()), types.Typ[types.Int])
		}
		return at + e.rangeList(s, label, e.kept(s.X, e.expr(s.X), t), u.Elem())
	case *types.Pointer:
		x := "(*" + e.expr(s.X) + ")"
		if s.Value == nil || isBlank(s.Value) {
			return at + e.rangeCount(s, label, e.length(s.X, "len"), types.Typ[types.Int])
		}
		return at + e.rangeList(s, label, x+"[:]", u.Elem().Underlying().(*types.Array).Elem())
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

// rangeList is a loop over the slice or array x of elements of type t.
func (e *emitter) rangeList(s *ast.RangeStmt, label, x string, t types.Type) string {
	if _, ok := e.sub(t).Underlying().(*types.Chan); ok {
		return e.rangeIndex(s, label, x, t)
	}
	return e.rangeNative(s, label, x, types.Typ[types.Int], t)
}

// inTurn is what sets the key and the value of a turn. Neither changes what the place of the other depends on.
func inTurn(s *ast.RangeStmt, key, value string) string {
	if s.Tok == token.ASSIGN && s.Value != nil && !isIdent(s.Value) {
		return value + key
	}
	return key + value
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
	b.WriteString(" {\n" + stopCheck + inTurn(s, pk, pv) + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

// rangeIndex is a loop over a list of channels, of type t, which yaegi takes for one over a channel.
func (e *emitter) rangeIndex(s *ast.RangeStmt, label, x string, t types.Type) string {
	e.enter(label, true)
	defer e.leaveLoop()
	k, pk := e.loopVar(s.Key, s, types.Typ[types.Int])
	v, pv := e.loopVar(s.Value, s, t)
	xs, i, n := e.tmp("xs"), e.tmp("i"), e.tmp("n")
	var b strings.Builder
	fmt.Fprintf(&b, "{\n%s := %s\n%s := len(%s)\n%s := 0\n%sfor ; %s < %s; %s++ {\n%s", xs, x, n, xs, i, labelText(label), i, n, i, stopCheck)
	if k != "_" {
		b.WriteString(k + " := " + i + "\n")
	}
	if v != "_" {
		b.WriteString(v + " := " + xs + "[" + i + "]\n")
	}
	b.WriteString(inTurn(s, pk, pv) + e.block(s.Body.List) + "}\n}\n")
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
	b.WriteString(inTurn(s, pk, pv) + e.block(s.Body.List) + "}\n}\n")
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
	ok, val, i := e.tmp("ok"), vv, "_"
	if vv == "_" {
		val = e.tmp("v")
	}
	keys, lost := "rtǃ.Keys("+m+")", "continue"
	if e.notItself(u.Key()) {
		i = e.tmp("i")
		x, is, found := e.tmp("x"), e.tmp("is"), e.tmp("found")
		keys = found + ".Keys()"
		lost = fmt.Sprintf("%s, %s := %s.Lost(%s); if !%s { continue }; %s = %s", x, is, found, i, is, val, e.unany(x, u.Elem()))
		fmt.Fprintf(&b, "{\n%s := %s\n%s := rtǃ.Entries(%s)\n", m, e.expr(s.X), found, m)
	} else {
		fmt.Fprintf(&b, "{\n%s := %s\n", m, e.expr(s.X))
	}
	head := fmt.Sprintf("for %s, %s := range %s {\n", i, k, ks)
	if _, ok := e.sub(u.Key()).Underlying().(*types.Chan); ok { // yaegi would take a list of channels for a channel
		if i == "_" {
			i = e.tmp("i")
		}
		head = fmt.Sprintf("for %s := range %s {\n%s := %s[%s]\n", i, ks, k, ks, i)
	}
	fmt.Fprintf(&b, "%s := %s.([]%s)\n%s%s%s", ks, keys, e.typ(u.Key()), labelText(label), head, stopCheck)
	fmt.Fprintf(&b, "%s, %s := %s[%s]\nif !%s { %s }\n", val, ok, m, k, ok, lost)
	if kv != "_" {
		b.WriteString(kv + " := " + k + "\n")
	}
	b.WriteString(inTurn(s, pk, pv) + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}

// notItself reports whether a key of type t may differ from itself, as NaN does: the map does not find it again.
func (e *emitter) notItself(t types.Type) bool {
	t = e.sub(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Interface:
		return true
	case *types.Array:
		return e.notItself(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if e.notItself(f.Type()) {
				return true
			}
		}
	}
	return false
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
	at := ""
	if e.fn != nil {
		at = e.noted(s.X) // each turn may wait for ever
	}
	fmt.Fprintf(&b, "{\n%s := %s\n%sfor {\n%s%s%s, %s := %s(%s)\nif !%s { break }\n", c, e.expr(s.X), labelText(label), stopCheck, at, k, ok, e.l.recvOkHelper(e, u.Elem()), c, ok)
	b.WriteString(pre + e.block(s.Body.List) + "}\n}\n")
	return b.String()
}
