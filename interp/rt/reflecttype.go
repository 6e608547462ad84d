// What package reflect says of the types of the cells: a reflect.Type that answers from the type as the user wrote it.

package rt

import (
	"fmt"
	"go/token"
	"go/types"
	"iter"
	"reflect"
)

// userType is the reflect.Type of a type of the cells. There is one for each type, so that == compares types.
type userType struct {
	reflect.Type // nil: it is here for the methods that only package reflect can write
	reg          *Registry
	t            types.Type
	r            reflect.Type // what stands for it in the running program
}

// reflectOf is the reflect.Type of d, for which pointer points to a value.
func reflectOf(d *Desc, pointer any) reflect.Type {
	return d.reg.reflect(d.Type, reflect.TypeOf(pointer).Elem())
}

// reflect is the reflect.Type of t, for which r stands in the running program.
func (reg *Registry) reflect(t types.Type, r reflect.Type) reflect.Type {
	t = types.Unalias(t)
	if !boxes(t) {
		return r
	}
	if !types.IsInterface(t) && (r == nil || r.Kind() == reflect.Interface) {
		if w := reg.Whole(t); w != nil {
			r = w
		}
	}
	reg.mu.Lock()
	defer reg.mu.Unlock()
	if u, ok := reg.types.At(t).(*userType); ok {
		return u
	}
	u := &userType{reg: reg, t: t, r: r}
	reg.types.Set(t, u)
	return u
}

// boxes reports whether values of t lie in a box in an interface, because another type stands for t.
func boxes(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		p := u.Obj().Pkg()
		return p != nil && (p.Path() == "main" || p.Path() == "flinkish/dataflow")
	case *types.Struct:
		return u.NumFields() > 0
	case *types.Interface:
		return u.NumMethods() > 0
	case *types.Map:
		return boxes(u.Key()) || boxes(u.Elem())
	case *types.Signature:
		if u.Variadic() {
			return true
		}
		for _, vs := range [...]*types.Tuple{u.Params(), u.Results()} {
			for v := range vs.Variables() {
				if boxes(v.Type()) {
					return true
				}
			}
		}
	case interface{ Elem() types.Type }:
		return boxes(u.Elem())
	}
	return false
}

// refuse panics for what a type of the cells cannot tell.
func (u *userType) refuse(method string) {
	panic(runtimeError("reflect.Type." + method + " does not see the types of a cell, such as " + u.String()))
}

// wrong panics as package reflect does for a type of another kind.
func (u *userType) wrong(method, what string) {
	panic("reflect: " + method + " of " + what + " " + u.String())
}

func (u *userType) String() string { return GoTypeString(u.t) }

func (u *userType) Name() string {
	if n, ok := u.t.(*types.Named); ok {
		s := GoTypeString(n)
		for i := 0; i < len(s) && s[i] != '['; i++ {
			if s[i] == '.' {
				return s[i+1:]
			}
		}
		return s
	}
	return ""
}

