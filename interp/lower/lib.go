// The library: its generic types are erased to any, and every call converts between that and the types of
// the cell.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"flinkish/interp/symbols/erase"
)

func classOf(n *types.Named) erase.Class {
	c, err := erase.ClassOf(n.Origin())
	if err != nil {
		return erase.Plain
	}
	return c
}

// libAlias is the name of the library package that exports n.
func (l *Lowerer) libAlias(p *types.Package) string {
	if strings.HasPrefix(p.Path(), libPath+"/internal/") {
		return l.aliasPath(libPath)
	}
	return l.aliasPath(p.Path())
}

// libType is the text of a type of the library.
func (e *emitter) libType(n *types.Named) string {
	name, err := erase.TypeName(n)
	if err != nil {
		refuse(token.NoPos, "%s is not available in a session: %v", n, err)
	}
	return e.l.libAlias(n.Obj().Pkg()) + "." + name
}

// erasedCalls are the methods whose result the library fixes to another type than any, by the types that declare them.
var erasedCalls = map[string]string{
	"StreamExecutionEnvironment.ReadTextFile": "rtǃ.ReadTextFile", "StreamExecutionEnvironment.FromSequence": "rtǃ.FromSequence",
	"StreamExecutionEnvironment.GenerateSequence": "rtǃ.GenerateSequence", "StreamExecutionEnvironment.SocketTextStream": "rtǃ.SocketTextStream",
	"DataStream.KeyByFields": "rtǃ.KeyByFields", "DataStream.KeyByPositions": "rtǃ.KeyByPositions", "DataStream.Project": "rtǃ.Project",
	"ConnectedStreams.KeyByFields": "rtǃ.CoKeyByFields", "ConnectedStreams.KeyByPositions": "rtǃ.CoKeyByPositions",
}

// libArg is one argument of a library call whose declared type is p.
func (e *emitter) libArg(x ast.Expr, p, a types.Type) string {
	a = e.sub(a)
	e.sharedMaps(x, a)
	if !mentionsTP(p) {
		return e.exprTo(x, a)
	}
	if ps, ok := types.Unalias(p).(*types.Signature); ok {
		if lit, ok := ast.Unparen(x).(*ast.FuncLit); ok && e.erasable(lit) {
			return e.compiled(lit, e.funcLitAs(lit, ps), ps)
		}
		return e.compiled(x, e.toErased(e.exprTo(x, a), p, a), ps)
	}
	return e.toErased(e.exprTo(x, a), p, a)
}

// erasable reports whether a literal can be written at the erased type directly.
func (e *emitter) erasable(lit *ast.FuncLit) bool {
	b := e.an.bodies[lit]
	if b == nil || b.defers || b.rangeFuncReturn {
		return false
	}
	r := lit.Type.Results
	return r == nil || len(r.List) == 0 || len(r.List[0].Names) == 0
}

// libFuncCall calls a function of the library.
func (e *emitter) libFuncCall(c *ast.CallExpr, f *types.Func, sig *types.Signature) string {
	var targs *types.TypeList
	if in, ok := e.info.Instances[identOf(c.Fun)]; ok {
		targs = in.TypeArgs
	}
	if f.Name() == "TypeOf" && targs.Len() == 1 {
		return e.typeValue(targs.At(0))
	}
	name, err := erase.FuncName(nil, f.Origin(), targs)
	if err != nil {
		return e.fail(c, "%v", err)
	}
	return e.libCall(c, e.l.libAlias(f.Pkg())+"."+name, nil, f.Origin().Signature(), sig, targs)
}

// declarer is the name of the type that declares the method f, which others may have by embedding it.
func declarer(f *types.Func) string {
	t := types.Unalias(f.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// libMethodCall calls a method of the library: as a method, or, when it is generic, as an exported function.
func (e *emitter) libMethodCall(c *ast.CallExpr, sel *ast.SelectorExpr, f *types.Func, sig *types.Signature) string {
	recv, n := e.libReceiver(sel, f)
	osig := f.Origin().Signature()
	if isValueStruct(n) {
		return e.fail(c, "method %s of %s is not available in a cell: use the fields F0, F1, ..", f.Name(), n.Obj().Name())
	}
	if r := erasedCalls[declarer(f)+"."+f.Name()]; r != "" {
		args := append([]string{recv}, e.args(c, sig, false)...)
		return r + "(" + strings.Join(args, ", ") + ")"
	}
	if osig.TypeParams().Len() == 0 {
		return e.libCall(c, recv+"."+f.Name(), nil, osig, sig, nil)
	}
	targs := e.info.Instances[sel.Sel].TypeArgs
	name, err := erase.FuncName(n, f.Origin(), targs)
	if err != nil {
		return e.fail(sel.Sel, "%v", err)
	}
	if k := byName(osig, targs, "K"); k != nil && tellsKey[f.Name()] {
		recv = e.keyTold(recv, n, k)
	}
	return e.libCall(c, e.l.libAlias(n.Obj().Pkg())+"."+name, []string{recv}, osig, sig, targs)
}

// libReceiver is the library value that a selector calls a method of, through embedded fields of the user's
// types, and its type. A variable of a type whose method f has a pointer receiver gives its address.
func (e *emitter) libReceiver(sel *ast.SelectorExpr, f *types.Func) (string, *types.Named) {
	t := e.typeOf(sel.X)
	byPointer := isPointer(f.Signature().Recv().Type())
	if n := libOf(t); n != nil && byPointer && !isPointer(t) {
		return "(" + e.address(sel.X) + ")", n
	}
	s := e.expr(sel.X)
	_, index, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), sel.Sel.Name)
	for i := 0; ; i++ {
		if n := libOf(t); n != nil {
			if byPointer && !isPointer(t) {
				s = "(&" + s + ")"
			}
			return s, n
		}
		if i >= len(index)-1 {
			e.fail(sel, "method %s is not known here", sel.Sel.Name)
		}
		s, t = e.path(s, t, index[i:i+1])
	}
}

