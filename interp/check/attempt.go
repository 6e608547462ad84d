// An attempt: one go/types run over some items of a cell.

package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// bodyName is the function that holds the statements of a cell. The dot is no letter of Go, so users
// cannot write such names.
const bodyName = "cell·body"

// attempt checks items together. When two of them cannot be checked together it is abandoned, and
// fewer items are tried.
type attempt struct {
	c       *Checker
	s       *source
	st      *state // of the cell, with the sub-cells before this one
	items   []*Item
	program bool
	number  int // of the cell

	info     *types.Info
	scope    *types.Scope // what the items see from outside
	file     *ast.File
	body     *ast.BlockStmt
	exprs    map[token.Pos]bool // where the expression statements of the cell begin
	errs     []types.Error
	renamed  []*rename
	late     []*lateMethod
	kept     map[*ast.Ident]*types.TypeName // types declared again as they were
	implicit []*types.PkgName
	imported []*types.PkgName
	dots     []types.Object // of dot-imports
	undo     []func()
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
	}
}

// run builds the file and checks it. Its error is one that go/types does not report.
func (a *attempt) run() *Error {
	a.scope = types.NewScope(types.Universe, token.NoPos, token.NoPos, "session")
	a.kept = a.keptTypes()
	a.rename()
	defer a.restore()
	if e := a.build(); e != nil {
		return e
	}
	if e := a.importedToo(); e != nil {
		return e
	}
	a.fillScope()
	if len(a.late) > 0 {
		if e := a.addMethods(); e != nil {
			return e
		}
	}
	a.info = newInfo()
	a.errs = nil
	a.typeCheck(a.info, a.file, false)
	return nil
}

// cellPackage is how the package is called while a cell that is no program is checked.
const cellPackage = "cell"

// typeCheck runs go/types over f in a fresh package scope. One *types.Package serves the whole session
// because go/types compares packages by pointer.
func (a *attempt) typeCheck(info *types.Info, f *ast.File, headers bool) {
	*a.c.pkg.Scope() = *types.NewScope(a.scope, token.NoPos, token.NoPos, "package main")
	if !a.program { // the statements of a cell may call a variable main
		a.c.pkg.SetName(cellPackage)
		defer a.c.pkg.SetName("main")
		f.Name = ast.NewIdent(cellPackage)
	}
	conf := types.Config{Importer: a.c.imp, GoVersion: "go1.27", DisableUnusedImportCheck: true, IgnoreFuncBodies: headers, Error: a.report}
	// The error is the first of those that report gets.
	_ = types.NewChecker(&conf, a.c.fset, a.c.pkg, info).Files([]*ast.File{f})
}

// report keeps the errors that count in a session: unused names and values do not, and at the top level
// a variable may mention itself through a function.
func (a *attempt) report(err error) {
	var te types.Error
	if !errors.As(err, &te) {
		return
	}
	switch {
	case strings.HasPrefix(te.Msg, "\t"):
		a.otherPlace(te)
		return
	case strings.HasPrefix(te.Msg, "declared and not used"):
		return
	case strings.HasPrefix(te.Msg, "initialization cycle") && !a.program:
		return
	case a.exprs[te.Pos] && strings.HasSuffix(te.Msg, "is not used"):
		return
	}
	a.errs = append(a.errs, te)
}

// otherPlace adds the place of the other declaration, which go/types reports after a redeclaration.
func (a *attempt) otherPlace(te types.Error) {
	if len(a.errs) == 0 || !strings.HasPrefix(te.Msg, "\tother declaration of ") {
		return
	}
	last := &a.errs[len(a.errs)-1]
	if p := a.s.fset.Position(te.Pos); p.Filename == a.s.file && strings.HasSuffix(last.Msg, " redeclared in this block") {
		last.Msg += otherDeclaration(p)
	}
}

