// Package lower turns checked cells into source text that yaegi runs right.
//
// yaegi sees functions, structs, slices, maps, channels and any: no methods, no interfaces with methods, no
// constants, no generics, no closures over shared variables, no defer. Every function literal becomes a
// maker function at top level that takes what the literal captures (by value, or by pointer when it
// changes); so yaegi's own closures, which share frames, are never relied on. Whatever cannot be lowered is
// refused with a position.
//
// The order of work for one cell: Lowerer.Cell registers declarations, emits the functions, then the items
// into one entry function. Helpers, hoisted types and instances are emitted on first use.
package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"flinkish/interp/check"
	"flinkish/interp/rt"
)

// Error is a construct that a session cannot run.
type Error struct {
	Pos, End token.Pos
	Msg      string
	Hint     string
}

func (e *Error) Error() string { return e.Msg }

// Program is one sub-cell in yaegi's terms.
type Program struct {
	// Text is a file of package main. Evaluating it declares, and runs nothing.
	Text string
	// Init and Entry are functions without parameters; a name is empty if there is nothing to do. Init must run
	// first, and again when the declarations are replayed into a new interpreter; Entry runs the items.
	Init, Entry string
	// Imports are the paths that Text imports.
	Imports []string
	// Slots are the position slots that Text uses, by rtǃ.At(<n>), and Funcs the functions that note there
	// which statement they run.
	Slots []int
	Funcs []string
	// Descs are the descriptors that Text uses, as rtǃ.D<n>.
	Descs []int
	// Shown are the types of the values that Entry hands out, in order.
	Shown []types.Type
}

// Importer gives the packages that a cell may import.
type Importer interface {
	types.Importer
	Has(path string) bool
}

// Lowerer holds what earlier cells left: names, instances, helpers.
type Lowerer struct {
	// Deterministic maps time.Now, math/rand and the order of maps to the session's.
	Deterministic bool

	// Parallel reports whether subtasks of the jobs that cells build run at the same time; nil: they do not.
	Parallel func() bool

	fset *token.FileSet
	imp  Importer
	reg  *rt.Registry
	pkg  *types.Package
	info *types.Info // of the cell being lowered
	srcs *sources

	stdVars map[*types.Var]bool // of the standard library, that a cell has changed

	n       int // last number used in a name
	cells   int
	funcs   map[*types.Func]*fn
	globals map[*types.Var]*global
	structs typeutil.Map // of name
	// recursive tells of the types looked at whether they are opaque.
	recursive typeutil.Map
	// apart tells of the structs and arrays looked at whether what leads to them is opaque.
	apart typeutil.Map
	// wholes are the opaque types that texts use, of which the runtime must know what they consist of.
	wholes typeutil.Map
	// hoisting holds the structs whose declaration is being written.
	hoisting typeutil.Map
	busy     map[types.Type]bool
	helpers  map[string]*typeutil.Map
	slots    []slot
	imports  map[string]string
	insts    int
	curDesc  int      // descriptor whose methods are being written; -1: none
	at       ast.Node // what is being lowered: the place of a refusal that names none

	out *unit
}

// global is a session variable: Go memory behind a pointer with this name.
type global struct {
	name     string
	num      int
	declared bool // in a text that was loaded
}

// slot is where one lowered function notes the statement that it runs.
type slot struct {
	fn   string // lowered name
	name string // as the user wrote it
	pos  []token.Pos
}

// unit collects the text of one sub-cell.
type unit struct {
	decls   strings.Builder
	inits   strings.Builder
	code    strings.Builder
	imports []string // paths that earlier texts did not import
	slots   []int
	descs   map[int]bool
	wholes  []types.Type // opaque types that earlier texts did not use
}

// New starts a session's lowering. Positions are those of fset; descriptors go to reg.
func New(fset *token.FileSet, imp Importer, reg *rt.Registry) *Lowerer {
	return &Lowerer{
		fset: fset, imp: imp, srcs: newSources(), reg: reg, funcs: map[*types.Func]*fn{}, globals: map[*types.Var]*global{},
		busy: map[types.Type]bool{}, helpers: map[string]*typeutil.Map{}, curDesc: -1, imports: map[string]string{},
		stdVars: map[*types.Var]bool{},
	}
}

