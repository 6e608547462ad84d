// Types of the library in their erased form, and conversions between those and the types of the cell.

package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"flinkish/interp/symbols/erase"
)

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
	if isIface(a) && e.typ(a) == "any" || e.opaque(a) {
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
	case *types.TypeParam:
		if isPointer(a) {
			return e.open(x, a)
		}
	case *types.Slice:
		if elem := a.Underlying().(*types.Slice).Elem(); isPointer(elem) && e.opaque(elem) {
			return "rtǃ.Opened(" + x + ", " + e.open("nil", elem) + ")"
		}
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
	// No function stays none, so that the library refuses it where it was given.
	fmt.Fprintf(&e.l.out.decls, "func %s(%s %s) %s { if %s == nil { return nil }; return func%s { %s } }\n", wf, f, in, out, f, head, body)
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
