// defer and go: the operands of the call are evaluated now, the call runs later.

package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (e *emitter) deferStmt(c *ast.CallExpr) string {
	recovers := "false"
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.FuncLit:
		if b := e.an.bodies[f]; b != nil && b.recovers {
			recovers = "true"
		}
	default:
		if e.mayRecover(f) {
			recovers = "true"
		}
	}
	return e.fn.defers + ".Defer(" + e.thunk(c, true) + ", " + recovers + ")\n"
}

// mayRecover reports whether the called function may call recover itself.
func (e *emitter) mayRecover(f ast.Expr) bool {
	id := identOf(f)
	if id == nil {
		return true
	}
	switch o := e.info.Uses[id].(type) {
	case *types.Builtin:
		return false
	case *types.Func:
		fi := e.l.funcs[o.Origin()]
		if fi == nil {
			return isIface(e.recvTypeOf(o))
		}
		found := false
		ast.Inspect(fi.decl.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == "recover" {
				found = true
			}
			return !found
		})
		return found
	}
	return true
}

func (e *emitter) recvTypeOf(f *types.Func) types.Type {
	if r := f.Type().(*types.Signature).Recv(); r != nil {
		return r.Type()
	}
	return nil
}

// thunk is a func() that makes call c with the operands of now.
func (e *emitter) thunk(c *ast.CallExpr, deferred bool) string {
	fun := ast.Unparen(c.Fun)
	if lit, ok := fun.(*ast.FuncLit); ok && len(c.Args) == 0 {
		if sig := e.typeOf(lit).(*types.Signature); sig.Results().Len() == 0 {
			return e.funcLit(lit)
		}
	}
	if tv := e.info.Types[c.Fun]; tv.IsBuiltin() && identOf(c.Fun).Name == "recover" {
		return e.maker("func()", "", nil)
	}
	h := &hoister{e: e}
	nc := *c
	nc.Fun = h.callee(c.Fun)
	nc.Args = nil
	if len(c.Args) == 1 {
		if tup, ok := e.typeOf(c.Args[0]).(*types.Tuple); ok {
			return e.spreadThunk(c, h, &nc, tup)
		}
	}
	isBuiltin := e.info.Types[c.Fun].IsBuiltin()
	for i, a := range c.Args {
		if isBuiltin && i == 0 && e.info.Types[a].IsType() {
			nc.Args = append(nc.Args, a)
			continue
		}
		nc.Args = append(nc.Args, h.operand(a))
	}
	return h.later(&nc)
}

// later is a call of a maker whose function makes call c.
func (h *hoister) later(c *ast.CallExpr) string {
	e := h.e
	fn := e.fn
	e.fn = &fnCtx{slot: fn.slot}
	body := e.exprStmt(c) + "\n"
	e.fn = fn
	mk := e.maker("func()", body, h.params)
	return mk[:strings.Index(mk, "(")] + "(" + strings.Join(h.args, ", ") + ")"
}

// spreadThunk is thunk for f(g()) where g has several results: they become parameters of the maker, which one call
// of another function fills.
func (e *emitter) spreadThunk(c *ast.CallExpr, h *hoister, nc *ast.CallExpr, tup *types.Tuple) string {
	fixed := append([]string{}, h.args...)
	caps := append([]local{}, h.params...)
	var heads []string
	for i := range tup.Len() {
		t := e.sub(tup.At(i).Type())
		r := e.tmp("r")
		heads = append(heads, r+" "+e.typ(t))
		nc.Args = append(nc.Args, h.param(t, r, c.Args[0].Pos()))
	}
	for i := range fixed {
		h.args[i] = caps[i].name
	}
	made := h.later(nc)
	mk := e.maker("func("+strings.Join(heads, ", ")+") func()", "return "+made+"\n", caps)
	return mk[:strings.Index(mk, "(")] + "(" + strings.Join(fixed, ", ") + ")(" + e.multi(c.Args[0]) + ")"
}

// hoister moves operands into parameters of a maker.
type hoister struct {
	e      *emitter
	params []local
	args   []string
}

func (h *hoister) operand(x ast.Expr) ast.Expr {
	tv := h.e.info.Types[x]
	if tv.Value != nil || tv.IsNil() || tv.IsType() {
		return x
	}
	return h.param(h.e.typeOf(x), h.e.value(x), x.Pos())
}

func (h *hoister) param(t types.Type, text string, at token.Pos) *ast.Ident {
	t = types.Default(t)
	n := h.e.tmp("h")
	id := h.e.synthetic(n, t, at)
	h.params = append(h.params, local{name: n, typ: h.e.typ(t), signed: h.e.signed(t)})
	h.args = append(h.args, text)
	return id
}

// callee keeps what is known before the program runs, and evaluates the rest: a function value, a receiver.
func (h *hoister) callee(x ast.Expr) ast.Expr {
	e := h.e
	if e.info.Types[x].IsBuiltin() || e.info.Types[x].IsType() {
		return x
	}
	fun := ast.Unparen(x)
	if id := identOf(fun); id != nil {
		if f, ok := e.info.Uses[id].(*types.Func); ok {
			sel, ok := fun.(*ast.SelectorExpr)
			if !ok || e.info.Selections[sel] == nil {
				return x // a declared function
			}
			return h.method(sel, f)
		}
	}
	return h.param(e.typeOf(x), e.expr(x), x.Pos())
}

func (h *hoister) method(sel *ast.SelectorExpr, f *types.Func) ast.Expr {
	e := h.e
	s := e.info.Selections[sel]
	if s.Kind() != types.MethodVal {
		return sel
	}
	t := e.typeOf(sel.X)
	text := ""
	if e.wantsPointer(s) && !isPointer(t) {
		t, text = types.NewPointer(t), e.address(sel.X)
	} else {
		text = e.expr(sel.X)
	}
	if b, bt, ok := e.boundReceiver(text, t, sel.Sel.Name, e.l.pkgOf(f)); ok && !isLibPkg(f.Pkg()) {
		t, text = bt, b
	}
	ns := &ast.SelectorExpr{X: h.param(t, text, sel.Pos()), Sel: sel.Sel}
	e.info.Selections[ns] = s
	e.info.Types[ns] = e.info.Types[sel]
	return ns
}
