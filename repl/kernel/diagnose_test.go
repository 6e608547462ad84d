package kernel

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"flinkish/repl/session"
)

// ours is text of the interpreter and of lowering, which no user wrote.
var ours = regexp.MustCompile(`yaegi|traefik|CFG|interp\.|rtǃ|ǃ|·|main\.[a-z]+\d+\b|constant definition loop|reflect\.(Value|Set|Call)|reflect:|\.go:\d+|goroutine \d+|_\.go|\bdataflow\.[A-Z]|unexported|0xc0`)

// wrongCells are those of the checker's corpus, and cells that fail while they run.
func wrongCells(t *testing.T) []string {
	b, err := os.ReadFile("../../interp/check/testdata/wrong.txt")
	if err != nil {
		t.Fatal(err)
	}
	cells := []string{
		"var m map[string]int\nm[\"a\"] = 1", "var p *struct{ N int }\np.N", "[]int{1}[len(words.String())]", "panic(\"own\")", "panic(errors.New(\"own\"))",
		"panic(struct{ A int }{1})", "func deep(n int) int { return deep(n+1) + 1 }\ndeep(0)", "var i any = \"s\"\ni.(int)", "var s fmt.Stringer\ns.String()",
		"x := 0\n1 / x", "close(make(chan int, 0))\nvar c chan int\nclose(c)", "make([]int, -len(\"a\"))", "regexp.MustCompile(`(`)", "strings.Repeat(\"a\", -1)",
		"env.FromData(1).Map(func(n int) int { return n / (n - 1) }).Print()\nenv.Execute(ctx)", "env.FromData(1).Map(func(n int) int { panic(\"in a job\") }).ExecuteAndCollectLimit(ctx, 1)",
		"env.FromData(1).WindowAll(TumblingEventTime(time.Second)).Reduce(func(a, b int) int { return a }).ExecuteAndCollectLimit(ctx, 1)",
		"env.SetParallelism(0)", "env.ReadTextFile(\"nothing.txt\").Print()\nenv.Execute(ctx)", "errors.New(\"own\")", "os.Exit(1)", "runtime.Goexit()", "env.Execute(ctx)",
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(string(b), "== "), "\n== ") {
		_, part, _ = strings.Cut(part, "\n")
		cell, _, _ := strings.Cut(part, "\n-- ")
		cells = append(cells, cell)
	}
	return cells
}

func TestTextOfTheInterpreterStaysInside(t *testing.T) {
	s, l := start(t, session.Options{})
	for _, src := range wrongCells(t) {
		l.Reset()
		s.Eval(context.Background(), session.Cell{Source: "words := env.FromData(\"a\")\nkeyed := words.KeyBy(func(s string) string { return s })"}, nil)
		var all []session.Event
		res := s.Eval(context.Background(), session.Cell{Source: src}, func(e session.Event) { all = append(all, e) })
		if d := res.Diagnostic; d != nil {
			d.Source = "" // what the user wrote may contain anything
			if d.Kind == session.Internal {
				t.Errorf("%s\nour own fault: %v", src, d)
			}
		}
		text, err := json.Marshal(struct {
			E []session.Event
			R session.Result
		}{all, res})
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range ours.FindAllString(string(text), -1) {
			if !strings.Contains(src, found) {
				t.Errorf("%s\nshows %q: %s", src, found, text)
			}
		}
	}
}

func TestForeignDocumentsStayInTheirFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, c := range []struct{ name, src, want string }{
		{"a package that starts programs", "x := 1\nimport \"os/exec\"", "e.flk:11:8: package os/exec is refused here: it reaches out of the session; run with --trust to allow it"},
		{"the same, imported on first use", "exec.Command(\"id\").Run()", "e.flk:10:1: package os/exec is refused"},
		{"net", "import \"net\"", "e.flk:10:8: package net is refused"},
		{"syscall", "import \"syscall\"", "e.flk:10:8: package syscall is refused"},
		{"unsafe", "import \"unsafe\"", "e.flk:10:8: package unsafe is refused"},
		{"plugin", "import \"plugin\"", "e.flk:10:8: package plugin is refused"},
		{"a write outside", "x := 1\nos.WriteFile(\"/flinkish-test\", nil, 0o644)", "e.flk:11:1: writing /flinkish-test is refused: it lies outside of "},
		{"a write by a function value", "f := os.WriteFile\nf(\"/flinkish-test\", nil, 0o644)", "writing /flinkish-test is refused"},
		{"opening to write", "os.OpenFile(\"/flinkish-test\", os.O_CREATE|os.O_WRONLY, 0o644)", "writing /flinkish-test is refused"},
		{"opening to read", "g, err := os.OpenFile(\"/dev/null\", os.O_RDONLY, 0)\ng.Close()", ""},
		{"a file sink", "env.FromData(1).WriteAsText(\"/flinkish-test\")", "writing /flinkish-test is refused"},
		{"a link that leads out", "os.Symlink(\"/\", \"root\")", "writing / is refused"},
		{"another process", "os.FindProcess(1)", "os.FindProcess is refused here"},
		{"a write inside", "os.WriteFile(\"a.txt\", []byte(\"a\"), 0o644)", ""},
		{"a temporary file", "h, err := os.CreateTemp(\"\", \"x\")\nos.Remove(h.Name())", ""},
	} {
		s, _ := start(t, session.Options{Dir: dir})
		res := s.Eval(context.Background(), session.Cell{Source: c.src, File: "e.flk", Line: 10}, nil)
		got := ""
		if res.Diagnostic != nil {
			got = res.Diagnostic.Error()
			if res.Diagnostic.Kind != session.Refused {
				t.Errorf("%s: got the kind %s, want %s", c.name, res.Diagnostic.Kind, session.Refused)
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTrustLiftsTheRefusals(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "a.txt")
	t.Chdir(dir)
	s, _ := start(t, session.Options{Dir: dir, Trust: true})
	for _, src := range []string{"os.WriteFile(" + strconvQuote(out) + ", nil, 0o644)", "import \"os/exec\"\ncmd := exec.Command(\"id\")"} {
		if res := s.Eval(context.Background(), session.Cell{Source: src}, nil); !res.OK {
			t.Errorf("%s: %v", src, res.Diagnostic)
		}
	}
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}

func strconvQuote(s string) string { b, _ := json.Marshal(s); return string(b) }

func TestInspectionOfTheCells(t *testing.T) {
	s, _ := start(t, session.Options{})
	ctx := context.Background()
	src := "// Word is a counted word.\ntype Word struct { Text string; N int }\nws := env.FromData(Word{\"a\", 1})\nws.Map(func(w Word) int { return w.N })\nx := 1"
	res := s.Eval(ctx, session.Cell{Source: src}, nil)
	if !res.OK || res.Warning == nil || !strings.Contains(res.Warning.String(), "the result of Map is not used") || res.Warning.Line != 4 {
		t.Errorf("got %+v, want a warning about line 4", res)
	}
	if got, err := s.Source(ctx, "Word"); err != nil || got != "// Word is a counted word.\ntype Word struct { Text string; N int }" {
		t.Errorf("source: got %q, %v", got, err)
	}
	if _, err := s.Source(ctx, "nothing"); err == nil {
		t.Error("source of a name that no cell declared: got no error")
	}
	if got, _ := s.Doc(ctx, "Word"); !strings.Contains(got, "Word is a counted word.") {
		t.Errorf("doc: got %q", got)
	}
	cs, _ := s.Complete(ctx, "ws.Filte", 8)
	if len(cs) == 0 || cs[0].Doc == "" || cs[0].Snippet != "Filter(func(w Word) bool { return " {
		t.Errorf("completion: got %+v", cs)
	}
}

func TestTheEndOfAContextOfTheProgramIsAnErrorAndNoInterruption(t *testing.T) {
	for _, tt := range []struct{ cell, want string }{
		{"c, cancel := context.WithCancel(ctx)\ncancel()\nc.Err()", "context canceled"},
		{"c, cancel := context.WithCancel(ctx)\ncancel()\nenv.FromElements(1).Print()\nenv.Execute(c)", "context canceled"},
		{"c, cancel := context.WithTimeout(ctx, 0)\ndefer cancel()\nfmt.Errorf(\"late: %w\", c.Err())", "late: context deadline exceeded"},
	} {
		s, l := start(t, session.Options{})
		r := s.Eval(context.Background(), session.Cell{Source: tt.cell}, l.event)
		if d := r.Diagnostic; d == nil || d.Kind != session.Runtime || d.Message != tt.want {
			t.Errorf("%s\ngot %+v, want %s", tt.cell, d, tt.want)
		}
	}
}
