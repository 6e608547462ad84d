package keygroup

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"flinkish/dataflow/internal/fault"
)

type pair struct {
	F0 string
	F1 int32
}

// vectors are keys with what Java 17 and Flink make of them, for 128 key groups; the subtasks are those of
// parallelism 1, 2, 3, 4 and 8.
var vectors = []struct {
	key      any
	hash     int32
	murmur   int32
	group    int
	subtasks [5]int
}{
	{"", 0, 593689054, 94, [5]int{0, 1, 2, 2, 5}},
	{"a", 97, 1455541201, 81, [5]int{0, 1, 1, 2, 5}},
	{"b", 98, 516420758, 22, [5]int{0, 0, 0, 0, 1}},
	{"c", 99, 1219591486, 62, [5]int{0, 0, 1, 1, 3}},
	{"d", 100, 616682048, 64, [5]int{0, 1, 1, 2, 4}},
	{"A", 65, 743412968, 104, [5]int{0, 1, 2, 3, 6}},
	{"foo", 101574, 493551392, 32, [5]int{0, 0, 0, 1, 2}},
	{"bar", 97299, 1559353184, 96, [5]int{0, 1, 2, 3, 6}},
	{"hello", 99162322, 1715862179, 35, [5]int{0, 0, 0, 1, 2}},
	{"world", 113318802, 2116508994, 66, [5]int{0, 1, 1, 2, 4}},
	{"flink", 97520992, 1330823394, 98, [5]int{0, 1, 2, 3, 6}},
	{"key1", 3288498, 226217641, 41, [5]int{0, 0, 0, 1, 2}},
	{"key2", 3288499, 452939803, 27, [5]int{0, 0, 0, 0, 1}},
	{"key3", 3288500, 1829581787, 91, [5]int{0, 1, 2, 2, 5}},
	{"user-1", -836031825, 1662039673, 121, [5]int{0, 1, 2, 3, 7}},
	{"user-42", -147182656, 1600933524, 20, [5]int{0, 0, 0, 0, 1}},
	{"é", 233, 1107437598, 30, [5]int{0, 0, 0, 0, 1}},
	{"日本", 835047, 1762503263, 95, [5]int{0, 1, 2, 2, 5}},
	{"😀", 1772899, 1934073014, 54, [5]int{0, 0, 1, 1, 3}},
	{"to be or not to be", -1284004970, 1582659069, 125, [5]int{0, 1, 2, 3, 7}},
	{int32(0), 0, 593689054, 94, [5]int{0, 1, 2, 2, 5}},
	{int32(1), 1, 68075478, 86, [5]int{0, 1, 2, 2, 5}},
	{int32(2), 2, 1085422463, 127, [5]int{0, 1, 2, 3, 7}},
	{int32(3), 3, 847579505, 113, [5]int{0, 1, 2, 3, 7}},
	{int32(4), 4, 1889779975, 7, [5]int{0, 0, 0, 0, 0}},
	{int32(5), 5, 236698494, 126, [5]int{0, 1, 2, 3, 7}},
	{int32(7), 7, 1343918321, 113, [5]int{0, 1, 2, 3, 7}},
	{int32(10), 10, 848998979, 67, [5]int{0, 1, 1, 2, 4}},
	{int32(42), 42, 1134849565, 29, [5]int{0, 0, 0, 0, 1}},
	{int32(100), 100, 616682048, 64, [5]int{0, 1, 1, 2, 4}},
	{int32(127), 127, 1931274395, 27, [5]int{0, 0, 0, 0, 1}},
	{int32(128), 128, 132521001, 41, [5]int{0, 0, 0, 1, 2}},
	{int32(-1), -1, 1982413648, 80, [5]int{0, 1, 1, 2, 5}},
	{int32(-2), -2, 1087594050, 66, [5]int{0, 1, 1, 2, 4}},
	{int32(2147483647), 2147483647, 1653689534, 62, [5]int{0, 0, 1, 1, 3}},
	{int32(-2147483648), -2147483648, 1718298732, 108, [5]int{0, 1, 2, 3, 6}},
	{int64(0), 0, 593689054, 94, [5]int{0, 1, 2, 2, 5}},
	{int64(1), 1, 68075478, 86, [5]int{0, 1, 2, 2, 5}},
	{int64(2), 2, 1085422463, 127, [5]int{0, 1, 2, 3, 7}},
	{int64(42), 42, 1134849565, 29, [5]int{0, 0, 0, 0, 1}},
	{int64(-1), 0, 593689054, 94, [5]int{0, 1, 2, 2, 5}},
	{int64(4294967296), 1, 68075478, 86, [5]int{0, 1, 2, 2, 5}},
	{int64(1700000000000), -807048821, 1892790720, 64, [5]int{0, 1, 1, 2, 4}},
	{int64(9223372036854775807), -2147483648, 1718298732, 108, [5]int{0, 1, 2, 3, 6}},
	{int64(math.MinInt64), -2147483648, 1718298732, 108, [5]int{0, 1, 2, 3, 6}},
	{float64(0.0), 0, 593689054, 94, [5]int{0, 1, 2, 2, 5}},
	{math.Copysign(0, -1), -2147483648, 1718298732, 108, [5]int{0, 1, 2, 3, 6}},
	{float64(1.0), 1072693248, 1409882055, 71, [5]int{0, 1, 1, 2, 4}},
	{float64(-1.0), -1074790400, 1668167752, 72, [5]int{0, 1, 1, 2, 4}},
	{float64(0.5), 1071644672, 241279884, 12, [5]int{0, 0, 0, 0, 0}},
	{float64(3.14), 300063655, 913425156, 4, [5]int{0, 0, 0, 0, 0}},
	{float64(1.0e10), 1644339295, 329833613, 13, [5]int{0, 0, 0, 0, 0}},
	{math.NaN(), 2146959360, 1585394089, 41, [5]int{0, 0, 0, 1, 2}},
	{math.Inf(1), 2146435072, 663429370, 122, [5]int{0, 1, 2, 3, 7}},
	{float32(0.0), 0, 593689054, 94, [5]int{0, 1, 2, 2, 5}},
	{float32(1.0), 1065353216, 443043632, 48, [5]int{0, 0, 1, 1, 3}},
	{float32(-1.0), -1082130432, 1363603589, 5, [5]int{0, 0, 0, 0, 0}},
	{float32(2.5), 1075838976, 165298770, 82, [5]int{0, 1, 1, 2, 5}},
	{true, 1231, 1090530765, 77, [5]int{0, 1, 1, 2, 4}},
	{false, 1237, 1530821891, 3, [5]int{0, 0, 0, 0, 0}},
	{'a', 97, 1455541201, 81, [5]int{0, 1, 1, 2, 5}},
	{'Z', 90, 1229501652, 84, [5]int{0, 1, 1, 2, 5}},
	{'0', 48, 907422678, 86, [5]int{0, 1, 2, 2, 5}},
	{int8(7), 7, 1343918321, 113, [5]int{0, 1, 2, 3, 7}},
	{int8(-7), -7, 206585249, 33, [5]int{0, 0, 0, 1, 2}},
	{int16(300), 300, 802221488, 48, [5]int{0, 0, 1, 1, 3}},
	{struct{ F0 string }{"a"}, 97, 1455541201, 81, [5]int{0, 1, 1, 2, 5}},
	{pair{"a", 1}, 3008, 1123382429, 29, [5]int{0, 0, 0, 0, 1}},
	{pair{"b", 2}, 3040, 1660244794, 58, [5]int{0, 0, 1, 1, 3}},
	{struct {
		F0 int
		F1 string
	}{1, "x"}, 151, 435688194, 2, [5]int{0, 0, 0, 0, 0}},
	{struct {
		F0 string
		F1 int32
		F2 bool
	}{"a", 1, true}, 94479, 936412061, 29, [5]int{0, 0, 0, 0, 1}},
	{struct{ F0, F1 any }{nil, "a"}, 97, 1455541201, 81, [5]int{0, 1, 1, 2, 5}},
	{time.UnixMilli(1000).UTC(), 1, 68075478, 86, [5]int{0, 1, 2, 2, 5}},
	{time.Second, 1, 68075478, 86, [5]int{0, 1, 2, 2, 5}},
}

