// The generic type sync/atomic.Pointer, which is a type of the runtime that holds an any.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// isAtomic reports whether t is an atomic.Pointer.
func isAtomic(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" && n.Obj().Name() == "Pointer"
}

// atomicMethod is a function that calls method f of an atomic.Pointer.
func (e *emitter) atomicMethod(f *types.Func) string {
	sig := e.sub(f.Type()).(*types.Signature)
	plain := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), false)
	return e.l.helper(e, "atomic "+f.Name(), plain, func(n string) string {
		ps, names := []string{"p *rtǃ.AtomicPointer"}, e.temps(plain.Params().Len(), "a")
		for i, a := range names {
			ps = append(ps, a+" "+e.typ(plain.Params().At(i).Type()))
		}
		call, result := "p."+f.Name()+"("+strings.Join(names, ", ")+")", ""
		if plain.Results().Len() > 0 {
			t := plain.Results().At(0).Type()
			result = e.typ(t)
			if isPointer(t) {
				call = e.unany(call, t)
			}
			call = "return " + call
		}
		return fmt.Sprintf("func %s(%s) %s { %s }\n", n, strings.Join(ps, ", "), result, call)
	})
}

// reflectTypeFor is reflect.TypeFor.
func (e *emitter) reflectTypeFor(x ast.Expr) string {
	f := e.info.Uses[identOf(x)]
	t := e.sub(e.info.Instances[identOf(x)].TypeArgs.At(0))
	if _, named := t.(*types.Named); e.l.needsBox(t) || isIface(t) && e.typ(t) == "any" && named {
		return "rtǃ.ReflectOf(" + e.desc(t) + ", new(" + e.typ(t) + "))"
	}
	return e.l.alias(f.Pkg()) + ".TypeOf(new(" + e.typ(t) + ")).Elem()"
}
