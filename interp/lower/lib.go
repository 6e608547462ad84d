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

// erased is the text of declared type p where the cell sees it as a.
func (e *emitter) erased(p, a types.Type) string {
	if !mentionsTP(p) {
		return e.typ(p)
	}
	a = e.sub(a)
	switch p := types.Unalias(p).(type) {
	case *types.TypeParam:
		if kept(p) {
			return e.typ(a)
		}
		return "any"
	case *types.Pointer:
		return "*" + e.erased(p.Elem(), a.Underlying().(*types.Pointer).Elem())
	case *types.Slice:
		return "[]" + e.erased(p.Elem(), a.Underlying().(*types.Slice).Elem())
	case *types.Map:
		m := a.Underlying().(*types.Map)
		return "map[" + e.erased(p.Key(), m.Key()) + "]" + e.erased(p.Elem(), m.Elem())
	case *types.Signature:
		return "func" + e.erasedSig(p, a.Underlying().(*types.Signature), nil)
	case *types.Named:
		if n := isLib(p); n != nil {
			return e.libType(a.(*types.Named))
		}
		if isValueStruct(p) {
			return e.l.libAlias(p.Obj().Pkg()) + "." + erase.Name(p.Obj())
		}
		if u, ok := a.Underlying().(*types.Signature); ok {
			return e.erasedSeq(p, u)
		}
	}
	return refuse(token.NoPos, "a cell cannot call a function that takes or gives %s", p)
}

// erasedSeq is the text of iter.Seq or iter.Seq2 at erased arguments.
func (e *emitter) erasedSeq(p *types.Named, a *types.Signature) string {
	switch e.erasedSig(origin(p), a, nil) {
	case "(func(any) bool)":
		return "rtǃ.Seq"
	case "(func(any, any) bool)":
		return "rtǃ.Seq2"
	case "(func(any, error) bool)":
		return "rtǃ.SeqErr"
	}
	return refuse(token.NoPos, "a cell cannot use a sequence of type %s here", p)
}

// erasedCalls are the methods whose result the library fixes to another type than any.
var erasedCalls = map[string]string{
	"ReadTextFile": "rtǃ.ReadTextFile", "FromSequence": "rtǃ.FromSequence",
	"GenerateSequence": "rtǃ.GenerateSequence", "SocketTextStream": "rtǃ.SocketTextStream",
	"KeyByFields": "rtǃ.KeyByFields", "KeyByPositions": "rtǃ.KeyByPositions", "Project": "rtǃ.Project",
}

// origin is the underlying signature of a generic func type, at its own arguments.
func origin(n *types.Named) *types.Signature { return n.Underlying().(*types.Signature) }

// kept reports whether a type parameter is not erased: windows, and lists of types.
func kept(p *types.TypeParam) bool {
	c, err := erase.Choices(p)
	return err == nil && c != nil
}

func (e *emitter) erasedSig(p, a *types.Signature, names []string) string {
	var ps, rs []string
	for i := range p.Params().Len() {
		s := e.erased(p.Params().At(i).Type(), a.Params().At(i).Type())
		if names != nil {
			s = names[i] + " " + s
		}
		ps = append(ps, s)
	}
	for i := range p.Results().Len() {
		rs = append(rs, e.erased(p.Results().At(i).Type(), a.Results().At(i).Type()))
	}
	return "(" + strings.Join(ps, ", ") + ")" + resultText(rs)
}

// fromErased converts text x of declared type p to the cell's type a.
func (e *emitter) fromErased(x string, p, a types.Type) string {
	if !mentionsTP(p) {
		return x
	}
	a = e.sub(a)
	switch p := types.Unalias(p).(type) {
	case *types.TypeParam:
		if kept(p) {
			return x
		}
		return e.unerase(x, a)
	case *types.Slice, *types.Map:
		return e.unerase(x, a)
	case *types.Signature:
		return e.wrapFunc(x, p, a.Underlying().(*types.Signature), false)
	case *types.Named:
		switch {
		case isLib(p) != nil:
			return x
		case isValueStruct(p):
			return e.unerase(x, a)
		}
		if u, ok := a.Underlying().(*types.Signature); ok {
			return e.wrapNamed(x, p, u, false)
		}
	}
	return x
}

// unerase is a helper that gives an erased value the type a.
func (e *emitter) unerase(x string, a types.Type) string {
	if isIface(a) && e.typ(a) == "any" {
		return x
	}
	if n := isLib(a); n != nil && n.Obj().Name() == "Tuple" {
		return "rtǃ.AsTuple(" + x + ")"
	}
	return e.l.helper(e, "from", a, func(n string) string {
		tt := e.typ(a)
		if isIface(a) {
			return fmt.Sprintf("func %s(x any) %s { if x == nil { return nil }; return x.(%s) }\n", n, tt, tt)
		}
		if isEmptyStruct(a) {
			return fmt.Sprintf("func %s(x any) %s { return %s{} }\n", n, tt, tt)
		}
		return fmt.Sprintf("func %s(x any) %s { v, ok := x.(%s); if ok { return v }; return rtǃ.Conv(x, v).(%s) }\n", n, tt, tt, tt)
	}) + "(" + x + ")"
}

