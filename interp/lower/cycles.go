// Structs that lead back to themselves through each other. yaegi builds such types all at once, and can tell only one
// of them from the others while it does so: it must begin with that one.

package lower

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"flinkish/interp/rt"
)

// begun builds struct t, which was just declared, and those that lead back to it, when none of them still waits for its
// declaration.
func (e *emitter) begun(t types.Type) {
	ring := e.ring(t)
	for _, m := range ring {
		if e.l.hoisting.At(m) != nil {
			return
		}
	}
	if len(ring) == 0 {
		return
	}
	fmt.Fprintf(&e.l.out.decls, "var %s *%s\n", e.tmp("begin"), e.typ(e.root(ring)))
}

// apart reports whether t, a struct or a named array, is kept apart: what leads to it is known as an any. Structs are
// chosen so that each of the rings that is left has a root; arrays that lead back to themselves have none.
func (e *emitter) apart(t types.Type) bool {
	if is, ok := e.l.apart.At(t).(bool); ok {
		return is
	}
	if !isStruct(t) { // an array
		is := e.l.reaches(t.Underlying(), t, false)
		e.l.apart.Set(t, is)
		return is
	}
	ring := e.written().ring(t)
	slices.SortFunc(ring, func(a, b types.Type) int { return strings.Compare(e.ringKey(a), e.ringKey(b)) })
	var chosen []types.Type
	for len(ring) > 0 && !e.rooted(ring, chosen) {
		next := slices.IndexFunc(ring, func(m types.Type) bool {
			return !containsType(chosen, m) && e.rooted(ring, append(chosen[:len(chosen):len(chosen)], m))
		})
		if next < 0 {
			next = slices.IndexFunc(ring, func(m types.Type) bool { return !containsType(chosen, m) })
		}
		chosen = append(chosen, ring[next])
	}
	e.l.apart.Set(t, false) // it may lead to no ring
	for _, m := range ring {
		e.l.apart.Set(m, containsType(chosen, m))
	}
	return containsType(chosen, t)
}

// ringKey orders the members of a ring: as they were declared, those without a name last.
func (e *emitter) ringKey(t types.Type) string {
	if n, ok := t.(*types.Named); ok {
		return fmt.Sprintf("%12d %s", n.Obj().Pos(), rt.GoTypeString(n))
	}
	return "~" + rt.GoTypeString(t)
}

// rooted reports whether each ring among the members of ring has a root when chosen are apart.
func (e *emitter) rooted(ring, chosen []types.Type) bool {
	w := e.written(chosen...)
	for _, m := range ring {
		if r := w.ring(m); len(r) > 0 && w.root(r) == nil {
			return false
		}
	}
	return true
}

// links are the ways between structs; opaque are the types that end one.
type links struct {
	l      *Lowerer
	sub    func(types.Type) types.Type
	opaque func(types.Type) bool
}

// written are the links of the types as they are written, when chosen are apart.
func (e *emitter) written(chosen ...types.Type) links {
	return links{e.l, e.sub, func(t types.Type) bool {
		return e.self(t) || e.leadsTo(t, func(s types.Type) bool { return containsType(chosen, s) })
	}}
}

// ring are the structs that t leads to and that lead back to t, itself included, in a fixed order; none if it does not
// lead back to itself.
func (e *emitter) ring(t types.Type) []types.Type { return e.links().ring(t) }

func (e *emitter) links() links { return links{e.l, e.sub, e.opaque} }

func (e *emitter) root(ring []types.Type) types.Type { return e.links().root(ring) }

func (e links) ring(t types.Type) []types.Type {
	var ring []types.Type
	for _, m := range e.reached(t) {
		if types.Identical(m, t) || containsType(e.reached(m), t) {
			ring = append(ring, m)
		}
	}
	return ring
}

// root is the member of ring without which the others do not lead back to themselves; nil if there is none. While yaegi
// builds the others it does not know the size of the root, so none of them may hold one that is no pointer.
func (e links) root(ring []types.Type) types.Type {
next:
	for _, r := range ring {
		for _, m := range ring {
			if e.holds(m, r) {
				continue next
			}
			if !types.Identical(m, r) && containsType(e.reached(m, r), m) {
				continue next
			}
		}
		return r
	}
	return nil
}

// holds reports whether a field of struct t is a struct of type part, or an array of such.
func (e links) holds(t, part types.Type) bool {
	for f := range t.Underlying().(*types.Struct).Fields() {
		ft := e.sub(f.Type())
		for a, ok := ft.Underlying().(*types.Array); ok; a, ok = ft.Underlying().(*types.Array) {
			ft = e.sub(a.Elem())
		}
		if types.Identical(ft, part) {
			return true
		}
	}
	return false
}

func containsType(ts []types.Type, t types.Type) bool {
	for _, x := range ts {
		if types.Identical(x, t) {
			return true
		}
	}
	return false
}

// reached are the structs that the fields of struct t lead to, but not through those in without.
func (e links) reached(t types.Type, without ...types.Type) []types.Type {
	var r []types.Type
	var visit func(t types.Type)
	visit = func(t types.Type) {
		for _, m := range e.parts(t) {
			if !containsType(r, m) && !containsType(without, m) {
				r = append(r, m)
				visit(m)
			}
		}
	}
	visit(t)
	return r
}

// parts are the structs that the fields of struct t are written with.
func (e links) parts(t types.Type) []types.Type {
	var r []types.Type
	var inside func(t types.Type)
	inside = func(t types.Type) {
		t = e.sub(t)
		if e.opaque(t) {
			return
		}
		switch u := t.(type) {
		case *types.Named:
			if e.l.isUser(u) == nil {
				return
			}
			if isStruct(u) {
				r = append(r, u)
			} else if !isIface(u) {
				inside(u.Underlying())
			}
		case *types.Struct:
			r = append(r, u)
		case *types.Map:
			inside(u.Key())
			inside(u.Elem())
		case *types.Signature:
			for v := range u.Params().Variables() {
				inside(v.Type())
			}
			for v := range u.Results().Variables() {
				inside(v.Type())
			}
		case interface{ Elem() types.Type }:
			inside(u.Elem())
		}
	}
	for f := range t.Underlying().(*types.Struct).Fields() {
		inside(f.Type())
	}
	return r
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
