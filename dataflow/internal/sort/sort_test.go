package sort_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"flinkish/dataflow/internal/sort"
)

// sorted adds pairs and reads them back as "key=payload".
func sorted(t *testing.T, s *sort.Sorter, keys []string) (out []string) {
	t.Helper()
	for i, k := range keys {
		if err := s.Add([]byte(k), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sort(); err != nil {
		t.Fatal(err)
	}
	for {
		k, v, ok, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return out
		}
		out = append(out, string(k)+"="+string(v))
	}
}

func want(keys []string, compare func(a, b string) int) (out []string) {
	index := make([]int, len(keys))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int { return compare(keys[a], keys[b]) })
	for _, i := range index {
		out = append(out, fmt.Sprintf("%s=%d", keys[i], i))
	}
	return out
}

func randomKeys(n, length int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	keys := make([]string, n)
	for i := range keys {
		b := make([]byte, r.IntN(length))
		for j := range b {
			b[j] = byte(r.IntN(3))
		}
		keys[i] = string(b)
	}
	return keys
}

func TestSortIsStableWhateverFits(t *testing.T) {
	pad := strings.Repeat("\x02", 300)
	long := randomKeys(30000, 12)
	for i := range long {
		long[i] += pad
	}
	tests := []struct {
		name    string
		keys    []string
		compare func(a, b []byte) int
		spills  bool
	}{
		{"nothing", nil, nil, false},
		{"one record", []string{"a"}, nil, false},
		{"keys shorter and longer than the prefix, one the beginning of another", randomKeys(5000, 12), nil, false},
		{"keys of one length", slices.DeleteFunc(randomKeys(5000, 9), func(s string) bool { return len(s) != 8 }), nil, false},
		{"an order of its own", randomKeys(2000, 12), func(a, b []byte) int { return cmp.Compare(len(b), len(a)) }, false},
		{"more than the budget", long, nil, true},
		{"more than the budget, an order of its own", long, func(a, b []byte) int { return cmp.Compare(len(b), len(a)) }, true},
		{"a record that is larger than the budget", []string{"b", strings.Repeat("c", 3<<20), "a", strings.Repeat("b", 2<<20)}, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			s := sort.New(sort.Config{Compare: tt.compare, Dir: dir})
			compare := func(a, b string) int { return strings.Compare(a, b) }
			if tt.compare != nil {
				compare = func(a, b string) int { return tt.compare([]byte(a), []byte(b)) }
			}
			got := sorted(t, s, tt.keys)
			if w := want(tt.keys, compare); !slices.Equal(got, w) {
				t.Errorf("%d records came back in another order than %d wanted", len(got), len(w))
			}
			if spilled := s.Spilled() > 0; spilled != tt.spills {
				t.Errorf("got %d runs on disk, want some: %v", s.Spilled(), tt.spills)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("files left behind: %v", left)
			}
		})
	}
}

