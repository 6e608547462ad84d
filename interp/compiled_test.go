package interp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"flinkish/dataflow"
)

// The declarations that the functions of TestCompiledFunctions use.
const compiledDecls = `
type Point struct { X, Y int }
type Celsius float64
type Word struct { Text string; N int; At Point; Tags []string; Next *Point; F32 float32; U8 uint8; T Celsius }
type Inner struct { K string; V int64 }
type Outer struct { Inner; P *Inner; Ok bool }
re := regexp.MustCompile("[a-z]+")
limit := 3
offset := Point{10, 20}
names := map[string]int{"a": 1, "bb": 2}
tally := map[string]int{}
spots := map[Point]Point{}
var anyOne any = 1
func cut1(s string) string { if s == "" { return "-" }; return s[:1] }
func double(x int) int { return x * 2 }
func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func isEven(n int) bool { if n == 0 { return true }; return isOdd(n - 1) }
func isOdd(n int) bool { if n == 0 { return false }; return isEven(n - 1) }
func split(s string) (head, tail string) { if s == "" { tail = "-"; return }; head, tail = s[:1], s[1:]; return tail, head }
func (p Point) Sum() int { p.X += p.Y; return p.X }
func (p *Point) Add(n int) { p.X += n; p.Y -= n }
func tokens(s string) []string { return strings.Fields(strings.ToLower(s)) }
func size(w Word) int { return len(w.Text) + w.At.Sum() }
func emit(s string, out Collector[string]) { for _, t := range tokens(s) { out.Collect(t) } }
func positive(n int) bool { return n > 0 }
func endless(n int) int { return endless(n+1) + 1 }
type counting struct { n ValueState[int]; all MapState[string, Point]; calls int }
func (c *counting) Open(ctx *RuntimeContext) error {
	c.n = ctx.State(NewValueStateDescriptor[int]("n"))
	c.all = ctx.MapState(NewMapStateDescriptor[string, Point]("all"))
	return nil
}
func (c *counting) ProcessElement(w string, ctx *KeyedContext[int], out Collector[string]) error {
	c.calls++
	c.n.Update(c.n.Value() + 1)
	p, ok := c.all.Get(w)
	if !ok { p.X = 100 }
	c.all.Put(w, Point{p.X + 1, ctx.CurrentKey()})
	if _, had := ctx.Timestamp(); had { out.Collect("time") }
	ctx.TimerService().RegisterProcessingTimeTimer(ctx.TimerService().CurrentProcessingTime() + 5)
	out.Collect(fmt.Sprintf("%d %s %d %d %d", ctx.CurrentKey(), w, c.n.Value(), p.X, c.calls))
	return nil
}
func (c *counting) OnTimer(ts int64, ctx *OnTimerContext[int], out Collector[string]) error {
	out.Collect(fmt.Sprintf("timer %d %d", ctx.CurrentKey(), c.n.Value()))
	c.n.Clear()
	return nil
}
type mean struct{}
type partial struct { sum, n int }
func (mean) CreateAccumulator() partial { return partial{} }
func (mean) Add(v int, a partial) partial { a.sum += v; a.n++; return a }
func (mean) GetResult(a partial) float64 { if a.n == 0 { return 0 }; return float64(a.sum) / float64(a.n) }
func (mean) Merge(a, b partial) partial { return partial{a.sum + b.sum, a.n + b.n} }
type doubler struct { by int; seen []int }
func (d *doubler) Map(x int) (int, error) { d.seen = append(d.seen, x); return x * d.by + len(d.seen), nil }
type lengthy struct{ least int }
func (l lengthy) Filter(s string) (bool, error) { return len(s) >= l.least, nil }
func (l lengthy) FlatMap(s string, out Collector[int]) error { for i := range l.least { out.Collect(i + len(s)) }; return nil }
func divide(a, b int) int {
	return a / b
}
`

