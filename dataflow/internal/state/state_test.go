package state

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"flinkish/dataflow/internal/fault"
)

func must[X any](x X, err error) X {
	if err != nil {
		panic(err)
	}
	return x
}

func TestValueIsScopedToTheKey(t *testing.T) {
	b := NewBackend[string]()
	v := must(b.Value[int]("v", ""))
	var got []string
	for _, e := range []struct {
		k string
		v int
	}{{"a", 1}, {"b", 2}, {"a", 3}, {"a", 4}, {"b", 5}} {
		b.SetCurrent(e.k)
		old, ok := v.Get()
		got = append(got, fmt.Sprint(e.k, old, ok))
		v.Update(e.v)
	}
	if want := "a0false b0false a1true a3true b2true"; strings.ReplaceAll(strings.Join(got, "|"), " ", "") != strings.ReplaceAll(want, " ", "|") {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestClearRemovesTheEntryOfTheCurrentKeyOnly(t *testing.T) {
	b := NewBackend[string]()
	v := must(b.Value[int]("n", ""))
	var got []string
	for _, k := range strings.Fields("a a a b b a a a a") {
		b.SetCurrent(k)
		if v.Update(v.Value() + 1); v.Value() == 3 {
			got = append(got, k)
			v.Clear()
		}
	}
	if fmt.Sprint(got) != "[a a]" {
		t.Errorf("got %v, want [a a]", got)
	}
}

func TestListState(t *testing.T) {
	b := NewBackend[int]()
	b.SetCurrent(1)
	l := must(b.List[int]("l", ""))
	check := func(want string) {
		t.Helper()
		if got := fmt.Sprint(slices.Collect(l.Get())); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	check("[]")
	l.Add(1)
	check("[1]")
	l.AddAll([]int{2})
	check("[1 2]")
	mine := []int{7, 8}
	l.Update(mine)
	mine[0] = 99
	check("[7 8]")
	for x := range l.Get() {
		l.Add(x + 10) // not met by this range
	}
	check("[7 8 17 18]")
	l.Update(nil)
	check("[]")
	if b.Len() != 0 {
		t.Errorf("got %d keys after an update with nothing, want 0", b.Len())
	}
}

func TestMapState(t *testing.T) {
	b := NewBackend[string]()
	m := must(b.Map[int, string]("m", ""))
	b.SetCurrent("k1")
	m.Put(1, "1")
	b.SetCurrent("k2")
	m.Put(22, "22")
	b.SetCurrent("k1")
	m.Put(103, "103")
	m.Put(1031, "1031")
	m.Remove(103)
	var got []string
	for k, v := range m.Entries() {
		got = append(got, fmt.Sprint(k, v))
	}
	if fmt.Sprint(got) != "[11 10311031]" && fmt.Sprint(got) != "[1 1 1031 1031]" {
		t.Errorf("got %v", got)
	}
	if m.Contains(103) {
		t.Error("103 is still there")
	}
	b.SetCurrent("k2")
	if _, ok := m.Get(1); ok {
		t.Error("k2 sees an entry of k1")
	}
	b.SetCurrent("k3")
	if !m.IsEmpty() {
		t.Error("the map of a new key is not empty")
	}
}

// TestMapKeepsInsertionOrder compares with a slice, also when entries are removed during a range.
func TestMapKeepsInsertionOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBackend[int]()
		b.SetCurrent(0)
		m := must(b.Map[int, int]("m", ""))
		var keys []int
		for i := range rapid.IntRange(0, 200).Draw(t, "n") {
			k := rapid.IntRange(0, 30).Draw(t, "k")
			at := slices.Index(keys, k)
			if rapid.Bool().Draw(t, "put") {
				m.Put(k, i)
				if at < 0 {
					keys = append(keys, k)
				}
			} else {
				m.Remove(k)
				if at >= 0 {
					keys = slices.Delete(keys, at, at+1)
				}
			}
			if got := slices.Collect(m.Keys()); !slices.Equal(got, keys) {
				t.Fatalf("got %v, want %v", got, keys)
			}
		}
		for k := range m.Keys() {
			m.Remove(k)
		}
		if !m.IsEmpty() || b.Len() != 0 {
			t.Fatalf("%d entries and %d keys left", m.Len(), b.Len())
		}
	})
}

