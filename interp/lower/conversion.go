// Conversions.

package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"
)

func (e *emitter) conversion(c *ast.CallExpr) string {
	t := e.typeOf(c.Fun)
	a := c.Args[0]
	from := e.typeOf(a)
	if e.info.Types[a].IsNil() {
		return e.zero(t) // yaegi has no type for a bare nil
	}
	if isIface(t) {
		return e.exprTo(a, t)
	}
	if tv := e.info.Types[a]; tv.Value != nil {
		if b, ok := t.Underlying().(*types.Basic); ok {
			return e.convertConst(tv, b, t)
		}
		from = types.Default(from)
	}
	s := e.value(a)
	tt, ft := e.typ(t), e.typ(from)
	switch {
	case tt != ft:
	case e.opaque(t) && e.whole(t) != e.whole(from):
		return "rtǃ.Conv(" + s + ", " + e.open("nil", t) + ")"
	default:
		return "(" + s + ")"
	}
	if _, ok := from.Underlying().(*types.Slice); ok && arrayOf(t) {
		return "rtǃ.SliceToArray(" + s + ", new(" + tt + ")).(" + tt + ")"
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		if fb, ok := from.Underlying().(*types.Basic); ok && fb.Info()&types.IsInteger != 0 {
			return e.runeString(s, fb)
		}
	}
	if strings.HasPrefix(tt, "*") || strings.HasPrefix(tt, "func") || strings.HasPrefix(tt, "<-") || strings.HasPrefix(tt, "chan") {
		tt = "(" + tt + ")"
	}
	if _, ok := t.Underlying().(*types.Pointer); ok { // *A to *B with identical bases
		switch {
		case e.opaque(t) && e.whole(t) == e.whole(from):
			return "any(" + s + ")"
		case e.opaque(t):
			return "rtǃ.Conv(" + s + ", " + e.open("nil", t) + ")"
		}
		return "rtǃ.Conv(" + s + ", " + e.zero(t) + ").(" + e.typ(t) + ")"
	}
	return tt + "(" + s + ")"
}

// runeString is string(s) of an integer: one beyond the runes is no character.
func (e *emitter) runeString(s string, from *types.Basic) string {
	if gcSizes.Sizeof(from) <= 2 || from.Kind() == types.Int32 {
		return "string(rune(" + s + "))"
	}
	return "rtǃ.RuneString(int64(" + s + "))"
}

// arrayOf reports whether t is an array or a pointer to one.
func arrayOf(t types.Type) bool {
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	_, ok := u.(*types.Array)
	return ok
}

// convertConst folds a conversion of a constant that go/types does not call constant, because the type is a
// type parameter.
func (e *emitter) convertConst(tv types.TypeAndValue, b *types.Basic, t types.Type) string {
	if b.Info()&types.IsString != 0 && isInt(tv) {
		r, exact := constant.Int64Val(constant.ToInt(tv.Value))
		if !exact || r != int64(rune(r)) {
			r = utf8.RuneError
		}
		return strconv.Quote(string(rune(r)))
	}
	return e.constant(tv.Value, t)
}

func isInt(tv types.TypeAndValue) bool {
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
