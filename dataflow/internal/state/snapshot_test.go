package state

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// states are handles of every kind on one backend.
type states struct {
	b    *Backend[string]
	v    *Value[*[]int]
	l    *List[string]
	m    *Map[string, int]
	r    *Reducing[int]
	a    *Aggregating[int, int, string]
	with []TTL
}

func (s *states) open(t *testing.T) *states {
	t.Helper()
	var errs [5]error
	s.v, errs[0] = s.b.Value[*[]int]("v", "", s.with...)
	s.l, errs[1] = s.b.List[string]("l", "", s.with...)
	s.m, errs[2] = s.b.Map[string, int]("m", "", s.with...)
	s.r, errs[3] = s.b.Reducing[int]("r", "", func(a, b int) int { return a + b }, s.with...)
	s.a, errs[4] = s.b.Aggregating[int, int, string]("a", "", func() Aggregate[int, int, string] {
		return Aggregate[int, int, string]{
			Create: func() int { return 0 }, Add: func(x, acc int) int { return acc + x }, Result: func(acc int) string { return fmt.Sprint(acc) },
		}
	}, s.with...)
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// fill adds n to every state of a key.
func (s *states) fill(key string, n int) {
	s.b.SetCurrent(key)
	s.v.Update(&[]int{n})
	s.l.Add(fmt.Sprint(n))
	s.m.Put(fmt.Sprint(n), n)
	s.r.Add(n)
	s.a.Add(n)
}

func (s *states) text(key string) string {
	s.b.SetCurrent(key)
	v, entries := "-", []string{}
	if p, ok := s.v.Get(); ok {
		v = fmt.Sprint(*p)
	}
	for k, n := range s.m.Entries() {
		entries = append(entries, fmt.Sprintf("%s=%d", k, n))
	}
	r, _ := s.r.Get()
	a, _ := s.a.Get()
	return fmt.Sprintf("%s %v %v %d %s", v, s.l.Slice(), entries, r, a)
}

func restoreInto(t *testing.T, s *states, x *Snapshot) *states {
	t.Helper()
	if err := s.b.Restore(x, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASnapshotHoldsEveryKindOfState(t *testing.T) {
	old := (&states{b: NewBackend[string]()}).open(t)
	old.fill("x", 1)
	old.fill("y", 2)
	old.fill("x", 3)
	x := old.b.Snapshot()
	old.b.SetCurrent("x")
	(*old.v.Value())[0] = 99 // what comes later, also behind a pointer, does not reach the snapshot
	old.fill("x", 4)
	want := map[string]string{"x": "[3] [1 3] [1=1 3=3] 4 4", "y": "[2] [2] [2=2] 2 2", "z": "- [] [] 0 "}
	for range 2 { // a snapshot can be restored more than once
		before := restoreInto(t, (&states{b: NewBackend[string]()}).open(t), x)
		later := restoreInto(t, &states{b: NewBackend[string]()}, x).open(t)
		unopened := restoreInto(t, &states{b: NewBackend[string]()}, x)
		again := restoreInto(t, &states{b: NewBackend[string]()}, unopened.b.Snapshot()).open(t)
		for name, s := range map[string]*states{"opened before": before, "opened later": later, "handed on unopened": again} {
			for k, w := range want {
				if got := s.text(k); got != w {
					t.Errorf("%s: %s: got %s, want %s", name, k, got, w)
				}
			}
			if n := s.b.Len(); n != 2 {
				t.Errorf("%s: %d keys, want 2", name, n)
			}
			s.fill("x", 5)
		}
	}
}

func TestKeysWithoutStateLeaveAfterARestore(t *testing.T) {
	s := (&states{b: NewBackend[string]()}).open(t)
	s.fill("x", 1)
	n := restoreInto(t, (&states{b: NewBackend[string]()}).open(t), s.b.Snapshot())
	n.b.SetCurrent("x")
	n.b.Clear()
	if got := n.b.Len(); got != 0 {
		t.Errorf("%d keys are left, want 0", got)
	}
}

func TestATimeToLiveGoesOnAfterARestore(t *testing.T) {
	now := int64(0)
	ttl := must(NewTTL(100*time.Millisecond, func() int64 { return now }))
	s := (&states{b: NewBackend[string](), with: []TTL{ttl}}).open(t)
	s.fill("x", 1)
	x := s.b.Snapshot()
	now = 99
	n := restoreInto(t, (&states{b: NewBackend[string](), with: []TTL{ttl}}).open(t), x)
	if got, want := n.text("x"), "[1] [1] [1=1] 1 1"; got != want {
		t.Errorf("just before the end: got %s, want %s", got, want)
	}
	now = 100
	if got, want := n.text("x"), "- [] [] 0 "; got != want {
		t.Errorf("at the end: got %s, want %s", got, want)
	}
}

func TestASnapshotOfOtherTypesIsRefused(t *testing.T) {
	s := (&states{b: NewBackend[string]()}).open(t)
	s.fill("x", 1)
	x := s.b.Snapshot()
	if err := NewBackend[int]().Restore(x, nil); err == nil {
		t.Error("other keys: want an error")
	}
	b := NewBackend[string]()
	if err := b.Restore(x, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Value[string]("v", ""); err == nil {
		t.Error("another value type: want an error")
	}
	if _, err := b.List[string]("r", ""); err == nil {
		t.Error("another kind of state: want an error")
	}
}

type node struct {
	next *node
	at   time.Time
	tags map[string][]int
	any  any
}

func TestACopySharesNothingAndKeepsTheShape(t *testing.T) {
	n := &node{at: time.Unix(1, 0), tags: map[string][]int{"a": {1}}, any: []string{"x"}}
	n.next = n
	c := Copier[*node]()(n)
	if c == n || c.next != c {
		t.Fatal("the circle is not copied as one")
	}
	n.tags["a"][0], n.any.([]string)[0] = 2, "y"
	if c.tags["a"][0] != 1 || c.any.([]string)[0] != "x" || !c.at.Equal(time.Unix(1, 0)) {
		t.Errorf("the copy changed: %+v", c)
	}
	if got := Copier[[]int]()(nil); got != nil {
		t.Errorf("nil became %v", got)
	}
	if xs := []int{1}; !slices.Equal(Copier[[]int]()(xs), xs) {
		t.Error("a flat slice is not copied")
	}
}

func TestListsAreDealtOutOrUnited(t *testing.T) {
	var all []*Snapshot
	for _, xs := range [][]int{{0, 1}, {2}, nil} {
		s := NewScope()
		must(s.List[int]("l", "")).Update(xs)
		all = append(all, s.Snapshot())
	}
	read := func(x *Snapshot) []int {
		s := NewScope()
		if err := s.Restore(x, nil); err != nil {
			t.Fatal(err)
		}
		return slices.Clone(must(s.List[int]("l", "")).Slice())
	}
	if got, want := fmt.Sprint(read(Union(all))), "[0 1 2]"; got != want {
		t.Errorf("union: got %s, want %s", got, want)
	}
	var parts []string
	for _, x := range Deal(all, 2) {
		parts = append(parts, fmt.Sprint(read(x)))
	}
	if got, want := fmt.Sprint(parts), "[[0] [1 2]]"; got != want {
		t.Errorf("deal: got %s, want %s", got, want)
	}
	if Union(nil) != nil {
		t.Error("nothing united is something")
	}
}
