// What a template prints of values of the cells.

package rt

import (
	"fmt"
	"go/types"
	"reflect"
)

// printed is v as a template prints it: without the & of a pointer, and by the methods of its address. by is the action that
// prints it; nil: a function does.
func (tv templateValues) printed(v reflect.Value, by *action) (reflect.Value, error) {
	x := tv.from(v)
	if x.v.IsValid() && (x.v.Kind() == reflect.Chan || x.v.Kind() == reflect.Func) && by != nil {
		return v, &templateFail{by.template, by.at, fmt.Errorf("can't print %s of type %s", by.text, x.typeName())}
	}
	if x.t == nil {
		return v, nil
	}
	if x.v.Kind() == reflect.String {
		return tv.plain(v), nil
	}
	if _, ok := x.t.Underlying().(*types.Pointer); ok {
		if e := x.elemType(); !x.v.IsNil() && !tv.hasText(e) && !tv.hasText(x.t) {
			return tv.printed(reflect.ValueOf(Boxed{tv.reg.known(e), x.v.Elem().Interface()}), by)
		}
	}
	if p := types.NewPointer(x.t); x.v.CanAddr() && !tv.hasText(x.t) && tv.hasText(p) {
		return reflect.ValueOf(Boxed{tv.reg.known(p), x.v.Addr().Interface()}), nil
	}
	return v, nil
}

// inFunction is v as a function of package template that prints its arguments takes it.
func (tv templateValues) inFunction(v reflect.Value) (reflect.Value, error) {
	return tv.printed(v, nil)
}

// plain is v for package fmt, which prints strings without spaces between them.
func (tv templateValues) plain(v reflect.Value) reflect.Value {
	if x := tv.from(v); x.t != nil && x.v.Kind() == reflect.String {
		return reflect.ValueOf(fmt.Sprint(v.Interface()))
	}
	return v
}

// hasText reports whether values of t print themselves.
func (tv templateValues) hasText(t types.Type) bool {
	for _, name := range [...]string{"Error", "String", "Format"} {
		if tv.reg.Lookup(t).Method(name) != nil {
			return true
		}
	}
	return false
}