func TestManyRunsAreMergedInTwoPasses(t *testing.T) {
	s := sort.New(sort.Config{Dir: t.TempDir()})
	defer s.Close()
	payload := bytes.Repeat([]byte{'x'}, 100<<10)
	n := 1200
	var key [8]byte
	for i := range n {
		binary.BigEndian.PutUint64(key[:], uint64(i*7919%n))
		if err := s.Add(key[:], payload); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sort(); err != nil {
		t.Fatal(err)
	}
	if s.Spilled() < 100 {
		t.Fatalf("got %d runs, want at least 100: the test is about merging merged runs", s.Spilled())
	}
	for i := range n {
		k, p, ok, err := s.Next()
		if err != nil || !ok || binary.BigEndian.Uint64(k) != uint64(i) || len(p) != len(payload) {
			t.Fatalf("record %d: got key %v, %d bytes, %v, %v", i, k, len(p), ok, err)
		}
	}
	if _, _, ok, err := s.Next(); ok || err != nil {
		t.Errorf("after the end: got %v, %v", ok, err)
	}
}

func TestAMissingFolderIsAnError(t *testing.T) {
	s := sort.New(sort.Config{Dir: t.TempDir() + "/none"})
	err := error(nil)
	for i := 0; i < 20 && err == nil; i++ {
		err = s.Add([]byte{byte(i)}, make([]byte, 100<<10))
	}
	if err == nil || !strings.HasPrefix(err.Error(), "sort: cannot write to disk: ") {
		t.Errorf("got %v", err)
	}
}

type version struct{ text string }

// Compare orders by the length of the text.
func (v version) Compare(w version) int { return cmp.Compare(len(v.text), len(w.text)) }

type pair struct {
	A string
	B int8
}

// encodeAll returns the bytes of values, each of type T.
func encodeAll[T any](t *testing.T, vs []T, desc bool) ([][]byte, func(a, b []byte) int) {
	t.Helper()
	o, err := sort.OrderOf(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	if desc {
		o = o.Descending()
	}
	var out [][]byte
	for i := range vs {
		out = append(out, o.Append(nil, unsafe.Pointer(&vs[i])))
	}
	if o.Compare() == nil {
		return out, bytes.Compare
	}
	return out, o.Compare()
}

// ascends checks that values which stand in ascending order have bytes in ascending order, and descending ones too.
func ascends[T any](t *testing.T, name string, vs ...T) {
	t.Run(name, func(t *testing.T) {
		up, compare := encodeAll(t, vs, false)
		down, compareDown := encodeAll(t, vs, true)
		for i := range vs {
			for j := range vs {
				if got, want := compare(up[i], up[j]), cmp.Compare(i, j); got != want {
					t.Errorf("%v, %v: got %d, want %d", vs[i], vs[j], got, want)
				}
				if got, want := compareDown(down[i], down[j]), cmp.Compare(j, i); got != want {
					t.Errorf("descending %v, %v: got %d, want %d", vs[i], vs[j], got, want)
				}
			}
		}
	})
}

func TestSortKeysComeInTheOrderOfTheirValues(t *testing.T) {
	one, two := 1, 2
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ascends(t, "int", math.MinInt, -5, -1, 0, 3, math.MaxInt)
	ascends(t, "int8", int8(-128), int8(-1), int8(0), int8(127))
	ascends(t, "uint16", uint16(0), uint16(255), uint16(256), uint16(65535))
	ascends(t, "float64 as Double.compare", math.Inf(-1), -2.5, math.Copysign(0, -1), 0.0, 1e-300, 7, math.Inf(1), math.NaN())
	ascends(t, "float32", float32(-1), float32(0), float32(0.5))
	ascends(t, "string", "", "\x00", "\x00\x00", "\x00a", "a", "a\x00", "a\x00b", "aa", "b", "\xff")
	ascends(t, "bool", false, true)
	ascends(t, "struct", pair{"", 1}, pair{"a", -1}, pair{"a", 1}, pair{"a\x00", 0}, pair{"ab", -7})
	ascends(t, "array", [2]int{1, 9}, [2]int{2, 0})
	ascends(t, "time", at.Add(-time.Hour), at, at.Add(1), at.In(time.FixedZone("x", 3600)).Add(2))
	ascends(t, "pointer, nil first", nil, &one, &two)
	ascends(t, "any, nil first", any(nil), any(-1), any(4))
	ascends(t, "a type with Compare", version{"zz"}, version{"aaa"}, version{"bbbb"})
	ascends(t, "duration", -time.Second, time.Millisecond, time.Hour)
}

func TestWhatHasNoOrderIsRefused(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[[]int](), reflect.TypeFor[map[string]int](), reflect.TypeFor[func()](),
		reflect.TypeFor[struct{ A []int }](), reflect.TypeFor[complex128]()} {
		if _, err := sort.OrderOf(typ); err == nil || !strings.Contains(err.Error(), "has no order") {
			t.Errorf("%s: got %v", typ, err)
		}
	}
}

func TestDynamicKeysOfTwoTypesCannotBeCompared(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); got != "ClassCast: cannot compare a string with a int; give all records one type" {
			t.Errorf("got %s", got)
		}
	}()
	encodeAll(t, []any{1, "a"}, false)
}

func groupBytes[T any](v T) []byte {
	return sort.GroupsOf(reflect.TypeFor[T]()).Append(nil, unsafe.Pointer(&v))
}

func TestGroupsHaveFlinksBytes(t *testing.T) {
	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"a string is its length plus one and its characters", groupBytes("ab"), "03 61 62"},
		{"characters above 127 take more bytes", groupBytes("é"), "02 e9 01"},
		{"an emoji is two characters", groupBytes("😀"), "03 bd b0 03 80 bc 03"},
		{"int is a Long", groupBytes(258), "00 00 00 00 00 00 01 02"},
		{"int32 is an Integer", groupBytes(int32(-1)), "ff ff ff ff"},
		{"bool", groupBytes(true), "01"},
		{"a tuple is its fields", groupBytes(pair{"a", 2}), "02 61 02"},
		{"both zeros are one key", groupBytes(math.Copysign(0, -1)), "00 00 00 00 00 00 00 00"},
		{"any tells the type", groupBytes(any(int16(7))), "04 00 07"},
	}
	for _, tt := range tests {
		if got := fmt.Sprintf("% x", tt.got); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestDifferentKeysHaveDifferentGroups(t *testing.T) {
	all := [][]byte{groupBytes(any("a")), groupBytes(any([1]string{"a"})), groupBytes(any(pair{"a", 0})), groupBytes(any(1)),
		groupBytes(any(int64(1))), groupBytes(any(nil)), groupBytes(any("\xff")), groupBytes(any("\xfe")), groupBytes(any("\uFFFD"))}
	for i, a := range all {
		for j, b := range all {
			if (i == j) != bytes.Equal(a, b) || i != j && bytes.HasPrefix(a, b) {
				t.Errorf("keys %d and %d: % x, % x", i, j, a, b)
			}
		}
	}
}
