package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flinkish/repl/session"
)

func TestHistoryKeepsWholeCells(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	h := openHistory(path)
	for _, cell := range []string{"x := 1", "for {\n\tbreak\n}", "for {\n\tbreak\n}"} {
		if err := h.add(cell); err != nil {
			t.Fatal(err)
		}
	}
	second := openHistory(path)
	if err := second.add("from another session"); err != nil {
		t.Fatal(err)
	}
	if err := h.add("x"); err != nil {
		t.Fatal(err)
	}
	got := openHistory(path).cells
	want := []string{"x := 1", "for {\n\tbreak\n}", "from another session", "x"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode: got %v, %v; want -rw-------", info.Mode(), err)
	}
}

func TestHistorySurvivesBrokenLinesAndIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	b.WriteString("not json\n{\"cell\":\"first\"}\n{\"cell\":\n")
	for b.Len() <= historySize {
		b.WriteString(`{"cell":"` + strings.Repeat("a", 4000) + `"}` + "\n" + `{"cell":"b"}` + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openHistory(path)
	if len(h.cells) != historyKeep || h.cells[len(h.cells)-1] != "b" {
		t.Errorf("got %d cells, last %.10q; want %d, b", len(h.cells), h.cells[len(h.cells)-1], historyKeep)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > historySize {
		t.Errorf("the file was not cut: %v, %v", info.Size(), err)
	}
}

func TestHistoryPathFollowsXDG(t *testing.T) {
	for _, tt := range []struct{ xdg, home, want string }{
		{"/s", "/h", "/s/flinkish/history"},
		{"", "/h", "/h/.local/state/flinkish/history"},
		{"", "", ""},
	} {
		env := map[string]string{"XDG_STATE_HOME": tt.xdg, "HOME": tt.home}
		if got := HistoryPath(func(k string) string { return env[k] }); got != tt.want {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
}

func TestCompletionInsertsWhatAllCandidatesShare(t *testing.T) {
	cs := []session.Candidate{{Text: "KeyBy"}, {Text: "KeyByFields"}, {Text: "KeyByPositions"}, {Text: "Map"}}
	for _, tt := range []struct {
		typed, same string
		found       int
	}{{"K", "KeyBy", 3}, {"KeyBy", "KeyBy", 3}, {"KeyByF", "KeyByFields", 1}, {"", "", 4}, {"x", "", 0}} {
		same, found := common(cs, tt.typed)
		if same != tt.same || len(found) != tt.found {
			t.Errorf("%q: got %q and %d, want %q and %d", tt.typed, same, len(found), tt.same, tt.found)
		}
	}
}