// build makes the file that go/types sees: declarations as they are, variables as package variables,
// and the other statements in one function.
func (a *attempt) build() *Error {
	a.file = &ast.File{Name: ast.NewIdent("main")}
	a.body = &ast.BlockStmt{}
	a.exprs = map[token.Pos]bool{}
	a.late, a.imported, a.dots = nil, nil, nil
	local := localTypes(a.items, a.kept)
	for _, it := range a.items {
		switch it.Kind {
		case ImportItem:
			if e := a.importDecl(it.Decl.(*ast.GenDecl)); e != nil {
				return e
			}
		case TypeItem:
			a.addType(it.Decl.(*ast.GenDecl))
		case ConstItem:
			a.file.Decls = append(a.file.Decls, it.Decl)
		case FuncItem:
			fd := it.Decl.(*ast.FuncDecl)
			if m := a.lateMethod(it, fd, local); m != nil {
				a.late = append(a.late, m)
				fd = m.asFunc
			}
			a.file.Decls = append(a.file.Decls, fd)
		case VarItem:
			a.file.Decls = append(a.file.Decls, &ast.GenDecl{TokPos: it.Spec.Pos(), Tok: token.VAR, Specs: []ast.Spec{it.Spec}})
		case StmtItem:
			if x, ok := it.Stmt.(*ast.ExprStmt); ok {
				a.exprs[x.X.Pos()] = true
			}
			a.body.List = append(a.body.List, it.Stmt)
		}
	}
	if n := len(a.body.List); n > 0 {
		a.body.Lbrace, a.body.Rbrace = a.body.List[0].Pos(), a.body.List[n-1].End()
		pos := a.body.Lbrace
		typ := &ast.FuncType{Func: pos, Params: &ast.FieldList{Opening: pos, Closing: pos}}
		a.file.Decls = append(a.file.Decls, &ast.FuncDecl{Name: &ast.Ident{NamePos: pos, Name: bodyName}, Type: typ, Body: a.body})
	}
	return nil
}

// addType leaves out the specs that are kept from an earlier cell.
func (a *attempt) addType(g *ast.GenDecl) {
	specs := make([]ast.Spec, 0, len(g.Specs))
	for _, sp := range g.Specs {
		if a.kept[sp.(*ast.TypeSpec).Name] == nil {
			specs = append(specs, sp)
		}
	}
	if len(specs) > 0 {
		a.file.Decls = append(a.file.Decls, &ast.GenDecl{TokPos: g.TokPos, Tok: g.Tok, Lparen: g.Lparen, Rparen: g.Rparen, Specs: specs})
	}
}

// fillScope declares what the items see: the session first, then imports made on first use, then
// the predeclared names.
func (a *attempt) fillScope() {
	for _, n := range a.imported {
		a.scope.Insert(n)
	}
	for _, o := range a.dots {
		a.scope.Insert(o)
	}
	for _, o := range a.st.objs {
		a.scope.Insert(o)
	}
	a.implicitImports()
	for _, o := range a.c.base {
		a.scope.Insert(o)
	}
}

// localTypes are the names of the types that items declare and that are not kept.
func localTypes(items []*Item, kept map[*ast.Ident]*types.TypeName) map[string]bool {
	names := map[string]bool{}
	for _, it := range items {
		if it.Kind != TypeItem {
			continue
		}
		for _, sp := range it.Decl.(*ast.GenDecl).Specs {
			if id := sp.(*ast.TypeSpec).Name; kept[id] == nil {
				names[id.Name] = true
			}
		}
	}
	return names
}

// abandon forgets the attempt.
func (a *attempt) abandon() {
	for _, f := range slices.Backward(a.undo) {
		f()
	}
	a.undo = nil
}

// firstError is the error of the attempt that comes first in the cell; nil: there is none.
func (a *attempt) firstError() *Error {
	if len(a.errs) == 0 {
		return a.untyped()
	}
	a.abandonLater()
	list := make([]*Error, len(a.errs))
	for i, te := range a.errs {
		list[i] = a.typeError(te)
	}
	first := slices.MinFunc(list, func(x, y *Error) int {
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Col - y.Col
	})
	first.More = len(list) - 1
	return first
}

// abandonLater leaves it to the Checker's rollback to take the attempt back: hints still look at it.
func (a *attempt) abandonLater() {
	a.c.undo = append(a.c.undo, a.undo...)
	a.undo = nil
}

// untyped finds a variable that go/types could not type and said nothing about: it is declared by
// itself.
func (a *attempt) untyped() *Error {
	for _, it := range a.items {
		if it.Kind != VarItem {
			continue
		}
		for _, id := range it.Spec.Names {
			o := a.info.Defs[id]
			if o == nil || o.Type() != types.Typ[types.Invalid] {
				continue
			}
			pos, end := id.Pos(), id.End()
			for _, v := range it.Spec.Values {
				if use := mention(v, id.Name); use != nil {
					pos, end = use.Pos(), use.End()
				}
			}
			return a.s.errorPos(pos, end, fmt.Sprintf("undefined: %s", id.Name))
		}
	}
	return nil
}
