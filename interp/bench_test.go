package interp

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"flinkish/dataflow"
)

func benchSession(b *testing.B) (*Session, func(src string) Result) {
	b.Helper()
	env := dataflow.NewEnv(dataflow.WithDeterministic(1), dataflow.WithParallelism(1), dataflow.WithOutput(io.Discard, io.Discard))
	s, err := New(Options{Stdout: io.Discard, Stderr: io.Discard, Env: env, Deterministic: true})
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	return s, func(src string) Result {
		n++
		r, err := s.Eval(context.Background(), Cell{Number: n, Source: src})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
}

// A session should be ready for its first cell in a part of the 100 ms that a prompt may take.
func BenchmarkSessionReady(b *testing.B) {
	for b.Loop() {
		s, eval := benchSession(b)
		eval("1 + 1")
		s.Close()
	}
}

// A cell of one line should take less than 3 ms; the percentile is that of the cells of a session.
func BenchmarkOneLineCells(b *testing.B) {
	_, eval := benchSession(b)
	lines := []string{
		"x := 41", "x + 1", `s := strings.Repeat("ab", 3)`, `fmt.Println(s, x)`, "func inc(n int) int { return n + 1 }", "inc(x)",
		`m := map[string]int{"a": 1}`, `m["b"] = x; len(m)`, "type P struct{ X, Y int }", "p := P{1, 2}", "p.X + p.Y",
		`ws := env.FromElements("a", "b").Map(func(s string) string { return s + s })`,
	}
	var times []time.Duration
	for b.Loop() {
		for _, l := range lines {
			begin := time.Now()
			eval(l)
			times = append(times, time.Since(begin))
		}
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1000, "p50-ms")
	b.ReportMetric(times[len(times)*9/10].Seconds()*1000, "p90-ms")
	b.ReportMetric(3, "wanted-ms")
}

// 10,000 cells should leave less than 250 MB of heap.
func BenchmarkHeapOf10000Cells(b *testing.B) {
	for b.Loop() {
		before := heap()
		s, eval := benchSession(b)
		for i := range 2500 {
			eval(fmt.Sprintf("x := %d", i))
			eval("x * 2")
			eval(fmt.Sprintf("func f(n int) int { for i := range n { n += i }; return n + %d }", i))
			eval(`fmt.Println(strings.ToUpper("a"), f(3))`)
		}
		b.ReportMetric(float64(heap()-before)/1e6, "heap-MB")
		b.ReportMetric(250, "wanted-MB")
		runtime.KeepAlive(s)
		s.Close()
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What a function of a job costs for each record, compiled and interpreted.
func BenchmarkFunctions(b *testing.B) {
	const records = 200_000
	for _, c := range []struct{ name, last, call string }{
		{"Map", "int64", "Map(func(x int64) int64 { return x*3 + 1 })"},
		{"Filter", "int64", "Filter(func(x int64) bool { return x%2 == 0 && x > 10 })"},
		{"FlatMap", "int64", "FlatMap(func(x int64, out Collector[int64]) { for i := range 3 { out.Collect(x + int64(i)) } })"},
		{"structs", "P", "Map(func(x int64) P { return P{x, x % 7} }).Filter(func(p P) bool { return p.Y != 3 })"},
		{"wide structs", "Wide", "Map(func(x int64) Wide { w := Wide{A: x, S: \"s\"}; w.B = w.A * 2; v := w; v.C++; return v }).Filter(func(w Wide) bool { return w.C != 3 })"},
		{"pointers", "P", "Map(func(x int64) *P { p := &P{x, 2}; p.Add(x); return p }).Map(func(p *P) P { return *p })"},
		{"equal structs", "P", "Map(func(x int64) P { return P{x % 8, 2} }).Filter(func(p P) bool { return p == P{1, 2} || p != P{3, 2} })"},
		{"maps", "int64", "MapRich(&tallied{n: map[string]int{}, at: map[P]P{}})"},
		{"KeyBy and Reduce", "int64", "KeyBy(func(x int64) int64 { return x % 100 }).Reduce(func(a, b int64) int64 { return a + b })"},
		{"ProcessKeyed", "int64", "KeyBy(func(x int64) int64 { return x % 100 }).ProcessKeyed(&counted{})"},
		{"strings", "string", "Map(func(x int64) string { return strings.ToUpper(\"a-\") + strconv.FormatInt(x, 10) })"},
		{"a user function", "int64", "Map(func(x int64) int64 { return twice(x) + twice(1) })"},
	} {
		for _, form := range []string{"compiled", "interpreted"} {
			b.Run(c.name+"/"+form, func(b *testing.B) {
				s, eval := benchSession(b)
				s.rt.Interpreted = form == "interpreted"
				eval(strings.TrimSpace(`
type P struct{ X, Y int64 }
func (p *P) Add(x int64) { p.X += x }
type Wide struct{ A, B, C, D, E, F, G, H, I int64; S string }
type tallied struct { n map[string]int; at map[P]P }
func (t *tallied) Map(x int64) (int64, error) {
	k := P{X: x % 100}
	t.n["a"] = t.n["a"] + 1
	p := t.at[k]
	p.Y += x
	t.at[k] = p
	return p.Y + int64(len(t.at)), nil
}
func twice(x int64) int64 { return x * 2 }
type counted struct{ n ValueState[int64] }
func (c *counted) Open(ctx *RuntimeContext) error { c.n = ctx.State(NewValueStateDescriptor[int64]("n")); return nil }
func (c *counted) ProcessElement(x int64, ctx *KeyedContext[int64], out Collector[int64]) error {
	n := c.n.Value() + x
	c.n.Update(n)
	if n%1000 == 0 { out.Collect(n) }
	return nil
}
func job() { env.FromSequence(1, ` + fmt.Sprint(records) + `).` + c.call + `.AddSinkFunc(func(_ ` + c.last + `) error { return nil }); if _, err := env.Execute(ctx); err != nil { panic(err) } }`))
				for b.Loop() {
					eval("job()")
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*records), "ns/record")
			})
		}
	}
}