// Each function must give the same as its interpreted form, on every input, and be compiled or not as stated.
func TestCompiledFunctions(t *testing.T) {
	ints, words := "0, 1, -1, 7, 100, -128, 255, 1<<40", `"", "a", "bb", "To be, or not to be", "ünïcödé 日本", "12", "-3.5", "x=1"`
	points := "Point{}, Point{1, 2}, Point{-3, 4}"
	records := `Word{}, Word{Text: "a", N: 2, At: Point{1, 2}, Tags: []string{"x", "y"}, F32: 1.5, U8: 200, T: 36.6}, Word{Text: "bb", N: -7, Next: &Point{5, 6}}`
	compiled, interpreted := newFunctions(t, false), newFunctions(t, true)
	for _, c := range []struct {
		name, inputs, call string
		interpreted        bool
	}{
		{"arithmetic", ints, "Map(func(x int) int { return (x*3 - 5) / 2 % 7 + x&6 | x^1 })", false},
		{"widths wrap", ints, "Map(func(x int) int { a := int8(x); b := uint16(x); a *= 3; b -= 7; c := uint8(a) << 1; return int(a) + int(b)*1000 + int(c) })", false},
		{"unsigned", ints, "Map(func(x int) uint64 { u := uint64(x); return u/3 + u%5 + u>>60 + ^u&15 })", false},
		{"shifts", ints, "Map(func(x int) int { n := uint(x) % 70; return 1<<n>>3 + (-x)>>2 })", false},
		{"and not", ints, "Map(func(x int) int { x &^= 6; x |= 8; x ^= 3; x <<= 2; return x &^ 4 })", false},
		{"floats", ints, "Map(func(x int) float64 { f := float64(x) / 3; g := float32(f) * 1.1; return f*f - float64(g) + math.Sqrt(math.Abs(f)) })", false},
		{"to integers", ints, "Map(func(x int) int { f := float64(x) * 0.7; return int(f) + int(int8(x)) + int(uint32(x)) })", false},
		{"named numbers", ints, "Map(func(x int) Celsius { c := Celsius(x) + 0.5; return c * 2 })", false},
		{"strings", words, `Map(func(s string) string { t := s + "-" + strings.ToUpper(s); if len(t) > 4 { return t[1:4] + t[len(t)-1:] }; return t })`, false},
		{"bytes of strings", words, "Map(func(s string) int { n := 0; for i := 0; i < len(s); i++ { n += int(s[i]) * i }; return n })", false},
		{"runes of strings", words, "Map(func(s string) int { n := 0; for i, r := range s { n = n*31 + int(r) + i }; return n })", false},
		{"runes and back", words, "Map(func(s string) string { r := []rune(s); for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 { r[i], r[j] = r[j], r[i] }; return string(r) })", false},
		{"bytes and back", words, "Map(func(s string) string { b := []byte(s); for i := range b { b[i]++ }; return string(b) + string(rune(len(b)+65)) })", false},
		{"comparisons", words, `Filter(func(s string) bool { return s > "T" && s != "a" || !(len(s) >= 2) && s == "" })`, false},
		{"numbers from text", words, "Map(func(s string) int { n, err := strconv.Atoi(s); if err != nil { return -1 }; return n * 2 })", false},
		{"floats from text", words, "Map(func(s string) float64 { f, err := strconv.ParseFloat(s, 64); if err != nil { f = -0.25 }; return f })", false},
		{"cut", words, `Map(func(s string) string { k, v, ok := strings.Cut(s, "="); if !ok { return "none" }; return v + k })`, false},
		{"fields", words, `FlatMap(func(s string, out Collector[string]) { for i, w := range strings.Fields(s) { if i == 2 { continue }; if w == "be" { break }; out.Collect(w) } })`, false},
		{"regular expressions", words, `FlatMap(func(s string, out Collector[Word]) { for _, w := range re.FindAllString(strings.ToLower(s), -1) { out.Collect(Word{Text: w, N: 1}) } })`, false},
		{"split and join", words, `Map(func(s string) string { p := strings.Split(s, " "); return strings.Join(p, "_") + strings.Replace(s, "o", "0", 1) })`, false},
		{"trims and indexes", words, `Map(func(s string) int { return strings.Index(strings.TrimSpace(s), "b") + strings.Count(s, "o") + utf8.RuneCountInString(s) })`, false},
		{"classes of runes", words, `Map(func(s string) int { n := 0; for _, r := range s { if unicode.IsLetter(r) { n++ } else if unicode.IsDigit(r) { n += 100 } }; return n })`, false},
		{"switches", ints, `Map(func(x int) string { switch { case x < 0: return "neg"; case x == 0: return "zero" }; switch x { case 1, 7: return "odd"; case 100: return "hundred"; default: return "big" } })`, false},
		{"switch with break", ints, `Map(func(x int) int { n := 0; for i := range 5 { switch i { case 2: if x > 0 { break }; n += 10; case 3: continue }; n += i }; return n })`, false},
		{"labels", ints, "Map(func(x int) int { n := 0\nouter:\nfor i := 0; i < 4; i++ { for j := range 4 { if j == i { continue outer }; if i == 3 { break outer }; n += i*j + 1 } }\nreturn n + x })", false},
		{"min and max", ints, "Map(func(x int) int { return min(x, 5, limit) + max(x, 1) })", false},
		{"session variables", ints, "Map(func(x int) int { return x*limit + offset.Y })", false},
		{"structs", points, "Map(func(p Point) Point { p.X += p.Y; p.Y++; q := p; q.X = -q.X; return Point{q.X, p.X + q.Y} })", false},
		{"equal structs", points, "Filter(func(p Point) bool { return p == Point{1, 2} || p != (Point{}) && p.X < 0 })", false},
		{"fields of structs", records, "Map(func(w Word) string { return w.Text })", false},
		{"nested fields", records, "Map(func(w Word) int { w.At.X = w.N; return w.At.X*10 + w.At.Y + len(w.Tags) + int(w.U8) })", false},
		{"pointers in structs", records, "Map(func(w Word) int { if w.Next == nil { return -1 }; return w.Next.X + (*w.Next).Y })", false},
		{"small fields", records, "Map(func(w Word) Word { w.F32 /= 3; w.U8 += 100; w.T = w.T*2 - 1; return w })", false},
		{"literals", ints, `Map(func(x int) Word { return Word{N: x, At: Point{Y: x}, Tags: []string{"p", "q"}, Next: &Point{x, 1}} })`, false},
		{"embedding", ints, `Map(func(x int) Outer { return Outer{Inner{"k", int64(x)}, &Inner{K: "p"}, x > 0} }).Map(func(o Outer) string { if o.Ok { return o.K + o.P.K }; return o.Inner.K })`, false},
		{"slices", records, `Map(func(w Word) int { n := 0; xs := w.Tags[:]; for i := range xs { n += len(xs[i:]) }; ys := []int{1, 2, w.N}; ys = append(ys, n); ys[0] = 9; return ys[0] + ys[2] + ys[3] + len(ys) })`, false},
		{"growing slices", words, `FlatMap(func(s string, out Collector[[]string]) { var ws []string; for _, r := range s { ws = append(ws, string(r)) }; if ws != nil { out.Collect(ws) } })`, false},
		{"maps", words, `Map(func(s string) int { v, ok := names[s]; if !ok { return -names["a"] }; return v })`, false},
		{"writing maps", words, `Map(func(s string) int { tally[s]++; tally["all"] += len(s); tally[s+"x"] = -1; tally[cut1(s)] <<= 1; return tally[s]*100 + tally["all"]*10 + len(tally) })`, false},
		{"maps of structs", points, `Map(func(p Point) int { q, ok := spots[p]; if !ok { q = Point{1, 2} }; q.X += p.Y; spots[p] = q; spots[Point{}] = spots[p]; return spots[p].X*10 + spots[Point{9, 9}].Y + len(spots) })`, false},
		{"switches on structs", points, `Map(func(p Point) string { switch p { case Point{1, 2}: return "one"; case Point{}, Point{X: 7}: return "none" }; switch q := &p.X; q { case nil: return "nil" }; return "other" })`, true},
		{"switches on structs by value", points, `Map(func(p Point) string { switch p { case Point{1, 2}: return "one"; case Point{}, Point{X: 7}: return "none" }; return "other" })`, false},
		{"switches with interfaces", ints, `Map(func(x int) int { switch x { case anyOne: return 100 }; return x })`, true},
		{"labelled switches", ints, "Map(func(x int) int { n := 0\nloop:\nfor i := range 4 {\npick:\nswitch { case x > 0: for j := range 3 { if j == i { break pick }; if i == 3 { break loop }; if j > 1 { continue loop }; n++ }; n += 10; default: n-- }; n += 100 }; return n })", false},
		{"building text", words, `Map(func(s string) string { var b strings.Builder; for i := range 3 { b.WriteString(s); b.WriteByte(byte('0' + i)); b.WriteRune('é') }; return b.String() })`, false},
		{"formatted text", ints, `Map(func(x int) string { return fmt.Sprintf("%03d|%v|%T|%q", x, x > 1, x, "s") })`, false},
		{"formatted user types", points, `Map(func(p Point) string { return fmt.Sprintf("%+v", p) })`, true},
		{"durations", ints, `Map(func(x int) string { d := time.Duration(x) * time.Millisecond; return d.String() })`, false},
		{"keys and reduce", words, `Map(func(s string) Word { return Word{Text: s[:min(1, len(s))], N: len(s)} }).KeyBy(func(w Word) string { return w.Text }).Reduce(func(a, b Word) Word { a.N += b.N; return a })`, false},
		{"keys of numbers", ints, `KeyBy(func(x int) int { return x % 3 }).Reduce(func(a, b int) int { return a + b })`, false},
		{"keys of structs", points, `KeyBy(func(p Point) Point { return p }).Reduce(func(a, b Point) Point { return Point{a.X + b.X, a.Y} })`, false},
		{"tuples", words, `Map(func(s string) Tuple2[string, int] { return Tuple2[string, int]{s, len(s)} }).Filter(func(t Tuple2[string, int]) bool { return t.F1 > 0 }).Map(func(t Tuple2[string, int]) int { return t.F1 })`, false},
		{"functions of the user", ints, `Map(func(x int) int { return double(x) + double(double(x+1)) })`, false},
		{"recursion of two", ints, `Map(func(x int) int { n := x & 31; if isEven(n) { return fib(n % 15) }; return -fib(7) })`, false},
		{"named results", words, `Map(func(s string) string { h, t := split(s); a, b := split(t); return h + "," + a + "," + b })`, false},
		{"methods", points, `Map(func(p Point) int { q := &Point{p.X, p.Y}; q.Add(3); return p.Sum()*100 + q.Sum() + q.X*q.Y })`, false},
		{"methods of fields", records, `Map(func(w Word) int { n := w.At.Sum(); return n*10 + size(w) })`, false},
		{"a named function", ints, `Map(double).Filter(positive)`, false},
		{"a named function with a collector", words, `FlatMap(emit)`, false},
		{"a named function of structs", records, `Map(size)`, false},
		{"a process function", words, `ProcessFunc(func(s string, ctx *ProcessContext, out Collector[string]) { if _, ok := ctx.Timestamp(); !ok { out.Collect(s + "!") } })`, false},
		{"a keyed process function", words, `KeyBy(func(s string) int { return len(s) % 2 }).ProcessKeyedFunc(func(s string, ctx *KeyedContext[int], out Collector[int]) { out.Collect(ctx.CurrentKey() * 10 + len(s)) })`, false},
		{"a function object with state and timers", words, `KeyBy(func(s string) int { return len(s) % 2 }).ProcessKeyed(&counting{})`, false},
		{"an aggregation", ints, `KeyBy(func(x int) int { return x % 2 }).CountWindow(2).Aggregate(mean{})`, false},
		{"a map object", ints, `MapRich(&doubler{by: 3})`, false},
		{"a filter object", words, `FilterRich(lengthy{3})`, false},
		{"a flat map object", words, `FlatMapRich(lengthy{2})`, false},
		{"literals inside", ints, `Map(func(x int) int { f := func(y int) int { return y + x }; return f(1) })`, true},
		{"interfaces", ints, `Map(func(x int) any { return x })`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "r, err := env.FromElements(" + c.inputs + ").\n" + c.call + ".\nExecuteAndCollectLimit(ctx, 100)\nfor _, x := range r { fmt.Printf(\"%v\\n\", x) }\nif err != nil { panic(err) }"
			want, got := interpreted.run(src), compiled.run(src)
			if want.err != nil || got.err != nil || got.out != want.out {
				t.Errorf("got %v\n%s\nwant %v\n%s", got.err, got.out, want.err, want.out)
			}
			if (got.refused != "") != c.interpreted {
				t.Errorf("got %q, want interpreted: %v", got.refused, c.interpreted)
			}
		})
	}
}

