package interp

import (
	"fmt"
	"slices"
	"strings"
)

// visible lists the variables that a name still reaches.
func (g *jobs) visible() (vs []jobVar) {
	seen := map[string]bool{}
	for _, v := range slices.Backward(g.vars) {
		if !seen[v.name] {
			seen[v.name] = true
			vs = append(vs, v)
		}
	}
	return vs
}

// places lists the variables of type t and the parts of such that are of type t. Indexes are in range.
func (g *jobs) places(t string) (list []string) {
	for _, v := range g.visible() {
		if v.typ == t {
			list = append(list, v.name)
		}
		for _, f := range jobFields[v.typ][t] {
			list = append(list, v.name+"."+f)
		}
		if v.typ == "[3]int" && t == "int" {
			list = append(list, v.name+"[2]")
		}
	}
	return list
}

// leaf is a variable of type t, or a fresh one's value, that is no constant.
func (g *jobs) leaf(t string) string {
	if ps := g.places(t); len(ps) > 0 && g.r.IntN(12) > 0 {
		return oneOf(g, ps...)
	}
	return g.fresh(t)
}

func (g *jobs) fresh(t string) string {
	if slices.Contains(jobInts, t) {
		return t + "(" + oneOf(g, "limit", "tri(limit)", "item(nil, limit)") + ")"
	}
	switch t {
	case "float64", "float32":
		return t + "(limit)"
	case "string":
		return "cut(" + g.constant("string") + ")"
	case "Txt":
		return "Txt(cut(\"t\"))"
	case "bool":
		return "(limit > " + g.constant("int") + ")"
	}
	return g.composite(t, 0)
}

// aMap is a map in scope with elements of type t, and its type; empty if there is none.
func (g *jobs) aMap(t string) (name, typ string) {
	var ms []jobVar
	for _, v := range g.visible() {
		if strings.HasPrefix(v.typ, "map[") && strings.HasSuffix(v.typ, "]"+t) {
			ms = append(ms, v)
		}
	}
	if len(ms) == 0 {
		return "", ""
	}
	m := oneOf(g, ms...)
	return m.name, m.typ
}

// keyOf is the type of the keys of map type t.
func keyOf(t string) string { return t[len("map["):strings.Index(t, "]")] }

// constant is a constant of a basic type.
func (g *jobs) constant(t string) string {
	switch t {
	case "float64", "float32":
		return oneOf(g, "1.5", "0.1", "2", "1e10", "-0.25")
	case "string", "Txt":
		return oneOf(g, `"a"`, `"bb"`, `"é世"`, `""`, `"b c d"`)
	case "bool":
		return oneOf(g, "true", "false")
	}
	return oneOf(g, "1", "2", "3", "7", "100", "127")
}

// composite is a value of a type that is not basic.
func (g *jobs) composite(t string, d int) string {
	e := func(t string) string { return g.expr(t, d-1) }
	switch t {
	case "Pt":
		return oneOf(g, "Pt{}", "Pt{"+e("int")+", "+e("int")+"}", "Pt{Y: "+e("int")+"}")
	case "*Pt":
		return oneOf(g, "&Pt{}", "&Pt{"+e("int")+", 2}", "&Pt{X: "+e("int")+"}")
	case "Pair":
		return oneOf(g, "Pair{K: "+e("string")+"}", "Pair{L: Pt{Y: "+e("int")+"}}", "Pair{Pt{X: "+e("int")+"}, "+e("Pt")+", "+e("string")+"}")
	case "Rec":
		return oneOf(g, "Rec{}", "Rec{I: "+e("int")+", S: "+e("string")+"}", "Rec{U8: "+e("uint8")+", W: "+e("Pair")+", G: "+e("float32")+"}",
			"Rec{P: Pt{X: "+e("int")+"}, Ps: []Pt{{X: 1}, "+e("Pt")+"}}")
	case "[]int":
		return oneOf(g, "[]int{"+e("int")+", 2, "+e("int")+"}", "[]int{}")
	case "[]string":
		return oneOf(g, "[]string{"+e("string")+"}", "strings.Split("+e("string")+", \" \")")
	case "[]Pt":
		return oneOf(g, "[]Pt{"+e("Pt")+"}", "[]Pt{{Y: "+e("int")+"}, {1, 2}}")
	case "[3]int":
		return "Rec{}.D"
	}
	panic("no literal of " + t)
}

