// Functions and function literals.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

func baseName(f *types.Func) string {
	if r := f.Type().(*types.Signature).Recv(); r != nil {
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok {
			return n.Obj().Name() + "_" + f.Name()
		}
	}
	return f.Name()
}

// userName is how messages call f.
func userName(f *types.Func) string { return strings.Replace(baseName(f), "_", ".", 1) }

// instance is the lowered form of f at targs; it is emitted on first use. user is who asks; nil: a cell.
func (l *Lowerer) instance(user *inst, f *types.Func, targs []types.Type) *inst {
	fi := l.funcs[f]
	if fi == nil {
		refuse(f.Pos(), "function %s has no source here", f.Name())
	}
	in := fi.find(targs)
	if in == nil {
		if l.insts++; l.insts > 20000 {
			refuse(f.Pos(), "too many instances of generic functions")
		}
		if depthOf(targs) > 8 {
			refuse(f.Pos(), "%s instantiates itself at ever larger types", f.Name())
		}
		in = &inst{fn: fi, targs: targs, name: l.fresh(baseName(f)), users: map[*inst]bool{}, descs: map[int]bool{}}
		fi.insts = append(fi.insts, in)
		l.emitFunc(in)
	}
	if user != nil {
		in.users[user] = true
	}
	if l.curDesc >= 0 {
		in.descs[l.curDesc] = true
	}
	return in
}

func (f *fn) find(targs []types.Type) *inst {
next:
	for _, in := range f.insts {
		if len(in.targs) != len(targs) {
			continue
		}
		for i := range targs {
			if !types.Identical(in.targs[i], targs[i]) {
				continue next
			}
		}
		return in
	}
	return nil
}

// depthOf is the deepest nesting of type arguments.
func depthOf(ts []types.Type) int {
	d := 0
	for _, t := range ts {
		mentions(t, func(t types.Type) bool {
			if n, ok := t.(*types.Named); ok && n.TypeArgs().Len() > 0 {
				var as []types.Type
				for a := range n.TypeArgs().Types() {
					as = append(as, a)
				}
				d = max(d, 1+depthOf(as))
			}
			return false
		})
	}
	return d
}

// emitFunc writes a declared function.
func (l *Lowerer) emitFunc(in *inst) {
	f := in.fn
	old := l.curDesc
	l.curDesc = -1
	defer func() { l.curDesc = old }()
	if in := l.at; f.decl != nil && !l.srcs.has(f.obj.Pkg()) {
		l.at = f.decl.Type
		defer func() { l.at = in }()
	}
	if f.an == nil {
		f.an = analyseFunc(f.decl, f.info, l.pkg)
	}
	obj, _ := f.info.Defs[f.decl.Name].(*types.Func)
	if obj == nil {
		obj = f.obj
	}
	sig := obj.Type().(*types.Signature)
	b := &bindings{m: map[*types.TypeParam]types.Type{}, local: map[*types.Named]*types.Named{}}
	k := 0
	for tp := range sig.RecvTypeParams().TypeParams() {
		b.m[tp] = in.targs[k]
		k++
	}
	for tp := range sig.TypeParams().TypeParams() {
		b.m[tp] = in.targs[k]
		k++
	}
	e := l.newEmitter(f.info, f.an, b, in)
	text := e.function(in.name, userName(f.obj), f.decl, f.decl.Recv, f.decl.Type, sig, nil, f.decl.Body)
	l.out.decls.WriteString("func " + in.name + text + "\n")
}

// function writes parameters, results and body of a function or literal, without "func" and name.
func (e *emitter) function(lowered, name string, key ast.Node, recv *ast.FieldList, ft *ast.FuncType, sig, erased *types.Signature, body *ast.BlockStmt) string {
	oldFn, oldLoops := e.fn, e.loops
	e.fn, e.loops = &fnCtx{}, nil
	defer func() { e.fn, e.loops = oldFn, oldLoops }()
	e.trace(name, lowered)
	info := e.an.bodies[key]
	var ps, pre []string
	_, literal := key.(*ast.FuncLit) // yaegi calls literals by reflection, which passes everything
	param := func(id *ast.Ident, t types.Type) {
		p, init := e.param(id, t, !literal && e.signed(t))
		ps = append(ps, p)
		pre = append(pre, init)
	}
	if recv != nil {
		var id *ast.Ident
		if len(recv.List[0].Names) == 1 {
			id = recv.List[0].Names[0]
		}
		param(id, sig.Recv().Type())
	}
	ids := fieldIdents(ft.Params)
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if erased != nil && mentionsTP(erased.Params().At(i).Type()) {
			p, init := e.erasedParam(ids[i], erased.Params().At(i).Type(), t)
			ps, pre = append(ps, p), append(pre, init)
			continue
		}
		param(ids[i], t)
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		e.fn.results = append(e.fn.results, t)
		if erased == nil {
			e.fn.types = append(e.fn.types, e.typ(t))
			continue
		}
		p := erased.Results().At(i).Type()
		e.fn.types = append(e.fn.types, e.erased(p, t))
		e.fn.conv = append(e.fn.conv, func(s string) string { return e.toErased(s, p, t) })
	}
	head := "(" + strings.Join(ps, ", ") + ")" + resultText(e.fn.types) + " {\n" + strings.Join(pre, "")
	return head + e.functionBody(info, ft, body) + "}"
}

