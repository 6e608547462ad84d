package differential

import (
	"fmt"
	"strings"
)

// moreTypes declares a comparable struct, constants by iota, a generic type, an enum with String and an error type.
func (g *generator) moreTypes() {
	p := g.prefix
	g.line("type %sK struct {\n\tX int\n\tY string\n}", p)
	g.line("func (k %sK) Error() string { return fmt.Sprint(%q, k.X, k.Y) }", p, pick(g, "err", "failed ", ""))
	g.line("const (\n\t%sA %sN = iota*%d + 1\n\t%sB\n\t_\n\t%sC\n)", p, p, 1+g.r.IntN(4), p, p)
	g.line("type %sG[T any] struct {\n\txs []T\n\tn  int\n}", p)
	g.line("func (g *%sG[T]) Push(x T) *%sG[T] { g.xs = append(g.xs, x); g.n += %d; return g }", p, p, 1+g.r.IntN(3))
	g.line("func (g %sG[T]) Len() int { return len(g.xs) + g.n }", p)
	g.line("func (g %sG[T]) Each(yield func(int, T) bool) {\n\tfor i, x := range g.xs {\n\t\tif !yield(i, x) {\n\t\t\treturn\n\t\t}\n\t}\n}", p)
	g.line("func %sFold[T, A any](xs []T, a A, f func(A, T) A) A {\n\tfor _, x := range xs {\n\t\ta = f(a, x)\n\t}\n\treturn a\n}", p)
	g.line("type %sNum interface{ ~int | ~int8 | ~float64 }", p)
	g.line("func %sSum[T %sNum](xs ...T) (t T) {\n\tfor _, x := range xs {\n\t\tt += x\n\t}\n\treturn t\n}", p, p)
	g.line("func %sDiv(a, b int) (q, r int, err error) {\n\tdefer func() {\n\t\tif x := recover(); x != nil {\n\t\t\terr = fmt.Errorf(\"div: %%v\", x)\n\t\t}\n\t}()\n\treturn a / b, a %% b, nil\n}", p)
}

// moreParts lists further expressions of type t made of variable v.
func (g *generator) moreParts(v variable, t string) []string {
	p, n := g.prefix, v.name
	switch v.typ + " " + t {
	case p + "K int":
		return []string{n + ".X", "len(" + n + ".Error())"}
	case p + "K string":
		return []string{n + ".Y", n + ".Error()"}
	case p + "K any":
		return []string{"any(" + n + ")", "any(any(&" + n + ").(*" + p + "K).X)"}
	case p + "G[int] int":
		return []string{n + ".Len()", n + ".n"}
	case p + "G[int] []int":
		return []string{n + ".xs"}
	case "[]int int":
		return []string{p + "Fold(" + n + ", 1, func(a, x int) int { return a*3 + x })", p + "Sum(" + n + "...)", "cap(" + n + "[:0:0])"}
	case "[]int []int":
		return []string{n + "[:min(2, len(" + n + "))]", p + "Map(" + n + ", func(x int) int { return x + 1 })", "append([]int{7}, " + n + "...)"}
	case "[]int string":
		return []string{"strings.Join(" + p + "Map(" + n + ", func(x int) string { return fmt.Sprint(x) }), \"+\")"}
	case "[]" + p + "K int":
		return []string{"len(" + n + ")"}
	case "map[" + p + "K]int int":
		return []string{n + "[" + p + "K{1, \"a\"}]", "len(" + n + ")"}
	case "map[string]" + p + "S int":
		return []string{n + `["a"].A`, n + `["b"].D[2]`}
	case "map[string]" + p + "S " + p + "S":
		return []string{n + `["a"]`}
	case "string string":
		return []string{n + "[len(" + n + ")/2:]", "string([]rune(" + n + "))", "strings.ToUpper(" + n + ")", "string([]byte(" + n + ")[len(" + n + ")/2:])"}
	case "string int":
		return []string{"len([]rune(" + n + "))", "int((" + n + " + \"x\")[0])", "strings.Count(" + n + ", \"a\")"}
	case "float64 int":
		return []string{"int(int8(len(fmt.Sprint(norm(" + n + ")))))"}
	case "int float64":
		return []string{"float64(" + n + " % 1000)"}
	case "int int8":
		return []string{"int8(" + n + ")"}
	case "int uint8":
		return []string{"uint8(" + n + ")"}
	case "int8 uint8":
		return []string{"uint8(" + n + ")"}
	case "int string":
		return []string{"string(rune('a' + at(" + n + ", 26)))", "fmt.Sprintf(\"%03d|%-5d|%x\", " + n + "%100, " + n + "%10, uint8(" + n + "))"}
	case "[2]int int":
		return []string{"len(" + n + ")", n + "[0]"}
	case "[2]int bool":
		return []string{"(" + n + " == [2]int{1, 2})"}
	case p + "K bool":
		return []string{"(" + n + " == " + p + "K{1, \"a\"})", "(any(" + n + ") != any(" + p + "K{2, \"b\"}))"}
	case "any bool":
		return []string{"(" + n + " == any(3))", "(" + n + " == nil)"}
	case p + "N bool":
		return []string{"(" + n + " > " + p + "A)"}
	case p + "N string":
		return []string{n + ".String()", "fmt.Sprintf(\"%v|%d|%T\", " + n + ", " + n + ", " + n + ")"}
	case p + "S string":
		return []string{"fmt.Sprintf(\"%v\", " + n + ")", "fmt.Sprintf(\"%+v\", " + n + ")", "fmt.Sprintf(\"%#v\", " + n + ".D)"}
	case p + "S int":
		return []string{p + "S.Val(" + n + ", 2)", "(*" + p + "S).Val(&" + n + ", 1)"}
	case p + "I bool":
		return []string{"(" + n + " != nil)"}
	}
	return nil
}

