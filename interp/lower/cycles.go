// Structs that lead back to themselves through each other. yaegi builds such types all at once, and can tell only one
// of them from the others while it does so: it must begin with that one.

package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
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
	root := e.root(ring)
	if root == nil {
		refuseRing(ring)
	}
	fmt.Fprintf(&e.l.out.decls, "var %s *%s\n", e.tmp("begin"), e.typ(root))
}

// refuseRing refuses structs of which no single one is on every way back.
func refuseRing(ring []types.Type) {
	pos, names := token.NoPos, []string{}
	for _, t := range ring {
		if n, ok := t.(*types.Named); ok {
			pos = n.Obj().Pos()
			names = append(names, n.Obj().Name())
		}
	}
	slices.Sort(names)
	refuse(pos, "types %s lead back to themselves and to each other, and a cell cannot run that: let one of them name what it refers to, by a key of a map",
		strings.Join(names, " and "))
}

// ring are the structs that t leads to and that lead back to t, itself included, in a fixed order; none if it does not
// lead back to itself.
func (e *emitter) ring(t types.Type) []types.Type {
	var ring []types.Type
	for _, m := range e.reached(t) {
		if types.Identical(m, t) || containsType(e.reached(m), t) {
			ring = append(ring, m)
		}
	}
	return ring
}

// root is the member of ring without which the others do not lead back to themselves; nil if there is none.
func (e *emitter) root(ring []types.Type) types.Type {
next:
	for _, r := range ring {
		for _, m := range ring {
			if !types.Identical(m, r) && containsType(e.reached(m, r), m) {
				continue next
			}
		}
		return r
	}
	return nil
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
func (e *emitter) reached(t types.Type, without ...types.Type) []types.Type {
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
func (e *emitter) parts(t types.Type) []types.Type {
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