// toErased converts text x of the cell's type a to declared type p.
func (e *emitter) toErased(x string, p, a types.Type) string {
	if !mentionsTP(p) {
		return x
	}
	a = e.sub(a)
	switch p := types.Unalias(p).(type) {
	case *types.Slice:
		if e.erased(p, a) == e.typ(a) {
			return x
		}
		if isValueOf(p.Elem()) {
			return "rtǃ.Conv(" + x + ", " + e.erased(p, a) + "{}).(" + e.erased(p, a) + ")"
		}
		return "rtǃ.ToAny(" + x + ")"
	case *types.Map:
		return "rtǃ.Conv(" + x + ", " + e.erased(p, a) + "{}).(" + e.erased(p, a) + ")"
	case *types.Signature:
		return e.wrapFunc(x, p, a.Underlying().(*types.Signature), true)
	case *types.Named:
		if isValueStruct(p) {
			return "rtǃ.Conv(" + x + ", " + e.erased(p, a) + "{}).(" + e.erased(p, a) + ")"
		}
		if u, ok := a.Underlying().(*types.Signature); ok && isLib(p) == nil {
			return e.wrapNamed(x, p, u, true)
		}
	}
	return x
}

func isValueOf(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && isValueStruct(n)
}

// wrapFunc puts a function between a caller that sees p and one that sees a. erasing tells that x is the
// cell's function; else it is the library's.
func (e *emitter) wrapFunc(x string, p, a *types.Signature, erasing bool) string {
	f := e.tmp("f")
	names := e.temps(p.Params().Len(), "a")
	pt, at := "func"+e.erasedSig(p, a, nil), "func"+e.sig(a, nil)
	var args []string
	for i, n := range names {
		pp, ap := p.Params().At(i).Type(), a.Params().At(i).Type()
		if erasing {
			args = append(args, e.fromErased(n, pp, ap))
		} else {
			args = append(args, e.toErased(n, pp, ap))
		}
	}
	body := e.wrapBody(f+"("+strings.Join(args, ", ")+")", p, a, erasing)
	head, in, out := e.erasedSig(p, a, names), at, pt
	if !erasing {
		head, in, out = e.sig(a, names), pt, at
	}
	wf := e.tmp("wf")
	fmt.Fprintf(&e.l.out.decls, "func %s(%s %s) %s { return func%s { %s } }\n", wf, f, in, out, head, body)
	return wf + "(" + x + ")"
}

// wrapNamed is wrapFunc for iter.Seq and iter.Seq2.
func (e *emitter) wrapNamed(x string, p *types.Named, a *types.Signature, erasing bool) string {
	name := e.erasedSeq(p, a)
	if erasing {
		return name + "(" + e.wrapFunc(x, origin(p), a, true) + ")"
	}
	plain := "(func" + e.erasedSig(origin(p), a, nil) + ")"
	return e.wrapFunc(plain+"("+x+")", origin(p), a, false)
}