// fn is a function or method of the user, or of our std sources, with all its lowered instances.
type fn struct {
	obj   *types.Func
	decl  *ast.FuncDecl
	info  *types.Info
	an    *analysis
	insts []*inst
}

// inst is one lowered form of a function.
type inst struct {
	fn    *fn
	targs []types.Type
	name  string
	users map[*inst]bool // lowered functions that call it
	descs map[int]bool   // descriptors whose method it is
	// retired says that it keeps its code: what it calls has another signature by now.
	retired bool
}

// Global gives the number under which the runtime keeps a session variable; false if there is none.
func (l *Lowerer) Global(v *types.Var) (int, bool) {
	g, ok := l.globals[v]
	if !ok {
		return 0, false
	}
	return g.num, true
}

// Declare makes a session variable that exists before any cell, such as env.
func (l *Lowerer) Declare(v *types.Var) int {
	l.n++
	l.globals[v] = &global{name: fmt.Sprintf("%sǃ%d", v.Name(), l.n), num: l.n}
	return l.n
}

// Place is statement k of slot n; not valid if there is none.
func (l *Lowerer) Place(n, k int) token.Pos {
	if n < 0 || n >= len(l.slots) || k < 1 || k > len(l.slots[n].pos) {
		return token.NoPos
	}
	return l.slots[n].pos[k-1]
}

// Where finds the position of a statement by the function that panicked in it and what its slot held.
func (l *Lowerer) Where(fn string) (name string, n int, pos []token.Pos) {
	for i := range l.slots {
		if l.slots[i].fn == fn {
			return l.slots[i].name, i, l.slots[i].pos
		}
	}
	return "", -1, nil
}

// Sub lowers one sub-cell of cell. The error is an *Error, and leaves nothing behind.
func (l *Lowerer) Sub(cell *check.Cell, sub *check.Sub) (p *Program, err error) {
	undo := l.snapshot()
	defer func() {
		if r := recover(); r != nil {
			le, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			undo()
			if !le.Pos.IsValid() && l.at != nil {
				le.Pos, le.End = l.at.Pos(), l.at.End()
			}
			p, err = nil, le
		}
	}()
	l.pkg, l.info, l.at = cell.Pkg, cell.Info, nil
	l.out = &unit{descs: map[int]bool{}}
	l.cells++
	p = &Program{Entry: fmt.Sprintf("cellǃ%d", l.cells), Init: fmt.Sprintf("initǃ%d", l.cells)}
	l.prepare(sub)
	l.functions(sub)
	var main *types.Func
	if sub == cell.Subs[len(cell.Subs)-1] {
		main = cell.Main
	}
	l.items(sub, cell.Show, main, p)
	l.tellWholes()
	p.Text = l.text(p)
	p.Imports, p.Slots = l.out.imports, l.out.slots
	for _, n := range p.Slots {
		p.Funcs = append(p.Funcs, l.slots[n].fn)
	}
	for n := range l.out.descs {
		p.Descs = append(p.Descs, n)
	}
	sort.Ints(p.Descs)
	return p, nil
}

// prepare looks at all items before the first of them is lowered.
func (l *Lowerer) prepare(sub *check.Sub) {
	for _, it := range sub.Items {
		var n ast.Node = it.Stmt
		switch {
		case it.Decl != nil:
			n = it.Decl
		case it.Spec != nil:
			n = it.Spec
		}
		l.nestPromoted(n)
		l.noteStdVars(n, l.info)
	}
}

// call writes a function without parameters. One that would do nothing is left out, and loses its name: most cells
// have nothing to initialise, and each function costs memory for as long as the session lives.
func (l *Lowerer) call(b *strings.Builder, name *string, body string) {
	if body == "" {
		*name = ""
		return
	}
	fmt.Fprintf(b, "func %s() {\n%s}\n", *name, body)
}

func (l *Lowerer) fresh(base string) string {
	l.n++
	return fmt.Sprintf("%sǃ%d", base, l.n)
}