// param is the text of one parameter, and what to do with it first: put it behind a pointer if needed.
func (e *emitter) param(id *ast.Ident, t types.Type, signed bool) (text, init string) {
	tt := e.typ(t)
	v, _ := e.info.Defs[nonNil(id)].(*types.Var)
	if id == nil || v == nil {
		return e.tmp("u") + " " + tt, ""
	}
	n := e.declare(v)
	if !n.boxed {
		return e.passedText(n.name, tt, signed)
	}
	p := e.tmp("p")
	text, init = e.passedText(p, tt, signed)
	return text, init + n.name + " := new(" + tt + ")\n*" + n.name + " = " + p + "\n"
}

// erasedParam is a parameter that the library passes erased: declared type p, t in the cell.
func (e *emitter) erasedParam(id *ast.Ident, p, t types.Type) (text, init string) {
	pt := e.erased(p, t)
	v, _ := e.info.Defs[nonNil(id)].(*types.Var)
	n := e.tmp("x")
	if v == nil || v.Name() == "_" {
		return n + " " + pt, ""
	}
	tt := e.typ(t)
	if _, ok := types.Unalias(p).(*types.TypeParam); ok && pt == "any" && !isIface(e.sub(t)) && !e.opaque(t) && !e.an.boxed(v) && !isEmptyStruct(e.sub(t)) {
		d, ok := e.declare(v), e.tmp("ok")
		return n + " any", fmt.Sprintf("%s, %s := %s.(%s)\nif !%s { %s = rtǃ.Conv(%s, %s).(%s) }\n", d.name, ok, n, tt, ok, d.name, n, d.name, tt)
	}
	return n + " " + pt, e.bind(v, e.fromErased(n, p, t))
}

func nonNil(id *ast.Ident) *ast.Ident {
	if id == nil {
		return &ast.Ident{}
	}
	return id
}

func fieldIdents(l *ast.FieldList) []*ast.Ident {
	var r []*ast.Ident
	if l == nil {
		return nil
	}
	for _, f := range l.List {
		if len(f.Names) == 0 {
			r = append(r, nil)
		}
		r = append(r, f.Names...)
	}
	return r
}

// functionBody writes what is between the braces. Results live in boxes when a literal sets them: the body
// of a function with defer, or a loop over a function that returns from inside.
func (e *emitter) functionBody(info *bodyInfo, ft *ast.FuncType, body *ast.BlockStmt) string {
	var b strings.Builder
	if info.recovers {
		e.fn.recov = e.tmp("rec")
		b.WriteString(e.fn.recov + " := rtǃ.Take()\n")
		e.fn.synth = append(e.fn.synth, local{name: e.fn.recov, typ: "*rtǃ.Recoverer"})
	}
	rest := e.namedResults(info, ft)
	if info.defers {
		rest += e.deferBody(body)
	} else {
		rest += e.block(body.List)
		if len(e.fn.results) > 0 && len(e.fn.boxes) > 0 {
			rest += "return " + e.boxValues() + "\n"
		}
	}
	b.WriteString(begin(rest, info.dynamic || e.inst != nil && info.calls) + rest)
	return b.String()
}

func (e *emitter) boxValues() string {
	var r []string
	for _, x := range e.fn.boxes {
		r = append(r, "*"+x)
	}
	return strings.Join(r, ", ")
}

