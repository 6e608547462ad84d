// Bounds: yaegi indexes by reflection, whose panics lack the numbers of Go's. So an index is compared before the
// statement that uses it, if its operands may be read twice and nothing before it in the statement has an effect. In
// a condition that is not always evaluated the comparison becomes a part of the condition; elsewhere the index
// passes through a function.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// bound is the comparison of one index or slice expression.
type bound struct {
	at   ast.Expr
	out  string // condition: it is out of range
	fail string // call that panics
}

// boundsOf are the comparisons to make before the nodes are evaluated, in order. The expressions need none of their
// own then.
func (e *emitter) boundsOf(nodes ...ast.Node) []bound {
	if !e.quiet(nodes) {
		return nil
	}
	var r []bound
	for _, n := range nodes {
		if a, ok := n.(*ast.AssignStmt); ok { // the right side comes first
			for _, x := range a.Rhs {
				r = e.appendBounds(r, x)
			}
			if e.effects(n) == 0 {
				for _, x := range a.Lhs {
					r = e.appendTarget(r, x, a)
				}
			}
			continue
		}
		r = e.appendBounds(r, n)
	}
	for _, b := range r {
		e.bounded[b.at] = true
	}
	return r
}

// quiet reports whether whatever the nodes index, they do so before anything that has an effect.
func (e *emitter) quiet(nodes []ast.Node) bool {
	n := 0
	for _, x := range nodes {
		n += e.effects(x)
	}
	return n == 0 || n == 1 && len(nodes) == 1 && e.lastCall(nodes[0])
}

// lastCall reports whether the last thing that n evaluates is a call with an effect.
func (e *emitter) lastCall(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		return e.lastCall(n.X)
	case *ast.AssignStmt:
		return len(n.Rhs) == 1 && e.lastCall(n.Rhs[0])
	case *ast.CallExpr:
		return e.hasEffect(n)
	}
	return false
}

// effects counts the calls and receives of n, literals and blocks inside excluded.
func (e *emitter) effects(n ast.Node) int {
	r := 0
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				r++
			}
		case *ast.CallExpr:
			if e.hasEffect(n) {
				r++
			}
		}
		return true
	})
	return r
}

func (e *emitter) hasEffect(c *ast.CallExpr) bool {
	tv := e.info.Types[c.Fun]
	if tv.IsType() {
		return false
	}
	if tv.IsBuiltin() {
		switch identOf(c.Fun).Name {
		case "len", "cap", "append", "min", "max", "new", "make", "complex", "real", "imag":
			return false
		}
	}
	return true
}

// appendTarget adds the comparisons of what assignment a goes to. Of several targets each is compared when its turn comes,
// after what is assigned before it; only its operands come first. In a swap the right side has compared it.
func (e *emitter) appendTarget(r []bound, x ast.Expr, a *ast.AssignStmt) []bound {
	if len(a.Lhs) == 1 || e.indexes(a.Rhs, x) {
		return e.appendBounds(r, x)
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		if !e.isIndex(x) {
			break
		}
		if _, ok := coreType(e.typeOf(x.X)).(*types.Array); ok {
			r = e.appendTarget(r, x.X, a)
		} else {
			r = e.appendBounds(r, x.X)
		}
		return e.appendBounds(r, x.Index)
	case *ast.SelectorExpr:
		if !isPointer(e.typeOf(x.X)) {
			return e.appendTarget(r, x.X, a)
		}
	}
	return e.appendBounds(r, x)
}

// indexes reports whether one of the expressions reads x.
func (e *emitter) indexes(from []ast.Expr, x ast.Expr) bool {
	want := types.ExprString(x)
	return slices.ContainsFunc(from, func(y ast.Expr) bool { return types.ExprString(y) == want })
}

// appendBounds adds the comparisons of n, operands first.
func (e *emitter) appendBounds(r []bound, n ast.Node) []bound {
	ast.PreorderStack(n, nil, func(n ast.Node, stack []ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				r = e.appendBounds(r, x.X)
				return false
			}
		case *ast.IndexExpr:
			if e.isIndex(x) {
				r = e.appendBounds(e.appendBounds(r, x.X), x.Index)
				if b, ok := e.indexBound(x); ok {
					r = append(r, b)
				}
				return false
			}
		case *ast.SliceExpr:
			for _, o := range []ast.Expr{x.X, x.Low, x.High, x.Max} {
				if o != nil {
					r = e.appendBounds(r, o)
				}
			}
			if b, ok := e.sliceBound(x); ok {
				r = append(r, b)
			}
			return false
		}
		return true
	})
	return r
}

