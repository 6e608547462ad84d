// Functions as values, and instances of generic ones.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// funcIdent is a function used as a value.
func (e *emitter) funcIdent(x *ast.Ident, f *types.Func) string {
	if name, ok := e.instantiated(x); ok {
		return e.funcValue(name, e.typeOf(x))
	}
	if e.l.funcs[f.Origin()] != nil {
		return e.funcValue(e.l.instance(e.inst, f.Origin(), nil).name, e.typeOf(x))
	}
	return e.compiledFunc(x, f)
}

// funcValue makes a real function of a lowered one: yaegi's own function values do not survive in an
// interface.
func (e *emitter) funcValue(name string, t types.Type) string {
	sig := t.Underlying().(*types.Signature)
	names := e.temps(sig.Params().Len(), "a")
	mk := e.tmp("fv")
	fmt.Fprintf(&e.l.out.decls, "func %s() %s { return func%s { %s%s(%s) } }\n", mk, e.typ(sig), e.sig(sig, names), returns(sig), name, strings.Join(names, ", "))
	return mk + "()"
}

func returns(sig *types.Signature) string {
	if sig.Results().Len() > 0 {
		return "return "
	}
	return ""
}

// instantiated is the lowered name of a generic function of ours that x instantiates.
func (e *emitter) instantiated(x ast.Expr) (string, bool) {
	id := identOf(x)
	if id == nil {
		return "", false
	}
	in, ok := e.info.Instances[id]
	if !ok {
		return "", false
	}
	f, ok := e.info.Uses[id].(*types.Func)
	if !ok {
		return "", false
	}
	if e.l.funcs[f.Origin()] == nil {
		src := e.l.stdSource(f)
		if src == nil {
			return "", false
		}
		f = src
	}
	var ts []types.Type
	for t := range in.TypeArgs.Types() {
		ts = append(ts, e.sub(t))
	}
	return e.l.instance(e.inst, f.Origin(), ts).name, true
}

func identOf(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return identOf(x.X)
	case *ast.IndexListExpr:
		return identOf(x.X)
	}
	return nil
}
