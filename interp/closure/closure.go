// Package closure compiles the functions that cells give to a job into trees of Go closures, which run ten to fifty
// times faster than interpreted text. For a record they use no reflection but for maps, large structs and fresh
// memory. It knows a part of Go: what most functions of
// streams are made of. Whatever it does not know makes Compile fail, and the function stays interpreted; so a
// construct is either right here or not here.
//
// A compiled function works on memory laid out as the interpreter lays it out, since its arguments and results
// travel on through interpreted code: types come from the interpreter, by the values of Source.Types.
package closure

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/types/typeutil"

	"flinkish/dataflow"
)

// Source is a function of a job that may be compiled.
type Source struct {
	*Unit
	// Declared is the type of the library's parameter that the function is for, in terms of type parameters;
	// these arrive and leave as any.
	Declared *types.Signature
	// Funcs are the functions of the user that it calls, directly or not.
	Funcs map[*types.Func]*Unit
	// Types are the types for which the interpreter gives a pointer each.
	Types []types.Type
	// Captured are the variables of enclosing functions, whose values follow; a Boxed one is a pointer to it.
	Captured []*types.Var
	Boxed    []bool
	// Globals are the numbers of the session variables that are used.
	Globals map[*types.Var]int
}

// Unit is one function: a literal or a declared one.
type Unit struct {
	Recv *ast.FieldList // nil: not a method
	Type *ast.FuncType
	Body *ast.BlockStmt
	Sig  *types.Signature
	Info *types.Info
	// Slot is where failures of this function are noted, and Marks number the nodes that may fail.
	Slot  int
	Marks map[ast.Node]int
}

// Host is what a compiled function needs of the session.
type Host interface {
	// Symbol gives a function or variable of the standard library; not valid if there is none.
	Symbol(path, name string) reflect.Value
	// Global is a pointer to session variable n; nil if it is not there.
	Global(n int) any
	// Failed notes that a panic leaves the function of a slot, at a mark.
	Failed(slot, mark int)
	// Enter begins a call that may be part of a recursion; it panics when that is too deep.
	Enter()
	// Stopped tells loops to end; Halt then panics if this goroutine is meant.
	Stopped() bool
	Halt()
	// Conv gives v the representation of zero.
	Conv(v, zero any) any
}

// unsupported is the panic value by which compilation gives up.
type unsupported string

func (c *compiler) refuse(f string, a ...any) { panic(unsupported(fmt.Sprintf(f, a...))) }

// frame is the state of one call.
type frame struct {
	mem  unsafe.Pointer // the variables; see compiler.slot
	args [4]unsafe.Pointer
	out  dataflow.Collector[any]
	mark int
	// results, by their kind
	val any
	num int64
	yes bool
	err error
}

// Code is a compiled function; it may run in several goroutines at once.
type Code struct {
	host   Host
	slot   int
	body   stmt
	params []param
	risky  bool
	frames sync.Pool
	// field is set when all that the function does is to return a part of its one argument.
	field *field
}

// param is how an argument gets into the frame.
type param struct {
	typ    reflect.Type // of the value inside the any
	word   unsafe.Pointer
	direct bool // the any holds the value itself, not a pointer to it
	zero   any
	copy   copier // when the function changes its parameter: from the argument to the variable
	off    uintptr
	unused bool
}

// Compile compiles src. vals are a pointer for each of src.Types, then the values of src.Captured. The error says
// which construct is not known.
func Compile(src *Source, host Host, vals []any) (code *Code, err error) {
	p := &program{src: src, host: host, units: map[*types.Func]*unit{}}
	defer func() {
		if r := recover(); r != nil {
			// A fault of ours too must not stop a function that runs well interpreted.
			code, err = nil, fmt.Errorf("%v", r)
		}
	}()
	for i, t := range src.Types {
		p.types.Set(t, reflect.TypeOf(vals[i]).Elem())
	}
	c := newCompiler(p, src.Unit)
	c.captured(vals[len(src.Types):])
	return c.function(), nil
}

// program is what the functions of one compilation share.
type program struct {
	src   *Source
	host  Host
	types typeutil.Map // of reflect.Type
	units map[*types.Func]*unit
}

// compiler compiles one function.
type compiler struct {
	*program
	fn     *Unit
	info   *types.Info
	vars   map[*types.Var]place
	fields []reflect.StructField
	size   uintptr
	out    *types.Var // the collector
	labels []string
	// results are the variables of the results, in a function that other compiled ones call.
	results []place
	called  bool
	// early are the calls that were made before their turn; see hoist.
	early map[*ast.CallExpr]place
}

func newCompiler(p *program, u *Unit) *compiler {
	return &compiler{program: p, fn: u, info: u.Info, vars: map[*types.Var]place{}, early: map[*ast.CallExpr]place{}}
}

// captured makes places of the captured variables: each lives in Go memory.
func (c *compiler) captured(vals []any) {
	for i, v := range c.src.Captured {
		if c.src.Boxed[i] {
			p := reflect.ValueOf(vals[i])
			if p.Kind() != reflect.Pointer || p.Type().Elem() != c.reflect(v.Type()) {
				c.refuse("captured %s", v.Name())
			}
			c.vars[v] = fixed(p.UnsafePointer())
			continue
		}
		t := c.reflect(v.Type())
		if t.Kind() == reflect.Interface || reflect.TypeOf(vals[i]) != t {
			c.refuse("captured %s", v.Name())
		}
		p := reflect.New(t)
		p.Elem().Set(reflect.ValueOf(vals[i]))
		c.vars[v] = fixed(p.UnsafePointer())
	}
}