func TestKeysGoWhereFlinkSendsThem(t *testing.T) {
	for _, v := range vectors {
		h := HasherOf[any]()(v.key)
		if h != v.hash {
			t.Errorf("%T %v: got hash code %d, want %d", v.key, v.key, h, v.hash)
			continue
		}
		if got := Murmur(h); got != v.murmur {
			t.Errorf("%T %v: got murmur %d, want %d", v.key, v.key, got, v.murmur)
		}
		if got := Group(h, 128); got != v.group {
			t.Errorf("%T %v: got key group %d, want %d", v.key, v.key, got, v.group)
		}
		for i, par := range [5]int{1, 2, 3, 4, 8} {
			if got := Subtask(v.group, 128, par); got != v.subtasks[i] {
				t.Errorf("%T %v at parallelism %d: got subtask %d, want %d", v.key, v.key, par, got, v.subtasks[i])
			}
		}
	}
}

func TestOtherMaxParallelism(t *testing.T) {
	keys := []any{"a", "b", "c", 1, 2, 3}
	for maxPar, want := range map[int][6]int{
		1: {}, 2: {1, 0, 0, 0, 1, 1}, 4: {1, 2, 2, 2, 3, 1}, 5: {1, 3, 1, 3, 3, 0}, 64: {17, 22, 62, 22, 63, 49},
		100: {1, 58, 86, 78, 63, 5}, 256: {209, 150, 62, 214, 127, 113}, 4096: {3025, 1174, 3390, 4054, 2943, 2417},
		32768: {19409, 29846, 32062, 16342, 15231, 2417},
	} {
		for i, k := range keys {
			if got := Group(Any(k), maxPar); got != want[i] {
				t.Errorf("%v of %d: got group %d, want %d", k, maxPar, got, want[i])
			}
		}
	}
}

