// Calls of methods and functions of the cells by a template.

package rt

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// bound method or function of a value of the cells, or a compiled one.
type templateCallee struct {
	fn   reflect.Value
	recv []reflect.Value  // what fn takes first
	sig  *types.Signature // as the user knows it; nil: compiled
	// nilRecv is the error of a call whose receiver a nil pointer does not lead to.
	nilRecv error
}

// method is method name of x, also of its address.
func (tv templateValues) method(x typed, name string) (templateCallee, bool) {
	if x.t == nil {
		v := x.v
		if v.Kind() != reflect.Interface && v.Kind() != reflect.Pointer && v.CanAddr() {
			v = v.Addr()
		}
		m := v.MethodByName(name)
		return templateCallee{fn: m}, m.IsValid()
	}
	if !token.IsExported(name) {
		return templateCallee{}, false
	}
	if c, ok := tv.methodOf(x.t, x.v, name); ok || !x.v.CanAddr() {
		return c, ok
	}
	return tv.methodOf(types.NewPointer(x.t), x.v.Addr(), name)
}

func (tv templateValues) methodOf(t types.Type, v reflect.Value, name string) (templateCallee, bool) {
	m := tv.reg.Lookup(t).Method(name)
	if m == nil {
		return templateCallee{}, false
	}
	o, _, _ := types.LookupFieldOrMethod(t, false, packageOf(t), name)
	f, ok := o.(*types.Func)
	if !ok {
		return templateCallee{}, false
	}
	c := templateCallee{fn: reflect.ValueOf(m), recv: []reflect.Value{v}, sig: f.Signature()}
	if p, ok := t.Underlying().(*types.Pointer); ok && v.Kind() == reflect.Pointer && v.IsNil() && !types.IsInterface(p.Elem()) {
		if _, byPointer := f.Signature().Recv().Type().(*types.Pointer); !byPointer {
			base := GoTypeString(p.Elem())
			_, short, _ := strings.Cut(base, ".")
			c.nilRecv = fmt.Errorf("value method %s.%s called using nil *%s pointer", base, name, short)
		}
	}
	return c, true
}

// call calls c, which errors call by name.
func (c templateCallee) call(tv templateValues, name string, args []reflect.Value, s site) (r typed, err error) {
	n := c.fn.Type().NumIn() - len(c.recv)
	switch variadic := c.variadic(); {
	case variadic && len(args) < n-1:
		return r, s.fail(fmt.Errorf("wrong number of args for %s: want at least %d got %d", name, n-1, len(s.args)))
	case !variadic && len(args) != n:
		return r, s.fail(fmt.Errorf("wrong number of args for %s: want %d got %d", name, n, len(args)))
	}
	if err := c.good(name); err != nil {
		return r, s.fail(err)
	}
	in, err := c.arguments(args, func(i int, t reflect.Type, want types.Type) (v reflect.Value, err error) {
		if n := s.literal(i); n != nil {
			v, err = literalAs(n, args[i], t, want)
		} else {
			v, err = tv.passed(args[i], t, want)
		}
		if err != nil {
			err = s.argument(i, err)
		}
		return v, err
	})
	if err != nil {
		return r, err
	}
	if r, err = c.results(in); err != nil {
		err = s.failed(name, err)
	}
	return r, err
}

// variadic reports whether the last argument may be there many times; lowered functions take a slice.
func (c templateCallee) variadic() bool {
	return c.fn.Type().IsVariadic() || c.sig != nil && c.sig.Variadic()
}

// good is the error of a function that gives what a template cannot use.
func (c templateCallee) good(name string) error {
	t := c.fn.Type()
	switch n := t.NumOut(); {
	case n == 1, n == 2 && t.Out(1) == reflect.TypeFor[error]():
		return nil
	case n == 2 && c.sig != nil:
		return fmt.Errorf("invalid function signature for %s: second return value should be error; is %s", name, GoTypeString(c.sig.Results().At(1).Type()))
	case n == 2:
		return fmt.Errorf("invalid function signature for %s: second return value should be error; is %s", name, t.Out(1))
	default:
		return fmt.Errorf("function %s has %d return values; should be 1 or 2", name, n)
	}
}

// arguments are what fn takes: the receiver, and what each makes of the arguments for parameters of type t, which the user knows as want.
func (c templateCallee) arguments(args []reflect.Value, each func(i int, t reflect.Type, want types.Type) (reflect.Value, error)) ([]reflect.Value, error) {
	ft, skip := c.fn.Type(), len(c.recv)
	in := append([]reflect.Value{}, c.recv...)
	fixed := len(args)
	var rest reflect.Value
	if c.variadic() {
		fixed = ft.NumIn() - skip - 1
		rest = reflect.MakeSlice(ft.In(ft.NumIn()-1), 0, len(args))
	}
	for i := range args {
		if i < fixed {
			v, err := each(i, ft.In(i+skip), c.param(i))
			if err != nil {
				return nil, err
			}
			in = append(in, v)
			continue
		}
		want := c.param(fixed)
		if want != nil {
			want = want.Underlying().(*types.Slice).Elem()
		}
		v, err := each(i, rest.Type().Elem(), want)
		if err != nil {
			return nil, err
		}
		rest = reflect.Append(rest, v)
	}
	if rest.IsValid() {
		in = append(in, rest)
	}
	return in, nil
}

