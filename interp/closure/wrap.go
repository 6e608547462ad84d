// The functions that the library calls.

package closure

import (
	"go/ast"
	"go/types"
	"unsafe"

	"flinkish/dataflow"
)

// Map, Filter, FlatMap and the others are the compiled function in the forms that the library takes; the erased
// types of Source.Declared say which one fits.

// Map is func(T) R.
func (c *Code) Map() func(any) any {
	if c.field != nil {
		return c.selector()
	}
	return func(x any) any {
		f := c.get()
		c.arg(f, 0, x)
		c.run(f)
		r := f.val
		c.put(f)
		return r
	}
}

// MapErr is func(T) (R, error).
func (c *Code) MapErr() func(any) (any, error) {
	return func(x any) (any, error) {
		f := c.get()
		c.arg(f, 0, x)
		c.run(f)
		r, err := f.val, f.err
		c.put(f)
		return r, err
	}
}

// Filter is func(T) bool.
func (c *Code) Filter() func(any) bool {
	return func(x any) bool {
		f := c.get()
		c.arg(f, 0, x)
		c.run(f)
		r := f.yes
		c.put(f)
		return r
	}
}

// FilterErr is func(T) (bool, error).
func (c *Code) FilterErr() func(any) (bool, error) {
	return func(x any) (bool, error) {
		f := c.get()
		c.arg(f, 0, x)
		c.run(f)
		r, err := f.yes, f.err
		c.put(f)
		return r, err
	}
}

// Number is func(T) int64.
func (c *Code) Number() func(any) int64 {
	return func(x any) int64 {
		f := c.get()
		c.arg(f, 0, x)
		c.run(f)
		r := f.num
		c.put(f)
		return r
	}
}

// Timestamp is func(T, int64) int64.
func (c *Code) Timestamp() func(any, int64) int64 {
	return func(x any, ts int64) int64 {
		f := c.get()
		c.arg(f, 0, x)
		c.number(f, 1, ts)
		c.run(f)
		r := f.num
		c.put(f)
		return r
	}
}

// Sink is func(T) error.
func (c *Code) Sink() func(any) error {
	return func(x any) error {
		f := c.get()
		c.arg(f, 0, x)
		c.run(f)
		err := f.err
		c.put(f)
		return err
	}
}

// FlatMap is func(T, Collector[R]).
func (c *Code) FlatMap() func(any, dataflow.Collector[any]) {
	return func(x any, out dataflow.Collector[any]) {
		f := c.get()
		c.arg(f, 0, x)
		f.out = out
		c.run(f)
		c.put(f)
	}
}

// FlatMapErr is func(T, Collector[R]) error.
func (c *Code) FlatMapErr() func(any, dataflow.Collector[any]) error {
	return func(x any, out dataflow.Collector[any]) error {
		f := c.get()
		c.arg(f, 0, x)
		f.out = out
		c.run(f)
		err := f.err
		c.put(f)
		return err
	}
}

// Reduce is func(A, B) R.
func (c *Code) Reduce() func(any, any) any {
	return func(x, y any) any {
		f := c.get()
		c.arg(f, 0, x)
		c.arg(f, 1, y)
		c.run(f)
		r := f.val
		c.put(f)
		return r
	}
}

// ReduceErr is func(A, B) (R, error).
func (c *Code) ReduceErr() func(any, any) (any, error) {
	return func(x, y any) (any, error) {
		f := c.get()
		c.arg(f, 0, x)
		c.arg(f, 1, y)
		c.run(f)
		r, err := f.val, f.err
		c.put(f)
		return r, err
	}
}

// Process is a function of a record, a context and a collector.
func Process[C any](c *Code) func(any, *C, dataflow.Collector[any]) {
	return func(x any, ctx *C, out dataflow.Collector[any]) {
		f := c.get()
		c.arg(f, 0, x)
		c.context(f, 1, unsafe.Pointer(ctx))
		f.out = out
		c.run(f)
		c.put(f)
	}
}

// ProcessErr is Process with an error.
func ProcessErr[C any](c *Code) func(any, *C, dataflow.Collector[any]) error {
	return func(x any, ctx *C, out dataflow.Collector[any]) error {
		f := c.get()
		c.arg(f, 0, x)
		c.context(f, 1, unsafe.Pointer(ctx))
		f.out = out
		c.run(f)
		err := f.err
		c.put(f)
		return err
	}
}

// Methods take their receiver, an any, first.