// expr is an expression of type t with up to d levels of operators. It changes no variable.
func (g *jobs) expr(t string, d int) string {
	if d <= 0 || g.r.IntN(4) == 0 {
		if _, basic := jobFields[t]; !basic && !strings.ContainsAny(t, "[*") && g.r.IntN(4) == 0 {
			return g.constant(t)
		}
		return g.leaf(t)
	}
	if g.r.IntN(7) == 0 {
		if c := g.call(t, d); c != "" {
			return c
		}
	}
	e := func(t string) string { return g.expr(t, d-1) }
	if t == "int" || t == "Pt" {
		if m, mt := g.aMap(t); m != "" && g.r.IntN(6) == 0 {
			return oneOf(g, m+"["+g.expr(keyOf(mt), d-1)+"]", m+"["+g.leaf(keyOf(mt))+"]")
		}
	}
	switch t {
	case "float64", "float32":
		return oneOf(g, fmt.Sprintf("(%s %s %s)", g.leaf(t), oneOf(g, "+", "-", "*", "/"), e(t)), t+"("+g.leaf(oneOf(g, jobInts...))+")", "-"+g.leaf(t),
			t+"("+g.leaf(oneOf(g, "float64", "float32"))+")", oneOf(g, "min", "max")+"("+g.leaf(t)+", "+e(t)+")")
	case "string", "Txt":
		return g.text(t, d)
	case "bool":
		return g.truth(d)
	case "[]int":
		return oneOf(g, g.composite(t, d), "append(short("+g.leaf(t)+"), "+e("int")+")", "short("+g.leaf(t)+")", g.leaf(t)+"[:0]", g.sliced(t, d))
	case "[]string":
		return oneOf(g, g.composite(t, d), g.leaf(t)+"[:0]", g.sliced(t, d))
	case "[]Pt":
		return oneOf(g, g.composite(t, d), g.leaf(t)+"[:0]", g.sliced(t, d), "append([]Pt{}, "+e("Pt")+")")
	case "Rec":
		return oneOf(g, g.leaf(t), g.composite(t, d), g.leaf(t)+".Moved("+e("int")+")")
	case "Pt", "*Pt", "Pair", "[3]int":
		return oneOf(g, g.leaf(t), g.composite(t, d))
	}
	return g.integer(t, d)
}

// sliced is a part of a slice; now and then out of its bounds.
func (g *jobs) sliced(t string, d int) string {
	x := g.leaf(t)
	if strings.ContainsAny(x, "{(") {
		return x
	}
	if g.r.IntN(40) == 0 {
		return x + "[" + g.leaf(oneOf(g, "int", "uint8")) + ":]"
	}
	return fmt.Sprintf(oneOf(g, "%s[min(1, len(%[1]s)):]", "%s[:len(%[1]s)/2]", "%s[pos(%[2]s, len(%[1]s)):len(%[1]s)]"), x, g.expr("int", d-1))
}