// moreValue is a value of one of the types of moreTypes; empty for any other.
func (g *generator) moreValue(t string) string {
	p := g.prefix
	switch t {
	case p + "K":
		return fmt.Sprintf("%sK{%d, %s}", p, g.r.IntN(4), g.value("string"))
	case p + "G[int]":
		return pick(g, p+"G[int]{}", p+"G[int]{xs: []int{3, 4}}", "*new("+p+"G[int]).Push(5)")
	case "[]" + p + "K":
		return fmt.Sprintf("[]%sK{{1, \"a\"}, {Y: \"q\"}}", p)
	case "map[" + p + "K]int":
		return fmt.Sprintf("map[%sK]int{{1, \"a\"}: %d}", p, g.r.IntN(9))
	case "map[string]" + p + "S":
		return fmt.Sprintf("map[string]%sS{\"a\": {A: %d}}", p, g.r.IntN(9))
	case "error":
		return pick(g, p+"K{1, \"e\"}", "errors.New(\"plain\")", "fmt.Errorf(\"wrapped: %w\", "+p+"K{2, \"w\"})")
	}
	return ""
}

// moreKinds are the types of moreTypes that a variable may have.
func (g *generator) moreKinds() []string {
	p := g.prefix
	return []string{p + "K", p + "G[int]", "[]" + p + "K", "map[" + p + "K]int", "map[string]" + p + "S", "error"}
}

// quiet writes statements of which none leaves an enclosing loop or function.
func (g *generator) quiet(f func()) {
	loops, labels, result := g.loops, g.labels, g.result
	g.loops, g.labels, g.result = 0, nil, ""
	f()
	g.loops, g.labels, g.result = loops, labels, result
}