// TestAMapMayChangeWhileItIsRangedOver: each entry that a loop meets is followed by what the loop does then.
func TestAMapMayChangeWhileItIsRangedOver(t *testing.T) {
	type numbers = Map[int, int]
	many := func(do func(m *numbers)) func(m *numbers, k int) { // at the second entry
		return func(m *numbers, k int) {
			if k == 1 {
				do(m)
			}
		}
	}
	for _, c := range []struct {
		name       string
		do         func(m *numbers, k int)
		met, after string
	}{
		{"nothing", func(*numbers, int) {}, "0:0 1:10 2:20 3:30", "0:0 1:10 2:20 3:30"},
		{"the entry at hand is removed", func(m *numbers, k int) { m.Remove(k) }, "0:0 1:10 2:20 3:30", ""},
		{"the last entry is removed", many(func(m *numbers) { m.Remove(3) }), "0:0 1:10 2:20", "0:0 1:10 2:20"},
		{"an entry that was met is removed", many(func(m *numbers) { m.Remove(0) }), "0:0 1:10 2:20 3:30", "1:10 2:20 3:30"},
		{"all but the entry at hand are removed", many(func(m *numbers) { m.Remove(0); m.Remove(2); m.Remove(3) }), "0:0 1:10", "1:10"},
		{"all are removed", many(func(m *numbers) {
			for k := range 4 {
				m.Remove(k)
			}
		}), "0:0 1:10", ""},
		{"a later entry is changed", many(func(m *numbers) { m.Put(2, 7) }), "0:0 1:10 2:7 3:30", "0:0 1:10 2:7 3:30"},
		{"an entry is put anew", func(m *numbers, k int) { m.Put(k+100, k) }, "0:0 1:10 2:20 3:30", "0:0 1:10 2:20 3:30 100:0 101:1 102:2 103:3"},
		{"a later entry is removed and put", many(func(m *numbers) { m.Remove(2); m.Put(2, 7) }), "0:0 1:10 3:30", "0:0 1:10 3:30 2:7"},
		{"the map is cleared", many(func(m *numbers) { m.Clear() }), "0:0 1:10 2:20 3:30", ""},
		{"the map is cleared and filled", many(func(m *numbers) { m.Clear(); m.Put(3, 7); m.Put(9, 9) }), "0:0 1:10 2:20 3:30", "3:7 9:9"},
		{"the map is cleared and changed at each entry", func(m *numbers, k int) { m.Clear(); m.Put(k, 1); m.Remove(3) }, "0:0 1:10 2:20 3:30", ""},
		{"so many are put and removed that the holes are many", many(func(m *numbers) {
			for k := range 50 {
				m.Put(100+k, k)
			}
			for k := range 50 {
				m.Remove(100 + k)
			}
			m.Remove(2)
			m.Put(2, 7)
		}), "0:0 1:10 3:30", "0:0 1:10 3:30 2:7"},
		{"a loop in the loop removes what it meets", many(func(m *numbers) {
			for k := range m.Keys() {
				m.Remove(k)
			}
		}), "0:0 1:10", ""},
	} {
		b := NewBackend[string]()
		b.SetCurrent("a")
		m := must(b.Map[int, int]("m", ""))
		for k := range 4 {
			m.Put(k, 10*k)
		}
		show := func(do func(m *numbers, k int)) string {
			var met []string
			for k, v := range m.Entries() {
				met = append(met, fmt.Sprint(k, ":", v))
				do(m, k)
			}
			return strings.Join(met, " ")
		}
		if got := show(c.do); got != c.met {
			t.Errorf("%s: met %s, want %s", c.name, got, c.met)
		}
		if got := show(func(*numbers, int) {}); got != c.after {
			t.Errorf("%s: then there is %s, want %s", c.name, got, c.after)
		}
		if want := c.after == ""; m.IsEmpty() != want || m.IsSet() == want {
			t.Errorf("%s: empty is %v, set is %v", c.name, m.IsEmpty(), m.IsSet())
		}
	}
}

