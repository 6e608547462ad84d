package check_test

import (
	"testing"

	"flinkish/interp/check"
)

func TestIncomplete(t *testing.T) {
	for _, c := range []struct {
		src  string
		want bool
	}{
		{"", false},
		{"  // a comment", false},
		{"x := 1", false},
		{"x++", false},
		{"return", false},
		{"fmt.Println(", true},
		{"fmt.Println(\n1,\n)", false},
		{"func f() {", true},
		{"func f() {\n}", false},
		{"x := []int{1,", true},
		{"x := 1 +", true},
		{"x :=", true},
		{"ws.", true},
		{"ws.\nMap(f).", true},
		{"ws", false},
		{"a &&", true},
		{"var", true},
		{"if x {\n} else", true},
		{"s := `raw", true},
		{"s := `raw\nstring`", false},
		{"s := \"open", false},
		{"/* comment", true},
		{"/* comment */", false},
		{"x := 1 /* more", true},
		{")", false},
		{"f(]", false},
		{"case", true},
		{"outer:", true},
		{"'", false},
		{"x := 1 + // and then", true},
		{"package main", true},
		{"package main\n\nfunc f() {}", true},
		{"package main\n\nfunc main() {", true},
		{"package main\n\nfunc main() {\n}", false},
		{"func main() {\n}", false},
	} {
		if got := check.Incomplete(c.src); got != c.want {
			t.Errorf("Incomplete(%q): got %v, want %v", c.src, got, c.want)
		}
	}
}

func TestACellMixesDeclarationsStatementsAndExpressions(t *testing.T) {
	s := newSession(t)
	cell := s.run(`import "strings"
type T struct{ x int }; func (t T) X() int { return t.x }
const k = 2
var a, b = 1, "b"
c := T{k}
for i := 0; i < k; i++ { a += i }
for _, w := range []string{"x"} { b += w }
if v := strings.Fields(b); len(v) > 0 { a++ } else if u := 2; u > 1 { a-- }
switch v := any(a).(type) { case int: _ = v }
func(x int) { a = x }(3)
c.X()`)
	var kinds []check.Kind
	for _, it := range cell.Subs[0].Items {
		kinds = append(kinds, it.Kind)
	}
	want := []check.Kind{check.ImportItem, check.TypeItem, check.FuncItem, check.ConstItem, check.VarItem, check.VarItem,
		check.StmtItem, check.StmtItem, check.StmtItem, check.StmtItem, check.StmtItem, check.StmtItem}
	if len(kinds) != len(want) {
		t.Fatalf("got kinds %v, want %v", kinds, want)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Errorf("item %d: got kind %v, want %v", i, kinds[i], want[i])
		}
	}
}

func TestLeadingDotsContinueAChain(t *testing.T) {
	s := newSession(t)
	cell := s.run(`counts := env.FromElements("a b").
	FlatMap(func(s string, out Collector[string]) { out.Collect(s) }) // words
	.KeyBy(func(s string) string { return s })

	.Reduce(func(a, b string) string { return b })`)
	if got, want := s.vars(cell), "+counts:*SingleOutputStreamOperator[string]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	e := s.fails("x := env.FromElements(1)\n\t.Map(func(i int) int { return i })\n\t.Nope()")
	if e.Line != 3 || e.Col != 3 {
		t.Errorf("got %d:%d, want 3:3", e.Line, e.Col)
	}
}

func TestAProgramRunsItsMainInInitialisationOrder(t *testing.T) {
	s := newSession(t)
	cell := s.run("package main\n\nimport \"fmt\"\n\nvar a = b + 1\nvar b = f()\n\nfunc f() int { return 2 }\n\nfunc main() { fmt.Println(a) }\n")
	if cell.Main == nil || cell.Main.Name() != "main" {
		t.Errorf("got main %v", cell.Main)
	}
	if got, want := s.vars(cell), "+b:int +a:int"; got != want {
		t.Errorf("got variables %s, want %s", got, want)
	}
	if cell.Show != nil {
		t.Error("a program shows something")
	}
}
