package dataflow

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// javaText is the text of a value as Print writes it: what its String or Error method says; else Java's
// text for basic values, tuples, slices and maps; else Go's. A map's entries are sorted by key, so that
// the text repeats. A pointer has the text of what it points to.
func javaText(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		return x
	}
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer && r.IsNil() {
		return "null" // its methods may not bear it
	}
	switch x := v.(type) {
	case error:
		return x.Error()
	case fmt.Stringer:
		return x.String()
	}
	return reflectText(r)
}

func reflectText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Float64:
		return javaFloat(v.Float(), 64)
	case reflect.Float32:
		return javaFloat(v.Float(), 32)
	case reflect.Slice, reflect.Array:
		return "[" + strings.Join(texts(v.Len(), func(i int) reflect.Value { return v.Index(i) }), ", ") + "]"
	case reflect.Map:
		return "{" + strings.Join(entries(v), ", ") + "}"
	case reflect.Struct:
		if isTuple(v.Type()) {
			return "(" + strings.Join(texts(v.NumField(), v.Field), ",") + ")"
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "null"
		}
		if e := v.Elem(); e.Kind() != reflect.Struct || isTuple(e.Type()) {
			return elementText(e) // an address would tell nothing, and differ from run to run
		}
	}
	return fmt.Sprint(v.Interface())
}

func texts(n int, at func(int) reflect.Value) []string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = elementText(at(i))
	}
	return parts
}

// elementText is the text of a part of a value; an unexported field has no methods to ask.
func elementText(v reflect.Value) string {
	if v.CanInterface() {
		return javaText(v.Interface())
	}
	return fmt.Sprint(v)
}

func entries(v reflect.Value) []string {
	keys := v.MapKeys()
	slices.SortFunc(keys, compareValues)
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = elementText(k) + "=" + elementText(v.MapIndex(k))
	}
	return parts
}

// compareValues orders numbers by value and everything else by its text.
func compareValues(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(elementText(a), elementText(b))
}

// javaFloat is Double.toString or Float.toString: always with a point, with an exponent outside of
// [0.001, 10000000).
func javaFloat(f float64, bits int) string {
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-3 || a >= 1e7) {
		s := strconv.FormatFloat(f, 'e', -1, bits)
		if !strings.Contains(s, ".") {
			s = strconv.FormatFloat(f, 'e', 1, bits) // of two digits the nearest, where one would do: 4.9E-324
		}
		digits, exp, _ := strings.Cut(s, "e")
		n, _ := strconv.Atoi(exp)
		return digits + "E" + strconv.Itoa(n)
	}
	return withPoint(strconv.FormatFloat(f, 'f', -1, bits))
}

func withPoint(s string) string {
	if strings.Contains(s, ".") {
		return s
	}
	return s + ".0"
}
