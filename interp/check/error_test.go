package check_test

import (
	"errors"
	"strings"
	"testing"
)

func TestDiagnosticsNamePlaceMessageAndHint(t *testing.T) {
	before := `ws := env.FromElements("a")
type Word struct { Text string; N int }
n := 1
f := 1.5`
	s := newSession(t)
	s.run(before)
	for _, c := range []struct {
		name, cell string
		line, col  int
		end        int // 0: not checked
		msg, hint  string
	}{
		{"operands of different types", `y := 1 + "a"`, 1, 6, 13, `invalid operation: 1 + "a" (mismatched types untyped int and untyped string)`, "strconv.Itoa"},
		{"numbers of different types", "n + f", 1, 1, 6, "invalid operation: n + f (mismatched types int and float64)", "float64(x)"},
		{"a wrong lambda", "env.FromElements(1, 2).Map(func(s string) string { return s })", 1, 28, 0, "func(s string) string", "the function must take (int)"},
		{"a misspelt method", "ws.\n\tKeyByy(func(s string) string { return s })", 2, 2, 8, "ws.KeyByy undefined (type *DataStreamSource[string] has no field or method KeyByy)", "did you mean KeyBy?"},
		{"a short method", "ws.Mp(func(s string) string { return s })", 1, 4, 6, "has no field or method Mp", "did you mean Map?"},
		{"a misspelt name", "wss", 1, 1, 4, "undefined: wss", "did you mean ws?"},
		{"a misspelt field", `Word{Txt: "a"}`, 1, 6, 9, "unknown field Txt in struct literal of type Word", "did you mean Text?"},
		{"a field in another case", "Word{}.text", 1, 8, 12, "has no field or method text, but does have field Text", "did you mean Text?"},
		{"a misspelt function of a package", `strings.ToUper("a")`, 1, 9, 15, "undefined: strings.ToUper", "did you mean strings.ToUpper?"},
		{"a package in capitals", "Fmt.Println()", 1, 1, 4, "undefined: Fmt", "did you mean package fmt?"},
		{"a package that sessions lack", `signal.Notify(nil)`, 1, 1, 7, "undefined: signal", "package os/signal is not available in a session"},
		{"an import that sessions lack", "x := 1\nimport \"os/user\"", 2, 8, 17, "package os/user is not available in a session", "a session has dataflow and packages of the standard library"},
		{"a package as a value", "x := fmt", 1, 6, 9, "undefined: fmt", "fmt is a package"},
		{"a window on an unkeyed stream", "ws.Window(TumblingEventTime(time.Second))", 1, 4, 10, "has no field or method Window", "Window needs a keyed stream: call KeyBy first, or use WindowAll"},
		{"a reduce on an unkeyed stream", "ws.Reduce(func(a, b string) string { return a })", 1, 4, 10, "has no field or method Reduce", "Reduce needs a keyed stream: call KeyBy first"},
		{"lateness without a window", "ws.AllowedLateness(1)", 1, 4, 19, "has no field or method AllowedLateness", "AllowedLateness needs a window: call KeyBy and Window first"},
		{"an int for a string", "strings.ToUpper(n)", 1, 17, 18, "cannot use n (variable of type int) as string value in argument to strings.ToUpper", "convert it: fmt.Sprint(n)"},
		{"a string for an int", "var k int = ws.String()", 1, 13, 24, "as int value in variable declaration", "convert it: strconv.Atoi(ws.String()) gives an int and an error"},
		{"a float for an int", "var k int = f", 1, 13, 14, "as int value", "convert it: int(f)"},
		{"two results for one name", `k := strconv.Atoi("1")`, 1, 1, 0, "assignment mismatch: 1 variable but strconv.Atoi returns 2 values", "write 2 names on the left"},
		{"a type that nothing tells", `tag := NewOutputTag("x")`, 1, 8, 0, "in call to NewOutputTag, cannot infer T", "say the type in brackets"},
		{"the second line of a function", "func g() int {\n\treturn \"a\"\n}", 2, 9, 12, `cannot use "a" (untyped string constant) as int value in return statement`, ""},
		{"a column in bytes after wide text", `"日本" + 1`, 1, 1, 13, "mismatched types untyped string and untyped int", ""},
		{"a use before the definition", "fmt.Println(zz)\nzz := 1", 1, 13, 15, "undefined: zz", "zz is defined on line 2, after its use"},
		{"a variable made of itself", "q := q + 1", 1, 6, 7, "undefined: q", ""},
		{"a missing return", "func g() int {\n}", 2, 1, 2, "missing return", "end every way through it with a return of int"},
		{"an operator without operand", "x +", 1, 4, 5, "syntax error: expected operand, found the end of the statement", ""},
		{"an open bracket", "fmt.Println(\n  1,\n", 1, 12, 13, "syntax error: this ( is never closed", ""},
		{"a bracket too many", "f := 1)", 1, 7, 8, "syntax error: unexpected ) closes nothing", ""},
		{"brackets that cross", "f([1)", 1, 5, 6, "syntax error: unexpected ): the [ of 1:3 is still open", ""},
		{"an open string", "s := \"abc", 1, 6, 7, "syntax error: string literal not terminated", ""},
		{"a method of a type of the library", "func (s *OutputTag[T]) X() {}", 1, 10, 0, "cannot define new methods on non-local type", ""},
	} {
		e := s.fails(c.cell)
		if e.Line != c.line || e.Col != c.col || c.end != 0 && e.EndCol != c.end {
			t.Errorf("%s: got %d:%d-%d, want %d:%d-%d (%s)", c.name, e.Line, e.Col, e.EndCol, c.line, c.col, c.end, e.Msg)
		}
		if !strings.Contains(e.Msg, c.msg) {
			t.Errorf("%s: got message %q, want %q", c.name, e.Msg, c.msg)
		}
		if c.hint == "" && e.Hint != "" && c.name != "a column in bytes after wide text" || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: got hint %q, want %q", c.name, e.Hint, c.hint)
		}
		if want := strings.Split(c.cell, "\n")[e.Line-1]; e.Source != want {
			t.Errorf("%s: got source %q, want %q", c.name, e.Source, want)
		}
	}
}

