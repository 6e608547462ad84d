// Variables: declarations, assignments and the writing of values to memory.

package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"
)

// store writes v to p.
func (c *compiler) store(p place, v value) func(*frame) {
	if p.local {
		return c.storeLocal(p.off, v)
	}
	at := p.addr()
	put := c.writer(v)
	switch v.k {
	case kString:
		return func(f *frame) { x := v.s(f); *(*string)(at(f)) = x }
	case kFloat:
		if basicKind(v.typ) != types.Float32 {
			return func(f *frame) { x := v.f(f); *(*float64)(at(f)) = x }
		}
	}
	copy := copierOf(c.reflect(v.typ))
	if v.k == kMem {
		return func(f *frame) { x := v.p(f); copy(at(f), x) }
	}
	tmp := c.slot(c.reflect(v.typ))
	return func(f *frame) { // the value first: finding the place may fail
		t := unsafe.Add(f.mem, tmp)
		put(f, t)
		copy(at(f), t)
	}
}

func (c *compiler) storeLocal(off uintptr, v value) func(*frame) {
	switch v.k {
	case kInt, kUint:
		if size := c.reflect(v.typ).Size(); size == 8 {
			return func(f *frame) { x := v.i(f); *(*int64)(unsafe.Add(f.mem, off)) = x }
		}
	case kString:
		return func(f *frame) { x := v.s(f); *(*string)(unsafe.Add(f.mem, off)) = x }
	case kBool:
		return func(f *frame) { x := v.b(f); *(*bool)(unsafe.Add(f.mem, off)) = x }
	case kMem:
		copy := copierOf(c.reflect(v.typ))
		return func(f *frame) { copy(unsafe.Add(f.mem, off), v.p(f)) }
	}
	put := c.writer(v)
	return func(f *frame) { put(f, unsafe.Add(f.mem, off)) }
}

// writer writes v to memory that v does not read, and that is zero or was written by this writer.
func (c *compiler) writer(v value) func(f *frame, dst unsafe.Pointer) {
	switch v.k {
	case kInt, kUint:
		switch c.reflect(v.typ).Size() {
		case 1:
			return func(f *frame, d unsafe.Pointer) { *(*int8)(d) = int8(v.i(f)) }
		case 2:
			return func(f *frame, d unsafe.Pointer) { *(*int16)(d) = int16(v.i(f)) }
		case 4:
			return func(f *frame, d unsafe.Pointer) { *(*int32)(d) = int32(v.i(f)) }
		}
		return func(f *frame, d unsafe.Pointer) { *(*int64)(d) = v.i(f) }
	case kFloat:
		if basicKind(v.typ) == types.Float32 {
			return func(f *frame, d unsafe.Pointer) { *(*float32)(d) = float32(v.f(f)) }
		}
		return func(f *frame, d unsafe.Pointer) { *(*float64)(d) = v.f(f) }
	case kString:
		return func(f *frame, d unsafe.Pointer) { *(*string)(d) = v.s(f) }
	case kBool:
		return func(f *frame, d unsafe.Pointer) { *(*bool)(d) = v.b(f) }
	}
	if v.into != nil {
		return v.into
	}
	copy := copierOf(c.reflect(v.typ))
	return func(f *frame, d unsafe.Pointer) { copy(d, v.p(f)) }
}

// overwriter writes v to memory that holds something else: a literal does not write the parts that it leaves out.
func (c *compiler) overwriter(v value) func(f *frame, dst unsafe.Pointer) {
	v.into = nil
	return c.writer(v)
}

// declare makes a variable.
func (c *compiler) declare(v *types.Var) place {
	p := place{local: true, off: c.slot(c.reflect(v.Type()))}
	c.vars[v] = p
	return p
}

func (c *compiler) decl(d *ast.GenDecl) func(*frame) {
	var list []func(*frame)
	if d.Tok == token.VAR {
		for _, s := range d.Specs {
			list = append(list, c.spec(s.(*ast.ValueSpec))...)
		}
	}
	return func(f *frame) {
		for _, do := range list {
			do(f)
		}
	}
}

