package keygroup

import (
	"math"
	"reflect"
	"time"
	"unsafe"
)

// HashCoder is a key type with a hash code of its own, as a Java class that overrides hashCode. Equal
// keys must have equal hash codes.
type HashCoder interface{ HashCode() int32 }

// HasherOf returns the function that computes the Java hash code of a key. The choice is made here, once;
// for basic kinds, and structs of them, the function does not reflect or allocate. For K = any
// it looks at the dynamic type of each key. The function panics with a *fault.Error when a key of an
// interface type is nil or is not hashable; the task makes that the user's error.
func HasherOf[K comparable]() func(K) int32 {
	t := reflect.TypeFor[K]()
	if t.Kind() == reflect.Interface {
		return func(k K) int32 {
			if any(k) == nil {
				panic(noKey())
			}
			return Any(k)
		}
	}
	if f, ok := common[K](); ok {
		return f
	}
	h, bad := planOf(t)
	if bad != nil {
		return func(K) int32 { panic(bad) }
	}
	if t.Kind() == reflect.Struct && t != timeType && !reflect.PointerTo(t).Implements(hashCoderType) {
		if parts, ok := flatten(t); ok {
			return func(k K) int32 { return foldFlat(parts, unsafe.Pointer(&k)) }
		}
	}
	return func(k K) int32 { return h(unsafe.Pointer(&k)) }
}

// common returns the function for the most frequent key types, without the detour through a pointer.
func common[K comparable]() (func(K) int32, bool) {
	var f any
	switch any(*new(K)).(type) {
	case string:
		f = String
	case int:
		f = func(k int) int32 { return Long(int64(k)) }
	case int64:
		f = Long
	case int32:
		f = func(k int32) int32 { return k }
	default:
		return nil, false
	}
	return f.(func(K) int32), true
}

// Any is the hash code of a value whose type is known at run time only; nil hashes to 0, as a null
// field of a tuple does. It panics with a *fault.Error when the value's type is not hashable.
func Any(v any) int32 {
	switch x := v.(type) {
	case nil:
		return 0
	case string:
		return String(x)
	case int:
		return Long(int64(x))
	case int64:
		return Long(x)
	case int32:
		return x
	case float64:
		return Double(x)
	case bool:
		return Bool(x)
	case HashCoder:
		if p := reflect.ValueOf(v); p.Kind() != reflect.Pointer {
			return x.HashCode()
		}
	}
	return dynamic(reflect.ValueOf(v))
}

// Long is Java's Long.hashCode; it serves Go's int, int64, uint, uint32, uint64 and uintptr.
func Long(v int64) int32 { return int32(v) ^ int32(uint64(v)>>32) }

// Double is Java's Double.hashCode: every NaN is equal, +0.0 and -0.0 differ.
func Double(v float64) int32 {
	if v != v {
		return 0x7ff80000
	}
	return Long(int64(math.Float64bits(v)))
}

// Float is Java's Float.hashCode.
func Float(v float32) int32 {
	if v != v {
		return 0x7fc00000
	}
	return int32(math.Float32bits(v))
}

// Bool is Java's Boolean.hashCode.
func Bool(v bool) int32 {
	if v {
		return 1231
	}
	return 1237
}

// Instant is Java's Instant.hashCode of a point in time.
func Instant(t time.Time) int32 { return Long(t.Unix()) + 51*int32(t.Nanosecond()) }

// Duration is Java's Duration.hashCode: whole seconds, rounded down, and the nanoseconds above them.
func Duration(d time.Duration) int32 {
	s, n := int64(d/time.Second), int64(d%time.Second)
	if n < 0 {
		s, n = s-1, n+int64(time.Second)
	}
	return Long(s) + 51*int32(n)
}

// String is Java's String.hashCode: a fold over UTF-16 code units. ASCII is folded four bytes at a time.
func String(s string) int32 {
	var h uint32
	i := 0
	for ; i+4 <= len(s); i += 4 {
		a, b, c, d := s[i], s[i+1], s[i+2], s[i+3]
		if (a|b|c|d)&0x80 != 0 {
			return utf16Hash(s)
		}
		h = h*(31*31*31*31) + uint32(a)*(31*31*31) + uint32(b)*(31*31) + uint32(c)*31 + uint32(d)
	}
	for ; i < len(s); i++ {
		if s[i]&0x80 != 0 {
			return utf16Hash(s)
		}
		h = h*31 + uint32(s[i])
	}
	return int32(h)
}

func utf16Hash(s string) int32 {
	var h uint32
	for _, r := range s {
		if r >= 0x10000 {
			r -= 0x10000
			h = h*31 + uint32(0xd800+(r>>10))
			h = h*31 + uint32(0xdc00+(r&0x3ff))
		} else {
			h = h*31 + uint32(r)
		}
	}
	return int32(h)
}
