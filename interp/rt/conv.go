package rt

import (
	"fmt"
	"reflect"
)

// Conv gives v the representation of zero: nil becomes the zero value, and structs, slices and maps are
// converted part by part, since a library value and a session's value of one type may be laid out
// differently.
func Conv(v any, zero any) any {
	zt := reflect.TypeOf(zero)
	if zt == nil {
		return v
	}
	r, err := conv(reflect.ValueOf(v), zt)
	if err != nil {
		panic(err)
	}
	return r.Interface()
}

func conv(v reflect.Value, t reflect.Type) (reflect.Value, error) {
	if !v.IsValid() {
		return reflect.Zero(t), nil
	}
	if v.Type() == t {
		return v, nil
	}
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return reflect.Zero(t), nil
		}
		v = v.Elem()
	}
	if t.Kind() != reflect.Interface && v.Kind() == reflect.Struct && v.CanInterface() {
		if b, ok := AsBoxed(v.Interface()); ok {
			return conv(reflect.ValueOf(b.V), t)
		}
	}
	if v.Type().AssignableTo(t) {
		n := reflect.New(t).Elem()
		n.Set(v)
		return n, nil
	}
	if v.Kind() == t.Kind() {
		switch v.Kind() {
		case reflect.Struct:
			return convStruct(v, t)
		case reflect.Slice, reflect.Array:
			return convList(v, t)
		case reflect.Map:
			return convMap(v, t)
		}
		if v.Type().ConvertibleTo(t) {
			return v.Convert(t), nil
		}
	}
	return v, fmt.Errorf("a value of type %v arrived where %v is expected", v.Type(), t)
}

func convStruct(v reflect.Value, t reflect.Type) (reflect.Value, error) {
	n := reflect.New(t).Elem()
	if v.NumField() != t.NumField() {
		return v, fmt.Errorf("a value of type %v arrived where %v is expected", v.Type(), t)
	}
	for i := range t.NumField() {
		f, err := conv(v.Field(i), t.Field(i).Type)
		if err != nil {
			return f, err
		}
		n.Field(i).Set(f)
	}
	return n, nil
}

func convList(v reflect.Value, t reflect.Type) (reflect.Value, error) {
	n := reflect.New(t).Elem()
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return n, nil
		}
		n = reflect.MakeSlice(t, v.Len(), v.Len())
	}
	for i := range n.Len() {
		e, err := conv(v.Index(i), t.Elem())
		if err != nil {
			return e, err
		}
		n.Index(i).Set(e)
	}
	return n, nil
}

func convMap(v reflect.Value, t reflect.Type) (reflect.Value, error) {
	if v.IsNil() {
		return reflect.Zero(t), nil
	}
	n := reflect.MakeMap(t)
	for it := v.MapRange(); it.Next(); {
		k, err := conv(it.Key(), t.Key())
		if err != nil {
			return k, err
		}
		e, err := conv(it.Value(), t.Elem())
		if err != nil {
			return e, err
		}
		n.SetMapIndex(k, e)
	}
	return n, nil
}

// ToAny converts a slice to []any; nil stays nil.
func ToAny(xs any) []any {
	v := reflect.ValueOf(xs)
	if !v.IsValid() || v.Kind() == reflect.Slice && v.IsNil() {
		return nil
	}
	r := make([]any, v.Len())
	for i := range r {
		r[i] = v.Index(i).Interface()
	}
	return r
}

// Clear is the builtin.
func Clear(m any) {
	if v := reflect.ValueOf(m); v.IsValid() {
		v.Clear()
	}
}