func (c *compiler) spec(s *ast.ValueSpec) (list []func(*frame)) {
	if len(s.Values) != 0 && len(s.Values) != len(s.Names) || len(s.Values) > 1 {
		c.refuse("a declaration of several variables")
	}
	for i, id := range s.Names {
		v, _ := c.info.Defs[id].(*types.Var)
		if v == nil || id.Name == "_" {
			c.refuse("a blank declaration")
		}
		val := c.zero(v.Type())
		if len(s.Values) > 0 {
			val = c.exprTo(s.Values[i], v.Type())
			if at := c.mark(s.Values[i]); at != nil {
				list = append(list, at)
			}
		}
		list = append(list, c.store(c.declare(v), val))
	}
	return list
}

func (c *compiler) incDec(s *ast.IncDecStmt) func(*frame) {
	op := token.ADD
	if s.Tok == token.DEC {
		op = token.SUB
	}
	t := c.typeOf(s.X)
	one := value{typ: t, k: kindOf(t), isConst: true, n: 1, i: func(*frame) int64 { return 1 }, f: func(*frame) float64 { return 1 }}
	return c.update(s.X, op, one)
}

// update is x op= v.
func (c *compiler) update(x ast.Expr, op token.Token, v value) func(*frame) {
	if ix := c.mapElement(x); ix != nil {
		return c.updateElement(ix, op, v)
	}
	t, p := c.typeOf(x), c.place(x)
	if p.local && op == token.ADD && v.k == kInt && c.reflect(t).Size() == 8 {
		off := p.off
		if v.isConst {
			n := v.n
			return func(f *frame) { *(*int64)(unsafe.Add(f.mem, off)) += n }
		}
		return func(f *frame) { n := v.i(f); *(*int64)(unsafe.Add(f.mem, off)) += n }
	}
	if p.local || p.arg > 0 {
		return c.store(p, c.operate(op, t, c.loadPlace(p, t), v))
	}
	find, q := c.pinned(p)
	do := c.store(q, c.operate(op, t, c.loadPlace(q, t), v))
	return func(f *frame) {
		find(f)
		do(f)
	}
}

// pinned is p found once: find looks for it, and q is where find last found it.
func (c *compiler) pinned(p place) (find func(*frame), q place) {
	at, off := p.addr(), c.slot(reflect.TypeFor[unsafe.Pointer]())
	q = place{base: func(f *frame) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(f.mem, off)) }}
	return func(f *frame) { *(*unsafe.Pointer)(unsafe.Add(f.mem, off)) = at(f) }, q
}

func (c *compiler) assign(s *ast.AssignStmt) func(*frame) {
	switch {
	case s.Tok != token.ASSIGN && s.Tok != token.DEFINE:
		op := token.Token(s.Tok - token.ADD_ASSIGN + token.ADD)
		if op == token.SHL || op == token.SHR {
			return c.update(s.Lhs[0], op, c.shiftCount(s.Rhs[0]))
		}
		return c.update(s.Lhs[0], op, c.exprTo(s.Rhs[0], c.typeOf(s.Lhs[0])))
	}
	before := c.hoist(s)
	var do func(*frame)
	switch {
	case len(s.Lhs) == 1:
		do = c.assignOne(s.Lhs[0], s.Rhs[0])
	case len(s.Rhs) == 1:
		do = c.assignTuple(s)
	default:
		do = c.assignMany(s)
	}
	if len(before) == 0 {
		return do
	}
	return sequence(append(before, do))
}

// hoist makes the calls on the left of an assignment: Go makes them before those on the right, while everything
// else on the left comes after the right.
func (c *compiler) hoist(s *ast.AssignStmt) (list []func(*frame)) {
	if s.Tok == token.DEFINE || !slices.ContainsFunc(s.Rhs, c.calling) {
		return nil
	}
	for _, l := range s.Lhs {
		ast.Inspect(l, func(n ast.Node) bool {
			if x, ok := n.(*ast.BinaryExpr); ok && (x.Op == token.LAND || x.Op == token.LOR) && c.calling(x) {
				c.refuse("a call that may not be made, on the left of an assignment")
			}
			x, ok := n.(*ast.CallExpr)
			if !ok || !c.callsFunction(x) {
				return true
			}
			v := c.call(x)
			p := place{local: true, off: c.slot(c.reflect(v.typ))}
			list = append(list, c.store(p, v))
			c.early[x] = p
			return false
		})
	}
	return list
}

