package engine

import (
	"context"
	"fmt"
	"testing"

	"flinkish/dataflow/internal/core"
)

// Benchmarks of the record path. Functions are opaque and every builder is kept from being inlined, or the
// compiler would see through the chain and measure nothing. Compare ratios at -cpu 1.

//go:noinline
func opaque[F any](f F) F { return f }

var (
	addOne = opaque(func(v int64) int64 { return v + 1 })
	isEven = opaque(func(v int64) bool { return v&1 == 0 })
	triple = opaque(func(v int64) int64 { return v * 3 })
)

//go:noinline
func opMap(f func(int64) int64) core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		emit, c, op := out.Main.(core.Emit[int64]), &core.Counters{}, s.OpIndex
		var last int64
		return &core.Instance{
			Op: passive{out: out.Control}, Counters: c, Record: func() any { return last },
			Inputs: []any{core.Emit[int64](func(v int64, ts int64) {
				last, s.Op = v, op
				c.In++
				emit(f(v), ts)
			})},
		}
	})
}

//go:noinline
func opFilter(f func(int64) bool) core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		emit, c, op := out.Main.(core.Emit[int64]), &core.Counters{}, s.OpIndex
		var last int64
		return &core.Instance{
			Op: passive{out: out.Control}, Counters: c, Record: func() any { return last },
			Inputs: []any{core.Emit[int64](func(v int64, ts int64) {
				last, s.Op = v, op
				c.In++
				if f(v) {
					emit(v, ts)
				}
			})},
		}
	})
}

//go:noinline
func opSum(sum *int64) core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		return &core.Instance{Op: passive{out: out.Control}, Inputs: []any{core.Emit[int64](func(v int64, _ int64) { *sum += v })}}
	})
}

//go:noinline
func opRange(n int64) core.Factory {
	return factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		emit, c := out.Main.(core.Emit[int64]), &core.Counters{}
		return &core.Instance{Op: passive{out: out.Control}, Counters: c, Run: func() error {
			for i := range n {
				if !s.Poll() {
					return nil
				}
				emit(i, core.NoTimestamp)
			}
			return nil
		}}
	})
}

func handLoop(n int64) (sum int64) {
	for i := range n {
		if v := addOne(i); isEven(v) {
			sum += triple(v)
		}
	}
	return sum
}

func runJob(b *testing.B, p *plan, o Options) {
	b.Helper()
	j, err := Submit(p.graph(), o)
	if err != nil {
		b.Fatal(err)
	}
	if err := j.Wait(context.Background()); err != nil {
		b.Fatal(err)
	}
}

var sink int64

func BenchmarkHandLoop(b *testing.B) {
	sink += handLoop(int64(b.N))
}

func BenchmarkChain(b *testing.B) {
	for _, mode := range []string{"parallel", "deterministic"} {
		b.Run(mode, func(b *testing.B) {
			p := newPlan()
			src := node[int64](p, "Source", 1, opRange(int64(b.N)))
			m := node[int64](p, "Map", 1, opMap(addOne))
			f := node[int64](p, "Filter", 1, opFilter(isEven))
			m2 := node[int64](p, "Map", 1, opMap(triple))
			p.chain(src, m)
			p.chain(m, f)
			p.chain(f, m2)
			p.chain(m2, node[int64](p, "Sink", 1, opSum(&sink)))
			b.ReportAllocs()
			runJob(b, p, Options{Deterministic: mode == "deterministic"})
		})
	}
}

// BenchmarkExchange is one record over one edge, by batch size and scheduler.
func BenchmarkExchange(b *testing.B) {
	for _, mode := range []string{"parallel", "deterministic"} {
		for _, batch := range []int{1, 16, 128, 512, 4096} {
			b.Run(mode+"/"+fmt.Sprint(batch), func(b *testing.B) {
				p := newPlan()
				src := node[int64](p, "Source", 1, opRange(int64(b.N)))
				p.ship(src, node[int64](p, "Sink", 1, opSum(&sink)), core.Forward)
				b.ReportAllocs()
				runJob(b, p, Options{Deterministic: mode == "deterministic", BatchSize: batch})
			})
		}
	}
}

// BenchmarkHash is one record over a keyed edge from two to two subtasks.
func BenchmarkHash(b *testing.B) {
	p := newPlan()
	src := node[int](p, "Source", 2, numbers(b.N))
	sum := node[int](p, "Sum", 2, factory(func(s *core.Subtask, out core.Outputs) *core.Instance {
		sums := map[int]int{}
		return &core.Instance{Op: passive{out: out.Control}, Inputs: []any{core.KeyedEmit[int, int](func(k, v int, _ int64) { sums[k] += v })}}
	}))
	shipKeyed(p, src, sum, func(v int) int { return v & 1023 })
	b.ReportAllocs()
	runJob(b, p, Options{})
}