func (u *userType) PkgPath() string {
	if n, ok := u.t.(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

func (u *userType) Kind() reflect.Kind {
	switch t := u.t.Underlying().(type) {
	case *types.Struct:
		return reflect.Struct
	case *types.Pointer:
		return reflect.Pointer
	case *types.Slice:
		return reflect.Slice
	case *types.Array:
		return reflect.Array
	case *types.Map:
		return reflect.Map
	case *types.Chan:
		return reflect.Chan
	case *types.Signature:
		return reflect.Func
	case *types.Interface:
		return reflect.Interface
	case *types.Basic:
		return basicKinds[t.Kind()].Kind()
	}
	return reflect.Invalid
}

var compiledSizes = types.SizesFor("gc", "amd64")

func (u *userType) Size() uintptr   { return uintptr(compiledSizes.Sizeof(u.t)) }
func (u *userType) Align() int      { return int(compiledSizes.Alignof(u.t)) }
func (u *userType) FieldAlign() int { return u.Align() }

func (u *userType) Comparable() bool { return types.Comparable(u.t) }

func (u *userType) Implements(t reflect.Type) bool {
	if w, ok := t.(*userType); ok {
		if it, ok := w.t.Underlying().(*types.Interface); ok {
			return types.Implements(u.t, it)
		}
		panic("reflect: non-interface type passed to Type.Implements")
	}
	if t.Kind() == reflect.Interface && t.NumMethod() == 0 {
		return true
	}
	for m := range t.Methods() {
		o, _, _ := types.LookupFieldOrMethod(u.t, false, packageOf(u.t), m.Name)
		f, ok := o.(*types.Func)
		if !ok || f.Signature().Params().Len() != m.Type.NumIn() || f.Signature().Results().Len() != m.Type.NumOut() {
			return false
		}
	}
	return true
}

func (u *userType) AssignableTo(t reflect.Type) bool {
	if w, ok := t.(*userType); ok {
		return types.AssignableTo(u.t, w.t)
	}
	if t.Kind() == reflect.Interface {
		return u.Implements(t)
	}
	u.refuse("AssignableTo")
	return false
}

func (u *userType) ConvertibleTo(t reflect.Type) bool {
	if w, ok := t.(*userType); ok {
		return types.ConvertibleTo(u.t, w.t)
	}
	if b, ok := u.t.Underlying().(*types.Basic); ok {
		return basicKinds[b.Kind()].ConvertibleTo(t)
	}
	if t.Kind() == reflect.Interface {
		return u.Implements(t)
	}
	u.refuse("ConvertibleTo")
	return false
}

// part is the type t of a part of u, for which r is in the running program; of the type of a method there is nothing
// there.
func (u *userType) part(method string, t types.Type, r func() reflect.Type) reflect.Type {
	if u.r != nil {
		return u.reg.reflect(t, r())
	}
	if b, ok := types.Unalias(t).(*types.Basic); ok {
		return basicKinds[b.Kind()]
	}
	if !boxes(t) {
		u.refuse(method)
	}
	return u.reg.reflect(t, nil)
}

// basic is the compiled type of the same kind.
func (u *userType) basic(method string) reflect.Type {
	b, ok := u.t.Underlying().(*types.Basic)
	if !ok {
		u.wrong(method, "non-arithmetic Type")
	}
	return basicKinds[b.Kind()]
}

func (u *userType) Bits() int { return u.basic("Bits").Bits() }
func (u *userType) OverflowComplex(x complex128) bool {
	return u.basic("OverflowComplex").OverflowComplex(x)
}
func (u *userType) OverflowFloat(x float64) bool { return u.basic("OverflowFloat").OverflowFloat(x) }
func (u *userType) OverflowInt(x int64) bool     { return u.basic("OverflowInt").OverflowInt(x) }
func (u *userType) OverflowUint(x uint64) bool   { return u.basic("OverflowUint").OverflowUint(x) }

func (u *userType) Elem() reflect.Type {
	e, ok := u.t.Underlying().(interface{ Elem() types.Type })
	if !ok {
		u.wrong("Elem", "invalid type")
	}
	return u.part("Elem", e.Elem(), func() reflect.Type { return u.r.Elem() })
}

func (u *userType) Key() reflect.Type {
	m, ok := u.t.Underlying().(*types.Map)
	if !ok {
		u.wrong("Key", "non-map type")
	}
	return u.part("Key", m.Key(), func() reflect.Type { return u.r.Key() })
}

func (u *userType) Len() int {
	a, ok := u.t.Underlying().(*types.Array)
	if !ok {
		u.wrong("Len", "non-array type")
	}
	return int(a.Len())
}

func (u *userType) ChanDir() reflect.ChanDir {
	c, ok := u.t.Underlying().(*types.Chan)
	if !ok {
		u.wrong("ChanDir", "non-chan type")
	}
	return map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}[c.Dir()]
}

func (u *userType) signature(method string) *types.Signature {
	s, ok := u.t.Underlying().(*types.Signature)
	if !ok {
		u.wrong(method, "non-func type")
	}
	return s
}

func (u *userType) IsVariadic() bool { return u.signature("IsVariadic").Variadic() }
func (u *userType) NumIn() int       { return u.signature("NumIn").Params().Len() }
func (u *userType) NumOut() int      { return u.signature("NumOut").Results().Len() }

func (u *userType) In(i int) reflect.Type {
	return u.part("In", u.signature("In").Params().At(i).Type(), func() reflect.Type { return u.r.In(i) })
}

func (u *userType) Out(i int) reflect.Type {
	return u.part("Out", u.signature("Out").Results().At(i).Type(), func() reflect.Type { return u.r.Out(i) })
}

func (u *userType) Ins() iter.Seq[reflect.Type]  { return counted(u.NumIn(), u.In) }
func (u *userType) Outs() iter.Seq[reflect.Type] { return counted(u.NumOut(), u.Out) }

// counted are the n values of at.
func counted[T any](n int, at func(int) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range n {
			if !yield(at(i)) {
				return
			}
		}
	}
}

