package interp

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "run the programs of testdata/diff with the Go toolchain and store what they print")

// The same programs run by the Go toolchain and by a session print the same. What Go prints is stored.
func TestProgramsPrintWhatGoPrints(t *testing.T) {
	files, err := filepath.Glob("testdata/diff/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("found %d programs, %v", len(files), err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			ar, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			src := string(ar.Files[0].Data)
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "want", Data: goRun(t, src)})
				if err := os.WriteFile(f, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if len(ar.Files) != 2 {
				t.Fatal("no stored output; run with -update")
			}
			var out bytes.Buffer
			s, err := New(Options{Stdout: &out, Stderr: &out, Trust: true})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, err = s.Eval(context.Background(), Cell{Number: 1, Source: src})
			if err != nil {
				t.Errorf("error: %v", err)
			}
			if got, want := out.String(), string(ar.Files[1].Data); got != want {
				t.Errorf("%s", firstDifference(got, want))
			}
		})
	}
}

func goRun(t *testing.T, src string) []byte {
	t.Helper()
	dir := t.TempDir()
	main := filepath.Join(dir, "main.go")
	if err := os.WriteFile(main, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "run", "main.go")
	c.Dir = dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("go run: %v\n%s", err, errs.String())
	}
	return out.Bytes()
}

// firstDifference shows the first line that differs.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(end)", "(end)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return "line " + itoa(i+1) + "\n got: " + a + "\nwant: " + b
		}
	}
	return "equal"
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