func TestMurmur(t *testing.T) {
	for in, want := range map[int32]int32{0: 593689054, 1: 68075478, 2: 1085422463, -1: 1982413648, math.MinInt32: 1718298732, 97: 1455541201, 12345: 638799361} {
		if got := Murmur(in); got != want {
			t.Errorf("Murmur(%d): got %d, want %d", in, got, want)
		}
	}
}

func TestDefaultMaxParallelism(t *testing.T) {
	for par, want := range map[int]int{1: 128, 85: 128, 86: 256, 100: 256, 128: 256, 170: 256, 171: 256, 172: 512, 256: 512,
		341: 512, 342: 1024, 1000: 2048, 10000: 16384, 21845: 32768, 21846: 32768, 32768: 32768} {
		if got := DefaultMaxParallelism(par); got != want {
			t.Errorf("parallelism %d: got %d, want %d", par, got, want)
		}
	}
}

func TestRangesAgreeWithSubtask(t *testing.T) {
	want := map[int][][2]int{3: {{0, 42}, {43, 85}, {86, 127}}, 5: {{0, 25}, {26, 51}, {52, 76}, {77, 102}, {103, 127}}}
	for par := 1; par <= 130; par++ {
		for i := range par {
			first, last := Range(i, 128, par)
			if w := want[par]; w != nil && w[i] != [2]int{first, last} {
				t.Errorf("range %d of %d: got %d-%d, want %v", i, par, first, last, w[i])
			}
			for g := first; g <= last; g++ {
				if got := Subtask(g, 128, par); got != i {
					t.Errorf("group %d at parallelism %d: got subtask %d, want %d", g, par, got, i)
				}
			}
		}
	}
}

type (
	word    string
	colour  int8
	ticket  struct{ n, salt int }
	wrapper struct {
		id   int
		_    int
		when time.Time
		d    time.Duration
		w    word
		in   pair
	}
)

func (t ticket) HashCode() int32 { return int32(t.n) }

