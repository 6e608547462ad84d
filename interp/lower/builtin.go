package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"flinkish/interp/rt"
)

func quote(s string) string { return fmt.Sprintf("%q", s) }

func goTypeString(t types.Type) string { return rt.GoTypeString(t) }

func (e *emitter) builtin(c *ast.CallExpr) string {
	name := identOf(c.Fun).Name
	if len(c.Args) == 1 {
		if tup, ok := e.typeOf(c.Args[0]).(*types.Tuple); ok {
			return e.spreadBuiltin(c, tup)
		}
	}
	switch name {
	case "min", "max":
		return e.minMax(c, name)
	case "clear":
		return "rtǃ.Clear(" + e.expr(c.Args[0]) + ")"
	case "new":
		return e.newCall(c)
	case "make":
		return e.makeCall(c)
	case "append":
		return e.appendCall(c)
	case "panic":
		if e.info.Types[c.Args[0]].IsNil() {
			return "rtǃ.PanicNil()"
		}
		return "panic(" + e.panicArg(c.Args[0]) + ")"
	case "recover":
		if e.fn.recov == "" {
			return "rtǃ.Take().Recover()"
		}
		return e.fn.recov + ".Recover()"
	case "delete":
		m := coreType(e.typeOf(c.Args[0])).(*types.Map)
		if e.riskyKey(c.Args[1], m.Key()) {
			t := e.typeOf(c.Args[0])
			return e.l.helper(e, "delete", t, func(n string) string {
				return "func " + n + "(m " + e.whole(t) + ", k any) { delete(m, " + e.hashable("k", m.Key(), "len(m)") + ") }\n"
			}) + "(" + e.expr(c.Args[0]) + ", " + e.exprTo(c.Args[1], m.Key()) + ")"
		}
		return "delete(" + e.expr(c.Args[0]) + ", " + e.exprTo(c.Args[1], m.Key()) + ")"
	case "print", "println":
		return "rtǃ.BuiltinPrint" + strings.TrimPrefix(name, "print") + "(" + e.values(c.Args) + ")"
	case "len", "cap":
		return e.length(c.Args[0], name)
	case "copy":
		if b, ok := e.typeOf(c.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return "copy(" + e.expr(c.Args[0]) + ", []byte(" + e.value(c.Args[1]) + "))"
		}
	case "complex":
		t := e.typeOf(c)
		part := types.Typ[types.Float64]
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Complex64 {
			part = types.Typ[types.Float32]
		}
		return "complex(" + e.exprTo(c.Args[0], part) + ", " + e.exprTo(c.Args[1], part) + ")"
	case "close":
		return "rtǃ.Close(" + e.expr(c.Args[0]) + ")"
	}
	return name + "(" + e.values(c.Args) + ")"
}

// length is len(x) or cap(x), which is not a constant.
func (e *emitter) length(x ast.Expr, name string) string {
	t := e.typeOf(x)
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		s := e.value(x)
		if e.unread(x) {
			s = e.open(e.same(s, t), t)
		}
		return name + "(" + s + ")"
	}
	n := e.sub(p.Elem()).Underlying().(*types.Array).Len()
	if e.effects(x) == 0 {
		return fmt.Sprint(n)
	}
	return e.l.helper(e, "length", t, func(h string) string {
		return fmt.Sprintf("func %s(p %s) int { return %d }\n", h, e.whole(t), n)
	}) + "(" + e.expr(x) + ")"
}

// spreadBuiltin is a builtin whose arguments are the results of one call: those of a function that calls it.
func (e *emitter) spreadBuiltin(c *ast.CallExpr, results *types.Tuple) string {
	nc := *c
	nc.Args = nil
	e.info.Types[&nc] = e.info.Types[c]
	var params []string
	takes := ""
	for v := range results.Variables() {
		n := e.tmp("a")
		p, take := e.passed(n, v.Type())
		params, takes = append(params, p), takes+take
		nc.Args = append(nc.Args, e.synthetic(n, types.Default(v.Type()), c.Args[0].Pos()))
	}
	fn := e.fn
	e.fn = &fnCtx{slot: fn.slot}
	body, res := e.builtin(&nc), ""
	e.fn = fn
	if tv := e.info.Types[c]; !tv.IsVoid() {
		res, body = " "+e.typ(tv.Type), "return "+body
	}
	name := e.tmp("spread")
	fmt.Fprintf(&e.l.out.decls, "func %s(%s)%s { %s%s }\n", name, strings.Join(params, ", "), res, takes, body)
	return name + "(" + e.multi(c.Args[0]) + ")"
}

// panicArg is the value of a panic, boxed.
func (e *emitter) panicArg(x ast.Expr) string {
	v := e.exprTo(x, types.Universe.Lookup("any").Type())
	if isIface(e.typeOf(x)) {
		return "rtǃ.PanicValue(" + v + ")"
	}
	return v
}

