package dataflow_test

import (
	"context"
	"fmt"
	"runtime/metrics"
	"testing"

	. "flinkish/dataflow"
)

// BenchmarkSortPartition500MB sorts 500 MB of records by a string, in a job with a budget of 64 MiB. It reports the peak of
// the heap, and fails above 128 MiB.
func BenchmarkSortPartition500MB(b *testing.B) {
	const maxHeap, records, recordBytes = 128 << 20, 500 << 20 / 64, 64
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	pad := string(make([]byte, 42))
	b.SetBytes(records * recordBytes)
	for b.Loop() {
		env := NewEnv(WithParallelism(1), WithSortPartitionMemory(64<<20))
		peak, n, last := uint64(0), 0, ""
		look := func() {
			if n++; n%10000 == 0 {
				metrics.Read(heap)
				peak = max(peak, heap[0].Value.Uint64()+heap[1].Value.Uint64())
			}
		}
		env.FromSequence(1, records).Map(func(v int64) Tuple3[string, int64, string] {
			look()
			return Tuple3[string, int64, string]{F0: fmt.Sprintf("%010d", v*7919%10000000019), F1: v, F2: pad}
		}).FullWindowPartition().SortPartitionByPosition(1, Ascending).AddSinkFunc(func(v Tuple3[string, int64, string]) error {
			look()
			if v.F0 < last {
				return fmt.Errorf("%s comes after %s", v.F0, last)
			}
			last = v.F0
			return nil
		})
		if _, err := env.Execute(context.Background()); err != nil {
			b.Fatal(err)
		}
		if n != 2*records {
			b.Fatalf("got %d records, want %d", n-records, records)
		}
		b.ReportMetric(float64(peak)/(1<<20), "peak-heap-MiB")
		if peak > maxHeap {
			b.Errorf("the heap took %d MiB, want at most %d", peak>>20, maxHeap>>20)
		}
	}
}
