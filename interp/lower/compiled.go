// Functions of jobs that package closure may compile: literals, named functions and methods. The interpreted form is written all the same: it is
// what runs when the compiler meets something that it does not know.

package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/closure"
)

// compiledForms maps the erased signature of a library's parameter to the function of the runtime that compiles
// for it.
var compiledForms = map[string]string{
	"(any) any": "Map", "(any) (any, error)": "MapErr", "(any) bool": "Filter", "(any) (bool, error)": "FilterErr",
	"(any) int64": "Number", "(any, int64) int64": "Timestamp", "(any) error": "Sink",
	"(any, Collector)": "FlatMap", "(any, Collector) error": "FlatMapErr",
	"(any, any) any": "Reduce", "(any, any) (any, error)": "ReduceErr",
	"(any, *ProcessContext, Collector)": "Process", "(any, *ProcessContext, Collector) error": "ProcessErr",
	"(any, *KeyedContext, Collector)": "Keyed", "(any, *KeyedContext, Collector) error": "KeyedErr",
}

// compiledMethods are the same for methods, by the signature without the receiver.
var compiledMethods = map[string]string{
	"() any": "Map", "(any) any": "Reduce", "(any) (any, error)": "ReduceErr", "(any) (bool, error)": "FilterMethod",
	"(any, any) any": "ReduceMethod", "(any, any) (any, error)": "ReduceErrMethod", "(any, Collector) error": "FlatMapMethod",
	"(any, *ProcessContext, Collector) error": "ProcessMethod", "(any, *KeyedContext, Collector) error": "KeyedMethod",
	"(int64, *OnTimerContext, Collector) error": "TimerMethod",
}

// compiled is text, the interpreted form of function x for a parameter declared as p, or its compiled form.
func (e *emitter) compiled(x ast.Expr, text string, p *types.Signature) string {
	sig, ok := e.typeOf(x).Underlying().(*types.Signature)
	if !ok || e.b != nil && len(e.b.m) > 0 {
		return text
	}
	src := &closure.Source{Declared: p}
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncLit:
		src.Unit = &closure.Unit{Type: x.Type, Body: x.Body, Sig: sig, Info: e.info}
	case *ast.Ident:
		if f, ok := e.info.Uses[x].(*types.Func); ok {
			src.Unit = e.l.compiledUnit(f)
		}
	}
	lit, _ := ast.Unparen(x).(*ast.FuncLit)
	return e.compiledSource(src, lit, text, compiledForms[e.form(p, sig)])
}

// compiledMethod is text, the interpreted form of method f of t for an adapter's method declared as p, or its
// compiled form.
func (e *emitter) compiledMethod(t types.Type, f *types.Func, text string, p, want *types.Signature) string {
	r := f.Signature().Recv()
	if r == nil || !types.Identical(r.Type(), t) || e.b != nil && len(e.b.m) > 0 {
		return text
	}
	return e.compiledSource(&closure.Source{Declared: p, Unit: e.l.compiledUnit(f)}, nil, text, compiledMethods[e.form(p, want)])
}

// form is the erased signature with the library's names.
func (e *emitter) form(p, sig *types.Signature) string {
	return strings.ReplaceAll(e.erasedSig(p, sig, nil), e.l.aliasPath(libPath)+".", "")
}

// compiledSource is the call that compiles src; lit is the literal that it was, if it was one.
func (e *emitter) compiledSource(src *closure.Source, lit *ast.FuncLit, text, form string) string {
	if form == "" || src.Unit == nil || !compilable(src.Body) {
		return text
	}
	src.Funcs, src.Globals = map[*types.Func]*closure.Unit{}, map[*types.Var]int{}
	c := &compilation{e: e, src: src}
	c.unit(src.Unit)
	if lit != nil {
		for _, v := range e.free(lit) {
			n := e.local[v]
			src.Captured, src.Boxed = append(src.Captured, v), append(src.Boxed, n.boxed)
			c.args = append(c.args, n.name)
		}
	}
	args := append([]string{e.l.reg.AddSource(src), text}, c.args...)
	return "rtǃ.Compile" + form + "(" + strings.Join(args, ", ") + ")"
}

// compiledUnit is a function of the user as one that may be compiled; nil if it cannot.
func (l *Lowerer) compiledUnit(f *types.Func) *closure.Unit {
	fi := l.funcs[f]
	if fi == nil || generic(f) || f.Signature().Variadic() || fi.decl == nil || fi.decl.Body == nil || !compilable(fi.decl.Body) {
		return nil
	}
	if r := f.Signature().Recv(); r != nil && l.srcs.has(f.Pkg()) {
		return nil
	}
	return &closure.Unit{Recv: fi.decl.Recv, Type: fi.decl.Type, Body: fi.decl.Body, Sig: f.Signature(), Info: fi.info}
}

