// Values that contain themselves: fmt follows them until the stack ends, and that ends the process.

package rt

import "reflect"

// maxNesting is how deep a value may be nested that fmt is given, in maps, slices, arrays and structs.
const maxNesting = 1000

// selfText stands for a value that contains itself.
const selfText = "(contains itself)"

// Endless reports whether fmt would not come to the end of v: a map or slice that contains itself.
// fmt follows a pointer only at the top, and prints others as numbers.
func Endless(v any) bool {
	return endless(reflect.ValueOf(v), 0)
}

func endless(v reflect.Value, depth int) bool {
	if depth > maxNesting {
		return true
	}
	switch v.Kind() {
	case reflect.Pointer:
		return depth == 0 && !v.IsNil() && endless(v.Elem(), 1)
	case reflect.Interface:
		return !v.IsNil() && endless(v.Elem(), depth+1)
	case reflect.Map:
		if !nests(v.Type().Elem()) {
			return false
		}
		for it := v.MapRange(); it.Next(); {
			if endless(it.Value(), depth+1) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		if !nests(v.Type().Elem()) {
			return false
		}
		for i := range v.Len() {
			if endless(v.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if nests(v.Type().Field(i).Type) && endless(v.Field(i), depth+1) {
				return true
			}
		}
	}
	return false
}

// nests reports whether a value of type t can hold further values that fmt prints.
func nests(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Map, reflect.Slice, reflect.Array, reflect.Struct:
		return true
	}
	return false
}

// mustEnd panics if fmt would not come to the end of one of a.
func mustEnd(a []any) {
	for _, v := range a {
		if Endless(v) {
			panic(runtimeError("stack overflow: a value that contains itself cannot be printed"))
		}
	}
}
