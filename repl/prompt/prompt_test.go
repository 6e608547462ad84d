package prompt

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flinkish/repl/session"
	"flinkish/repl/terminaltest"
)

// TestMain lets the test binary be the program in a terminal: readline works on the process's own.
func TestMain(m *testing.M) {
	if os.Getenv("PROMPT_TEST") == "" {
		os.Exit(m.Run())
	}
	out := Output(os.Stdout)
	os.Exit(Run(context.Background(), Options{
		Session: &scripted{}, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Banner: "scripted",
		History: HistoryPath(os.Getenv), Plain: os.Getenv("TERM") == "dumb", Width: func() int { return Width(out) },
	}))
}

// scripted is a session whose cells say what they got.
type scripted struct{ session.Session }

func (*scripted) Settings() session.Settings { return session.Settings{Glyphs: session.Unicode} }
func (*scripted) Incomplete(src string) bool {
	return strings.Count(src, "(") > strings.Count(src, ")") || strings.HasSuffix(src, ".")
}
func (*scripted) Complete(_ context.Context, src string, pos int) ([]session.Candidate, int) {
	start := strings.LastIndexByte(src[:pos], '.') + 1
	if strings.HasPrefix(src, "many.") {
		var cs []session.Candidate
		for i := range 20 {
			cs = append(cs, session.Candidate{Text: fmt.Sprintf("%c%d", 'a'+i, i), Kind: "method", Doc: "about it"})
		}
		return cs, start
	}
	return []session.Candidate{
		{Text: "KeyBy", Kind: "method", Type: "func(key func(T) K)", Snippet: "KeyBy(func(w Word) "},
		{Text: "KeyByFields", Kind: "method", Type: "func(names ...string)", Doc: "KeyByFields keys by fields."},
		{Text: "Map", Kind: "method", Type: "func(f func(T) R)", Snippet: "Map(func(w Word) "},
	}, start
}
func (*scripted) Eval(ctx context.Context, c session.Cell, on func(session.Event)) session.Result {
	if c.Source == "forever()" {
		on(session.Event{Stream: session.Stdout, Text: "running"})
		<-ctx.Done()
		on(session.Event{Stream: session.Problem, Diagnostic: &session.Diagnostic{Message: "interrupted"}})
		return session.Result{}
	}
	if strings.HasSuffix(c.Source, "wrods") {
		d := &session.Diagnostic{Message: "undefined: wrods", Hint: "did you mean words?", Fix: strings.TrimSuffix(c.Source, "wrods") + "words"}
		on(session.Event{Stream: session.Problem, Diagnostic: d})
		return session.Result{Diagnostic: d}
	}
	on(session.Event{Stream: session.Stdout, Text: fmt.Sprintf("<%d: %q>", c.Number, c.Source)})
	return session.Result{OK: true}
}

func start(t *testing.T, env ...string) (*terminaltest.Screen, string) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "PROMPT_TEST=1", "TERM=xterm", "XDG_STATE_HOME="+dir), env...)
	return terminaltest.Start(t, cmd, 80, 24), filepath.Join(dir, "flinkish", "history")
}

func TestPromptReadsCells(t *testing.T) {
	s, _ := start(t)
	s.Last("[1]>")
	s.Type("x := 1\r")
	s.See(`<1: "x := 1">`)
	s.Last("[2]>")
	s.Type("f(\r")
	s.Last("...>")
	s.Type("1)\r")
	s.See(`<2: "f(\n1)">`)
	s.Last("[3]>")
	s.Type("\x1b[A") // the whole cell comes back
	s.Last("[3]> f(↵1)")
	s.Type("\r")
	s.See(`<3: "f(\n1)">`)
	s.Last("[4]>")
	s.Type(":quit\r")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit status: got %d, want 0", code)
	}
}

func TestPromptCompletesWithTypes(t *testing.T) {
	s, _ := start(t)
	s.Last("[1]>")
	s.Type("xs.K\t")
	s.Last("[1]> xs.KeyBy")
	s.Type("\t")
	s.See("KeyByFields  func(names ...string)")
	s.See("      KeyByFields keys by fields.")
	s.See("Tab again: KeyBy(func(w Word)")
	s.Last("[1]> xs.KeyBy")
	s.Type("\t")
	s.Last("[1]> xs.KeyBy(func(w Word)")
	s.Type("\x15xs.M()\x1b[D\x1b[D\t") // before the bracket of a call
	s.Last("[1]> xs.Map()")
	s.Type("\x15\x0b:gr\t")
	s.Last("[1]> :graph")
	s.Type("\x15f(\r")
	s.Last("...>")
	s.Type("\t")
	s.Until("an indented line", func(screen string) bool { return strings.HasSuffix(screen, "...>") })
	s.Type("xs.M\t")
	s.Last("...>     xs.Map(func(w Word)")
}

