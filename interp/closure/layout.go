// Memory: where variables lie, and how values of any type are read, copied and put into an any.

package closure

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"
)

// eface is the layout of an any.
type eface struct{ typ, data unsafe.Pointer }

// typeWord is the first word of an any that holds a t.
func typeWord(t reflect.Type) unsafe.Pointer {
	x := reflect.Zero(t).Interface()
	return (*eface)(unsafe.Pointer(&x)).typ
}

// taken is x in the representation of zero, whose type word is word.
func taken(h Host, x any, word unsafe.Pointer, zero any) any {
	e := (*eface)(unsafe.Pointer(&x))
	if e.typ != word {
		x = h.Conv(x, zero)
		if e.typ != word {
			panic(fmt.Sprintf("a value of type %T arrived where %T is expected", x, zero))
		}
	}
	return x
}

// isDirect reports whether an any holds a t in its second word, instead of a pointer to it.
func isDirect(t reflect.Type) bool {
	x := reflect.Zero(t).Interface()
	return (*eface)(unsafe.Pointer(&x)).data == nil
}

// reflect is the type that the running program has for t.
func (c *compiler) reflect(t types.Type) reflect.Type {
	t = types.Unalias(t)
	if r, ok := c.types.At(t).(reflect.Type); ok {
		return r
	}
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return reflect.TypeFor[error]()
	}
	if types.Identical(t, emptyInterface) {
		return reflect.TypeFor[any]()
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		if n, named := t.(*types.Named); !named || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() == "main" {
			if r, ok := basics[types.Default(b).(*types.Basic).Kind()]; ok {
				return r
			}
		}
	}
	switch t := t.(type) {
	case *types.Pointer:
		return reflect.PointerTo(c.reflect(t.Elem()))
	case *types.Slice:
		return reflect.SliceOf(c.reflect(t.Elem()))
	}
	c.refuse("type %s", t)
	return nil
}

var emptyInterface = types.Universe.Lookup("any").Type()

var basics = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
}

// slot reserves memory for a variable in every frame.
func (c *compiler) slot(t reflect.Type) uintptr {
	a := uintptr(t.Align())
	c.size = (c.size + a - 1) &^ (a - 1)
	off := c.size
	c.size += t.Size()
	c.fields = append(c.fields, reflect.StructField{Name: fmt.Sprintf("F%d", len(c.fields)), Type: t})
	return off
}

// layout is the type of the memory, which tells the garbage collector where pointers are.
func (c *compiler) layout() reflect.Type {
	t := reflect.StructOf(c.fields)
	if len(c.fields) > 0 {
		last := t.Field(t.NumField() - 1)
		if last.Offset+last.Type.Size() != c.size {
			c.refuse("the layout of a frame")
		}
	}
	return t
}

// place is where a value lies: in the frame's memory, in an argument, or where base says; off bytes further.
type place struct {
	local bool
	arg   int // argument arg-1; 0: none
	base  func(*frame) unsafe.Pointer
	off   uintptr
}

// fixed is a place outside of frames.
func fixed(p unsafe.Pointer) place {
	return place{base: func(*frame) unsafe.Pointer { return p }}
}

func (p place) at(off uintptr) place {
	p.off += off
	return p
}

// addr computes the address.
func (p place) addr() func(*frame) unsafe.Pointer {
	off := p.off
	switch {
	case p.local:
		return func(f *frame) unsafe.Pointer { return unsafe.Add(f.mem, off) }
	case p.arg > 0:
		n := p.arg - 1
		return func(f *frame) unsafe.Pointer { return unsafe.Add(f.args[n], off) }
	case off == 0:
		return p.base
	}
	base := p.base
	return func(f *frame) unsafe.Pointer { return unsafe.Add(base(f), off) }
}

// load reads a V at p.
func load[V any](p place) func(*frame) V {
	off := p.off
	switch {
	case p.local:
		return func(f *frame) V { return *(*V)(unsafe.Add(f.mem, off)) }
	case p.arg > 0:
		n := p.arg - 1
		return func(f *frame) V { return *(*V)(unsafe.Add(f.args[n], off)) }
	}
	base := p.base
	return func(f *frame) V { return *(*V)(unsafe.Add(base(f), off)) }
}

