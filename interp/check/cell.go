// Package check is the front half of a session: it splits a cell into items, type-checks them with
// go/types against everything that earlier cells declared, and says what the cell would show. It runs
// nothing.
//
// A session calls Check, lowers and runs the Cell, then calls Commit. A cell that failed anywhere is
// simply not committed: the next call of the Checker forgets what it declared.
package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Cell is one checked cell.
type Cell struct {
	Name   string // of the document's cell; may be empty
	Number int    // from 1
	Source string
	// Subs run in order. There is more than one when a name is defined again, with another type,
	// within the cell.
	Subs []*Sub
	// Info covers all items of the cell.
	Info *types.Info
	Pkg  *types.Package // package main; the same for every cell of a session
	Fset *token.FileSet // its positions name the file "cellN", with lines and columns of the cell
	// Show is what the cell displays; nil: nothing.
	Show *Show
	// Main is set when the cell is a program (`package main` with func main): call it after the items.
	Main *types.Func
	// Imports are the packages that this cell imported by itself because it used them, by path.
	Imports []string
	// Warnings are about correct Go that is probably a mistake, each with a hint, in source order.
	Warnings []*Error
	// Calls are the functions and methods of the library that the cell calls, as Checker.DocKey names them, in source order.
	Calls []string

	after *state
}

// Sub is a run of items that were checked together: its functions and types see each other.
type Sub struct {
	Items []*Item
	// Packages are the imported packages that the items mention, in the order of their paths.
	Packages []*types.Package
}

// Kind says what an Item is.
type Kind uint8

// The kinds of items.
const (
	ImportItem Kind = iota // nothing to run
	TypeItem               // Decl is an *ast.GenDecl; its specs may be generic
	ConstItem              // Decl is an *ast.GenDecl; constants are folded, nothing to run
	FuncItem               // Decl is an *ast.FuncDecl: a function or a method
	VarItem                // Spec holds names and values: top-level `x := e`, `x, y := f()` and `var x T = e`
	StmtItem               // Stmt is any other statement, expression statements included
)

// Item is one piece of a cell, in source order. Functions, types and constants of a Sub are visible to
// all of its items; variables get their value when their item runs.
type Item struct {
	Kind Kind
	Decl ast.Decl
	Spec *ast.ValueSpec
	Stmt ast.Stmt
	// Vars are the variables that a VarItem sets, one for each name; nil for the blank name. A
	// variable that continues an earlier one of identical type is that earlier object, here and in
	// Cell.Info (Defs and Uses).
	Vars []*types.Var
	// New tells for each of Vars whether this item creates it; else it is an assignment to it.
	New []bool
	// Func is the function or method of a FuncItem. A redefinition with the same signature is
	// the same object again: callers that were lowered before are to see the new body. Methods added to a type
	// of an earlier cell are ordinary methods, with Decl.Recv.
	Func *types.Func
	// Again reports that Func existed before.
	Again bool
}

// Pos is where the item begins.
func (it *Item) Pos() token.Pos {
	switch {
	case it.Decl != nil:
		return it.Decl.Pos()
	case it.Spec != nil:
		return it.Spec.Pos()
	}
	return it.Stmt.Pos()
}

// Show is what a cell displays. Either Expr or Vars is set.
type Show struct {
	// Expr is the last item's expression (its Stmt is an *ast.ExprStmt) and Types are the types of
	// its results, at least one.
	Expr  ast.Expr
	Types []types.Type
	// Quiet tells for each result that it is not displayed: errors (they fail the cell when not
	// nil), sinks, the environment, job handles and results.
	Quiet []bool
	// Vars are the streams that the last item assigned: a terminal shows their summary.
	Vars []*types.Var
}

// Var describes one variable, constant, function, type or import of the session.
type Var struct {
	Name string
	Kind string // var, const, func, type, import
	Type string // as the user would write it
	Cell int    // the number of the cell that defined it; 0: predeclared
	Obj  types.Object
}

// Candidate is one completion.
type Candidate struct {
	Text   string // the whole word to put in place of src[Start:pos]
	Start  int    // byte offset in src
	Kind   string // var, const, func, type, package, field, method, keyword
	Detail string // type or signature, as the user would write it
	// Doc is one line of documentation, and Key the name under which the library's documentation has it,
	// such as DataStream.Map; either may be empty.
	Doc, Key string
	// Snippet is what to insert in place of Text to begin the function that the call takes, with the
	// element type filled in: Map(func(w Word) . Empty: the candidate takes none.
	Snippet string
}
