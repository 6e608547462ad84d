// Descriptors: how the user's types reach the runtime.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/check"
)

// desc is the text of t's descriptor. Making it emits the methods and the descriptors of the parts, so that
// printing finds them.
func (e *emitter) desc(t types.Type) string {
	t = e.sub(t)
	n, isNew := e.l.reg.Of(t)
	if isNew {
		e.descMethods(t, n)
		e.descInside(t)
	}
	e.l.out.descs[n] = true
	return fmt.Sprintf("rtǃ.D%d", n)
}

// descParts makes the descriptors of the types inside t that have methods.
func (e *emitter) descParts(t types.Type) {
	t = e.sub(t)
	if isIface(t) {
		return
	}
	if n, ok := t.(*types.Named); ok {
		if e.l.isUser(n) == nil {
			return
		}
		if e.reg(n) {
			return
		}
	}
	e.descInside(t)
}

// descInside makes the descriptors of the types that t is made of.
func (e *emitter) descInside(t types.Type) {
	if n, ok := t.(*types.Named); ok && e.l.isUser(n) == nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			e.descParts(f.Type())
		}
	case *types.Map:
		e.descParts(u.Key())
		e.descParts(u.Elem())
	case *types.Pointer:
		if n := e.l.isUser(e.sub(u.Elem())); n != nil && n.NumMethods() > 0 {
			if _, isNew := e.l.reg.Of(t); isNew {
				i, _ := e.l.reg.Of(t)
				e.descMethods(t, i)
				e.descParts(u.Elem())
			}
			return
		}
		e.descParts(u.Elem())
	case *types.Signature: // what a template does with the results
		for v := range u.Results().Variables() {
			e.descParts(v.Type())
		}
	case *types.Slice, *types.Array:
		e.descParts(u.(interface{ Elem() types.Type }).Elem())
	}
}

// reg makes the descriptor of a part, and reports whether it was there already.
func (e *emitter) reg(n *types.Named) bool {
	i, isNew := e.l.reg.Of(n)
	if isNew {
		e.descMethods(n, i)
	}
	// The value may have been boxed before, without its pointer.
	if p := types.NewPointer(n); types.NewMethodSet(p).Len() > 0 {
		if j, isNew := e.l.reg.Of(p); isNew {
			e.descMethods(p, j)
		}
	}
	return !isNew
}

// descMethods gives descriptor n the methods of t: func(recv any, args...) results.
func (e *emitter) descMethods(t types.Type, n int) {
	if isIface(t) || isLib(t) != nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok && (isLib(p.Elem()) != nil || isValueOf(p.Elem())) || isValueOf(t) {
		return
	}
	old := e.l.curDesc
	e.l.curDesc = n
	defer func() { e.l.curDesc = old }()
	ms := types.NewMethodSet(t)
	for i := range ms.Len() {
		f, ok := ms.At(i).Obj().(*types.Func)
		if !ok || check.Gone(f) || f.Type().(*types.Signature).TypeParams().Len() > 0 {
			continue
		}
		if !f.Exported() && f.Pkg() != e.l.pkg || !e.l.reachable(f.Signature()) {
			continue
		}
		e.descMethod(t, n, f)
	}
}

func (e *emitter) descMethod(t types.Type, n int, f *types.Func) {
	e2 := &emitter{l: e.l, info: e.info, an: newAnalysis(e.info, e.l.pkg), local: map[*types.Var]*local{}, fn: &fnCtx{}}
	sig := f.Type().(*types.Signature)
	names := e2.temps(sig.Params().Len(), "a")
	ps, ts := []string{"r any"}, []string{"any"}
	for i, a := range names {
		pt := e2.typ(sig.Params().At(i).Type())
		ps, ts = append(ps, a+" "+pt), append(ts, pt)
	}
	var rs []string
	for v := range sig.Results().Variables() {
		rs = append(rs, e2.typ(v.Type()))
	}
	v := e2.tmp("v")
	c := e2.method(&ast.Ident{}, v, t, f.Name(), e.l.pkgOf(f), nil)
	dm := e2.tmp("dm")
	res := resultText(rs)
	fmt.Fprintf(&e.l.out.decls, "func %s() func(%s)%s { return func(%s)%s { %s := %s; %s%s } }\n",
		dm, strings.Join(ts, ", "), res, strings.Join(ps, ", "), res, v, e2.boxedValue("r", t), returns(sig), e2.invokeValue(&ast.Ident{}, c, names, sig))
	fmt.Fprintf(&e.l.out.inits, "rtǃ.SetMethod(rtǃ.D%d, %q, %s())\n", n, f.Name(), dm)
	e.l.out.descs[n] = true
}
