// Recursive types that yaegi has not: types that are no structs, such as type F func() F, functions over a struct that
// holds such functions, and what leads to a struct or array that is apart (cycles.go). A value of such a type is an any,
// which is opened wherever its parts are wanted.

package lower

import (
	"fmt"
	"go/ast"
	"go/types"
)

// opaque reports whether values of t are known as an any.
func (e *emitter) opaque(t types.Type) bool {
	t = e.sub(t)
	switch t.(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Named:
	default:
		return false
	}
	return e.self(t) || e.leadsTo(t, e.apart)
}

// self reports whether t itself is of a recursive kind that yaegi has not.
func (e *emitter) self(t types.Type) bool {
	switch u := t.(type) {
	case *types.Signature:
	case *types.Named:
		if _, ok := u.Underlying().(*types.Struct); ok || e.l.isUser(u) == nil {
			return false
		}
	default:
		return false
	}
	if is, ok := e.l.recursive.At(t).(bool); ok {
		return is
	}
	is := false
	switch u := t.Underlying().(type) {
	case *types.Signature:
		is = e.l.reaches(u, t, true) || t != u && e.self(u)
	case *types.Slice, *types.Map, *types.Chan, *types.Pointer:
		is = e.l.reaches(u, t, false)
	}
	e.l.recursive.Set(t, is)
	return is
}

// leadsTo reports whether the next struct or named array that t, which is no struct, leads to is one that is apart.
func (e *emitter) leadsTo(t types.Type, apart func(types.Type) bool) bool {
	if n, ok := t.(*types.Named); ok {
		if e.l.isUser(n) == nil {
			return false
		}
	}
	var next func(t types.Type) bool
	next = func(t types.Type) bool {
		t = e.sub(t)
		n, named := t.(*types.Named)
		if named && e.l.isUser(n) == nil {
			return false
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			return apart(t)
		case *types.Array:
			return named && apart(t) || next(u.Elem())
		}
		return false
	}
	tuple := func(vs *types.Tuple) bool {
		for v := range vs.Variables() {
			if next(v.Type()) {
				return true
			}
		}
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return next(u.Key()) || next(u.Elem())
	case *types.Signature:
		return tuple(u.Params()) || tuple(u.Results())
	case *types.Pointer, *types.Slice, *types.Chan:
		return next(u.(interface{ Elem() types.Type }).Elem())
	}
	return false
}

// reaches reports whether from, which is what target consists of, is made with target. structs says to look into the
// fields of structs, too.
func (l *Lowerer) reaches(from, target types.Type, structs bool) bool {
	seen, began := map[*types.Named]bool{}, false
	var inside func(t types.Type) bool
	inside = func(t types.Type) bool {
		return mentions(t, func(u types.Type) bool {
			if top := u == from && !began; !top && types.Identical(u, target) {
				return true
			}
			began = true
			n, ok := u.(*types.Named)
			if !ok || l.isUser(n) == nil || seen[n] || len(seen) > 1000 {
				return false
			}
			switch n.Underlying().(type) {
			case *types.Interface:
				return false
			case *types.Struct:
				if !structs {
					return false
				}
			}
			seen[n] = true
			return inside(n.Underlying())
		})
	}
	return inside(from)
}

// whole is the text of what t consists of.
func (e *emitter) whole(t types.Type) string {
	if e.opaque(t) {
		return e.structure(e.sub(t).Underlying())
	}
	return e.typ(t)
}

// opened is text s of x as what its type consists of.
func (e *emitter) opened(s string, x ast.Expr) string {
	if tv, ok := e.info.Types[x]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return s
	}
	t := e.typeOf(x)
	if t == nil {
		return s
	}
	return e.open(s, t)
}

// open is text s of type t as what t consists of.
func (e *emitter) open(s string, t types.Type) string {
	if !e.opaque(t) {
		return s
	}
	return e.l.helper(e, "open", t, func(n string) string {
		tt := e.whole(t)
		return fmt.Sprintf("func %s(x any) %s { if x == nil { var z %s; return z }; return x.(%s) }\n", n, tt, tt, tt)
	}) + "(" + s + ")"
}

// shut is text s of type t, opened or not, where values of t lie. A nil pointer or channel lies there as nil, for those are
// compared.
func (e *emitter) shut(s string, t types.Type) string {
	if !e.opaque(t) || !types.Comparable(t) {
		return s
	}
	return "rtǃ.Shut(" + s + ")"
}

// tellWholes tells the runtime what the opaque types that the text uses consist of.
func (l *Lowerer) tellWholes() {
	e := l.newEmitter(l.info, newAnalysis(l.info, l.pkg), nil, nil)
	for len(l.out.wholes) > 0 {
		t := l.out.wholes[0]
		l.out.wholes = l.out.wholes[1:]
		fmt.Fprintf(&l.out.inits, "rtǃ.SetWhole(%s, new(%s))\n", e.desc(t), e.whole(t))
	}
}
