package check_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"
)

func TestVariablesDefinedAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []string
		want  string // of the last cell
	}{
		{"the same type is the same variable", []string{"x := 1", "x := 2"}, "x:int"},
		{"another type is another variable", []string{"x := 1", `x := "a"`}, "+x:string"},
		{"its old value makes the new one", []string{"x := 1", "x := x + 1"}, "x:int"},
		{"its old value makes one of another type", []string{"x := 1", "x := fmt.Sprint(x)\nstrings.ToUpper(x)"}, "+x:string | "},
		{"twice in a cell", []string{"x := 1\nx := 2"}, "+x:int x:int"},
		{"twice in a cell with another type", []string{"x := 1\nx := \"a\"\nstrings.ToUpper(x)"}, "+x:int | +x:string"},
		{"a chain of types", []string{"x := 1\nx := fmt.Sprint(x)\nx := len(x)"}, "+x:int | +x:string | +x:int"},
		{"err again and again", []string{"a, err := strconv.Atoi(\"1\")\nb, err := strconv.Atoi(\"2\")"}, "+a:int +err:error +b:int err:error"},
		{"a builtin is hidden", []string{"len := len(\"abc\")\nlen"}, "+len:int | "},
		{"ctx is replaced", []string{"ctx, cancel := context.WithCancel(ctx)"}, "ctx:context.Context +cancel:context.CancelFunc"},
		{"a name of the library is hidden", []string{"Streaming := 1\nStreaming + 1"}, "+Streaming:int"},
		{"read before it is replaced", []string{"x := 1", "fmt.Println(x + 1)\nx := \"a\"\nx + \"b\""}, " | +x:string"},
		{"a function sees the variable of its cell", []string{"n := 1\nfunc get() int { return n }\nget()"}, "+n:int"},
		{"a recursive closure", []string{"fib := func(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }"}, "+fib:func(n int) int"},
		{"a function becomes a variable", []string{"func f() int { return 1 }", "f := f()"}, "+f:int"},
	} {
		s := newSession(t)
		var got string
		for _, src := range c.cells {
			got = s.vars(s.run(src))
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAContinuedVariableIsTheSameObject(t *testing.T) {
	s := newSession(t)
	x := s.run("x := 1").Subs[0].Items[0].Vars[0]
	cell := s.run("x := x + 1\nx")
	if cell.Subs[0].Items[0].Vars[0] != x || s.Lookup("x") != x {
		t.Error("x is another object")
	}
	uses := 0
	for id, o := range cell.Info.Uses {
		if id.Name == "x" {
			uses++
			if o != x {
				t.Errorf("a use of x is %v", o)
			}
		}
	}
	if uses != 2 {
		t.Errorf("got %d uses, want 2", uses)
	}
}

func TestFunctionsDefinedAgain(t *testing.T) {
	s := newSession(t)
	one := s.run("func one() int { return 1 }\nfunc use() int { return one() }").Subs[0].Items[0].Func
	it := s.run("func one() int { return 2 }").Subs[0].Items[0]
	if it.Func != one || !it.Again {
		t.Error("a function with the same signature is another object")
	}
	it = s.run("func one() string { return \"\" }").Subs[0].Items[0]
	if it.Func == one || it.Again {
		t.Error("a function with another signature is the same object")
	}
	cell := s.run("func f() int { return 1 }\nf()\nfunc f() int { return 2 }\nf()")
	if len(cell.Subs) != 2 || !cell.Subs[1].Items[0].Again {
		t.Errorf("a function defined twice in a cell: got %d sub-cells", len(cell.Subs))
	}
}

func TestTypesDefinedAgain(t *testing.T) {
	s := newSession(t)
	s.run("type P struct{ X, Y int }")
	s.run("func (p P) String() string { return fmt.Sprint(p.X) }")
	s.run("p := P{1, 2}")
	s.run("type P struct{ X, Y int }\nfunc (p P) String() string { return \"again\" }")
	s.run("p = P{3, 4}\np.String()") // declared as it was: still the same type
	s.run("type P struct{ X, Y int; Name string }")
	if e := s.fails("p = P{}"); !strings.Contains(e.Hint, "P was declared again") {
		t.Errorf("got hint %q", e.Hint)
	}
	if e := s.fails("P{}.String()"); !strings.Contains(e.Msg, "no field or method String") {
		t.Errorf("the new type has the old methods: %v", e)
	}
	cell := s.run("type Q struct{ a int }\nq := Q{1}\ntype Q struct{ b string }\nr := Q{\"x\"}\nq.a\nr.b")
	if len(cell.Subs) != 2 {
		t.Errorf("got %d sub-cells, want 2", len(cell.Subs))
	}
}

func TestATypeWhosePartsChangedIsANewType(t *testing.T) {
	s := newSession(t)
	s.run("type A struct{ x int }\ntype B struct{ a A }")
	old := s.Lookup("B")
	s.run("type A struct{ x int }\ntype B struct{ a A }")
	if s.Lookup("B") != old {
		t.Error("B was declared as it was, and is another type")
	}
	s.run("type A struct{ y int }\ntype B struct{ a A }")
	if s.Lookup("B") == old {
		t.Error("A changed, and B is the same type")
	}
	s.run("B{A{1}}.a.y")
}

func TestMethodsAddedLater(t *testing.T) {
	s := newSession(t)
	s.run("type T struct{ n int }")
	s.run("func (t T) Even() bool { return t.n == 0 || T{t.n-1}.Odd() }\nfunc (t T) Odd() bool { return t.n != 0 && T{t.n-1}.Even() }")
	cell := s.run("T{3}.Even()\nvar e interface{ Odd() bool } = T{1}")
	sel := 0
	for _, x := range cell.Info.Selections {
		if x.Obj().Name() == "Even" {
			sel++
		}
	}
	if sel != 1 {
		t.Errorf("got %d selections of Even, want 1", sel)
	}
	it := s.run("func (t T) Even() bool { return false }").Subs[0].Items[0]
	if !it.Again || it.Decl.(*ast.FuncDecl).Recv == nil {
		t.Error("the method is not known as one that was there")
	}
	cell = s.run("type U struct{}\nfunc (t T) ToU() U { return U{} }\nfunc (u U) ToT() T { return T{} }\nT{}.ToU().ToT()")
	if got := s.TypeString(cell.Show.Types[0]); got != "T" {
		t.Errorf("got %s, want T", got)
	}
	if e := s.fails("func (t T) n() {}"); !strings.Contains(e.Msg, "field and method with the same name n") {
		t.Errorf("got %v", e)
	}
}

func TestMethodsAddedLaterToAGenericType(t *testing.T) {
	s := newSession(t)
	s.run("type Stack[T any] struct{ xs []T }")
	s.run("func (s *Stack[T]) Push(v T) { s.xs = append(s.xs, v); s.Len() }\nfunc (s *Stack[T]) Len() int { return len(s.xs) }")
	s.run("func (s *Stack[E]) Pop() E { v := s.xs[s.Len()-1]; s.xs = s.xs[:s.Len()-1]; return v }")
	cell := s.run("st := &Stack[int]{}\nst.Push(1)\nst.Pop()")
	if got := s.TypeString(cell.Show.Types[0]); got != "int" {
		t.Errorf("got %s, want int", got)
	}
	s.run("func (s *Stack[T]) Peek() T { return s.xs[0] }")
	s.run("all := map[string][]*Stack[int]{\"a\": {st}}\ntype holder struct{ s Stack[string] }\nfunc get(h holder) *Stack[string] { return &h.s }\nst.Peek()")
	s.run("func (s *Stack[T]) Top() T { return s.Peek() }")
	s.run("st.Top() + all[\"a\"][0].Top()\nget(holder{}).Top() + holder{}.s.xs[0]\nst = all[\"a\"][0]")
}

func TestACellThatFailsLeavesNothing(t *testing.T) {
	s := newSession(t)
	s.run("type T struct{ n int }\nfunc (t T) A() int { return 1 }\nfunc f() int { return 1 }")
	a := s.Lookup("T").Type().(*types.Named).Method(0)
	pos := a.Pos()
	for _, src := range []string{
		"x := 1\ny := nope",
		"func (t T) B() int { return 1 }\nnope",
		"func (t T) A() int { return nope }",
		"func f() int { return nope }",
	} {
		s.fails(src)
	}
	// A cell that is right, but was not committed.
	if _, err := s.Check("", 99, "z := 1\nfunc (t T) C() int { return 1 }\nfunc (t T) A() int { return 2 }\ntype U int"); err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{"x", "z", "T{}.B()", "T{}.C()", "U(1)", "var i interface{ C() int } = T{}"} {
		s.fails(src)
	}
	if a.Pos() != pos || a.Name() != "A" {
		t.Error("the method A is not what it was")
	}
	s.run("func (t T) C() string { return \"\" }")
	if got := s.TypeString(s.run("T{}.C()").Show.Types[0]); got != "string" {
		t.Errorf("got %s, want string", got)
	}
	for _, o := range s.members("T{}.") {
		if strings.Contains(o, "·") {
			t.Errorf("a method that is gone is offered: %s", o)
		}
	}
}

func (s *session) members(src string) []string {
	var names []string
	for _, c := range s.Complete(src, len(src)) {
		names = append(names, c.Text)
	}
	return names
}

func TestPackagesImportThemselves(t *testing.T) {
	s := newSession(t)
	cell := s.run("fmt.Println(strings.ToUpper(\"a\"), rand.IntN(3))")
	if got, want := strings.Join(cell.Imports, " "), "fmt strings math/rand/v2"; got != want {
		t.Errorf("got imports %s, want %s", got, want)
	}
	cell = s.run("fmt.Println(rand.Intn(3))")
	if got, want := strings.Join(cell.Imports, " "), "math/rand"; got != want {
		t.Errorf("got imports %s, want %s", got, want)
	}
	var paths []string
	for _, p := range cell.Subs[0].Packages {
		paths = append(paths, p.Path())
	}
	if got, want := strings.Join(paths, " "), "fmt math/rand"; got != want {
		t.Errorf("got packages %s, want %s", got, want)
	}
	s.run("strings := 1\nstrings + 1") // the name is free
	s.run("import str \"strings\"\nimport \"strings\"\nstr.ToUpper(strings.ToLower(\"a\"))")
	s.run("import . \"strings\"\nToUpper(\"a\")")
}

func TestResetForgetsEverything(t *testing.T) {
	s := newSession(t)
	s.run("x := 1\nenv := 2")
	s.Reset()
	s.fails("x")
	s.run("env.Parallelism()")
}
