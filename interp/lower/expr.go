package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"flinkish/interp/rt"
	"flinkish/interp/symbols/erase"
)

// exprTo is x converted to target as an assignment would.
func (e *emitter) exprTo(x ast.Expr, target types.Type) string {
	target = e.sub(target)
	if tv, ok := e.info.Types[x]; ok && tv.IsNil() && target != nil && !isIface(target) {
		return e.nilOf(target)
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
	if target != nil && isIface(target) {
		if f := e.stdFile(x); f != "" {
			return f
		}
	}
	return e.conv(e.expr(x), e.typeOf(x), target, x)
}

// stdFile is the session's output in place of os.Stdout or os.Stderr; empty for anything else.
func (e *emitter) stdFile(x ast.Expr) string {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	v, ok := e.info.Uses[sel.Sel].(*types.Var)
	if !ok || v.Pkg() == nil || v.Pkg().Path() != "os" || e.info.Selections[sel] != nil {
		return ""
	}
	switch v.Name() {
	case "Stdout", "Stderr":
		return "rtǃ." + v.Name()
	}
	return ""
}

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
	if target == nil || t == nil || isNilType(t) {
		return s
	}
	t, target = e.sub(t), e.sub(target)
	if !isIface(target) {
		if _, ok := target.Underlying().(*types.Struct); ok && e.typ(t) != e.typ(target) {
			return e.typ(target) + "(" + s + ")"
		}
		if c, ok := target.Underlying().(*types.Chan); ok && c.Dir() != types.SendRecv && e.typ(t) != e.typ(target) {
			return "rtǃ.Conv(" + s + ", " + e.zero(target) + ").(" + e.typ(target) + ")"
		}
		return s
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
			return "rtǃ.Box(" + e.desc(t) + ", " + s + ")"
		}
		return s
	}
	if e.l.needsBox(t) {
		return e.asIface(target) + "(rtǃ.Box(" + e.desc(t) + ", " + s + "))"
	}
	return s
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
		return fmt.Sprintf("func %s(x any) %s { if x == nil { return nil }; return rtǃ.Wrap(x, %q, %q).(%s) }\n", n, tt, named.Obj().Pkg().Path(), named.Obj().Name(), tt)
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
	if tv, ok := e.info.Types[x]; ok && tv.Value != nil {
		return e.constant(tv.Value, e.sub(tv.Type))
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		s := e.expr(x.X)
		if s[0] == '(' && closing(s) == len(s)-1 {
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

// funcIdent is a function used as a value.
func (e *emitter) funcIdent(x *ast.Ident, f *types.Func) string {
	if name, ok := e.instantiated(x); ok {
		return e.funcValue(name, e.typeOf(x))
	}
	if e.l.funcs[f.Origin()] != nil {
		return e.funcValue(e.l.instance(e.inst, f.Origin(), nil).name, e.typeOf(x))
	}
	return e.compiledFunc(x, f)
}

// funcValue makes a real function of a lowered one: yaegi's own function values do not survive in an
// interface.
func (e *emitter) funcValue(name string, t types.Type) string {
	sig := t.Underlying().(*types.Signature)
	names := e.temps(sig.Params().Len(), "a")
	mk := e.tmp("fv")
	fmt.Fprintf(&e.l.out.decls, "func %s() %s { return func%s { %s%s(%s) } }\n", mk, e.typ(sig), e.sig(sig, names), returns(sig), name, strings.Join(names, ", "))
	return mk + "()"
}

func returns(sig *types.Signature) string {
	if sig.Results().Len() > 0 {
		return "return "
	}
	return ""
}

// instantiated is the lowered name of a generic function of ours that x instantiates.
func (e *emitter) instantiated(x ast.Expr) (string, bool) {
	id := identOf(x)
	if id == nil {
		return "", false
	}
	in, ok := e.info.Instances[id]
	if !ok {
		return "", false
	}
	f, ok := e.info.Uses[id].(*types.Func)
	if !ok {
		return "", false
	}
	if e.l.funcs[f.Origin()] == nil {
		src := e.l.stdSource(f)
		if src == nil {
			return "", false
		}
		f = src
	}
	var ts []types.Type
	for t := range in.TypeArgs.Types() {
		ts = append(ts, e.sub(t))
	}
	return e.l.instance(e.inst, f.Origin(), ts).name, true
}

func identOf(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return identOf(x.X)
	case *ast.IndexListExpr:
		return identOf(x.X)
	}
	return nil
}

func (e *emitter) index(x *ast.IndexExpr) string {
	if name, ok := e.instantiated(x.X); ok {
		return e.funcValue(name, e.typeOf(x))
	}
	t := e.typeOf(x.X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Array); ok {
			return "(*" + e.expr(x.X) + ")[" + e.indexValue(x.Index) + "]"
		}
	}
	if m, ok := t.Underlying().(*types.Map); ok {
		return e.expr(x.X) + "[" + e.exprTo(x.Index, m.Key()) + "]"
	}
	return e.expr(x.X) + "[" + e.indexValue(x.Index) + "]"
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
	if p, ok := t.(*types.Pointer); ok {
		_ = p
		s = "(*" + s + ")"
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

func (e *emitter) unary(x *ast.UnaryExpr) string {
	switch x.Op {
	case token.AND:
		return e.address(x.X)
	case token.ARROW:
		t := e.typeOf(x.X).Underlying().(*types.Chan).Elem()
		return e.l.recvHelper(e, t) + "(" + e.expr(x.X) + ")"
	case token.XOR:
		t := e.typeOf(x)
		return "(" + e.expr(x.X) + " ^ " + e.typ(t) + "(" + allOnes(t) + "))"
	case token.SUB:
		return e.negative(x)
	}
	return x.Op.String() + e.expr(x.X)
}

// negative is -x: yaegi loses its value where a function returns it as any.
func (e *emitter) negative(x *ast.UnaryExpr) string {
	t := e.typeOf(x)
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return "(" + e.typ(t) + "(0) - " + e.expr(x.X) + ")"
	}
	return "(" + e.typ(t) + "(-1) * " + e.expr(x.X) + ")"
}

// allOnes is the constant that ^ is an exclusive or with: yaegi's own ^ loses the type.
func allOnes(t types.Type) string {
	b := t.Underlying().(*types.Basic)
	switch b.Kind() {
	case types.Uint8:
		return "255"
	case types.Uint16:
		return "65535"
	case types.Uint32:
		return "4294967295"
	case types.Uint, types.Uint64, types.Uintptr:
		return "18446744073709551615"
	}
	return "-1"
}

// address is &x.
func (e *emitter) address(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return e.newOf(e.typeOf(x), e.composite(x))
	case *ast.Ident:
		if v, ok := e.info.Uses[x].(*types.Var); ok {
			if n := e.local[v]; n != nil && n.boxed {
				return n.name
			}
			if g := e.globalName(v); g != "" {
				return g
			}
		}
	case *ast.StarExpr:
		return e.expr(x.X)
	}
	return "&" + e.addressable(x)
}

