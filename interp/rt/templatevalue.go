// Values of the cells inside of a template.

package rt

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"text/template"
)

// templateValues evaluates what a template says about values of the user's types. Its functions take and give
// reflect.Value, as package template allows, for a template knows whether there is a value at all.
type templateValues struct {
	reg     *Registry
	missing int // what a key is that a map has not: keyInvalid and its kin
}

// placed is a value whose address is known, so that it has the methods of its pointer.
type placed struct {
	Boxed
	at reflect.Value
}

// typed is a value and its type as the user knows it; nil: as package reflect does. held is the interface type in which
// it lies, if it lies in one.
type typed struct {
	t    types.Type
	v    reflect.Value
	held string
}

// from is what a template has in its hand.
func (templateValues) from(v reflect.Value) typed {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() != reflect.Struct || !v.CanInterface() {
		return typed{v: v}
	}
	x := v.Interface()
	if p, ok := x.(placed); ok {
		return typed{t: p.D.Type, v: p.at}
	}
	if b, ok := AsBoxed(x); ok {
		return typed{t: b.D.Type, v: reflect.ValueOf(b.V)}
	}
	return typed{v: v}
}

// give hands x to the template.
func (tv templateValues) give(x typed) reflect.Value {
	x = x.opened()
	if x.t == nil || !x.v.IsValid() || types.IsInterface(x.t) {
		return x.v
	}
	if _, isFunc := x.t.Underlying().(*types.Signature); !isFunc && !mentionsUser(x.t) {
		return x.v
	}
	b := Boxed{tv.reg.known(x.t), x.v.Interface()}
	if x.v.CanAddr() {
		return reflect.ValueOf(placed{b, x.v})
	}
	return reflect.ValueOf(b)
}

// opened is x without the any by which a value of a recursive type is known.
func (x typed) opened() typed {
	if x.t == nil || x.v.Kind() != reflect.Interface || types.IsInterface(x.t) {
		return x
	}
	if x.v.IsNil() {
		return typed{t: x.t, v: emptyOf(x.t)}
	}
	return typed{t: x.t, v: x.v.Elem()}
}

// follower is a function that follows names, the last with arguments.
func (tv templateValues) follower(path []string, s site) func(recv reflect.Value, args ...reflect.Value) (reflect.Value, error) {
	return func(recv reflect.Value, args ...reflect.Value) (reflect.Value, error) {
		x := typed{v: recv}
		for i, name := range path {
			var as []reflect.Value
			if i == len(path)-1 {
				as = args
			}
			var err error
			if x, err = tv.field(tv.held(x), name, as, s); err != nil {
				return reflect.Value{}, err
			}
		}
		return tv.give(x), nil
	}
}

// held is x, or what the interface x holds.
func (tv templateValues) held(x typed) typed {
	if x = x.opened(); !x.v.IsValid() || x.t != nil && !types.IsInterface(x.t) {
		return x
	}
	r := tv.from(x.v)
	switch t := x.v.Type(); {
	case x.v.Kind() != reflect.Interface || t == reflect.TypeFor[item]():
	case x.t != nil:
		r.held = GoTypeString(x.t)
	default:
		r.held = t.String()
	}
	return r
}

// typeName is how errors call the type of x.
func (x typed) typeName() string {
	if x.held != "" {
		return x.held
	}
	if x.t != nil {
		return GoTypeString(x.t)
	}
	return TypeName(x.v.Interface())
}

// field is field, method or map element name of x, as a template finds it at s.
func (tv templateValues) field(x typed, name string, args []reflect.Value, s site) (typed, error) {
	switch {
	case !x.v.IsValid() && x.held != "":
		return typed{}, s.fail(fmt.Errorf("nil pointer evaluating %s.%s", x.held, name))
	case !x.v.IsValid() && tv.missing == keyError:
		return typed{}, s.fail(fmt.Errorf("nil data; no entry for key %q", name))
	case !x.v.IsValid():
		return typed{}, nil
	}
	whole := x
	if r, ok := tv.method(x, name); ok {
		return r.call(tv, name, args, s)
	}
	for x.v.Kind() == reflect.Pointer || x.v.Kind() == reflect.Interface {
		if x.v.IsNil() {
			return typed{}, s.fail(x.throughNil(name, whole))
		}
		x = x.elem(tv)
		if r, ok := tv.method(x, name); ok {
			return r.call(tv, name, args, s)
		}
	}
	switch x.v.Kind() {
	case reflect.Struct:
		if f, ok, err := x.structField(name, whole); ok {
			if err == nil && len(args) > 0 {
				err = fmt.Errorf("%s has arguments but cannot be invoked as function", name)
			}
			if err != nil {
				err = s.fail(err)
			}
			return f, err
		}
	case reflect.Map:
		if k := x.keyType(); x.v.Type().Key() != reflect.TypeFor[string]() || k != nil && !types.Identical(k, types.Typ[types.String]) {
			break
		}
		if len(args) > 0 {
			return typed{}, s.fail(fmt.Errorf("%s is not a method but has arguments", name))
		}
		e := x.v.MapIndex(reflect.ValueOf(name))
		switch {
		case e.IsValid() || tv.missing == keyInvalid:
		case tv.missing == keyError:
			return typed{}, s.fail(fmt.Errorf("map has no entry for key %q", name))
		default:
			e = reflect.Zero(x.v.Type().Elem())
		}
		return typed{t: x.elemType(), v: e}, nil
	}
	return typed{}, s.fail(fmt.Errorf("can't evaluate field %s in type %s", name, whole.typeName()))
}

