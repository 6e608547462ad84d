// How structs, lists, maps and pointers print.

package rt

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

func (p *printer) structure(t types.Type, u *types.Struct, v reflect.Value, depth int, methods bool) {
	if v.Kind() != reflect.Struct || v.NumField() < u.NumFields() {
		p.leaf(t, v, depth, methods)
		return
	}
	if p.sharp {
		p.sb.WriteString(GoTypeString(t))
	}
	if p.java && isTuple(t) {
		p.tuple(u, v, depth, methods)
		return
	}
	p.sb.WriteByte('{')
	for i := range u.NumFields() {
		if i > 0 {
			p.comma()
		}
		f := u.Field(i)
		if p.plus || p.sharp {
			p.sb.WriteString(f.Name() + ":")
		}
		p.value(f.Type(), v.Field(i), depth+1, methods && f.Exported())
	}
	p.sb.WriteByte('}')
}

func (p *printer) comma() {
	if p.sharp {
		p.sb.WriteByte(',')
	}
	p.sb.WriteByte(' ')
}

func (p *printer) list(t, elem types.Type, v reflect.Value, depth int, methods bool) {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		p.leaf(t, v, depth, methods)
		return
	}
	if b, ok := p.bytesOf(v); ok {
		fmt.Fprintf(p.sb, p.spec, b)
		return
	}
	open, end := "[", "]"
	if p.sharp {
		if v.Kind() == reflect.Slice && v.IsNil() {
			p.sb.WriteString(GoTypeString(t) + "(nil)")
			return
		}
		open, end = GoTypeString(t)+"{", "}"
	}
	p.sb.WriteString(open)
	for i := range v.Len() {
		if i > 0 {
			p.sep()
		}
		p.value(elem, v.Index(i), depth+1, methods)
	}
	p.sb.WriteString(end)
}

func (p *printer) sep() {
	if p.java || p.sharp {
		p.sb.WriteByte(',')
	}
	p.sb.WriteByte(' ')
}

func (p *printer) mapping(t types.Type, u *types.Map, v reflect.Value, depth int, methods bool) {
	if v.Kind() != reflect.Map {
		p.leaf(t, v, depth, methods)
		return
	}
	open, end, colon := "map[", "]", ":"
	switch {
	case p.java:
		open, end, colon = "{", "}", "="
	case p.sharp && v.IsNil():
		p.sb.WriteString(GoTypeString(t) + "(nil)")
		return
	case p.sharp:
		open, end = GoTypeString(t)+"{", "}"
	}
	p.sb.WriteString(open)
	for i, k := range SortedKeys(v) {
		if i > 0 {
			p.sep()
		}
		p.value(u.Key(), k, depth+1, methods)
		p.sb.WriteString(colon)
		p.value(u.Elem(), v.MapIndex(k), depth+1, methods)
	}
	p.sb.WriteString(end)
}

func (p *printer) pointer(t types.Type, u *types.Pointer, v reflect.Value, depth int, methods bool) {
	if v.Kind() == reflect.Pointer && !v.IsNil() && depth == 0 {
		switch types.Unalias(u.Elem()).Underlying().(type) {
		case *types.Struct, *types.Slice, *types.Array, *types.Map:
			p.sb.WriteByte('&')
			p.value(u.Elem(), v.Elem(), depth+1, methods)
			return
		}
	}
	if v.Kind() != reflect.Pointer || p.java || p.stable {
		p.leaf(t, v, depth, methods)
		return
	}
	p.address(t, v)
}

// address prints v, a pointer or function.
func (p *printer) address(t types.Type, v reflect.Value) {
	at := fmt.Sprint(v.UnsafePointer())
	switch {
	case p.sharp && v.IsNil():
		p.sb.WriteString("(" + GoTypeString(t) + ")(nil)")
	case p.sharp:
		p.sb.WriteString("(" + GoTypeString(t) + ")(" + at + ")")
	case strings.IndexByte("vpbodxX", p.verb) >= 0:
		fmt.Fprintf(p.sb, p.spec, v.UnsafePointer())
	default:
		in := printer{reg: p.reg, sb: &strings.Builder{}, spec: "%v"}
		in.init()
		if v.IsNil() || v.Kind() != reflect.Pointer {
			in.sb.WriteString(at)
		} else {
			in.pointer(t, types.Unalias(t).Underlying().(*types.Pointer), v, 0, false)
		}
		fmt.Fprintf(p.sb, "%%!%c(%s=%s)", p.verb, GoTypeString(t), in.sb)
	}
}

// compiledAddress prints v, a pointer inside of a value to something compiled, whose methods are not called.
func (p *printer) compiledAddress(v reflect.Value) {
	switch {
	case p.sharp:
		fmt.Fprintf(p.sb, "(%s)(%v)", v.Type(), v.UnsafePointer())
	case strings.IndexByte("vpbodxX", p.verb) >= 0:
		fmt.Fprintf(p.sb, p.spec, v.UnsafePointer())
	case v.CanInterface():
		fmt.Fprintf(p.sb, "%%!%c(%s=%v)", p.verb, v.Type(), hidden(v))
	default:
		fmt.Fprintf(p.sb, "%%!%c(%s=%v)", p.verb, v.Type(), v)
	}
}
