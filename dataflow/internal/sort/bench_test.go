package sort_test

import (
	"encoding/binary"
	"reflect"
	"runtime/metrics"
	"testing"
	"unsafe"

	"flinkish/dataflow/internal/codec"
	"flinkish/dataflow/internal/sort"
)

// row is a record of 64 bytes as it is written: 500 MB are eight million of them.
type row struct {
	Key string // 10 characters
	N   int64
	Pad string // 42 characters
}

const (
	rowBytes = 64
	allBytes = 500 << 20
	budget   = 64 << 20
	maxHeap  = 128 << 20
)

// heapNow is what the heap takes now, garbage included.
func heapNow(s []metrics.Sample) uint64 {
	metrics.Read(s)
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}

// scramble is a one-to-one function of numbers (splitmix64).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// BenchmarkSort500MB sorts 500 MB in a budget of 64 MiB. It reports the peak of the heap, and fails above 128 MiB.
func BenchmarkSort500MB(b *testing.B) {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	pad := string(make([]byte, 42))
	order, err := sort.OrderOf(reflect.TypeFor[string]())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(allBytes)
	for b.Loop() {
		c := codec.New(reflect.TypeFor[row]())
		s := sort.New(sort.Config{Budget: budget, Dir: b.TempDir()})
		peak := uint64(0)
		look := func(i int) {
			if i%10000 == 0 {
				peak = max(peak, heapNow(heap))
			}
		}
		var key, payload []byte
		n := allBytes / rowBytes
		for i := range n {
			look(i)
			r := row{Key: randomKey(uint64(i)), N: int64(i), Pad: pad}
			key, payload = order.Append(key[:0], unsafe.Pointer(&r.Key)), c.Append(payload[:0], unsafe.Pointer(&r))
			if err := s.Add(key, payload); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Sort(); err != nil {
			b.Fatal(err)
		}
		last := ""
		for i := range n {
			look(i)
			_, payload, ok, err := s.Next()
			var r row
			if err == nil && ok {
				err = c.Decode(payload, unsafe.Pointer(&r))
			}
			if err != nil || !ok || r.Key < last {
				b.Fatalf("record %d: got %q after %q, %v, %v", i, r.Key, last, ok, err)
			}
			last = r.Key
		}
		b.ReportMetric(float64(peak)/(1<<20), "peak-heap-MiB")
		b.ReportMetric(float64(s.Spilled()), "runs")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		if peak > maxHeap {
			b.Errorf("the heap took %d MiB, want at most %d", peak>>20, maxHeap>>20)
		}
	}
}

func randomKey(i uint64) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], scramble(i))
	for j := range 10 {
		b[j] = 'a' + b[j]%26
	}
	return string(b[:10])
}
