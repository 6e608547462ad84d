// The Checker: what a session has declared so far.

package check

import (
	"go/token"
	"go/types"
)

// Importer finds packages. symbols.Importer is the one of a session.
type Importer interface {
	types.Importer
	// Fset is the file set of the positions in imported packages; the Checker adds the cells to it.
	Fset() *token.FileSet
	// Named lists the import paths of the packages with this name, the preferred one first.
	Named(name string) []string
}

// Checker checks the cells of one session. It is not safe for concurrent use.
type Checker struct {
	imp Importer
}

// New starts a session with env, ctx and the names of package dataflow declared.
func New(imp Importer) *Checker { return &Checker{imp: imp} }

// Check checks one cell. The error is a *Error. name is the cell's name in its document and may be
// empty; number counts from 1.
func (c *Checker) Check(name string, number int, src string) (*Cell, error) { return nil, nil }

// Commit makes the declarations of a cell that ran part of the session.
func (c *Checker) Commit(cell *Cell) {}

// Reset forgets everything but the predeclared names.
func (c *Checker) Reset() {}

// Lookup finds what a name means in the next cell; nil: nothing.
func (c *Checker) Lookup(name string) types.Object { return nil }

// Vars lists what the session declared, by name.
func (c *Checker) Vars() []Var { return nil }

// TypeOf is the type of an expression as the user would write it, without running it. The error is
// a *Error.
func (c *Checker) TypeOf(expr string) (string, error) { return "", nil }

// Complete lists what may stand at byte offset pos of src.
func (c *Checker) Complete(src string, pos int) []Candidate { return nil }

type state struct{}
