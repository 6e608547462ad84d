package differential

import (
	"fmt"
	"strings"
)

// visible lists the variables that a name still reaches.
func (g *generator) visible() []variable {
	seen := map[string]bool{}
	var vs []variable
	for i := len(g.vars) - 1; i >= 0; i-- {
		if v := g.vars[i]; !seen[v.name] {
			seen[v.name] = true
			vs = append(vs, v)
		}
	}
	return vs
}

// ofType picks an expression of a type that is no constant: a variable or a part of one; empty when there is none.
func (g *generator) ofType(t string) string {
	var es []string
	s := g.prefix + "S"
	for _, v := range g.visible() {
		if v.typ == t {
			es = append(es, v.name)
		}
		es = append(es, g.moreParts(v, t)...)
		switch {
		case v.typ == s || v.typ == "*"+s || v.typ == g.prefix+"W":
			switch t {
			case "int":
				es = append(es, v.name+".A", v.name+".D[1]", v.name+".Val(3)")
				if g.effects && !v.fixed {
					es = append(es, v.name+".Inc(2)")
				}
			case "string":
				es = append(es, v.name+".B")
			case "int8":
				es = append(es, v.name+".C")
			case "[]int":
				es = append(es, v.name+".E")
			case g.prefix + "N":
				es = append(es, v.name+".N")
			case "func(int) int":
				es = append(es, v.name+".Val")
				if !v.fixed {
					es = append(es, v.name+".Inc")
				}
			}
		case v.typ == "[2]int" && t == "int":
			es = append(es, v.name+"[1]")
		case v.typ == "map[string]int" && t == "int":
			es = append(es, v.name+`["a"]`, "len("+v.name+")")
		case v.typ == "[]int" && t == "int":
			es = append(es, "len("+v.name+")")
		case v.typ == "rune" && t == "int":
			es = append(es, "int("+v.name+")")
		case v.typ == "string" && t == "int":
			es = append(es, "len("+v.name+")")
		case v.typ == g.prefix+"I" && t == "int":
			es = append(es, v.name+".Val(4)")
		case v.typ == "func(int) int" && t == "int" && g.effects:
			es = append(es, v.name+"(2)")
		}
	}
	if len(es) == 0 {
		return ""
	}
	return pick(g, es...)
}

// expr writes an expression of type t with up to d levels of operators.
func (g *generator) expr(t string, d int) string {
	v := g.ofType(t)
	if v == "" || d <= 0 && g.r.IntN(3) == 0 {
		return g.value(t)
	}
	if d <= 0 || g.r.IntN(3) == 0 {
		return v
	}
	switch t {
	case "int":
		return g.intExpr(v, d)
	case "int8", "uint8":
		return fmt.Sprintf("(%s %s %s)", v, pick(g, "+", "-", "*", "^", "&"), g.expr(t, d-1))
	case "float64":
		return fmt.Sprintf("(%s %s %s)", v, pick(g, "+", "-", "*"), g.expr(t, d-1))
	case "string":
		return pick(g, fmt.Sprintf("(%s + %s)", v, g.expr(t, d-1)), "cut("+v+")", "fmt.Sprint("+g.expr("int", d-1)+", "+v+")")
	case "bool":
		return g.boolExpr(v, d)
	case g.prefix + "S":
		return pick(g, v, g.value(t), g.call(t, d))
	}
	return pick(g, v, g.value(t))
}

func (g *generator) intExpr(v string, d int) string {
	e := func() string { return g.expr("int", d-1) }
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", v, pick(g, "+", "-", "*", "&", "|", "^", "&^"), e())
	case 3:
		return fmt.Sprintf("(%s %s (%s&15 + 1))", v, pick(g, "/", "%"), g.expr0("int"))
	case 4:
		return fmt.Sprintf("(%s %s (uint(%s) & 7))", v, pick(g, "<<", ">>"), g.expr0("int"))
	case 5:
		return pick(g, "-", "^", "+") + v
	case 6:
		return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), v, e())
	case 7:
		return fmt.Sprintf("at(%s, %d)", e(), 1+g.r.IntN(9))
	case 8:
		return g.call("int", d)
	case 9:
		return "int(" + g.expr0(pick(g, "int8", "uint8")) + ")"
	case 10:
		return fmt.Sprintf("func(x int) int { return x %s %s }(%s)", pick(g, "+", "*", "-"), v, e())
	default:
		return v
	}
}

// expr0 is a variable of type t, or a fresh value that the compiler does not know.
func (g *generator) expr0(t string) string {
	if v := g.ofType(t); v != "" {
		return v
	}
	return fmt.Sprintf("func() %s { return %s }()", t, g.value(t))
}

