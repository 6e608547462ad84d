package lower

import (
	"fmt"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
)

// defaultOf is the type that an untyped constant has in an interface.
func defaultOf(v constant.Value) types.Type {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.Bool]
	case constant.String:
		return types.Typ[types.String]
	case constant.Int:
		return types.Typ[types.Int]
	case constant.Float:
		return types.Typ[types.Float64]
	}
	return types.Typ[types.Complex128]
}

// constant is the literal of v as a value of type t.
func (e *emitter) constant(v constant.Value, t types.Type) string {
	t = e.sub(t)
	if isIface(t) {
		t = defaultOf(v)
	}
	b, ok := types.Default(t).Underlying().(*types.Basic)
	if !ok {
		b = defaultOf(v).(*types.Basic)
	}
	if n, ok := t.(*types.Named); ok && e.l.isUser(n) == nil && n.Obj().Pkg() != nil {
		return e.typ(n) + "(" + e.constant(v, b) + ")" // a compiled named type
	}
	switch {
	case b.Info()&types.IsString != 0:
		return strconv.Quote(constant.StringVal(v))
	case b.Info()&types.IsBoolean != 0:
		return v.ExactString()
	case b.Info()&types.IsComplex != 0:
		return complexLit(v, b)
	case b.Info()&types.IsFloat != 0:
		return b.Name() + "(" + floatLit(v) + ")"
	}
	s := constant.ToInt(v).ExactString()
	if strings.HasPrefix(s, "-") {
		s = "(" + s + ")"
	}
	if b.Kind() == types.Int {
		return s
	}
	if b.Kind() == types.UntypedRune {
		return "int32(" + s + ")"
	}
	return b.Name() + "(" + s + ")"
}

func floatLit(v constant.Value) string {
	f, _ := constant.Float64Val(constant.ToFloat(v))
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func complexLit(v constant.Value, b *types.Basic) string {
	v = constant.ToComplex(v)
	kind, part := b.Name(), "float64"
	if b.Kind() == types.Complex64 {
		part = "float32"
	}
	if b.Info()&types.IsUntyped != 0 {
		kind = "complex128"
	}
	return fmt.Sprintf("%s(complex(%s(%s), %s(%s)))", kind, part, floatLit(constant.Real(v)), part, floatLit(constant.Imag(v)))
}
