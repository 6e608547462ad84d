package state

import (
	"reflect"
	"time"
)

// Copier returns how a value of V is copied so that the copy shares nothing that can change: slices, maps and what
// pointers and interfaces lead to are copied too. Functions and channels are shared.
func Copier[V any]() func(V) V {
	if flat(reflect.TypeFor[V]()) {
		return func(x V) V { return x }
	}
	return func(x V) V {
		if c, ok := any(x).(interface{ clone() V }); ok {
			return c.clone()
		}
		var y V
		copier{}.copy(reflect.ValueOf(&y).Elem(), reflect.ValueOf(&x).Elem())
		return y
	}
}

// flat reports whether an assignment copies a t.
func flat(t reflect.Type) bool {
	if t == reflect.TypeFor[time.Time]() {
		return true // its location is shared and never changes
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return false
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}

// copier keeps the pointers that were followed, so that shared and circular values keep their shape.
type copier map[pointer]reflect.Value

type pointer struct {
	at uintptr
	t  reflect.Type
}

func (c copier) copy(to, from reflect.Value) {
	if flat(from.Type()) {
		to.Set(from)
		return
	}
	switch from.Kind() {
	case reflect.Struct:
		c.fields(to, from)
	case reflect.Array:
		for i := range from.Len() {
			c.copy(to.Index(i), from.Index(i))
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				c.copy(to.Index(i), from.Index(i))
			}
		}
	case reflect.Map:
		c.entries(to, from)
	case reflect.Interface:
		if !from.IsNil() {
			to.Set(c.fresh(from.Elem()))
		}
	case reflect.Pointer:
		c.pointer(to, from)
	default:
		to.Set(from)
	}
}

// fresh is a copy of a value that cannot be addressed.
func (c copier) fresh(from reflect.Value) reflect.Value {
	in, out := reflect.New(from.Type()).Elem(), reflect.New(from.Type()).Elem()
	in.Set(from)
	c.copy(out, in)
	return out
}

// fields copies field by field, also those that are not exported.
func (c copier) fields(to, from reflect.Value) {
	for i := range from.NumField() {
		a, b := to.Field(i), from.Field(i)
		c.copy(reflect.NewAt(a.Type(), a.Addr().UnsafePointer()).Elem(), reflect.NewAt(b.Type(), b.Addr().UnsafePointer()).Elem())
	}
}

func (c copier) entries(to, from reflect.Value) {
	if from.IsNil() {
		return
	}
	to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	for it := from.MapRange(); it.Next(); {
		to.SetMapIndex(it.Key(), c.fresh(it.Value()))
	}
}

func (c copier) pointer(to, from reflect.Value) {
	if from.IsNil() {
		return
	}
	at := pointer{from.Pointer(), from.Type()}
	if known, ok := c[at]; ok {
		to.Set(known)
		return
	}
	p := reflect.New(from.Type().Elem())
	c[at] = p
	to.Set(p)
	c.copy(p.Elem(), from.Elem())
}
