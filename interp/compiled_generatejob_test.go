package interp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// functions declares up to three functions of the user, which may call those before them; some are recursive, alone
// or in pairs.
func (g *jobs) functions() {
	for i, n := 0, g.r.IntN(4); i < n; i++ {
		f := g.signature(i)
		if !f.recursive || g.r.IntN(2) == 0 {
			g.function(f, f)
			continue
		}
		i++
		h := g.signature(i)
		h.recursive = true
		g.function(f, f, h)
		g.function(h, f, h)
	}
}

func (g *jobs) signature(i int) jobFunc {
	f := jobFunc{name: fmt.Sprintf("f%d", i), result: oneOf(g, jobKinds...), recursive: g.r.IntN(3) == 0}
	for range 1 + g.r.IntN(3) {
		f.params = append(f.params, oneOf(g, jobKinds...))
	}
	return f
}

// function declares f; group are those that it may call when it is recursive.
func (g *jobs) function(f jobFunc, group ...jobFunc) {
	var ps []string
	g.vars, g.result = nil, f.result
	known := g.funcs
	if f.recursive {
		ps = append(ps, "down int")
		for _, h := range group {
			g.selves = append(g.selves, h.name)
		}
		g.funcs, g.recursing = append(slices.Clone(known), group...), true
	}
	for i, t := range f.params {
		g.vars = append(g.vars, jobVar{fmt.Sprintf("p%d", i), t})
		ps = append(ps, fmt.Sprintf("p%d %s", i, t))
	}
	result := f.result
	if g.r.IntN(3) == 0 {
		result = "(res " + result + ")"
		g.vars = append(g.vars, jobVar{"res", f.result})
	}
	g.line("func %s(%s) %s {", f.name, strings.Join(ps, ", "), result)
	if f.recursive {
		g.line("if down <= 0 {\nreturn %s\n}\ndown--", g.leaf(f.result))
	}
	g.statements(1 + g.r.IntN(4))
	g.line("return %s\n}", g.expr(f.result, 2))
	g.selves, g.recursing = nil, false
	g.funcs = append(known, f)
}

// call calls a function of the program that returns t; empty when there is none.
func (g *jobs) call(t string, d int) string {
	for _, f := range g.funcs {
		if f.result != t || g.r.IntN(3) == 0 {
			continue
		}
		var args []string
		if f.recursive {
			depth := "(" + g.leaf("int") + " & 3)"
			if g.recursing {
				i := slices.Index(g.selves, f.name)
				if i < 0 || g.loops > 0 {
					continue // the number of calls would explode
				}
				g.selves, depth = slices.Delete(g.selves, i, i+1), "down"
			}
			args = append(args, depth)
		}
		for _, p := range f.params {
			args = append(args, g.expr(p, d-1))
		}
		return f.name + "(" + strings.Join(args, ", ") + ")"
	}
	return ""
}

// randomJob gives a cell of declarations, and one that runs a job and prints what comes out of it.
func randomJob(seed uint64) (decls, job string) {
	g := &jobs{r: rand.New(rand.NewPCG(seed, 23))}
	g.functions()
	if g.r.IntN(2) == 0 {
		g.captured = []jobVar{{"c1", "int"}, {"c2", "string"}, {"c3", "Rec"}, {"c4", "[]int"}, {"c5", "*Pt"}, {"c6", "uint8"}, {"c7", "map[string]int"}, {"c8", "map[Pt]Pt"}}
	}
	chain := "env.FromElements(records()...)"
	for range 1 + g.r.IntN(3) {
		chain += ".\n" + g.stage()
	}
	job = chain + ".\nMap(show).\nExecuteAndCollectLimit(ctx, 200)"
	if g.captured != nil {
		job = "build := func(c1 int, c2 string, c3 Rec, c4 []int, c5 *Pt) ([]string, error) {\nc6 := uint8(c1)\nc7, c8 := map[string]int{\"a\": c1}, map[Pt]Pt{}\nreturn " + job + "\n}\n" +
			"r, err := build(3, \"cap\", records()[2], []int{5, 6}, &Pt{1, 2})"
	} else {
		job = "r, err := " + job
	}
	if g.r.IntN(4) == 0 { // two subtasks of each operator share the code of its function
		job = "env.SetParallelism(2)\n" + job + "\nenv.SetParallelism(1)"
	}
	return g.b.String(), job + "\nfor _, x := range r { fmt.Println(x) }\nerr"
}

