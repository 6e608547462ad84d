// Values of the cells on their way into compiled code that looks for their type or their methods by itself.

package rt

import (
	"encoding"
	"fmt"
	"log/slog"
	"reflect"
)

// native is x for a call that looks into it, unless it is, or holds, a value of a type of the cells: what the call would
// find of its representation is wrong.
func native(call string, x any) any {
	if b, ok := AsBoxed(x); ok {
		panic(unseen(call, b))
	}
	return x
}

func nativeDeep(call string, x any) any {
	if b, ok := boxIn(reflect.ValueOf(x), 8); ok {
		panic(unseen(call, b))
	}
	return x
}

func nativeEach(call string, xs []any) []any {
	for _, x := range xs {
		nativeDeep(call, x)
	}
	return xs
}

func unseen(call string, b Boxed) error {
	return runtimeError(call + " does not see the types of a cell, such as " + GoTypeString(b.D.Type))
}

// boxIn finds a value of the cells that v holds in an interface, at most depth levels down.
func boxIn(v reflect.Value, depth int) (Boxed, bool) {
	if !v.IsValid() || depth == 0 {
		return Boxed{}, false
	}
	if v.CanInterface() {
		if b, ok := AsBoxed(v.Interface()); ok {
			return b, true
		}
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return boxIn(v.Elem(), depth-1)
	case reflect.Struct:
		for i := range v.NumField() {
			if b, ok := boxIn(v.Field(i), depth-1); ok {
				return b, true
			}
		}
	case reflect.Slice, reflect.Array:
		if !mayBox(v.Type().Elem()) {
			break
		}
		for i := range v.Len() {
			if b, ok := boxIn(v.Index(i), depth-1); ok {
				return b, true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			for _, x := range []reflect.Value{it.Key(), it.Value()} {
				if b, ok := boxIn(x, depth-1); ok {
					return b, true
				}
			}
		}
	}
	return Boxed{}, false
}

// mayBox reports whether a value of compiled type t may hold an interface: numbers and strings do not.
func mayBox(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t.Kind() > reflect.Complex128 && t.Kind() != reflect.String
}

// The methods that package slog looks for in a value of the cells that has them, and only those: it writes an error that
// is also a json.Marshaler as JSON.
type (
	logValuer struct{ Boxed }
	logText   struct{ b Boxed }
	logError  struct{ b Boxed }
)

// LogValue calls the user's.
func (l logValuer) LogValue() slog.Value {
	f, _ := method0[slog.Value](l.Boxed, "LogValue")
	return f(l.Boxed)
}

// MarshalText calls the user's.
func (l logText) MarshalText() ([]byte, error) {
	return l.b.D.Method("MarshalText").(func(any) ([]byte, error))(l.b)
}

// Format prints the value.
func (l logText) Format(s fmt.State, verb rune) { l.b.Format(s, verb) }

// Error calls the user's.
func (l logError) Error() string { return l.b.Error() }

// Format prints the value.
func (l logError) Format(s fmt.State, verb rune) { l.b.Format(s, verb) }

var _ encoding.TextMarshaler = logText{}

// logArg is an argument of package slog.
func logArg(x any) any {
	b, ok := x.(Boxed)
	if !ok {
		return x
	}
	_, values := method0[slog.Value](b, "LogValue")
	_, fails := method0[string](b, "Error")
	_, writes := b.D.Method("MarshalText").(func(any) ([]byte, error))
	switch {
	case values:
		return logValuer{b}
	case b.D.Method("MarshalJSON") != nil:
	case writes:
		return logText{b}
	case fails:
		return logError{b}
	}
	return x
}

// logArgs are the last arguments of a function of package slog.
func logArgs(xs []any) []any {
	r := make([]any, len(xs))
	for i, x := range xs {
		r[i] = logArg(x)
	}
	return r
}