func TestTypedHashersAgreeWithDynamicOnes(t *testing.T) {
	same := func(name string, typed, dynamic int32) {
		if typed != dynamic {
			t.Errorf("%s: typed %d, dynamic %d", name, typed, dynamic)
		}
	}
	w := wrapper{id: 1 << 40, when: time.UnixMilli(-1500), d: -1500 * time.Millisecond, w: "é", in: pair{"x", 9}}
	same("string", HasherOf[string]()("flink"), Any("flink"))
	same("named string", HasherOf[word]()("flink"), Any("flink"))
	same("named int8", HasherOf[colour]()(-7), -7)
	same("uint32 is a Long", HasherOf[uint32]()(math.MaxUint32), Long(math.MaxUint32))
	same("uint8", HasherOf[uint8]()(200), 200)
	same("float32", HasherOf[float32]()(2.5), Any(float32(2.5)))
	same("struct", HasherOf[wrapper]()(w), Any(w))
	half := int32(500_000_000) // nanoseconds; times 51 they wrap, as in Java
	half *= 51
	want := Long(1 << 40)
	for _, h := range []int32{Instant(w.when), Duration(w.d), 233, HasherOf[pair]()(w.in)} {
		want = 31*want + h
	}
	same("nested struct", HasherOf[wrapper]()(w), want)
	same("HashCode", HasherOf[ticket]()(ticket{5, 9}), 5)
	same("HashCode inside any", HasherOf[any]()(ticket{5, 9}), 5)
	same("HashCode in a field", HasherOf[struct{ T ticket }]()(struct{ T ticket }{ticket{5, 9}}), 5)
	same("duration rounds seconds down", Duration(-1500*time.Millisecond), Long(-2)+half)
}

func TestFastStringHashAgreesWithTheFold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("abcXYZ 0189é日😀")
	for range 2000 {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		if s := b.String(); String(s) != utf16Hash(s) {
			t.Errorf("%q: got %d, want %d", s, String(s), utf16Hash(s))
		}
	}
}

func TestKeyTypesThatAreRefused(t *testing.T) {
	type deep struct {
		A pair
		B struct{ P *int }
		C [2]string
	}
	for _, c := range []struct {
		typ  reflect.Type
		want []string // empty: accepted
	}{
		{reflect.TypeFor[string](), nil},
		{reflect.TypeFor[any](), nil},
		{reflect.TypeFor[wrapper](), nil},
		{reflect.TypeFor[ticket](), nil},
		{reflect.TypeFor[[]int](), []string{"type []int cannot be a key", "array or slice"}},
		{reflect.TypeFor[[3]int](), []string{"array or slice"}},
		{reflect.TypeFor[func()](), []string{"function"}},
		{reflect.TypeFor[map[string]int](), []string{"map"}},
		{reflect.TypeFor[*pair](), []string{"pointer"}},
		{reflect.TypeFor[deep](), []string{"field B.P (*int)", "field C ([2]string)"}},
	} {
		err := CheckKeyType(c.typ)
		if (err == nil) != (len(c.want) == 0) {
			t.Errorf("%v: got %v", c.typ, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%v: got %q, want it to contain %q", c.typ, err, w)
			}
		}
	}
}

func TestValuesThatCannotBeHashedPanicWithAFault(t *testing.T) {
	x := 1
	for name, f := range map[string]func(){
		"nil key":         func() { HasherOf[any]()(nil) },
		"slice in any":    func() { HasherOf[any]()([]int{1}) },
		"pointer in any":  func() { HasherOf[any]()(&x) },
		"pointer typed":   func() { HasherOf[*int]()(&x) },
		"pointer in deep": func() { HasherOf[struct{ A any }]()(struct{ A any }{&x}) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*fault.Error); !ok {
					t.Errorf("%s: no *fault.Error", name)
				}
			}()
			f()
		}()
	}
}

func TestHashersDoNotAllocate(t *testing.T) {
	h, p := HasherOf[string](), HasherOf[pair]()
	if n := testing.AllocsPerRun(100, func() { sink += h("to be or not to be") + p(pair{"a", 1}) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

var sink int32

func BenchmarkHash(b *testing.B) {
	b.Run("string19", func(b *testing.B) {
		h := HasherOf[string]()
		for b.Loop() {
			sink += h("to be or not to be.")
		}
	})
	b.Run("int", func(b *testing.B) {
		h := HasherOf[int]()
		for b.Loop() {
			sink += h(42)
		}
	})
	b.Run("pair", func(b *testing.B) {
		h := HasherOf[pair]()
		for b.Loop() {
			sink += h(pair{"user", 7})
		}
	})
	b.Run("any string", func(b *testing.B) {
		h := HasherOf[any]()
		var k any = "to be or not to be."
		for b.Loop() {
			sink += h(k)
		}
	})
}