// parallelJob is a job whose functions run in several goroutines at once; what comes out has no order. Its functions
// share nothing but their code.
func parallelJob(seed uint64) (decls, job string) {
	g := &jobs{r: rand.New(rand.NewPCG(seed, 29))}
	g.functions()
	job = "var all []Rec\nfor range 8 { all = append(all, records()...) }\nr, err := env.FromElements(all...)"
	for range 1 + g.r.IntN(2) {
		job += ".\n" + g.simpleStage()
	}
	return g.b.String(), job + ".\nMap(show).\nExecuteAndCollectLimit(ctx, 9000)\nslices.Sort(r)\nif len(r) == 9000 { r = nil } // which ones is open\nfor _, x := range r { fmt.Println(x) }\nerr"
}

// stage writes an operator on a stream of Rec.
func (g *jobs) stage() string {
	x := jobVar{"x", "Rec"}
	switch g.r.IntN(9) {
	case 0:
		k := oneOf(g, "int", "string", "Pt", "uint8", "bool", "Num")
		return "KeyBy(" + g.literal("x Rec", k, x) + ").\nReduce(" + g.literal("x, y Rec", "Rec", x, jobVar{"y", "Rec"}) + ")"
	case 1:
		return g.keyed(x)
	case 2:
		return g.aggregated(x)
	case 3:
		g.n++
		t := fmt.Sprintf("mapper%d", g.n)
		g.line("type %s struct { seen Rec; by int; last Pt; Xs []int; tab map[string]int; pts map[int]Pt }", t)
		g.method("o *"+t, "Map", "x Rec", "(Rec, error)", x, jobVar{"o.seen", "Rec"}, jobVar{"o.by", "int"}, jobVar{"o.last", "Pt"}, jobVar{"o.tab", "map[string]int"}, jobVar{"o.pts", "map[int]Pt"})
		return "MapRich(&" + t + "{by: 3, tab: map[string]int{\"a\": 4}, pts: map[int]Pt{}})"
	}
	return g.simpleStage()
}

// simpleStage writes an operator of one literal.
func (g *jobs) simpleStage() string {
	x := jobVar{"x", "Rec"}
	switch g.r.IntN(5) {
	case 0:
		return "Filter(" + g.literal("x Rec", "bool", x) + ")"
	case 1:
		return "FlatMap(" + g.literal("x Rec, out Collector[Rec]", "-", x) + ")"
	}
	return "Map(" + g.literal("x Rec", "Rec", x) + ")"
}

// keyed is a process function with state.
func (g *jobs) keyed(x jobVar) string {
	g.n++
	t := fmt.Sprintf("process%d", g.n)
	g.line("type %s struct { v ValueState[Rec]; m MapState[string, Pt]; seen Rec; n int; pts map[int]Pt }", t)
	g.line("func (o *%s) Open(ctx *RuntimeContext) error {\no.v = ctx.State(NewValueStateDescriptor[Rec](\"v\"))\no.m = ctx.MapState(NewMapStateDescriptor[string, Pt](\"m\"))\no.pts = map[int]Pt{1: {2, 3}}\nreturn nil\n}", t)
	captured := g.captured
	g.captured = nil
	lit := g.literal("x Rec, ctx *KeyedContext[int], out Collector[Rec]", "error", x, jobVar{"old", "Rec"}, jobVar{"o.n", "int"}, jobVar{"o.seen", "Rec"}, jobVar{"at", "Pt"}, jobVar{"o.pts", "map[int]Pt"})
	g.captured = captured
	pre := "old := o.v.Value()\nat, had := o.m.Get(x.S)\nif had { at.X++ }\n_ = at\nout.Collect(old)\n"
	post := fmt.Sprintf("o.m.Put(x.S, Pt{X: x.I})\no.v.Update(%s)\n", oneOf(g, "x", "old", "o.seen", "Rec{I: old.I + 1, Q: x.Q, Xs: old.Xs}"))
	lit = strings.Replace(lit, "{\n", "{\n"+pre, 1)
	i := strings.LastIndex(lit, "out.Collect(")
	g.line("func (o *%s) ProcessElement%s", t, strings.TrimPrefix(lit[:i]+post+lit[i:], "func"))
	return "KeyBy(func(x Rec) int { return len(x.S) % 3 }).\nProcessKeyed(&" + t + "{})"
}

// aggregated is an aggregation of windows of two records.
func (g *jobs) aggregated(x jobVar) string {
	g.n++
	t := fmt.Sprintf("agg%d", g.n)
	g.line("type %s struct{}", t)
	g.line("func (%s) CreateAccumulator() Rec { return Rec{S: \"acc\"} }", t)
	g.method(t, "Add", "x Rec, acc Rec", "Rec", x, jobVar{"acc", "Rec"})
	g.method(t, "GetResult", "acc Rec", "Rec", jobVar{"acc", "Rec"})
	g.line("func (%s) Merge(a, b Rec) Rec { a.I += b.I; return a }", t)
	return "KeyBy(func(x Rec) bool { return x.B }).\nCountWindow(2).\nAggregate(" + t + "{})"
}
