// Instances of generic types that got a method after they were made. go/types expands the methods of an
// instance once, so the session needs new instances, which are identical to the old ones.

package check

import "go/types"

// refresh gives every variable, field and parameter of the session a new instance of base.
func (a *attempt) refresh(base *types.Named) {
	r := &refresher{base: base, ctx: types.NewContext(), seen: map[*types.Var]bool{}}
	for _, o := range a.st.objs {
		switch o := o.(type) {
		case *types.Var:
			r.variable(o)
			a.c.pkg.Scope().Insert(o)
		case *types.Func:
			r.signature(o.Signature())
		case *types.TypeName:
			r.typeName(o)
		}
	}
}

// Renewed is t with new instances of the generic type base, which got a method; they are identical to the old ones.
func Renewed(t types.Type, base *types.Named) types.Type {
	return (&refresher{base: base, ctx: types.NewContext(), seen: map[*types.Var]bool{}}).typ(t)
}

type refresher struct {
	base *types.Named
	ctx  *types.Context
	seen map[*types.Var]bool
}

// variable changes the type of v in place: the cells before know it by its address.
func (r *refresher) variable(v *types.Var) {
	if r.seen[v] {
		return
	}
	r.seen[v] = true
	t := r.typ(v.Type())
	if t == v.Type() {
		return
	}
	if v.IsField() {
		*v = *types.NewField(v.Pos(), v.Pkg(), v.Name(), t, v.Embedded())
		return
	}
	kind := v.Kind()
	*v = *types.NewVar(v.Pos(), v.Pkg(), v.Name(), t)
	v.SetKind(kind)
}

func (r *refresher) signature(s *types.Signature) {
	for _, tup := range []*types.Tuple{s.Params(), s.Results()} {
		for i := range tup.Len() {
			r.variable(tup.At(i))
		}
	}
}

func (r *refresher) typeName(o *types.TypeName) {
	n, ok := o.Type().(*types.Named)
	if !ok {
		return
	}
	if st, ok := n.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			r.variable(st.Field(i))
		}
	}
	for i := range n.NumMethods() {
		if n.TypeArgs().Len() == 0 {
			r.signature(n.Method(i).Signature())
		}
	}
}

// typ is t with new instances of the base; t itself when it has none.
func (r *refresher) typ(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Named:
		return r.named(t)
	case *types.Pointer:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return types.NewArray(e, t.Len())
		}
	case *types.Chan:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Map:
		k, e := r.typ(t.Key()), r.typ(t.Elem())
		if k != t.Key() || e != t.Elem() {
			return types.NewMap(k, e)
		}
	case *types.Signature:
		r.signature(t)
	case *types.Struct:
		for f := range t.Fields() {
			r.variable(f)
		}
	}
	return t
}

func (r *refresher) named(t *types.Named) types.Type {
	changed := t.Origin() == r.base && t != r.base || r.leads(t)
	var args []types.Type
	for i := range t.TypeArgs().Len() {
		arg := r.typ(t.TypeArgs().At(i))
		changed = changed || arg != t.TypeArgs().At(i)
		args = append(args, arg)
	}
	if !changed || args == nil {
		return t
	}
	n, err := types.Instantiate(r.ctx, t.Origin(), args, false)
	if err != nil { // the arguments were right before
		return t
	}
	return n
}

// leads reports whether t is an instance of a type that is made of the base: its fields are of instances that it made.
func (r *refresher) leads(t *types.Named) bool {
	if t.TypeArgs().Len() == 0 || t.Obj().Pkg() != r.base.Obj().Pkg() {
		return false
	}
	seen := map[types.Type]bool{}
	var in func(types.Type) bool
	in = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			return t.Origin() == r.base || t.Obj().Pkg() == r.base.Obj().Pkg() && in(t.Origin().Underlying())
		case *types.Map:
			return in(t.Key()) || in(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				if in(f.Type()) {
					return true
				}
			}
		case interface{ Elem() types.Type }:
			return in(t.Elem())
		}
		return false
	}
	return in(t)
}