// throughNil is the error of field name behind the nil pointer x.
func (x typed) throughNil(name string, whole typed) error {
	if x.t != nil {
		if s, ok := x.elemType().Underlying().(*types.Struct); ok {
			if o, _, _ := types.LookupFieldOrMethod(types.NewPointer(s), true, packageOf(x.elemType()), name); o == nil {
				return fmt.Errorf("can't evaluate field %s in type %s", name, whole.typeName())
			}
		}
	}
	return fmt.Errorf("nil pointer evaluating %s.%s", whole.typeName(), name)
}

// elem is what the pointer or interface x leads to.
func (x typed) elem(tv templateValues) typed {
	if x.v.Kind() == reflect.Interface {
		return tv.from(x.v)
	}
	return typed{t: x.elemType(), v: x.v.Elem()}.opened()
}

// elemType is the type of the elements of x as the user knows it.
func (x typed) elemType() types.Type {
	if x.t == nil {
		return nil
	}
	if e, ok := x.t.Underlying().(interface{ Elem() types.Type }); ok {
		return e.Elem()
	}
	return nil
}

// sliceType is the type of a part of x.
func (x typed) sliceType() types.Type {
	if x.t == nil {
		return nil
	}
	if a, ok := x.t.Underlying().(*types.Array); ok {
		return types.NewSlice(a.Elem())
	}
	return x.t
}

// keyType is the type of the keys of map x as the user knows it.
func (x typed) keyType() types.Type {
	if x.t == nil {
		return nil
	}
	return x.t.Underlying().(*types.Map).Key()
}

// structField is field name of struct x; ok tells that there is one.
func (x typed) structField(name string, whole typed) (f typed, ok bool, err error) {
	unexported := fmt.Errorf("%s is an unexported field of struct type %s", name, whole.typeName())
	if x.t == nil {
		sf, ok := x.v.Type().FieldByName(name)
		if !ok || !sf.IsExported() {
			return typed{}, ok, unexported
		}
		v, err := x.v.FieldByIndexErr(sf.Index)
		return typed{v: v}, true, err
	}
	o, index, _ := types.LookupFieldOrMethod(x.t, true, packageOf(x.t), name)
	field, ok := o.(*types.Var)
	if !ok {
		return typed{}, false, nil
	}
	if !token.IsExported(name) {
		return typed{}, true, unexported
	}
	v, ok := fieldAt(x.v, index)
	if !ok {
		return typed{}, true, errors.New("reflect: indirection through nil pointer to embedded struct field " + x.nilEmbedded(index))
	}
	return typed{t: field.Type(), v: v}, true, nil
}

// nilEmbedded is the name of the embedded field of x, on the way along index, that is a nil pointer.
func (x typed) nilEmbedded(index []int) string {
	t, name := x.t, ""
	for k, i := range index {
		if _, ok := fieldAt(x.v, index[:k+1]); !ok {
			break
		}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		t, name = f.Type(), f.Name()
	}
	return name
}

// packageOf is the package whose unexported names count for t.
func packageOf(t types.Type) *types.Package {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

// truth is v, or what is false if v stands for that: a template takes a box for true.
func (tv templateValues) truth(v reflect.Value) reflect.Value {
	x := tv.from(v)
	if x.t == nil || !x.v.CanInterface() {
		return v
	}
	if is, ok := template.IsTrue(x.v.Interface()); ok && !is {
		return x.v
	}
	return v
}

// each is v as range visits it.
func (tv templateValues) each(v reflect.Value) reflect.Value {
	x := tv.from(v)
	for x.t != nil && x.v.IsValid() && x.v.Kind() == reflect.Pointer && !x.v.IsNil() {
		x = x.elem(tv)
	}
	if x.t == nil {
		return v
	}
	switch u := x.t.Underlying().(type) {
	case *types.Slice, *types.Array:
		list := make([]item, x.v.Len())
		for i := range list {
			list[i] = anyOf(tv.give(typed{t: x.elemType(), v: x.v.Index(i)}))
		}
		return reflect.ValueOf(list)
	case *types.Map:
		m := make(map[item]item, x.v.Len())
		for it := x.v.MapRange(); it.Next(); {
			m[anyOf(tv.give(typed{t: u.Key(), v: it.Key()}))] = anyOf(tv.give(typed{t: u.Elem(), v: it.Value()}))
		}
		return reflect.ValueOf(m)
	case *types.Chan:
		if x.v.IsNil() {
			return x.v
		}
		return reflect.ValueOf(func(yield func(item) bool) {
			for v, ok := x.v.Recv(); ok && yield(anyOf(tv.give(typed{t: u.Elem(), v: v}))); v, ok = x.v.Recv() {
			}
		})
	case *types.Signature:
		if !x.v.IsNil() && u.Results().Len() == 0 {
			return reflect.ValueOf(tv.sequence(u, x.v))
		}
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			return reflect.ValueOf(func(yield func(item) bool) {
				for v := range x.v.Seq() {
					if !yield(anyOf(tv.give(typed{t: x.t, v: v}))) {
						return
					}
				}
			})
		}
	}
	return x.v
}

// function is v where the function call of a template calls it; text is how the template calls v.
func (tv templateValues) function(v reflect.Value, text string) (reflect.Value, error) {
	x := tv.from(v)
	if x.t == nil {
		return v, nil
	}
	if _, ok := x.t.Underlying().(*types.Signature); !ok {
		return v, fmt.Errorf("non-function %s of type %s", text, GoTypeString(x.t))
	}
	if err := (templateCallee{fn: x.v, sig: x.t.Underlying().(*types.Signature)}).good(text); err != nil {
		return v, err
	}
	return reflect.ValueOf(templateFunc(tv.reg.known(x.t), x.v.Interface(), true)), nil
}

// item is an interface that only range made, which is no type of the user's.
type item any

func anyOf(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	return v.Interface()
}
