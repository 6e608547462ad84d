// Arguments that a template passes to methods and functions of the cells.

package rt

import (
	"fmt"
	"go/types"
	"reflect"
	"text/template/parse"
)

// passed is v as an argument of a method: a t of the running program, which the user knows as want, if that is not nil.
func (tv templateValues) passed(v reflect.Value, t reflect.Type, want types.Type) (reflect.Value, error) {
	x := tv.from(v)
	if !x.v.IsValid() {
		if canBeNil(t, want) {
			return reflect.Zero(t), nil
		}
		return v, fmt.Errorf("invalid value; expected %s", wanted(t, want))
	}
	if r, ok := tv.assigned(x, t, want); ok {
		return r, nil
	}
	if x.v.Kind() == reflect.Pointer && x.assignable(t, want, x.elemType(), x.v.Type().Elem()) {
		if x.v.IsNil() {
			return v, fmt.Errorf("dereference of nil pointer of type %s", wanted(t, want))
		}
		if r, ok := tv.assigned(x.elem(tv), t, want); ok {
			return r, nil
		}
	}
	if x.t != nil && x.v.CanAddr() {
		if r, ok := tv.assigned(typed{t: types.NewPointer(x.t), v: x.v.Addr()}, t, want); ok {
			return r, nil
		}
	}
	return v, fmt.Errorf("wrong type for value; expected %s; got %s", wanted(t, want), x.typeName())
}

// passedFunc is v as an argument of a function of the cells.
func (tv templateValues) passedFunc(v reflect.Value, t reflect.Type, want types.Type) (reflect.Value, error) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.Type() != reflect.TypeFor[givenArg]() {
		return tv.passed(v, t, want)
	}
	g := v.Interface().(givenArg)
	var r reflect.Value
	var err error
	if n := g.site.literal(g.i); n != nil {
		r, err = literalAs(n, g.v, t, want)
	} else {
		r, err = tv.passed(g.v, t, want)
	}
	if err != nil {
		err = g.site.argument(g.i, err)
	}
	return r, err
}

// prepared is v as a key of a map, or as an argument of the function call.
func (tv templateValues) prepared(v reflect.Value, t reflect.Type, want types.Type) (reflect.Value, error) {
	x := tv.from(v)
	if !x.v.IsValid() {
		if canBeNil(t, want) {
			return reflect.Zero(t), nil
		}
		return v, fmt.Errorf("value is nil; should be of type %s", wanted(t, want))
	}
	if r, ok := tv.assigned(x, t, want); ok {
		return r, nil
	}
	if isInteger(x.v.Kind()) && isInteger(t.Kind()) {
		return x.v.Convert(t), nil
	}
	return v, fmt.Errorf("value has type %s; should be %s", x.typeName(), wanted(t, want))
}

// assigned is x as a t, if Go assigns it.
func (tv templateValues) assigned(x typed, t reflect.Type, want types.Type) (reflect.Value, bool) {
	if !x.assignable(t, want, x.t, x.v.Type()) {
		return x.v, false
	}
	switch {
	case x.t != nil && t.Kind() == reflect.Interface:
		return reflect.ValueOf(Boxed{tv.reg.known(x.t), x.v.Interface()}), true
	case x.v.Type().AssignableTo(t):
		return x.v, true
	}
	return x.v.Convert(t), x.v.Type().ConvertibleTo(t)
}

// assignable reports whether a value of the type that the user knows as have, and package reflect as is, can be assigned to a t.
func (x typed) assignable(t reflect.Type, want types.Type, have types.Type, is reflect.Type) bool {
	switch {
	case want != nil && have != nil:
		return types.AssignableTo(have, want)
	case have != nil:
		return t.Kind() == reflect.Interface && t.NumMethod() == 0 || is.AssignableTo(t)
	case want != nil && mentionsUser(want) && !types.IsInterface(want):
		return is == t && is.Name() == "" // a literal type, such as []int
	}
	return is.AssignableTo(t)
}

// literalAs is the constant n of a template, whose value is v, as an argument.
func literalAs(n parse.Node, v reflect.Value, t reflect.Type, want types.Type) (reflect.Value, error) {
	if n.Type() == parse.NodeNil {
		if canBeNil(t, want) {
			return reflect.Zero(t), nil
		}
		return v, fmt.Errorf("cannot assign nil to %s", wanted(t, want))
	}
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	number, isNumber := n.(*parse.NumberNode)
	kind := ""
	switch {
	case want != nil && !isBasic(want) && !types.IsInterface(want):
	case t.Kind() == reflect.Interface && v.Type().AssignableTo(t) && (want == nil || isAny(want)):
		return v, nil
	case t.Kind() == reflect.Bool:
		if kind = "bool"; n.Type() == parse.NodeBool {
			return v.Convert(t), nil
		}
	case t.Kind() == reflect.String:
		if kind = "string"; n.Type() == parse.NodeString {
			return v.Convert(t), nil
		}
	case reflect.Int <= t.Kind() && t.Kind() <= reflect.Int64:
		if kind = "integer"; isNumber && number.IsInt {
			return reflect.ValueOf(number.Int64).Convert(t), nil
		}
	case reflect.Uint <= t.Kind() && t.Kind() <= reflect.Uintptr:
		if kind = "unsigned integer"; isNumber && number.IsUint {
			return reflect.ValueOf(number.Uint64).Convert(t), nil
		}
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		if kind = "float"; isNumber && number.IsFloat {
			return reflect.ValueOf(number.Float64).Convert(t), nil
		}
	case t.Kind() == reflect.Complex64 || t.Kind() == reflect.Complex128:
		if kind = "complex"; isNumber && number.IsComplex {
			return reflect.ValueOf(number.Complex128).Convert(t), nil
		}
	}
	if kind != "" {
		return v, fmt.Errorf("expected %s; found %s", kind, n)
	}
	return v, fmt.Errorf("can't handle %s for arg of type %s", n, wanted(t, want))
}

// wanted is how errors call the type of a parameter.
func wanted(t reflect.Type, want types.Type) string {
	if want != nil {
		return GoTypeString(want)
	}
	return t.String()
}

func canBeNil(t reflect.Type, want types.Type) bool {
	if want != nil {
		switch want.Underlying().(type) {
		case *types.Basic, *types.Struct, *types.Array:
			return false
		}
		return true
	}
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return true
	}
	return false
}

func isBasic(t types.Type) bool { _, ok := t.Underlying().(*types.Basic); return ok }

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

func isInteger(k reflect.Kind) bool { return reflect.Int <= k && k <= reflect.Uintptr }
