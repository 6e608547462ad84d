// Looking at a session: what is declared, of which type, with which members.

package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Lookup finds what a name means in the next cell; nil: nothing.
func (c *Checker) Lookup(name string) types.Object { return c.resolve(c.st, name) }

// Vars lists what the session declared, by name; then the predeclared env and ctx unless redeclared.
func (c *Checker) Vars() []Var {
	var list []Var
	for name, o := range c.st.objs {
		list = append(list, Var{Name: name, Kind: kindOf(o), Type: c.describe(o), Cell: c.st.cell[o], Obj: o})
	}
	for name, o := range c.base {
		if _, ok := o.(*types.Var); ok && o.Pkg() == c.pkg && c.st.objs[name] == nil {
			list = append(list, Var{Name: name, Kind: "var", Type: c.describe(o), Obj: o})
		}
	}
	slices.SortFunc(list, func(x, y Var) int { return strings.Compare(x.Name, y.Name) })
	return list
}

func kindOf(o types.Object) string {
	switch o := o.(type) {
	case *types.Var:
		if o.IsField() {
			return "field"
		}
		return "var"
	case *types.Const:
		return "const"
	case *types.TypeName:
		return "type"
	case *types.PkgName:
		return "import"
	case *types.Func:
		if o.Signature().Recv() != nil {
			return "method"
		}
	}
	return "func"
}

// describe is the type of an object as text.
func (c *Checker) describe(o types.Object) string {
	switch o := o.(type) {
	case *types.PkgName:
		return o.Imported().Path()
	case *types.TypeName:
		return c.underlying(o)
	case *types.Builtin:
		return ""
	case *types.Const:
		return c.TypeString(o.Type()) + " = " + o.Val().String()
	}
	return c.TypeString(o.Type())
}

// underlying is the definition of a type; what it keeps to itself is left out.
func (c *Checker) underlying(o *types.TypeName) string {
	switch u := o.Type().Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if !u.Field(i).Exported() && o.Pkg() != c.pkg {
				return "struct{…}"
			}
		}
	case *types.Interface:
		for i := range u.NumMethods() {
			if !u.Method(i).Exported() && o.Pkg() != c.pkg {
				return "interface{…}"
			}
		}
	}
	return c.TypeString(o.Type().Underlying())
}

// TypeOf is the type of an expression as the user would write it, without running it: the results in
// parentheses when there are several, the signature of a function or method, the definition of a type. The
// error is a *Error.
func (c *Checker) TypeOf(expr string) (string, error) {
	expr = strings.TrimSpace(expr)
	if o := c.resolve(c.st, expr); o != nil {
		if _, ok := o.(*types.Builtin); !ok {
			return c.declaration(o), nil
		}
	}
	if o := c.memberOf(expr); o != nil {
		return c.declaration(o), nil
	}
	if p := c.packageNamed(expr); p != nil {
		return "package " + p.Path(), nil
	}
	cell, err := c.Check("", 0, expr)
	defer c.rollback()
	if err != nil {
		return "", err
	}
	if len(cell.Subs) == 1 && len(cell.Subs[0].Items) == 1 {
		if x, ok := cell.Subs[0].Items[0].Stmt.(*ast.ExprStmt); ok {
			return c.results(cell.Info.Types[x.X].Type), nil
		}
	}
	return "", newSource(c.fset, "", 0, expr).errorAt(1, 1, len(expr)+1, "not an expression")
}

