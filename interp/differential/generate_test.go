package differential

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes random well-typed programs. They end, print what they compute, and neither divide by
// zero nor index out of range. One seed makes one program.
type generator struct {
	r      *rand.Rand
	b      strings.Builder
	indent int
	vars   []variable // in scope, innermost last
	n      int        // names given so far
	prefix string     // of the program's top-level names
	funcs  []function
	depth  int // of nested statements
	labels []string
	loops  int
	// effects tells that the expression to write may change variables.
	effects bool
	result  string // type of the function that a return would leave; empty where there must be none
}

type variable struct {
	name, typ string
	fixed     bool // the program must not assign to it
}

type function struct {
	name   string
	params []string
	result string
}

// helpers are declared once for all programs of a package.
const helpers = `
func at(i, n int) int { return (i%n + n) % n }
func norm(f float64) float64 { return f + 0 } // no negative zero: it is lost in a parameter
func show(xs ...any) {
	for i, x := range xs {
		if f, ok := x.(float64); ok {
			xs[i] = norm(f)
		}
	}
	fmt.Println(xs...)
}
func cut(s string) string {
	if len(s) > 24 {
		return s[:24]
	}
	return s
}
`

// random writes the program of a seed. Its top-level names begin with the prefix; call is its entry.
func random(seed uint64, prefix string) (text, call string) {
	g := &generator{r: rand.New(rand.NewPCG(seed, 17)), prefix: prefix}
	g.types()
	g.moreTypes()
	for range 1 + g.r.IntN(3) {
		g.function()
	}
	g.line("func %sMain() {", prefix)
	g.block(func() {
		for _, t := range []string{"int", "string", "bool", "int8", "float64", "[]int", g.prefix + "S"} {
			g.declare(t)
		}
		g.statements(8 + g.r.IntN(8))
		for _, v := range g.vars {
			g.print(v)
		}
	})
	g.line("}")
	return g.b.String(), prefix + "Main"
}

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

// block writes the statements of f one step deeper and forgets the variables that they declare.
func (g *generator) block(f func()) {
	n := len(g.vars)
	g.indent++
	f()
	for _, v := range g.vars[n:] {
		g.line("_ = %s", v.name)
	}
	g.indent--
	g.vars = g.vars[:n]
}

func (g *generator) name() string {
	g.n++
	if len(g.vars) > 0 && g.r.IntN(6) == 0 {
		return "sh" // shadows, where the scope allows
	}
	return fmt.Sprintf("v%d", g.n)
}

func pick[T any](g *generator, xs ...T) T { return xs[g.r.IntN(len(xs))] }

// types declares a struct with methods, a named int with String, and an interface that both have.
func (g *generator) types() {
	p := g.prefix
	g.line("type %sN int", p)
	g.line("type %sS struct {\n\tA int\n\tB string\n\tC int8\n\tD [3]int\n\tE []int\n\tP *%sS\n\tN %sN\n}", p, p, p)
	g.line("type %sI interface{ Val(int) int }", p)
	if g.r.IntN(2) == 0 {
		g.line("type %sW struct {\n\t%sS\n\tX float64\n}", p, p)
	} else {
		g.line("type %sW struct {\n\t*%sS\n\tX float64\n}", p, p)
	}
	g.line("func (n %sN) Val(k int) int { return int(n)*%d + k }", p, 1+g.r.IntN(5))
	g.line("func (n %sN) String() string { return fmt.Sprint(%q, int(n)) }", p, pick(g, "n", "#", ""))
	g.line("func (s %sS) Val(k int) int { s.A += k; return s.A + s.D[at(k, 3)] }", p)
	g.line("func (s *%sS) Inc(k int) int { s.A += k; s.D[at(k, 3)]++; s.N++; return s.A }", p)
	g.line("func %sMap[T, U any](xs []T, f func(T) U) (out []U) {\n\tfor _, x := range xs {\n\t\tout = append(out, f(x))\n\t}\n\treturn\n}", p)
	g.line("func %sSeq(n int) func(func(int) bool) {\n\treturn func(yield func(int) bool) {\n\t\tfor i := range n {\n\t\t\tif !yield(i * %d) {\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}\n}", p, 1+g.r.IntN(3))
}