// Failures must say what Go says, at the place at which the interpreted form fails.
func TestCompiledFunctionsFailAsGoDoes(t *testing.T) {
	compiled, interpreted := newFunctions(t, false), newFunctions(t, true)
	for _, c := range []struct{ name, call, want string }{
		{"division by zero", "Map(func(x int) int { y := 0\n if x > 1 {\n  return 10 /\n y }\n return y })", "integer divide by zero"},
		{"index of a slice", "Map(func(x int) int { xs := []int{1, 2}\n return xs[x] })", "index out of range [2] with length 2"},
		{"index of a string", "Map(func(x int) byte { s := \"ab\"\n return s[x+1] })", "index out of range [2] with length 2"},
		{"negative index", "Map(func(x int) byte { s := \"ab\"\n return s[-x] })", "index out of range [-1]"},
		{"slice bounds", "Map(func(x int) string { s := \"ab\"\n return s[x:1] })", "slice bounds out of range [2:1]"},
		{"slice of a slice", "Map(func(x int) int { s := []int{1, 2}\n s = s[:x+x]\n return len(s) })", "slice bounds out of range [:4] with capacity 2"},
		{"nil pointer", "Map(func(x int) int { var p *Point\n _ = x\n n := p.X\n return n })", "invalid memory address or nil pointer dereference"},
		{"nil map", "Map(func(x int) int { var m map[string]int\n m[\"a\"] = x\n return 1 })", "assignment to entry in nil map"},
		{"negative shift", "Map(func(x int) int { n := -x\n n = 1 << n\n return n })", "negative shift amount"},
		{"in a filter", "Filter(func(x int) bool {\n return 6/(x-2) > 1 })", "integer divide by zero"},
		{"below another function", "FlatMap(func(x int, out Collector[int]) {\n out.Collect(x) }).Map(func(x int) int {\n return 1 / (x - 3) })", "integer divide by zero"},
		{"in a key", "KeyBy(func(x int) int {\n return 1 % (x - 2) }).Reduce(func(a, b int) int { return a + b })", "integer divide by zero"},
		{"in a function of the user", "Map(func(x int) int {\n return divide(6, x-2) })", "integer divide by zero"},
		{"panics of the user", "Map(func(x int) int {\n if x == 2 { panic(\"boom\") }\n return x })", "record 2: boom"},
		{"panics with a text", "Map(func(x int) int {\n if x == 2 {\n panic(fmt.Sprintf(\"boom %d\", x)) }\n return x })", "record 2: boom 2"},
		{"panics with a number", "Filter(func(x int) bool {\n panic(x)\n })", "record 1: 1"},
		{"nil map, updated", "Map(func(x int) int { var m map[string]int\n m[\"a\"] += x\n return 1 })", "assignment to entry in nil map"},
		{"in a standard function", "Map(func(x int) int {\n re := regexp.MustCompile(\"(\")\n return re.NumSubexp() + x })", "missing closing )"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "env.FromElements(1, 2, 3)." + c.call + ".ExecuteAndCollectLimit(ctx, 100)"
			want, got := interpreted.run(src), compiled.run(src)
			if want.err == nil || got.err == nil || !strings.Contains(got.err.Error(), c.want) || got.place != want.place {
				t.Errorf("got\n%v %s\nwant %s, as in\n%v %s", got.err, got.place, c.want, want.err, want.place)
			}
			if got.refused != "" {
				t.Errorf("stayed interpreted: %s", got.refused)
			}
		})
	}
}