// libOf is the type of the library that t is or points to; nil if it is none.
func libOf(t types.Type) *types.Named {
	if p, ok := t.Underlying().(*types.Pointer); ok && isLib(t) == nil {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && isLibPkg(n.Obj().Pkg()) {
		return n
	}
	return nil
}

// checked is text after which a refusal of the library shows, if the statement called it.
func (e *emitter) checked(stmt string) string {
	if e.fn.lib {
		e.fn.lib = false
		return stmt + "rtǃ.Check()\n"
	}
	return stmt
}

// libCall writes a call whose declared signature is osig and that the cell sees as sig.
func (e *emitter) libCall(c *ast.CallExpr, text string, args []string, osig, sig *types.Signature, targs *types.TypeList) string {
	e.fn.lib = true
	n := osig.Params().Len()
	opt := e.typeOption(osig, sig, targs, text)
	for i, a := range c.Args {
		if opt != "" && i == n-1 {
			args, opt = append(args, opt), ""
		}
		if osig.Variadic() && i >= n-1 && !c.Ellipsis.IsValid() {
			pt := osig.Params().At(n - 1).Type().(*types.Slice).Elem()
			at := sig.Params().At(n - 1).Type().(*types.Slice).Elem()
			args = append(args, e.libArg(a, pt, at))
			continue
		}
		args = append(args, e.libArg(a, osig.Params().At(i).Type(), sig.Params().At(i).Type()))
	}
	if opt != "" {
		args = append(args, opt)
	}
	if strings.HasSuffix(text, ".WriteAsText") || strings.HasSuffix(text, ".WriteAsCsv") {
		args[0] = "rtǃ.Path(" + args[0] + ")"
	}
	if c.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	return e.libResult(text+"("+strings.Join(args, ", ")+")", osig, sig)
}

// libResult converts what a library call gives.
func (e *emitter) libResult(s string, osig, sig *types.Signature) string {
	switch osig.Results().Len() {
	case 0:
		return s
	case 1:
		t := e.sub(sig.Results().At(0).Type())
		if e.isSource(t, osig) {
			return e.typedSource(s, t)
		}
		return e.fromErased(s, osig.Results().At(0).Type(), t)
	}
	vs := e.temps(osig.Results().Len(), "r")
	var ps, rs, ts []string
	same, take := true, ""
	for i, v := range vs {
		pt, at := osig.Results().At(i).Type(), sig.Results().At(i).Type()
		x := e.fromErased(v, pt, at)
		same = same && x == v
		p, t := e.passedText(v, e.erased(pt, at), e.signed(at) && e.erased(pt, at) == e.typ(at))
		take += t
		ps, rs, ts = append(ps, p), append(rs, x), append(ts, e.typ(at))
	}
	if same {
		return s
	}
	lr := e.tmp("lr")
	fmt.Fprintf(&e.l.out.decls, "func %s(%s) (%s) { %sreturn %s }\n", lr, strings.Join(ps, ", "), strings.Join(ts, ", "), take, strings.Join(rs, ", "))
	return lr + "(" + s + ")"
}

// libFuncValue is a function of the library as a value.
func (e *emitter) libFuncValue(x ast.Expr, f *types.Func) string {
	if generic(f) {
		return e.fail(x, "the generic function %s is no value in a cell: wrap the call in a function literal", f.Name())
	}
	sig := e.typeOf(x).Underlying().(*types.Signature)
	t := e.l.libAlias(f.Pkg()) + "." + f.Name()
	if !sig.Variadic() {
		return t
	}
	names := e.temps(sig.Params().Len(), "a")
	fv := e.tmp("fv")
	fmt.Fprintf(&e.l.out.decls, "func %s() %s { return func%s { %s%s(%s...) } }\n", fv, e.typ(sig), e.sig(sig, names), returns(sig), t, strings.Join(names, ", "))
	return fv + "()"
}

// libMethodValue is a method of the library as a value.
func (e *emitter) libMethodValue(x *ast.SelectorExpr, f *types.Func, sig *types.Signature) string {
	if sig.Variadic() || f.Signature().TypeParams().Len() > 0 {
		return e.fail(x, "method %s is no value in a cell: wrap the call in a function literal", f.Name())
	}
	h := &hoister{e: e}
	c := &ast.CallExpr{Fun: h.method(x, f)}
	var ps []string
	for v := range sig.Params().Variables() {
		n := e.tmp("a")
		c.Args = append(c.Args, e.synthetic(n, e.sub(v.Type()), x.Pos()))
		ps = append(ps, n+" "+e.typ(v.Type()))
	}
	var rs []string
	for v := range sig.Results().Variables() {
		rs = append(rs, e.typ(v.Type()))
	}
	body := returns(sig) + e.libMethodCall(c, c.Fun.(*ast.SelectorExpr), f, sig) + "\n"
	mk := e.maker("func("+strings.Join(ps, ", ")+")"+resultText(rs), body, h.params)
	return mk[:strings.Index(mk, "(")] + "(" + strings.Join(h.args, ", ") + ")"
}