// calling reports whether evaluating x calls a function.
func (c *compiler) calling(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if x, ok := n.(*ast.CallExpr); ok {
			found = found || c.callsFunction(x)
		}
		return !found
	})
	return found
}

// callsFunction tells a call from a conversion and from a built-in function.
func (c *compiler) callsFunction(x *ast.CallExpr) bool {
	tv := c.info.Types[x.Fun]
	return !tv.IsType() && !tv.IsBuiltin()
}

func blank(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	return ok && id.Name == "_"
}

// targetType is the type of what x, on the left of an assignment, takes; nil for a blank.
func (c *compiler) targetType(x ast.Expr) types.Type {
	if blank(x) {
		return nil
	}
	if id, ok := x.(*ast.Ident); ok {
		if v, ok := c.info.Defs[id].(*types.Var); ok {
			return types.Unalias(v.Type())
		}
	}
	return c.typeOf(x)
}

// target is where x lies, which := may declare.
func (c *compiler) target(x ast.Expr) place {
	if id, ok := x.(*ast.Ident); ok {
		if v, ok := c.info.Defs[id].(*types.Var); ok {
			return c.declare(v)
		}
	}
	return c.place(x)
}

func (c *compiler) assignOne(l, r ast.Expr) func(*frame) {
	t := c.targetType(l)
	if t == nil {
		return discard(c.exprTo(r, types.Default(c.typeOf(r))))
	}
	if ix := c.mapElement(l); ix != nil {
		return c.setElement(ix, r)
	}
	v := c.exprTo(r, t)
	return c.store(c.target(l), v)
}

// assignMany evaluates all values before it assigns the first.
func (c *compiler) assignMany(s *ast.AssignStmt) func(*frame) {
	var list []func(*frame)
	temps := make([]place, len(s.Rhs))
	ts := make([]types.Type, len(s.Rhs))
	for i, r := range s.Rhs {
		if ts[i] = c.targetType(s.Lhs[i]); ts[i] == nil {
			ts[i] = types.Default(c.typeOf(r))
		}
		temps[i] = place{local: true, off: c.slot(c.reflect(ts[i]))}
		list = append(list, c.store(temps[i], c.exprTo(r, ts[i])))
	}
	return sequence(append(list, c.distribute(s.Lhs, func(i int, _ types.Type) value { return c.loadPlace(temps[i], ts[i]) })...))
}

// distribute assigns values to places, all of which are found before the first changes.
func (c *compiler) distribute(lhs []ast.Expr, val func(i int, t types.Type) value) (list []func(*frame)) {
	var stores []func(*frame)
	for i, l := range lhs {
		t := c.targetType(l)
		if t == nil {
			continue
		}
		if c.mapElement(l) != nil {
			c.refuse("an assignment of several elements of maps")
		}
		p := c.target(l)
		if p.base != nil {
			var find func(*frame)
			find, p = c.pinned(p)
			list = append(list, find)
		}
		stores = append(stores, c.store(p, val(i, t)))
	}
	return append(list, stores...)
}

func sequence(list []func(*frame)) func(*frame) {
	return func(f *frame) {
		for _, do := range list {
			do(f)
		}
	}
}

// assignTuple assigns the results of a call, or of a look-up in a map.
func (c *compiler) assignTuple(s *ast.AssignStmt) func(*frame) {
	var do func(*frame)
	var vs []value
	switch x := ast.Unparen(s.Rhs[0]).(type) {
	case *ast.CallExpr:
		r := c.calls(x)
		do, vs = r.do, r.results
	case *ast.IndexExpr:
		if c.mapElement(x) == nil {
			c.refuse("an assignment of two values")
		}
		v, ok := c.lookup(x)
		do, vs = discard(v), []value{c.loadPlace(*v.where, v.typ), ok}
	default:
		c.refuse("an assignment of two values")
	}
	if len(vs) != len(s.Lhs) {
		c.refuse("an assignment of several values")
	}
	return sequence(append([]func(*frame){do}, c.distribute(s.Lhs, func(i int, t types.Type) value {
		if types.IsInterface(t) && !types.Identical(t, vs[i].typ) {
			c.refuse("a conversion to an interface")
		}
		vs[i].typ = t
		return vs[i]
	})...))
}
