package flk_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"flinkish/repl/command"
	"flinkish/repl/flk"
	"flinkish/repl/kernel"
)

// real is the configuration of the tool itself, with time enough for any machine.
func real(out, errs *bytes.Buffer) flk.Config {
	return flk.Config{New: kernel.New, Command: command.Eval, Stdout: out, Stderr: errs, Timeout: time.Hour}
}

func testPaths(t *testing.T, o flk.TestOptions, paths ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	o.Config, o.Paths = real(&stdout, &stderr), paths
	return flk.Test(context.Background(), o), stdout.String(), stderr.String()
}

func TestEverySampleHoldsAgainAndInOtherOrders(t *testing.T) {
	code, out, errs := testPaths(t, flk.TestOptions{Strict: true, Repeat: 2, Shuffle: 1}, "../../samples")
	if code != 0 || !strings.Contains(out, "3 files") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestAReplayOfASampleRepeatsToTheByte(t *testing.T) {
	for _, name := range []string{"earthquakes", "flights"} {
		var first string
		for range 2 {
			var out, errs bytes.Buffer
			o := flk.ReplayOptions{Config: real(&out, &errs), File: "../../samples/" + name + ".flk", Plain: true}
			o.Seed = 7
			if code := flk.Replay(context.Background(), o); code != 0 || strings.Contains(out.String(), "FAIL") {
				t.Errorf("%s: exit %d\n%s%s", name, code, out.String(), errs.String())
			}
			if first != "" && first != out.String() {
				t.Errorf("%s: two replays differ", name)
			}
			first = out.String()
		}
	}
}

// TestTheKernelInDocuments checks the promises of the format on the session that the tool has.
func TestTheKernelInDocuments(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		code      flk.Code
		want      string // parts separated by |
	}{
		{"a wrong expectation", "```go\nfmt.Println(6*7)\n```\n```out\n43\n```\n", flk.Mismatch, "\n  - 43\n  + 42\n"},
		{"a value of the last expression", "```go\n6 * 7\n```\n```out {stream=result}\n42\n```\n", flk.Passed, "1 ok"},
		{"a compile error is placed in the file", "text\n\n```go\nx := 1\ny := x + \"a\"\n```\n", flk.CellFailed, "a.flk:5:|mismatched types|^"},
		{"a compile error that is expected", "```go {#bad error}\nx := 1\ny := x + \"a\"\n```\n```error\n<<cell bad:2:\\d+: .*mismatched types.*>>\n```\n",
			flk.Passed, "1 ok"},
		{"a panic", "```go\nvar xs []int\nfmt.Println(xs[3])\n```\n", flk.CellFailed, "out of range"},
		{"a goroutine of an earlier cell panics", "```go\nc := make(chan int)\ngo func() {\n\t<-c\n\tpanic(\"boom\")\n}()\n```\n```go\nclose(c)\n```\n```go\ntime.Sleep(time.Second)\n```\n", flk.CellFailed, "a.flk:5:2: panic in a goroutine: boom"},
		{"a goroutine of an earlier cell ends a cell, as it should", "```go\nc := make(chan int)\ngo func() {\n\t<-c\n\tpanic(\"boom\")\n}()\n```\n```go {error}\nclose(c)\ntime.Sleep(time.Second)\n```\n```error\ncell 1:4:2: panic in a goroutine: boom\n```\n", flk.Passed, "1 ok"},
		{"a cell that never ends", "```go {timeout=200ms}\nfor {\n}\n```\n", flk.TimedOut, "it ran longer than 200ms"},
		{"what others sent may not run programs", "```go\nimport \"os/exec\"\nexec.Command(\"id\").Run()\n```\n", flk.CellFailed, "a.flk:2:"},
		{"a parameter is a typed variable", "---\nflk: 1\nparams: n=4 d=3s name=x\n---\n```go\nfmt.Println(n+1, d+time.Second, name+\"!\")\n```\n```out\n5 4s x!\n```\n",
			flk.Passed, "1 ok"},
		{"the header's parallelism", "---\nflk: 1\nparallelism: 4\n---\n```go\nenv.FromElements(\"a\", \"b\", \"c\", \"d\").KeyBy(func(s string) string { return s })." +
			"Reduce(func(a, b string) string { return b }).Print()\nenv.Execute(ctx)\n```\n```out {match=unordered}\n1> b\n2> c\n3> a\n3> d\n```\n", flk.Passed, "1 ok"},
		{"the header's clock", "---\nflk: 1\nclock: virtual 2024-01-01T10:00:00Z\n---\n```go\nfmt.Println(time.Now().UTC().Format(time.RFC3339))\n```\n```out\n2024-01-01T10:00:00Z\n```\n",
			flk.Passed, "1 ok"},
		{"a file of the document", "```file {name=in.txt}\na\nb\n```\n```go\nxs, err := env.ReadTextFile(\"in.txt\").ExecuteAndCollectLimit(ctx, 5)\nfmt.Println(xs)\n```\n```out\n[a b]\n```\n",
			flk.Passed, "1 ok"},
		{"a command", "```go\nxs := env.FromElements(1).Map(func(x int) int { return x })\n```\n```flk\n:graph\n```\n```out {match=subset}\n<<.*Map.*>>\n```\n", flk.Passed, "1 ok"},
		{"an unknown command", "```flk\n:grpah\n```\n", flk.CellFailed, "a.flk:2:1: |:graph"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("a.flk", []byte(c.doc), 0o644); err != nil {
				t.Fatal(err)
			}
			code, out, errs := testPaths(t, flk.TestOptions{}, "a.flk")
			if flk.Code(code) != c.code {
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