// ProcessMethod is ProcessErr as a method.
func ProcessMethod[C any](c *Code) func(any, any, *C, dataflow.Collector[any]) error {
	return func(r, x any, ctx *C, out dataflow.Collector[any]) error {
		f := c.get()
		c.arg(f, 0, r)
		c.arg(f, 1, x)
		c.context(f, 2, unsafe.Pointer(ctx))
		f.out = out
		c.run(f)
		err := f.err
		c.put(f)
		return err
	}
}

// TimerMethod is OnTimer.
func TimerMethod[C any](c *Code) func(any, int64, *C, dataflow.Collector[any]) error {
	return func(r any, ts int64, ctx *C, out dataflow.Collector[any]) error {
		f := c.get()
		c.arg(f, 0, r)
		c.number(f, 1, ts)
		c.context(f, 2, unsafe.Pointer(ctx))
		f.out = out
		c.run(f)
		err := f.err
		c.put(f)
		return err
	}
}

// FlatMapMethod is a method of a record and a collector.
func (c *Code) FlatMapMethod() func(any, any, dataflow.Collector[any]) error {
	return func(r, x any, out dataflow.Collector[any]) error {
		f := c.get()
		c.arg(f, 0, r)
		c.arg(f, 1, x)
		f.out = out
		c.run(f)
		err := f.err
		c.put(f)
		return err
	}
}

// FilterMethod is Filter as a method.
func (c *Code) FilterMethod() func(any, any) (bool, error) {
	return func(r, x any) (bool, error) {
		f := c.get()
		c.arg(f, 0, r)
		c.arg(f, 1, x)
		c.run(f)
		ok, err := f.yes, f.err
		c.put(f)
		return ok, err
	}
}

// ReduceMethod is Reduce, or Add and Merge of an aggregation, as a method.
func (c *Code) ReduceMethod() func(any, any, any) any {
	return func(r, x, y any) any {
		f := c.get()
		c.arg(f, 0, r)
		c.arg(f, 1, x)
		c.arg(f, 2, y)
		c.run(f)
		v := f.val
		c.put(f)
		return v
	}
}

// ReduceErrMethod is ReduceErr as a method.
func (c *Code) ReduceErrMethod() func(any, any, any) (any, error) {
	return func(r, x, y any) (any, error) {
		f := c.get()
		c.arg(f, 0, r)
		c.arg(f, 1, x)
		c.arg(f, 2, y)
		c.run(f)
		v, err := f.val, f.err
		c.put(f)
		return v, err
	}
}

// field is a part of the argument that a function returns: off bytes into a string or an int.
type field struct {
	off uintptr
	str bool
}

// fieldOf recognises func(x T) K { return x.F }, which needs no frame: most keys are such.
func (c *compiler) fieldOf(code *Code) *field {
	list := c.fn.Body.List
	if c.fn.Recv != nil || len(list) != 1 || len(code.params) != 1 || code.params[0].unused || code.params[0].copy != nil {
		return nil
	}
	ret, ok := list[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || c.fn.Marks[ret.Results[0]] > 0 {
		return nil
	}
	if _, ok := types.Unalias(c.src.Declared.Results().At(0).Type()).(*types.TypeParam); !ok {
		return nil
	}
	t := c.fn.Sig.Results().At(0).Type()
	if types.IsInterface(t) || c.info.Types[ret.Results[0]].Value != nil {
		return nil
	}
	if !isPart(c.info, ret.Results[0]) {
		return nil
	}
	v := c.expr(ret.Results[0])
	if v.where == nil || v.where.arg != 1 {
		return nil
	}
	switch rt := c.reflect(t); rt {
	case basics[types.String]:
		return &field{v.where.off, true}
	case basics[types.Int]:
		return &field{v.where.off, false}
	}
	return nil
}

// isPart reports whether x is a variable, a field of a part, or the conversion of one: nothing that is costly to compile
// once more.
func isPart(info *types.Info, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPart(info, x.X)
	case *ast.CallExpr:
		return info.Types[x.Fun].IsType() && isPart(info, x.Args[0])
	}
	return false
}

func (c *Code) selector() func(any) any {
	p, off := c.params[0], c.field.off
	at := func(x any) unsafe.Pointer {
		x = taken(c.host, x, p.word, p.zero)
		return unsafe.Add((*eface)(unsafe.Pointer(&x)).data, off)
	}
	if c.field.str {
		return func(x any) any { return *(*string)(at(x)) }
	}
	return func(x any) any { return *(*int)(at(x)) }
}
