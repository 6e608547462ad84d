// What a literal takes from outside.

package lower

import (
	"go/ast"
	"go/types"
)

// free lists the local variables that a literal uses and does not declare itself, in order of first use.
func (e *emitter) free(nodes ...ast.Node) []*types.Var {
	var r []*types.Var
	seen := map[*types.Var]bool{}
	for _, n := range nodes {
		if n == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := e.info.Uses[id].(*types.Var)
			if !ok {
				if v, ok = e.info.Defs[id].(*types.Var); ok {
					seen[v] = true
				}
				return true
			}
			if seen[v] || v.IsField() || e.local[v] == nil {
				return true
			}
			seen[v] = true
			r = append(r, v)
			return true
		})
	}
	return r
}