func TestEndlessRecursionOfACompiledFunctionIsAnError(t *testing.T) {
	got := newFunctions(t, false).run("env.FromElements(1).Map(endless).ExecuteAndCollectLimit(ctx, 1)")
	if got.err == nil || !strings.Contains(got.err.Error(), "recursion is too deep") || got.refused != "" {
		t.Errorf("got %v, %s; want an error about the recursion", got.err, got.refused)
	}
}

// A redefined function is used by what is built after it.
func TestACompiledFunctionSeesWhatWasRedefined(t *testing.T) {
	f := newFunctions(t, false)
	const job = "fmt.Println(env.FromElements(1, 2).Map(func(x int) int { return double(x) }).ExecuteAndCollectLimit(ctx, 9))"
	f.run(job)
	f.run("func double(x int) int { return x * 20 }")
	if got := f.run(job); got.out != "[20 40] <nil>\n" || got.refused != "" {
		t.Errorf("got %q %v %s, want [20 40]", got.out, got.err, got.refused)
	}
}

func TestCompiledFunctionsStopWithTheirCell(t *testing.T) {
	f := newFunctions(t, false)
	f.s.opt.Stdout, f.s.rt.Stdout = nil, stopper{f.s}
	f.tried, f.refused = 0, ""
	const job = `env.FromElements(1).Map(func(x int) int { fmt.Println("here"); return x }).Map(func(x int) int { for { x++ } }).Name("loop").ExecuteAndCollectLimit(ctx, 1)`
	_, err := f.s.Eval(context.Background(), Cell{Number: 50, Source: job})
	if err == nil || !strings.Contains(err.Error(), `"loop" (1/1) failed on record 1: interrupted`) || f.tried != 2 || strings.Count(f.refused, "\n") != 1 {
		t.Errorf("got %v, %d tried, %s; want that the loop is compiled, and interrupted", err, f.tried, f.refused)
	}
}

