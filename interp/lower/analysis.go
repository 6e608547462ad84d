// Analysis of one function: which variables must live behind a pointer, and what its body uses.

package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"flinkish/interp/check"
)

// analysis is what emission must know of a function before it begins.
type analysis struct {
	info *types.Info
	// level is the nesting of function literals (and of bodies that become literals) at which a
	// variable is declared.
	level map[*types.Var]int
	// captured and changed are uses from deeper levels and assignments after the declaration;
	// address is taking the address. Both together, or the last alone, put a variable behind a
	// pointer.
	captured, changed, address map[*types.Var]bool
	// postOf maps the variable of a three-clause loop to its loop; assignments in the post
	// statement alone do not count, each iteration has its own copy.
	postOf map[*types.Var]ast.Stmt
	post   ast.Stmt
	// gotos are the labels that a goto leads to, and loops those of statements that break or continue may name.
	gotos, loops map[types.Object]bool
	// bodies are the function bodies seen, each with what it contains itself, literals excluded.
	bodies map[ast.Node]*bodyInfo
	cur    *bodyInfo
	depth  int
	global func(*types.Var) bool
}

// bodyInfo is what one function body contains, not counting the literals inside.
type bodyInfo struct {
	defers, recovers, rangeFuncReturn, dynamic, calls bool
	inRangeFunc                                       int
}

func (a *analysis) boxed(v *types.Var) bool {
	return a.address[v] || a.captured[v] && a.changed[v]
}

func newAnalysis(info *types.Info, pkg *types.Package) *analysis {
	return &analysis{
		info: info, level: map[*types.Var]int{}, captured: map[*types.Var]bool{}, changed: map[*types.Var]bool{},
		address: map[*types.Var]bool{}, gotos: map[types.Object]bool{}, loops: map[types.Object]bool{}, postOf: map[*types.Var]ast.Stmt{}, bodies: map[ast.Node]*bodyInfo{},
		global: func(v *types.Var) bool {
			return v.IsField() || v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
		},
	}
}

// analyseFunc analyses a declared function.
func analyseFunc(d *ast.FuncDecl, info *types.Info, pkg *types.Package) *analysis {
	a := newAnalysis(info, pkg)
	a.function(d, d.Recv, d.Type, d.Body)
	return a
}

// analyseItems analyses the statements of a cell as one function.
func analyseItems(sub *check.Sub, info *types.Info, pkg *types.Package) *analysis {
	a := newAnalysis(info, pkg)
	a.cur = &bodyInfo{}
	a.bodies[nil] = a.cur
	for _, it := range sub.Items {
		switch it.Kind {
		case check.VarItem:
			for _, x := range it.Spec.Values {
				a.walk(x)
			}
		case check.StmtItem:
			a.walk(it.Stmt)
		}
	}
	return a
}

// function walks a function one level deeper. A body with defer becomes a literal of its own, so what it
// uses of the parameters is captured.
func (a *analysis) function(key ast.Node, recv *ast.FieldList, t *ast.FuncType, body *ast.BlockStmt) {
	old := a.cur
	a.cur = &bodyInfo{}
	a.bodies[key] = a.cur
	a.depth++
	for _, l := range []*ast.FieldList{recv, t.Params, t.Results} {
		if l == nil {
			continue
		}
		for _, f := range l.List {
			for _, n := range f.Names {
				a.declare(n)
			}
		}
	}
	if t.Results != nil {
		for _, f := range t.Results.List {
			for _, n := range f.Names {
				if v, ok := a.info.Defs[n].(*types.Var); ok {
					a.changed[v] = true
				}
			}
		}
	}
	deep := 0
	if hasDefer(body) {
		a.cur.defers = true
		deep = 1
	}
	a.depth += deep
	a.walk(body)
	a.depth -= deep
	a.depth--
	a.cur = old
}

// hasDefer looks for a defer statement outside of literals.
func hasDefer(b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

func (a *analysis) declare(id *ast.Ident) {
	if v, ok := a.info.Defs[id].(*types.Var); ok {
		a.level[v] = a.depth
	}
}

// root is the variable that assigning to x changes: x itself, or the struct or array it lies in.
func (a *analysis) root(x ast.Expr) *types.Var {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, _ := a.info.Uses[x].(*types.Var)
		if v == nil {
			v, _ = a.info.Defs[x].(*types.Var)
		}
		return v
	case *ast.SelectorExpr:
		s := a.info.Selections[x]
		if s == nil || s.Kind() != types.FieldVal || s.Indirect() || isPointer(a.info.TypeOf(x.X)) {
			return nil
		}
		return a.root(x.X)
	case *ast.IndexExpr:
		if t := a.info.TypeOf(x.X); t != nil {
			if _, ok := t.Underlying().(*types.Array); ok {
				return a.root(x.X)
			}
		}
	}
	return nil
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func (a *analysis) change(x ast.Expr) {
	if v := a.root(x); v != nil {
		if a.post != nil && a.postOf[v] == a.post {
			return
		}
		a.changed[v] = true
	}
}

func (a *analysis) takeAddress(x ast.Expr) {
	if v := a.root(x); v != nil && !a.global(v) {
		a.address[v] = true
	}
}

func (a *analysis) walk(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, a.visit)
}

