package check_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhatACellShows(t *testing.T) {
	for _, c := range []struct{ name, cell, want string }{
		{"an expression", "1 + 2", "int"},
		{"a constant of no type", "'a'", "rune"},
		{"a comparison", "x == 2", "bool"},
		{"all results", `strconv.Atoi("1")`, "int error-"},
		{"an error alone is quiet", "errors.New(\"a\")", "error-"},
		{"a stream", "ws.Map(func(s string) int { return 1 })", "*SingleOutputStreamOperator[int]"},
		{"a sink is quiet", "ws.Print()", "*DataStreamSink[string]-"},
		{"the environment is quiet", "env.SetParallelism(2)", "*StreamExecutionEnvironment-"},
		{"a job is quiet", "env.Execute(ctx)", "*JobExecutionResult- error-"},
		{"printing shows nothing more", "fmt.Println(1)", ""},
		{"printing to a writer", "fmt.Fprintln(os.Stdout, 1)", ""},
		{"a call without result", "func() {}()", ""},
		{"an assignment", "y := 1", ""},
		{"an assignment of a stream", "zs := ws.Rebalance()", "zs"},
		{"a keyed stream", "ks := ws.KeyBy(func(s string) string { return s })", "ks"},
		{"a stream assigned again", "ws = ws", ""},
		{"a statement after a value", "1 + 2\nx++", ""},
		{"a declaration", "type U int", ""},
		{"a function as a value", "func(i int) int { return i }", "func(i int) int"},
	} {
		s := newSession(t)
		s.run("ws := env.FromElements(\"a\")\nx := 1")
		show := s.run(c.cell).Show
		var got []string
		if show != nil {
			for i, typ := range show.Types {
				mark := ""
				if show.Quiet[i] {
					mark = "-"
				}
				got = append(got, s.TypeString(typ)+mark)
			}
			for _, v := range show.Vars {
				got = append(got, v.Name())
			}
		}
		want := c.want
		if c.name == "a stream assigned again" {
			want = "ws"
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", c.name, strings.Join(got, " "), want)
		}
	}
}

func TestTypeOf(t *testing.T) {
	s := newSession(t)
	s.run("type Word struct { Text string; N int }\nfunc (w Word) Len() int { return w.N }\nws := env.FromElements(Word{\"a\", 1})\nconst k = 3")
	for expr, want := range map[string]string{
		"ws": "*DataStreamSource[Word]",
		"ws.KeyBy(func(w Word) string { return w.Text })": "*KeyedStream[Word, string]",
		"1 + 2":                      "int",
		"nil":                        "untyped nil",
		"k":                          "untyped int = 3",
		`strconv.Atoi("1")`:          "(int, error)",
		"fmt.Println(1)":             "(int, error)",
		"ws.CollectAsyncInto(nil)":   "no value",
		"strconv.Atoi":               "func strconv.Atoi(s string) (int, error)",
		"slices.Max":                 "func slices.Max[S ~[]E, E cmp.Ordered](x S) E",
		"Word":                       "type Word struct{Text string; N int}",
		"Word{}.Len":                 "func (Word).Len() int",
		"fmt":                        "package fmt",
		"TumblingEventTime(1)":       "WindowAssigner[TimeWindow]",
		"env":                        "*StreamExecutionEnvironment",
		"[]Word{}":                   "[]Word",
		"map[string]time.Duration{}": "map[string]time.Duration",
		"ws.Map":                     "func (*DataStream[Word]).Map[R any](f func(Word) R, opts ...TypeOption) *SingleOutputStreamOperator[R]",
	} {
		got, err := s.TypeOf(expr)
		if err != nil || got != want {
			t.Errorf("TypeOf(%q): got %q, %v, want %q", expr, got, err, want)
		}
	}
	for _, expr := range []string{"wss", "x := 1", "1 +", ""} {
		if got, err := s.TypeOf(expr); err == nil {
			t.Errorf("TypeOf(%q): got %q, want an error", expr, got)
		}
	}
	if s.Lookup("x") != nil {
		t.Error("TypeOf left a definition")
	}
}

func TestComplete(t *testing.T) {
	s := newSession(t)
	s.run("type Word struct { Text string; N int }\nfunc (w Word) Len() int { return w.N }\nws := env.FromElements(Word{\"a\", 1})\nvar count int")
	for _, c := range []struct{ name, src, want string }{
		{"methods of a stream", "ws.MapR", "MapRich method func[R any](f MapFunction[Word, R], opts ...TypeOption) *SingleOutputStreamOperator[R]"},
		{"after a leading dot", "ws.\n\tMapR", "MapRich method func[R any](f MapFunction[Word, R], opts ...TypeOption) *SingleOutputStreamOperator[R]"},
		{"members of a parameter", "ws.Map(func(w Word) int { return w.", "Len method func() int, N field int, Text field string"},
		{"a local variable", "ws.Map(func(w Word) int {\n\tlonely := 1\n\treturn lon", "lonely var int"},
		{"not a later one", "ws.Map(func(w Word) int {\n\tif true { inner := 1 }\n\treturn inn", ""},
		{"a name of the session", "coun", "count var int, CountEvictor func"},
		{"another case", "word", "Word type struct{Text string; N int}"},
		{"functions of a package", "strings.FieldsF", "FieldsFunc func func(s string, f func(rune) bool) []string, FieldsFuncSeq func"},
		{"of each package with the name", "rand.Int", "Int func func() int"},
		{"fields of a literal", "Word{Tex", "Text field string"},
		{"a package", "strc", "strconv package strconv"},
		{"a keyword", "defe", "defer keyword "},
		{"in a header without a block", "for _, x := range ws.ExecuteAndCollectL", "ExecuteAndCollectLimit method func(ctx context.Context, n int, opts ...ExecuteOption) ([]Word, error)"},
		{"in the middle of a call", "fmt.Println(coun", "count var int"},
		{"not in a string", "fmt.Println(\"ws.", ""},
		{"not after a number", "1.", ""},
	} {
		var got []string
		for _, x := range s.Complete(c.src, len(c.src)) {
			got = append(got, fmt.Sprintf("%s %s %s", x.Text, x.Kind, x.Detail))
		}
		text := strings.Join(got, ", ")
		if c.want == "" && text != "" || !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, text, c.want)
		}
	}
	if list := s.Complete("x := ws.Fil", 11); len(list) == 0 || list[0].Start != 8 {
		t.Errorf("got %v, want candidates for the word at 8", list)
	}
	if list := s.Complete("ws.Fil + 1", 5); len(list) == 0 || list[0].Text != "Filter" {
		t.Errorf("with text after the cursor: got %v", list)
	}
}

func TestVars(t *testing.T) {
	s := newSession(t)
	s.run("b := 1")
	s.run("type A int\nfunc f(x int) string { return \"\" }\nconst k = 2")
	var got []string
	for _, v := range s.Vars() {
		got = append(got, fmt.Sprintf("%s %s %s %d", v.Name, v.Kind, v.Type, v.Cell))
	}
	want := "A type int 2; b var int 1; ctx var context.Context 0; env var *StreamExecutionEnvironment 0; f func func(x int) string 2; k const untyped int = 2 2"
	if strings.Join(got, "; ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), want)
	}
}