// TestAnEntryThatExpiresInAClearedMapLeavesTheNewOne: a loop goes on over a map that was cleared, whose entries expire there.
func TestAnEntryThatExpiresInAClearedMapLeavesTheNewOne(t *testing.T) {
	now := int64(0)
	b := NewBackend[string]()
	m := must(b.Map[int, int]("m", "", TTL{Millis: 10, Now: func() int64 { return now }}))
	b.SetCurrent("a")
	m.Put(0, 0)
	m.Put(1, 1)
	var met []int
	for k := range m.Entries() {
		met = append(met, k)
		m.Clear()
		now = 20
		m.Put(1, 7)
	}
	if v, ok := m.Get(1); !ok || v != 7 || len(met) != 1 {
		t.Errorf("met %v, then got %d, %v, want 7", met, v, ok)
	}
}

func TestReducingAndAggregatingState(t *testing.T) {
	b := NewBackend[string]()
	r := must(b.Reducing[string]("r", "", func(a, b string) string { return a + "," + b }))
	var got []string
	for _, e := range strings.Fields("k1 k2 jx k3") {
		b.SetCurrent(e[:1])
		r.Add(e[1:])
		x, _ := r.Get()
		got = append(got, x)
	}
	if fmt.Sprint(got) != "[1 1,2 x 1,2,3]" {
		t.Errorf("got %v", got)
	}

	sum := Aggregate[int, int, int]{Create: func() int { return 0 }, Add: func(x, acc int) int { return x + acc }, Result: func(a int) int { return a }}
	a := must(b.Aggregating[int, int, int]("a", "", func() Aggregate[int, int, int] { return sum }))
	read := func(k string) string { b.SetCurrent(k); x, ok := a.Get(); return fmt.Sprint(x, ok) }
	b.SetCurrent("def")
	a.Add(17)
	a.Add(11)
	b.SetCurrent("g")
	for _, x := range []int{1, 2, 3, 2, 1} {
		a.Add(x)
	}
	for k, want := range map[string]string{"def": "28 true", "abc": "0 false", "g": "9 true"} {
		if got := read(k); got != want {
			t.Errorf("%s: got %s, want %s", k, got, want)
		}
	}
	b.SetCurrent("def")
	a.Clear()
	if got := read("def"); got != "0 false" {
		t.Errorf("after clear: got %s", got)
	}
}

func TestNilClearsOrIsRefused(t *testing.T) {
	b := NewBackend[int]()
	b.SetCurrent(1)
	v := must(b.Value[any]("v", ""))
	v.Update(3)
	v.Update(nil)
	if _, ok := v.Get(); ok {
		t.Error("a value updated with nil is set")
	}
	p := must(b.Value[*int]("p", ""))
	p.Update(new(int))
	p.Update(nil)
	if _, ok := p.Get(); ok {
		t.Error("a value updated with a nil pointer is set")
	}
	v.Update([]int{1}) // not comparable, but not nil
	if _, ok := v.Get(); !ok {
		t.Error("a slice in any is not set")
	}
	defer func() {
		if err, ok := recover().(*fault.Error); !ok || err.Kind != "NullPointer" || !strings.Contains(err.Msg, `"l"`) {
			t.Errorf("got %v", err)
		}
	}()
	must(b.List[any]("l", "")).Add(nil)
}