// addressable is x as an operand of &.
func (e *emitter) addressable(x ast.Expr) string { return e.expr(x) }

// newOf is a pointer to a fresh copy of a value.
func (e *emitter) newOf(t types.Type, value string) string {
	h := e.l.helper(e, "new", t, func(n string) string {
		tt := e.typ(t)
		return fmt.Sprintf("func %s(v %s) *%s { p := new(%s); *p = v; return p }\n", n, tt, tt, tt)
	})
	return h + "(" + value + ")"
}

func (e *emitter) binary(x *ast.BinaryExpr) string {
	l, r := e.typeOf(x.X), e.typeOf(x.Y)
	op := x.Op.String()
	switch x.Op {
	case token.EQL, token.NEQ:
		return e.equal(x, l, r)
	case token.SHL, token.SHR:
		t := e.typeOf(x)
		left := e.exprTo(x.X, t)
		if tv := e.info.Types[x.Y]; tv.Value != nil {
			return "(" + left + " " + op + " " + e.constant(tv.Value, types.Typ[types.Uint]) + ")"
		}
		return "(" + left + " " + op + " " + e.shiftCount(x.Y) + ")"
	case token.AND_NOT:
		t := e.typeOf(x)
		return "(" + e.exprTo(x.X, t) + " & (" + e.exprTo(x.Y, t) + " ^ " + e.typ(t) + "(" + allOnes(t) + ")))"
	case token.LAND, token.LOR:
		return "(" + e.expr(x.X) + " " + op + " " + e.expr(x.Y) + ")"
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		t := l
		if e.info.Types[x.X].Value != nil {
			t = r
		}
		return "(" + e.exprTo(x.X, t) + " " + op + " " + e.exprTo(x.Y, t) + ")"
	}
	t := e.typeOf(x)
	return "(" + e.exprTo(x.X, t) + " " + op + " " + e.exprTo(x.Y, t) + ")"
}

