// Printing: type and value are walked together, so that String and Error of the user's types work at any
// depth and names are the user's own.

package rt

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// Show formats v, whose type the user knows as t, by one fmt verb such as %v, %+v, %#v or %6.2f.
func Show(reg *Registry, t types.Type, v any, spec string) string {
	var sb strings.Builder
	p := printer{reg: reg, sb: &sb, spec: spec}
	p.init()
	p.value(t, reflect.ValueOf(v), 0, true)
	return sb.String()
}

type printer struct {
	reg         *Registry
	sb          *strings.Builder
	spec        string
	verb        byte
	plus, sharp bool // %+v, %#v
	java        bool // the form of DataStream.Print
	stable      bool // no addresses; see Describe
}

func (p *printer) init() {
	p.verb = p.spec[len(p.spec)-1]
	p.plus = p.verb == 'v' && strings.Contains(p.spec, "+")
	p.sharp = p.verb == 'v' && strings.Contains(p.spec, "#")
}

const maxDepth = 40

// value prints v. methods is false below an unexported field, where fmt calls no methods either.
func (p *printer) value(t types.Type, v reflect.Value, depth int, methods bool) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		if z := emptyOf(t); z.IsValid() { // of a recursive type
			p.value(t, z, depth, methods)
			return
		}
		if depth > 0 && !p.java && !p.sharp { // with every verb
			p.sb.WriteString("<nil>")
			return
		}
		p.nilText(t)
		return
	}
	if depth > maxDepth {
		p.sb.WriteString("...")
		return
	}
	if v.CanInterface() && v.Kind() == reflect.Struct {
		if b, ok := AsBoxed(v.Interface()); ok {
			p.value(b.D.Type, reflect.ValueOf(b.V), depth, methods)
			return
		}
	}
	if methods && p.method(t, v) {
		return
	}
	in := inner(t, v)
	if in == nil || endless(v, depth) {
		p.leaf(t, v, depth, methods)
		return
	}
	t = in
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Struct:
		p.structure(t, u, v, depth, methods)
	case *types.Slice:
		p.list(t, u.Elem(), v, depth, methods)
	case *types.Array:
		p.list(t, u.Elem(), v, depth, methods)
	case *types.Map:
		p.mapping(t, u, v, depth, methods)
	case *types.Pointer:
		p.pointer(t, u, v, depth, methods)
	default:
		p.leaf(t, v, depth, methods)
	}
}

// nothing is what a nil pointer of a recursive type points to.
type nothing struct{}

// asReceiver is v as methods take it.
func asReceiver(v reflect.Value) any {
	if v.Type() == reflect.TypeFor[*nothing]() {
		return nil
	}
	return v.Interface()
}

// emptyOf is what nil is for a pointer, function, slice or map type of the user that is recursive: such a value is an any.
func emptyOf(t types.Type) reflect.Value {
	if t == nil {
		return reflect.Value{}
	}
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		return reflect.ValueOf((*nothing)(nil))
	case *types.Signature:
		return reflect.ValueOf((func())(nil))
	case *types.Slice:
		return reflect.ValueOf([]any(nil))
	case *types.Map:
		return reflect.ValueOf(map[any]any(nil))
	}
	return reflect.Value{}
}

func (p *printer) nilText(t types.Type) {
	switch {
	case p.java:
		p.sb.WriteString("null")
	case p.sharp && t != nil:
		name := GoTypeString(t)
		switch types.Unalias(t).Underlying().(type) {
		case *types.Pointer, *types.Signature, *types.Chan:
			name = "(" + name + ")"
		}
		p.sb.WriteString(name + "(nil)")
	case p.verb == 'v' || p.verb == 's' && t == nil:
		p.sb.WriteString("<nil>")
	default:
		fmt.Fprintf(p.sb, p.spec, nil)
	}
}

// method prints by Error or String of the user's type, if fmt would.
func (p *printer) method(t types.Type, v reflect.Value) bool {
	if !v.CanInterface() {
		return false
	}
	if d := p.reg.Lookup(t); d != nil && !p.java {
		if _, ok := d.Method("Format").(func(any, fmt.State, rune)); ok {
			fmt.Fprintf(p.sb, p.spec, Boxed{d, asReceiver(v)})
			return true
		}
		if f, ok := d.Method("GoString").(func(any) string); ok && p.sharp {
			p.called("GoString", func() string { return f(asReceiver(v)) }, v)
			return true
		}
	}
	if p.sharp && !p.java {
		return false
	}
	if !p.java && !strings.ContainsRune("vsxXq", rune(p.verb)) {
		return false
	}
	d := p.reg.Lookup(t)
	if d == nil || strings.HasPrefix(pkgPath(t), "flinkish/dataflow") {
		return p.compiledText(v)
	}
	for _, name := range [...]string{"Error", "String"} {
		if f, ok := d.Method(name).(func(any) string); ok {
			p.called(name, func() string { return f(asReceiver(v)) }, v)
			return true
		}
	}
	return false
}

