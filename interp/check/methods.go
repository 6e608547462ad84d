// Methods that a cell adds to a type of an earlier cell. go/types takes methods only together with
// their type, so such a method is checked as a function and then added to the type.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// lateMethod is a method of a type that was declared before the attempt.
type lateMethod struct {
	item   *Item
	decl   *ast.FuncDecl // as written
	asFunc *ast.FuncDecl // with the receiver as first parameter
	base   *types.Named
	ntp    int // type parameters of the receiver
	fn     *types.Func
	again  bool // the type had it, with the same signature
}

// receiver is the type name of a method's receiver and the names of its type parameters.
func receiver(fd *ast.FuncDecl) (string, []*ast.Ident) {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return "", nil
	}
	x := ast.Unparen(fd.Recv.List[0].Type)
	if p, ok := x.(*ast.StarExpr); ok {
		x = ast.Unparen(p.X)
	}
	var args []ast.Expr
	switch ix := x.(type) {
	case *ast.IndexExpr:
		x, args = ix.X, []ast.Expr{ix.Index}
	case *ast.IndexListExpr:
		x, args = ix.X, ix.Indices
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return "", nil
	}
	var params []*ast.Ident
	for _, arg := range args {
		if p, ok := arg.(*ast.Ident); ok {
			params = append(params, p)
		}
	}
	return id.Name, params
}

// lateMethod returns fd as a late method, or nil when it is an ordinary declaration.
func (a *attempt) lateMethod(it *Item, fd *ast.FuncDecl, local map[string]bool) *lateMethod {
	name, params := receiver(fd)
	if name == "" || local[name] || len(fd.Recv.List[0].Names) > 1 {
		return nil
	}
	tn, ok := a.st.objs[name].(*types.TypeName)
	if !ok || tn.IsAlias() || tn.Pkg() != a.c.pkg {
		return nil
	}
	base, ok := tn.Type().(*types.Named)
	if !ok || base.TypeParams().Len() != len(params) {
		return nil
	}
	if _, ok := base.Underlying().(*types.Interface); ok {
		return nil
	}
	m := &lateMethod{item: it, decl: fd, base: base, ntp: len(params)}
	m.asFunc = &ast.FuncDecl{
		Name: &ast.Ident{NamePos: fd.Name.NamePos, Name: name + "·" + fd.Name.Name},
		Type: &ast.FuncType{Func: fd.Type.Func, Params: withReceiver(fd), Results: fd.Type.Results, TypeParams: a.receiverParams(fd, base, params)},
		Body: fd.Body,
	}
	return m
}

// withReceiver is the parameter list with the receiver in front. A list names all or none.
func withReceiver(fd *ast.FuncDecl) *ast.FieldList {
	recv := *fd.Recv.List[0]
	list := fd.Type.Params.List
	if len(recv.Names) == 0 {
		recv.Names = []*ast.Ident{{NamePos: recv.Pos(), Name: "_"}}
	}
	fields := []*ast.Field{&recv}
	for _, f := range list {
		if len(f.Names) == 0 {
			g := *f
			g.Names = []*ast.Ident{{NamePos: f.Pos(), Name: "_"}}
			f = &g
		}
		fields = append(fields, f)
	}
	return &ast.FieldList{Opening: fd.Type.Params.Opening, List: fields, Closing: fd.Type.Params.Closing}
}

// receiverParams declares the type parameters of the receiver with the constraints of its type, then
// those of the method.
func (a *attempt) receiverParams(fd *ast.FuncDecl, base *types.Named, params []*ast.Ident) *ast.FieldList {
	if len(params) == 0 {
		return fd.Type.TypeParams
	}
	l := &ast.FieldList{Opening: fd.Pos(), Closing: fd.Pos()}
	for i, p := range params {
		n := fmt.Sprintf("constraint·%s·%d", base.Obj().Name(), i)
		a.scope.Insert(types.NewTypeName(token.NoPos, a.c.pkg, n, base.TypeParams().At(i).Constraint()))
		l.List = append(l.List, &ast.Field{Names: []*ast.Ident{p}, Type: &ast.Ident{NamePos: p.Pos(), Name: n}})
	}
	if own := fd.Type.TypeParams; own != nil {
		l.List = append(l.List, own.List...)
	}
	return l
}

