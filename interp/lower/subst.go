// Substitution: the body of a generic function is emitted once for each instance.

package lower

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"flinkish/interp/rt"
)

type typeMap = typeutil.Map

// bindings maps type parameters to types, and the types that a generic function declares inside to their
// copy for this instance.
type bindings struct {
	m     map[*types.TypeParam]types.Type
	local map[*types.Named]*types.Named
}

// sub is t as it is in the instance that e emits.
func (e *emitter) sub(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if e.b == nil || len(e.b.m) == 0 {
		return types.Unalias(t)
	}
	return types.Unalias(e.b.subst(t))
}

func (b *bindings) subst(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if r, ok := b.m[t]; ok {
			return r
		}
		return t
	case *types.Pointer:
		return types.NewPointer(b.subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(b.subst(t.Elem()))
	case *types.Array:
		return types.NewArray(b.subst(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), b.subst(t.Elem()))
	case *types.Map:
		return types.NewMap(b.subst(t.Key()), b.subst(t.Elem()))
	case *types.Tuple:
		return b.tuple(t)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, b.tuple(t.Params()), b.tuple(t.Results()), t.Variadic())
	case *types.Struct:
		return b.structure(t)
	case *types.Interface:
		return b.iface(t)
	case *types.Named:
		return b.namedType(t)
	default:
		return t
	}
}

func (b *bindings) tuple(t *types.Tuple) *types.Tuple {
	var vs []*types.Var
	for i := range t.Len() {
		v := t.At(i)
		vs = append(vs, types.NewParam(v.Pos(), v.Pkg(), v.Name(), b.subst(v.Type())))
	}
	return types.NewTuple(vs...)
}

func (b *bindings) structure(t *types.Struct) types.Type {
	if !mentions(t, isTypeParam) && len(b.local) == 0 {
		return t
	}
	var fs []*types.Var
	var tags []string
	for i := range t.NumFields() {
		f := t.Field(i)
		fs = append(fs, types.NewField(f.Pos(), f.Pkg(), f.Name(), b.subst(f.Type()), f.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	return types.NewStruct(fs, tags)
}

func (b *bindings) iface(t *types.Interface) types.Type {
	if t.NumMethods() == 0 || !mentions(t, isTypeParam) {
		return t
	}
	var ms []*types.Func
	for i := range t.NumMethods() {
		m := t.Method(i)
		ms = append(ms, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), b.subst(m.Type()).(*types.Signature)))
	}
	return types.NewInterfaceType(ms, nil).Complete()
}

func (b *bindings) namedType(t *types.Named) types.Type {
	if t.TypeArgs().Len() == 0 {
		if c := b.local[t]; c != nil {
			return c
		}
		if t.Obj().Parent() == nil || t.Obj().Pkg() == nil || t.Obj().Parent() == t.Obj().Pkg().Scope() || !mentions(t.Underlying(), isTypeParam) {
			return t
		}
		c := types.NewNamed(types.NewTypeName(t.Obj().Pos(), t.Obj().Pkg(), t.Obj().Name()+b.args(), nil), nil, nil)
		b.local[t] = c
		c.SetUnderlying(b.subst(t.Underlying()))
		return c
	}
	var as []types.Type
	changed := false
	for i := range t.TypeArgs().Len() {
		a := b.subst(t.TypeArgs().At(i))
		changed = changed || a != t.TypeArgs().At(i)
		as = append(as, a)
	}
	if !changed {
		return t
	}
	r, err := types.Instantiate(nil, t.Origin(), as, false)
	if err != nil {
		return t
	}
	return r
}

// args are the type arguments as Go writes them behind the name of a type that a generic function declares.
func (b *bindings) args() string {
	params := slices.SortedFunc(maps.Keys(b.m), func(x, y *types.TypeParam) int { return x.Index() - y.Index() })
	var names []string
	for _, p := range params {
		names = append(names, rt.GoTypeString(b.m[p]))
	}
	return "[" + strings.Join(names, ",") + "]"
}

func isTypeParam(t types.Type) bool {
	_, ok := t.(*types.TypeParam)
	return ok
}

func mentionsTP(t types.Type) bool { return mentions(t, isTypeParam) }

// mentions reports whether pred holds for t or a type that t is written with. It does not look into what
// named types stand for.
func mentions(t types.Type, pred func(types.Type) bool) bool {
	return walkType(t, pred, map[types.Type]bool{})
}

func walkType(t types.Type, pred func(types.Type) bool, seen map[types.Type]bool) bool {
	if t == nil {
		return false
	}
	t = types.Unalias(t)
	if pred(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Pointer:
		return walkType(t.Elem(), pred, seen)
	case *types.Slice:
		return walkType(t.Elem(), pred, seen)
	case *types.Array:
		return walkType(t.Elem(), pred, seen)
	case *types.Chan:
		return walkType(t.Elem(), pred, seen)
	case *types.Map:
		return walkType(t.Key(), pred, seen) || walkType(t.Elem(), pred, seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if walkType(v.Type(), pred, seen) {
				return true
			}
		}
	case *types.Signature:
		return walkType(t.Params(), pred, seen) || walkType(t.Results(), pred, seen)
	case *types.Struct:
		for f := range t.Fields() {
			if walkType(f.Type(), pred, seen) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if walkType(m.Type(), pred, seen) {
				return true
			}
		}
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if walkType(a, pred, seen) {
				return true
			}
		}
	}
	return false
}

// generic reports whether f or its receiver has type parameters.
func generic(f *types.Func) bool {
	s := f.Type().(*types.Signature)
	return s.TypeParams().Len() > 0 || s.RecvTypeParams().Len() > 0
}
