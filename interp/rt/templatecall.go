// Calls of methods and functions of the cells by a template.

package rt

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
)

// bound method or function of a value of the cells, or a compiled one.
type templateCallee struct {
	fn   reflect.Value
	recv []reflect.Value  // what fn takes first
	sig  *types.Signature // as the user knows it; nil: compiled
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
	return templateCallee{reflect.ValueOf(m), []reflect.Value{v}, f.Signature()}, true
}

// call calls c, which errors call by name.
func (c templateCallee) call(tv templateValues, name string, args []reflect.Value) (r reflect.Value, err error) {
	ft, skip := c.fn.Type(), len(c.recv)
	n := ft.NumIn() - skip
	variadic := ft.IsVariadic() || c.sig != nil && c.sig.Variadic() // lowered functions take a slice
	switch {
	case variadic && len(args) < n-1:
		return r, fmt.Errorf("wrong number of args for %s: want at least %d got %d", name, n-1, len(args))
	case !variadic && len(args) != n:
		return r, fmt.Errorf("wrong number of args for %s: want %d got %d", name, n, len(args))
	}
	in := append([]reflect.Value{}, c.recv...)
	for i := range args {
		if variadic && i >= n-1 {
			break
		}
		v, err := argument(args[i], ft.In(i+skip), c.param(i))
		if err != nil {
			return r, err
		}
		in = append(in, v)
	}
	if variadic {
		rest := reflect.MakeSlice(ft.In(ft.NumIn()-1), 0, len(args))
		for _, a := range args[n-1:] {
			v, err := argument(a, rest.Type().Elem(), nil)
			if err != nil {
				return r, err
			}
			rest = reflect.Append(rest, v)
		}
		in = append(in, rest)
	}
	return c.results(tv, name, in)
}

// param is the type of parameter i as the user knows it; nil: as package reflect does.
func (c templateCallee) param(i int) types.Type {
	if c.sig == nil {
		return nil
	}
	return c.sig.Params().At(i).Type()
}

func (c templateCallee) results(tv templateValues, name string, in []reflect.Value) (r reflect.Value, err error) {
	defer func() {
		if x := recover(); x != nil {
			if x == any(ErrInterrupted) {
				panic(x)
			}
			e, ok := Normal(x).(error)
			if !ok {
				e = fmt.Errorf("%v", Normal(x))
			}
			err = fmt.Errorf("error calling %s: %w", name, e)
		}
	}()
	var out []reflect.Value
	if c.fn.Type().IsVariadic() {
		out = c.fn.CallSlice(in)
	} else {
		out = c.fn.Call(in)
	}
	switch len(out) {
	case 0:
		return r, errors.New("can't call method/function " + fmt.Sprintf("%q with 0 results", name))
	case 2:
		if t := out[1].Type(); t != reflect.TypeFor[error]() && c.sig != nil {
			return r, fmt.Errorf("invalid function signature for %s: second return value should be error; is %s", name, GoTypeString(c.sig.Results().At(1).Type()))
		}
		if e, ok := out[1].Interface().(error); ok && e != nil {
			return r, fmt.Errorf("error calling %s: %w", name, e)
		}
	}
	if c.sig == nil {
		return out[0], nil
	}
	return tv.give(typed{t: c.sig.Results().At(0).Type(), v: out[0]}), nil
}

// argument is v as a t of the running program, which the user knows as want, if that is not nil.
func argument(v reflect.Value, t reflect.Type, want types.Type) (reflect.Value, error) {
	wanted := t.String()
	if want != nil {
		wanted = GoTypeString(want)
	}

	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		switch t.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
			return reflect.Zero(t), nil
		}
		return v, fmt.Errorf("invalid value; expected %s", wanted)
	}
	got := TypeName(v.Interface())
	at := reflect.Value{}
	if v.Kind() == reflect.Struct && v.CanInterface() {
		x := v.Interface()
		if p, ok := x.(placed); ok {
			x, at = p.Boxed, p.at
		}
		if b, ok := x.(Boxed); ok {
			v = reflect.ValueOf(b)
			if t.Kind() != reflect.Interface {
				v = reflect.ValueOf(b.V)
			}
		}
	}
	if v.Type().AssignableTo(t) {
		return v, nil
	}
	switch {
	case at.IsValid() && at.CanAddr() && at.Addr().Type().AssignableTo(t):
		return at.Addr(), nil
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().AssignableTo(t):
		return v.Elem(), nil
	case isNumber(v.Kind()) && isNumber(t.Kind()):
		// a constant of the template, which has no type of its own
		if c := v.Convert(t); v.Equal(c.Convert(v.Type())) {
			return c, nil
		}
	case v.Kind() == t.Kind() && v.Type().ConvertibleTo(t):
		return v.Convert(t), nil
	}
	return v, fmt.Errorf("wrong type for value; expected %s; got %s", wanted, got)
}

func isNumber(k reflect.Kind) bool { return reflect.Int <= k && k <= reflect.Float64 }

// templateFunc is the function f, of type d, as one that a template can call: it takes and gives anything.
func templateFunc(d *Desc, f any) any {
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
		r, err := c.function(tv, args)
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

// function calls a function; package template adds its name to an error.
func (c templateCallee) function(tv templateValues, args []reflect.Value) (reflect.Value, error) {
	r, err := c.call(tv, "", args)
	if u := errors.Unwrap(err); u != nil {
		err = u
	}
	return r, err
}
