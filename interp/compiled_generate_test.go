package interp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A jobs writes random functions of jobs: well-typed, ending, and without an order of evaluation that Go leaves
// open. Some fail. One seed makes the same text always.
type jobs struct {
	r       *rand.Rand
	b       strings.Builder
	n       int
	vars    []jobVar // in scope, innermost last
	funcs   []jobFunc
	result  string // what a return gives; "-": nothing
	collect bool   // there is a collector, out, of records
	depth   int
	loops   int
	labels  []jobLabel
	// recursing tells that a recursive function is being written; it may call each of selves once more.
	recursing bool
	selves    []string
	// captured are the variables of the function that builds the job, which its literals may use.
	captured []jobVar
}

type jobVar struct{ name, typ string }

type jobFunc struct {
	name, result string
	params       []string
	recursive    bool // the first argument is the depth: at most 3
}

// a jobLabel stands at a loop, or at a switch, which cannot be continued.
type jobLabel struct {
	name string
	loop bool
}

// jobTypes are declared once for all programs of a session.
const jobTypes = `
type Num int16
type Txt string
type Pt struct { X, Y int }
type Pair struct { L, R Pt; K string }
type Rec struct {
	I int; A8 int8; A16 int16; A32 int32; A64 int64; U uint; U8 uint8; U16 uint16; U32 uint32; U64 uint64
	F float64; G float32; S string; B bool; N Num; T Txt
	P Pt; D [3]int; Xs []int; Ss []string; Q *Pt; Ps []Pt; W Pair
}
func (p Pt) Sum(k int) int { p.X += k; return p.X*3 + p.Y }
func (p *Pt) Add(k int) { p.X += k; p.Y ^= k }
func (p *Pt) Next() int { p.X++; return p.X }
func (n Num) Twice() Num { return n * 2 }
func (r Rec) Moved(k int) Rec { r.P.X += k; r.D[1] += k; r.S = cut(r.S + "m"); return r }
func cut(s string) string { if len(s) > 20 { return s[:20] }; return s }
func short(xs []int) []int { if len(xs) > 9 { return xs[:9] }; return xs }
func tame(f float64) float64 { if f != f || f < -1000 || f > 1000 { return 7.5 }; return f }
func pos(i, n int) int { if n == 0 { return 0 }; return (i%n + n) % n }
func item(xs []int, i int) int { if len(xs) == 0 { return -1 }; return xs[pos(i, len(xs))] }
func plus(m map[string]int, s string, n int) int { if v, ok := m[s]; ok { return v + n }; return n }
func letter(s string, i int) byte { if s == "" { return '0' }; return s[pos(i, len(s))] }
func tri(n int) int { n &= 7; if n == 0 { return 0 }; return n + tri(n-1) }
func both(a int, s string) (n int, t string) { if a > 3 { n = a; t = s + "!"; return }; n, t = -a, s; return n + 1, t }
func show(r Rec) string {
	q := "nil"
	if r.Q != nil { q = fmt.Sprintf("%d/%d", r.Q.X, r.Q.Y) }
	s := fmt.Sprintf("%d %d %d %d %d %d %d %d %d %d ", r.I, r.A8, r.A16, r.A32, r.A64, r.U, r.U8, r.U16, r.U32, r.U64)
	s = s + fmt.Sprintf("%v %v %q %v %d %q ", r.F+0, r.G+0, r.S, r.B, int(r.N), string(r.T)) + q
	for _, x := range r.Xs { s += fmt.Sprintf(" %d", x) }
	for _, x := range r.Ss { s += fmt.Sprintf(" %q", x) }
	for _, p := range r.Ps { s += fmt.Sprintf(" %d.%d", p.X, p.Y) }
	for i := range 3 { s += fmt.Sprintf(" %d", r.D[i]) }
	return s + fmt.Sprintf(" (%d,%d) %d %d %s", r.P.X, r.P.Y, r.W.L.X, r.W.R.Y, r.W.K)
}
limit := 5
word := "it"
names := map[string]int{"a": 1, "bb": 2, "": 9}
func records() []Rec { return []Rec{
	{},
	{I: 1, A8: 127, A16: -32768, A32: 1 << 30, A64: -1 << 63, U: 1<<64 - 1, U8: 255, U16: 65535, U32: 1<<32 - 1, U64: 1 << 63, F: 1.5, G: 0.1, S: "a", B: true, N: 300, T: "t"},
	{I: -7, A8: -128, S: "héllo, 世界", Xs: []int{3, 1, 2}, Ss: []string{"x", "", "yz"}, Q: &Pt{4, 5}, Ps: []Pt{{1, 2}, {3, 4}}, D: [3]int{1, 2, 3}, F: math.NaN(), W: Pair{Pt{1, 2}, Pt{3, 4}, "k"}},
	{I: 1 << 40, F: math.Inf(1), G: -3.25, S: "bb", Xs: make([]int, 2, 8), Q: &Pt{-1, 0}, P: Pt{9, 8}, U8: 7, N: -1},
	{I: 12, A64: 77, S: "\xff\xfe", T: "a", D: [3]int{-1, 0, 1 << 62}, Ps: []Pt{{}}, B: true},
} }
`