func TestFixRunsTheCellWithItsHint(t *testing.T) {
	s, _ := start(t)
	s.Last("[1]>")
	s.Type("f(\r")
	s.Last("...>")
	s.Type(") + wrods\r")
	s.See("  hint: did you mean words?\n  :fix applies it")
	s.Last("[2]>")
	s.Type(":fix\r")
	s.See("[2]> f(\n...> ) + words\n<2: \"f(\\n) + words\">")
	s.Last("[3]>")
	s.Type("\x1b[A") // it is in the history
	s.Last("[3]> f(↵) + words")
	s.Type("\x15:fix\r")
	s.See("fix: the latest cell has no hint that can be applied")
}

func TestALongListHasPages(t *testing.T) {
	s, _ := start(t)
	s.Last("[1]>")
	s.Type("many.\t")
	s.See("  n13  about it\n  6 more; Tab shows them\n[1]> many.")
	s.Type("\t")
	s.See("  t19  about it\n[1]> many.")
	s.Type("\t")
	s.Until("the first page again", func(screen string) bool { return strings.HasSuffix(screen, "  6 more; Tab shows them\n[1]> many.") })
}

func TestPromptTakesAPasteWhole(t *testing.T) {
	s, _ := start(t)
	s.Last("[1]>")
	s.Type("\x1b[200~f(\r\tx,\r\t)\r\x1b[201~")
	s.Last("[1]> f(↵ x,↵ )")
	s.Type("\r")
	s.See(`<1: "f(\n\tx,\n\t)">`)
	s.Last("[2]>")
	s.Type("\x1b[200~[1]> a(\n...> b)\nsome output\n[2]> c\n\x1b[201~\r")
	s.See(`<2: "a(\nb)\nc">`)
}

func TestCtrlCClearsAndInterrupts(t *testing.T) {
	s, history := start(t)
	s.Last("[1]>")
	s.Type("half a c\x03")
	s.See("half a c^C")
	s.Last("[1]>")
	s.Type("f(\r")
	s.Last("...>")
	s.Type("\x03")
	s.Last("[1]>")
	s.Type("\x03")
	s.Type("\x03")
	s.See("Ctrl-D or :quit leaves")
	s.Last("[1]>")
	s.Type("forever()\r")
	s.See("running")
	s.Type("\x03")
	s.See("interrupted")
	s.Last("[2]>")
	s.Type("alive\r")
	s.See(`<2: "alive">`)
	s.Last("[3]>")
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit status: got %d, want 0", code)
	}
	if !strings.Contains(s.Raw(), pasteOff) {
		t.Error("bracketed paste was left on")
	}
	data, err := os.ReadFile(history)
	if want := "{\"cell\":\"forever()\"}\n{\"cell\":\"alive\"}\n"; err != nil || string(data) != want {
		t.Errorf("history: got %q, %v; want %q", data, err, want)
	}
}

func TestHistoryComesBackInTheNextSession(t *testing.T) {
	s, history := start(t)
	s.Last("[1]>")
	s.Type("f(\r")
	s.Last("...>")
	s.Type("1)\r")
	s.Last("[2]>")
	s.Type("\x04")
	s.Exit()
	dir := filepath.Dir(filepath.Dir(history))
	s, _ = start(t, "XDG_STATE_HOME="+dir)
	s.Last("[1]>")
	s.Type("\x1b[A")
	s.Last("[1]> f(↵1)")
}

func TestDumbTerminalGetsNoEscapes(t *testing.T) {
	s, _ := start(t, "TERM=dumb")
	s.Last("[1]>")
	s.Type("f(\n")
	s.Last("...>")
	s.Type("1)\n")
	s.See(`<1: "f(\n1)">`)
	s.Last("[2]>")
	s.Type("\x03")
	s.Until("a fresh prompt", func(screen string) bool { return strings.Count(screen, "[2]>") == 2 })
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit status: got %d, want 0", code)
	}
	if strings.Contains(s.Raw(), "\x1b") {
		t.Errorf("an escape sequence reached a dumb terminal: %q", s.Raw())
	}
}
