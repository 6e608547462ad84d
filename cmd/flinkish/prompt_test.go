package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flinkish/repl/terminaltest"
)

// terminal starts the tool in a terminal of 80x24.
func terminal(t testing.TB, env ...string) *terminaltest.Screen {
	t.Helper()
	return terminalOf(t, nil, env...)
}

// terminalOf starts the tool with these arguments.
func terminalOf(t testing.TB, args []string, env ...string) *terminaltest.Screen {
	t.Helper()
	cmd := exec.Command("flinkish", args...)
	cmd.Env = append(append(os.Environ(), "TERM=xterm", "LANG=C.UTF-8", "LC_ALL=", "XDG_STATE_HOME="+t.TempDir()), env...)
	return terminaltest.Start(t, cmd, 80, 24)
}

func TestPromptAsksTheTerminalNothing(t *testing.T) {
	s := terminal(t)
	s.Last("[1]>")
	for _, question := range []string{"\x1b]11;?", "\x1b[6n"} {
		if strings.Contains(s.Raw(), question) {
			t.Fatalf("the terminal was asked %q", question)
		}
	}
}

// BenchmarkPrompt is the time from the start of the tool to its prompt: 100 ms is wanted.
func BenchmarkPrompt(b *testing.B) {
	for b.Loop() {
		terminal(b).Last("[1]>")
	}
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
	b.ReportMetric(100, "wanted-ms")
}

func TestPromptOfTheRealTool(t *testing.T) {
	s := terminal(t)
	s.Last("[1]>")
	s.Type("type P struct{ X, Y int }\r")
	s.Last("[2]>")
	s.Type("[]P{{1, 2}, {30, 4}}\r")
	s.See("\n 1  2\n30  4\n")
	s.Type("words := env.FromElements(\"a\", \"b\").\r")
	s.Last("...>")
	s.Type("Map(func(s string) string { return s })\r")
	s.See("[string]  parallelism 1")
	s.Last("[4]>")
	s.Type("words.KeyByF\t")
	s.Last("[4]> words.KeyByFields")
	s.Type("\x15for fmt.Println(6 * 7); ; { }\r")
	s.Last("42") // it runs: before that, the terminal takes Ctrl-C for a key
	s.Type("\x03")
	s.See("interrupted")
	s.Last("[5]>")
	s.Type(":grph\r")
	s.See("did you mean :graph?")
	s.Type(":graph\r")
	s.See("Map")
	s.Type("len(undefinedName)\r")
	s.See("^^^^^^^^^^^^^")
	s.Last("[6]>")
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit status: got %d, want 0", code)
	}
}

func TestNoColorAndDumbTerminals(t *testing.T) {
	s := terminal(t, "NO_COLOR=1")
	s.Last("[1]>")
	if strings.Contains(s.Raw(), "\x1b[1m") {
		t.Error("NO_COLOR was ignored")
	}
	s = terminal(t, "TERM=dumb")
	s.Last("[1]>")
	s.Type("1 + 1\n")
	s.See("\n2\n")
	s.Type("\x04")
	s.Exit()
	if strings.Contains(s.Raw(), "\x1b") {
		t.Errorf("an escape sequence reached a dumb terminal: %q", s.Raw())
	}
}

func TestDashboardOpensAndGivesTheTerminalBack(t *testing.T) {
	s := terminal(t)
	s.Last("[1]>")
	s.Type("env.FromElements(\"to\", \"be\").KeyBy(func(s string) string { return s }).Reduce(func(a, b string) string { return a }).Print()\r")
	s.Last("[2]>")
	s.Type(":run\r")
	s.Last("[2]>")
	s.Type(":dash\r")
	s.See("FINISHED")
	s.Type("q")
	s.Last("[2]>")
	s.See("FINISHED") // the summary stays
	s.Type("6 * 7\r")
	s.See("\n42\n")
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit status: got %d, want 0", code)
	}
}

func TestWhatThePromptRecordsPassesItsTest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.flk")
	s := terminalOf(t, []string{"record", path})
	s.Last("[1]>")
	s.Type("a := env.FromData(1, 2, 3)\r")
	s.See("[int]  parallelism 1")
	s.Last("[2]>")
	s.Type("a\r")
	s.Last("[3]>")
	s.Type("a.ExecuteAndCollectLimit(ctx, 3)\r")
	s.Last("[4]>")
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit status: got %d, want 0", code)
	}
	if out, err := exec.Command("flinkish", "test", path).CombinedOutput(); err != nil || !strings.Contains(string(out), "2 ok") {
		doc, _ := os.ReadFile(path)
		t.Errorf("%v\n%s%s", err, out, doc)
	}
}
