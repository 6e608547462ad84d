package interp

import (
	"fmt"
	"slices"
	"strings"
)

func (g *jobs) statements(n int) {
	for range n {
		g.statement()
	}
}

func (g *jobs) statement() {
	if g.depth >= 3 {
		g.simple()
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.r.IntN(16) {
	case 0, 1, 2:
		g.line("if %s {", g.expr("bool", 2))
		g.block(func() { g.statements(2) })
		if g.r.IntN(2) == 0 {
			g.line("if yy := %s; (yy) == (%s) {", g.typed("int"), g.expr("int", 1))
			g.block(func() { g.vars = append(g.vars, jobVar{"yy", "int"}); g.statements(1) })
		}
	case 3, 4, 5:
		g.loop()
	case 6, 7:
		g.switches()
	case 8:
		g.line("{")
		g.block(func() { g.statements(3) })
	default:
		g.simple()
	}
}

// typed is an expression that has type t by itself.
func (g *jobs) typed(t string) string {
	e := g.expr(t, 2)
	if _, ok := jobFields[t]; ok || strings.ContainsAny(t, "[*") {
		return e
	}
	return t + "(" + e + ")"
}

func (g *jobs) simple() {
	switch g.r.IntN(15) {
	case 0, 1, 2:
		t, name := oneOf(g, jobKinds...), g.name("v")
		if slices.ContainsFunc(g.vars, func(v jobVar) bool { return v.name == name }) {
			name = g.name("w")
		}
		switch g.r.IntN(3) {
		case 0:
			g.line("var %s %s", name, t)
		case 1:
			g.line("var %s %s = %s", name, t, g.expr(t, 2))
		default:
			g.line("%s := %s", name, g.typed(t))
		}
		g.line("_ = %s", name)
		g.vars = append(g.vars, jobVar{name, t})
	case 3:
		g.pointers()
	case 4:
		g.jump()
	case 5:
		g.several()
	case 6:
		if g.collect {
			g.line("out.Collect(%s)", g.expr("Rec", 2))
			return
		}
		g.elements()
	case 7, 8:
		g.elements()
	case 9:
		g.maps()
	default:
		g.assign()
	}
}

// assign changes a variable or a part of one.
func (g *jobs) assign() {
	t := oneOf(g, jobKinds...)
	ps := g.places(t)
	if len(ps) == 0 {
		return
	}
	p := oneOf(g, ps...)
	switch number := slices.Contains(jobInts, t); {
	case number && g.r.IntN(4) == 0:
		g.line("%s%s", p, oneOf(g, "++", "--"))
	case number && g.r.IntN(3) == 0:
		g.line("%s %s %s", p, oneOf(g, "+=", "-=", "*=", "^=", "|=", "&=", "&^="), g.expr(t, 2))
	case number && g.r.IntN(4) == 0:
		g.line("%s %s (%s & 15)", p, oneOf(g, "<<=", ">>="), g.leaf(oneOf(g, jobInts...)))
	case (t == "float64" || t == "float32") && g.r.IntN(2) == 0:
		g.line("%s %s %s", p, oneOf(g, "+=", "-=", "*=", "/="), g.expr(t, 2))
	case t == "[]int" && g.r.IntN(2) == 0:
		g.line("%s = append(short(%s), %s)", p, oneOf(g, ps...), g.expr("int", 2))
	case t == "string" && g.r.IntN(3) == 0:
		g.line("%s += %s\n%s = cut(%s)", p, g.expr(t, 1), p, p)
	default:
		g.line("%s = %s", p, g.expr(t, 2))
	}
}

// elements changes an element of a slice or of an array.
func (g *jobs) elements() {
	t := oneOf(g, "[]int", "[]int", "[3]int", "[]Pt", "[]string")
	ps := g.places(t)
	if len(ps) == 0 {
		return
	}
	x := oneOf(g, ps...)
	i := fmt.Sprintf("pos(%s, len(%s))", g.expr("int", 1), x)
	if g.r.IntN(40) > 0 {
		g.line("if len(%s) > 0 {", x)
		defer g.line("}")
	}
	switch t {
	case "[]Pt":
		g.line(oneOf(g, "%s[%s] = %s", "%s[%s].X += (%s).Y"), x, i, g.expr("Pt", 2))
	case "[]string":
		g.line("%s[%s] = %s", x, i, g.expr("string", 2))
	default:
		g.line(oneOf(g, "%s[%s] = %s", "%s[%s] += %s", "%s[%s], %[1]s[0] = %[3]s, %[1]s[%[2]s]"), x, i, g.expr("int", 2))
	}
}

// maps writes an element of a map, or looks for one; without a map it fails now and then.
func (g *jobs) maps() {
	t := oneOf(g, "int", "Pt")
	m, mt := g.aMap(t)
	if m == "" {
		if g.r.IntN(10) == 0 {
			g.line("if %s {\npanic(%s)\n}", g.expr("bool", 2), oneOf(g, `"boom"`, `"boom " + `+g.expr("string", 1), `fmt.Sprintf("boom %d", `+g.leaf("int")+")", g.leaf("int"), "len("+g.leaf("string")+") > 2"))
		}
		return
	}
	k := keyOf(mt)
	key := oneOf(g, g.leaf(k), g.expr(k, 2))
	switch g.r.IntN(5) {
	case 0, 1:
		g.line("%s[%s] = %s", m, key, g.expr(t, 2))
	case 2:
		if t == "int" {
			g.line(oneOf(g, "%s[%s]++", "%s[%s] += %s", "%s[%s] ^= %s", "%s[%s]--")+"%.0[3]s", m, key, g.expr("int", 2))
			return
		}
		g.line("%s[%s] = %[1]s[%s]", m, key, g.leaf(k))
	case 3:
		a, ok := g.name("a"), g.name("b")
		g.line("%s, %s := %s[%s]\n_, _ = %[1]s, %[2]s", a, ok, m, key)
		g.vars = append(g.vars, jobVar{a, t}, jobVar{ok, "bool"})
	default:
		if ps := g.places("int"); len(ps) > 0 {
			g.line("%s = len(%s)", oneOf(g, ps...), m)
		}
	}
}

// pointers works on what a pointer points to; a nil pointer fails now and then.
func (g *jobs) pointers() {
	ps := g.places("*Pt")
	if len(ps) == 0 {
		return
	}
	q := oneOf(g, ps...)
	if g.r.IntN(30) > 0 {
		g.line("if %s != nil {", q)
		defer g.line("}")
	}
	switch g.r.IntN(6) {
	case 0:
		g.line("%s.Add(%s)", q, g.expr("int", 2))
	case 1:
		g.line("*%s = %s", q, g.expr("Pt", 2))
	case 2:
		g.line("%s.X += %s", q, g.expr("int", 2))
	case 3:
		g.line("%s, %s.Y = %s, %s", q, q, g.expr("*Pt", 1), g.expr("int", 1))
	case 4:
		g.line("%s.X, %s.Y = %s.Y, %s.X", q, q, q, q)
	default:
		g.line("var cells [4]int\ncells[%s.Next()&3] = %s.Next()\ncells[%s.Next()&3], cells[3] = %s.Next(), cells[1]\n%s.Y = cells[0] + cells[1]*3 + cells[2]*5", q, q, q, q, q)
	}
}

// several assigns several values at once.
func (g *jobs) several() {
	t := oneOf(g, jobKinds...)
	ps := g.places(t)
	switch {
	case g.r.IntN(3) == 0:
		a, b := g.name("a"), g.name("b")
		g.line("%s, %s := both(%s, %s)\n_, _ = %s, %s\n%s = cut(%s)", a, b, g.expr("int", 2), g.expr("string", 1), a, b, b, b)
		g.vars = append(g.vars, jobVar{a, "int"}, jobVar{b, "string"})
	case g.r.IntN(3) == 0:
		a, ok := g.name("a"), g.name("b")
		g.line("%s, %s := names[%s]\n_, _ = %s, %s", a, ok, g.expr("string", 1), a, ok)
		g.vars = append(g.vars, jobVar{a, "int"}, jobVar{ok, "bool"})
	case len(ps) > 1:
		a, b := oneOf(g, ps...), oneOf(g, ps...)
		g.line("%s, %s = %s, %s", a, b, oneOf(g, b, g.expr(t, 1)), oneOf(g, a, g.expr(t, 1)))
	default:
		a, b := g.name("a"), g.name("b")
		g.line("%s, %s := %s, %s\n%s, %s = %s, %s", a, b, g.typed(t), g.typed(t), a, b, b, a)
		g.vars = append(g.vars, jobVar{a, t}, jobVar{b, t})
	}
}

// jump leaves a loop or the function.
func (g *jobs) jump() {
	switch {
	case g.loops > 0 && g.r.IntN(4) > 0:
		to := oneOf(g, "break", "continue")
		if len(g.labels) > 0 && g.r.IntN(2) == 0 {
			if l := oneOf(g, g.labels...); l.loop || to == "break" {
				to += " " + l.name
			}
		}
		g.line("if %s {\n%s\n}", g.expr("bool", 2), to)
	case len(g.labels) > 0 && g.r.IntN(2) == 0:
		g.line("if %s {\nbreak %s\n}", g.expr("bool", 2), oneOf(g, g.labels...).name)
	case g.result == "-":
		g.line("if %s {\nreturn\n}", g.expr("bool", 2))
	case g.result == "error":
		g.line("if %s {\nreturn nil\n}", g.expr("bool", 2))
	case g.result == "(Rec, error)":
		g.line("if %s {\nreturn %s, nil\n}", g.expr("bool", 2), g.expr("Rec", 2))
	default:
		g.line("if %s {\nreturn %s\n}", g.expr("bool", 2), g.expr(g.result, 2))
	}
}

func (g *jobs) loop() {
	label, head, i := "", "", g.name("i")
	vs := []jobVar{{i, "int"}}
	switch g.r.IntN(6) {
	case 0, 1:
		head = fmt.Sprintf("for %s := 0; %s < %d; %s++", i, i, 1+g.r.IntN(4), i)
		vs = nil
	case 2:
		head = fmt.Sprintf("for %s := range %s", i, oneOf(g, "3", "limit", "(("+g.leaf("int")+")&3)"))
	case 3:
		head, vs = fmt.Sprintf("for %s, %sx := range short(%s)", i, i, g.leaf("[]int")), append(vs, jobVar{i + "x", "int"})
	case 4:
		head, vs = fmt.Sprintf("for %s, %sr := range cut(%s)", i, i, g.leaf("string")), append(vs, jobVar{i + "r", "int32"})
	default:
		head, vs = fmt.Sprintf("for _, %s := range (%s)", i, g.leaf("[]Pt")), []jobVar{{i, "Pt"}}
	}
	if g.r.IntN(4) == 0 {
		label = g.name("L")
		g.line("%s:", label)
		g.labels = append(g.labels, jobLabel{label, true})
	}
	g.line("%s {", head)
	g.loops++
	g.block(func() {
		g.vars = append(g.vars, vs...)
		for _, v := range vs {
			g.line("_ = %s", v.name)
		}
		if label != "" {
			g.line("if %s {\ncontinue %s\n}", g.expr("bool", 1), label)
		}
		g.statements(1 + g.r.IntN(3))
	})
	g.loops--
	if label != "" {
		g.labels = g.labels[:len(g.labels)-1]
	}
}

func (g *jobs) switches() {
	t, label := oneOf(g, "int", "string", "uint8", "bool", "float64", "Num", "-"), ""
	if g.r.IntN(4) == 0 {
		label = g.name("L")
		g.line("%s:", label)
		g.labels = append(g.labels, jobLabel{label, false})
	}
	if t == "-" {
		g.line("switch {")
	} else {
		g.line("switch %s {", g.typed(t))
	}
	for i := range 3 {
		switch {
		case i == 1 && g.r.IntN(2) == 0:
			g.line("default:")
		case t == "-":
			g.line("case %s:", g.expr("bool", 2))
		default:
			g.line("case %s, %s:", g.leaf(t), g.leaf(t))
		}
		n := len(g.vars)
		if i == 0 && label != "" {
			g.line("if %s {\nbreak %s\n}", g.expr("bool", 1), label)
		}
		g.statements(1 + g.r.IntN(2))
		g.vars = g.vars[:n]
		if i < 2 && g.r.IntN(200) == 0 {
			g.line("fallthrough")
		}
	}
	g.line("}")
	if label != "" {
		g.labels = g.labels[:len(g.labels)-1]
	}
}