// isIndex reports whether x takes an element of a slice, a string or an array.
func (e *emitter) isIndex(x *ast.IndexExpr) bool {
	if tv := e.info.Types[x.X]; tv.IsType() || tv.Type == nil {
		return false
	}
	switch coreType(e.typeOf(x.X)).(type) {
	case *types.Slice, *types.Array, *types.Pointer, *types.Basic:
		return true
	}
	return false
}

// twice reports whether x may be evaluated twice.
func (e *emitter) twice(x ast.Expr) bool {
	if x == nil || e.info.Types[x].Value != nil {
		return true
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.twice(x.X)
	case *ast.Ident:
		return e.varOf(x) != nil
	case *ast.StarExpr:
		return e.twice(x.X)
	case *ast.SelectorExpr:
		s := e.info.Selections[x]
		return s == nil && e.varOf(x.Sel) != nil || s != nil && s.Kind() == types.FieldVal && e.twice(x.X)
	case *ast.IndexExpr:
		return e.info.Types[x.X].Type != nil && !e.info.Types[x.X].IsType() && e.twice(x.X) && e.twice(x.Index)
	case *ast.UnaryExpr:
		return (x.Op == token.SUB || x.Op == token.XOR || x.Op == token.ADD) && e.twice(x.X)
	case *ast.BinaryExpr:
		b, ok := e.typeOf(x).Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0 && e.twice(x.X) && e.twice(x.Y)
	case *ast.CallExpr:
		if tv := e.info.Types[x.Fun]; tv.IsType() {
			b, ok := e.typeOf(x).Underlying().(*types.Basic)
			return ok && b.Info()&types.IsInteger != 0 && len(x.Args) == 1 && e.twice(x.Args[0])
		} else if !tv.IsBuiltin() {
			return false
		}
		name := identOf(x.Fun).Name
		return (name == "len" || name == "cap") && e.twice(x.Args[0])
	}
	return false
}

// lenOf is the length of x as text; empty if x may not be evaluated twice.
func (e *emitter) lenOf(x ast.Expr) string {
	t := coreType(e.typeOf(x))
	if p, ok := t.(*types.Pointer); ok {
		t = e.sub(p.Elem()).Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return fmt.Sprint(a.Len())
	}
	if !e.twice(x) {
		return ""
	}
	return "len(" + e.value(x) + ")"
}

func (e *emitter) indexBound(x *ast.IndexExpr) (bound, bool) {
	n := e.lenOf(x.X)
	if n == "" || !e.twice(x.Index) {
		return bound{}, false
	}
	i := e.indexValue(x.Index)
	if e.info.Types[x.Index].Value != nil {
		if n[0] != 'l' { // an array: go/types has compared
			return bound{}, false
		}
		return bound{x, i + " >= " + n, "rtǃ.Index(" + i + ", " + n + ")"}, true
	}
	return bound{x, i + " < 0 || " + i + " >= " + n, e.indexed(x.Index, n)}, true
}

// indexed is a call that gives index x for something of length n, or panics.
func (e *emitter) indexed(x ast.Expr, n string) string {
	if b, ok := e.typeOf(x).Underlying().(*types.Basic); ok && e.info.Types[x].Value == nil {
		switch b.Kind() {
		case types.Uint, types.Uint64, types.Uintptr:
			return "rtǃ.IndexU(uint64(" + e.expr(x) + "), " + n + ")"
		}
	}
	return "rtǃ.Index(" + e.indexValue(x) + ", " + n + ")"
}

// sliceBound is the comparison of a slice expression. The panic needs to know what is there: low, high, max, and how
// far the whole goes.
func (e *emitter) sliceBound(x *ast.SliceExpr) (bound, bool) {
	n := e.lenOf(x.X)
	if n == "" || !e.twice(x.Low) || !e.twice(x.High) || !e.twice(x.Max) {
		return bound{}, false
	}
	kind, whole := "length", n
	if _, ok := coreType(e.typeOf(x.X)).(*types.Slice); ok {
		kind, whole = "capacity", "cap("+n[len("len("):]
	}
	ends := []string{"0", n, whole}
	given := [3]bool{}
	for i, o := range []ast.Expr{x.Low, x.High, x.Max} {
		if o != nil {
			ends[i], given[i] = e.indexValue(o), true
		}
	}
	var out []string
	switch {
	case !given[0] && !given[1]:
		return bound{}, false
	case given[0] && e.info.Types[x.Low].Value == nil:
		out = append(out, ends[0]+" < 0")
	case !given[0] && e.info.Types[x.High].Value == nil:
		out = append(out, ends[1]+" < 0")
	}
	if given[0] {
		out = append(out, ends[0]+" > "+ends[1])
	}
	if given[1] {
		out = append(out, ends[1]+" > "+ends[2])
	}
	if given[2] {
		out = append(out, ends[2]+" > "+whole)
	}
	fail := fmt.Sprintf("rtǃ.Cut(%s, %s, %s, %s, %q, %t, %t)", ends[0], ends[1], ends[2], whole, kind, given[1], given[2])
	return bound{x, strings.Join(out, " || "), fail}, true
}