func (a *analysis) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		a.function(n, nil, n.Type, n.Body)
		return false
	case *ast.Ident:
		a.use(n)
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if id, ok := l.(*ast.Ident); ok && a.info.Defs[id] != nil {
				a.declare(id)
				continue
			}
			a.change(l)
		}
	case *ast.IncDecStmt:
		a.change(n.X)
	case *ast.BranchStmt:
		if n.Tok == token.GOTO {
			a.gotos[a.info.Uses[n.Label]] = true
		}
	case *ast.LabeledStmt:
		switch n.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			a.loops[a.info.Defs[n.Label]] = true
		}
	case *ast.ValueSpec:
		for _, id := range n.Names {
			a.declare(id)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			a.takeAddress(n.X)
		}
	case *ast.SliceExpr:
		if t := a.info.TypeOf(n.X); t != nil {
			if _, ok := t.Underlying().(*types.Array); ok {
				a.takeAddress(n.X)
			}
		}
	case *ast.SelectorExpr:
		a.selector(n)
	case *ast.DeferStmt, *ast.GoStmt:
		a.cur.calls = true
	case *ast.CallExpr:
		a.call(n)
	case *ast.ForStmt:
		a.forLoop(n)
		return false
	case *ast.RangeStmt:
		a.rangeLoop(n)
		return false
	case *ast.TypeSwitchStmt:
		for _, c := range n.Body.List {
			if v, ok := a.info.Implicits[c].(*types.Var); ok {
				a.level[v] = a.depth
			}
		}
	case *ast.ReturnStmt:
		if a.cur.inRangeFunc > 0 {
			a.cur.rangeFuncReturn = true
		}
	}
	return true
}

func (a *analysis) use(id *ast.Ident) {
	v, ok := a.info.Uses[id].(*types.Var)
	if !ok || a.global(v) {
		return
	}
	if l, ok := a.level[v]; ok && l < a.depth {
		a.captured[v] = true
	}
}

// selector finds methods that take the address of their receiver.
func (a *analysis) selector(n *ast.SelectorExpr) {
	s := a.info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	f := s.Obj().(*types.Func)
	recv := f.Type().(*types.Signature).Recv()
	if recv == nil || !isPointer(recv.Type()) || isPointer(a.info.TypeOf(n.X)) || s.Indirect() {
		return
	}
	a.takeAddress(n.X)
}

func (a *analysis) call(c *ast.CallExpr) {
	a.cur.calls = true
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		switch o := a.info.Uses[f].(type) {
		case *types.Builtin:
			if o.Name() == "recover" {
				a.cur.recovers = true
			}
		case *types.Var:
			a.cur.dynamic = true
		}
	case *ast.SelectorExpr:
		if s := a.info.Selections[f]; s != nil {
			if s.Kind() == types.FieldVal || isIface(s.Recv()) || isTypeParam(types.Unalias(s.Recv())) {
				a.cur.dynamic = true
			}
		}
	default:
		a.cur.dynamic = true
	}
}

func (a *analysis) forLoop(n *ast.ForStmt) {
	if as, ok := n.Init.(*ast.AssignStmt); ok && as.Tok == token.DEFINE {
		for _, l := range as.Lhs {
			if id, ok := l.(*ast.Ident); ok {
				if v, ok := a.info.Defs[id].(*types.Var); ok && n.Post != nil {
					a.postOf[v] = n.Post
				}
			}
		}
	}
	if n.Init != nil {
		a.walk(n.Init)
	}
	if n.Cond != nil {
		a.walk(n.Cond)
	}
	if n.Post != nil {
		old := a.post
		a.post = n.Post
		a.walk(n.Post)
		a.post = old
	}
	a.walk(n.Body)
}

func (a *analysis) rangeLoop(n *ast.RangeStmt) {
	a.walk(n.X)
	t := a.info.TypeOf(n.X)
	isFunc := false
	if t != nil {
		switch u := coreType(t).(type) {
		case *types.Signature:
			isFunc = true
		case *types.Array:
			_ = u
		}
	}
	if isFunc {
		a.depth++
		a.cur.inRangeFunc++
		a.cur.dynamic = true
	}
	for _, x := range []ast.Expr{n.Key, n.Value} {
		if x == nil {
			continue
		}
		if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
			a.declare(id)
			continue
		}
		a.walk(x)
		a.change(x)
	}
	a.walk(n.Body)
	if isFunc {
		a.depth--
		a.cur.inRangeFunc--
	}
}

// coreType is the underlying type; for a type parameter, that of its constraint's single type.
func coreType(t types.Type) types.Type {
	t = types.Unalias(t)
	if tp, ok := t.(*types.TypeParam); ok {
		if it, ok := tp.Constraint().Underlying().(*types.Interface); ok {
			for e := range it.EmbeddedTypes() {
				switch e := e.(type) {
				case *types.Union:
					return coreType(e.Term(0).Type())
				default:
					return coreType(e)
				}
			}
		}
		return t
	}
	return t.Underlying()
}
