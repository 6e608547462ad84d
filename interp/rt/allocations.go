// Functions of the standard library that allocate as much as an argument says: more than a cell may have is refused first.

package rt

import (
	"bufio"
	"container/ring"
	"io"
	"math"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
)

func newReaderSize(r io.Reader, n int) *bufio.Reader {
	request("bufio.NewReaderSize", n, 1)
	return bufio.NewReaderSize(r, n)
}

func newWriterSize(w io.Writer, n int) *bufio.Writer {
	request("bufio.NewWriterSize", n, 1)
	return bufio.NewWriterSize(w, n)
}

const wordSize = 8

func newRing(n int) *ring.Ring {
	request("ring.New", n, 4*wordSize)
	return ring.New(n)
}

func (r *Runtime) perm(n int) []int { return permOf(r.rand1(), n) }

func permOf(r *rand.Rand, n int) []int {
	request("Perm", n, wordSize)
	return r.Perm(n)
}

func (r *Runtime) perm2(n int) []int { return permOf2(r.rand2(), n) }

func permOf2(r *randv2.Rand, n int) []int {
	request("Perm", n, wordSize)
	return r.Perm(n)
}

func makeReflectedSlice(t reflect.Type, n, c int) reflect.Value {
	request("reflect.MakeSlice", c, int(t.Elem().Size()))
	return reflect.MakeSlice(t, n, c)
}

func makeReflectedChan(t reflect.Type, n int) reflect.Value {
	request("reflect.MakeChan", n, int(t.Elem().Size()))
	return reflect.MakeChan(t, n)
}

// lshInt is the method Lsh of a big.Int.
func lshInt(z, x *big.Int, n uint) *big.Int {
	requestBits("Lsh", n)
	return z.Lsh(x, n)
}

// setBitInt is the method SetBit of a big.Int.
func setBitInt(z, x *big.Int, i int, b uint) *big.Int {
	requestBits("SetBit", uint(max(i, 0)))
	return z.SetBit(x, i, b)
}

// expInt is the method Exp of a big.Int, whose result is bounded by a modulus only.
func expInt(z, x, y, m *big.Int) *big.Int {
	if (m == nil || m.Sign() == 0) && x.BitLen() > 1 && y.Sign() > 0 {
		bits := new(big.Int).Mul(big.NewInt(int64(x.BitLen()-1)), y)
		if !bits.IsUint64() {
			bits.SetUint64(math.MaxUint64)
		}
		requestBits("Exp", uint(bits.Uint64()))
	}
	return z.Exp(x, y, m)
}

// requestBits panics if a number of n bits is too much.
func requestBits(call string, n uint) { request(call, int(n/8), 1) }
