// The Checker: what a session has declared so far, and how a cell is added to it.

package check

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
)

// Importer finds packages. symbols.Importer is the one of a session.
type Importer interface {
	types.Importer
	// Fset is the file set of the positions in imported packages; the Checker adds the cells to it.
	Fset() *token.FileSet
	// Named lists the import paths of the packages with this name, the preferred one first.
	Named(name string) []string
	// Names lists the names of all packages, sorted.
	Names() []string
}

// library is the package whose names every cell sees without an import.
const library = "flinkish/dataflow"

// Checker checks the cells of one session. It is not safe for concurrent use.
type Checker struct {
	tried map[string]int // the cell that last declared a name, even if it failed
	// Allow, when set, is asked before a cell imports a package; its error is shown at the import.
	Allow func(path string) error

	imp  Importer
	fset *token.FileSet
	pkg  *types.Package
	lib  *types.Package          // nil when the importer does not have it
	base map[string]types.Object // predeclared: env, ctx and the names of the library
	st   *state
	// published writes types of internal packages as the library calls them.
	published *strings.Replacer
	undo      []func() // takes back what the last Check changed in objects that earlier cells share
}

// state is what the committed cells declared. Check works on a copy.
type state struct {
	objs map[string]types.Object
	cell map[types.Object]int // the cell that declared it
	defs map[*types.TypeName]typeDef
	// stale counts the generations of a type name that are no longer reachable.
	stale map[string]int
	auto  map[string]bool // paths of the packages that were imported on first use
	// timing tells of streams whether their records carry timestamps.
	timing map[types.Object]timing
	// calls tells which functions of the session a function calls, and made which ones a value keeps, by name.
	calls map[string]map[string]bool
	made  map[*types.Var]map[string]bool
	// bound tells what a function, or a value made of functions, mentions that the session declared, by name.
	bound map[string]map[types.Object]bool
	text  map[string]string // sources of the declarations, with the comments before them
}

func newState() *state {
	return &state{map[string]types.Object{}, map[types.Object]int{}, map[*types.TypeName]typeDef{}, map[string]int{}, map[string]bool{}, map[types.Object]timing{},
		map[string]map[string]bool{}, map[*types.Var]map[string]bool{}, map[string]map[types.Object]bool{}, map[string]string{}}
}

func (st *state) clone() *state {
	return &state{maps.Clone(st.objs), maps.Clone(st.cell), maps.Clone(st.defs), maps.Clone(st.stale), maps.Clone(st.auto), maps.Clone(st.timing),
		maps.Clone(st.calls), maps.Clone(st.made), maps.Clone(st.bound), maps.Clone(st.text)}
}

// New starts a session with env, ctx and the names of package dataflow declared.
func New(imp Importer) *Checker {
	c := &Checker{imp: imp, fset: imp.Fset()}
	c.Reset()
	return c
}

// Reset forgets everything but the predeclared names.
func (c *Checker) Reset() {
	c.rollback()
	c.pkg = types.NewPackage("main", "main")
	c.base = map[string]types.Object{}
	c.tried = map[string]int{}
	c.st = newState()
	c.published = strings.NewReplacer()
	if ctx, err := c.imp.Import("context"); err == nil {
		c.predeclare("ctx", ctx.Scope().Lookup("Context").Type())
	}
	lib, err := c.imp.Import(library)
	if err != nil {
		return
	}
	c.lib = lib
	c.published = c.publishedNames()
	for _, n := range lib.Scope().Names() {
		if o := lib.Scope().Lookup(n); o.Exported() {
			c.base[n] = o
		}
	}
	if e := lib.Scope().Lookup("StreamExecutionEnvironment"); e != nil {
		c.predeclare("env", types.NewPointer(e.Type()))
	}
}

func (c *Checker) predeclare(name string, t types.Type) {
	c.base[name] = types.NewVar(token.NoPos, c.pkg, name, t)
}