func (g *jobs) integer(t string, d int) string {
	v, e := g.leaf(t), func(t string) string { return g.expr(t, d-1) }
	switch g.r.IntN(13) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", v, oneOf(g, "+", "-", "*", "&", "|", "^", "&^"), e(t))
	case 3:
		return fmt.Sprintf("(%s %s (%s|1))", v, oneOf(g, "/", "%"), g.leaf(t))
	case 4:
		if g.r.IntN(12) == 0 {
			return fmt.Sprintf("(%s %s %s)", v, oneOf(g, "/", "%", "<<", ">>"), g.leaf(t))
		}
		return fmt.Sprintf("(%s %s (%s & 63))", v, oneOf(g, "<<", ">>"), g.leaf(oneOf(g, jobInts...)))
	case 5:
		return oneOf(g, "-", "^", "+") + v
	case 6:
		return fmt.Sprintf("%s(%s, %s)", oneOf(g, "min", "max"), v, e(t))
	case 7, 8:
		return t + "(" + g.leaf(oneOf(g, jobInts...)) + ")"
	case 9:
		return t + "(tame(float64(" + g.leaf(oneOf(g, "float64", "float32", "int")) + ")))"
	case 10:
		return fmt.Sprintf("(%s %s %d)", v, oneOf(g, "<<", ">>", "/", "%"), 1+g.r.IntN(9))
	case 11:
		return fmt.Sprintf("(1 << (%s & 31) %s %s)", g.leaf(oneOf(g, jobInts...)), oneOf(g, "+", "^"), v)
	}
	switch t {
	case "uint8":
		return oneOf(g, "letter("+e("string")+", "+e("int")+")", `("x" + `+g.leaf("string")+")[0]")
	case "Num":
		return v + ".Twice()"
	case "int":
		return oneOf(g, "len("+g.leaf(oneOf(g, "string", "[]int", "[]string", "[]Pt", "Txt"))+")", "names["+e("string")+"]", "item("+e("[]int")+", "+e("int")+")",
			g.leaf("Pt")+".Sum("+e("int")+")", g.leaf("[3]int")+"[pos("+e("int")+", 3)]", "cap("+g.leaf("[]int")+")", "tri("+e("int")+")", "plus(names, "+e("string")+", "+e("int")+")",
			"strings.Index("+g.leaf("string")+", "+e("string")+")", "utf8.RuneCountInString("+g.leaf("string")+")", "("+e("Pt")+").Y", "len([]rune("+e("string")+"))")
	}
	return v
}

func (g *jobs) text(t string, d int) string {
	v := g.leaf(t)
	if t == "Txt" {
		return oneOf(g, "Txt(cut("+g.expr("string", d-1)+"))", "Txt(cut(string("+v+" + "+g.constant(t)+")))", v)
	}
	return "cut(" + oneOf(g, "("+v+" + "+g.expr(t, d-1)+")", v+"[min(1, len("+v+")):]", "string([]byte("+v+"))", "string([]rune("+v+")[:0])", "strings.ToUpper("+v+")",
		"strconv.Itoa("+g.expr("int", d-1)+")", "fmt.Sprintf(\"%v-%d\", "+g.leaf("bool")+", "+g.leaf(oneOf(g, jobInts[:10]...))+")", "string(rune("+g.leaf("int32")+"))",
		"string("+g.leaf("Txt")+")", v+"[:len("+v+")/2] + string("+g.leaf("Txt")+")") + ")"
}

func (g *jobs) truth(d int) string {
	e := func(t string) string { return g.expr(t, d-1) }
	switch g.r.IntN(7) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", e("bool"), oneOf(g, "&&", "||", "&&", "||", "==", "!="), e("bool"))
	case 2:
		return "(!" + g.leaf("bool") + " != " + g.leaf("bool") + ")" // the interpreted form fails where ! alone is returned as any
	case 3:
		t := oneOf(g, "Pt", "[3]int", "Pair", "*Pt")
		return fmt.Sprintf("(%s %s (%s))", g.leafValue(t), oneOf(g, "==", "!="), e(t))
	case 4:
		return fmt.Sprintf("(%s %s nil)", g.leafValue(oneOf(g, "*Pt", "[]int", "[]Pt")), oneOf(g, "==", "!="))
	}
	t := oneOf(g, append([]string{"string", "float64", "float32", "Txt"}, jobInts...)...)
	return fmt.Sprintf("(%s %s %s)", g.leaf(t), oneOf(g, "<", ">", "==", "!=", "<=", ">="), e(t))
}

// leafValue is a leaf that may stand in the head of a statement.
func (g *jobs) leafValue(t string) string { return "(" + g.leaf(t) + ")" }
