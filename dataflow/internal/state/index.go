package state

import "math/bits"

// Index is an open-addressing hash index from 32-bit tags to dense numbers; what a number stands for,
// and whether it is the wanted one, the owner knows. A slot holds the whole tag, and its place
// comes from the tag's high bits, so growing and deleting never look at the owner's data.
//
// To look up: for p := x.First(tag); ; p = x.Next(p) { tag, n, ok := x.At(p); ... }.
type Index struct {
	slots []uint64 // tag<<32 | number+1; 0 is empty
	mask  uint32
	shift uint32
	n     int
}

// NewIndex returns an empty index.
func NewIndex() Index { return Index{slots: make([]uint64, 16), mask: 15, shift: 28} }

// First is the place where a search for tag begins.
func (x *Index) First(tag uint32) uint32 { return tag >> x.shift }

// Next is the place after p.
func (x *Index) Next(p uint32) uint32 { return (p + 1) & x.mask }

// At returns what stands at place p; ok is false where the search ends.
func (x *Index) At(p uint32) (tag, number uint32, ok bool) {
	s := x.slots[p]
	return uint32(s >> 32), uint32(s) - 1, s != 0
}

// Insert adds a number that is not in the index.
func (x *Index) Insert(tag, number uint32) {
	if (x.n+1)*4 > len(x.slots)*3 {
		x.grow()
	}
	x.n++
	x.place(uint64(tag)<<32 | uint64(number+1))
}

func (x *Index) place(s uint64) {
	p := x.First(uint32(s >> 32))
	for x.slots[p] != 0 {
		p = x.Next(p)
	}
	x.slots[p] = s
}

func (x *Index) grow() {
	old := x.slots
	x.slots = make([]uint64, 2*len(old))
	x.mask = uint32(len(x.slots) - 1)
	x.shift = uint32(32 - bits.Len32(x.mask))
	for _, s := range old {
		if s != 0 {
			x.place(s)
		}
	}
}

// Delete removes a number that is in the index under tag. The slots behind it move up where they may, so
// that no search meets a gap.
func (x *Index) Delete(tag, number uint32) {
	want := uint64(tag)<<32 | uint64(number+1)
	p := x.First(tag)
	for x.slots[p] != want {
		p = x.Next(p)
	}
	x.n--
	for q := x.Next(p); x.slots[q] != 0; q = x.Next(q) {
		home := x.First(uint32(x.slots[q] >> 32))
		if (q-home)&x.mask >= (q-p)&x.mask {
			x.slots[p] = x.slots[q]
			p = q
		}
	}
	x.slots[p] = 0
}
