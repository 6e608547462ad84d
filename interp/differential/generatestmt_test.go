package differential

import (
	"fmt"
	"strings"
)

func (g *generator) statements(n int) {
	for range n {
		g.statement()
	}
}

// statement writes one statement that may hold others.
func (g *generator) statement() {
	if g.depth >= 3 {
		g.simple()
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.r.IntN(19) {
	case 0, 1:
		g.line("if %s {", g.expr("bool", 2))
		g.block(func() { g.statements(2) })
		if g.r.IntN(2) == 0 {
			g.line("} else {")
			g.block(func() { g.statements(1) })
		}
		g.line("}")
	case 2, 3, 4, 5:
		g.loop()
	case 6:
		g.switches()
	case 7:
		g.closures()
	case 8:
		g.line("func() {")
		g.block(func() {
			if g.r.IntN(2) == 0 {
				g.line("defer func() { show(\"deferred\", %s) }()", g.expr("int", 1))
			}
			g.quiet(func() { g.statements(2) })
		})
		g.line("}()")
	case 9:
		g.line("{")
		g.block(func() { g.statements(3) })
		g.line("}")
	case 10:
		g.typeSwitch()
	case 16, 17, 18:
		g.more()
	default:
		g.simple()
	}
}

// simple writes a statement that holds no other.
func (g *generator) simple() {
	switch g.r.IntN(8) {
	case 0, 1:
		g.declare(pick(g, "int", "int", "string", "bool", "int8", "uint8", "float64", "[]int", "map[string]int", "func(int) int",
			g.prefix+"S", g.prefix+"N", g.prefix+"W", "*"+g.prefix+"S", g.prefix+"I", "[2]int", "any", pick(g, g.moreKinds()...)))
	case 2:
		g.line("show(%s, %s)", g.expr(pick(g, "int", "string", "bool", "float64", "int8", g.prefix+"N"), 2), g.expr("int", 2))
	case 3:
		if g.loops > 0 {
			jump := pick(g, "break", "continue")
			if len(g.labels) > 0 && g.r.IntN(2) == 0 {
				jump += " " + pick(g, g.labels...)
			}
			g.line("if %s {\n\t%s\n}", g.expr("bool", 2), jump)
			return
		}
		g.assign()
	default:
		g.assign()
	}
}

// assign changes a variable or a part of one.
func (g *generator) assign() {
	var places [][2]string
	for _, v := range g.visible() {
		if v.fixed {
			continue
		}
		places = append(places, [2]string{v.name, v.typ})
		switch v.typ {
		case g.prefix + "S", "*" + g.prefix + "S", g.prefix + "W":
			places = append(places, [2]string{v.name + ".A", "int"}, [2]string{v.name + ".B", "string"}, [2]string{v.name + ".C", "int8"},
				[2]string{v.name + ".D[at(" + g.expr("int", 1) + ", 3)]", "int"}, [2]string{v.name + ".E", "[]int"}, [2]string{v.name + ".N", g.prefix + "N"})
		case "[2]int":
			places = append(places, [2]string{v.name + "[at(" + g.expr("int", 1) + ", 2)]", "int"})
		case "map[string]int":
			places = append(places, [2]string{v.name + "[" + g.expr("string", 1) + "]", "int"})
		case "map[" + g.prefix + "K]int":
			places = append(places, [2]string{v.name + "[" + g.expr(g.prefix+"K", 1) + "]", "int"})
		case "map[string]" + g.prefix + "S":
			places = append(places, [2]string{v.name + `["b"]`, g.prefix + "S"})
		case g.prefix + "K":
			places = append(places, [2]string{v.name + ".X", "int"}, [2]string{v.name + ".Y", "string"})
		case "*int":
			places = append(places, [2]string{"*" + v.name, "int"})
		}
	}
	if len(places) == 0 {
		g.line("show(%s)", g.expr("int", 2))
		return
	}
	p := pick(g, places...)
	switch {
	case p[1] == "int" && g.r.IntN(2) == 0:
		g.line("%s %s %s", p[0], pick(g, "+=", "-=", "^=", "|="), g.expr("int", 2))
	case (p[1] == "int8" || p[1] == "uint8" || p[1] == g.prefix+"N") && g.r.IntN(2) == 0:
		g.line("%s%s", p[0], pick(g, "++", "--"))
	case p[1] == "string":
		g.line("%s = cut(%s)", p[0], g.expr("string", 2))
	case p[1] == "[]int":
		g.line("if len(%s) < 12 {\n\t%s = append(%s, %s)\n}", p[0], p[0], p[0], g.expr("int", 2))
	case p[1] == "int" && g.r.IntN(3) == 0:
		if q := pick(g, places...); q[1] == "int" && !strings.Contains(p[0]+q[0], "at(") {
			g.line("%s, %s = %s, %s", p[0], q[0], g.expr("int", 1), g.expr("int", 1))
			return
		}
		fallthrough
	default:
		g.line("%s = %s", p[0], g.expr(p[1], 2))
	}
}

// loop writes one of the kinds of for.
func (g *generator) loop() {
	label := ""
	if g.r.IntN(4) == 0 {
		g.n++
		label = fmt.Sprintf("L%d", g.n)
	}
	head, vs := "", []variable(nil)
	i := g.name() + "i"
	switch g.r.IntN(7) {
	case 0, 1:
		head = fmt.Sprintf("for %s := 0; %s < %d; %s++", i, i, 1+g.r.IntN(4), i)
		vs = []variable{{i, "int", true}}
	case 2:
		head = fmt.Sprintf("for %s := range %d", i, 1+g.r.IntN(4))
		vs = []variable{{i, "int", false}}
	case 3:
		head = fmt.Sprintf("for %s, %sx := range %s", i, i, g.expr("[]int", 1))
		vs = []variable{{i, "int", false}, {i + "x", "int", false}}
	case 4:
		head = fmt.Sprintf("for %s := range %sSeq(%d)", i, g.prefix, 1+g.r.IntN(4))
		vs = []variable{{i, "int", false}}
	case 5:
		head = fmt.Sprintf("for %s, %sr := range %s", i, i, g.expr("string", 1))
		vs = []variable{{i, "int", false}, {i + "r", "rune", false}}
	default:
		head = fmt.Sprintf("for %s, %sy := 0, %s; %s < 3; %s, %sy = %s+1, %sy+1", i, i, g.expr("int", 1), i, i, i, i, i)
		vs = []variable{{i, "int", true}, {i + "y", "int", false}}
	}
	if label != "" {
		g.line("%s:", label)
		g.labels = append(g.labels, label)
	}
	g.line("%s {", head)
	g.loops++
	g.block(func() {
		g.vars = append(g.vars, vs...)
		if label != "" {
			g.line("if %s {\n\tcontinue %s\n}", g.expr("bool", 1), label)
		}
		g.statements(2 + g.r.IntN(2))
	})
	g.loops--
	g.line("}")
	if label != "" {
		g.labels = g.labels[:len(g.labels)-1]
	}
}

func (g *generator) switches() {
	loops := g.loops
	g.loops = 0 // a plain break would leave the switch
	labels := g.labels
	g.labels = nil
	g.line("switch %s %% 4 {", g.expr("int", 2))
	order := g.r.Perm(4)
	for k, c := range order {
		if c == 3 {
			g.line("default:")
		} else {
			g.line("case %d, %d:", c, -c-10)
		}
		g.block(func() { g.statements(1 + g.r.IntN(2)) })
		if k < 3 && g.r.IntN(3) == 0 {
			g.line("\tfallthrough")
		}
	}
	g.line("}")
	g.loops, g.labels = loops, labels
}

// closures collects functions in a loop and calls them after it.
func (g *generator) closures() {
	g.n++
	fs := fmt.Sprintf("fs%d", g.n)
	loops, labels := g.loops, g.labels
	g.loops, g.labels = 0, nil
	g.line("var %s []func(int) int", fs)
	g.line("for i%s := 0; i%s < 3; i%s++ {", fs, fs, fs)
	g.block(func() {
		g.vars = append(g.vars, variable{"i" + fs, "int", true})
		g.declare("int")
		g.line("%s = append(%s, %s)", fs, fs, g.literal(1))
		if g.r.IntN(2) == 0 {
			g.assign()
		}
	})
	g.line("}")
	g.line("for _, f := range %s {\n\tshow(f(1), f(%d))\n}", fs, g.r.IntN(4))
	g.loops, g.labels = loops, labels
}

func (g *generator) typeSwitch() {
	loops, labels := g.loops, g.labels
	g.loops, g.labels = 0, nil
	g.n++
	x := fmt.Sprintf("ts%d", g.n)
	g.line("switch %s := any(%s).(type) {", x, g.expr(pick(g, "int", "string", g.prefix+"S", g.prefix+"N", "any", "[]int"), 1))
	for _, t := range []string{"int", g.prefix + "S", "string", g.prefix + "I", "[]int"} {
		if g.r.IntN(4) == 0 {
			continue
		}
		g.line("case %s:", t)
		g.block(func() {
			g.line("show(%q)", t[len(t)-1:])
			g.vars = append(g.vars, variable{x, t, false})
			g.assign()
		})
	}
	g.line("default:\n\tshow(\"other\", %s != nil)", x)
	g.line("}")
	g.loops, g.labels = loops, labels
}