// guarded is a condition with the comparisons that it needs.
func (e *emitter) guarded(x ast.Expr) string {
	s := ""
	for _, b := range e.boundsOf(x) {
		s += "(!(" + b.out + ") || " + b.fail + " < 0) && "
	}
	if s == "" {
		return e.expr(x)
	}
	return "(" + s + e.expr(x) + ")"
}

// inBounds is the index of x, through a function if nothing has compared it; s is the indexed text.
func (e *emitter) inBounds(s string, x *ast.IndexExpr) string {
	i := e.indexValue(x.Index)
	if e.bounded[x] || !e.isIndex(x) {
		return s + "[" + i + "]"
	}
	n := e.lenOf(x.X)
	switch {
	case n != "" && n[0] != 'l' && e.info.Types[x.Index].Value != nil:
	case n != "":
		i = e.indexed(x.Index, n)
	case e.twice(x.Index):
		t := e.typeOf(x.X)
		s = e.l.helper(e, "bound", t, func(h string) string {
			tt := e.whole(t)
			return "func " + h + "(s " + tt + ", i int) " + tt + " { if i < 0 || i >= len(s) { rtǃ.Index(i, len(s)) }; return s }\n"
		}) + "(" + s + ", " + i + ")"
	default:
		return e.elementOf(s, i, e.typeOf(x.X))
	}
	return s + "[" + i + "]"
}

// elementOf is element i of s, neither of which may be evaluated twice.
func (e *emitter) elementOf(s, i string, t types.Type) string {
	u, ok := coreType(t).(*types.Slice)
	if !ok { // a string
		return e.l.helper(e, "char", t, func(h string) string {
			return "func " + h + "(s " + e.typ(t) + ", i int) byte { if i < 0 || i >= len(s) { rtǃ.Index(i, len(s)) }; return s[i] }\n"
		}) + "(" + s + ", " + i + ")"
	}
	return "(*" + e.l.helper(e, "elem", t, func(h string) string {
		return "func " + h + "(s " + e.whole(t) + ", i int) *" + e.typ(u.Elem()) + " { if i < 0 || i >= len(s) { rtǃ.Index(i, len(s)) }; return &s[i] }\n"
	}) + "(" + s + ", " + i + "))"
}

// indexText is index i, which waits in a variable, of s as the target of an assignment.
func (e *emitter) indexText(i, s, n string, x *ast.IndexExpr) string {
	if e.bounded[x] {
		return s + "[" + i + "]"
	}
	return s + "[rtǃ.Index(" + i + ", " + n + ")]"
}

// cutWhole is s[low:high:max] of a slice or a string, of which something may not be evaluated twice: a function compares.
func (e *emitter) cutWhole(s string, x *ast.SliceExpr) string {
	t := e.typeOf(x.X)
	kind, whole := "length", "len(s)"
	if _, ok := coreType(t).(*types.Slice); ok {
		kind, whole = "capacity", "cap(s)"
	}
	name, ends, given := "cut", []string{"0", "len(s)", whole}, [3]bool{}
	ps, args := []string{"s " + e.whole(t)}, []string{s}
	for i, o := range []ast.Expr{x.Low, x.High, x.Max} {
		if o != nil {
			p := [...]string{"low", "high", "top"}[i]
			name, ends[i], given[i] = name+" "+p, p, true
			ps, args = append(ps, p+" int"), append(args, e.indexValue(o))
		}
	}
	return e.l.helper(e, name, t, func(h string) string {
		text := "s["
		if given[0] {
			text += "low"
		}
		text += ":"
		if given[1] {
			text += "high"
		}
		if given[2] {
			text += ":top"
		}
		out := fmt.Sprintf("%s < 0 || %s > %s || %s > %s || %s > %s", ends[0], ends[0], ends[1], ends[1], ends[2], ends[2], whole)
		return fmt.Sprintf("func %s(%s) %s { if %s { rtǃ.Cut(%s, %s, %s, %s, %q, %t, %t) }; return %s] }\n",
			h, strings.Join(ps, ", "), e.whole(t), out, ends[0], ends[1], ends[2], whole, kind, given[1], given[2], text)
	}) + "(" + strings.Join(args, ", ") + ")"
}
