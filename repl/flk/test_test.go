package flk

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// write makes documents in a new folder, and makes it the working directory.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// check runs Test in the working directory.
func check(t *testing.T, o TestOptions) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	o.New, o.Command, o.Stdout, o.Stderr = newScripted, echo, &stdout, &stderr
	return Test(context.Background(), o), stdout.String(), stderr.String()
}

const head = "---\nflk: 1\n---\n"

func doc(parts ...string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; i+1 < len(parts); i += 2 {
		b.WriteString("```" + parts[i] + "\n" + parts[i+1] + "\n```\n")
	}
	return b.String()
}

func TestEachEndingHasItsCode(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		o         TestOptions
		code      Code
		want      string // in the output or the errors, parts separated by |
	}{
		{"everything matches", doc("go", "print 42", "out", "42"), TestOptions{}, Passed, "1 files, 1 cells, 1 checks: 1 ok, 0 failed, 0 skipped"},
		{"an expectation differs", doc("go", "print 42", "out", "43"), TestOptions{}, Mismatch, "\n  - 43\n  + 42\n"},
		{"a cell fails", doc("go", "print 1\nfail no such thing", "out", "1", "go", "print 2", "out", "2"), TestOptions{}, CellFailed,
			"FAIL a.flk:4 cell 1 cell|a.flk:6:6: no such thing|^|hint: try again|1 files, 2 cells, 3 checks: 0 ok, 1 failed, 2 skipped"},
		{"a cell fails as it must", doc("go {error}", "fail a", "error", "<<cell 1:1:6>>: a"), TestOptions{}, Passed, "1 checks: 1 ok"},
		{"a cell fails as it must, and something else beside it", doc("go {error}", "beside panic in a goroutine\nfail a", "error", "<<cell 1:2:6>>: a"), TestOptions{}, CellFailed,
			"FAIL a.flk:4 cell 1 cell|panic in a goroutine|2 checks: 1 ok, 1 failed"},
		{"a failure without an expectation is a check", doc("go {error}", "fail a"), TestOptions{}, Passed, "1 checks: 1 ok"},
		{"an error block alone expects a failure", doc("go", "fail a", "error", "hint: try again"), TestOptions{}, Passed, "1 checks: 1 ok"},
		{"a cell fails otherwise", doc("go {error}", "fail a", "error", "<<.*>> b"), TestOptions{}, Mismatch, "- <<.*>> b"},
		{"a cell succeeds that must fail", doc("go {error}", "print 1"), TestOptions{}, Mismatch, "it must fail, but it succeeded"},
		{"a cell takes too long", doc("go {timeout=10ms}", "hang"), TestOptions{}, TimedOut, "it ran longer than 10ms"},
		{"the time of the command counts", doc("go", "hang"), TestOptions{Config: Config{Timeout: 10 * time.Millisecond}}, TimedOut, "10ms"},
		{"a cell that must fail may not hang", doc("go {error timeout=10ms}", "hang"), TestOptions{}, TimedOut, ""},
		{"two runs differ", doc("go", "run", "out", "<<*>>"), TestOptions{Repeat: 2}, Nondeterministic, "run 2 with the same seed differs"},
		{"three runs agree", doc("go", "seed", "out", "1"), TestOptions{Repeat: 3}, Passed, ""},
		{"an expectation holds for one seed", doc("go", "seed", "out", "1"), TestOptions{Shuffle: 2}, Nondeterministic, "holds for seed 1 only, not for seed 2"},
		{"a syntax error", doc("go {bogus=1}", "1"), TestOptions{}, Usage, "a.flk:4:8: unknown attribute"},
		{"a failed cell is worse than a mismatch", doc("go", "print 1", "out", "2", "go", "fail a"), TestOptions{}, CellFailed, ""},
		{"an unknown format", doc(), TestOptions{Format: "xml"}, Usage, "text, tap, junit or json"},
		{"a missing file", doc(), TestOptions{Paths: []string{"none.flk"}}, Usage, "none.flk: no such file"},
		{"no cell is selected", doc("go", "print 1"), TestOptions{Run: "b/"}, Usage, "no cell matches"},
		{"a parameter that nobody declares", doc("go", "print 1"), TestOptions{Config: Config{Params: map[string]string{"x": "1"}}}, Usage, "a.flk declares no params"},
		{"a skipped cell", doc("go {skip=\"not today\"}", "fail a", "out", "1"), TestOptions{}, Passed, "1 checks: 0 ok, 0 failed, 1 skipped"},
		{"a cell that is only shown", doc("go {noeval}", "fail a"), TestOptions{}, Passed, "0 checks"},
		{"a failure that is expected", doc("go {xfail=\"a bug\"}", "print 1", "out", "2"), TestOptions{}, Passed, "1 checks: 1 ok"},
		{"a failing cell that is expected", doc("go {xfail=\"a bug\"}", "fail x", "go", "print 1", "out", "1"), TestOptions{}, Passed, "2 checks: 2 ok"},
		{"an expected failure that is gone", doc("go {xfail=\"a bug\"}", "print 1", "out", "1"), TestOptions{}, Mismatch, "marked xfail=\"a bug\""},
		{"the streams of a cell", doc("go", "put a\nvalue 7\nstderr no\njob j", "out", "a\n7\nj", "out {stream=result}", "7",
			"out {stream=job}", "j", "out {stream=stdout}", "a"), TestOptions{}, Passed, "4 checks: 4 ok"},
		{"an expectation of a cell further up", doc("go {#a}", "print 1", "go", "print 2", "out {for=a}", "1"), TestOptions{}, Passed, "1 ok"},
		{"commands", doc("flk", "# why\n\n:graph x", "out", "ran :graph x"), TestOptions{}, Passed, "1 ok"},
		{"a command that fails", doc("flk", ":graph\n:bad"), TestOptions{}, CellFailed, "a.flk:6:1: unknown command :bad"},
		{"a line that is no command", doc("flk", "graph"), TestOptions{}, CellFailed, "a.flk:5:1: expected a :command, got \"graph\""},
		{"the fence's clock and seed", "---\nflk: 1\nseed: 9\nclock: virtual 2024-01-01T10:00:05Z\n---\n```go\nseed\nclock\n```\n```out\n9\n10:00:05\n```\n", TestOptions{}, Passed, "1 ok"},
		{"a seed given", doc("go", "seed", "out", "7"), TestOptions{Config: Config{Seed: 7}}, Passed, "1 ok"},
		{"a redaction", "---\nflk: 1\nredact: \\d+ms => <wall>\n---\n```go\nprint took 12ms\n```\n```out\ntook <wall>\n```\n", TestOptions{Strict: true}, Passed, "1 ok"},
		{"a param", "---\nflk: 1\nparams: n=3 s=x d=5s\n---\n```go\nshow n\nshow s\nshow d\n```\n```out\n4\n\"x\"\ntime.Duration(5000000000)\n```\n",
			TestOptions{Config: Config{Params: map[string]string{"n": "4"}}}, Passed, "1 ok"},
		{"a file of the document", doc("file {name=in/a.csv}", "x,y", "go", "cat in/a.csv", "out", "x,y"), TestOptions{}, Passed, "1 ok"},
		{"a file beside the document", doc("file {name=a.csv}", "x,y", "go", "cat a.flk", "out", "...\nx,y\n..."), TestOptions{}, Passed, "1 ok"},
		{"a printing cell without an expectation", doc("go", "print 1"), TestOptions{}, Passed, "warning: a.flk:4:1: cell 1 prints, but nothing expects it"},
		{"a warning when strict", doc("go", "print 1"), TestOptions{Strict: true}, Usage, "warning"},
		{"exact under parallelism", doc("go", "parallel 2\nprint 1\nprint 2", "out", "1\n2"), TestOptions{}, Passed, "match=perkey(column)"},
		{"an unused redaction", "---\nflk: 1\nredact: x => y\n---\n", TestOptions{}, Passed, "warning: a.flk:3:1: redact x matches no output"},
		{"a version that this is not", "---\nflk: 1\nrequires: 1.10\n---\n", TestOptions{Config: Config{Version: "v1.9.2-rc1"}}, Usage, "a.flk: requires flinkish 1.10, this is v1.9.2-rc1"},
		{"a version that this is", "---\nflk: 1\nrequires: 1.9\n---\n", TestOptions{Config: Config{Version: "1.9.0"}}, Passed, ""},
		{"a screen is skipped", doc("keys", "g", "screen", "x"), TestOptions{}, Passed, "1 skipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, map[string]string{"a.flk": c.doc})
			code, out, errs := check(t, c.o)
			if Code(code) != c.code {
				t.Errorf("exit %d, want %d\n%s%s", code, c.code, out, errs)
			}
			for _, w := range strings.Split(c.want, "|") {
				if !strings.Contains(out+errs, w) {
					t.Errorf("got\n%s%s\nwant %q", out, errs, w)
				}
			}
		})
	}
}

