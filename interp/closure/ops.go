// Operators.

package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"unsafe"
)

// wrapped cuts the result of integer arithmetic to the width of t.
func wrapped(t types.Type, g func(*frame) int64) value {
	r := value{typ: t, k: kindOf(t), i: g}
	switch basicKind(t) {
	case types.Int8:
		r.i = func(f *frame) int64 { return int64(int8(g(f))) }
	case types.Int16:
		r.i = func(f *frame) int64 { return int64(int16(g(f))) }
	case types.Int32:
		r.i = func(f *frame) int64 { return int64(int32(g(f))) }
	case types.Uint8:
		r.i = func(f *frame) int64 { return int64(uint8(g(f))) }
	case types.Uint16:
		r.i = func(f *frame) int64 { return int64(uint16(g(f))) }
	case types.Uint32:
		r.i = func(f *frame) int64 { return int64(uint32(g(f))) }
	}
	return r
}

func (c *compiler) binary(x *ast.BinaryExpr) value {
	t := c.typeOf(x)
	switch x.Op {
	case token.LAND, token.LOR:
		a, b := c.expr(x.X).b, c.expr(x.Y).b
		if x.Op == token.LAND {
			return value{typ: t, k: kBool, b: func(f *frame) bool { return a(f) && b(f) }}
		}
		return value{typ: t, k: kBool, b: func(f *frame) bool { return a(f) || b(f) }}
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return c.compare(x, t)
	case token.SHL, token.SHR:
		return c.operate(x.Op, t, c.exprTo(x.X, t), c.shiftCount(x.Y))
	}
	return c.operate(x.Op, t, c.exprTo(x.X, t), c.exprTo(x.Y, t))
}

func (c *compiler) shiftCount(x ast.Expr) value {
	if tv := c.info.Types[x]; tv.Value != nil {
		return c.constant(tv.Value, types.Typ[types.Uint])
	}
	return c.expr(x)
}

// operate is a op b, both of type t unless op is a shift.
func (c *compiler) operate(op token.Token, t types.Type, a, b value) value {
	switch a.k {
	case kString:
		if op == token.ADD {
			l, r := a.s, b.s
			return value{typ: t, k: kString, s: func(f *frame) string { x := l(f); return x + r(f) }}
		}
	case kFloat:
		return c.floats(op, t, a.f, b.f)
	case kInt, kUint:
		return c.ints(op, t, a, b)
	}
	c.refuse("operator %s on %s", op, t)
	return value{}
}

func (c *compiler) floats(op token.Token, t types.Type, l, r func(*frame) float64) value {
	var g func(*frame) float64
	switch op {
	case token.ADD:
		g = func(f *frame) float64 { x := l(f); return x + r(f) }
	case token.SUB:
		g = func(f *frame) float64 { x := l(f); return x - r(f) }
	case token.MUL:
		g = func(f *frame) float64 { x := l(f); return x * r(f) }
	case token.QUO:
		g = func(f *frame) float64 { x := l(f); return x / r(f) }
	default:
		c.refuse("operator %s on %s", op, t)
	}
	if basicKind(t) == types.Float32 { // one operation on 32 bits is the same as one on 64 bits, rounded
		return value{typ: t, k: kFloat, f: func(f *frame) float64 { return float64(float32(g(f))) }}
	}
	return value{typ: t, k: kFloat, f: g}
}

func (c *compiler) ints(op token.Token, t types.Type, a, b value) value {
	l, r, unsigned := a.i, b.i, a.k == kUint
	switch op {
	case token.ADD:
		if b.isConst {
			n := b.n
			return wrapped(t, func(f *frame) int64 { return l(f) + n })
		}
		return wrapped(t, func(f *frame) int64 { x := l(f); return x + r(f) })
	case token.SUB:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x - r(f) })
	case token.MUL:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x * r(f) })
	case token.AND:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x & r(f) })
	case token.OR:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x | r(f) })
	case token.XOR:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x ^ r(f) })
	case token.AND_NOT:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x &^ r(f) })
	case token.QUO, token.REM:
		return divide(op, t, l, r, unsigned)
	case token.SHL, token.SHR:
		return shift(op, t, l, r, unsigned, b.k == kUint)
	}
	c.refuse("operator %s on %s", op, t)
	return value{}
}

func divide(op token.Token, t types.Type, l, r func(*frame) int64, unsigned bool) value {
	switch {
	case op == token.QUO && unsigned:
		return wrapped(t, func(f *frame) int64 { x := uint64(l(f)); return int64(x / uint64(r(f))) })
	case op == token.QUO:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x / r(f) })
	case unsigned:
		return wrapped(t, func(f *frame) int64 { x := uint64(l(f)); return int64(x % uint64(r(f))) })
	}
	return wrapped(t, func(f *frame) int64 { x := l(f); return x % r(f) })
}

