// The text of a value that a session shows by itself: without addresses, which differ from run to run.

package rt

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// Describe is v, whose type the user knows as t, in the form of %+v. What would print as an address stands there by its
// type: func(int) string, chan int, and *Node inside of another value.
func Describe(reg *Registry, t types.Type, v any) string {
	var sb strings.Builder
	p := printer{reg: reg, sb: &sb, spec: "%+v", stable: true}
	p.init()
	rv := reflect.ValueOf(v)
	more := 0
	if rv.IsValid() && rv.Kind() == reflect.Slice && rv.Len() > mostElements {
		rv, more = rv.Slice(0, mostElements), rv.Len()-mostElements
	}
	p.value(t, rv, 0, true)
	if more > 0 {
		return fmt.Sprintf("%s … %d more]", strings.TrimSuffix(sb.String(), "]"), more)
	}
	return sb.String()
}

// mostElements is how many elements of a list a session shows by itself; what fmt prints has no limit.
const mostElements = 1 << 20

// holdsAddress reports whether fmt may print an address for a value of type t.
func holdsAddress(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.Pointer, reflect.UnsafePointer, reflect.Interface:
		return true
	case reflect.Slice, reflect.Array:
		return depth > maxDepth || holdsAddress(t.Elem(), depth+1)
	case reflect.Map:
		return depth > maxDepth || holdsAddress(t.Key(), depth+1) || holdsAddress(t.Elem(), depth+1)
	case reflect.Struct:
		for f := range t.Fields() {
			if holdsAddress(f.Type, depth+1) {
				return true
			}
		}
	}
	return false
}

// inside prints a value that holds addresses, part by part.
func (p *printer) inside(t types.Type, v reflect.Value, depth int, methods bool) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		p.list(t, anyType, v, depth, methods)
	case reflect.Map:
		p.mapping(t, types.NewMap(anyType, anyType), v, depth, methods)
	case reflect.Struct:
		p.sb.WriteByte('{')
		for i := range v.NumField() {
			if i > 0 {
				p.comma()
			}
			f := v.Type().Field(i)
			p.sb.WriteString(f.Name + ":")
			p.value(anyType, v.Field(i), depth+1, methods && f.IsExported())
		}
		p.sb.WriteByte('}')
	case reflect.Pointer:
		if depth == 0 && !v.IsNil() && v.Elem().Kind() != reflect.Pointer {
			p.sb.WriteByte('&')
			p.value(anyType, v.Elem(), depth+1, methods)
			return
		}
		p.reference(t, v)
	default:
		p.reference(t, v)
	}
}

// reference prints what is only an address by its type.
func (p *printer) reference(t types.Type, v reflect.Value) {
	switch {
	case v.Kind() != reflect.UnsafePointer && v.IsNil():
		p.nilText(nil)
	case types.IsInterface(t):
		p.sb.WriteString(v.Type().String())
	default:
		p.sb.WriteString(TypeString(t))
	}
}