var (
	jobInts   = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "Num"}
	jobKinds  = append([]string{"float64", "float32", "string", "Txt", "bool", "Pt", "[3]int", "[]int", "[]string", "*Pt", "[]Pt", "Pair", "Rec", "int", "int", "string"}, jobInts...)
	jobFields = map[string]map[string][]string{
		"Rec": {"int": {"I", "P.X", "D[1]", "W.L.X"}, "int8": {"A8"}, "int16": {"A16"}, "int32": {"A32"}, "int64": {"A64"}, "uint": {"U"}, "uint8": {"U8"},
			"uint16": {"U16"}, "uint32": {"U32"}, "uint64": {"U64"}, "float64": {"F"}, "float32": {"G"}, "string": {"S", "W.K"}, "bool": {"B"}, "Num": {"N"},
			"Txt": {"T"}, "Pt": {"P", "W.R"}, "[3]int": {"D"}, "[]int": {"Xs"}, "[]string": {"Ss"}, "*Pt": {"Q"}, "[]Pt": {"Ps"}, "Pair": {"W"}},
		"Pair":   {"Pt": {"L", "R"}, "string": {"K"}, "int": {"L.X", "R.Y"}},
		"Pt":     {"int": {"X", "Y"}},
		"[3]int": nil,
	}
)

func oneOf[T any](g *jobs, xs ...T) T { return xs[g.r.IntN(len(xs))] }

func (g *jobs) line(f string, a ...any) {
	fmt.Fprintf(&g.b, f, a...)
	g.b.WriteByte('\n')
}

func (g *jobs) name(p string) string {
	if g.r.IntN(12) == 0 && p == "v" {
		return "sh" // shadows, where the scope allows
	}
	g.n++
	return fmt.Sprintf("%s%d", p, g.n)
}

func (g *jobs) block(f func()) {
	n := len(g.vars)
	f()
	g.vars = g.vars[:n]
	g.line("}")
}

// literal writes a function of a job.
func (g *jobs) literal(params, result string, vars ...jobVar) string {
	outer, text := g.result, g.b.String()
	g.b.Reset()
	g.vars, g.result, g.collect = append(slices.Clone(g.captured), vars...), result, strings.Contains(params, "out ")
	head := result
	if result == "-" {
		head = ""
	}
	g.line("func(%s) %s {", params, head)
	g.body(result)
	lit := strings.TrimSuffix(g.b.String(), "\n")
	g.b.Reset()
	g.b.WriteString(text)
	g.result, g.collect = outer, false
	return lit
}

func (g *jobs) body(result string) {
	g.statements(2 + g.r.IntN(6))
	switch {
	case result == "-":
		g.line("out.Collect(%s)\n}", g.expr("Rec", 2))
	case result == "error":
		g.line("out.Collect(%s)\nreturn nil\n}", g.expr("Rec", 2))
	case result == "(Rec, error)":
		g.line("return %s, nil\n}", g.expr("Rec", 3))
	default:
		g.line("return %s\n}", g.expr(result, 3))
	}
}

// method writes a method of an object of a job.
func (g *jobs) method(recv, name, params, result string, vars ...jobVar) {
	captured := g.captured
	g.captured = nil
	lit := g.literal(params, result, vars...)
	g.captured = captured
	g.line("func (%s) %s%s", recv, name, strings.TrimPrefix(lit, "func"))
}
