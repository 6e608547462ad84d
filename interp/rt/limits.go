// Calls that would end the process: memory that nobody has, locks that are not held.

package rt

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
)

// MaxRequest is how many bytes a cell may ask for in one piece. More than the machine has ends the process.
const MaxRequest = 2 << 30

// size is n as the length of a slice or the capacity of a channel whose elements have elem bytes.
func size(what string, n, elem int) int {
	switch {
	case n < 0 && strings.HasPrefix(what, "chan"):
		panic(plainError("makechan: size out of range"))
	case n < 0:
		panic(runtimeError("makeslice: len out of range"))
	}
	request("make("+what+", "+fmt.Sprint(n)+")", n, elem)
	return n
}

// request panics if n pieces of elem bytes are too much.
func request(call string, n, elem int) {
	if elem == 0 || n <= MaxRequest/elem {
		return
	}
	total := "more than 8 EiB"
	if n <= math.MaxInt/elem {
		total = bytesText(n * elem)
	}
	panic(runtimeError(fmt.Sprintf("%s asks for %s at once; a cell may have %s in one piece", call, total, bytesText(MaxRequest))))
}

func bytesText(n int) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i := 0
	for n >= 1024 && i < len(units)-1 {
		n /= 1024
		i++
	}
	return fmt.Sprint(n, " ", units[i])
}

// hint is n as the size hint of a map: Go takes any.
func hint(n int) int { return max(0, min(n, 1<<20)) }

func repeat(s string, n int) string {
	request("strings.Repeat", n, len(s))
	return strings.Repeat(s, n)
}

func repeatBytes(b []byte, n int) []byte {
	request("bytes.Repeat", n, len(b))
	return bytes.Repeat(b, n)
}

func growBuilder(b *strings.Builder, n int) {
	request("Grow", n, 1)
	b.Grow(n)
}

func growBuffer(b *bytes.Buffer, n int) {
	request("Grow", n, 1)
	b.Grow(n)
}

// unlock is Mutex.Unlock, with a panic in place of the end of the process.
func unlock(m *sync.Mutex) {
	if m.TryLock() {
		m.Unlock()
		panic(runtimeError("sync: unlock of unlocked mutex"))
	}
	m.Unlock()
}

func unlockRW(m *sync.RWMutex) {
	if m.TryRLock() {
		m.RUnlock()
		panic(runtimeError("sync: Unlock of unlocked RWMutex"))
	}
	m.Unlock()
}

func unlockR(m *sync.RWMutex) {
	if readers(m) == 0 {
		panic(runtimeError("sync: RUnlock of unlocked RWMutex"))
	}
	m.RUnlock()
}

// readers is how many goroutines hold m for reading. A waiting writer takes maxReaders off the count.
func readers(m *sync.RWMutex) int64 {
	const maxReaders = 1 << 30
	n := reflect.ValueOf(m).Elem().FieldByName("readerCount").FieldByName("v").Int()
	if n < 0 {
		n += maxReaders
	}
	return n
}

func unlockAny(l sync.Locker) {
	switch m := l.(type) {
	case *sync.Mutex:
		unlock(m)
	case *sync.RWMutex:
		unlockRW(m)
	default:
		l.Unlock()
	}
}