func TestAMismatchReadsLikeThis(t *testing.T) {
	write(t, map[string]string{"lessons/03-windows.flk": doc("go {#windows}", "print page  n\nprint home  3\nprint cart  1",
		"out {match=perkey(page)}", "page  n\nhome  2\ncart  1")})
	code, out, _ := check(t, TestOptions{Paths: []string{"lessons"}})
	want := `FAIL lessons/03-windows.flk:4 cell "windows" out (match=perkey(page))
  --- want  lessons/03-windows.flk:10
  +++ got   seed 1
    page  n
  - home  2
  + home  3
    cart  1
  see: flinkish replay --to windows lessons/03-windows.flk
  fix: flinkish test --update --run 03-windows/windows lessons/03-windows.flk

1 files, 1 cells, 1 checks: 0 ok, 1 failed, 0 skipped
`
	if out != want || code != int(Mismatch) {
		t.Errorf("exit %d, got\n%s\nwant\n%s", code, out, want)
	}
}

func TestTheFixSelectsOneCellOnly(t *testing.T) {
	d := mustParse(t, doc("go {#a}", "1", "go {#ab}", "2", "go", "3"))
	d.Path = "x/y.flk"
	var got []string
	for _, b := range d.Cells() {
		got = append(got, d.selector(b))
	}
	if s := strings.Join(got, " "); s != "y/a$ y/ab y/3" {
		t.Error(s)
	}
}