func TestANameStandsForOneState(t *testing.T) {
	b := NewBackend[int]()
	must(b.Value[int]("n", ""))
	if v, err := b.Value[int]("n", ""); err != nil || v == nil {
		t.Errorf("asking twice: got %v", err)
	}
	for want, f := range map[string]func() error{
		`state "n" is a ValueState[int], but is asked for as a`: func() error { _, err := b.List[int]("n", ""); return err },
		"asked for as a ValueState[String]":                     func() error { _, err := b.Value[int]("n", "String"); return err },
		"choose another":                                        func() error { _, err := b.Value[string]("n", ""); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestAccessWithoutAKey(t *testing.T) {
	b := NewBackend[int]()
	v := must(b.Value[int]("count", "")) // the handle itself needs no key
	b.SetCurrent(1)
	b.ClearCurrent()
	for name, f := range map[string]func(){"get": func() { v.Get() }, "update": func() { v.Update(1) }, "clear": v.Clear} {
		func() {
			defer func() {
				err, ok := recover().(*fault.Error)
				if !ok || !strings.Contains(err.Error(), `no key set: keyed state "count"`) {
					t.Errorf("%s: got %v", name, err)
				}
			}()
			f()
		}()
	}
}

// TestBackendAgainstAMap runs random updates and clears of many keys against a Go map; ids must be
// used again, and iteration must follow the order of first appearance.
func TestBackendAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBackend[int]()
		v := must(b.Value[int]("v", ""))
		want := map[int]int{}
		keys := rapid.IntRange(1, 3000).Draw(t, "keys")
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range 6000 {
			seed = seed*6364136223846793005 + 1442695040888963407
			k := int(seed>>33) % keys
			b.SetCurrent(k)
			if got := v.Value(); got != want[k] {
				t.Fatalf("key %d: got %d, want %d", k, got, want[k])
			}
			if seed>>20&3 == 0 {
				v.Clear()
				delete(want, k)
			} else {
				v.Update(i + 1)
				want[k] = i + 1
			}
		}
		if b.Len() != len(want) {
			t.Fatalf("got %d keys, want %d", b.Len(), len(want))
		}
		if limit := int32(2*keys + 600); b.n > limit {
			t.Fatalf("%d ids for at most %d keys: they are not used again", b.n, keys)
		}
		n := 0
		for id, k := range eachOf(b) {
			if b.KeyOf(id) != k {
				t.Fatalf("id %d is not of key %d", id, k)
			}
			b.SetID(id)
			if got := v.Value(); got != want[k] {
				t.Fatalf("by id, key %d: got %d, want %d", k, got, want[k])
			}
			n++
		}
		if n != len(want) {
			t.Fatalf("met %d keys, want %d", n, len(want))
		}
	})
}

func eachOf[K comparable](b *Backend[K]) func(yield func(int32, K) bool) { return b.Each }

func TestKeysAreMetInTheOrderOfTheirComing(t *testing.T) {
	b := NewBackend[int]()
	v := must(b.Value[int]("v", ""))
	for k := range 1000 { // these make ids to use again
		b.SetCurrent(k)
		v.Update(1)
		v.Clear()
	}
	for k := 1999; k >= 1000; k-- {
		b.SetCurrent(k)
		v.Update(1)
	}
	next := 1999
	b.Each(func(_ int32, k int) bool {
		if k != next {
			t.Errorf("got key %d, want %d", k, next)
			return false
		}
		next--
		return true
	})
	if b.n > 1600 {
		t.Errorf("%d ids were given out for 1000 keys at a time", b.n)
	}
}

type named64 int64

func TestKeysOfEveryKind(t *testing.T) {
	testKeys(t, "a", "b", "", "日本")
	testKeys[any](t, 1, "1", int64(1), 1.0, nan, struct{ A any }{2}, nil)
	testKeys(t, nan, 0.5, math.Inf(1))
	testKeys(t, float32(math.NaN()), 1)
	testKeys[named64](t, 1, -1, math.MaxInt64)
	testKeys(t, uint8(3), 255)
	testKeys(t, true, false)
	testKeys(t, struct {
		A string
		B int
	}{"x", 1})
	b := NewBackend[float64]()
	if b.ID(0) != b.ID(math.Copysign(0, -1)) {
		t.Error("0.0 == -0.0, but they are two keys")
	}
}

var nan = math.NaN()

func testKeys[K comparable](t *testing.T, keys ...K) {
	b := NewBackend[K]()
	v := must(b.Value[int]("v", ""))
	for i, k := range keys {
		b.SetCurrent(k)
		v.Update(i)
	}
	for i, k := range keys {
		b.SetCurrent(k)
		if x, ok := v.Get(); !ok || x != i {
			t.Errorf("%T %v: got %d %v, want %d", k, k, x, ok, i)
		}
	}
	if b.Len() != len(keys) {
		t.Errorf("%T: got %d keys, want %d", keys, b.Len(), len(keys))
	}
}

func TestScopesHaveOneCellAndNeedNoKey(t *testing.T) {
	s := NewScope()
	v := must(s.Value[int]("v", ""))
	if !s.Empty() {
		t.Error("a new scope is not empty")
	}
	v.Update(4)
	if s.Empty() || v.Value() != 4 {
		t.Errorf("got %d", v.Value())
	}
	s.Clear()
	if !s.Empty() {
		t.Error("a cleared scope is not empty")
	}
}
