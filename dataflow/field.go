package dataflow

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// field is one field of a record, found by position or by name once, when the program is built; at run time it
// is an offset.
type field struct {
	expr   string       // as the program wrote it
	root   reflect.Type // of the record: what a pointer or interface holds
	typ    reflect.Type // of the field
	offset uintptr
	index  int // of the element, where root is a slice; its offset is known per record
}

// element is a field that is an element of an array or a slice.
func element(expr string, t reflect.Type, i int) *field {
	if t.Kind() == reflect.Slice {
		return &field{expr: expr, root: t, typ: t.Elem(), index: i}
	}
	return &field{expr: expr, root: t, typ: t.Elem(), offset: uintptr(i) * t.Elem().Size()}
}

// hasElement reports whether t is an array with an element i, or a slice.
func hasElement(t reflect.Type, i int) bool {
	return i >= 0 && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array && i < t.Len())
}

// inSlice is where the element of a slice lies.
func (f *field) inSlice(s reflect.Value) unsafe.Pointer {
	if f.index >= s.Len() {
		panic(kindError("ArrayIndexOutOfBounds", "position %d is not in a slice of %d", f.index, s.Len()))
	}
	return s.Index(f.index).Addr().UnsafePointer()
}

// selector finds a field in a record type.
type selector struct {
	expr string
	find func(s shape) (*field, error)
}

// position selects by position: a field of a tuple, an element of an array or a slice, or 0 for a basic value itself.
func position(pos int) selector {
	s := selector{expr: fmt.Sprint(pos)}
	s.find = func(of shape) (*field, error) {
		t, name := of.t, of.name
		switch {
		case isTuple(t):
			if pos < 0 || pos >= t.NumField() {
				return nil, kindError("IndexOutOfBounds", "position %d is not in %s, which has the positions 0 to %d", pos, name, t.NumField()-1)
			}
			f := t.Field(pos)
			return &field{expr: s.expr, root: t, typ: f.Type, offset: f.Offset}, nil
		case isArray(t):
			if !hasElement(t, pos) {
				return nil, kindError("IndexOutOfBounds", "position %d is not in %s; positions count from 0", pos, name)
			}
			return element(s.expr, t, pos), nil
		case t.Kind() != reflect.Struct && pos == 0:
			return &field{expr: s.expr, root: t, typ: t}, nil
		case t.Kind() == reflect.Struct:
			return nil, kindError("InvalidFieldReference", "%s is not a tuple, so its fields have no positions; use their names (%s)", name, of.exported())
		}
		return nil, kindError("IndexOutOfBounds", "%s is a basic type, which has position 0 only, got %d", name, pos)
	}
	return s
}

// named selects by a field expression: a name, names with dots, f0 for a tuple, a number for an element of an array (or of a
// slice, when it is the record itself), * for a basic value itself.
func named(expr string) selector {
	s := selector{expr: expr}
	s.find = func(at shape) (*field, error) {
		if expr == "*" || expr == "_" {
			return &field{expr: expr, root: at.t, typ: at.t}, nil
		}
		if i, err := strconv.Atoi(expr); err == nil && isArray(at.t) {
			return position(i).find(at)
		}
		f := &field{expr: expr, root: at.t}
		for name := range strings.SplitSeq(expr, ".") {
			part, offset, err := at.component(name)
			if err != nil {
				return nil, err
			}
			at, f.offset = part, f.offset+offset
		}
		f.typ = at.t
		return f, nil
	}
	return s
}

func isArray(t reflect.Type) bool { return t.Kind() == reflect.Array || t.Kind() == reflect.Slice }

// record returns the struct or basic type that a stream of type t holds, nil when it is known at run time only.
func record(t Type) reflect.Type {
	rt := dynamic(t)
	if rt != nil && rt.Kind() == reflect.Pointer {
		return rt.Elem()
	}
	return rt
}

// recordName is what the program calls the record of a stream of type t.
func recordName(t Type) string { return strings.TrimPrefix(t.String(), "*") }

// fieldType names the type of a field. In a session the types of structs have no names.
func fieldType(t reflect.Type) string {
	if t.Kind() == reflect.Struct && t.Name() == "" {
		return "a struct"
	}
	return typeName(t)
}

// access reaches into records of T for one selector.
type access[T any] struct {
	sel    selector
	of     Type
	direct *field // where T itself is the record
	mu     sync.Mutex
	byType map[reflect.Type]*field // where T is an interface or a pointer
}