func TestUpdateWritesWhatCame(t *testing.T) {
	before := "# T\r\n" + doc("go {#a}", "print 42", "out", "43", "go {#b}", "print b 7\nprint a 8", "out {match=unordered}",
		"z\nb <<\\d>>", "go {error #c}", "fail x", "error", "y")
	before = strings.TrimPrefix(before, "# T\r\n"+head)
	write(t, map[string]string{"a.flk": before})
	if code, _, errs := check(t, TestOptions{Update: "yes", CI: true}); code != int(Usage) || !strings.Contains(errs, "--update=force") {
		t.Errorf("in CI: exit %d, %s", code, errs)
	}
	code, out, _ := check(t, TestOptions{Update: "yes"})
	if code != 0 || strings.Count(out, "updated a.flk:") != 3 || !strings.Contains(out, "3 checks: 3 ok") {
		t.Errorf("exit %d\n%s", code, out)
	}
	b, _ := os.ReadFile("a.flk")
	want := strings.NewReplacer("43", "42", "z\nb <<\\d>>", "a 8\nb <<\\d>>", "\ny\n", "\ncell c:1:6: x\n").Replace(before)
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
	code, out, _ = check(t, TestOptions{Update: "force", CI: true})
	if again, _ := os.ReadFile("a.flk"); code != 0 || string(again) != want || strings.Contains(out, "updated") {
		t.Errorf("a second update: exit %d\n%s", code, out)
	}
}

func TestRunChecksSelectedCellsOnly(t *testing.T) {
	write(t, map[string]string{"a.flk": doc("go {#x}", "print 1", "out", "2", "go {#y}", "print 2", "out", "2", "go {#z}", "fail z")})
	code, out, errs := check(t, TestOptions{Run: "a/y"})
	if code != 0 || !strings.Contains(out, "2 cells, 1 checks: 1 ok") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, _ = check(t, TestOptions{Run: "a/y", List: true})
	if code != 0 || out != "a.flk:13  a/y  out (match=exact)\n" {
		t.Errorf("exit %d, list %q", code, out)
	}
}

