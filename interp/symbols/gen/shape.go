// Shapes: which signatures the lowering of cells can call. Everything else fails the generator.

package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"flinkish/interp/symbols/erase"
)

// signature checks the parameters and results of a function of the library.
func (b *binder) signature(s *types.Signature) error {
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
		if err := b.shape(t, 0); err != nil {
			return fmt.Errorf("parameter %d, %s: %w", i, t, err)
		}
	}
	for i := range s.Results().Len() {
		t := s.Results().At(i).Type()
		if err := b.shape(t, 0); err != nil {
			return fmt.Errorf("result %d, %s: %w", i, t, err)
		}
	}
	return nil
}

// shape checks one type. What mentions no type parameter passes as it is.
func (b *binder) shape(t types.Type, depth int) error {
	if !mentionsParam(t) {
		return nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return nil
	case *types.Slice:
		return b.element(t.Elem())
	case *types.Map:
		if err := b.element(t.Key()); err != nil {
			return err
		}
		return b.element(t.Elem())
	case *types.Pointer:
		n, ok := types.Unalias(t.Elem()).(*types.Named)
		if !ok {
			return fmt.Errorf("a pointer to %s", t.Elem())
		}
		return b.named(n, depth)
	case *types.Named:
		return b.named(t, depth)
	case *types.Signature:
		if depth > 1 {
			return fmt.Errorf("a function of functions of functions")
		}
		return b.funcType(t, depth+1)
	}
	return fmt.Errorf("%T of a type parameter", t)
}

func (b *binder) funcType(s *types.Signature, depth int) error {
	if s.Variadic() {
		return fmt.Errorf("a variadic function as a value")
	}
	for _, tup := range []*types.Tuple{s.Params(), s.Results()} {
		for i := range tup.Len() {
			if err := b.shape(tup.At(i).Type(), depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// element checks the element of a slice or map: a parameter itself, or a value struct of the library.
func (b *binder) element(t types.Type) error {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return nil
	case *types.Named:
		if class, err := erase.ClassOf(t.Origin()); err == nil && class == erase.Value {
			return nil
		}
	}
	if !mentionsParam(t) {
		return nil
	}
	return fmt.Errorf("a slice or map of %s", t)
}

// named checks an instance of a generic type: its arguments are parameters or free of them, except for
// iter.Seq and iter.Seq2.
func (b *binder) named(n *types.Named, depth int) error {
	if n.Obj().Pkg().Path() == "iter" {
		return nil
	}
	if p := n.Obj().Pkg(); p != b.pkg && !slices.Contains(bound, p.Path()) && !strings.HasPrefix(p.Path(), internal) {
		return fmt.Errorf("an instance of %s", n.Origin())
	}
	if _, err := erase.ClassOf(n.Origin()); err != nil {
		return err
	}
	for i := range n.TypeArgs().Len() {
		a := n.TypeArgs().At(i)
		if _, ok := types.Unalias(a).(*types.TypeParam); !ok && mentionsParam(a) {
			return fmt.Errorf("%s at a type made of a parameter", n.Origin().Obj().Name())
		}
	}
	return nil
}

// mentionsParam reports whether t contains a type parameter.
func mentionsParam(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case interface{ Elem() types.Type }:
		if m, ok := t.(*types.Map); ok && mentionsParam(m.Key()) {
			return true
		}
		return mentionsParam(t.Elem())
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if mentionsParam(t.TypeArgs().At(i)) {
				return true
			}
		}
	case *types.Signature:
		for _, tup := range []*types.Tuple{t.Params(), t.Results()} {
			for i := range tup.Len() {
				if mentionsParam(tup.At(i).Type()) {
					return true
				}
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if mentionsParam(t.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}
