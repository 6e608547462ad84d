package stdlib

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The committed table is what the generator writes for the Go that runs the test.
func TestMissingSymbolsAreFresh(t *testing.T) {
	dir := t.TempDir()
	gen, err := filepath.Abs("gen")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "gen.exe")
	if out, err := exec.Command("go", "build", "-o", bin, gen).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(bin)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "missing_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("missing_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("missing_gen.go is stale; run go generate ./interp/stdlib")
	}
}

func TestSymbolsHaveBothTables(t *testing.T) {
	key, syms := Symbols("strings")
	if key != "strings/strings" || !syms["SplitSeq"].IsValid() || !syms["Fields"].IsValid() {
		t.Errorf("key %q, %d symbols", key, len(syms))
	}
	if _, syms := Symbols("no/such/package"); syms != nil {
		t.Error("symbols for a package that does not exist")
	}
}