// param is the type of parameter i as the user knows it; nil: as package reflect does.
func (c templateCallee) param(i int) types.Type {
	if c.sig == nil {
		return nil
	}
	return c.sig.Params().At(i).Type()
}

// results calls fn.
func (c templateCallee) results(in []reflect.Value) (r typed, err error) {
	defer func() {
		if x := recover(); x != nil {
			if x == any(ErrInterrupted) {
				panic(x)
			}
			e, ok := Normal(x).(error)
			if !ok {
				e = fmt.Errorf("%v", Normal(x))
			}
			err = e
		}
	}()
	var out []reflect.Value
	if c.nilRecv != nil {
		return r, c.nilRecv
	}
	if c.fn.Type().IsVariadic() {
		out = c.fn.CallSlice(in)
	} else {
		out = c.fn.Call(in)
	}
	if len(out) == 2 {
		if e, ok := out[1].Interface().(error); ok && e != nil {
			return r, e
		}
	}
	r.v = out[0]
	if c.sig != nil {
		r.t = c.sig.Results().At(0).Type()
	}
	return r, nil
}

// templateFunc is the function f, of type d, as one that a template can call: it takes and gives anything. prepared tells that it
// is called by the function call, which says otherwise what is wrong with an argument.
func templateFunc(d *Desc, f any, prepared bool) any {
	sig, ok := d.Type.Underlying().(*types.Signature)
	fn := reflect.ValueOf(f)
	if !ok || fn.Kind() != reflect.Func || fn.IsNil() {
		return f
	}
	tv := templateValues{reg: d.reg}
	c := templateCallee{fn: fn, sig: sig}
	if sig.Results().Len() == 0 {
		return tv.sequence(sig, fn)
	}
	in := make([]reflect.Type, sig.Params().Len())
	for i := range in {
		in[i] = reflect.TypeFor[any]()
		if sig.Variadic() && i == len(in)-1 {
			in[i] = reflect.TypeFor[[]any]()
		}
	}
	out := []reflect.Type{reflect.TypeFor[any](), reflect.TypeFor[error]()}
	return reflect.MakeFunc(reflect.FuncOf(in, out, sig.Variadic()), func(args []reflect.Value) []reflect.Value {
		if sig.Variadic() {
			rest := args[len(args)-1]
			args = args[:len(args)-1]
			for i := range rest.Len() {
				args = append(args, rest.Index(i))
			}
		}
		in, err := c.arguments(args, func(i int, t reflect.Type, want types.Type) (reflect.Value, error) {
			if !prepared {
				return tv.passedFunc(args[i], t, want)
			}
			v, err := tv.prepared(args[i], t, want)
			if err != nil {
				err = fmt.Errorf("arg %d: %w", i, err)
			}
			return v, err
		})
		var r reflect.Value
		if err == nil {
			var x typed
			if x, err = c.results(in); err == nil {
				r = tv.give(x)
			}
		}
		results := []reflect.Value{reflect.New(out[0]).Elem(), reflect.New(out[1]).Elem()}
		if r.IsValid() {
			results[0].Set(r)
		}
		if err != nil {
			results[1].Set(reflect.ValueOf(err))
		}
		return results
	}).Interface()
}

// sequence is fn as range visits it, if it is a sequence: its values are those of a template.
func (tv templateValues) sequence(sig *types.Signature, fn reflect.Value) any {
	if sig.Params().Len() != 1 {
		return fn.Interface()
	}
	yields, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || fn.Type().In(0).Kind() != reflect.Func {
		return fn.Interface()
	}
	run := func(yield func(vs []any) bool) {
		fn.Call([]reflect.Value{reflect.MakeFunc(fn.Type().In(0), func(args []reflect.Value) []reflect.Value {
			vs := make([]any, len(args))
			for i, a := range args {
				vs[i] = anyOf(tv.give(typed{t: yields.Params().At(i).Type(), v: a}))
			}
			return []reflect.Value{reflect.ValueOf(yield(vs))}
		})})
	}
	switch yields.Params().Len() {
	case 1:
		return func(yield func(item) bool) { run(func(vs []any) bool { return yield(vs[0]) }) }
	case 2:
		return func(yield func(item, item) bool) { run(func(vs []any) bool { return yield(vs[0], vs[1]) }) }
	}
	return fn.Interface()
}
