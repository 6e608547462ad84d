// The emitter writes one function of one instance.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"flinkish/interp/check"
)

// emitter writes the text of one lowered function, literals inside included.
type emitter struct {
	l     *Lowerer
	info  *types.Info
	b     *bindings
	an    *analysis
	inst  *inst // nil for a cell's own statements
	fn    *fnCtx
	local map[*types.Var]*local
	loops []*loopCtx // enclosing statements that break and continue mean
	// bounded are the index and slice expressions that are compared before they are evaluated.
	bounded map[ast.Expr]bool
}

// local is how a variable is known in the text.
type local struct {
	name  string
	boxed bool // name is a pointer
	typ   string
	// signed says that the value may hold a negative zero.
	signed bool
}

func (v *local) text() string {
	if v.boxed {
		return "(*" + v.name + ")"
	}
	return v.name
}

// fnCtx is the function being written: what return means in it.
type fnCtx struct {
	top     bool
	results []types.Type
	conv    []func(string) string // to the erased result of a library callback
	boxes   []string              // pointers to the results, when they are set from inside a literal
	types   []string              // of the results, as text
	inBody  bool                  // the text is a body literal: return sets the boxes
	named   []*types.Var          // named results
	defers  string                // name of the *rtǃ.Defers
	recov   string                // name of the *rtǃ.Recoverer
	slot    int
	synth   []local // variables of ours that body literals need
	rf      *rangeCtx
	lib     bool // a call of the library was written since the last check
}

func (l *Lowerer) newEmitter(info *types.Info, an *analysis, b *bindings, in *inst) *emitter {
	return &emitter{l: l, info: info, an: an, b: b, inst: in, local: map[*types.Var]*local{}, fn: &fnCtx{}, bounded: map[ast.Expr]bool{}}
}

func (e *emitter) tmp(base string) string { return e.l.fresh(base) }

func (e *emitter) temps(n int, base string) []string {
	var r []string
	for range n {
		r = append(r, e.tmp(base))
	}
	return r
}

func (e *emitter) fail(n ast.Node, f string, a ...any) string {
	panic(&Error{Pos: n.Pos(), End: n.End(), Msg: fmt.Sprintf(f, a...)})
}

func (e *emitter) typeOf(x ast.Expr) types.Type {
	t := e.info.TypeOf(x)
	if t == nil {
		if id, ok := x.(*ast.Ident); ok {
			if o := e.info.Uses[id]; o != nil {
				t = o.Type()
			}
		}
	}
	return e.sub(t)
}

// declare gives v a name and returns it.
func (e *emitter) declare(v *types.Var) *local {
	name := v.Name()
	if name == "_" || name == "" {
		name = "u"
	}
	n := &local{name: e.tmp(name), boxed: e.an.boxed(v), typ: e.typ(v.Type()), signed: e.signed(v.Type())}
	e.local[v] = n
	return n
}

// trace reserves the position slot of the function that is about to be written.
func (e *emitter) trace(name, lowered string) {
	e.fn.slot = e.l.slot(slot{fn: lowered, name: name})
	e.l.out.slots = append(e.l.out.slots, e.fn.slot)
}

// slot keeps the positions of one more function, and gives its number.
func (l *Lowerer) slot(s slot) int {
	l.slots = append(l.slots, s)
	return len(l.slots) - 1
}

// mark compares what the nodes index, and notes the position of the first one at run time, when they may panic. It stands
// before a statement that evaluates the nodes once.
func (e *emitter) mark(nodes ...ast.Node) string {
	bounds := e.boundsOf(nodes...)
	at := ""
	for _, n := range nodes {
		if at == "" {
			at = e.note(n)
		}
	}
	s := at
	for _, b := range bounds {
		if at == "" {
			s += "if " + b.out + " { " + e.noted(within(nodes, b.at)) + b.fail + " }\n"
			continue
		}
		s += "if " + b.out + " { " + b.fail + " }\n"
	}
	return s
}

// within is the one of the nodes that x is a part of.
func within(nodes []ast.Node, x ast.Expr) ast.Node {
	for _, n := range nodes {
		if n.Pos() <= x.Pos() && x.End() <= n.End() {
			return n
		}
	}
	return x
}

// note notes the position of n at run time, when n may panic.
func (e *emitter) note(n ast.Node) string {
	if e.fn == nil || !e.fn.top && !e.mayPanic(n, e.bounded) {
		return ""
	}
	return e.noted(n)
}

func (e *emitter) noted(n ast.Node) string {
	return "*" + strings.Replace(e.place(n), ", ", " = ", 1) + "; "
}

// place is where the function notes statements, and the number of n there.
func (e *emitter) place(n ast.Node) string {
	s := &e.l.slots[e.fn.slot]
	s.pos = append(s.pos, n.Pos())
	return fmt.Sprintf("p%dǃ, %d", e.fn.slot, len(s.pos))
}

// notes is a mark in lowered text.
var notes = regexp.MustCompile(`\b(p(\d+)ǃ)(, | = )`)

