// Package keygroup decides which subtask owns a key, exactly as Flink does: a key's Java hash code is
// mixed, taken modulo the maximum parallelism (the key group), and the key groups are spread over the
// subtasks in contiguous ranges. The same key is therefore handled by the same subtask number as in Flink.
package keygroup

import "math/bits"

const (
	// LowerBound is the smallest default maximum parallelism.
	LowerBound = 128
	// UpperBound is the largest maximum parallelism there may be.
	UpperBound = 32768
)

// Group is the key group, in [0, maxPar), of a key with the given hash code (KeyGroupRangeAssignment
// .computeKeyGroupForKeyHash). maxPar must be positive.
func Group(hash int32, maxPar int) int {
	return int(uint32(Murmur(hash)) % uint32(maxPar))
}

// Subtask is the index of the subtask that owns a key group (KeyGroupRangeAssignment
// .computeOperatorIndexForKeyGroup).
func Subtask(group, maxPar, par int) int { return group * par / maxPar }

// Range is the first and the last key group (inclusive) of subtask i. A subtask without any key group,
// which takes par > maxPar, gets first > last.
func Range(i, maxPar, par int) (first, last int) {
	return (i*maxPar + par - 1) / par, ((i+1)*maxPar - 1) / par
}

// DefaultMaxParallelism is the maximum parallelism of an operator for which none was set:
// the next power of two of 1.5 times its parallelism, within [LowerBound, UpperBound].
func DefaultMaxParallelism(par int) int {
	n := par + par/2
	if n > UpperBound {
		return UpperBound
	}
	if n <= LowerBound {
		return LowerBound
	}
	return 1 << bits.Len(uint(n-1))
}

// Murmur mixes a hash code (MathUtils.murmurHash). The result is never negative.
func Murmur(hash int32) int32 {
	h := uint32(hash) * 0xcc9e2d51
	h = bits.RotateLeft32(h, 15) * 0x1b873593
	h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	h ^= 4
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	switch r := int32(h); {
	case r >= 0:
		return r
	case h == 1<<31:
		return 0
	default:
		return -r
	}
}
