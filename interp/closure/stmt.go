// Statements.

package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
)

// control tells how a statement ended.
type control int

const (
	goOn control = iota
	returned
	broken
	continued
	labelled // and above: break (even) or continue (odd) of a label; see compiler.branch
)

type stmt func(*frame) control

// plain is a statement that always goes on.
func plain(do func(*frame)) stmt {
	return func(f *frame) control { do(f); return goOn }
}

func (c *compiler) block(l []ast.Stmt) stmt {
	var list []stmt
	for _, s := range l {
		if _, ok := s.(*ast.EmptyStmt); ok {
			continue
		}
		list = append(list, c.marked(s))
	}
	switch len(list) {
	case 0:
		return func(*frame) control { return goOn }
	case 1:
		return list[0]
	case 2:
		a, b := list[0], list[1]
		return func(f *frame) control {
			if r := a(f); r != goOn {
				return r
			}
			return b(f)
		}
	}
	return func(f *frame) control {
		for _, s := range list {
			if r := s(f); r != goOn {
				return r
			}
		}
		return goOn
	}
}

// marked is a statement that notes where it is when it may fail.
func (c *compiler) marked(s ast.Stmt) stmt {
	do := c.stmt(s)
	n := 0
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt:
		n = c.fn.Marks[s]
	case *ast.IncDecStmt:
		n = c.fn.Marks[s.X]
	}
	if n == 0 {
		return do
	}
	return func(f *frame) control { f.mark = n; return do(f) }
}

// mark notes where it is before do, when x may fail.
func (c *compiler) mark(x ast.Node) func(*frame) {
	if n := c.fn.Marks[x]; n > 0 {
		return func(f *frame) { f.mark = n }
	}
	return nil
}

func (c *compiler) stmt(s ast.Stmt) stmt {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return plain(c.effect(s.X))
	case *ast.AssignStmt:
		return plain(c.assign(s))
	case *ast.IncDecStmt:
		return plain(c.incDec(s))
	case *ast.ReturnStmt:
		return c.ret(s)
	case *ast.IfStmt:
		return c.ifStmt(s)
	case *ast.BlockStmt:
		return c.block(s.List)
	case *ast.DeclStmt:
		return plain(c.decl(s.Decl.(*ast.GenDecl)))
	case *ast.ForStmt:
		return c.forStmt(s, "")
	case *ast.RangeStmt:
		return c.rangeStmt(s, "")
	case *ast.SwitchStmt:
		return c.switchStmt(s, "")
	case *ast.BranchStmt:
		return c.branch(s)
	case *ast.LabeledStmt:
		return c.labeled(s)
	}
	c.refuse("a statement (%T)", s)
	return nil
}

func (c *compiler) labeled(s *ast.LabeledStmt) stmt {
	c.labels = append(c.labels, s.Label.Name)
	switch t := s.Stmt.(type) {
	case *ast.ForStmt:
		return c.forStmt(t, s.Label.Name)
	case *ast.RangeStmt:
		return c.rangeStmt(t, s.Label.Name)
	case *ast.SwitchStmt:
		return c.switchStmt(t, s.Label.Name)
	}
	c.refuse("a label")
	return nil
}

// label is the control of break L; one more is that of continue L.
func (c *compiler) label(name string) control {
	for i, l := range c.labels {
		if l == name {
			return labelled + control(2*i)
		}
	}
	return -2
}

func (c *compiler) branch(s *ast.BranchStmt) stmt {
	r := goOn
	switch {
	case s.Tok == token.BREAK && s.Label == nil:
		r = broken
	case s.Tok == token.CONTINUE && s.Label == nil:
		r = continued
	case s.Tok == token.BREAK:
		r = c.label(s.Label.Name)
	case s.Tok == token.CONTINUE:
		r = c.label(s.Label.Name) + 1
	}
	if r <= goOn {
		c.refuse("%s", s.Tok)
	}
	return func(*frame) control { return r }
}

