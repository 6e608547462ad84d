// Imports: those that a cell states, and those that it forgot.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// importDecl declares the packages of an import declaration.
func (a *attempt) importDecl(g *ast.GenDecl) *Error {
	for _, sp := range g.Specs {
		is, ok := sp.(*ast.ImportSpec)
		if !ok {
			continue
		}
		path, err := strconv.Unquote(is.Path.Value)
		if err != nil {
			return a.s.errorPos(is.Path.Pos(), is.Path.End(), "invalid import path "+is.Path.Value)
		}
		pkg, err := a.importPath(path)
		if err != nil {
			return a.importError(is.Path, path, err)
		}
		name := pkg.Name()
		if is.Name != nil {
			name = is.Name.Name
		}
		switch name {
		case "_":
		case ".":
			a.dotImport(pkg)
		default:
			if e := a.importedTwice(name, pkg, is); e != nil {
				return e
			}
			a.imported = append(a.imported, types.NewPkgName(is.Pos(), a.c.pkg, name, pkg))
		}
	}
	return nil
}

// importError is the error at an import, with the path that may have been meant.
func (a *attempt) importError(at *ast.BasicLit, path string, err error) *Error {
	e := a.s.errorPos(at.Pos(), at.End(), err.Error())
	if a.c.Allow != nil && a.c.Allow(path) != nil {
		e.Kind = Unsupported
		return e
	}
	var paths []string
	for _, n := range a.c.imp.Names() {
		paths = append(paths, a.c.imp.Named(n)...)
	}
	e.Hint = "a session has dataflow and packages of the standard library"
	if near := nearest(path, paths); near != "" && !strings.ContainsAny(path, "./") {
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// importPath loads a package; "dataflow" is short for the library.
func (a *attempt) importPath(path string) (*types.Package, error) {
	if path == "dataflow" {
		path = library
	}
	if a.c.Allow != nil {
		if err := a.c.Allow(path); err != nil {
			return nil, err
		}
	}
	return a.c.imp.Import(path)
}

// dotImport declares the names of a package in the session. The library's are declared anyway.
func (a *attempt) dotImport(pkg *types.Package) {
	if pkg == a.c.lib {
		return
	}
	for _, n := range pkg.Scope().Names() {
		if o := pkg.Scope().Lookup(n); o.Exported() {
			a.dots = append(a.dots, o)
		}
	}
}

// implicitImports declares the packages that selectors such as strings.Fields name, unless the name
// means something already.
func (a *attempt) implicitImports() {
	a.implicit = nil
	taken := map[string]bool{}
	for _, it := range a.items {
		for _, n := range declares(it) {
			taken[n] = true
		}
	}
	uses := map[string][]string{} // package name -> members
	var names []string
	ast.Inspect(a.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && !taken[id.Name] && a.scope.Lookup(id.Name) == nil {
			if uses[id.Name] == nil {
				names = append(names, id.Name)
			}
			uses[id.Name] = append(uses[id.Name], sel.Sel.Name)
		}
		return true
	})
	for _, n := range names {
		if a.c.base[n] != nil {
			continue
		}
		if pkg := a.choosePackage(n, uses[n]); pkg != nil {
			p := types.NewPkgName(token.NoPos, a.c.pkg, n, pkg)
			a.implicit = append(a.implicit, p)
			a.scope.Insert(p)
		}
	}
}

// choosePackage finds the package called name that has the members: rand.IntN is in math/rand/v2 only.
func (a *attempt) choosePackage(name string, members []string) *types.Package {
	var first *types.Package
	for _, path := range a.c.imp.Named(name) {
		pkg, err := a.importPath(path)
		if err != nil {
			continue
		}
		if first == nil {
			first = pkg
		}
		if !slices.ContainsFunc(members, func(m string) bool { return pkg.Scope().Lookup(m) == nil }) {
			return pkg
		}
	}
	return first
}

// usedPackages lists the packages that the attempt's file mentions, by path.
func (a *attempt) usedPackages() []*types.Package {
	seen := map[*types.Package]bool{}
	var list []*types.Package
	for _, o := range a.info.Uses {
		p, ok := o.(*types.PkgName)
		if ok && !seen[p.Imported()] {
			seen[p.Imported()] = true
			list = append(list, p.Imported())
		}
	}
	slices.SortFunc(list, func(x, y *types.Package) int {
		if x.Path() < y.Path() {
			return -1
		}
		return 1
	})
	return list
}
