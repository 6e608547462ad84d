// Expressions: names, operands and conversions to an interface.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"flinkish/interp/rt"
	"flinkish/interp/symbols/erase"
)

// exprTo is x converted to target as an assignment would.
func (e *emitter) exprTo(x ast.Expr, target types.Type) string {
	target = e.sub(target)
	if tv, ok := e.info.Types[x]; ok && tv.IsNil() && target != nil {
		switch {
		case !isIface(target):
			return e.nilOf(target)
		case isLib(target) != nil: // yaegi cannot pass a bare nil as one
			return e.zero(target)
		}
	}
	if tv, ok := e.info.Types[x]; ok && tv.Value != nil && target != nil && isIface(target) {
		t := e.sub(tv.Type)
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			t = types.Default(t)
		}
		if isIface(t) {
			t = defaultOf(tv.Value)
		}
		return e.conv(e.constant(tv.Value, t), t, target, x)
	}
	if tv, ok := e.info.Types[x]; ok && tv.Value != nil && target != nil {
		return e.constant(tv.Value, target)
	}
	if target != nil && isIface(target) && isNot(x) { // yaegi cannot write !x into an any
		return e.conv("rtǃ.Not("+e.expr(ast.Unparen(x).(*ast.UnaryExpr).X)+")", e.typeOf(x), target, x)
	}
	return e.conv(e.expr(x), e.typeOf(x), target, x)
}

// handed is x for compiled code that takes a target: what is the standard output is then the session's.
func (e *emitter) handed(x ast.Expr, target types.Type) string {
	target = e.sub(target)
	if e.info.Types[x].IsNil() && isIface(target) && e.typ(target) != "any" {
		return e.zero(target) // yaegi cannot pass a bare nil
	}
	s := e.exprTo(x, target)
	if t := e.typeOf(x); isIOWriter(target) && (isIface(t) || types.TypeString(t, nil) == "*os.File") {
		return "rtǃ.Writer(" + s + ")"
	}
	return s
}

func isIOWriter(t types.Type) bool { return types.TypeString(t, nil) == "io.Writer" }

// nilOf is a typed nil.
func (e *emitter) nilOf(t types.Type) string {
	return e.zero(t)
}

// value is x with the type that go/types gave it; an untyped constant has its default type.
func (e *emitter) value(x ast.Expr) string {
	if tv, ok := e.info.Types[x]; ok && tv.Value != nil {
		t := e.sub(tv.Type)
		if isIface(t) {
			return e.exprTo(x, t)
		}
		return e.constant(tv.Value, types.Default(t))
	}
	return e.expr(x)
}

// conv converts text s of type t to target: boxing when an interface would lose the type.
func (e *emitter) conv(s string, t, target types.Type, at ast.Node) string {
	if target == nil || t == nil {
		return s
	}
	if isNilType(t) {
		return e.nilAs(s, target)
	}
	t, target = e.sub(t), e.sub(target)
	if !isIface(target) {
		if _, ok := target.Underlying().(*types.Struct); ok && e.typ(t) != e.typ(target) {
			return e.typ(target) + "(" + s + ")"
		}
		if c, ok := target.Underlying().(*types.Chan); ok && c.Dir() != types.SendRecv && e.typ(t) != e.typ(target) {
			return "rtǃ.Conv(" + s + ", " + e.zero(target) + ").(" + e.typ(target) + ")"
		}
		return e.shut(s, target)
	}
	tt := e.typ(target)
	if n := isLib(target); n != nil {
		return e.toLibIface(s, t, n, at)
	}
	if isIface(t) {
		switch ft := e.typ(t); {
		case tt == ft:
			return s
		case tt == "any":
			return s
		default:
			return e.asIface(target) + "(" + s + ")"
		}
	}
	if tt == "any" {
		if e.l.needsBox(t) {
			return "rtǃ.Box(" + e.desc(t) + ", " + e.open(s, t) + ")"
		}
		return s
	}
	if e.l.needsBox(t) {
		return e.asIface(target) + "(rtǃ.Box(" + e.desc(t) + ", " + e.open(s, t) + "))"
	}
	return s
}

