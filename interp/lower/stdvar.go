// Variables of the standard library. yaegi only reads them: what a cell assigns or takes the address of is reached through a
// pointer.

package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// pkgVar is a variable of a compiled package.
func (e *emitter) pkgVar(x ast.Expr, v *types.Var) string {
	full := fullName(v)
	if full == "flag.CommandLine" && e.l.stdVars[v] {
		return "(*rtǃ.FlagsVar())"
	}
	if r := replaced[full]; r != "" {
		return r
	}
	if isLibPkg(v.Pkg()) || !e.l.stdVars[v] {
		return e.l.alias(v.Pkg()) + "." + v.Name()
	}
	return "(*" + e.l.helper(e, "std "+full, v.Type(), func(n string) string {
		t := e.typ(v.Type())
		fmt.Fprintf(&e.l.out.inits, "%s = rtǃ.StdVar(%q, %q).(*%s)\n", n, v.Pkg().Path(), v.Name(), t)
		return "var " + n + " *" + t + "\n"
	}) + ")"
}

// noteStdVars finds the variables of the standard library that an assignment changes or whose address is taken. From then on
// the session reaches them through pointers.
func (l *Lowerer) noteStdVars(root ast.Node, info *types.Info) {
	note := func(x ast.Expr) {
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		if !ok {
			return
		}
		v, ok := info.Uses[sel.Sel].(*types.Var)
		if !ok || v.IsField() || v.Pkg() == nil || v.Pkg() == l.pkg || isLibPkg(v.Pkg()) {
			return
		}
		if full := fullName(v); owned[full] || types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			refuse(x.Pos(), "%s.%s belongs to the whole session and cannot be changed in a cell", v.Pkg().Name(), v.Name())
		}
		l.stdVars[v] = true
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				note(x)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		}
		return true
	})
}

// owned are the variables that the session itself uses.
var owned = map[string]bool{"os.Stdin": true, "os.Stdout": true, "os.Stderr": true}