func TestDocumentsAreReportedInOrder(t *testing.T) {
	files := map[string]string{".hidden/x.flk": doc("go", "fail x"), "readme.md": "x"}
	for _, n := range []string{"c", "a", "d/b", "d/e"} {
		files[n+".flk"] = doc("go", "print 1", "out", "2")
	}
	write(t, files)
	for range 3 {
		_, out, _ := check(t, TestOptions{Jobs: 4})
		var at []int
		for _, n := range []string{"a", "c", "d/b", "d/e"} {
			at = append(at, strings.Index(out, "FAIL "+n+".flk"))
		}
		if at[0] < 0 || at[0] > at[1] || at[1] > at[2] || at[2] > at[3] || !strings.Contains(out, "4 files") {
			t.Fatalf("order %v\n%s", at, out)
		}
	}
	if _, out, _ := check(t, TestOptions{FailFast: true}); !strings.Contains(out, "1 files,") {
		t.Errorf("fail fast:\n%s", out)
	}
}

func TestAnInterruptedTestSaysSo(t *testing.T) {
	write(t, map[string]string{"a.flk": doc("go", "hang", "out", "1")})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	code := Test(ctx, TestOptions{Config: Config{New: newScripted, Stdout: &out, Stderr: &out}, Update: "yes"})
	if b, _ := os.ReadFile("a.flk"); code != int(Interrupted) || !strings.Contains(string(b), "```out\n1\n") {
		t.Errorf("exit %d\n%s", code, out.String())
	}
}

func TestTAP(t *testing.T) {
	write(t, map[string]string{"a.flk": doc("go {#w}", "print 3", "out", "2", "go {skip=later}", "print", "out", "x",
		"go {xfail=bug}", "print 1", "out", "2", "go", "fail f")})
	_, out, _ := check(t, TestOptions{Format: "tap"})
	want := `TAP version 14
1..1
# Subtest: a.flk
    1..4
    not ok 1 - w out (exact)
      ---
      at: a.flk:8
      seed: 1
      diff: |
        - 2
        + 3
      ...
    ok 2 - 2 out (exact) # SKIP later
    not ok 3 - 3 out (exact) # TODO bug
    not ok 4 - 4 cell
      ---
      at: a.flk:22
      seed: 1
      message: |
        a.flk:23:6: f
           23 | fail f
              |      ^
          hint: try again
      ...
not ok 1 - a.flk
`
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestJSON(t *testing.T) {
	write(t, map[string]string{"a.flk": doc("go {#w}", "print <3>", "out", "2", "go {skip=later}", "print", "out", "x", "go", "print 4")})
	code, out, _ := check(t, TestOptions{Format: "json"})
	want := `{
  "files": 1,
  "cells": 3,
  "checks": 2,
  "ok": 0,
  "failed": 1,
  "skipped": 1,
  "seconds": 0,
  "reports": [
    {
      "file": "a.flk",
      "seed": 1,
      "code": 1,
      "seconds": 0,
      "checks": [
        {
          "cell": "w",
          "kind": "out",
          "match": "exact",
          "line": 8,
          "state": "failed",
          "diff": [
            {
              "op": "-",
              "want": "2"
            },
            {
              "op": "+",
              "got": "<3>"
            }
          ]
        },
        {
          "cell": "2",
          "kind": "out",
          "match": "exact",
          "line": 14,
          "state": "skipped",
          "why": "later"
        }
      ],
      "warnings": [
        {
          "line": 16,
          "col": 1,
          "message": "cell 3 prints, but nothing expects it",
          "hint": "add an out block below it"
        }
      ]
    }
  ]
}
`
	if code != int(Mismatch) || out != want {
		t.Errorf("exit %d, got\n%s\nwant\n%s", code, out, want)
	}
}

func TestJUnit(t *testing.T) {
	write(t, map[string]string{"a.flk": doc("go {#w}", "print <3>", "out", "2", "go {skip=later}", "print", "out", "x", "go", "fail f")})
	_, out, _ := check(t, TestOptions{Format: "junit"})
	var got junitSuites
	if err := xml.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got.Tests != 3 || got.Failures != 2 || got.Skipped != 1 || len(got.Suites) != 1 {
		t.Fatalf("%s", out)
	}
	c := got.Suites[0].Cases[0]
	if c.Name != "w out (exact)" || c.Line != 8 || c.Failure.Message != "2 lines differ" || c.Failure.Text != "- 2\n+ <3>\n" {
		t.Errorf("%+v %+v", c, c.Failure)
	}
}