func (e *emitter) wrapBody(call string, p, a *types.Signature, erasing bool) string {
	convert := func(s string, i int) string {
		if erasing {
			return e.toErased(s, p.Results().At(i).Type(), a.Results().At(i).Type())
		}
		return e.fromErased(s, p.Results().At(i).Type(), a.Results().At(i).Type())
	}
	switch n := p.Results().Len(); n {
	case 0:
		return call
	case 1:
		return "return " + convert(call, 0)
	default:
		vs := e.temps(n, "r")
		var rs []string
		for i, v := range vs {
			rs = append(rs, convert(v, i))
		}
		return strings.Join(vs, ", ") + " := " + call + "; return " + strings.Join(rs, ", ")
	}
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

// libMethodCall calls a method of the library: as a method, or, when it is generic, as an exported function.
func (e *emitter) libMethodCall(c *ast.CallExpr, sel *ast.SelectorExpr, f *types.Func, sig *types.Signature) string {
	recv, n := e.libReceiver(sel, f)
	osig := f.Origin().Signature()
	if isValueStruct(n) {
		return e.fail(c, "method %s of %s is not available in a cell: use the fields F0, F1, ..", f.Name(), n.Obj().Name())
	}
	if r := erasedCalls[f.Name()]; r != "" {
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
	return e.libCall(c, e.l.libAlias(n.Obj().Pkg())+"."+name, []string{recv}, osig, sig, targs)
}

// libReceiver is the library value that a selector calls a method of, through embedded fields of the user's
// types, and its type.
func (e *emitter) libReceiver(sel *ast.SelectorExpr, f *types.Func) (string, *types.Named) {
	t := e.typeOf(sel.X)
	s := e.expr(sel.X)
	_, index, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), sel.Sel.Name)
	for i := 0; ; i++ {
		base := t
		if p, ok := t.Underlying().(*types.Pointer); ok && isLib(t) == nil {
			base = e.sub(p.Elem())
		}
		if n, ok := base.(*types.Named); ok && isLibPkg(n.Obj().Pkg()) {
			return s, n
		}
		if i >= len(index)-1 {
			e.fail(sel, "method %s is not known here", sel.Sel.Name)
		}
		s, t = e.path(s, t, index[i:i+1])
	}
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
	same := true
	for i, v := range vs {
		pt, at := osig.Results().At(i).Type(), sig.Results().At(i).Type()
		x := e.fromErased(v, pt, at)
		same = same && x == v
		ps, rs, ts = append(ps, v+" "+e.erased(pt, at)), append(rs, x), append(ts, e.typ(at))
	}
	if same {
		return s
	}
	lr := e.tmp("lr")
	fmt.Fprintf(&e.l.out.decls, "func %s(%s) (%s) { return %s }\n", lr, strings.Join(ps, ", "), strings.Join(ts, ", "), strings.Join(rs, ", "))
	return lr + "(" + s + ")"
}

// isSource reports whether a call makes a source whose element type the library cannot know.
func (e *emitter) isSource(t types.Type, osig *types.Signature) bool {
	if !mentionsTP(osig.Results().At(0).Type()) {
		return false
	}
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n := isLib(p.Elem())
	return n != nil && n.Obj().Name() == "DataStreamSource"
}

func (e *emitter) typedSource(s string, t types.Type) string {
	et := isLib(t.(*types.Pointer).Elem()).TypeArgs().At(0)
	return e.l.helper(e, "source", et, func(n string) string {
		tt := e.typ(t)
		return fmt.Sprintf("func %s(x %s) %s { x.Transformation().SetType(%s); return x }\n", n, tt, tt, e.typeValue(et))
	}) + "(" + s + ")"
}

// typeValue is the text of a graph.Type that knows t as the user wrote it.
func (e *emitter) typeValue(t types.Type) string {
	t = e.sub(t)
	d := e.desc(t)
	e.descParts(t)
	e.l.helper(e, "reflect", t, func(n string) string {
		fmt.Fprintf(&e.l.out.inits, "rtǃ.SetReflect(%s, new(%s))\n", d, e.typ(t))
		return ""
	})
	return "rtǃ.TypeOf(" + d + ")"
}

// typeOption is the option that tells the library the type of results, keys or state; empty if the function
// takes none.
func (e *emitter) typeOption(osig, sig *types.Signature, targs *types.TypeList, text string) string {
	if !osig.Variadic() {
		return ""
	}
	last := osig.Params().At(osig.Params().Len() - 1).Type().(*types.Slice).Elem()
	n, ok := types.Unalias(last).(*types.Named)
	if !ok {
		return ""
	}
	df := e.l.aliasPath(libPath) + "."
	switch n.Obj().Name() {
	case "TypeOption":
		if t := e.optionType(osig, sig, targs); t != nil {
			return df + "WithType(" + e.typeValue(t) + ")"
		}
	case "KeyOption":
		if t := byName(osig, targs, "K"); t != nil {
			return df + "KeyType(" + e.typeValue(t) + ")"
		}
	case "MapTypeOption":
		return df + "WithTypes(" + e.typeValue(targs.At(0)) + ", " + e.typeValue(targs.At(1)) + ")"
	}
	return ""
}

// optionType is the type that a TypeOption of this call is about: the element of the resulting stream, else
// the accumulator, else the first type argument.
func (e *emitter) optionType(osig, sig *types.Signature, targs *types.TypeList) types.Type {
	if p, ok := e.sub(sig.Results().At(0).Type()).(*types.Pointer); ok {
		if n := isLib(p.Elem()); n != nil && strings.HasSuffix(n.Obj().Name(), "Operator") {
			return n.TypeArgs().At(0)
		}
	}
	if t := byName(osig, targs, "ACC"); t != nil {
		return t
	}
	if targs.Len() > 0 {
		return targs.At(0)
	}
	return nil
}

func byName(osig *types.Signature, targs *types.TypeList, name string) types.Type {
	for i := range osig.TypeParams().Len() {
		if osig.TypeParams().At(i).Obj().Name() == name && i < targs.Len() {
			return targs.At(i)
		}
	}
	return nil
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
