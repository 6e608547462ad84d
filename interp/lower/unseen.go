// Methods that compiled code would look for in a value of the cells: the runtime is told of them, or the call is
// refused, for it would do something else than Go.

package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/rt"
)

// unseen makes the methods of the arguments known that call c of the function or method full depends on, or refuses it.
func (e *emitter) unseen(c *ast.CallExpr, full string) {
	for _, a := range c.Args {
		t := e.typeOf(a)
		switch {
		case t == nil:
		case strings.HasPrefix(full, "text/template.Execute"), strings.HasPrefix(full, "html/template.Execute"):
			e.templateParts(t, map[types.Type]bool{})
		case strings.HasPrefix(full, "log/slog."):
			if e.l.needsBox(t) && hasMethod(t, "LogValue", e.l.pkg) {
				e.fail(a, "slog does not see method LogValue of %s: give it x.LogValue()", rt.TypeString(t))
			}
		}
	}
}

func hasMethod(t types.Type, name string, pkg *types.Package) bool {
	o, _, _ := types.LookupFieldOrMethod(t, false, pkg, name)
	_, ok := o.(*types.Func)
	return ok
}

// templateParts makes the descriptors of the types that a template may reach from a value of type t: those of its
// parts, and of what its methods give.
func (e *emitter) templateParts(t types.Type, seen map[types.Type]bool) {
	t = e.sub(t)
	if seen[t] {
		return
	}
	seen[t] = true
	e.descParts(t)
	if n, ok := t.(*types.Named); ok {
		if e.l.isUser(n) == nil {
			return
		}
		for s := range types.NewMethodSet(types.NewPointer(n)).Methods() {
			if f, ok := s.Obj().(*types.Func); ok && f.Exported() && f.Signature().Results().Len() > 0 {
				e.templateParts(f.Signature().Results().At(0).Type(), seen)
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			e.templateParts(f.Type(), seen)
		}
	case *types.Map:
		e.templateParts(u.Key(), seen)
		e.templateParts(u.Elem(), seen)
	case interface{ Elem() types.Type }:
		e.templateParts(u.Elem(), seen)
	}
}
