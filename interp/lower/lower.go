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
	"maps"
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

// Lowerer holds what earlier cells left: names, instances, helpers.
type Lowerer struct {
	// Deterministic maps time.Now, math/rand and the order of maps to the session's.
	Deterministic bool

	// Parallel reports whether subtasks of the jobs that cells build run at the same time; nil: they do not.
	Parallel func() bool

	fset *token.FileSet
	imp  types.Importer
	reg  *rt.Registry
	pkg  *types.Package
	info *types.Info // of the cell being lowered
	srcs *sources

	n       int // last number used in a name
	cells   int
	funcs   map[*types.Func]*fn
	globals map[*types.Var]*global
	structs typeutil.Map // of name
	busy    map[types.Type]bool
	helpers map[string]*typeutil.Map
	slots   []slot
	imports map[string]string
	insts   int
	curDesc int      // descriptor whose methods are being written; -1: none
	at      ast.Node // what is being lowered: the place of a refusal that names none

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
}

// New starts a session's lowering. Positions are those of fset; descriptors go to reg.
func New(fset *token.FileSet, imp types.Importer, reg *rt.Registry) *Lowerer {
	return &Lowerer{
		fset: fset, imp: imp, srcs: newSources(), reg: reg, funcs: map[*types.Func]*fn{}, globals: map[*types.Var]*global{},
		busy: map[types.Type]bool{}, helpers: map[string]*typeutil.Map{}, curDesc: -1, imports: map[string]string{},
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
	l.functions(sub)
	var main *types.Func
	if sub == cell.Subs[len(cell.Subs)-1] {
		main = cell.Main
	}
	l.items(sub, cell.Show, main, p)
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

// snapshot remembers what a refused cell may have changed.
func (l *Lowerer) snapshot() func() {
	funcs := map[*types.Func]*fn{}
	saved := map[*fn]fn{}
	names := map[*inst]string{}
	for k, v := range l.funcs {
		funcs[k] = v
		saved[v] = *v
		for _, in := range v.insts {
			names[in] = in.name
		}
	}
	globals := map[*types.Var]*global{}
	for k, v := range l.globals {
		g := *v
		globals[k] = &g
	}
	structs := copyMap(&l.structs)
	helpers := map[string]*typeutil.Map{}
	for k, v := range l.helpers {
		helpers[k] = copyMap(v)
	}
	descs, imports := l.reg.Len(), maps.Clone(l.imports)
	return func() {
		for k, v := range l.funcs {
			if l.srcs.has(k.Pkg()) && funcs[k] == nil {
				v.insts = nil
				funcs[k] = v
			}
		}
		l.funcs, l.globals, l.structs, l.helpers, l.imports = funcs, globals, *structs, helpers, imports
		for f, old := range saved {
			*f = old
		}
		for in, name := range names {
			in.name = name
		}
		l.reg.Truncate(descs)
		clear(l.busy)
		l.curDesc = -1
	}
}

func copyMap(m *typeutil.Map) *typeutil.Map {
	c := &typeutil.Map{}
	m.Iterate(func(k types.Type, v any) { c.Set(k, v) })
	return c
}

// functions registers and emits what the items declare.
func (l *Lowerer) functions(sub *check.Sub) {
	var again []*fn
	for _, it := range sub.Items {
		if it.Kind != check.FuncItem || it.Decl.(*ast.FuncDecl).Body == nil {
			continue
		}
		d := it.Decl.(*ast.FuncDecl)
		f := l.funcs[it.Func.Origin()]
		if f == nil {
			f = &fn{obj: it.Func}
			l.funcs[it.Func.Origin()] = f
		} else {
			again = append(again, f)
		}
		f.decl, f.info, f.an = d, l.info, nil
	}
	for _, it := range sub.Items {
		if it.Kind != check.VarItem {
			continue
		}
		for _, v := range it.Vars {
			if v != nil && l.globals[v] == nil {
				l.Declare(v)
			}
		}
	}
	l.types(sub)
	l.relower(again)
	for _, it := range sub.Items {
		if it.Kind == check.FuncItem && it.Func != nil && !generic(it.Func) && l.funcs[it.Func.Origin()] != nil {
			l.instance(nil, it.Func.Origin(), nil)
		}
		if it.Kind == check.FuncItem && it.Func != nil {
			l.lateMethod(it.Func)
		}
	}
}

// types lowers the types that the items declare, so that one which cannot be is refused where it is declared.
func (l *Lowerer) types(sub *check.Sub) {
	for _, it := range sub.Items {
		if it.Kind != check.TypeItem {
			continue
		}
		for _, sp := range it.Decl.(*ast.GenDecl).Specs {
			ts := sp.(*ast.TypeSpec)
			tn, ok := l.info.Defs[ts.Name].(*types.TypeName)
			if !ok || ts.TypeParams != nil || ts.Assign.IsValid() {
				continue
			}
			l.at = ts.Name
			e := &emitter{l: l, info: l.info}
			e.typ(tn.Type())
		}
	}
}

// globalName is the pointer to session variable v; its first use declares it.
func (e *emitter) globalName(v *types.Var) string {
	g := e.l.globals[v]
	if g == nil {
		return ""
	}
	if !g.declared {
		g.declared = true
		e.l.declareGlobal(g, v)
	}
	return g.name
}

func (l *Lowerer) declareGlobal(g *global, v *types.Var) {
	e := &emitter{l: l, info: l.info}
	t := e.typ(v.Type())
	fmt.Fprintf(&l.out.decls, "var %s *%s\n", g.name, t)
	fmt.Fprintf(&l.out.inits, "if p := rtǃ.Kept(%d); p != nil { %s = p.(*%s) } else { %s = new(%s); rtǃ.Keep(%d, %s) }\n", g.num, g.name, t, g.name, t, g.num, g.name)
}

// lateMethod gives a method that was declared after its type was first boxed to that type's descriptors.
func (l *Lowerer) lateMethod(f *types.Func) {
	r := f.Type().(*types.Signature).Recv()
	if r == nil {
		return
	}
	base := r.Type()
	if p, ok := base.(*types.Pointer); ok {
		base = p.Elem()
	}
	if generic(f) {
		return
	}
	e := &emitter{l: l, info: l.funcs[f.Origin()].info}
	for _, t := range []types.Type{base, types.NewPointer(base)} {
		if d := l.reg.Lookup(t); d != nil {
			n, _ := l.reg.Of(t)
			e.descMethods(t, n)
		}
	}
}

// relower gives functions whose body changed, and all that call them, new names and new text. Values that
// hold a closure of the old one keep it.
func (l *Lowerer) relower(changed []*fn) {
	seen := map[*inst]bool{}
	var order []*inst
	var visit func(in *inst)
	visit = func(in *inst) {
		if seen[in] {
			return
		}
		seen[in] = true
		order = append(order, in)
		for _, f := range l.sortedUsers(in) {
			visit(f)
		}
	}
	for _, f := range changed {
		for _, in := range f.insts {
			visit(in)
		}
	}
	for _, in := range order {
		in.name = l.fresh(baseName(in.fn.obj))
	}
	for _, in := range order {
		l.emitFunc(in)
	}
	for _, in := range order {
		for n := range in.descs {
			d := l.reg.D(n)
			e := &emitter{l: l, info: in.fn.info}
			e.descMethods(d.Type, n)
		}
	}
}

func (l *Lowerer) sortedUsers(in *inst) []*inst {
	var r []*inst
	for u := range in.users {
		r = append(r, u)
	}
	sortBy(r, func(a, b *inst) bool { return a.name < b.name })
	return r
}

// items emits the statements and expressions of a sub-cell.
func (l *Lowerer) items(sub *check.Sub, show *check.Show, main *types.Func, p *Program) {
	an := analyseItems(sub, l.info, l.pkg)
	e := l.newEmitter(l.info, an, nil, nil)
	e.fn = &fnCtx{top: true}
	e.trace("the cell", p.Entry)
	code := &l.out.code
	if deferring(sub) {
		e.fn.defers = e.tmp("d")
		e.fn.synth = []local{{name: e.fn.defers, typ: "*rtǃ.Defers"}}
		defer func() {
			text := code.String()
			code.Reset()
			code.WriteString("rtǃ.WithDefers(" + e.maker("func("+e.fn.defers+" *rtǃ.Defers)", text, nil) + ")\n")
		}()
	}
	for _, it := range sub.Items {
		switch it.Kind {
		case check.VarItem:
			l.out.code.WriteString(e.checked(e.varItem(it)))
		case check.StmtItem:
			if x, ok := it.Stmt.(*ast.ExprStmt); ok && show != nil && show.Expr == x.X {
				l.out.code.WriteString(e.checked(e.show(x.X, show)))
				p.Shown = show.Types
				continue
			}
			l.out.code.WriteString(e.checked(e.stmt(it.Stmt, "")))
		}
	}
	for _, it := range sub.Items {
		if fd, ok := it.Decl.(*ast.FuncDecl); ok && it.Kind == check.FuncItem && fd.Recv == nil && fd.Name.Name == "init" {
			l.out.code.WriteString(l.instance(nil, it.Func.Origin(), nil).name + "()\n")
		}
	}
	if main != nil {
		in := l.instance(nil, main.Origin(), nil)
		l.out.code.WriteString(in.name + "()\n")
	}
}

// deferring reports whether a statement of the cell itself defers.
func deferring(sub *check.Sub) bool {
	for _, it := range sub.Items {
		if it.Kind == check.StmtItem && hasDefer(it.Stmt) {
			return true
		}
	}
	return false
}

// show hands the values of the last expression to the session.
func (e *emitter) show(x ast.Expr, show *check.Show) string {
	at := e.mark(x)
	for _, t := range show.Types {
		e.descParts(t)
	}
	if len(show.Types) == 1 {
		return at + "rtǃ.Out(" + e.value(x) + ")\n"
	}
	vs := e.temps(len(show.Types), "o")
	return "{\n" + at + strings.Join(vs, ", ") + " := " + e.multi(x) + "\nrtǃ.Out(" + strings.Join(vs, ", ") + ")\n}\n"
}

func (l *Lowerer) text(p *Program) string {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, path := range l.out.imports {
		fmt.Fprintf(&b, "import %s %q\n", l.imports[path], path)
	}
	b.WriteString(l.out.decls.String())
	l.call(&b, &p.Init, l.out.inits.String())
	code := l.out.code.String()
	if code != "" {
		code = begin(code, false) + code
	}
	l.call(&b, &p.Entry, code)
	return b.String()
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

// alias is the name under which the session's texts import p: yaegi takes each import once.
func (l *Lowerer) alias(p *types.Package) string { return l.aliasPath(p.Path()) }

func (l *Lowerer) aliasPath(path string) string {
	a, ok := l.imports[path]
	if !ok {
		a = strings.NewReplacer("/", "_", "-", "_", ".", "_").Replace(path) + "ǃ"
		l.imports[path] = a
		l.out.imports = append(l.out.imports, path)
	}
	return a
}

func (l *Lowerer) fresh(base string) string {
	l.n++
	return fmt.Sprintf("%sǃ%d", base, l.n)
}
