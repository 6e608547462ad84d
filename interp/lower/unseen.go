// Methods that compiled code would look for in a value of the cells, and cannot see: such a call is refused, for it
// would do something else than Go.

package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"flinkish/interp/rt"
)

// unseen refuses call c of the function or method full when it depends on such a method of an argument.
func (e *emitter) unseen(c *ast.CallExpr, full string) {
	for _, a := range c.Args {
		t := e.typeOf(a)
		switch {
		case t == nil:
		case strings.HasPrefix(full, "text/template.Execute"), strings.HasPrefix(full, "html/template.Execute"):
			if n := e.printsItself(t, map[types.Type]bool{}); n != nil {
				e.fail(a, "a template does not print %s by its method: give it the text, in a map or a struct of what it shows", rt.TypeString(n))
			}
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

// printsItself is a type of the cells that prints itself and that a value of t may lead to; nil: there is none.
func (e *emitter) printsItself(t types.Type, seen map[types.Type]bool) *types.Named {
	t = e.sub(t)
	if seen[t] {
		return nil
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok {
		if e.l.isUser(n) == nil || isIface(n) {
			return nil
		}
		for m := range n.Methods() {
			switch m.Name() { // a template that calls another one fails by itself
			case "String", "Error", "Format":
				return n
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if n := e.printsItself(f.Type(), seen); n != nil {
				return n
			}
		}
	case *types.Map:
		if n := e.printsItself(u.Key(), seen); n != nil {
			return n
		}
		return e.printsItself(u.Elem(), seen)
	case interface{ Elem() types.Type }:
		return e.printsItself(u.Elem(), seen)
	}
	return nil
}
