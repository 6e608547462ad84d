// index and slice of templates, over values of the user's types.

package rt

import (
	"errors"
	"fmt"
	"reflect"
)

// index is the function index of templates.
func (tv templateValues) index(item reflect.Value, keys ...reflect.Value) (reflect.Value, error) {
	x := tv.from(item)
	if !x.v.IsValid() {
		return reflect.Value{}, errors.New("index of untyped nil")
	}
	for _, key := range keys {
		for x.v.Kind() == reflect.Pointer || x.v.Kind() == reflect.Interface {
			if x.v.IsNil() {
				return reflect.Value{}, errors.New("index of nil pointer")
			}
			x = x.elem(tv)
		}
		switch x.v.Kind() {
		case reflect.Map:
			key, err := tv.prepared(key, x.v.Type().Key(), x.keyType())
			if err != nil {
				return reflect.Value{}, err
			}
			e := x.v.MapIndex(key)
			if !e.IsValid() {
				e = reflect.Zero(x.v.Type().Elem())
			}
			x = typed{t: x.elemType(), v: e}
		case reflect.Slice, reflect.Array, reflect.String:
			i, err := tv.indexArg(key, x.v.Len())
			if err != nil {
				return reflect.Value{}, err
			}
			if i == x.v.Len() {
				return reflect.Value{}, fmt.Errorf("reflect: %s index out of range", x.v.Kind())
			}
			x = typed{t: x.elemType(), v: x.v.Index(i)}
		default:
			return reflect.Value{}, fmt.Errorf("can't index item of type %s", x.typeName())
		}
	}
	return tv.give(x), nil
}

// indexArg is a number from 0 to n.
func (tv templateValues) indexArg(v reflect.Value, n int) (int, error) {
	x := tv.from(v)
	if !x.v.IsValid() {
		return 0, errors.New("cannot index slice/array with nil")
	}
	if !isInteger(x.v.Kind()) {
		return 0, fmt.Errorf("cannot index slice/array with type %s", x.typeName())
	}
	i := x.v.Convert(reflect.TypeFor[int64]()).Int()
	if i < 0 || i > int64(n) {
		return 0, fmt.Errorf("index out of range: %d", i)
	}
	return int(i), nil
}

// slice is the function slice of templates.
func (tv templateValues) slice(item reflect.Value, ends ...reflect.Value) (reflect.Value, error) {
	x := tv.from(item)
	if !x.v.IsValid() {
		return reflect.Value{}, errors.New("slice of untyped nil")
	}
	if len(ends) > 3 {
		return reflect.Value{}, fmt.Errorf("too many slice indexes: %d", len(ends))
	}
	size := 0
	switch k := x.v.Kind(); {
	case k == reflect.String && len(ends) == 3:
		return reflect.Value{}, errors.New("cannot 3-index slice a string")
	case k == reflect.String:
		size = x.v.Len()
	case k == reflect.Slice || k == reflect.Array:
		size = x.v.Cap()
	default:
		return reflect.Value{}, fmt.Errorf("can't slice item of type %s", x.typeName())
	}
	at := [3]int{0, x.v.Len()}
	for i, end := range ends {
		n, err := tv.indexArg(end, size)
		if err != nil {
			return reflect.Value{}, err
		}
		at[i] = n
	}
	switch {
	case at[0] > at[1]:
		return reflect.Value{}, fmt.Errorf("invalid slice index: %d > %d", at[0], at[1])
	case len(ends) < 3:
		return tv.give(typed{t: x.sliceType(), v: x.v.Slice(at[0], at[1])}), nil
	case at[1] > at[2]:
		return reflect.Value{}, fmt.Errorf("invalid slice index: %d > %d", at[1], at[2])
	}
	return tv.give(typed{t: x.sliceType(), v: x.v.Slice3(at[0], at[1], at[2])}), nil
}
