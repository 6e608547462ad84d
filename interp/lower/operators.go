// Operators, comparisons and addresses.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

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
		return e.pointerTo(x)
	}
	s := e.closed(x)
	if p := pointerOf(s); p != s {
		return p
	}
	return "&" + s
}

// newOf is a pointer to a fresh copy of a value.
func (e *emitter) newOf(t types.Type, value string) string {
	h := e.l.helper(e, "new", t, func(n string) string {
		tt := e.typ(t)
		v, take := e.passed("v", t)
		return fmt.Sprintf("func %s(%s) *%s { %sp := new(%s); *p = v; return p }\n", n, v, tt, take, tt)
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
		return "(" + e.firstOperand(x.X) + " " + op + " " + e.guarded(x.Y) + ")"
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

// firstOperand is the left side of && or ||. yaegi makes what it evaluates first a branch when that does nothing by
// itself, as the key of a literal does; a call before it is not of that kind.
func (e *emitter) firstOperand(x ast.Expr) string {
	s := e.expr(x)
	if !strings.Contains(s, "{") {
		return s
	}
	return "(" + e.l.once(e, "true", func(n string) string { return "func " + n + "() bool { return true }\n" }) + "() && " + s + ")"
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
		return e.isNil(x.X, x.Op)
	case e.info.Types[x.X].IsNil():
		return e.isNil(x.Y, x.Op)
	case isIface(l) || isIface(r):
		not := ""
		if x.Op == token.NEQ {
			not = "!"
		}
		any := types.Universe.Lookup("any").Type()
		return not + "rtǃ.Equal(" + e.exprTo(x.X, any) + ", " + e.exprTo(x.Y, any) + ")"
	}
	t := l
	if e.info.Types[x.X].Value != nil || isBothWays(l) {
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
	if e.opaque(t) {
		return "(" + e.expr(x.X) + op + e.expr(x.Y) + ")"
	}
	return "(" + e.exprTo(x.X, t) + op + e.exprTo(x.Y, t) + ")"
}

// isBothWays reports whether t is a channel that sends and receives, which is compared as one that does either.
func isBothWays(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && c.Dir() == types.SendRecv
}

func (e *emitter) isNil(x ast.Expr, op token.Token) string {
	s := e.expr(x)
	if s == "nil" { // an interface(nil)
		return strconv.FormatBool(op == token.EQL)
	}
	return "(" + s + " " + op.String() + " nil)"
}
