package flk

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func replay(t *testing.T, text string, o ReplayOptions) (code int, out, errs string) {
	t.Helper()
	write(t, map[string]string{"a.flk": text})
	var stdout, stderr bytes.Buffer
	o.New, o.Command, o.Stdout, o.Stderr = newScripted, echo, &stdout, &stderr
	if o.File == "" {
		o.File = "a.flk"
	}
	return Replay(context.Background(), o), stdout.String(), stderr.String()
}

func TestAReplayOfARightDocumentIsTheDocument(t *testing.T) {
	text := doc("file {name=x.csv}", "a,b", "go {#a}", "print 1\nput x", "out", "1\nx", "flk", ":graph", "out", "ran :graph",
		"go {error}", "fail a", "error {match=exact}", "cell 3:1:6: a\nhint: try again") + "# End\n\nText."
	code, out, errs := replay(t, text, ReplayOptions{Plain: true})
	if code != 0 || out != text || errs != "" {
		t.Errorf("exit %d %s\ngot\n%s\nwant\n%s", code, errs, out, text)
	}
}

func TestAReplayShowsWhatReallyCame(t *testing.T) {
	text := doc("go", "print 1\nprint 2", "out", "1\n3", "go {hide}", "print shown", "go", "stderr oops\nvalue 4") + "end\n"
	code, out, errs := replay(t, text, ReplayOptions{Plain: true})
	want := head + "```go\nprint 1\nprint 2\n```\n```out\n1\n2\n```\n\n" +
		"FAIL a.flk:4 cell 1 out (match=exact)\n  --- want  a.flk:9\n  +++ got   seed 1\n    1\n  - 3\n  + 2\n" +
		"  see: flinkish replay --to 1 a.flk\n  fix: flinkish test --update --run a/1 a.flk\n\n" +
		"\n```out\nshown\n```\n```go\nstderr oops\nvalue 4\n```\n\n```out\n4\n```\nend\n"
	if code != 0 || out != want || errs != "oops\n" {
		t.Errorf("exit %d, errors %q, got\n%s\nwant\n%s", code, errs, out, want)
	}
}

func TestAReplayEndsAtAFailedCellUnlessToldOtherwise(t *testing.T) {
	text := doc("go", "fail x", "go", "print 2")
	code, out, _ := replay(t, text, ReplayOptions{Plain: true})
	if code != int(CellFailed) || !strings.Contains(out, "a.flk:5:6: x") || strings.Contains(out, "\n2\n") {
		t.Errorf("exit %d\n%s", code, out)
	}
	code, out, _ = replay(t, text, ReplayOptions{Plain: true, KeepGoing: true})
	if code != int(CellFailed) || !strings.Contains(out, "\n2\n") {
		t.Errorf("keep going: exit %d\n%s", code, out)
	}
}

func TestAReplayOfAPart(t *testing.T) {
	text := doc("go {#a}", "print 1", "out", "1", "go {#b}", "print 2", "out", "2", "go {#c}", "print 3", "out", "3")
	code, out, _ := replay(t, text, ReplayOptions{Plain: true, From: "b", To: "b"})
	if want := "```go {#b}\nprint 2\n```\n```out\n2\n```\n"; code != 0 || out != want {
		t.Errorf("exit %d, got\n%s", code, out)
	}
	for _, c := range []struct{ name, want string }{{"bb", "did you mean b?"}, {"7", "the names are a, b, c"}} {
		if code, _, errs := replay(t, text, ReplayOptions{To: c.name}); code != int(Usage) || !strings.Contains(errs, c.want) {
			t.Errorf("--to %s: exit %d, %s", c.name, code, errs)
		}
	}
}

func TestAReplayNamesWhatItCannotRead(t *testing.T) {
	code, _, errs := replay(t, "```goo {x=1\n```\n", ReplayOptions{})
	if code != int(Usage) || !strings.Contains(errs, "a.flk:1:4: ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	code, _, errs = replay(t, "", ReplayOptions{File: "none.flk"})
	if code != int(Usage) || errs != "none.flk: no such file or directory\n" {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestColourIsForTerminalsOnly(t *testing.T) {
	text := "# Title\n" + strings.TrimPrefix(doc("go", "print 1", "out", "2"), head)
	if _, out, _ := replay(t, text, ReplayOptions{Config: Config{Color: true}}); !strings.Contains(out, "\x1b[1m# Title\x1b[0m\n") {
		t.Errorf("got %q", out)
	}
	if _, out, _ := replay(t, text, ReplayOptions{Config: Config{Color: true}, Plain: true}); strings.Contains(out, "\x1b") {
		t.Errorf("got %q", out)
	}
}
