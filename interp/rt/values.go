// Values that yaegi makes wrongly or not at all.

package rt

import (
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"
)

// bound is the receiver of a method value of an interface, which must not be nil.
func bound(v any) any {
	if v == nil {
		panic(errNil)
	}
	return v
}

// panicValue is the value of panic(v), which must not be nil.
func panicValue(v any) any {
	if v == nil {
		panicNil()
	}
	return v
}

// shut is v, a pointer or channel of a recursive type, as it lies in a variable: nil ones are all the same.
func shut(v any) any {
	if p := reflect.ValueOf(v); !p.IsValid() || p.IsNil() {
		return nil
	}
	return v
}

// opened are pointers of a recursive type as records: a nil one is zero, which is none without a type.
func opened(xs []any, zero any) []any {
	r := slices.Clone(xs)
	for i := range r {
		if r[i] == nil {
			r[i] = zero
		}
	}
	return r
}

// runeAt decodes the rune of s at byte i and gives its width in bytes.
func runeAt(s string, i int) (rune, int) { return utf8.DecodeRuneInString(s[i:]) }

// sliceToArray converts a slice to the array, or pointer to an array, that zero points to.
func sliceToArray(s, zero any) any {
	v, t := reflect.ValueOf(s), reflect.TypeOf(zero).Elem()
	n := t
	if t.Kind() == reflect.Pointer {
		n = t.Elem()
	}
	if v.Len() < n.Len() {
		panic(runtimeError(fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", v.Len(), n.Len())))
	}
	return v.Convert(t).Interface()
}
