package state

import (
	"hash/maphash"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"unsafe"
)

// The seed differs from run to run; nothing but the places in an index depends on it.
var seed = maphash.MakeSeed()

func mix(x uint64) uint32 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return uint32((hi ^ lo) >> 32)
}

func tag(h uint64) uint32 { return uint32(h >> 32) }

// hashOf returns the hash function of an index over K; integers have an index of their own. Kinds
// decide, so that a named string is as fast as string.
func hashOf[K comparable]() func(K) uint32 {
	switch reflect.TypeFor[K]().Kind() {
	case reflect.String:
		return func(k K) uint32 { return tag(maphash.String(seed, *(*string)(unsafe.Pointer(&k)))) }
	case reflect.Float64:
		return func(k K) uint32 { return mix(canonical(*(*float64)(unsafe.Pointer(&k)))) }
	case reflect.Float32:
		return func(k K) uint32 { return mix(canonical(float64(*(*float32)(unsafe.Pointer(&k))))) }
	case reflect.Interface:
		return func(k K) uint32 { return hashAny(any(k)) }
	}
	return func(k K) uint32 { return tag(maphash.Comparable(seed, k)) }
}

func hashAny(v any) uint32 {
	switch x := v.(type) {
	case string:
		return tag(maphash.String(seed, x))
	case int:
		return mix(uint64(x))
	case float64:
		return mix(canonical(x))
	case float32:
		return mix(canonical(float64(x)))
	}
	return tag(maphash.Comparable(seed, v))
}

// canonical gives every NaN the same bits, for a NaN key is one key, as in Java.
func canonical(f float64) uint64 {
	if f != f {
		return 0x7ff8000000000000
	}
	return math.Float64bits(f + 0) // -0.0 and 0.0 are ==, so they are one key here
}

// sameOf returns what counts as equal beside ==: NaN and NaN.
func sameOf[K comparable]() func(a, b K) bool {
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Float32, reflect.Float64:
		return func(a, b K) bool { return a != a && b != b }
	case reflect.Interface:
		return func(a, b K) bool { return isNaN(any(a)) && isNaN(any(b)) && reflect.TypeOf(a) == reflect.TypeOf(b) }
	}
	return nil
}

func isNaN(v any) bool {
	switch x := v.(type) {
	case float64:
		return x != x
	case float32:
		return x != x
	}
	return false
}

// cloneOf returns a copier of keys: a string key is often a slice of a whole input line, which the
// state must not keep alive.
func cloneOf[K comparable]() func(K) K {
	if reflect.TypeFor[K]().Kind() != reflect.String {
		return nil
	}
	return func(k K) K {
		s := strings.Clone(*(*string)(unsafe.Pointer(&k)))
		return *(*K)(unsafe.Pointer(&s))
	}
}
