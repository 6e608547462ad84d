package rt

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// Is reports whether the dynamic type of v is d, or implements it when d is an interface.
func Is(v any, d *Desc) bool {
	if v == nil {
		return false
	}
	b, boxed := AsBoxed(v)
	if it, ok := d.Type.Underlying().(*types.Interface); ok {
		if boxed {
			return types.Implements(b.D.Type, it)
		}
		return implements(v, it)
	}
	return boxed && (b.D == d || types.Identical(b.D.Type, d.Type))
}

func implements(v any, it *types.Interface) bool {
	rt := reflect.TypeOf(v)
	for i := range it.NumMethods() {
		f := it.Method(i)
		m, ok := rt.MethodByName(f.Name())
		if !ok {
			return false
		}
		if !sameSignature(m.Type, f.Signature(), 1) {
			return false
		}
	}
	return true
}

// sameType reports whether t, which the user wrote, is r, the type of a compiled method. Types of the user are none of
// those; of instances and of types without a name the kind is compared.
func sameType(r reflect.Type, t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return r == basicKinds[t.Kind()]
	case *types.Named:
		return t.Obj().Pkg() == nil && r.Name() == t.Obj().Name() || t.Obj().Pkg() != nil && (r.Name() == t.Obj().Name() || t.TypeArgs().Len() > 0)
	case *types.Pointer:
		return r.Kind() == reflect.Pointer && r.Name() == "" && sameType(r.Elem(), t.Elem())
	case *types.Slice:
		return r.Kind() == reflect.Slice && r.Name() == "" && sameType(r.Elem(), t.Elem())
	case *types.Array:
		return r.Kind() == reflect.Array && r.Name() == "" && int64(r.Len()) == t.Len() && sameType(r.Elem(), t.Elem())
	case *types.Chan:
		return r.Kind() == reflect.Chan && r.Name() == "" && sameType(r.Elem(), t.Elem())
	case *types.Map:
		return r.Kind() == reflect.Map && r.Name() == "" && sameType(r.Key(), t.Key()) && sameType(r.Elem(), t.Elem())
	case *types.Signature:
		return r.Kind() == reflect.Func && r.Name() == "" && sameSignature(r, t, 0)
	case *types.Struct:
		return r.Kind() == reflect.Struct && r.Name() == ""
	case *types.Interface:
		return r.Kind() == reflect.Interface && r.NumMethod() == t.NumMethods()
	}
	return true
}

// sameSignature compares the parameters of r, but for the first skip, and the results with those of t.
func sameSignature(r reflect.Type, t *types.Signature, skip int) bool {
	if r.NumIn() != t.Params().Len()+skip || r.NumOut() != t.Results().Len() || r.IsVariadic() != t.Variadic() {
		return false
	}
	for j := range t.Results().Len() {
		if !sameType(r.Out(j), t.Results().At(j).Type()) {
			return false
		}
	}
	for j := range t.Params().Len() {
		if !sameType(r.In(j+skip), t.Params().At(j).Type()) {
			return false
		}
	}
	return true
}

// TypeAssertionError is what cells know as runtime.TypeAssertionError: Go's own cannot name a type of the cells.
type TypeAssertionError struct{ text string }

func (e *TypeAssertionError) Error() string { return e.text }

// RuntimeError marks it as an error of package runtime.
func (e *TypeAssertionError) RuntimeError() {}

func assertError(format string, a ...any) *TypeAssertionError {
	return &TypeAssertionError{"interface conversion: " + fmt.Sprintf(format, a...)}
}

// AssertError is the panic of a failed type assertion.
func AssertError(v any, d *Desc, static string) error {
	want := GoTypeString(d.Type)
	it, ok := d.Type.Underlying().(*types.Interface)
	switch {
	case ok && v == nil:
		return assertError("interface is nil, not %s", want)
	case ok:
		return assertError("%s is not %s: missing method %s", TypeName(v), want, missing(v, it))
	case v == nil:
		return assertError("%s is nil, not %s", static, want)
	}
	have := TypeName(v)
	if have == want {
		want += " (types from different scopes)"
	}
	return assertError("%s is %s, not %s", static, have, want)
}

