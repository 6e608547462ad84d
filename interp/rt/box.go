package rt

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Boxed is a value in an interface that remembers the type the user gave it. Boxes are comparable exactly
// when the value is, so they serve as map keys and in ==.
type Boxed struct {
	D *Desc
	V any
}

// Box puts v of type d into an interface.
func Box(d *Desc, v any) any {
	if b, ok := v.(Boxed); ok {
		return b
	}
	return Boxed{d, v}
}

// Unbox takes the value out of its box, and out of the wrappers that yaegi's tables make for interfaces of
// the standard library.
func Unbox(v any) any {
	if b, ok := AsBoxed(v); ok {
		return b.V
	}
	return v
}

// AsBoxed finds the box inside v.
func AsBoxed(v any) (Boxed, bool) {
	switch b := v.(type) {
	case Boxed:
		return b, true
	case placed:
		return b.Boxed, true
	case logValuer:
		return b.Boxed, true
	case logText:
		return b.b, true
	case logError:
		return b.b, true
	}
	return unwrap(v)
}

// unwrap looks into a wrapper struct such as _io_Reader, whose first field holds the box.
func unwrap(v any) (Boxed, bool) {
	if v == nil {
		return Boxed{}, false
	}
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Struct || !strings.HasPrefix(t.Name(), "_") || t.NumField() == 0 || t.Field(0).Name != "IValue" {
		return Boxed{}, false
	}
	b, ok := reflect.ValueOf(v).Field(0).Interface().(Boxed)
	return b, ok
}

// method0 is the method of a box without arguments and with the result of F.
func method0[R any](b Boxed, name string) (func(any) R, bool) {
	f, ok := b.D.Method(name).(func(any) R)
	return f, ok
}

// Error calls the user's Error, if there is one.
func (b Boxed) Error() string {
	if f, ok := method0[string](b, "Error"); ok {
		return f(b)
	}
	return b.text()
}

// String calls the user's String, if there is one.
func (b Boxed) String() string {
	if f, ok := method0[string](b, "String"); ok {
		return f(b)
	}
	return b.text()
}

func (b Boxed) text() string { return Show(b.D.reg, b.D.Type, b.V, "%v") }

// Unwrap calls the user's Unwrap, if there is one.
func (b Boxed) Unwrap() error {
	if f, ok := method0[error](b, "Unwrap"); ok {
		return f(b)
	}
	return nil
}

// Is calls the user's Is, if there is one.
func (b Boxed) Is(target error) bool {
	if f, ok := b.D.Method("Is").(func(any, error) bool); ok && f(b, target) {
		return true
	}
	for _, err := range b.joined() {
		if errorIs(err, target) {
			return true
		}
	}
	return false
}

// As calls the user's As, if there is one. A target of a user's type does not come here: see the function As.
func (b Boxed) As(target any) bool {
	if b.setsTarget(target) {
		return true
	}
	for _, err := range b.joined() {
		if errors.As(err, target) {
			return true
		}
	}
	return false
}

// setsTarget reports whether the user's As has set the target.
func (b Boxed) setsTarget(target any) bool {
	f, ok := b.D.Method("As").(func(any, any) bool)
	return ok && f(b, target)
}

// joined are the errors that the user's Unwrap gives, if it gives several.
func (b Boxed) joined() []error {
	if f, ok := method0[[]error](b, "Unwrap"); ok {
		return f(b)
	}
	return nil
}

// Format prints as fmt would print the user's value.
func (b Boxed) Format(s fmt.State, verb rune) {
	defer func() { // as fmt does for a nil pointer whose method fails
		if v := reflect.ValueOf(b.V); v.Kind() == reflect.Pointer && v.IsNil() {
			if x := recover(); x != nil {
				s.Write([]byte("<nil>"))
			}
		}
	}()
	if f, ok := b.D.Method("Format").(func(any, fmt.State, rune)); ok {
		f(b, s, verb)
		return
	}
	var sb strings.Builder
	p := printer{reg: b.D.reg, sb: &sb, spec: specOf(s, verb)}
	p.init()
	p.value(b.D.Type, reflect.ValueOf(b.V), 0, true)
	s.Write([]byte(sb.String()))
}

func specOf(s fmt.State, verb rune) string {
	f := "%"
	for _, c := range "+-# 0" {
		if s.Flag(int(c)) {
			f += string(c)
		}
	}
	if w, ok := s.Width(); ok {
		f += fmt.Sprint(w)
	}
	if p, ok := s.Precision(); ok {
		f += "." + fmt.Sprint(p)
	}
	return f + string(verb)
}
