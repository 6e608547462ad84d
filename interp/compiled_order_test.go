package interp

import "testing"

// What is easily wrong when functions reuse memory, or evaluate operands in an order of their own.
const orderDecls = `
type Grid struct { At [2][3]int; P Point }
func bump(p *Point) int { p.X++; return p.X }
func show(w Word) string { return fmt.Sprint(w.Text, w.N, w.At.X, w.At.Y, len(w.Tags), w.U8) }
func (w Word) Show() string { return show(w) }
func down(w Word, n int) string { if n == 0 { return show(w) }; return down(Word{N: n}, n-1) + show(w) }
`

func TestCompiledFunctionsKeepOrderAndForgetWhatWas(t *testing.T) {
	compiled, interpreted := newFunctions(t, false), newFunctions(t, true)
	for _, f := range []*functions{compiled, interpreted} {
		if r := f.run(orderDecls); r.err != nil {
			t.Fatal(r.err)
		}
	}
	for _, c := range []struct{ name, call, want string }{
		{"an argument of which a part is left out", `Map(func(x int) string { return show(Word{Text: "t", N: x, U8: 7}) + "|" + show(Word{N: 1}) })`, "t1 0 0 0 7|1 0 0 0 0\nt2 0 0 0 7|1 0 0 0 0\n"},
		{"a receiver of which a part is left out", `Map(func(x int) string { return Word{Text: "t", At: Point{1, 2}}.Show() + "|" + Word{At: Point{Y: x}}.Show() })`, "t0 1 2 0 0|0 0 1 0 0\nt0 1 2 0 0|0 0 2 0 0\n"},
		{"an argument of a recursion", `Map(func(x int) string { return down(Word{Text: "a", U8: 3}, x) })`, ""},
		{"calls on both sides of an assignment", `Map(func(x int) int { p := &Point{}; xs := []int{0, 0, 0, 0}; xs[bump(p)] = bump(p) * 10; return xs[1] + xs[2]*1000 })`, "20\n20\n"},
		{"calls on both sides of two assignments", `Map(func(x int) int { p := &Point{}; xs := []int{0, 0, 0, 0, 0}; xs[bump(p)], xs[bump(p)] = bump(p), bump(p)*100; return xs[1] + xs[2] + xs[3]*7 })`, "403\n403\n"},
		{"calls in both indexes", `Map(func(x int) int { p := &Point{X: -1}; var g Grid; g.At[0][1], g.At[1][0] = 5, 9; return g.At[bump(p)][bump(p)] })`, "5\n5\n"},
		{"calls in a format and what is formatted", `Map(func(x int) string { p := &Point{}; return fmt.Sprintf(strconv.Itoa(bump(p))+"-%d", bump(p)) })`, "1-2\n1-2\n"},
		{"a call that changes what is added to", `Map(func(x int) int { p := &Point{}; xs := []int{1, 2, 3}; xs[bump(p)] += bump(p); return xs[1]*10 + p.X })`, "42\n42\n"},
		{"swaps of elements and fields", `Map(func(x int) int { xs := []int{1, 2, 3}; p := Point{7, 8}; i := 0; xs[0], xs[2] = xs[2], xs[0]; p.X, p.Y = p.Y, p.X; i, xs[i] = 2, 50; return xs[0] + xs[2]*100 + p.X*1000 + i })`, ""},
		{"pointers that move while they are assigned through", `Map(func(x int) int { a := &Point{1, 2}; b := a; a, a.X = &Point{5, 6}, x; return a.X*100 + b.X })`, "501\n502\n"},
		{"slices emitted and then appended to", `FlatMap(func(x int, out Collector[[]int]) { xs := []int{x}; out.Collect(xs); xs = append(xs, 2); out.Collect(xs); xs = append(xs, 3); ys := append(xs, 4); zs := append(xs, 5); out.Collect(ys); out.Collect(zs); xs[0] = 9; out.Collect(xs) })`, ""},
		{"arrays are values", `Map(func(x int) Grid { var g, h Grid; g.At[1][2] = x; h = g; h.At[1][2]++; g.At[0] = h.At[1]; a := g.At; a[0][0] = 99; return g })`, ""},
		{"records emitted and then changed", `FlatMap(func(x int, out Collector[Grid]) { var g Grid; for i := range 3 { g.At[0][i] = i + x; out.Collect(g) }; out.Collect(Grid{P: g.P}) })`, ""},
		{"pointers emitted and then written through", `FlatMap(func(x int, out Collector[Word]) { p := &Point{x, 1}; w := Word{Next: p}; out.Collect(w); p = &Point{3, 4}; w.Next = p; out.Collect(w) }).Map(func(w Word) int { return w.Next.X*10 + w.Next.Y })`, "11\n34\n21\n34\n"},
		{"variables of a loop begin anew", `Map(func(x int) int { n := 0; for i := range 3 { var p Point; var w Word; p.X += i; w.N += p.X; n = n*10 + w.N; w.Tags = append(w.Tags, "a"); n += len(w.Tags) }; return n })`, "123\n123\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "r, err := env.FromElements(1, 2)." + c.call + ".ExecuteAndCollectLimit(ctx, 100)\nfor _, x := range r { fmt.Printf(\"%v\\n\", x) }\nif err != nil { panic(err) }"
			want, got := interpreted.run(src), compiled.run(src)
			if want.err != nil || got.err != nil || got.out != want.out || c.want != "" && got.out != c.want {
				t.Errorf("got %v\n%s\nwant %v\n%s%s", got.err, got.out, want.err, want.out, c.want)
			}
			if got.refused != "" {
				t.Errorf("stayed interpreted: %s", got.refused)
			}
		})
	}
}
