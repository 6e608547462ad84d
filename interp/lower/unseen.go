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
		}
	}
}

// lookedInto are the arguments of a call of a compiled function that looks for the types or methods of those that are an any.
func (e *emitter) lookedInto(c *ast.CallExpr, f *types.Func, sig *types.Signature) (args []string, ok bool) {
	pkg := f.Pkg().Path()
	if rt.Sees[pkg] || len(c.Args) == 0 {
		return nil, false
	}
	if _, spread := e.typeOf(c.Args[0]).(*types.Tuple); spread {
		return nil, false
	}
	one, each := "rtǃ.Native("+quote(f.Pkg().Name()+"."+f.Name())+", ", "rtǃ.NativeEach("+quote(f.Pkg().Name()+"."+f.Name())+", "
	if pkg == "log/slog" {
		one, each = "rtǃ.LogArg(", "rtǃ.LogArgs("
	}
	args = e.args(c, sig, false)
	for i := range args {
		last := sig.Variadic() && i >= sig.Params().Len()-1
		t := sig.Params().At(min(i, sig.Params().Len()-1)).Type()
		if last {
			t = t.(*types.Slice).Elem()
		}
		switch {
		case !isAny(t):
		case last && c.Ellipsis.IsValid():
			args[i] = each + strings.TrimSuffix(args[i], "...") + ")..."
			ok = true
		default:
			args[i] = one + args[i] + ")"
			ok = true
		}
	}
	return args, ok
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
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