func (e *emitter) minMax(c *ast.CallExpr, name string) string {
	t := e.typeOf(c)
	h := e.l.helper(e, name, t, func(n string) string {
		op := map[string]string{"min": "<", "max": ">"}[name]
		tt := e.typ(t)
		if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
			return fmt.Sprintf("func %s(a, b any) %s { return %s(rtǃ.%s(float64(a.(%s)), float64(b.(%s)))) }\n", n, tt, tt, name, tt, tt)
		}
		return fmt.Sprintf("func %s(a, b %s) %s { if b %s a { return b }; return a }\n", n, tt, tt, op)
	})
	s := e.exprTo(c.Args[0], t)
	for _, a := range c.Args[1:] {
		s = h + "(" + s + ", " + e.exprTo(a, t) + ")"
	}
	return s
}

func (e *emitter) newCall(c *ast.CallExpr) string {
	t := e.sub(e.typeOf(c).(*types.Pointer).Elem())
	if e.info.Types[c.Args[0]].IsType() {
		return "new(" + e.typ(t) + ")"
	}
	return e.newOf(t, e.exprTo(c.Args[0], t))
}

// appended is an element to append. yaegi takes a slice for the elements themselves where they are of type any.
func (e *emitter) appended(x ast.Expr, t types.Type) string {
	s := e.exprTo(x, t)
	for {
		c, ok := ast.Unparen(x).(*ast.CallExpr)
		if !ok || !e.info.Types[c.Fun].IsType() || !isIface(e.typeOf(c.Fun)) {
			break
		}
		x = c.Args[0]
	}
	if !e.opaque(t) && (e.typ(t) != "any" || e.typ(e.typeOf(x)) != "[]any") {
		return s
	}
	return e.l.once(e, "closed", func(n string) string { return "func " + n + "(x any) any { return x }\n" }) + "(" + s + ")"
}

// makeCall checks sizes that are not small constants: a request that nobody can meet ends the process.
func (e *emitter) makeCall(c *ast.CallExpr) string {
	t := e.typeOf(c.Args[0])
	if ch, ok := coreType(t).(*types.Chan); ok && ch.Dir() != types.SendRecv { // reflect makes only those of both directions
		both := *c
		typ := &ast.Ident{NamePos: c.Args[0].Pos(), Name: "chan"}
		e.info.Types[typ] = types.TypeAndValue{Type: types.NewChan(types.SendRecv, ch.Elem())}
		both.Args = append([]ast.Expr{typ}, c.Args[1:]...)
		return "rtǃ.Conv(" + e.makeCall(&both) + ", " + e.zero(t) + ").(" + e.typ(t) + ")"
	}
	s := "make(" + e.whole(t)
	for _, a := range c.Args[1:] {
		n := e.indexValue(a)
		if v := e.info.Types[a].Value; v == nil || constant.Compare(v, token.GTR, constant.MakeInt64(1<<16)) {
			n = e.sized(t, n)
		}
		s += ", " + n
	}
	return s + ")"
}

func (e *emitter) sized(t types.Type, n string) string {
	elem := int64(1)
	switch u := coreType(t).(type) {
	case *types.Map:
		return "rtǃ.Hint(" + n + ")"
	case *types.Slice:
		elem = gcSizes.Sizeof(u.Elem())
	case *types.Chan:
		elem = gcSizes.Sizeof(u.Elem())
	}
	return fmt.Sprintf("rtǃ.Size(%q, %s, %d)", rt.TypeString(t), n, elem)
}

var gcSizes = types.SizesFor("gc", "amd64")

func (e *emitter) appendCall(c *ast.CallExpr) string {
	t := e.typeOf(c)
	st := coreType(t).(*types.Slice)
	s := "append(" + e.exprTo(c.Args[0], t)
	if c.Ellipsis.IsValid() {
		a := c.Args[1]
		if b, ok := e.typeOf(a).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return s + ", []byte(" + e.value(a) + ")...)"
		}
		return s + ", " + e.exprTo(a, t) + "...)"
	}
	elems := make([]string, 0, len(c.Args)-1)
	for _, a := range c.Args[1:] {
		elems = append(elems, e.appended(a, st.Elem()))
	}
	if len(elems) > 1 && slices.ContainsFunc(c.Args[2:], e.readsPlace) {
		return e.appendAll(t, st.Elem(), len(elems)) + strings.TrimPrefix(s, "append") + ", " + strings.Join(elems, ", ") + ")"
	}
	for _, el := range elems {
		s += ", " + el
	}
	return s + ")"
}

// readsPlace reports whether x reads an element, a field or what a pointer leads to.
func (e *emitter) readsPlace(x ast.Expr) bool {
	if e.info.Types[x].Value != nil {
		return false
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr, *ast.StarExpr, *ast.SelectorExpr:
		return true
	case *ast.CallExpr:
		return e.info.Types[x.Fun].IsType() && len(x.Args) == 1 && e.readsPlace(x.Args[0])
	}
	return false
}

// appendAll is a function that appends n elements: yaegi reads each one after it has appended those before it, and they may
// share memory.
func (e *emitter) appendAll(t, elem types.Type, n int) string {
	return e.l.helper(e, fmt.Sprint("append ", n), t, func(h string) string {
		ps, takes, args := "", "", ""
		for i := range n {
			a := fmt.Sprint("a", i)
			p, take := e.passed(a, elem)
			ps, takes, args = ps+", "+p, takes+take, args+", "+a
		}
		return fmt.Sprintf("func %s(s %s%s) %s { %sreturn append(s%s) }\n", h, e.whole(t), ps, e.whole(t), takes, args)
	})
}