func TestAnErrorShowsTheLineAndACaret(t *testing.T) {
	s := newSession(t)
	s.run(`ws := env.FromElements("a")`)
	got := s.fails("ws.\n\tKeyByy(func(s string) string { return s })").Error()
	want := "2:2: ws.KeyByy undefined (type *DataStreamSource[string] has no field or method KeyByy)\n" +
		"   2 |     KeyByy(func(s string) string { return s })\n" +
		"     |     ^^^^^^ did you mean KeyBy?"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = s.fails(`"日本" + nope`).Format("cell 3:")
	want = "cell 3:1:12: undefined: nope\n   1 | \"日本\" + nope\n     |          ^^^^"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFurtherErrorsAreCounted(t *testing.T) {
	s := newSession(t)
	e := s.fails("nope\nneither\nnor")
	if e.Line != 1 || e.More != 2 {
		t.Errorf("got line %d and %d more, want line 1 and 2 more", e.Line, e.More)
	}
	if !strings.Contains(e.Error(), "1:1: undefined: nope (and 2 more errors)") {
		t.Errorf("got %s", e)
	}
	if got := e.Shift(4).Error(); !strings.HasPrefix(got, "5:1: ") || !strings.Contains(got, "   5 | nope") {
		t.Errorf("shifted by 4 lines: got %s", got)
	}
}

func TestUnusedNamesAreFine(t *testing.T) {
	s := newSession(t)
	s.run("import \"sort\"\nfunc f() { x := 1 }\nif y := 2; true { }\n1 + 2")
}

func TestAllowRefusesPackages(t *testing.T) {
	s := newSession(t)
	s.Allow = func(path string) error {
		if path == "os/exec" {
			return errors.New("package os/exec is refused without --trust")
		}
		return nil
	}
	e := s.fails("x := 1\nimport \"os/exec\"")
	if e.Line != 2 || e.Col != 8 || !strings.Contains(e.Msg, "--trust") {
		t.Errorf("got %v", e)
	}
	if e := s.fails(`exec.Command("id")`); !strings.Contains(e.Msg, "--trust") {
		t.Errorf("an import on first use was not refused: %v", e)
	}
}
