// The panics of indexes out of range, with Go's own numbers.

package rt

import "fmt"

// index is i, an index into something of length n, or Go's panic: elements without size cost no memory.
func index(i, n int) int {
	_ = make([]struct{}, n)[i]
	return i
}

// indexU is index for a number that may be larger than any int.
func indexU(i uint64, n int) int {
	_ = make([]struct{}, n)[i]
	return int(i)
}

// cut panics as the slice expression [low:high:top] of something that goes as far as whole does. kind says what whole is
// called; given tells which ends the expression has.
func cut(low, high, top, whole int, kind string, hasHigh, hasTop bool) int {
	if end := high; kind == "length" && hasHigh && (end > whole || hasTop && top > whole) {
		if hasTop {
			panic(runtimeError(fmt.Sprintf("slice bounds out of range [::%d] with length %d", top, whole)))
		}
		panic(runtimeError(fmt.Sprintf("slice bounds out of range [:%d] with length %d", end, whole)))
	}
	s := make([]struct{}, 0, whole)
	switch {
	case hasTop:
		_ = s[low:high:top]
	case hasHigh:
		_ = s[low:high]
	default:
		_ = s[:high][low:]
	}
	return 0
}
