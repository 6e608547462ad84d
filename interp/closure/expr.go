// Expressions.

package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

// kind says which of a value's functions gives it.
type kind uint8

const (
	kInt    kind = iota // signed integers: i, sign-extended
	kUint               // unsigned integers: i, zero-extended
	kFloat              // f
	kString             // s
	kBool               // b
	kMem                // p: the address of anything else
)

// value is a compiled expression. What p points to may only be read, and only until the next statement.
type value struct {
	typ types.Type
	k   kind
	i   func(*frame) int64
	f   func(*frame) float64
	s   func(*frame) string
	b   func(*frame) bool
	p   func(*frame) unsafe.Pointer
	// into, where it is set, writes a kMem value to zero memory, or to what it wrote before.
	into func(f *frame, dst unsafe.Pointer)
	// isConst tells that i is always n.
	isConst bool
	n       int64
	// where tells that the value is a part of a variable.
	where *place
}

func kindOf(t types.Type) kind {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return kMem
	}
	switch i := b.Info(); {
	case i&types.IsUnsigned != 0:
		return kUint
	case i&types.IsInteger != 0:
		return kInt
	case i&types.IsFloat != 0:
		return kFloat
	case i&types.IsString != 0:
		return kString
	case i&types.IsBoolean != 0:
		return kBool
	}
	return kMem
}

func basicKind(t types.Type) types.BasicKind {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return types.Invalid
	}
	return types.Default(b).(*types.Basic).Kind()
}

func (c *compiler) typeOf(x ast.Expr) types.Type {
	t := c.info.TypeOf(x)
	if t == nil {
		if id, ok := x.(*ast.Ident); ok && c.info.Uses[id] != nil {
			t = c.info.Uses[id].Type()
		}
	}
	if t == nil {
		c.refuse("an expression without type")
	}
	return types.Unalias(t)
}

// exprTo is x as a value of type t, to which it can be assigned.
func (c *compiler) exprTo(x ast.Expr, t types.Type) value {
	t = types.Unalias(t)
	tv := c.info.Types[x]
	switch {
	case tv.Value != nil && !types.IsInterface(t):
		return c.constant(tv.Value, t)
	case tv.IsNil():
		return c.zero(t)
	case types.IsInterface(t):
		return c.toInterface(x, t)
	}
	v := c.expr(x)
	v.typ = t
	return v
}

// toInterface allows what needs no descriptor: interface values themselves.
func (c *compiler) toInterface(x ast.Expr, t types.Type) value {
	if !types.Identical(c.typeOf(x), t) {
		c.refuse("a conversion to an interface")
	}
	return c.expr(x)
}

// zero is the zero value of a type.
func (c *compiler) zero(t types.Type) value {
	switch kindOf(t) {
	case kInt, kUint:
		return c.constant(constant.MakeInt64(0), t)
	case kFloat:
		return c.constant(constant.MakeInt64(0), t)
	case kString:
		return c.constant(constant.MakeString(""), t)
	case kBool:
		return c.constant(constant.MakeBool(false), t)
	}
	p := reflect.New(c.reflect(t)).UnsafePointer()
	return value{typ: t, k: kMem, p: func(*frame) unsafe.Pointer { return p }}
}

func (c *compiler) constant(v constant.Value, t types.Type) value {
	r := value{typ: t, k: kindOf(t)}
	switch r.k {
	case kInt, kUint:
		n, ok := constant.Int64Val(constant.ToInt(v))
		if !ok {
			u, _ := constant.Uint64Val(constant.ToInt(v))
			n = int64(u)
		}
		r.isConst, r.n = true, n
		r.i = func(*frame) int64 { return n }
	case kFloat:
		x, _ := constant.Float64Val(constant.ToFloat(v))
		if basicKind(t) == types.Float32 {
			f, _ := constant.Float32Val(constant.ToFloat(v))
			x = float64(f)
		}
		r.f = func(*frame) float64 { return x }
	case kString:
		s := constant.StringVal(v)
		r.s = func(*frame) string { return s }
	case kBool:
		b := constant.BoolVal(v)
		r.b = func(*frame) bool { return b }
	default:
		c.refuse("a constant of type %s", t)
	}
	return r
}

func (c *compiler) expr(x ast.Expr) value {
	if tv := c.info.Types[x]; tv.Value != nil {
		return c.constant(tv.Value, c.typeOf(x))
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return c.expr(x.X)
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr:
		return c.loadPlace(c.place(x), c.typeOf(x))
	case *ast.IndexExpr:
		return c.index(x)
	case *ast.SliceExpr:
		return c.slice(x)
	case *ast.UnaryExpr:
		return c.unary(x)
	case *ast.BinaryExpr:
		return c.binary(x)
	case *ast.CallExpr:
		if p, ok := c.early[x]; ok {
			return c.loadPlace(p, c.typeOf(x))
		}
		return c.call(x)
	case *ast.CompositeLit:
		return c.composite(x, c.typeOf(x))
	}
	c.refuse("an expression (%T)", x)
	return value{}
}

// loadPlace is the value that lies at p.
func (c *compiler) loadPlace(p place, t types.Type) value {
	r := value{typ: t, k: kindOf(t), where: &p}
	switch r.k {
	case kInt, kUint:
		r.i = loadInt(p, basicKind(t))
	case kFloat:
		if basicKind(t) == types.Float32 {
			g := load[float32](p)
			r.f = func(f *frame) float64 { return float64(g(f)) }
		} else {
			r.f = load[float64](p)
		}
	case kString:
		r.s = load[string](p)
	case kBool:
		r.b = load[bool](p)
	default:
		c.reflect(t)
		r.p = p.addr()
	}
	return r
}

