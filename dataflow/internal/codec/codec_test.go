package codec_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"flinkish/dataflow/internal/codec"
)

type inner struct {
	name string
	n    int8
}

type outer struct {
	A    bool
	B    int64
	in   inner
	List []inner
	Arr  [2]string
	M    map[string][]int
	Any  any
	Err  error
	P    *inner
	F    func() string
	T    time.Time
}

// back encodes and decodes v.
func back[T any](t *testing.T, c *codec.Codec, v T) (got T) {
	t.Helper()
	b := c.Append([]byte("head"), unsafe.Pointer(&v))
	if string(b[:4]) != "head" {
		t.Fatal("what stood before was overwritten")
	}
	if err := c.Decode(b[4:], unsafe.Pointer(&got)); err != nil {
		t.Fatal(err)
	}
	return got
}

func check[T any](t *testing.T, name string, vs ...T) {
	t.Run(name, func(t *testing.T) {
		c := codec.New(reflect.TypeFor[T]())
		for _, v := range vs {
			if got := back(t, c, v); !reflect.DeepEqual(got, v) {
				t.Errorf("got %#v, want %#v", got, v)
			}
		}
	})
}

func TestValuesComeBackEqual(t *testing.T) {
	p := &inner{"x", 1}
	check(t, "numbers", 0, -1, math.MaxInt)
	check(t, "strings", "", "a", strings.Repeat("long", 1000))
	check(t, "slices, nil and empty", [][]string(nil), [][]string{}, [][]string{nil, {}, {"a", ""}})
	check(t, "arrays", [3]int8{1, 2, 3})
	check(t, "maps", map[string]any(nil), map[string]any{}, map[string]any{"a": 1, "b": []int{2}, "c": nil})
	check(t, "interfaces", any(nil), any(7), any("s"), any(inner{"y", 2}), any(p), any([]any{1, "a", nil}))
	check(t, "errors", error(nil), fmt.Errorf("wrong: %w", fmt.Errorf("inner")))
	check(t, "structs", outer{}, outer{A: true, B: 1 << 40, in: inner{"q", -3}, List: []inner{{"a", 1}, {"", 0}}, Arr: [2]string{"", "z"},
		M: map[string][]int{"k": {1}, "n": nil}, Any: inner{"any", 9}, P: p, T: time.Date(2026, 3, 1, 1, 2, 3, 4, time.Local)})
	check(t, "pointers at the top", (*outer)(nil), &outer{B: 5, P: p})
	check(t, "structs without size", struct{}{})
}

func TestPointersInsideKeepTheirIdentity(t *testing.T) {
	p := &inner{"x", 1}
	c := codec.New(reflect.TypeFor[outer]())
	a, b := back(t, c, outer{P: p, Any: p}), back(t, c, outer{P: p})
	if a.P != p || a.Any != any(p) || b.P != p {
		t.Error("a pointer inside came back as another one")
	}
	if c.Pinned() != 1 {
		t.Errorf("got %d pinned values, want 1", c.Pinned())
	}
}

func TestFunctionsArePinned(t *testing.T) {
	c := codec.New(reflect.TypeFor[outer]())
	if got := back(t, c, outer{F: func() string { return "called" }}); got.F() != "called" {
		t.Error("another function came back")
	}
}

func TestPointersAtTheTopAreCopied(t *testing.T) {
	c := codec.New(reflect.TypeFor[*inner]())
	v := &inner{"x", 1}
	if got := back(t, c, v); got == v || *got != *v {
		t.Errorf("got %p %v, want a copy of %p", got, got, v)
	}
	if c.Pinned() != 0 {
		t.Error("the record is kept in memory")
	}
}

func TestDamagedBytesAreAnError(t *testing.T) {
	c := codec.New(reflect.TypeFor[string]())
	for _, b := range []string{"", "\x05ab", "\x01ab", "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		var s string
		if err := c.Decode([]byte(b), unsafe.Pointer(&s)); err == nil {
			t.Errorf("%q: no error", b)
		}
	}
}