// more writes one of the rarer statements.
func (g *generator) more() {
	g.n++
	n, p := g.n, g.prefix
	switch g.r.IntN(13) {
	case 0: // a panic that is recovered
		g.line("func() {")
		g.block(func() {
			g.line("defer func() { show(\"caught\", recover()) }()")
			g.quiet(func() { g.simple() })
			g.line("%s", pick(g,
				"var m map[string]int; m[\"a\"] = "+g.expr("int", 1), "var q *"+p+"S; q.A = 1", "panic(fmt.Sprint("+g.expr("string", 1)+"))",
				"panic("+p+"K{3, \"p\"})", "show(any("+g.expr("string", 1)+").(int))", "show(1 / func() int { return 0 }())", "panic(fmt.Errorf(\"e %d\", "+g.expr("int", 1)+"))",
				"var i "+p+"I; show(i.Val(1))", "show(any("+p+"N(1)).(fmt.Stringer).String(), any(nil).("+p+"I))"))
		})
		g.line("}()")
	case 1: // goto
		g.line("c%d := 0\nB%d:\nc%d++", n, n, n)
		g.block(func() { g.quiet(func() { g.assign() }) })
		g.line("if c%d < %d && (%s || c%d == 1) {\n\tgoto B%d\n}", n, 2+g.r.IntN(3), g.expr("bool", 1), n, n)
	case 2: // comma ok
		g.line("if y%d, ok := any(%s).(%s); ok {\n\tshow(\"is\", fmt.Sprint(y%d))\n} else {\n\tshow(\"no\", fmt.Sprint(y%d))\n}", n, g.expr(pick(g, "int", "string", p+"N", "any", p+"K"), 1),
			pick(g, "int", "string", p+"N", p+"K", "error", "fmt.Stringer"), n, n)
	case 3: // a return from inside
		if g.result != "" {
			g.line("if %s {\n\treturn %s\n}", g.expr("bool", 2), g.expr(g.result, 1))
			return
		}
		g.assign()
	case 4: // several results
		g.line("q%d, r%d, e%d := %sDiv(%s, %s)\nshow(q%d, r%d, e%d, e%d == nil)", n, n, n, p, g.expr("int", 1), g.expr("int", 1), n, n, n, n)
	case 5: // a switch without a tag, with an initialisation
		g.line("switch z%d := %s; {", n, g.expr("int", 1))
		g.line("case z%d > 5 && %s:", n, g.expr("bool", 1))
		g.block(func() { g.quiet(func() { g.statements(1) }) })
		g.line("case z%d == 0, %s:", n, g.expr("bool", 1))
		g.block(func() { g.quiet(func() { g.statements(1) }) })
		g.line("}")
	case 6: // a map with known keys, in order
		g.line("m%d := map[string]int{\"x\": %s}\nm%d[%s] += 3\nif _, ok := m%d[\"a\"]; ok {\n\tdelete(m%d, \"x\")\n}\nshow(len(m%d), fmt.Sprint(m%d))", n, g.expr("int", 1), n, g.expr("string", 1), n, n, n, n)
	case 7: // a closure that calls itself
		g.line("var rec%d func(int) int\nrec%d = func(i int) int {\n\tif i <= 0 {\n\t\treturn %s\n\t}\n\treturn rec%d(i-1) + i\n}\nshow(rec%d(%d))", n, n, g.expr("int", 1), n, n, g.r.IntN(5))
	case 8: // a loop over a method
		g.line("o%d := %s", n, g.typed(p+"G[int]", g.expr(p+"G[int]", 1)))
		g.line("for i%d, x%d := range o%d.Each {", n, n, n)
		g.loops++
		g.block(func() {
			g.vars = append(g.vars, variable{fmt.Sprintf("i%d", n), "int", false}, variable{fmt.Sprintf("x%d", n), "int", false})
			g.statements(1)
		})
		g.loops--
		g.line("}")
	case 9: // defer in a loop
		g.line("func() {\n\tfor i := range 3 {\n\t\tdefer show(\"late\", i, %s)\n\t\tdefer func() { show(i * %d) }()\n\t}\n}()", g.expr("int", 1), 1+g.r.IntN(3))
	case 10: // errors
		g.line("var e%d error = %s\nvar k%d %sK\nshow(e%d, errors.As(e%d, &k%d), k%d.X, errors.Is(e%d, %sK{2, \"w\"}))", n, g.moreValue("error"), n, p, n, n, n, n, n, p)
	case 11: // verbs
		g.line("fmt.Printf(\"%%v %%+v %%d|%%5.2f|%%q|%%T|%%x|%%t|%%-6v|\\n\", %s, %s, %s, %s, %s, %s, %s, %s, %s)", g.expr(p+"K", 1), g.expr(p+"S", 1), g.expr("[]int", 1), "norm("+g.expr("float64", 1)+")",
			g.expr("string", 1), g.expr("any", 1), g.expr("string", 1), g.expr("bool", 1), g.expr(p+"N", 1))
	default: // copies of arrays and structs
		g.line("a%d := [3]%sK{{1, \"a\"}, %s}\nb%d := a%d\nb%d[1].X++\nc%d := &a%d\nc%d[2].Y = %s\nshow(fmt.Sprint(a%d, b%d, *c%d), a%d == b%d)", n, p, g.expr(p+"K", 1), n, n, n, n, n, n, g.expr("string", 1), n, n, n, n, n)
	}
}

// separate makes cells of the declarations of a random program, one each.
func separate(source string) []string {
	return append(asDecls(source), entry(source))
}

// redefined first declares the functions without their bodies, then those that call them, then defines them again: the
// callers must see that.
func redefined(source string) []string {
	var before, after []string
	for _, c := range asDecls(source) {
		if strings.Contains(c, ") (res ") {
			head, _, _ := strings.Cut(c, "(res ")
			_, result, _ := strings.Cut(c, "(res ")
			result, _, _ = strings.Cut(result, ") {")
			before = append(before, head+"(res "+result+") { return }")
			after = append(after, c)
			continue
		}
		before = append(before, c)
	}
	return append(append(before, after...), entry(source))
}

// entry is the call in a program's main.
func entry(source string) string {
	_, call, _ := strings.Cut(source, "func main() { ")
	return strings.TrimSuffix(strings.TrimSpace(call), " }")
}
