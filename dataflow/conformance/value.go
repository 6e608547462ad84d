package conformance

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Value is a piece of a case. Asking it for something that it is not ends the case with an error that
// names the place.
type Value struct {
	node *yaml.Node
	path string // where it stands, for messages
}

// stop is the panic that ends a case; the runner takes it.
type stop struct{ msg string }

func (v Value) bad(want string) {
	panic(stop{fmt.Sprintf("%s: want %s in the YAML", v.path, want)})
}

// Exists reports whether the case has this value.
func (v Value) Exists() bool { return v.node != nil && v.node.Kind != 0 }

// At is the value under a key of a map; it may not exist.
func (v Value) At(key string) Value {
	at := Value{path: v.path + "." + key}
	if v.Exists() && v.node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(v.node.Content); i += 2 {
			if v.node.Content[i].Value == key {
				at.node = v.node.Content[i+1]
			}
		}
	}
	return at
}

// Keys are the keys of a map, in the order of the file.
func (v Value) Keys() []string {
	if !v.Exists() || v.node.Kind != yaml.MappingNode {
		v.bad("a map")
	}
	var keys []string
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		keys = append(keys, v.node.Content[i].Value)
	}
	return keys
}

// List are the elements of a list.
func (v Value) List() []Value {
	if !v.Exists() || v.node.Kind != yaml.SequenceNode {
		v.bad("a list")
	}
	all := make([]Value, len(v.node.Content))
	for i, n := range v.node.Content {
		all[i] = Value{n, v.path + "[" + strconv.Itoa(i) + "]"}
	}
	return all
}

// IsMap reports whether the value is a map, IsList whether it is a list.
func (v Value) IsMap() bool  { return v.Exists() && v.node.Kind == yaml.MappingNode }
func (v Value) IsList() bool { return v.Exists() && v.node.Kind == yaml.SequenceNode }

// Text is a scalar as it stands in the file.
func (v Value) Text() string {
	if !v.Exists() || v.node.Kind != yaml.ScalarNode {
		v.bad("a text")
	}
	return v.node.Value
}

// Int is a whole number.
func (v Value) Int() int64 {
	n, err := strconv.ParseInt(v.Text(), 10, 64)
	if err != nil {
		v.bad("a whole number")
	}
	return n
}

// Bool is true or false; a value that does not exist is false.
func (v Value) Bool() bool { return v.Exists() && v.Text() == "true" }

// Ints is a list of whole numbers.
func (v Value) Ints() []int64 {
	all := []int64{}
	for _, e := range v.List() {
		all = append(all, e.Int())
	}
	return all
}

// Plain is the value as nil, bool, int64, float64, string, []any, or [][2]any for a map.
func (v Value) Plain() any {
	if !v.Exists() {
		v.bad("a value")
	}
	switch v.node.Kind {
	case yaml.SequenceNode:
		all := []any{}
		for _, e := range v.List() {
			all = append(all, e.Plain())
		}
		return all
	case yaml.MappingNode:
		all := [][2]any{}
		for i := 0; i+1 < len(v.node.Content); i += 2 {
			all = append(all, [2]any{Value{v.node.Content[i], v.path}.Plain(), Value{v.node.Content[i+1], v.path}.Plain()})
		}
		return all
	}
	var x any
	if err := v.node.Decode(&x); err != nil {
		v.bad("a scalar")
	}
	if n, ok := x.(int); ok {
		return int64(n)
	}
	return x
}

// As decodes the value into a Go value: a list into a slice, or into the fields of a struct such as a tuple.
func As[X any](v Value) X {
	var x X
	v.decode(reflect.ValueOf(&x).Elem())
	return x
}

// AllAs decodes a list.
func AllAs[X any](v Value) []X { return As[[]X](v) }

func (v Value) decode(into reflect.Value) {
	t := into.Type()
	switch t.Kind() {
	case reflect.Struct:
		all := v.List()
		if len(all) > t.NumField() {
			v.bad("at most " + strconv.Itoa(t.NumField()) + " elements")
		}
		for i, e := range all {
			e.decode(into.Field(i))
		}
	case reflect.Slice:
		all := v.List()
		into.Set(reflect.MakeSlice(t, len(all), len(all)))
		for i, e := range all {
			e.decode(into.Index(i))
		}
	case reflect.Interface:
		if x := v.Plain(); x != nil {
			into.Set(reflect.ValueOf(x))
		}
	default:
		if !v.Exists() || v.node.Decode(into.Addr().Interface()) != nil {
			v.bad("a " + t.String())
		}
	}
}

// plainOf is a Go value in the form of Value.Plain: structs such as tuples become lists.
func plainOf(x any) any {
	if x == nil {
		return nil
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(v.Uint())
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.String:
		return v.String()
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plainOf(v.Elem().Interface())
	case reflect.Slice, reflect.Array:
		all := []any{}
		for i := range v.Len() {
			all = append(all, plainOf(v.Index(i).Interface()))
		}
		return all
	case reflect.Struct:
		all := []any{}
		for i := range v.NumField() {
			all = append(all, plainOf(v.Field(i).Interface()))
		}
		return all
	}
	return fmt.Sprint(x)
}

// textOf writes a plain value so that equal values have equal texts, and others have not.
func textOf(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(x)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case []any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = textOf(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case [][2]any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = textOf(e[0]) + ": " + textOf(e[1])
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(x)
}