func (c *Checker) results(t types.Type) string {
	tup, ok := t.(*types.Tuple)
	if !ok {
		return c.TypeString(types.Default(t))
	}
	if tup.Len() == 0 {
		return "no value"
	}
	var parts []string
	for i := range tup.Len() {
		parts = append(parts, c.TypeString(tup.At(i).Type()))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// declaration is an object as it would be declared.
func (c *Checker) declaration(o types.Object) string {
	switch o := o.(type) {
	case *types.PkgName:
		return "package " + o.Imported().Path()
	case *types.TypeName:
		if _, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
			return "type " + c.TypeString(o.Type()) + " " + c.underlying(o)
		}
		return c.published.Replace(types.ObjectString(o, c.qualify))
	case *types.Func:
		return c.published.Replace(types.ObjectString(o, c.qualify))
	}
	return c.describe(o)
}

// memberOf finds x.Name for methods and functions that go/types refuses to take as values, because
// they are generic.
func (c *Checker) memberOf(expr string) types.Object {
	i := strings.LastIndex(expr, ".")
	if i < 0 || strings.ContainsAny(expr[i+1:], " ()[]{}\"`'") {
		return nil
	}
	name := expr[i+1:]
	if p := c.packageNamed(expr[:i]); p != nil {
		if o := p.Scope().Lookup(name); o != nil && o.Exported() {
			return o
		}
		return nil
	}
	if t, ok := c.object(expr[:i]).(*types.TypeName); ok {
		return method(types.NewPointer(t.Type()), c.pkg, name)
	}
	cell, err := c.Check("", 0, expr[:i])
	defer c.rollback()
	if err != nil || cell.Show == nil || len(cell.Show.Types) != 1 {
		return nil
	}
	return method(cell.Show.Types[0], c.pkg, name)
}

// method is the method name of t, as pkg sees it; nil: it has none.
func method(t types.Type, pkg *types.Package, name string) types.Object {
	if p, ok := t.(*types.Pointer); ok && types.IsInterface(p.Elem()) {
		t = p.Elem()
	}
	if o, _, _ := types.LookupFieldOrMethod(t, true, pkg, name); o != nil {
		if f, ok := o.(*types.Func); ok {
			return f
		}
	}
	return nil
}

// object is what a name, a package's name or the method of a type or value means; nil: expr is none of these.
func (c *Checker) object(expr string) types.Object {
	if o := c.resolve(c.st, expr); o != nil {
		return o
	}
	return c.memberOf(expr)
}

// DocKey is the name under which the documentation has what expr means in the next cell: DataStream.Map for ws.Map,
// math/rand for rand. It is empty where the session itself declared it, and for what means nothing.
func (c *Checker) DocKey(expr string) string {
	if o := c.object(expr); o != nil {
		return c.docKey(o)
	}
	if p := c.packageNamed(expr); p != nil {
		return p.Path()
	}
	return ""
}

// packageNamed is the package that name means in the next cell; nil: it means something else.
func (c *Checker) packageNamed(name string) *types.Package {
	if o := c.resolve(c.st, name); o != nil {
		if p, ok := o.(*types.PkgName); ok {
			return p.Imported()
		}
		return nil
	}
	for _, path := range c.imp.Named(name) {
		if c.Allow != nil && c.Allow(path) != nil {
			continue
		}
		if p, err := c.imp.Import(path); err == nil {
			return p
		}
	}
	return nil
}

// members lists the fields and methods that a value of type t has, promoted ones included, by name.
func (c *Checker) members(t types.Type) []types.Object {
	seen := map[string]bool{}
	var list []types.Object
	add := func(o types.Object) {
		if seen[o.Name()] || o.Name() == "_" || strings.Contains(o.Name(), "·") || !o.Exported() && o.Pkg() != c.pkg {
			return
		}
		seen[o.Name()] = true
		list = append(list, o)
	}
	recv := t
	if _, ok := types.Unalias(t).(*types.Pointer); !ok && !types.IsInterface(t) {
		recv = types.NewPointer(t)
	}
	c.fields(t, add, map[types.Type]bool{})
	ms := types.NewMethodSet(recv)
	for i := range ms.Len() {
		add(ms.At(i).Obj())
	}
	slices.SortFunc(list, func(x, y types.Object) int { return strings.Compare(x.Name(), y.Name()) })
	return list
}

// fields calls add for the fields of a struct, outer ones first.
func (c *Checker) fields(t types.Type, add func(types.Object), busy map[types.Type]bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || busy[t] {
		return
	}
	busy[t] = true
	for i := range st.NumFields() {
		add(st.Field(i))
	}
	for i := range st.NumFields() {
		if st.Field(i).Embedded() {
			c.fields(st.Field(i).Type(), add, busy)
		}
	}
}