// nilAs is nil as target: yaegi has no nil for the interfaces of the library.
func (e *emitter) nilAs(s string, target types.Type) string {
	target = e.sub(target)
	if isLib(target) == nil || !isIface(target) {
		return s
	}
	return e.l.helper(e, "nil", target, func(n string) string {
		return fmt.Sprintf("func %s() %s { var z %s; return z }\n", n, e.typ(target), e.typ(target))
	}) + "()"
}

// toLibIface is a value as an interface of the library: its own values are it already, the user's are adapted.
func (e *emitter) toLibIface(s string, t types.Type, n *types.Named, at ast.Node) string {
	base := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		base = e.sub(p.Elem())
	}
	if isLib(base) != nil || isLib(t) != nil {
		return s
	}
	if classOf(n) == erase.Adapter {
		return e.adapt(s, t, n, at)
	}
	return e.fail(at, "%s cannot be used as %s in a cell", rt.TypeString(t), rt.TypeString(n))
}

// asIface is a helper that turns an any holding an implementation into the standard library's interface t.
func (e *emitter) asIface(t types.Type) string {
	return e.l.helper(e, "as", t, func(n string) string {
		tt := e.typ(t)
		if tt == "error" {
			return fmt.Sprintf("func %s(x any) error { if x == nil { return nil }; return rtǃ.AsError(x) }\n", n)
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() == nil {
			refuse(token.NoPos, "a value of your own type cannot become a %s here", t)
		}
		path, name := knownAs(named)
		return fmt.Sprintf("func %s(x any) %s { if x == nil { return nil }; return rtǃ.Wrap(x, %q, %q).(%s) }\n", n, tt, path, name, tt)
	})
}

func (e *emitter) values(xs []ast.Expr) string {
	var r []string
	for _, x := range xs {
		r = append(r, e.value(x))
	}
	return strings.Join(r, ", ")
}

func (e *emitter) expr(x ast.Expr) string {
	if s, ok := e.loaded(x); ok {
		return s
	}
	return e.opened(e.closed(x), x)
}

// closed is x as its type is known everywhere: the text of a place, if x is one.
func (e *emitter) closed(x ast.Expr) string {
	if tv, ok := e.info.Types[x]; ok && tv.Value != nil {
		return e.constant(tv.Value, e.sub(tv.Type))
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		if s := e.star(x.X); s != nil {
			return e.closed(s)
		}
		s := e.expr(x.X)
		if isPath(s) || s[0] == '(' && closing(s) == len(s)-1 {
			return s
		}
		return "(" + s + ")"
	case *ast.BasicLit:
		return x.Value
	case *ast.Ident:
		return e.ident(x)
	case *ast.FuncLit:
		return e.funcLit(x)
	case *ast.CompositeLit:
		return e.composite(x)
	case *ast.SelectorExpr:
		return e.selector(x)
	case *ast.IndexExpr:
		return e.index(x)
	case *ast.IndexListExpr:
		if name, ok := e.instantiated(x.X); ok {
			return e.funcValue(name, e.typeOf(x))
		}
	case *ast.SliceExpr:
		return e.slice(x)
	case *ast.TypeAssertExpr:
		return e.assert(e.expr(x.X), e.typeOf(x.X), e.typeOf(x.Type), false)
	case *ast.CallExpr:
		return e.call(x)
	case *ast.StarExpr:
		return "(*" + e.expr(x.X) + ")"
	case *ast.UnaryExpr:
		return e.unary(x)
	case *ast.BinaryExpr:
		return e.binary(x)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return e.typ(e.typeOf(x))
	}
	return e.fail(x, "a cell cannot run this expression (%T)", x)
}

// isPath reports whether s is a name or a selection of names. yaegi compares nil with a name in parentheses wrongly
// when the comparison is an operand of && or ||.
func isPath(s string) bool {
	for _, r := range s {
		if r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

func (e *emitter) ident(x *ast.Ident) string {
	if x.Name == "_" {
		return "_"
	}
	obj := e.info.Uses[x]
	if obj == nil {
		obj = e.info.Defs[x]
	}
	switch obj := obj.(type) {
	case *types.Nil:
		return "nil"
	case *types.TypeName:
		return e.typ(obj.Type())
	case *types.Func:
		return e.funcIdent(x, obj)
	case *types.Var:
		return e.variable(x, obj)
	}
	return e.fail(x, "%s has no value here", x.Name)
}

func (e *emitter) variable(x *ast.Ident, v *types.Var) string {
	if n := e.local[v]; n != nil {
		return n.text()
	}
	if g := e.globalName(v); g != "" {
		return "(*" + g + ")"
	}
	if v.Pkg() != nil && v.Pkg() != e.l.pkg { // dot import
		return e.pkgVar(x, v)
	}
	return e.fail(x, "%s has no value here", x.Name)
}

func (e *emitter) index(x *ast.IndexExpr) string {
	if name, ok := e.instantiated(x.X); ok {
		return e.funcValue(name, e.typeOf(x))
	}
	t := e.typeOf(x.X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Array); ok {
			return e.inBounds("(*"+e.expr(x.X)+")", x)
		}
	}
	if m, ok := t.Underlying().(*types.Map); ok {
		if e.riskyKey(x.Index, m.Key()) {
			return e.l.helper(e, "at", t, func(n string) string {
				return "func " + n + "(m " + e.whole(t) + ", k any) " + e.typ(m.Elem()) + " { return m[" + e.hashable("k", m.Key(), "len(m)") + "] }\n"
			}) + "(" + e.expr(x.X) + ", " + e.exprTo(x.Index, m.Key()) + ")"
		}
		return e.expr(x.X) + "[" + e.exprTo(x.Index, m.Key()) + "]"
	}
	return e.inBounds(e.expr(x.X), x)
}

// mapKey is the key x of a map with keys of type t that is written. One that cannot be compared panics here, for the map
// would name the interpreter's type.
func (e *emitter) mapKey(x ast.Expr, t types.Type) string {
	if e.riskyKey(x, t) {
		return e.hashable(e.exprTo(x, t), t, "1")
	}
	return e.kept(x, e.exprTo(x, t), t)
}

// hashable is text s of the key type t, of a map of n elements, or Go's panic when it cannot be compared.
func (e *emitter) hashable(s string, t types.Type, n string) string {
	s = "rtǃ.KeyOf(" + s + ", " + n + ")"
	if tt := e.typ(t); tt != "any" {
		s += ".(" + tt + ")"
	}
	return s
}

// riskyKey reports whether x, a key of a map with keys of type t, may be of a type that cannot be compared.
func (e *emitter) riskyKey(x ast.Expr, t types.Type) bool {
	return !e.strictlyComparable(t) && e.info.Types[x].Value == nil && !e.info.Types[x].IsNil() && !e.strictlyComparable(e.typeOf(x))
}

// strictlyComparable reports whether == never panics for values of t.
func (e *emitter) strictlyComparable(t types.Type) bool {
	t = e.sub(t)
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return e.strictlyComparable(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !e.strictlyComparable(f.Type()) {
				return false
			}
		}
	}
	return types.Comparable(t)
}

// indexValue is an index as an int: yaegi indexes by int only.
func (e *emitter) indexValue(x ast.Expr) string {
	if tv := e.info.Types[x]; tv.Value != nil {
		return e.constant(tv.Value, types.Typ[types.Int])
	}
	if b, ok := e.typeOf(x).(*types.Basic); ok && b.Kind() == types.Int {
		return e.expr(x)
	}
	return "int(" + e.expr(x) + ")"
}

func (e *emitter) slice(x *ast.SliceExpr) string {
	s := e.expr(x.X)
	t := e.typeOf(x.X).Underlying()
	if isPointer(t) {
		s = "(*" + s + ")"
	}
	if e.unbounded(x, t) {
		return e.cutWhole(s, x)
	}
	part := func(x ast.Expr) string {
		if x == nil {
			return ""
		}
		return e.indexValue(x)
	}
	s += "[" + part(x.Low) + ":" + part(x.High)
	if x.Slice3 {
		s += ":" + part(x.Max)
	}
	return s + "]"
}

// unbounded reports whether nothing has compared the ends of x, a part of something of type t, which package reflect would
// do without Go's numbers.
func (e *emitter) unbounded(x *ast.SliceExpr, t types.Type) bool {
	switch t.(type) {
	case *types.Slice, *types.Basic:
		return !e.bounded[x] && (x.Low != nil || x.High != nil)
	}
	return false
}
