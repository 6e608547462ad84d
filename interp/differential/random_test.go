package differential

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flinkish/interp"
)

var (
	fuzzFor  = flag.Duration("random", 0, "how long to compare random programs with native builds; make differential does not")
	fuzzFrom = flag.Uint64("seed", 1, "the first seed of the random programs")
	fuzzLog  = flag.String("randomlog", "", "a file that gets a line for each batch of random programs")
)

// batch is how many random programs share one native build.
const batch = 40

// TestRandomPrograms compares random programs. It says of each one that differs its seed and its text: keep it,
// made smaller, as a case of the corpus.
func TestRandomPrograms(t *testing.T) {
	if *fuzzFor == 0 {
		t.Skip("needs the toolchain and time: -random 10m")
	}
	log := func(format string, args ...any) {
		if *fuzzLog != "" {
			f, err := os.OpenFile(*fuzzLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(f, format, args...)
			f.Close()
		}
	}
	limit = time.Minute // other work must not make a program fail
	start := time.Now()
	failed := 0
	seed := *fuzzFrom
	for ; time.Since(start) < *fuzzFor; seed += batch {
		texts, calls, wants := nativeBatch(t, seed)
		for i := range texts {
			src := helpers + texts[i] + "\nfunc main() { " + calls[i] + "() }\n"
			others := []form{forms[1], {"cells of one declaration", separate}, {"cells that define functions again", redefined}}
			for _, f := range []form{forms[0], others[(seed+uint64(i))%3]} {
				got, err := runCells(f.cells(src))
				if err == nil && got == wants[i] {
					continue
				}
				failed++
				log("--- seed %d as %s: %v\n%s\ngot\n%s\nwant\n%s\n", seed+uint64(i), f.name, internalText(err), src, got, wants[i])
				t.Errorf("seed %d as %s differs: %v", seed+uint64(i), f.name, err)
				break
			}
		}
		log("total %v: %d programs, %d failed\n", time.Since(start).Round(time.Second), seed+batch-*fuzzFrom, failed)
	}
}

// internalText is the full text of an error, with what yaegi said.
func internalText(err error) string {
	var re *interp.RunError
	if errors.As(err, &re) {
		return fmt.Sprint(re.Msg, ": ", re.Err)
	}
	return fmt.Sprint(err)
}

// nativeBatch gives the programs of a batch of seeds, their entries and what each prints natively.
func nativeBatch(t *testing.T, seed uint64) (texts, calls, wants []string) {
	t.Helper()
	for i := range batch {
		text, call := random(seed+uint64(i), fmt.Sprintf("R%d", i))
		texts, calls = append(texts, text), append(calls, call)
	}
	return texts, calls, nativeTexts(t, texts, calls)
}

// nativeTexts builds random programs as one and gives what each prints.
func nativeTexts(t *testing.T, texts, calls []string) []string {
	t.Helper()
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"os\"\n\t\"strings\"\n)\n\nvar _, _ = errors.Is, strings.Cut\n" + helpers + strings.Join(texts, ""))
	b.WriteString("\nfunc one(f func()) {\n\tdefer func() {\n\t\tif x := recover(); x != nil {\n\t\t\tfmt.Println(\"panic:\", x)\n\t\t}\n\t}()\n\tos.Stdout.WriteString(\"\\x01\")\n\tf()\n}\n\nfunc main() {\n")
	for _, c := range calls {
		fmt.Fprintf(&b, "\tone(%s)\n", c)
	}
	b.WriteString("}\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "all")
	if out, err := exec.Command("go", "build", "-ldflags=-w -s", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("the generator is wrong: %v\n%s", err, out)
	}
	cmd := exec.Command(bin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the generator is wrong: %v\n%s", err, stderr.String())
	}
	os.RemoveAll(dir)
	return strings.Split(string(out), mark)[1:]
}