// namedResults declares named results, and the boxes of results that need them.
func (e *emitter) namedResults(info *bodyInfo, ft *ast.FuncType) string {
	box := info.defers || info.rangeFuncReturn
	if ft.Results == nil {
		return ""
	}
	var b strings.Builder
	for i, id := range fieldIdents(ft.Results) {
		t := e.fn.types[i]
		v, _ := e.info.Defs[nonNil(id)].(*types.Var)
		if id == nil {
			if box {
				n := e.tmp("res")
				b.WriteString(n + " := new(" + t + ")\n")
				e.fn.boxes = append(e.fn.boxes, n)
				e.fn.synth = append(e.fn.synth, local{name: n, typ: "*" + t})
			}
			continue
		}
		if v == nil { // blank
			v = types.NewVar(id.Pos(), e.l.pkg, "_", e.fn.results[i])
		}
		e.fn.named = append(e.fn.named, v)
		n := e.declare(v)
		if box {
			n.boxed = true
			e.fn.boxes = append(e.fn.boxes, n.name)
			e.fn.synth = append(e.fn.synth, local{name: n.name, typ: "*" + t})
		}
		if n.boxed {
			b.WriteString(n.name + " := new(" + t + ")\n")
		} else {
			b.WriteString("var " + n.name + " " + t + "\n")
		}
	}
	return b.String()
}

// deferBody runs the body inside rt.WithDefers.
func (e *emitter) deferBody(body *ast.BlockStmt) string {
	e.fn.defers = e.tmp("d")
	e.fn.inBody = true
	synth := e.fn.synth
	e.fn.synth = append(append([]local{}, synth...), local{name: e.fn.defers, typ: "*rtǃ.Defers"})
	caps := e.captures(synth, body)
	text := e.block(body.List)
	mk := e.maker("func("+e.fn.defers+" *rtǃ.Defers)", text, caps)
	e.fn.inBody = false
	r := "rtǃ.WithDefers(" + mk + ")\n"
	if len(e.fn.results) > 0 {
		r += "return " + e.boxValues() + "\n"
	}
	return r
}

// captures are the variables that a literal made of nodes needs: the user's and ours.
func (e *emitter) captures(synth []local, nodes ...ast.Node) []local {
	var r []local
	seen := map[string]bool{}
	for _, v := range e.free(nodes...) {
		n := *e.local[v]
		if n.boxed {
			n.typ = "*" + n.typ
		}
		if !seen[n.name] {
			seen[n.name] = true
			r = append(r, n)
		}
	}
	for _, s := range synth {
		if !seen[s.name] {
			seen[s.name] = true
			r = append(r, s)
		}
	}
	return r
}

// maker declares a function that takes captures and returns the literal head+body; the text calls it.
func (e *emitter) maker(head, body string, captures []local) string {
	mk := e.tmp("mk")
	return e.makerNamed(mk, head, body, captures)
}

func (e *emitter) makerNamed(mk, head, body string, captures []local) string {
	ps, take, as := e.taken(captures)
	fmt.Fprintf(&e.l.out.decls, "func %s(%s) %s {\n%sreturn %s {\n%s}\n}\n", mk, ps, funcType(head), take, head, begin(body, false)+body)
	return mk + "(" + as + ")"
}

// funcType is the type of a literal head such as func(a int) string.
func funcType(head string) string { return head }

func (e *emitter) funcLit(x *ast.FuncLit) string { return e.funcLitAs(x, nil) }

// funcLitAs writes a literal; erased, if not nil, is the declared type of the library's parameter it is for.
func (e *emitter) funcLitAs(x *ast.FuncLit, erased *types.Signature) string {
	sig := e.typeOf(x).Underlying().(*types.Signature)
	ft := e.typ(sig)
	if erased != nil {
		ft = "func" + e.erasedSig(erased, sig, nil)
	}
	mk := e.tmp("mk")
	outer := e.fn
	caps := e.captures(nil, x)
	text := e.function(mk, literalName(outer, e), x, nil, x.Type, sig, erased, x.Body)
	ps, take, as := e.taken(caps)
	fmt.Fprintf(&e.l.out.decls, "func %s(%s) %s { %sreturn func%s\n}\n", mk, ps, ft, take, text)
	return mk + "(" + as + ")"
}

// taken are the parameters of a maker for what its literal captures, what the maker must begin with, and the arguments.
func (e *emitter) taken(captures []local) (params, take, args string) {
	var ps, as []string
	for _, c := range captures {
		p, t := e.passedLocal(c)
		ps, as = append(ps, p), append(as, c.name)
		take += t
	}
	return strings.Join(ps, ", "), take, strings.Join(as, ", ")
}

// literalName is how messages call a literal inside fn.
func literalName(fn *fnCtx, e *emitter) string {
	if fn == nil || fn.top {
		return "func literal"
	}
	return "func literal in " + e.l.slots[fn.slot].name
}
