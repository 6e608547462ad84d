// Snippets: the head of the function literal that a call takes, with the element type filled in.

package check

import (
	"go/ast"
	"go/types"
	"strings"
)

// literal is how a function literal of type sig begins: up to the first type that nobody knows yet, else up to its
// first statement.
func (c *Checker) literal(sig *types.Signature) string {
	var b strings.Builder
	b.WriteString("func(")
	taken := map[string]bool{}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(paramName(p, taken) + " ")
		t := c.TypeString(p.Type())
		if open(p.Type()) {
			known, _, _ := strings.Cut(t, "[")
			if known == t { // the whole type is open
				known = ""
			} else {
				known += "["
			}
			return b.String() + known
		}
		b.WriteString(t)
	}
	b.WriteString(") ")
	switch res := sig.Results(); {
	case res.Len() == 0:
		b.WriteString("{ ")
	case res.Len() == 1 && !open(res.At(0).Type()):
		b.WriteString(c.TypeString(res.At(0).Type()) + " { return ")
	case res.Len() > 1 && !open(res):
		b.WriteString(c.results(res) + " { return ")
	}
	return b.String()
}

// paramName is the declared name, or one made of the type; never one twice.
func paramName(p *types.Var, taken map[string]bool) string {
	name := p.Name()
	if name == "" || name == "_" {
		name = nameOf(p.Type())
	}
	for taken[name] {
		name += "2"
	}
	taken[name] = true
	return name
}

func nameOf(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return nameOf(t.Elem())
	case *types.Slice:
		return nameOf(t.Elem()) + "s"
	case *types.Named:
		if t.Obj().Name() == "Collector" {
			return "out"
		}
		return strings.ToLower(t.Obj().Name()[:1])
	case *types.Basic:
		switch {
		case t.Info()&types.IsString != 0:
			return "s"
		case t.Info()&types.IsInteger != 0:
			return "n"
		}
	}
	return "x"
}

// open reports whether t mentions a type parameter.
func open(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if open(t.TypeArgs().At(i)) {
				return true
			}
		}
	case *types.Pointer:
		return open(t.Elem())
	case *types.Slice:
		return open(t.Elem())
	case *types.Array:
		return open(t.Elem())
	case *types.Chan:
		return open(t.Elem())
	case *types.Map:
		return open(t.Key()) || open(t.Elem())
	case *types.Signature:
		return open(t.Params()) || open(t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			if open(t.At(i).Type()) {
				return true
			}
		}
	}
	return false
}

// snippet is name, its bracket and the literal that its first parameter wants; empty: it wants none.
func (c *Checker) snippet(o types.Object) string {
	sig, ok := o.Type().(*types.Signature)
	if _, isType := o.(*types.TypeName); isType || !ok || sig.Params().Len() == 0 {
		return ""
	}
	f, ok := sig.Params().At(0).Type().(*types.Signature)
	if !ok {
		return ""
	}
	return o.Name() + "(" + c.literal(f)
}

// literalCandidates is the function literal for the argument at[0] of the call at[1]; nothing if it takes none.
func (a *attempt) literalCandidates(arg ast.Node, call *ast.CallExpr) []Candidate {
	fun := ast.Unparen(call.Fun)
	var sig *types.Signature
	switch x := fun.(type) {
	case *ast.SelectorExpr:
		if f := a.info.Uses[x.Sel]; f != nil {
			sig, _ = f.Type().(*types.Signature)
		}
	case *ast.Ident:
		if f := a.info.Uses[x]; f != nil {
			sig, _ = f.Type().(*types.Signature)
		}
	}
	for i, x := range call.Args {
		if x != arg || sig == nil || i >= sig.Params().Len() {
			continue
		}
		if f, ok := sig.Params().At(i).Type().(*types.Signature); ok {
			return []Candidate{{Text: a.c.literal(f), Kind: "snippet", Detail: a.c.TypeString(f)}}
		}
	}
	return nil
}

// docKey is the name under which documentation has o: Print, DataStream.Map, strings.Fields, math/rand.Rand.Intn.
func (c *Checker) docKey(o types.Object) string {
	if pkg, ok := o.(*types.PkgName); ok {
		return pkg.Imported().Path()
	}
	p := o.Pkg()
	if v, ok := o.(*types.Var); p == nil || p == c.pkg || ok && v.IsField() {
		return ""
	}
	name := methodName(o)
	if p == c.lib || internal(p) {
		return name
	}
	return p.Path() + "." + name
}

// comment is the first sentence of the comment at a declaration of the session.
func (c *Checker) comment(o types.Object) string {
	if o.Pkg() != c.pkg {
		return ""
	}
	return c.Comment(methodName(o))
}

// methodName is the name of an object, of a method with that of its type before it.
func methodName(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return o.Name()
	}
	t := types.Unalias(f.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name() + "." + o.Name()
	}
	return o.Name()
}
