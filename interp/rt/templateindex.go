// index and slice of templates, over values of the user's types.

package rt

import (
	"errors"
	"fmt"
	"reflect"
)

// index is the function index of templates.
func (tv templateValues) index(item reflect.Value, keys ...reflect.Value) (reflect.Value, error) {
	for _, k := range keys {
		x := tv.from(item)
		for x.v.IsValid() && x.v.Kind() == reflect.Pointer && !x.v.IsNil() {
			x = x.elem(tv)
		}
		if !x.v.IsValid() {
			return reflect.Value{}, errors.New("index of untyped nil")
		}
		key := tv.unboxed(k)
		switch x.v.Kind() {
		case reflect.Map:
			key, err := argument(key, x.v.Type().Key(), x.keyType())
			if err != nil {
				return reflect.Value{}, err
			}
			e := x.v.MapIndex(key)
			if !e.IsValid() {
				e = reflect.Zero(x.v.Type().Elem())
			}
			item = tv.give(typed{t: x.elemType(), v: e})
		case reflect.Slice, reflect.Array, reflect.String:
			i, err := argument(key, reflect.TypeFor[int](), nil)
			if err != nil {
				return reflect.Value{}, fmt.Errorf("cannot index slice/array with type %s", typed{v: key}.typeName())
			}
			if n := int(i.Int()); n < 0 || n >= x.v.Len() {
				return reflect.Value{}, fmt.Errorf("index out of range: %d", n)
			}
			item = tv.give(typed{t: x.elemType(), v: x.v.Index(int(i.Int()))})
		default:
			return reflect.Value{}, fmt.Errorf("can't index item of type %s", x.typeName())
		}
	}
	return item, nil
}

// slice is the function slice of templates.
func (tv templateValues) slice(item reflect.Value, ends ...int) (reflect.Value, error) {
	x := tv.from(item)
	if !x.v.IsValid() || x.v.Kind() != reflect.Slice && x.v.Kind() != reflect.String && x.v.Kind() != reflect.Array {
		return reflect.Value{}, errors.New("can't slice this item")
	}
	at := []int{0, x.v.Len()}
	copy(at, ends)
	for _, n := range at {
		if n < 0 || n > x.v.Len() || at[0] > at[1] {
			return reflect.Value{}, fmt.Errorf("index out of range: %d", n)
		}
	}
	return tv.give(typed{t: x.t, v: x.v.Slice(at[0], at[1])}), nil
}