// compiledText prints values of the library by their own String.
func (p *printer) compiledText(v reflect.Value) bool {
	switch x := v.Interface().(type) {
	case error:
		p.called("Error", x.Error, v)
	case fmt.Stringer:
		p.called("String", x.String, v)
	default:
		return false
	}
	return true
}

// pkgPath is the package of a named type or of what a pointer points to.
func pkgPath(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// called prints what a method of v gives. As with fmt, a nil receiver that panics prints as <nil>, and another
// panic prints as such; a record that is printed for a job fails it.
func (p *printer) called(name string, f func() string, v reflect.Value) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case v.Kind() == reflect.Pointer && v.IsNil():
			p.text("<nil>")
		case p.java || r == ErrInterrupted:
			panic(r)
		default:
			fmt.Fprintf(p.sb, "%%!%c(PANIC=%s method: %v)", rune(p.verb), name, Normal(r))
		}
	}()
	p.text(f())
}

func (p *printer) text(s string) {
	if p.verb == 'v' {
		spec := strings.NewReplacer("+", "", "#", "").Replace(p.spec)
		fmt.Fprintf(p.sb, spec, s)
		return
	}
	fmt.Fprintf(p.sb, p.spec, s)
}

// leaf leaves v to fmt.
func (p *printer) leaf(t types.Type, v reflect.Value, depth int, methods bool) {
	if p.java {
		p.javaLeaf(t, v, depth, methods)
		return
	}
	if p.stable && holdsAddress(v.Type(), 0) && !(methods && v.CanInterface() && printsItself(v.Interface())) {
		p.inside(t, v, depth, methods)
		return
	}
	if v.Kind() == reflect.Func {
		p.address(t, v)
		return
	}
	if !methods && v.CanInterface() && hasMethods(v) {
		v = hidden(v)
	}
	if depth > 0 && v.Kind() == reflect.Pointer && !v.IsNil() {
		if !v.CanInterface() || !printsItself(v.Interface()) {
			p.compiledAddress(v)
			return
		}
	}
	if endless(v, depth) {
		p.sb.WriteString(selfText)
		return
	}
	if p.sharp && depth > 0 && v.Type() == reflect.TypeFor[[]byte]() {
		// fmt says []byte of an argument, but []uint8 of a part of one.
		p.sb.WriteString(strings.Replace(fmt.Sprintf(p.spec, v), "[]byte", "[]uint8", 1))
		return
	}
	var x any = v
	if v.CanInterface() {
		x = v.Interface()
	}
	s := fmt.Sprintf(p.spec, x)
	if n, ok := types.Unalias(t).(*types.Named); ok { // in what fmt says of a wrong verb
		if rest, ok := strings.CutPrefix(s, fmt.Sprintf("%%!%c(%s=", p.verb, v.Type())); ok {
			s = fmt.Sprintf("%%!%c(%s=%s", p.verb, GoTypeString(n), rest)
		}
	}
	p.sb.WriteString(s)
}

// printsItself reports whether fmt leaves the text of v to v.
func printsItself(v any) bool {
	switch v.(type) {
	case error, fmt.Stringer, fmt.Formatter:
		return true
	}
	return false
}

// hasMethods reports whether v, or what it is made of, may have methods.
func hasMethods(v reflect.Value) bool {
	return v.Type().PkgPath() != "" || v.Kind() >= reflect.Array && v.Kind() != reflect.String
}

// hidden is v as the value of an unexported field, of which fmt calls no methods.
func hidden(v reflect.Value) reflect.Value {
	s := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "hidden", PkgPath: "main", Type: v.Type()}})).Elem()
	reflect.NewAt(v.Type(), s.Field(0).Addr().UnsafePointer()).Elem().Set(v)
	return s.Field(0)
}

var basicKinds = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
}

// mentionsUser reports whether printing t must look inside: it holds a type of the user, a struct, or an
// interface that may hold one.
func mentionsUser(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p == nil || p.Path() != "main" && p.Path() != "flinkish/dataflow" {
			return false
		}
		return true
	case *types.Pointer, *types.Slice, *types.Array:
		return mentionsUser(t.(interface{ Elem() types.Type }).Elem())
	case *types.Map:
		return mentionsUser(t.Key()) || mentionsUser(t.Elem())
	case *types.Struct:
		return true
	case *types.Signature, *types.Chan:
		return true
	case *types.Interface:
		return t.NumMethods() > 0
	}
	return false
}