// newAccess checks the selector against the record type, unless only the records know it.
func newAccess[T any](sel selector, t Type) (*access[T], *field, error) {
	a := &access[T]{sel: sel, of: t, byType: map[reflect.Type]*field{}}
	rt := record(t)
	if rt == nil {
		return a, nil, nil
	}
	f, err := sel.find(shape{t: rt, name: recordName(t), of: t})
	if err == nil && rt == reflect.TypeFor[T]() && rt.Kind() != reflect.Slice {
		a.direct = f
	}
	return a, f, err
}

// at returns where the field of *v lies, for reading.
func (a *access[T]) at(v *T) (unsafe.Pointer, *field) {
	if a.direct != nil {
		return unsafe.Add(unsafe.Pointer(v), a.direct.offset), a.direct
	}
	r := reflect.ValueOf(any(*v))
	if r.Kind() == reflect.Pointer && !r.IsNil() {
		f := a.fieldOf(r.Type().Elem())
		if r.Elem().Kind() == reflect.Slice {
			return f.inSlice(r.Elem()), f
		}
		return unsafe.Add(r.UnsafePointer(), f.offset), f
	}
	return a.copied(r)
}

// copied returns the field of a fresh copy of what r holds.
func (a *access[T]) copied(r reflect.Value) (unsafe.Pointer, *field) {
	if !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		panic(kindError("NullPointer", "a nil record has no field %s", a.sel.expr))
	}
	f := a.fieldOf(r.Type())
	if r.Kind() == reflect.Slice {
		return f.inSlice(r), f
	}
	c := reflect.New(r.Type())
	c.Elem().Set(r)
	return unsafe.Add(c.UnsafePointer(), f.offset), f
}

func (a *access[T]) fieldOf(t reflect.Type) *field {
	a.mu.Lock()
	defer a.mu.Unlock()
	f := a.byType[t]
	if f == nil {
		var err error
		s := shape{t: t, name: typeName(t)}
		if record(a.of) == t {
			s.name, s.of = recordName(a.of), a.of
		}
		if f, err = a.sel.find(s); err != nil {
			panic(err)
		}
		a.byType[t] = f
	}
	return f
}

// change calls f with the field of *v; what *v points to is copied first, for others may hold it.
func (a *access[T]) change(v *T, f func(p unsafe.Pointer)) {
	if a.direct != nil {
		f(unsafe.Add(unsafe.Pointer(v), a.direct.offset))
		return
	}
	r := reflect.ValueOf(any(*v))
	pointer := r.Kind() == reflect.Pointer
	if pointer {
		r = r.Elem()
	}
	fd := a.fieldOf(r.Type())
	if r.Kind() == reflect.Slice {
		c := reflect.AppendSlice(reflect.MakeSlice(r.Type(), 0, r.Len()), r)
		f(fd.inSlice(c))
		*v = c.Interface().(T)
		return
	}
	c := reflect.New(r.Type())
	c.Elem().Set(r)
	f(unsafe.Add(c.UnsafePointer(), fd.offset))
	if !pointer {
		c = c.Elem()
	}
	*v = c.Interface().(T)
}

// compareAt orders two values of a field as Java's Comparable does. It panics with a ClassCast error for a type
// without order.
func compareAt(t reflect.Type, p, q unsafe.Pointer) int {
	a, b := reflect.NewAt(t, p).Elem(), reflect.NewAt(t, q).Elem()
	if t.Kind() == reflect.Interface {
		a, b = a.Elem(), b.Elem()
		if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
			panic(kindError("ClassCast", "cannot compare %v and %v", a, b))
		}
	}
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return compareFloats(a.Float(), b.Float())
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.Kind() == reflect.Bool:
		return cmp.Compare(btoi(a.Bool()), btoi(b.Bool()))
	}
	if m := a.MethodByName("Compare"); m.IsValid() && m.Type() == reflect.FuncOf([]reflect.Type{a.Type()}, []reflect.Type{reflect.TypeFor[int]()}, false) {
		return int(m.Call([]reflect.Value{b})[0].Int())
	}
	panic(kindError("ClassCast", "%s has no order; it needs a method Compare(%s) int", fieldType(a.Type()), fieldType(a.Type())))
}

// compareFloats is Double.compare: -0.0 < 0.0, and NaN is the greatest and equal to itself.
func compareFloats(a, b float64) int {
	switch {
	case a != a:
		return btoi(b == b)
	case b != b:
		return -1
	case a == 0 && b == 0:
		return cmp.Compare(btoi(1/a > 0), btoi(1/b > 0))
	}
	return cmp.Compare(a, b)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
