package rt

import (
	"go/types"
	"strings"
	"testing"
)

func TestAValueThatContainsItselfIsShown(t *testing.T) {
	m := map[string]any{}
	m["m"] = []any{1, m}
	typ := types.NewMap(types.Typ[types.String], types.NewInterfaceType(nil, nil))
	if got := Show(&Registry{}, typ, m, "%+v"); !strings.Contains(got, selfText) {
		t.Errorf("shown as %q, want a word about the cycle", got)
	}
}

func TestOnlyEndlessValuesAreEndless(t *testing.T) {
	self := []any{nil}
	self[0] = self
	type node struct{ Next *node }
	ring := &node{}
	ring.Next = ring
	var deep any
	for range 100 {
		deep = []any{deep, deep != nil}
	}
	shared := []any{1}
	cases := []struct {
		name string
		v    any
		want bool
	}{
		{"nil", nil, false},
		{"a slice in itself", self, true},
		{"a pointer to a slice in itself", &self, true},
		{"a ring of pointers, which fmt prints as numbers", ring, false},
		{"a hundred levels", deep, false},
		{"the same slice twice", []any{shared, shared}, false},
		{"a struct that holds a slice in itself", struct{ X any }{self}, true},
	}
	for _, c := range cases {
		if got := Endless(c.v); got != c.want {
			t.Errorf("%s: endless is %v, want %v", c.name, got, c.want)
		}
	}
}
