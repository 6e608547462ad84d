// Calls of the user's own functions, which are compiled along.

package closure

import (
	"go/ast"
	"go/types"
	"unsafe"
)

// unit is a compiled function of the user. Its arguments and results are variables of its frame.
type unit struct {
	code    *Code
	params  []value // where the caller puts arguments; their types count
	args    []place
	results []value
	// ready is false while the function is being compiled, when a call of it is a recursion.
	ready, recursive bool
}

// unit compiles f on first use.
func (c *compiler) unit(f *types.Func) *unit {
	if u := c.units[f]; u != nil {
		u.recursive = u.recursive || !u.ready
		return u
	}
	d := newCompiler(c.program, c.src.Funcs[f])
	d.called = true
	u := &unit{code: d.code()}
	c.units[f] = u
	sig := d.fn.Sig
	if r := sig.Recv(); r != nil {
		d.argument(u, fieldIdent(d.fn.Recv, 0), r.Type())
	}
	for i := range sig.Params().Len() {
		d.argument(u, fieldIdent(d.fn.Type.Params, i), sig.Params().At(i).Type())
	}
	var before []func(*frame)
	for i := range sig.Results().Len() {
		t := types.Unalias(sig.Results().At(i).Type())
		p := place{local: true, off: d.slot(d.reflect(t))}
		if id := fieldIdent(d.fn.Type.Results, i); id != nil {
			if v, ok := d.info.Defs[id].(*types.Var); ok {
				d.vars[v] = p
			}
			before = append(before, d.store(p, d.zero(t)))
		}
		d.results = append(d.results, p)
		u.results = append(u.results, d.loadPlace(p, t))
	}
	body := d.block(d.fn.Body.List)
	u.code.body = body
	if len(before) > 0 {
		u.code.body = func(f *frame) control {
			for _, do := range before {
				do(f)
			}
			return body(f)
		}
	}
	d.finish(u.code)
	u.ready = true
	return u
}

// argument makes the variable of a parameter.
func (c *compiler) argument(u *unit, id *ast.Ident, t types.Type) {
	t = types.Unalias(t)
	p := place{local: true, off: c.slot(c.reflect(t))}
	if id != nil {
		if v, ok := c.info.Defs[id].(*types.Var); ok {
			c.vars[v] = p
		}
	}
	u.args, u.params = append(u.args, p), append(u.params, value{typ: t, k: kindOf(t)})
}

// returnValues leaves the results in their variables.
func (c *compiler) returnValues(s *ast.ReturnStmt) (list []func(*frame)) {
	results := c.fn.Sig.Results()
	if len(s.Results) == 1 {
		return append(list, c.store(c.results[0], c.exprTo(s.Results[0], results.At(0).Type())))
	}
	temps := make([]place, len(s.Results))
	for i, x := range s.Results {
		t := types.Unalias(results.At(i).Type())
		temps[i] = place{local: true, off: c.slot(c.reflect(t))}
		list = append(list, c.store(temps[i], c.exprTo(x, t)))
	}
	for i := range s.Results {
		list = append(list, c.store(c.results[i], c.loadPlace(temps[i], types.Unalias(results.At(i).Type()))))
	}
	return list
}

// callUnit is a call of f: the arguments go into a frame of its own, and the results come out of it.
func (c *compiler) callUnit(x *ast.CallExpr, f *types.Func) called {
	u := c.unit(f)
	var args []value
	if r := f.Signature().Recv(); r != nil {
		args = append(args, c.receiver(x, types.Unalias(r.Type())))
	}
	if len(args)+len(x.Args) != len(u.params) {
		c.refuse("the arguments of %s", f.Name())
	}
	for _, a := range x.Args {
		args = append(args, c.exprTo(a, u.params[len(args)].typ))
	}
	type move struct {
		put func(f *frame, dst unsafe.Pointer)
		off uintptr
	}
	var moves []move
	for i, a := range args {
		moves = append(moves, move{c.overwriter(a), u.args[i].off})
	}
	type back struct {
		copy     copier
		from, to uintptr
	}
	var backs []back
	var rs []value
	for _, r := range u.results {
		rt := c.reflect(r.typ)
		off := c.slot(rt)
		backs = append(backs, back{copierOf(rt), r.where.off, off})
		rs = append(rs, c.loadPlace(place{local: true, off: off}, r.typ))
	}
	host := c.host
	return called{results: rs, do: func(f *frame) {
		if u.recursive {
			host.Enter()
		}
		g := u.code.get()
		for i := range moves {
			moves[i].put(f, unsafe.Add(g.mem, moves[i].off))
		}
		u.code.run(g)
		for i := range backs {
			backs[i].copy(unsafe.Add(f.mem, backs[i].to), unsafe.Add(g.mem, backs[i].from))
		}
		u.code.put(g)
	}}
}

// receiver is the receiver of a method call, as the method takes it.
func (c *compiler) receiver(x *ast.CallExpr, want types.Type) value {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok {
		c.refuse("a method as a function")
	}
	s := c.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		c.refuse("a promoted method")
	}
	t := c.typeOf(sel.X)
	_, has := t.Underlying().(*types.Pointer)
	_, wants := want.Underlying().(*types.Pointer)
	switch {
	case has == wants:
		return c.exprTo(sel.X, want)
	case has:
		return c.loadPlace(deref(c.expr(sel.X)), want)
	}
	c.refuse("the address of a receiver")
	return value{}
}