func loadInt(p place, k types.BasicKind) func(*frame) int64 {
	switch k {
	case types.Int8:
		return widen(load[int8](p))
	case types.Int16:
		return widen(load[int16](p))
	case types.Int32:
		return widen(load[int32](p))
	case types.Uint8:
		return widen(load[uint8](p))
	case types.Uint16:
		return widen(load[uint16](p))
	case types.Uint32:
		return widen(load[uint32](p))
	}
	return load[int64](p)
}

func widen[V int8 | int16 | int32 | uint8 | uint16 | uint32](g func(*frame) V) func(*frame) int64 {
	return func(f *frame) int64 { return int64(g(f)) }
}

func (c *compiler) index(x *ast.IndexExpr) value {
	t := c.typeOf(x.X)
	if kindOf(t) == kString {
		s, i := c.expr(x.X).s, c.exprTo(x.Index, indexType(c.info, x.Index))
		at := i.i
		if i.k == kUint {
			at = bounded(at)
		}
		return value{typ: c.typeOf(x), k: kUint, i: func(f *frame) int64 {
			str := s(f)
			return int64(str[at(f)])
		}}
	}
	if c.mapElement(x) != nil {
		v, _ := c.lookup(x)
		return v
	}
	return c.loadPlace(c.element(x), c.typeOf(x))
}

// slice is x[lo:hi] of a string or a slice.
func (c *compiler) slice(x *ast.SliceExpr) value {
	if x.Slice3 {
		c.refuse("a slice of three indexes")
	}
	bound := func(x ast.Expr) func(*frame) int64 {
		if x == nil {
			return nil
		}
		v := c.exprTo(x, indexType(c.info, x))
		if v.k == kUint {
			return bounded(v.i)
		}
		return v.i
	}
	lo, hi := bound(x.Low), bound(x.High)
	if lo == nil {
		lo = func(*frame) int64 { return 0 }
	}
	t := c.typeOf(x.X)
	if kindOf(t) == kString {
		s := c.expr(x.X).s
		if hi == nil {
			return value{typ: c.typeOf(x), k: kString, s: func(f *frame) string { str := s(f); return str[lo(f):] }}
		}
		return value{typ: c.typeOf(x), k: kString, s: func(f *frame) string { str := s(f); return str[lo(f):hi(f)] }}
	}
	u, ok := t.Underlying().(*types.Slice)
	if !ok {
		c.refuse("a slice of %s", t)
	}
	return c.sliceOf(x, c.expr(x.X).p, lo, hi, c.reflect(u.Elem()).Size(), t)
}

func (c *compiler) sliceOf(x *ast.SliceExpr, s func(*frame) unsafe.Pointer, lo, hi func(*frame) int64, size uintptr, t types.Type) value {
	off := c.slot(c.reflect(t))
	return value{typ: c.typeOf(x), k: kMem, p: func(f *frame) unsafe.Pointer {
		h := *(*sliceHeader)(s(f))
		l, r := int(lo(f)), h.len
		if hi != nil {
			r = int(hi(f))
		}
		// The bounds are checked, with Go's messages, on a slice of the same shape without elements.
		g := unsafe.Slice((*struct{})(unsafe.Pointer(&zeroSized)), h.cap)[:h.len][l:r]
		d := (*sliceHeader)(unsafe.Add(f.mem, off))
		d.len, d.cap = len(g), cap(g)
		d.data = h.data
		if d.cap > 0 {
			d.data = unsafe.Add(h.data, uintptr(l)*size)
		}
		return unsafe.Pointer(d)
	}}
}

var zeroSized struct{}

func (c *compiler) unary(x *ast.UnaryExpr) value {
	t := c.typeOf(x)
	if x.Op == token.AND {
		return c.address(x)
	}
	v := c.exprTo(x.X, t)
	switch {
	case x.Op == token.NOT:
		b := v.b
		return value{typ: t, k: kBool, b: func(f *frame) bool { return !b(f) }}
	case x.Op == token.ADD:
		return v
	case x.Op == token.SUB && v.k == kFloat:
		g := v.f
		return value{typ: t, k: kFloat, f: func(f *frame) float64 { return -g(f) }}
	case x.Op == token.SUB && v.i != nil:
		g := v.i
		return wrapped(t, func(f *frame) int64 { return -g(f) })
	case x.Op == token.XOR && v.i != nil:
		g := v.i
		return wrapped(t, func(f *frame) int64 { return ^g(f) })
	}
	c.refuse("operator %s", x.Op)
	return value{}
}

// address is &T{...}: a fresh variable.
func (c *compiler) address(x *ast.UnaryExpr) value {
	lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
	if !ok {
		c.refuse("the address of a variable")
	}
	v := c.composite(lit, c.typeOf(lit))
	rt, off := c.reflect(v.typ), c.slot(c.reflect(c.typeOf(x)))
	if v.into == nil {
		c.refuse("the address of a literal")
	}
	fresh := maker(rt)
	return value{typ: c.typeOf(x), k: kMem, p: func(f *frame) unsafe.Pointer {
		d := fresh()
		v.into(f, d)
		cell := unsafe.Add(f.mem, off)
		*(*unsafe.Pointer)(cell) = d
		return cell
	}}
}