// shift shifts by an unsigned count, or by a signed one that must not be negative.
func shift(op token.Token, t types.Type, l, r func(*frame) int64, unsigned, count bool) value {
	switch {
	case op == token.SHL && count:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x << uint64(r(f)) })
	case op == token.SHL:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x << r(f) })
	case unsigned && count:
		return wrapped(t, func(f *frame) int64 { x := uint64(l(f)); return int64(x >> uint64(r(f))) })
	case unsigned:
		return wrapped(t, func(f *frame) int64 { x := uint64(l(f)); return int64(x >> r(f)) })
	case count:
		return wrapped(t, func(f *frame) int64 { x := l(f); return x >> uint64(r(f)) })
	}
	return wrapped(t, func(f *frame) int64 { x := l(f); return x >> r(f) })
}

// compare is a comparison: of basic values, of pointers, of structs for equality, of anything with nil.
func (c *compiler) compare(x *ast.BinaryExpr, t types.Type) value {
	lt, rt := c.typeOf(x.X), c.typeOf(x.Y)
	switch {
	case c.info.Types[x.Y].IsNil():
		return c.isNil(x.X, x.Op, t)
	case c.info.Types[x.X].IsNil():
		return c.isNil(x.Y, x.Op, t)
	case types.IsInterface(lt) || types.IsInterface(rt):
		c.refuse("a comparison of interfaces")
	}
	if c.info.Types[x.X].Value != nil {
		lt = rt
	}
	return value{typ: t, k: kBool, b: c.compared(x.Op, lt, c.exprTo(x.X, lt), c.exprTo(x.Y, lt))}
}

// compared compares two values of type t.
func (c *compiler) compared(op token.Token, t types.Type, a, b value) func(*frame) bool {
	switch a.k {
	case kString:
		return ordered(op, a.s, b.s)
	case kFloat:
		return ordered(op, a.f, b.f)
	case kInt:
		return ordered(op, a.i, b.i)
	case kUint:
		l, r := a.i, b.i
		return ordered(op, func(f *frame) uint64 { return uint64(l(f)) }, func(f *frame) uint64 { return uint64(r(f)) })
	case kBool:
		l, r, want := a.b, b.b, op == token.EQL
		return func(f *frame) bool { x := l(f); return (x == r(f)) == want }
	}
	return c.same(op == token.EQL, t, a, b)
}

func ordered[V string | float64 | int64 | uint64](op token.Token, l, r func(*frame) V) func(*frame) bool {
	switch op {
	case token.EQL:
		return func(f *frame) bool { x := l(f); return x == r(f) }
	case token.NEQ:
		return func(f *frame) bool { x := l(f); return x != r(f) }
	case token.LSS:
		return func(f *frame) bool { x := l(f); return x < r(f) }
	case token.LEQ:
		return func(f *frame) bool { x := l(f); return x <= r(f) }
	case token.GTR:
		return func(f *frame) bool { x := l(f); return x > r(f) }
	}
	return func(f *frame) bool { x := l(f); return x >= r(f) }
}

// same compares structs and pointers for equality. Parts that are interfaces may hold boxes, which == does not
// compare as Go would.
func (c *compiler) same(want bool, t types.Type, a, b value) func(*frame) bool {
	rt, l, r := c.reflect(t), a.p, b.p
	if !flat(rt) {
		c.refuse("a comparison of %s", t)
	}
	if rt.Kind() == reflect.Pointer {
		return func(f *frame) bool {
			x := *(*unsafe.Pointer)(l(f))
			return (x == *(*unsafe.Pointer)(r(f))) == want
		}
	}
	box := boxer(rt)
	if !isDirect(rt) { // what only == looks at need not be copied
		word := typeWord(rt)
		box = func(p unsafe.Pointer) (x any) {
			e := (*eface)(unsafe.Pointer(&x))
			e.typ, e.data = word, p
			return x
		}
	}
	return func(f *frame) bool {
		x := box(l(f))
		return (x == box(r(f))) == want
	}
}

// flat reports whether == on a t looks at no interface.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Func, reflect.Map, reflect.Slice:
		return false
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}

// isNil compares with nil: the first word of every such value tells.
func (c *compiler) isNil(x ast.Expr, op token.Token, t types.Type) value {
	switch u := c.typeOf(x).Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
	case *types.Interface:
		if u.NumMethods() == 0 {
			c.refuse("a comparison of interfaces")
		}
	default:
		c.refuse("a comparison with nil")
	}
	p, want := c.expr(x).p, op == token.EQL
	return value{typ: t, k: kBool, b: func(f *frame) bool { return (*(*unsafe.Pointer)(p(f)) == nil) == want }}
}

