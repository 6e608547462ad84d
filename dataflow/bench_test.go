package dataflow_test

import (
	"context"
	"fmt"
	"testing"

	. "flinkish/dataflow"
)

var words = func() []string {
	ws := make([]string, 1<<20)
	for i := range ws {
		ws[i] = fmt.Sprint("word", i*7919%5000)
	}
	return ws
}()

//go:noinline
func wordOf(c Tuple2[string, int]) string { return c.F0 }

//go:noinline
func pair(s string) Tuple2[string, int] { return Tuple2[string, int]{F0: s, F1: 1} }

//go:noinline
func add(a, b Tuple2[string, int]) Tuple2[string, int] { a.F1 += b.F1; return a }

// BenchmarkWordCount counts 2^20 words: by hand, and as a job of each scheduler.
func BenchmarkWordCount(b *testing.B) {
	perWord := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(words)), "ns/word")
	}
	b.Run("hand", func(b *testing.B) {
		for range b.N {
			counts, n := map[string]Tuple2[string, int]{}, 0
			for _, w := range words {
				p := pair(w)
				if acc, ok := counts[wordOf(p)]; ok {
					p = add(acc, p)
				}
				counts[p.F0] = p
				n += p.F1
			}
		}
		perWord(b)
	})
	for name, env := range environments(1) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				n := 0
				env.FromSlice(words).Map(pair).KeyBy(wordOf).Reduce(add).
					AddSinkFunc(func(c Tuple2[string, int]) error { n += c.F1; return nil })
				if _, err := env.Execute(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			perWord(b)
		})
	}
}
