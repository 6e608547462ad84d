package check_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"flinkish/interp/check"
	"flinkish/interp/symbols"
)

var update = flag.Bool("update", false, "write what the checker says into the corpus")

const wrongFile, rightFile = "testdata/wrong.txt", "testdata/right.txt"

// before is what the session of each wrong cell has.
var before = []string{
	`words := env.FromElements("a", "b")
keyed := words.KeyBy(func(s string) string { return s })
type Word struct { Text string; N int }
func double(x int) int { return 2 * x }
n, f, text := 1, 1.5, "t"`,
	`type counter struct{ n ValueState[int] }
func (c *counter) ProcessElement(s string, ctx *KeyedContext[string], out Collector[int]) error { return nil }`,
}

// wrong is one cell of the corpus with what the checker must say: LINE:COL message, and the hint.
type wrong struct{ name, cell, says, hint string }

func readWrong(t *testing.T) []wrong {
	t.Helper()
	b, err := os.ReadFile(wrongFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []wrong
	for part := range strings.SplitSeq(strings.TrimPrefix(string(b), "== "), "\n== ") {
		var w wrong
		w.name, part, _ = strings.Cut(strings.TrimSuffix(part, "\n"), "\n")
		w.cell, part, _ = strings.Cut(part, "\n-- ")
		w.says, w.hint, _ = strings.Cut(part, "\n-- hint: ")
		list = append(list, w)
	}
	return list
}

func checkWrong(t *testing.T, w wrong) (says, hint string) {
	t.Helper()
	s := newSession(t)
	s.Allow = func(path string) error {
		if path == "os/exec" {
			return errors.New("package os/exec is refused here: it reaches out of the session; run with --trust to allow it")
		}
		return nil
	}
	for _, b := range before {
		s.run(b)
	}
	_, err := s.Check("", 9, w.cell)
	var e *check.Error
	if !errors.As(err, &e) {
		return fmt.Sprintf("no error: %v", err), ""
	}
	if strings.ContainsAny(e.Msg+e.Hint, "\n·ǃ") {
		t.Errorf("%s: the diagnostic has a line too many or a name that the user did not write: %s", w.name, e)
	}
	return fmt.Sprintf("%d:%d %s", e.Line, e.Col, e.Msg), e.Hint
}

// Position, message and hint of each wrong cell are pinned; -update writes them anew, to be read by a person.
func TestWrongCellsSayWhatIsWrong(t *testing.T) {
	list := readWrong(t)
	if len(list) < 60 {
		t.Errorf("the corpus has %d cells, want 60 or more", len(list))
	}
	var out strings.Builder
	for _, w := range list {
		says, hint := checkWrong(t, w)
		fmt.Fprintf(&out, "== %s\n%s\n-- %s\n", w.name, w.cell, says)
		if hint != "" {
			fmt.Fprintf(&out, "-- hint: %s\n", hint)
		}
		if !*update && (says != w.says || hint != w.hint) {
			t.Errorf("%s:\n%s\ngot  %s\n     hint: %s\nwant %s\n     hint: %s", w.name, w.cell, says, hint, w.says, w.hint)
		}
	}
	if *update {
		if err := os.WriteFile(wrongFile, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Cells of the right corpus are separated by blank lines and run in one session.
func TestRightCellsGetNoHint(t *testing.T) {
	b, err := os.ReadFile(rightFile)
	if err != nil {
		t.Fatal(err)
	}
	cells := strings.Split(strings.TrimSpace(string(b)), "\n\n")
	if len(cells) < 200 {
		t.Errorf("the corpus has %d cells, want 200 or more", len(cells))
	}
	c := check.New(symbols.NewImporter())
	for i, src := range cells {
		cell, err := c.Check("", i+1, src)
		if err != nil {
			t.Errorf("cell %d:\n%s\n%v", i+1, src, err)
			continue
		}
		for _, w := range cell.Warnings {
			t.Errorf("cell %d:\n%s\nwarning: %v", i+1, src, w)
		}
		c.Commit(cell)
	}
}