// function compiles the function that the library calls.
func (c *compiler) function() *Code {
	code := c.code()
	if r := c.fn.Sig.Recv(); r != nil {
		c.param(code, fieldIdent(c.fn.Recv, 0), types.Unalias(r.Type()), nil)
	}
	for i := range c.fn.Sig.Params().Len() {
		declared := types.Unalias(c.src.Declared.Params().At(i).Type())
		c.param(code, fieldIdent(c.fn.Type.Params, i), types.Unalias(c.fn.Sig.Params().At(i).Type()), declared)
	}
	code.body = c.block(c.fn.Body.List)
	code.field = c.fieldOf(code)
	c.finish(code)
	return code
}

func (c *compiler) code() *Code {
	return &Code{host: c.host, slot: c.fn.Slot, risky: len(c.fn.Marks) > 0}
}

func (c *compiler) finish(code *Code) {
	layout := c.layout()
	code.frames.New = func() any { return &frame{mem: reflect.New(layout).UnsafePointer()} }
}

// param places the next parameter, declared as the library does; nil: a receiver. An argument that is any is used
// where it lies, unless the function changes it.
func (c *compiler) param(code *Code, id *ast.Ident, t, declared types.Type) {
	i := len(code.params)
	if i >= len(frame{}.args) {
		c.refuse("many parameters")
	}
	var v *types.Var
	if id != nil {
		v, _ = c.info.Defs[id].(*types.Var)
	}
	if v == nil || v.Name() == "_" {
		code.params = append(code.params, param{unused: true})
		return
	}
	if isCollector(t) {
		c.out = v
		code.params = append(code.params, param{unused: true})
		return
	}
	rt := c.reflect(t)
	if rt.Kind() == reflect.Interface {
		c.refuse("a parameter of an interface type")
	}
	p := param{typ: rt, word: typeWord(rt), direct: isDirect(rt), zero: reflect.Zero(rt).Interface()}
	_, erased := declared.(*types.TypeParam)
	_, pointer := declared.(*types.Pointer)
	erased = erased || declared == nil
	if !erased && !pointer && !types.Identical(declared, types.Typ[types.Int64]) {
		c.refuse("a parameter of type %s", declared)
	}
	if !erased || p.direct || c.changed(v) {
		p.off, p.copy = c.slot(rt), copierOf(rt)
		c.vars[v] = place{local: true, off: p.off}
	} else {
		c.vars[v] = place{arg: i + 1}
	}
	code.params = append(code.params, p)
}

// fieldIdent is the name of parameter or result i; nil if it has none.
func fieldIdent(l *ast.FieldList, i int) *ast.Ident {
	n := 0
	if l == nil {
		return nil
	}
	for _, f := range l.List {
		k := max(1, len(f.Names))
		if i < n+k && len(f.Names) > 0 {
			return f.Names[i-n]
		}
		n += k
	}
	return nil
}

// library is the package of the typed API.
const library = "flinkish/dataflow"

func isCollector(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Collector" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == library
}

// changed reports whether the function assigns to v or takes its address.
func (c *compiler) changed(v *types.Var) bool {
	found := false
	hit := func(x ast.Expr) { found = found || rootOf(c.info, x) == v }
	ast.Inspect(c.fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				hit(l)
			}
		case *ast.IncDecStmt:
			hit(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				hit(n.Key)
				hit(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				hit(n.X)
			}
		case *ast.CallExpr:
			if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				hit(s.X) // a method may have a pointer receiver
			}
		}
		return !found
	})
	return found
}

// rootOf is the variable of which x is a part; nil behind a pointer or a slice.
func rootOf(info *types.Info, x ast.Expr) *types.Var {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.Ident:
			v, _ := info.Uses[y].(*types.Var)
			return v
		case *ast.SelectorExpr:
			if _, ok := info.TypeOf(y.X).Underlying().(*types.Pointer); ok {
				return nil
			}
			x = y.X
		case *ast.IndexExpr:
			if _, ok := info.TypeOf(y.X).Underlying().(*types.Array); !ok {
				return nil
			}
			x = y.X
		default:
			return nil
		}
	}
}

// get takes a frame; put gives it back, without what it got from its caller. Its variables keep what they held until
// the next call writes them.
func (c *Code) get() *frame { return c.frames.Get().(*frame) }

func (c *Code) put(f *frame) {
	f.args, f.out, f.val, f.err, f.mark = [4]unsafe.Pointer{}, nil, nil, nil, 0
	c.frames.Put(f)
}

// run executes the body. A panic goes on; where it happened is noted on its way.
func (c *Code) run(f *frame) {
	if !c.risky {
		c.body(f)
		return
	}
	done := false
	defer func() {
		if !done {
			c.host.Failed(c.slot, f.mark)
		}
	}()
	c.body(f)
	done = true
}

// number puts argument i, an int64, into the frame.
func (c *Code) number(f *frame, i int, x int64) {
	if p := &c.params[i]; !p.unused {
		*(*int64)(unsafe.Add(f.mem, p.off)) = x
	}
}

// context puts argument i, a pointer of the library, into the frame.
func (c *Code) context(f *frame, i int, x unsafe.Pointer) {
	if p := &c.params[i]; !p.unused {
		*(*unsafe.Pointer)(unsafe.Add(f.mem, p.off)) = x
	}
}

// arg puts argument i into the frame.
func (c *Code) arg(f *frame, i int, x any) {
	p := &c.params[i]
	if p.unused {
		return
	}
	x = taken(c.host, x, p.word, p.zero)
	e := (*eface)(unsafe.Pointer(&x))
	f.args[i] = e.data
	if p.copy != nil {
		src := e.data
		if p.direct {
			src = unsafe.Pointer(&f.args[i])
		}
		p.copy(unsafe.Add(f.mem, p.off), src)
	}
}
