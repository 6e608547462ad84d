// Programs: a file with a package clause is one block, where Go allows a name to be declared once. In other cells a
// later declaration takes the place of an earlier one.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// redeclared is the error of a program that declares a name twice; nil: it does not.
func (s *source) redeclared(items []*Item) (err *Error) {
	seen := map[string]*ast.Ident{}
	for _, it := range items {
		eachDeclared(it, func(name string, id *ast.Ident) {
			switch first := seen[name]; {
			case first == nil || id.Name == "_":
				seen[name] = id
			case err == nil:
				err = s.errorPos(id.Pos(), id.End(), alreadyDeclared(name, s.fset.Position(first.Pos())))
			}
		})
	}
	return err
}

func alreadyDeclared(name string, at token.Position) string {
	if strings.Contains(name, ".") {
		return fmt.Sprintf("method %s already declared at %d:%d", name, at.Line, at.Column)
	}
	return name + " redeclared in this block" + otherDeclaration(at)
}

func otherDeclaration(at token.Position) string {
	return fmt.Sprintf(" (other declaration at %d:%d)", at.Line, at.Column)
}

// importedTwice is the error of an import under a name that another import of the items has, unless it is the same once more.
func (a *attempt) importedTwice(name string, pkg *types.Package, at ast.Node) *Error {
	for _, p := range a.imported {
		if p.Name() == name && p.Imported() != pkg {
			return a.s.errorPos(at.Pos(), at.End(), alreadyDeclared(name, a.s.fset.Position(p.Pos())))
		}
	}
	return nil
}

// importedToo is the error of a program that declares a name which an import has.
func (a *attempt) importedToo() (err *Error) {
	if !a.program {
		return nil
	}
	through := map[string]string{}
	for _, o := range a.dots {
		through[o.Name()] = fmt.Sprintf("dot-import of package %s (%q)", o.Pkg().Name(), o.Pkg().Path())
	}
	for _, p := range a.imported {
		through[p.Name()] = fmt.Sprintf("import of package %s (%q)", p.Imported().Name(), p.Imported().Path())
	}
	for _, it := range a.items {
		eachDeclared(it, func(name string, id *ast.Ident) {
			if how := through[name]; how != "" && err == nil {
				err = a.s.errorPos(id.Pos(), id.End(), name+" already declared through "+how)
			}
		})
	}
	return err
}