// Check checks one cell against everything that was committed. The error is a *Error; nothing of such a
// cell stays. name is the cell's name in its document and may be empty; number counts from 1.
func (c *Checker) Check(name string, number int, src string) (*Cell, error) {
	cell, err := c.check(name, number, src)
	var e *Error
	if errors.As(err, &e) {
		c.mend(e, src)
	}
	return cell, err
}

func (c *Checker) check(name string, number int, src string) (cell *Cell, err error) {
	c.rollback()
	s := newSource(c.fset, name, number, src)
	items, e := s.parse(false)
	if e != nil {
		return nil, e
	}
	defer c.noteTried(number, items)
	cell = &Cell{Name: name, Number: number, Source: src, Info: newInfo()}
	defer func() {
		if r := recover(); r != nil {
			err = c.crashed(s, r)
		}
		if err != nil {
			c.rollback()
			cell = nil
		}
	}()
	if e := c.checkCell(cell, s, items); e != nil {
		return nil, e
	}
	return cell, nil
}

// noteTried remembers which cell was to declare a name, whether it succeeds or not.
func (c *Checker) noteTried(number int, items []*Item) {
	for _, it := range items {
		for _, n := range declares(it) {
			c.tried[n] = number
		}
	}
}

// crashed reports a panic of go/types. The known one: methods added to a generic type of which values
// exist.
func (c *Checker) crashed(s *source, r any) *Error {
	e := s.errorAt(1, 1, len(s.line(1))+1, "this cell cannot be type-checked: it may use a method that was added to a generic type after its first use")
	e.Kind = Unsupported
	e.Hint = "declare the type and all its methods in one cell"
	e.cause = fmt.Sprintf("%v\n%s", r, debug.Stack())
	return e
}

// checkCell checks the items sub-cell by sub-cell.
func (c *Checker) checkCell(cell *Cell, s *source, items []*Item) *Error {
	cell.after = c.st.clone()
	program := scanSource(s.src).program()
	if program {
		if e := s.redeclared(items); e != nil {
			return e
		}
	}
	for len(items) > 0 {
		first, rest := c.typesFirst(cell.after, s, items)
		if first == nil {
			first, rest = items, nil
		}
		a, e := c.checkSub(cell, s, first, program)
		if e != nil {
			return e
		}
		cell.Subs = append(cell.Subs, a.sub())
		items = append(first[len(a.items):len(first):len(first)], rest...)
	}
	cell.Pkg, cell.Fset = c.pkg, c.fset
	if program {
		cell.Main, _ = cell.after.objs["main"].(*types.Func)
	}
	cell.Show = c.show(cell)
	c.advise(cell, s)
	return nil
}

// checkSub checks as many of the items as can be checked together, and records what they declare.
func (c *Checker) checkSub(cell *Cell, s *source, items []*Item, program bool) (*attempt, *Error) {
	n := splitRedefined(items)
	for {
		a := &attempt{c: c, s: s, st: cell.after, items: items[:n], program: program, number: cell.Number}
		if e := a.run(); e != nil {
			return nil, e
		}
		m, e := a.splitAt()
		if e != nil {
			return nil, e
		}
		if m == n {
			if e := a.firstError(); e != nil {
				return nil, e
			}
			a.record(cell)
			return a, nil
		}
		a.abandon()
		n = m
	}
}

// Commit makes the declarations of a cell part of the session. Call it once the cell ran.
func (c *Checker) Commit(cell *Cell) {
	c.st = cell.after
	c.undo = nil
}

// rollback takes back what a cell that was not committed changed in shared objects.
func (c *Checker) rollback() {
	for _, f := range slices.Backward(c.undo) {
		f()
	}
	c.undo = nil
}

// resolve is what a name means to the next cell, universe included.
func (c *Checker) resolve(st *state, name string) types.Object {
	if o := st.objs[name]; o != nil {
		return o
	}
	if o := c.base[name]; o != nil {
		return o
	}
	return types.Universe.Lookup(name)
}