// stopper is a writer that stops the code of the cell which writes, and lets its job go on.
type stopper struct{ s *Session }

func (w stopper) Write(p []byte) (int, error) {
	w.s.rt.Stop()
	return len(p), nil
}

// functions is a session with the declarations above.
type functions struct {
	t   *testing.T
	s   *Session
	n   int
	out *bytes.Buffer
	// tried is how many functions were, and refused why some stayed interpreted.
	tried   int
	refused string
}

type outcome struct {
	out, refused, place string
	err                 error
}

func newFunctions(t *testing.T, interpreted bool) *functions {
	t.Helper()
	s, out := newSession(t)
	return functionsOf(t, s, out, interpreted)
}

// newParallelFunctions is such a session whose jobs run three subtasks of each operator at once.
func newParallelFunctions(t *testing.T, interpreted bool) *functions {
	t.Helper()
	var out bytes.Buffer
	s, err := New(Options{Stdout: &out, Stderr: &out, Env: dataflow.NewEnv(dataflow.WithParallelism(3), dataflow.WithOutput(&out, &out))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return functionsOf(t, s, &out, interpreted)
}

func functionsOf(t *testing.T, s *Session, out *bytes.Buffer, interpreted bool) *functions {
	t.Helper()
	f := &functions{t: t, s: s, out: out}
	s.rt.Interpreted = interpreted
	s.rt.Compiled = func(_ token.Pos, err error) {
		if f.tried++; err != nil {
			f.refused += err.Error() + "\n"
		}
	}
	if r := f.run(compiledDecls); r.err != nil {
		t.Fatal(r.err)
	}
	return f
}

// run runs a cell; the error is that of the cell, or the one that it shows.
func (f *functions) run(src string) (r outcome) {
	f.n++
	f.out.Reset()
	f.tried, f.refused = 0, ""
	res, err := f.s.Eval(context.Background(), Cell{Number: f.n, Source: src})
	for _, v := range res.Values {
		if e, ok := v.Go.(error); ok && err == nil {
			err = e
		}
	}
	r = outcome{out: pointers.ReplaceAllString(f.out.String(), "0x"), refused: f.refused}
	if f.tried == 0 {
		r.refused = "no function was tried"
	}
	if err != nil {
		r.err = f.s.Located(err)
	}
	var at *RunError
	if errors.As(r.err, &at) {
		r.place = fmt.Sprint(at.Line, ":", at.Col)
	}
	return r
}

var pointers = regexp.MustCompile("0x[0-9a-f]+")