// addMethods checks the headers of the late methods and adds them to their types, so that the bodies
// see all of them.
func (a *attempt) addMethods() *Error {
	f := &ast.File{Name: ast.NewIdent("main")}
	for _, m := range a.late {
		f.Decls = append(f.Decls, m.asFunc)
	}
	a.info = newInfo()
	a.typeCheck(a.info, f, true)
	if e := a.firstError(); e != nil {
		return e
	}
	for _, m := range a.late {
		if e := a.addMethod(m); e != nil {
			return e
		}
	}
	return nil
}

// gone begins the names of methods that a refused cell would have added.
const gone = "gone·"

// Gone reports whether f is a method that a refused cell would have added. The method sets of its type still have it.
func Gone(f *types.Func) bool { return strings.HasPrefix(f.Origin().Name(), gone) }

func (a *attempt) addMethod(m *lateMethod) *Error {
	name := m.decl.Name.Name
	fn := types.NewFunc(m.decl.Name.Pos(), a.c.pkg, name, a.signature(m))
	if st, ok := m.base.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if st.Field(i).Name() == name {
				return a.s.errorPos(m.decl.Name.Pos(), m.decl.Name.End(), fmt.Sprintf("field and method with the same name %s", name))
			}
		}
	}
	for i := range m.base.NumMethods() {
		old := m.base.Method(i)
		if old.Name() != name {
			continue
		}
		saved := *old
		m.fn, m.again = old, sameSignature(old, fn)
		if users := a.usersOf(old); !m.again && len(users) > 0 {
			e := a.s.errorPos(m.decl.Name.Pos(), m.decl.Name.End(), fmt.Sprintf("method %s cannot get another signature: %s calls it", methodName(old), users[0]))
			e.Kind, e.Hint = Unsupported, "declare "+strings.Join(users, ", ")+" again in the same cell"
			return e
		}
		*old = *fn
		a.undo = append(a.undo, func() { *old = saved })
		return nil
	}
	m.fn = fn
	m.base.AddMethod(fn)
	if m.ntp > 0 {
		a.refresh(m.base)
	}
	// go/types cannot remove a method. Under a name that nobody can write it is as good as gone.
	a.undo = append(a.undo, func() { *fn = *types.NewFunc(fn.Pos(), fn.Pkg(), gone+name, fn.Signature()) })
	return nil
}

// signature is the method signature of a late method that was checked as a function.
func (a *attempt) signature(m *lateMethod) *types.Signature {
	sig := a.info.Defs[m.asFunc.Name].(*types.Func).Signature()
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	var recv, own []*types.TypeParam
	for i := range sig.TypeParams().Len() {
		tp := sig.TypeParams().At(i)
		// A type parameter can be bound once. A fresh one in its place is unbound, and the body,
		// which knows it by its address, still means the same.
		*tp = *types.NewTypeParam(tp.Obj(), tp.Constraint())
		if i < m.ntp {
			recv = append(recv, tp)
		} else {
			own = append(own, tp)
		}
	}
	return types.NewSignatureType(sig.Params().At(0), recv, own, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// finishMethods gives the late methods the signatures whose parameters their bodies use.
func (a *attempt) finishMethods() {
	for _, m := range a.late {
		*m.fn = *types.NewFunc(m.decl.Name.Pos(), a.c.pkg, m.decl.Name.Name, a.signature(m))
		a.info.Defs[m.decl.Name] = m.fn
		m.item.Func, m.item.Again = m.fn, m.again
	}
}

// sameSignature compares functions without their receivers.
func sameSignature(x, y *types.Func) bool { return types.Identical(x.Type(), y.Type()) }
