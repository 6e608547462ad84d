package check_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"flinkish/interp/check"
	"flinkish/interp/symbols"
)

// cells of one lesson, from trivial to long.
var lesson = []string{
	"1 + 2",
	"x := 1",
	"type Word struct { Text string; N int }",
	"func (w Word) String() string { return fmt.Sprint(w.Text, w.N) }",
	"ws := env.FromElements(\"to be\", \"or not\").FlatMap(func(s string, out Collector[Word]) { for _, f := range strings.Fields(s) { out.Collect(Word{f, 1}) } })",
	"counts := ws.KeyBy(func(w Word) string { return w.Text }).Reduce(func(a, b Word) Word { a.N += b.N; return a })",
	"xs, err := counts.ExecuteAndCollectLimit(ctx, 10)\nfor _, x := range xs { fmt.Println(x) }",
	"y := 1 + \"a\"",
	"type seen struct{ n ValueState[int] }\nfunc (s *seen) Open(ctx *RuntimeContext) error { s.n = ctx.State(NewValueStateDescriptor[int](\"n\")); return nil }\nfunc (s *seen) ProcessElement(w string, ctx *KeyedContext[string], out Collector[string]) error { s.n.Update(s.n.Value() + 1); out.Collect(fmt.Sprint(w, \"=\", s.n.Value())); return nil }\nenv.FromElements(\"a\").KeyBy(func(s string) string { return s }).ProcessKeyed(&seen{}).Print()",
	"func Map[T, R any](xs []T, f func(T) R) []R { var out []R; for _, x := range xs { out = append(out, f(x)) }; return out }\nMap([]int{1}, func(i int) string { return strconv.Itoa(i) })",
}

// BenchmarkLesson reports how long nine in ten of a lesson's cells take to check at most: 5 ms is wanted.
func BenchmarkLesson(b *testing.B) {
	c := check.New(symbols.NewImporter())
	var times []time.Duration
	for n := 1; b.Loop(); {
		for _, src := range lesson {
			begin := time.Now()
			cell, err := c.Check("", n, src)
			times = append(times, time.Since(begin))
			if err == nil {
				c.Commit(cell)
			}
			n++
		}
	}
	reportPercentile(b, times, 90, 5)
}

// reportPercentile reports the time that p percent of times do not exceed, and the one wanted, in ms.
func reportPercentile(b *testing.B, times []time.Duration, p int, wanted float64) {
	slices.Sort(times)
	b.ReportMetric(times[len(times)*p/100].Seconds()*1000, fmt.Sprintf("p%d-ms", p))
	b.ReportMetric(wanted, "wanted-ms")
}

func BenchmarkReady(b *testing.B) {
	for b.Loop() {
		c := check.New(symbols.NewImporter())
		if _, err := c.Check("", 1, "fmt.Println(1)"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCell(b *testing.B) {
	c := check.New(symbols.NewImporter())
	for i, src := range lesson {
		b.Run(fmt.Sprint(i), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n++
				cell, err := c.Check("", n, src)
				if err == nil {
					c.Commit(cell)
				}
			}
		})
	}
}

// BenchmarkComplete reports how long 19 in 20 completions take at most: 50 ms is wanted.
func BenchmarkComplete(b *testing.B) {
	s := newSession(b)
	s.run("type Word struct { Text string; N int }\nws := env.FromElements(Word{\"a\", 1})")
	var times []time.Duration
	for b.Loop() {
		for _, src := range []string{"ws.", "ws.Map(", "ws.KeyBy(func(w Word) string { return w.", "strings.", "w", "for _, x := range ws."} {
			begin := time.Now()
			s.Complete(src, len(src))
			times = append(times, time.Since(begin))
		}
	}
	reportPercentile(b, times, 95, 50)
}