func (e *emitter) shiftCount(x ast.Expr) string {
	t := e.typeOf(x)
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return e.expr(x)
	}
	return e.l.once(e, "shift", func(n string) string {
		return "func " + n + "(n int64) uint { if n < 0 { panic(rtǃ.NegativeShift) }; return uint(n) }\n"
	}) + "(int64(" + e.expr(x) + "))"
}

// equal is == and !=.
func (e *emitter) equal(x *ast.BinaryExpr, l, r types.Type) string {
	op := " " + x.Op.String() + " "
	switch {
	case e.info.Types[x.Y].IsNil():
		return e.isNil(x.X, l, x.Op)
	case e.info.Types[x.X].IsNil():
		return e.isNil(x.Y, r, x.Op)
	case isIface(l) || isIface(r):
		t := l
		if !isIface(l) {
			t = r
		}
		not := ""
		if x.Op == token.NEQ {
			not = "!"
		}
		_ = t
		any := types.Universe.Lookup("any").Type()
		return not + "rtǃ.Equal(" + e.exprTo(x.X, any) + ", " + e.exprTo(x.Y, any) + ")"
	}
	t := l
	if e.info.Types[x.X].Value != nil {
		t = r
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		not := ""
		if x.Op == token.NEQ {
			not = "!"
		}
		return not + "rtǃ.Equal(" + e.exprTo(x.X, t) + ", " + e.exprTo(x.Y, t) + ")"
	}
	return "(" + e.exprTo(x.X, t) + op + e.exprTo(x.Y, t) + ")"
}

func (e *emitter) isNil(x ast.Expr, t types.Type, op token.Token) string {
	return "(" + e.expr(x) + " " + op.String() + " nil)"
}

func (e *emitter) composite(x *ast.CompositeLit) string {
	t := e.typeOf(x)
	if p, ok := t.Underlying().(*types.Pointer); ok { // an elided &T inside a slice or map literal
		return e.newOf(p.Elem(), e.compositeOf(x, p.Elem()))
	}
	return e.compositeOf(x, t)
}

func (e *emitter) compositeOf(x *ast.CompositeLit, t types.Type) string {
	var els []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return e.structLit(x, t, u)
	case *types.Map:
		for _, el := range x.Elts {
			kv := el.(*ast.KeyValueExpr)
			els = append(els, e.element(kv.Key, u.Key())+": "+e.element(kv.Value, u.Elem()))
		}
	case *types.Slice, *types.Array:
		et := u.(interface{ Elem() types.Type }).Elem()
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				els = append(els, e.constant(e.info.Types[kv.Key].Value, types.Typ[types.Int])+": "+e.element(kv.Value, et))
				continue
			}
			els = append(els, e.element(el, et))
		}
	}
	return e.typ(t) + "{" + strings.Join(els, ", ") + "}"
}

// element is x inside a composite literal of elements of type t. yaegi guesses its type before it compiles it, and takes *p for a pointer to what p is: so no operation stands in parentheses, and what begins with
// a dereference passes through a function.
func (e *emitter) element(x ast.Expr, t types.Type) string {
	s := bare(e.exprTo(x, t))
	if strings.HasPrefix(s, "(*") {
		if n := closing(s) + 1; n < len(s) && strings.IndexByte(".([", s[n]) >= 0 {
			return e.same(s, t)
		}
	}
	return s
}

// bare is s without the parentheses around it.
func bare(s string) string {
	for len(s) > 2 && s[0] == '(' && s[1] != '*' && closing(s) == len(s)-1 {
		s = s[1 : len(s)-1]
	}
	return s
}

// closing is where the parenthesis that opens s ends.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '"':
			for i++; s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

func (e *emitter) structLit(x *ast.CompositeLit, t types.Type, u *types.Struct) string {
	var els []string
	for i, el := range x.Elts {
		f := i
		v := el
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			v = kv.Value
			for j := range u.NumFields() {
				if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
					f = j
				}
			}
		}
		ft := u.Field(f).Type()
		els = append(els, fieldName(u.Field(f), f)+": "+e.exprTo(v, ft))
	}
	return e.typ(t) + "{" + strings.Join(els, ", ") + "}"
}