// compilation collects what a source needs.
type compilation struct {
	e    *emitter
	src  *closure.Source
	seen typeMap
	args []string // pointers of the types
}

// unit adds a function, and those that it calls.
func (c *compilation) unit(u *closure.Unit) {
	for _, n := range []ast.Node{u.Recv, u.Type, u.Body} {
		if l, ok := n.(*ast.FieldList); ok && l == nil {
			continue
		}
		c.mentioned(u, n)
	}
	c.places(u)
	ast.Inspect(u.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := u.Info.Uses[id].(*types.Func); ok && c.src.Funcs[f] == nil {
				if callee := c.e.l.compiledUnit(f); callee != nil {
					c.src.Funcs[f] = callee
					c.unit(callee)
				}
			}
		}
		return true
	})
}

// compilable reports whether a body holds nothing that closures certainly do not know.
func compilable(body *ast.BlockStmt) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.TypeSwitchStmt, *ast.TypeAssertExpr:
			ok = false
		}
		return ok
	})
	return ok
}

// mentioned adds the types of what is below n.
func (c *compilation) mentioned(u *closure.Unit, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if tv := u.Info.Types[x]; tv.Type != nil && !tv.IsNil() {
			c.typ(tv.Type)
		}
		if id, ok := x.(*ast.Ident); ok {
			c.object(u.Info.Defs[id])
			c.object(u.Info.Uses[id])
		}
		return true
	})
}

func (c *compilation) object(o types.Object) {
	switch o := o.(type) {
	case *types.Var:
		c.typ(o.Type())
	case *types.Func:
		if r := o.Signature().Recv(); r != nil {
			c.typ(r.Type())
		}
		for v := range o.Signature().Results().Variables() {
			c.typ(v.Type())
		}
	}
}

// typ adds a type, and those of the fields of a struct of the user.
func (c *compilation) typ(t types.Type) {
	t = types.Unalias(t)
	if c.seen.At(t) != nil || !c.e.nameable(t) {
		return
	}
	c.seen.Set(t, true)
	c.src.Types = append(c.src.Types, t)
	c.args = append(c.args, "new("+c.e.typ(t)+")")
	if st, ok := t.Underlying().(*types.Struct); ok && c.e.l.isUser(t) != nil {
		for f := range st.Fields() {
			c.typ(f.Type())
		}
	}
}

// nameable reports whether t has a name in the text, and is not a basic type, which needs none.
// Compiled functions do not know the opaque ones.
func (e *emitter) nameable(t types.Type) bool {
	if e.opaque(t) || isStruct(t) && e.apart(t) {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		switch {
		case t.Obj().Pkg() == nil || t.TypeParams().Len() > t.TypeArgs().Len(): // the latter as in Box of Box[int]
			return false
		case e.l.isUser(t) != nil:
			_, iface := t.Underlying().(*types.Interface)
			return !iface && !mentions(t, isTypeParam) && !e.l.busy[t]
		}
		if isLib(t) != nil {
			_, iface := t.Underlying().(*types.Interface)
			return !iface && t.Obj().Exported() && !mentions(t, isTypeParam) && t.Obj().Name() != "Tuple"
		}
		return t.Obj().Exported() && t.TypeArgs().Len() == 0 && !isLibPkg(t.Obj().Pkg()) && e.l.imp != nil && closure.Known(t.Obj().Pkg())
	case *types.Struct:
		return t.NumFields() > 0 && !mentions(t, isTypeParam)
	case *types.Pointer:
		return e.nameable(t.Elem()) || isBasic(t.Elem())
	case *types.Slice:
		return e.nameable(t.Elem()) || isBasic(t.Elem())
	case *types.Array:
		return e.nameable(t.Elem()) || isBasic(t.Elem())
	case *types.Map:
		return (e.nameable(t.Key()) || isBasic(t.Key())) && (e.nameable(t.Elem()) || isBasic(t.Elem()))
	}
	return false
}

func isBasic(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&types.IsUntyped == 0 && b.Kind() != types.UnsafePointer
}

// places numbers the nodes of a function that may fail, and the session's variables that it uses.
func (c *compilation) places(u *closure.Unit) {
	e := *c.e
	e.info, e.fn = u.Info, &fnCtx{}
	u.Slot, u.Marks = e.l.slot(slot{name: "func literal"}), map[ast.Node]int{}
	s := &e.l.slots[u.Slot]
	ast.Inspect(u.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.ReturnStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.CaseClause, *ast.DeclStmt, nil:
		case *ast.Ident:
			if v, ok := u.Info.Uses[n].(*types.Var); ok && e.local[v] == nil && e.l.globals[v] != nil {
				e.globalName(v)
				c.src.Globals[v] = e.l.globals[v].num
			}
		default:
			if e.risky(n) {
				s.pos = append(s.pos, n.Pos())
				u.Marks[n] = len(s.pos)
			}
		}
		return true
	})
}