func (g *generator) boolExpr(v string, d int) string {
	t := pick(g, "int", "string", "int8", "float64")
	switch g.r.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", v, pick(g, "&&", "||", "==", "!="), g.expr("bool", d-1))
	case 1:
		return "!" + v
	default:
		return fmt.Sprintf("(%s %s %s)", g.expr0(t), pick(g, "<", ">", "==", "!=", "<=", ">="), g.expr(t, d-1))
	}
}

// call calls a function of the program that returns t.
func (g *generator) call(t string, d int) string {
	for _, i := range g.r.Perm(len(g.funcs)) {
		f := g.funcs[i]
		if f.result != t || !g.effects {
			continue
		}
		var args []string
		g.effects = false
		for _, p := range f.params {
			args = append(args, g.expr(p, d-1))
		}
		return f.name + "(" + strings.Join(args, ", ") + ")"
	}
	return g.value(t)
}

// effect writes an expression of type t that may call what changes variables. It stands alone: Go leaves open whether an
// operand beside such a call is read before or after it.
func (g *generator) effect(t string) string {
	g.effects = true
	defer func() { g.effects = false }()
	if v := g.ofType(t); v != "" && g.r.IntN(2) == 0 {
		return v
	}
	return g.call(t, 2)
}

// value writes a value of type t that needs no variable.
func (g *generator) value(t string) string {
	if v := g.moreValue(t); v != "" {
		return v
	}
	p := g.prefix
	switch t {
	case "int":
		return fmt.Sprint(g.r.IntN(20))
	case "rune":
		return fmt.Sprintf("%q", pick(g, 'a', 'é', '\n'))
	case p + "N":
		return pick(g, p+"A", p+"B", p+"C", fmt.Sprint(g.r.IntN(120)))
	case "int8", "uint8":
		return fmt.Sprint(g.r.IntN(120))
	case "float64":
		return pick(g, "1.5", "0.25", "3.0", "100.125")
	case "string":
		return pick(g, `"a"`, `"xyz"`, `"é世"`, `""`, `"b c"`)
	case "bool":
		return pick(g, "true", "false")
	case "[]int":
		return fmt.Sprintf("[]int{%d, %d, %d}", g.r.IntN(9), g.r.IntN(9), g.r.IntN(9))
	case "[2]int":
		return fmt.Sprintf("[2]int{%d}", g.r.IntN(9))
	case "map[string]int":
		return fmt.Sprintf("map[string]int{\"a\": %d}", g.r.IntN(9))
	case "func(int) int":
		return g.literal(1)
	case p + "S":
		return pick(g, p+"S{}", fmt.Sprintf("%sS{A: %d, B: %s, D: [3]int{1, 2, 3}}", p, g.r.IntN(9), g.value("string")), fmt.Sprintf("%sS{C: 5, E: []int{1}, N: 4}", p))
	case "*" + p + "S":
		return "&" + p + "S{A: " + fmt.Sprint(g.r.IntN(9)) + "}"
	case p + "W":
		return p + "W{X: 1.5}"
	case p + "I":
		return pick(g, p+"N(3)", p+"S{A: 2}", "&"+p+"S{A: 5}")
	case "any":
		return pick(g, "any(3)", `any("s")`, "any("+p+"N(2))", "any("+p+"S{A: 1}.A)")
	}
	panic("no value of " + t)
}

// literal writes a function literal that may change what it captures.
func (g *generator) literal(d int) string {
	g.n++
	x := fmt.Sprintf("x%d", g.n)
	n := len(g.vars)
	g.vars = append(g.vars, variable{x, "int", false})
	body := ""
	if v := g.ofType("int"); d > 0 && v != "" && !strings.ContainsAny(v, ".[(") && g.r.IntN(2) == 0 && !g.isFixed(v) {
		body = v + pick(g, "++", "--", " += 2") + "; "
	}
	e := g.intLeaf(x)
	g.vars = g.vars[:n]
	return fmt.Sprintf("func(%s int) int { %sreturn %s }", x, body, e)
}

func (g *generator) isFixed(name string) bool {
	for _, v := range g.visible() {
		if v.name == name {
			return v.fixed
		}
	}
	return false
}

// intLeaf combines x with a variable; it calls nothing, so that functions never recurse.
func (g *generator) intLeaf(x string) string {
	v := g.ofType("int")
	if v == "" || strings.ContainsAny(v, "(") {
		v = "1"
	}
	return fmt.Sprintf("%s %s %s", x, pick(g, "+", "-", "*"), v)
}
