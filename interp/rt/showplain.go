// Plain values: lists and maps in an interface that are of no type of the user but may hold values of such types, as
// []any does.

package rt

import (
	"go/token"
	"go/types"
	"reflect"
)

// inner is the type to walk v by, which t, the type that is known of it, is too little for; nil: nothing inside needs a look.
func inner(t types.Type, v reflect.Value) types.Type {
	if _, ok := types.Unalias(t).Underlying().(*types.Interface); ok {
		if !holdsInterface(v.Type()) {
			return nil
		}
		return plainType(v.Type())
	}
	if mentionsUser(t) || v.Type().Name() == "" && holdsInterface(v.Type()) {
		return t
	}
	return nil
}

// holdsInterface reports whether a list, map or pointer without a name has interfaces inside.
func holdsInterface(t reflect.Type) bool {
	if t.Name() != "" {
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return t.Elem().Kind() == reflect.Interface || holdsInterface(t.Elem())
	case reflect.Map:
		return t.Key().Kind() == reflect.Interface || t.Elem().Kind() == reflect.Interface || holdsInterface(t.Key()) || holdsInterface(t.Elem())
	}
	return false
}

// plainType is t in the form of go/types. Types with a name keep only that.
func plainType(t reflect.Type) types.Type {
	if t.PkgPath() != "" {
		pkg := types.NewPackage(t.PkgPath(), pkgName(t))
		return types.NewNamed(types.NewTypeName(token.NoPos, pkg, t.Name(), nil), types.NewStruct(nil, nil), nil)
	}
	switch t.Kind() {
	case reflect.Slice:
		return types.NewSlice(plainType(t.Elem()))
	case reflect.Array:
		return types.NewArray(plainType(t.Elem()), int64(t.Len()))
	case reflect.Pointer:
		return types.NewPointer(plainType(t.Elem()))
	case reflect.Map:
		return types.NewMap(plainType(t.Key()), plainType(t.Elem()))
	}
	if o := types.Universe.Lookup(t.Name()); o != nil {
		return o.Type()
	}
	return anyType
}

// pkgName is the name of the package of t, which stands before the dot.
func pkgName(t reflect.Type) string {
	s := t.String()
	return s[:len(s)-len(t.Name())-1]
}

// bytesOf is a list of bytes as fmt takes it for the verbs of texts; ok is false for other values and verbs.
func (p *printer) bytesOf(v reflect.Value) (b []byte, ok bool) {
	if v.Type().Elem().Kind() != reflect.Uint8 {
		return nil, false
	}
	switch p.verb {
	case 's', 'q', 'x', 'X':
	default:
		return nil, false
	}
	b = make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return b, true
}
