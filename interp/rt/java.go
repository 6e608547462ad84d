package rt

import (
	"fmt"
	"go/types"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Java formats a record as DataStream.Print does: String or Error if the type has one, Java's text for
// basics, tuples, slices and maps, Go's for other structs.
func Java(reg *Registry, t types.Type, v any) string {
	var sb strings.Builder
	p := printer{reg: reg, sb: &sb, spec: "%v", java: true}
	p.init()
	p.value(t, reflect.ValueOf(v), 0, true)
	return sb.String()
}

func isTuple(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "flinkish/dataflow" && strings.HasPrefix(n.Obj().Name(), "Tuple")
}

func (p *printer) tuple(u *types.Struct, v reflect.Value, depth int, methods bool) {
	p.sb.WriteByte('(')
	for i := range u.NumFields() {
		if i > 0 {
			p.sb.WriteByte(',')
		}
		p.value(u.Field(i).Type(), v.Field(i), depth+1, methods)
	}
	p.sb.WriteByte(')')
}

func (p *printer) javaLeaf(t types.Type, v reflect.Value, depth int, methods bool) {
	if v.CanInterface() {
		switch x := v.Interface().(type) {
		case error:
			p.sb.WriteString(x.Error())
			return
		case fmt.Stringer:
			p.sb.WriteString(x.String())
			return
		}
	}
	switch v.Kind() {
	case reflect.Float32:
		p.sb.WriteString(JavaFloat(v.Float(), 32))
	case reflect.Float64:
		p.sb.WriteString(JavaFloat(v.Float(), 64))
	case reflect.Slice, reflect.Array:
		p.sb.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				p.sb.WriteString(", ")
			}
			p.value(elemOf(t), v.Index(i), depth+1, methods)
		}
		p.sb.WriteByte(']')
	case reflect.Map:
		p.sb.WriteByte('{')
		for i, k := range SortedKeys(v) {
			if i > 0 {
				p.sb.WriteString(", ")
			}
			p.value(keyOf(t), k, depth+1, methods)
			p.sb.WriteByte('=')
			p.value(elemOf(t), v.MapIndex(k), depth+1, methods)
		}
		p.sb.WriteByte('}')
	default:
		if v.CanInterface() {
			fmt.Fprintf(p.sb, "%v", v.Interface())
		} else {
			fmt.Fprintf(p.sb, "%v", v)
		}
	}
}

var anyType = types.Universe.Lookup("any").Type()

func elemOf(t types.Type) types.Type {
	if u, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
		return u.Elem()
	}
	return anyType
}

func keyOf(t types.Type) types.Type {
	if u, ok := t.Underlying().(*types.Map); ok {
		return u.Key()
	}
	return anyType
}

// JavaFloat is Double.toString (bits 64) or Float.toString (bits 32).
func JavaFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-3 || a >= 1e7) {
		s := strconv.FormatFloat(f, 'E', -1, bits)
		m, e, _ := strings.Cut(s, "E")
		if !strings.Contains(m, ".") {
			m += ".0"
		}
		sign := ""
		if strings.HasPrefix(e, "-") {
			sign = "-"
		}
		return m + "E" + sign + strings.TrimLeft(e, "+-0")
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