// begin is what the body of a lowered function must begin with. Where it notes positions it needs a place for
// them that no other goroutine writes; asking for it ends a recursion that is too deep, too, as Enter does.
func begin(body string, mayRecur bool) string {
	b, seen := "", map[string]bool{}
	for _, m := range notes.FindAllStringSubmatch(body, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			b += m[1] + " := rtǃ.At(" + m[2] + ")\n"
		}
	}
	if b == "" && mayRecur {
		return "rtǃ.Enter()\n"
	}
	return b
}

// risky reports whether running n, literals inside excluded, can panic in this function.
func (e *emitter) risky(n ast.Node) bool { return e.mayPanic(n, nil) }

// mayPanic is risky without what the bounded expressions themselves can do.
func (e *emitter) mayPanic(n ast.Node, bounded map[ast.Expr]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if found {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.IndexExpr:
			found = !bounded[n]
		case *ast.SliceExpr:
			found = !bounded[n]
		case *ast.StarExpr, *ast.TypeAssertExpr, *ast.SendStmt:
			found = true
		case *ast.UnaryExpr:
			found = n.Op == token.ARROW
		case *ast.SelectorExpr:
			if s := e.info.Selections[n]; s != nil && (s.Indirect() || isPointer(e.info.TypeOf(n.X)) || isIface(s.Recv())) {
				found = true
			}
		case *ast.BinaryExpr:
			if n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR {
				found = e.info.Types[n.Y].Value == nil
			}
		case *ast.AssignStmt:
			found = n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN
		case *ast.CallExpr:
			if !e.info.Types[n.Fun].IsType() {
				found = !e.harmlessCall(n)
			}
		}
		return !found
	})
	return found
}

// harmlessCall reports whether a panic below c names another function.
func (e *emitter) harmlessCall(c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	switch o := e.info.Uses[id].(type) {
	case *types.Builtin:
		switch o.Name() {
		case "len", "cap", "append", "min", "max", "new", "copy":
			return true
		}
	case *types.Func:
		return true
	}
	return false
}

// varItem emits a top-level variable declaration or definition.
func (e *emitter) varItem(it *check.Item) string {
	var b strings.Builder
	e.l.at = it.Spec
	if it.Spec.Type != nil {
		e.l.at = it.Spec.Type
	}
	b.WriteString(e.mark(exprNodes(it.Spec.Values...)...))
	if len(it.Spec.Values) == 0 {
		for _, v := range it.Vars {
			if v != nil {
				b.WriteString("*" + e.globalName(v) + " = " + e.zero(v.Type()) + "\n")
			}
		}
		return b.String()
	}
	if len(it.Spec.Values) == len(it.Spec.Names) {
		return b.String() + e.varValues(it)
	}
	vs := e.temps(len(it.Spec.Names), "t")
	tup := e.typeOf(it.Spec.Values[0])
	b.WriteString("{\n" + strings.Join(vs, ", ") + " := " + e.multi(it.Spec.Values[0]) + "\n")
	for i, v := range it.Vars {
		if v == nil {
			b.WriteString("_ = " + vs[i] + "\n")
			continue
		}
		b.WriteString("*" + e.globalName(v) + " = " + e.conv(vs[i], tupleAt(tup, i), v.Type(), it.Spec) + "\n")
	}
	return b.String() + "}\n"
}

func (e *emitter) varValues(it *check.Item) string {
	if len(it.Vars) == 1 {
		if it.Vars[0] == nil {
			return e.forget(it.Spec.Values[0])
		}
		return "*" + e.globalName(it.Vars[0]) + " = " + e.assigned(it.Spec.Values[0], it.Vars[0].Type()) + "\n"
	}
	vs := e.temps(len(it.Vars), "t")
	b := "{\n"
	for i, v := range it.Vars {
		t := e.typeOf(it.Spec.Values[i])
		if v != nil {
			t = v.Type()
		}
		b += e.define(vs[i], t, e.exprTo(it.Spec.Values[i], t))
	}
	for i, v := range it.Vars {
		if v == nil {
			b += "_ = " + vs[i] + "\n"
			continue
		}
		b += "*" + e.globalName(v) + " = " + vs[i] + "\n"
	}
	return b + "}\n"
}

// tupleAt is the type of result i of a call, or of the two results of a comma-ok expression.
func tupleAt(t types.Type, i int) types.Type {
	if tup, ok := t.(*types.Tuple); ok {
		return tup.At(i).Type()
	}
	if i == 0 {
		return t
	}
	return types.Typ[types.Bool]
}

// define declares a fresh variable of type t.
func (e *emitter) define(name string, t types.Type, value string) string {
	return "var " + name + " " + e.typ(t) + " = " + value + "\n"
}

// defineWhole declares a fresh variable for an opened value of type t.
func (e *emitter) defineWhole(name string, t types.Type, value string) string {
	return "var " + name + " " + e.whole(t) + " = " + value + "\n"
}

// bind declares v with a value: behind a pointer if it must be.
func (e *emitter) bind(v *types.Var, value string) string {
	n := e.declare(v)
	if n.boxed {
		return n.name + " := new(" + n.typ + ")\n*" + n.name + " = " + e.through(value, v.Type()) + "\n"
	}
	return "var " + n.name + " " + n.typ + " = " + value + "\n_ = " + n.name + "\n"
}
