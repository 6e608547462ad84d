// Stripping: what a cell cannot name is left out of the type data. The fields of the environment would
// drag the engine into every session: a quarter of the work of loading the library.

package main

import (
	"go/token"
	"go/types"
)

// strip takes from the exported types of the library the fields and the signatures of methods that a
// cell can neither use nor notice. It changes the types in place.
func (w *world) strip() {
	needed := map[string]bool{}
	each := func(f func(n *types.Named)) {
		for _, path := range library {
			scope := w.pkgs[path].Scope()
			for _, name := range scope.Names() {
				tn, ok := scope.Lookup(name).(*types.TypeName)
				if !ok || !tn.Exported() {
					continue
				}
				if n, ok := types.Unalias(tn.Type()).(*types.Named); ok && n.Obj().Pkg().Path() != "time" {
					f(n.Origin())
				}
			}
		}
	}
	each(func(n *types.Named) { // methods by which a type implements an interface of the library
		if it, ok := n.Underlying().(*types.Interface); ok {
			for i := range it.NumMethods() {
				needed[it.Method(i).Name()] = true
			}
		}
	})
	each(func(n *types.Named) {
		if st, ok := n.Underlying().(*types.Struct); ok {
			n.SetUnderlying(stripStruct(st))
		}
		for i := range n.NumMethods() {
			if m := n.Method(i); !m.Exported() && !needed[m.Name()] {
				stripSignature(m.Signature())
			}
		}
	})
}

// stripStruct keeps exported and embedded fields, and whether values can be compared.
func stripStruct(st *types.Struct) *types.Struct {
	var fields []*types.Var
	var tags []string
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Exported() || f.Embedded() {
			fields, tags = append(fields, f), append(tags, st.Tag(i))
			continue
		}
		t := types.Type(types.Typ[types.Int])
		if !types.Comparable(f.Type()) {
			t = types.NewSignatureType(nil, nil, nil, nil, nil, false)
		}
		fields, tags = append(fields, types.NewField(token.NoPos, f.Pkg(), f.Name(), t, false)), append(tags, "")
	}
	return types.NewStruct(fields, tags)
}

func stripSignature(s *types.Signature) {
	if s.Results() != nil {
		*s.Results() = types.Tuple{}
	}
	switch {
	case s.Params() == nil:
	case s.Variadic():
		*s.Params() = *types.NewTuple(types.NewParam(token.NoPos, nil, "", types.NewSlice(types.Typ[types.Int])))
	default:
		*s.Params() = types.Tuple{}
	}
}
