// Negative zeros as arguments. yaegi does not pass an argument that is zero, and package reflect calls -0 zero: a
// lowered function takes what may hold one as an any, which is always passed.

package lower

import "go/types"

// signed reports whether a value of t may hold a negative zero outside of anything that it only points to.
func (e *emitter) signed(t types.Type) bool {
	switch u := e.sub(t).Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Array:
		return u.Len() > 0 && e.signed(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if e.signed(f.Type()) {
				return true
			}
		}
	}
	return false
}

// passed is a parameter of a lowered function, and what the function must begin with to have its value as name.
func (e *emitter) passed(name string, t types.Type) (param, take string) {
	return e.passedText(name, e.typ(t), e.signed(t))
}

// passedLocal is passed for what a literal captures.
func (e *emitter) passedLocal(v local) (param, take string) {
	return e.passedText(v.name, v.typ, v.signed && !v.boxed)
}

func (e *emitter) passedText(name, typ string, signed bool) (param, take string) {
	if !signed {
		return name + " " + typ, ""
	}
	p := e.tmp("z")
	return p + " any", name + " := " + p + ".(" + typ + ")\n"
}