// conversion is T(x).
func (c *compiler) conversion(x *ast.CallExpr) value {
	t, arg := c.typeOf(x), x.Args[0]
	if tv := c.info.Types[arg]; tv.Value != nil && kindOf(t) != kMem && kindOf(t) != kString {
		if b, ok := tv.Type.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			return c.constant(tv.Value, t)
		}
	}
	v := c.expr(arg)
	from, to := v.k, kindOf(t)
	switch {
	case from == to && (from == kString || from == kBool):
		v.typ = t
		return v
	case (from == kInt || from == kUint) && (to == kInt || to == kUint):
		return wrapped(t, v.i)
	case from == kFloat && to == kFloat:
		g := v.f
		if basicKind(t) == types.Float32 {
			return value{typ: t, k: kFloat, f: func(f *frame) float64 { return float64(float32(g(f))) }}
		}
		return value{typ: t, k: kFloat, f: g}
	case to == kFloat && (from == kInt || from == kUint):
		return toFloat(t, v)
	case from == kFloat && (to == kInt || to == kUint):
		return toInt(t, v.f)
	case to == kString:
		return c.toString(t, v)
	case to == kMem && from == kString:
		return c.fromString(t, v)
	case to == kMem && from == kMem && !types.IsInterface(t) && c.reflect(t) == c.reflect(v.typ):
		v.typ = t
		return v
	}
	c.refuse("a conversion from %s to %s", v.typ, t)
	return value{}
}

func toFloat(t types.Type, v value) value {
	g, r := v.i, value{typ: t, k: kFloat}
	single := basicKind(t) == types.Float32
	switch {
	case v.k == kUint && single:
		r.f = func(f *frame) float64 { return float64(float32(uint64(g(f)))) }
	case v.k == kUint:
		r.f = func(f *frame) float64 { return float64(uint64(g(f))) }
	case single:
		r.f = func(f *frame) float64 { return float64(float32(g(f))) }
	default:
		r.f = func(f *frame) float64 { return float64(g(f)) }
	}
	return r
}

func toInt(t types.Type, g func(*frame) float64) value {
	r := value{typ: t, k: kindOf(t)}
	switch basicKind(t) {
	case types.Int8:
		r.i = func(f *frame) int64 { return int64(int8(g(f))) }
	case types.Int16:
		r.i = func(f *frame) int64 { return int64(int16(g(f))) }
	case types.Int32:
		r.i = func(f *frame) int64 { return int64(int32(g(f))) }
	case types.Uint8:
		r.i = func(f *frame) int64 { return int64(uint8(g(f))) }
	case types.Uint16:
		r.i = func(f *frame) int64 { return int64(uint16(g(f))) }
	case types.Uint32:
		r.i = func(f *frame) int64 { return int64(uint32(g(f))) }
	case types.Uint, types.Uint64, types.Uintptr:
		r.i = func(f *frame) int64 { return int64(uint64(g(f))) }
	default:
		r.i = func(f *frame) int64 { return int64(g(f)) }
	}
	return r
}

// toString is a string of a rune, of bytes or of runes.
func (c *compiler) toString(t types.Type, v value) value {
	switch r := (value{typ: t, k: kString}); v.k {
	case kInt, kUint:
		g, signed := v.i, v.k == kInt
		r.s = func(f *frame) string {
			n := g(f)
			if n > math.MaxInt32 || n < 0 && (signed || n < math.MinInt32) {
				n = -1
			}
			return string(rune(n))
		}
		return r
	case kMem:
		switch s, ok := v.typ.Underlying().(*types.Slice); {
		case !ok:
		case basicKind(s.Elem()) == types.Uint8:
			p := v.p
			r.s = func(f *frame) string { return string(*(*[]byte)(p(f))) }
			return r
		case basicKind(s.Elem()) == types.Int32:
			p := v.p
			r.s = func(f *frame) string { return string(*(*[]rune)(p(f))) }
			return r
		}
	}
	c.refuse("a conversion to a string")
	return value{}
}

// fromString is the bytes or the runes of a string.
func (c *compiler) fromString(t types.Type, v value) value {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		c.refuse("a conversion from a string")
	}
	g, off := v.s, c.slot(c.reflect(t))
	r := value{typ: t, k: kMem}
	switch basicKind(s.Elem()) {
	case types.Uint8:
		r.p = func(f *frame) unsafe.Pointer {
			p := unsafe.Add(f.mem, off)
			*(*[]byte)(p) = []byte(g(f))
			return p
		}
	case types.Int32:
		r.p = func(f *frame) unsafe.Pointer {
			p := unsafe.Add(f.mem, off)
			*(*[]rune)(p) = []rune(g(f))
			return p
		}
	default:
		c.refuse("a conversion from a string")
	}
	return r
}