func (c *compiler) ifStmt(s *ast.IfStmt) stmt {
	var init stmt
	if s.Init != nil {
		init = c.marked(s.Init)
	}
	at, cond := c.mark(s.Cond), c.expr(s.Cond).b
	then := c.block(s.Body.List)
	other := func(*frame) control { return goOn }
	if s.Else != nil {
		other = c.stmt(s.Else)
	}
	return func(f *frame) control {
		if init != nil {
			init(f)
		}
		if at != nil {
			at(f)
		}
		if cond(f) {
			return then(f)
		}
		return other(f)
	}
}

// effect is an expression statement.
func (c *compiler) effect(x ast.Expr) func(*frame) {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		c.refuse("an expression statement")
	}
	if do := c.collect(call); do != nil {
		return do
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && c.info.Uses[id] == types.Universe.Lookup("panic") {
		v := c.plain(call.Args[0])
		return func(f *frame) { panic(v(f)) }
	}
	return c.calls(call).effect()
}

// discard evaluates a value.
func discard(v value) func(*frame) {
	switch v.k {
	case kInt, kUint:
		return func(f *frame) { v.i(f) }
	case kFloat:
		return func(f *frame) { v.f(f) }
	case kString:
		return func(f *frame) { v.s(f) }
	case kBool:
		return func(f *frame) { v.b(f) }
	}
	return func(f *frame) { v.p(f) }
}

// ret is a return statement.
func (c *compiler) ret(s *ast.ReturnStmt) stmt {
	sig := c.fn.Sig
	if len(s.Results) != sig.Results().Len() && !(c.called && len(s.Results) == 0) {
		c.refuse("a return of forwarded results")
	}
	var list []func(*frame)
	for _, x := range s.Results {
		if at := c.mark(x); at != nil {
			list = append(list, at)
		}
	}
	if c.called {
		list = append(list, c.returnValues(s)...)
	} else {
		for i, x := range s.Results {
			list = append(list, c.result(x, sig.Results().At(i).Type(), c.src.Declared.Results().At(i).Type()))
		}
	}
	switch len(list) {
	case 0:
		return func(*frame) control { return returned }
	case 1:
		do := list[0]
		return func(f *frame) control { do(f); return returned }
	}
	do := sequence(list)
	return func(f *frame) control { do(f); return returned }
}

// result leaves a result of type t, declared as p, in the frame.
func (c *compiler) result(x ast.Expr, t, p types.Type) func(*frame) {
	if _, ok := types.Unalias(p).(*types.TypeParam); ok {
		box := c.boxed(c.exprTo(x, t))
		return func(f *frame) { f.val = box(f) }
	}
	v := c.exprTo(x, t)
	switch b, ok := types.Unalias(p).(*types.Basic); {
	case ok && b.Kind() == types.Bool:
		return func(f *frame) { f.yes = v.b(f) }
	case ok && (b.Kind() == types.Int64 || b.Kind() == types.Int):
		return func(f *frame) { f.num = v.i(f) }
	case types.Identical(p, types.Universe.Lookup("error").Type()):
		return func(f *frame) { f.err = *(*error)(v.p(f)) }
	}
	c.refuse("a result of type %s", p)
	return nil
}

// boxed is v as the library keeps it: an any that holds the interpreter's form of the value.
func (c *compiler) boxed(v value) func(*frame) any {
	rt := c.reflect(v.typ)
	switch {
	case v.k == kMem && rt.Kind() == reflect.Interface:
		if rt.NumMethod() > 0 {
			c.refuse("an interface as a record")
		}
		return func(f *frame) any { return *(*any)(v.p(f)) }
	case v.k == kString && rt == basics[types.String]:
		return func(f *frame) any { return v.s(f) }
	case v.k == kInt && rt == basics[types.Int]:
		return func(f *frame) any { return int(v.i(f)) }
	case v.k == kInt && rt == basics[types.Int64]:
		return func(f *frame) any { return v.i(f) }
	case v.k == kFloat && rt == basics[types.Float64]:
		return func(f *frame) any { return v.f(f) }
	case v.k == kBool && rt == basics[types.Bool]:
		return func(f *frame) any { return v.b(f) }
	case v.k == kMem && (v.into == nil || isDirect(rt)):
		box := boxer(rt)
		return func(f *frame) any { return box(v.p(f)) }
	}
	fresh, put := allocator(rt), c.writer(v)
	return func(f *frame) any {
		x, p := fresh()
		put(f, p)
		return x
	}
}