// copier copies a value of one type from src to dst.
type copier func(dst, src unsafe.Pointer)

// words is a slice header whose element type does not matter.
type words = []byte

func copierOf(t reflect.Type) copier {
	switch t.Kind() {
	case reflect.String:
		return func(d, s unsafe.Pointer) { *(*string)(d) = *(*string)(s) }
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64:
		return func(d, s unsafe.Pointer) { *(*int64)(d) = *(*int64)(s) }
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return func(d, s unsafe.Pointer) { *(*int32)(d) = *(*int32)(s) }
	case reflect.Int16, reflect.Uint16:
		return func(d, s unsafe.Pointer) { *(*int16)(d) = *(*int16)(s) }
	case reflect.Int8, reflect.Uint8, reflect.Bool:
		return func(d, s unsafe.Pointer) { *(*int8)(d) = *(*int8)(s) }
	case reflect.Slice:
		return func(d, s unsafe.Pointer) { *(*words)(d) = *(*words)(s) }
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return func(d, s unsafe.Pointer) { *(*unsafe.Pointer)(d) = *(*unsafe.Pointer)(s) }
	case reflect.Interface:
		return func(d, s unsafe.Pointer) { *(*[2]unsafe.Pointer)(d) = *(*[2]unsafe.Pointer)(s) }
	case reflect.Struct:
		return structCopier(t)
	}
	return reflectCopier(t)
}

func reflectCopier(t reflect.Type) copier {
	view := viewer(t)
	return func(d, s unsafe.Pointer) { view(d).Set(view(s)) }
}

// structCopier copies a small struct field by field, which is cheaper than reflection.
func structCopier(t reflect.Type) copier {
	type part struct {
		off  uintptr
		copy copier
	}
	var parts []part
	for i := range t.NumField() {
		if t.Field(i).Type.Size() > 0 {
			parts = append(parts, part{t.Field(i).Offset, copierOf(t.Field(i).Type)})
		}
	}
	if t.NumField() > 8 {
		return reflectCopier(t)
	}
	return func(d, s unsafe.Pointer) {
		for i := range parts {
			parts[i].copy(unsafe.Add(d, parts[i].off), unsafe.Add(s, parts[i].off))
		}
	}
}

// viewer gives the value of type t at an address, as reflect.NewAt does. It knows the type of the pointer beforehand:
// looking for that of a struct of a cell takes longer than all the rest.
func viewer(t reflect.Type) func(unsafe.Pointer) reflect.Value {
	word := typeWord(reflect.PointerTo(t))
	return func(p unsafe.Pointer) reflect.Value {
		var x any
		e := (*eface)(unsafe.Pointer(&x))
		e.typ, e.data = word, p
		return reflect.ValueOf(x).Elem()
	}
}

// boxer makes an any of a value in memory, which is copied.
func boxer(t reflect.Type) func(unsafe.Pointer) any {
	if isDirect(t) {
		word := typeWord(t)
		return func(p unsafe.Pointer) (x any) {
			e := (*eface)(unsafe.Pointer(&x))
			e.typ, e.data = word, *(*unsafe.Pointer)(p)
			return x
		}
	}
	view := viewer(t)
	return func(p unsafe.Pointer) any { return view(p).Interface() }
}

// allocator makes an any with a zero t, and the address of the t, for a type that is not direct.
func allocator(t reflect.Type) func() (any, unsafe.Pointer) {
	zero := reflect.New(t).Elem()
	return func() (any, unsafe.Pointer) {
		x := zero.Interface() // a copy, since zero is a variable
		return x, (*eface)(unsafe.Pointer(&x)).data
	}
}

// maker makes a zero t.
func maker(t reflect.Type) func() unsafe.Pointer {
	if isDirect(t) {
		return func() unsafe.Pointer { return unsafe.Pointer(new(unsafe.Pointer)) }
	}
	fresh := allocator(t)
	return func() unsafe.Pointer { _, p := fresh(); return p }
}
