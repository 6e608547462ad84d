package rt

import (
	"go/types"
	"strconv"
	"strings"
)

// GoTypeString writes t as %T does in a compiled program, which is not quite how go/types does.
func GoTypeString(t types.Type) string {
	var b strings.Builder
	goType(&b, t)
	return b.String()
}

func goType(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(types.Typ[types.Default(t).(*types.Basic).Kind()].Name())
	case *types.Named:
		goNamed(b, t)
	case *types.Pointer:
		b.WriteByte('*')
		goType(b, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		goType(b, t.Elem())
	case *types.Array:
		b.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		goType(b, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		goType(b, t.Key())
		b.WriteByte(']')
		goType(b, t.Elem())
	case *types.Chan:
		b.WriteString(map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()])
		goType(b, t.Elem())
	case *types.Signature:
		b.WriteString("func")
		goSignature(b, t)
	case *types.Struct:
		goStruct(b, t)
	case *types.Interface:
		goInterface(b, t)
	default:
		b.WriteString(t.String())
	}
}

func goNamed(b *strings.Builder, t *types.Named) {
	if p := t.Obj().Pkg(); p != nil {
		b.WriteString(p.Name() + ".")
	}
	b.WriteString(t.Obj().Name())
	for i := range t.TypeArgs().Len() {
		if i == 0 {
			b.WriteByte('[')
		} else {
			b.WriteByte(',')
		}
		goType(b, t.TypeArgs().At(i))
		if i == t.TypeArgs().Len()-1 {
			b.WriteByte(']')
		}
	}
}

func goSignature(b *strings.Builder, t *types.Signature) {
	b.WriteByte('(')
	for i := range t.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		pt := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			b.WriteString("...")
			pt = pt.(*types.Slice).Elem()
		}
		goType(b, pt)
	}
	b.WriteByte(')')
	switch n := t.Results().Len(); {
	case n == 1:
		b.WriteByte(' ')
		goType(b, t.Results().At(0).Type())
	case n > 1:
		b.WriteString(" (")
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			goType(b, t.Results().At(i).Type())
		}
		b.WriteByte(')')
	}
}

func goStruct(b *strings.Builder, t *types.Struct) {
	if t.NumFields() == 0 {
		b.WriteString("struct {}")
		return
	}
	b.WriteString("struct { ")
	for i := range t.NumFields() {
		if i > 0 {
			b.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			b.WriteString(f.Name() + " ")
		}
		goType(b, f.Type())
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	b.WriteString(" }")
}

func goInterface(b *strings.Builder, t *types.Interface) {
	if t.NumMethods() == 0 {
		b.WriteString("interface {}")
		return
	}
	b.WriteString("interface { ")
	for i := range t.NumMethods() {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(t.Method(i).Name())
		goSignature(b, t.Method(i).Signature())
	}
	b.WriteString(" }")
}
