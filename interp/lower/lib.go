package lower

import (
	"go/ast"
	"go/types"
)

func valueStructs(name string) bool { return false }

func exportedHandle(n *types.Named) bool { return true }

func (e *emitter) erasedField(x *ast.SelectorExpr) bool { return false }

func (e *emitter) fromErasedField(x *ast.SelectorExpr, s string) string { return s }

func (e *emitter) libField(t types.Type, f *types.Var, s string, x ast.Expr) string { return s }

func (e *emitter) libMethodValue(x *ast.SelectorExpr, f *types.Func, sig *types.Signature) string {
	return e.fail(x, "not yet")
}

func (e *emitter) libFuncValue(x ast.Expr, f *types.Func) string { return e.fail(x, "not yet") }

func (e *emitter) libFuncCall(c *ast.CallExpr, f *types.Func, sig *types.Signature) string {
	return e.fail(c, "not yet")
}

func (e *emitter) libMethodCall(c *ast.CallExpr, sel *ast.SelectorExpr, f *types.Func, sig *types.Signature) string {
	return e.fail(c, "not yet")
}
