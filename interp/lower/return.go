// Return statements: they may have to leave a literal that holds the body.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// ret is a return statement: it may have to leave a body literal first.
func (e *emitter) ret(s *ast.ReturnStmt) string {
	at := e.mark(exprNodes(s.Results...)...)
	if e.fn.rf != nil || e.fn.inBody || len(e.fn.boxes) > 0 {
		return at + e.boxedReturn(s)
	}
	if len(s.Results) == 0 {
		if len(e.fn.named) == 0 {
			return "return\n"
		}
		var rs []string
		for _, v := range e.fn.named {
			rs = append(rs, e.local[v].text())
		}
		return "return " + strings.Join(rs, ", ") + "\n"
	}
	if len(s.Results) == 1 && len(e.fn.results) > 1 {
		return at + e.forward(s.Results[0])
	}
	var rs []string
	pre := ""
	for i, r := range s.Results {
		v := e.result(i, e.exprTo(r, e.fn.results[i]))
		if len(s.Results) > 1 && hasCall(r) || isNot(r) {
			// yaegi returns zero for a call of a function in a field beside other results, and cannot write !x
			// into a result that is an any.
			n := e.tmp("t")
			pre += "var " + n + " " + e.fn.types[i] + " = " + v + "\n"
			v = n
		}
		rs = append(rs, v)
	}
	at += pre
	return at + "return " + strings.Join(rs, ", ") + "\n"
}

func isNot(x ast.Expr) bool {
	u, ok := ast.Unparen(x).(*ast.UnaryExpr)
	return ok && u.Op == token.NOT
}

func hasCall(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = true
		}
		return !found
	})
	return found
}

// result converts result i to the erased result of a library callback, in a literal that has one.
func (e *emitter) result(i int, s string) string {
	if e.fn.conv != nil {
		return e.fn.conv[i](s)
	}
	return s
}

// forward is return f() where f has several results.
func (e *emitter) forward(x ast.Expr) string {
	tup := e.typeOf(x)
	tmps := e.temps(len(e.fn.results), "t")
	var rs []string
	for i, t := range tmps {
		rs = append(rs, e.result(i, e.conv(t, tupleAt(tup, i), e.fn.results[i], x)))
	}
	return strings.Join(tmps, ", ") + " := " + e.multi(x) + "\nreturn " + strings.Join(rs, ", ") + "\n"
}

// boxedReturn sets the result boxes and leaves.
func (e *emitter) boxedReturn(s *ast.ReturnStmt) string {
	var b strings.Builder
	b.WriteString("{\n")
	var tmps []string
	switch {
	case len(s.Results) == 1 && len(e.fn.results) > 1:
		tup := e.typeOf(s.Results[0])
		raw := e.temps(len(e.fn.results), "t")
		b.WriteString(strings.Join(raw, ", ") + " := " + e.multi(s.Results[0]) + "\n")
		for i, t := range raw {
			tmps = append(tmps, e.result(i, e.conv(t, tupleAt(tup, i), e.fn.results[i], s)))
		}
	default:
		for i, r := range s.Results {
			n := e.tmp("t")
			tmps = append(tmps, n)
			b.WriteString("var " + n + " " + e.fn.types[i] + " = " + e.result(i, e.exprTo(r, e.fn.results[i])) + "\n")
		}
	}
	for i, t := range tmps {
		fmt.Fprintf(&b, "*%s = %s\n", e.fn.boxes[i], t)
	}
	b.WriteString(e.leave() + "}\n")
	return b.String()
}

// leave leaves the function once its results are in their boxes.
func (e *emitter) leave() string {
	if e.fn.rf != nil {
		return e.fn.rf.leaveFunc()
	}
	if e.fn.inBody || len(e.fn.boxes) == 0 {
		return "return\n"
	}
	return "return " + e.boxValues() + "\n"
}
