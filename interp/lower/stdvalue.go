// Functions and methods of the standard library as values: a function around the call that a cell would write, so that
// arguments which are an any are passed on as in such a call.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// compiledFunc is a compiled function used as a value.
func (e *emitter) compiledFunc(x ast.Expr, f *types.Func) string {
	if isLibPkg(f.Pkg()) {
		return e.libFuncValue(x, f)
	}
	sig := e.typeOf(x).Underlying().(*types.Signature)
	names := e.temps(sig.Params().Len(), "a")
	call := e.stdCall(e.callOf(x, names, sig), f, sig)
	if t := e.target(x, f); call == t+"("+strings.Join(names, ", ")+")" && !strings.HasPrefix(t, "rtǃ.") {
		return t
	}
	mk := e.tmp("fv")
	fmt.Fprintf(&e.l.out.decls, "func %s() %s { return func%s { %s%s } }\n", mk, e.typ(sig), e.sig(sig, names), returns(sig), call)
	return mk + "()"
}

// invokeValue calls a resolved method, which x selects, with parameters of these names.
func (e *emitter) invokeValue(x ast.Expr, c callee, names []string, sig *types.Signature) string {
	if c.recv == "" {
		if special, ok := e.stdMethod(e.callOf(x, names, sig), c, sig); ok {
			return special
		}
	}
	return e.invoke(c, names, sig)
}

// callOf is the call of x with parameters of these names, as if the cell had it.
func (e *emitter) callOf(x ast.Expr, names []string, sig *types.Signature) *ast.CallExpr {
	c := &ast.CallExpr{Fun: x, Lparen: x.End(), Rparen: x.End()}
	for i, name := range names {
		v := sig.Params().At(i)
		arg := types.NewVar(x.Pos(), e.l.pkg, name, v.Type())
		id := &ast.Ident{NamePos: x.Pos(), Name: name}
		e.info.Uses[id] = arg
		e.info.Types[id] = types.TypeAndValue{Type: v.Type()}
		e.local[arg] = &local{name: name, typ: e.typ(v.Type())}
		c.Args = append(c.Args, id)
	}
	if sig.Variadic() {
		c.Ellipsis = max(x.End(), 1) // any place: that of a descriptor has none
	}
	return c
}