func (u *userType) structure(method string) *types.Struct {
	s, ok := u.t.Underlying().(*types.Struct)
	if !ok {
		u.wrong(method, "non-struct type")
	}
	return s
}

func (u *userType) NumField() int { return u.structure("NumField").NumFields() }

func (u *userType) Field(i int) reflect.StructField {
	s := u.structure("Field")
	if i < 0 || i >= s.NumFields() {
		panic("reflect: Field index out of bounds")
	}
	var vs []*types.Var
	for f := range s.Fields() {
		vs = append(vs, f)
	}
	f := s.Field(i)
	r := reflect.StructField{
		Name: f.Name(), Type: u.part("Field", f.Type(), func() reflect.Type { return u.r.Field(i).Type }), Tag: reflect.StructTag(s.Tag(i)),
		Offset: uintptr(compiledSizes.Offsetsof(vs)[i]), Index: []int{i}, Anonymous: f.Embedded(),
	}
	if !f.Exported() {
		r.PkgPath = "main"
	}
	return r
}

func (u *userType) Fields() iter.Seq[reflect.StructField] { return counted(u.NumField(), u.Field) }

func (u *userType) FieldByIndex(index []int) reflect.StructField {
	var f reflect.StructField
	for i, x := range index {
		t := reflect.Type(u)
		if i > 0 {
			if t = f.Type; t.Kind() == reflect.Pointer {
				t = t.Elem()
			}
		}
		f = t.Field(x)
	}
	f.Index = index
	return f
}

func (u *userType) FieldByName(name string) (reflect.StructField, bool) {
	u.structure("FieldByName")
	o, index, _ := types.LookupFieldOrMethod(u.t.Underlying(), false, packageOf(u.t), name)
	if v, ok := o.(*types.Var); !ok || !v.IsField() {
		return reflect.StructField{}, false
	}
	return u.FieldByIndex(index), true
}

func (u *userType) FieldByNameFunc(func(string) bool) (reflect.StructField, bool) {
	u.refuse("FieldByNameFunc")
	return reflect.StructField{}, false
}

// methods are the exported methods in the order of their names, or all those of an interface.
func (u *userType) methods() []*types.Func {
	var fs []*types.Func
	for s := range types.NewMethodSet(u.t).Methods() {
		if f := s.Obj().(*types.Func); token.IsExported(f.Origin().Name()) || types.IsInterface(u.t) { // an instance keeps the name that a refused cell took back
			fs = append(fs, f)
		}
	}
	return fs
}

func (u *userType) NumMethod() int { return len(u.methods()) }

func (u *userType) Method(i int) reflect.Method {
	fs := u.methods()
	if i < 0 || i >= len(fs) {
		panic("reflect: Method index out of range")
	}
	f := fs[i]
	sig := f.Signature()
	var in []*types.Var
	if !types.IsInterface(u.t) {
		in = append(in, types.NewParam(token.NoPos, nil, "", u.t))
	}
	for v := range sig.Params().Variables() {
		in = append(in, v)
	}
	t := types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), sig.Results(), sig.Variadic())
	return reflect.Method{Name: f.Name(), Index: i, Type: &userType{reg: u.reg, t: t}}
}

func (u *userType) Methods() iter.Seq[reflect.Method] { return counted(u.NumMethod(), u.Method) }

func (u *userType) MethodByName(name string) (reflect.Method, bool) {
	for i, f := range u.methods() {
		if f.Name() == name {
			return u.Method(i), true
		}
	}
	return reflect.Method{}, false
}

func (u *userType) CanSeq() bool  { u.refuse("CanSeq"); return false }
func (u *userType) CanSeq2() bool { u.refuse("CanSeq2"); return false }

// compiledType is t, which must be a type that package reflect can make values of.
func compiledType(call string, t reflect.Type) reflect.Type {
	if u, ok := t.(*userType); ok {
		panic(runtimeError(fmt.Sprintf("%s does not see the types of a cell, such as %s", call, u.String())))
	}
	return t
}
