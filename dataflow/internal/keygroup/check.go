package keygroup

import (
	"fmt"
	"reflect"
	"strings"

	"flinkish/dataflow/internal/fault"
)

// CheckKeyType reports whether values of t can be keys: the error is a *fault.Error that names every
// component that cannot. An interface type passes; its values are checked one by one when they are hashed.
func CheckKeyType(t reflect.Type) error {
	if bad := check(t); bad != nil {
		return bad
	}
	return nil
}

func check(t reflect.Type) *fault.Error {
	if t == nil {
		return noKey()
	}
	var bad []string
	walk(t, "", &bad)
	if len(bad) == 0 {
		return nil
	}
	return fault.New("InvalidProgram", "KeyBy", "type %s cannot be a key: %s; key by a basic type, or a struct of basic types",
		t, strings.Join(bad, "; "))
}

// noKey is the error of a nil key.
func noKey() *fault.Error {
	return fault.New("NullPointer", "KeyBy", "could not extract the key: the key selector returned nil; filter such records out before KeyBy")
}

// walk collects the components of t, depth first, that have no hash code which is equal for equal values.
func walk(t reflect.Type, path string, bad *[]string) {
	if t == timeType || t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(hashCoderType) && t.Comparable() {
		return
	}
	why := ""
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				walk(f.Type, path+"."+f.Name, bad)
			}
		}
	case reflect.Array, reflect.Slice:
		why = "an array or slice has no hash code of its contents"
	case reflect.Map:
		why = "a map is not comparable"
	case reflect.Func:
		why = "a function is not comparable"
	case reflect.Chan:
		why = "a channel is known by its identity only"
	case reflect.Pointer, reflect.UnsafePointer:
		why = "a pointer is known by its address, so equal values would be different keys"
	case reflect.Complex64, reflect.Complex128:
		why = "a complex number has no hash code"
	}
	if why == "" {
		return
	}
	if path == "" {
		*bad = append(*bad, why)
	} else {
		*bad = append(*bad, fmt.Sprintf("field %s (%s): %s", path[1:], t, why))
	}
}