func missing(v any, it *types.Interface) string {
	if b, ok := AsBoxed(v); ok {
		if m, _ := types.MissingMethod(b.D.Type, it, true); m != nil {
			return m.Name()
		}
		return "?"
	}
	for f := range it.Methods() {
		if m, ok := reflect.TypeOf(v).MethodByName(f.Name()); !ok || !sameSignature(m.Type, f.Signature(), 1) {
			return f.Name()
		}
	}
	return "?"
}

// TypeName is what %T prints for v.
func TypeName(v any) string {
	if b, ok := AsBoxed(v); ok {
		return GoTypeString(b.D.Type)
	}
	if name := standsFor(v); name != "" {
		return name
	}
	return strings.ReplaceAll(fmt.Sprintf("%T", v), "rt.Boxed", "interface {}")
}

// standsFor is the type that a value of ours stands for; empty if it stands for itself.
func standsFor(v any) string {
	switch e := v.(type) {
	case runtimeError:
		if strings.Contains(string(e), "out of range") {
			return "runtime.boundsError"
		}
		return "runtime.errorString"
	case plainError:
		if strings.HasPrefix(string(e), "hash of ") {
			return "maps.unhashableTypeError"
		}
		return "runtime.plainError"
	case *TypeAssertionError:
		return "*runtime.TypeAssertionError"
	case *userType:
		return "*reflect.rtype"
	case *valueContext:
		return "*context.valueCtx"
	}
	return ""
}

// errorIs is errors.Is, which takes a box for something that can be compared: of a target that cannot be, only the methods
// Is decide.
func errorIs(err, target error) bool {
	b, ok := AsBoxed(target)
	if !ok || types.Comparable(b.D.Type) {
		return errors.Is(err, target)
	}
	for err != nil {
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			return slices.ContainsFunc(x.Unwrap(), func(err error) bool { return errorIs(err, target) })
		default:
			return false
		}
	}
	return false
}

// As is errors.As for a target of type d: the value found, unboxed unless d is an interface. set tells that a method As
// has set the target itself.
func As(err error, d *Desc, target any) (v any, found, set bool) {
	for err != nil {
		if Is(err, d) {
			if _, ok := d.Type.Underlying().(*types.Interface); ok {
				return err, true, false
			}
			return Unbox(err), true, false
		}
		if b, ok := AsBoxed(err); ok && b.setsTarget(target) {
			return nil, true, true
		}
		joined, next := unwrapped(err)
		for _, e := range joined {
			if v, found, set := As(e, d, target); found {
				return v, found, set
			}
		}
		err = next
	}
	return nil, false, false
}

// asAny is errors.As for a target of which only the value tells the type.
func asAny(err error, target any) bool {
	b, ok := AsBoxed(target)
	if !ok {
		return errors.As(err, target)
	}
	p, ok := b.D.Type.Underlying().(*types.Pointer)
	to := reflect.ValueOf(b.V)
	if !ok || to.Kind() != reflect.Pointer || to.IsNil() {
		panic("errors: target must be a non-nil pointer")
	}
	v, found, set := As(err, b.D.reg.known(p.Elem()), target)
	if found && !set {
		to.Elem().Set(reflect.ValueOf(v))
	}
	return found
}

// unwrapped is what Unwrap gives: several errors, or one.
func unwrapped(err error) ([]error, error) {
	if b, ok := AsBoxed(err); ok {
		return b.joined(), b.Unwrap()
	}
	switch u := err.(type) {
	case interface{ Unwrap() error }:
		return nil, u.Unwrap()
	case interface{ Unwrap() []error }:
		return u.Unwrap(), nil
	}
	return nil, nil
}

// Find is the method called name of an interface value, as func(recv any, args...) results.
func Find(v any, name string) any {
	if v == nil {
		panic(errNil)
	}
	if b, ok := v.(Boxed); ok {
		if m := b.D.Method(name); m != nil {
			return m
		}
		return foreign(b.V, name)
	}
	if b, ok := unwrap(v); ok {
		if m := b.D.Method(name); m != nil {
			return m
		}
	}
	return foreign(v, name)
}

// resigned is the panic of a call of a method that was declared again with another signature since v got its type.
func resigned(v any, name string) {
	t := strings.TrimPrefix(TypeName(v), "main.")
	panic(plainError(fmt.Sprintf("method %s of %s was declared again with another signature: the interface wants the old one", name, t)))
}

// noMethod is the panic of a call of a method that v has not.
func noMethod(v any, name string) error {
	return runtimeError(fmt.Sprintf("%T has no method %s", v, name))
}