// function declares a function of a few parameters; it may defer and recover.
func (g *generator) function() {
	f := function{name: fmt.Sprintf("%sF%d", g.prefix, len(g.funcs)), result: pick(g, "int", "string", "float64", g.prefix+"S")}
	var ps []string
	outer := g.vars
	g.vars = nil
	for i := range 1 + g.r.IntN(3) {
		t := pick(g, "int", "string", "int8", "[]int", g.prefix+"S", "func(int) int")
		f.params = append(f.params, t)
		ps = append(ps, fmt.Sprintf("p%d %s", i, t))
		g.vars = append(g.vars, variable{name: fmt.Sprintf("p%d", i), typ: t})
	}
	g.vars = append(g.vars, variable{name: "res", typ: f.result})
	g.line("func %s(%s) (res %s) {", f.name, strings.Join(ps, ", "), f.result)
	g.indent++
	if g.r.IntN(3) == 0 {
		g.line("defer func() {")
		g.block(func() {
			g.line("if r := recover(); r != nil {\n\t\t\tshow(\"recovered\", r)\n\t\t}")
			g.assign()
		})
		g.line("}()")
	}
	n := len(g.vars)
	g.result = f.result
	g.statements(3 + g.r.IntN(4))
	g.result = ""
	if g.r.IntN(8) == 0 {
		g.line("if %s {\n\t\tpanic(%s)\n\t}", g.expr("bool", 2), g.expr("string", 1))
	}
	for _, v := range g.vars[n:] {
		g.line("_ = %s", v.name)
	}
	g.line("return %s", g.expr(f.result, 2))
	g.indent--
	g.line("}")
	g.vars = outer
	g.funcs = append(g.funcs, f)
}

func (g *generator) declare(t string) {
	name := g.name()
	for _, v := range g.vars {
		if v.name == name {
			name = fmt.Sprintf("v%d", g.n)
		}
	}
	e := g.expr(t, 2)
	if g.r.IntN(3) == 0 {
		e = g.effect(t)
	}
	if g.r.IntN(3) == 0 {
		g.line("var %s %s = %s", name, t, e)
	} else {
		g.line("%s := %s", name, g.typed(t, e))
	}
	g.vars = append(g.vars, variable{name: name, typ: t})
	g.line("_ = %s", name)
}

// typed makes sure that an expression has type t by itself.
func (g *generator) typed(t, e string) string {
	switch t {
	case "int8", "uint8", "float64", "int":
		return t + "(" + e + ")"
	case g.prefix + "I", "error":
		return t + "(" + e + ")"
	case g.prefix + "N":
		return t + "(" + e + ")"
	}
	return e
}

func (g *generator) print(v variable) {
	switch v.typ {
	case "func(int) int":
		g.line("show(%q, %s(%d))", v.name, v.name, g.r.IntN(5))
	case "*" + g.prefix + "S":
		g.line("show(%q, %s.A, %s.D)", v.name, v.name, v.name)
	case g.prefix + "S":
		g.line("show(%q, %s.A, %s.B, %s.C, %s.D, %s.E, %s.N)", v.name, v.name, v.name, v.name, v.name, v.name, v.name)
	case g.prefix + "W":
		g.line("show(%q, %s.A, %s.D, %s.X, %s.Val(2))", v.name, v.name, v.name, v.name, v.name)
	case g.prefix + "I":
		g.line("show(%q, %s.Val(1))", v.name, v.name)
	case "map[" + g.prefix + "K]int", "map[string]" + g.prefix + "S", "[]" + g.prefix + "K", g.prefix + "K":
		g.line("show(%q, fmt.Sprint(%s))", v.name, v.name)
	case g.prefix + "G[int]":
		g.line("show(%q, %s.xs, %s.Len())", v.name, v.name, v.name)
	case "error":
		g.line("show(%q, %s)", v.name, v.name)
	case "float64":
		g.line("show(%q, %s)", v.name, v.name)
	default:
		g.line("fmt.Printf(\"%s %%v %%T\\n\", %s, %s)", v.name, v.name, v.name)
	}
}
