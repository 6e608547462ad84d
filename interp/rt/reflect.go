// Package reflect for cells: it sees values of compiled types only; what it says of types is in reflecttype.go.

package rt

import "reflect"

// reflectType is reflect.TypeOf for what an interface of the session holds.
func reflectType(x any) reflect.Type {
	if b, ok := AsBoxed(x); ok {
		return b.D.reg.reflect(b.D.Type, reflect.TypeOf(b.V))
	}
	return reflect.TypeOf(x)
}

// reflectValue is reflect.ValueOf for what an interface of the session holds.
func (r *Runtime) reflectValue(x any) reflect.Value {
	r.hidden("reflect.ValueOf", x)
	return reflect.ValueOf(native("reflect.ValueOf", x))
}
