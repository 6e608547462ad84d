// The order of values: that in which printing lists the keys of a map.

package rt

import (
	"fmt"
	"reflect"
	"sort"
)

// SortedKeys gives the keys of a map in fmt's order.
func SortedKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	sort.SliceStable(keys, func(i, j int) bool { return less(keys[i], keys[j]) })
	return keys
}

func less(a, b reflect.Value) bool {
	for a.Kind() == reflect.Interface {
		a = a.Elem()
	}
	for b.Kind() == reflect.Interface {
		b = b.Elem()
	}
	if !a.IsValid() || !b.IsValid() {
		return !a.IsValid() && b.IsValid()
	}
	if a.Kind() != b.Kind() {
		return a.Kind() < b.Kind()
	}
	switch {
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	case a.CanFloat():
		return a.Float() < b.Float() || a.Float() != a.Float() && b.Float() == b.Float()
	}
	switch a.Kind() {
	case reflect.String:
		return a.String() < b.String()
	case reflect.Bool:
		return !a.Bool() && b.Bool()
	case reflect.Struct, reflect.Array:
		return lessParts(a, b)
	}
	return fmt.Sprint(a) < fmt.Sprint(b)
}

func lessParts(a, b reflect.Value) bool {
	n, at := 0, reflect.Value.Field
	if a.Kind() == reflect.Array {
		n, at = min(a.Len(), b.Len()), reflect.Value.Index
	} else {
		n = min(a.NumField(), b.NumField())
	}
	for i := range n {
		if less(at(a, i), at(b, i)) {
			return true
		}
		if less(at(b, i), at(a, i)) {
			return false
		}
	}
	return false
}
