package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheExampleOfTheFormatPassesItsTest(t *testing.T) {
	text, err := os.ReadFile("../../docs/flk.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "````markdown\n")
	example, _, ok := strings.Cut(example, "````\n")
	if !ok {
		t.Fatal("docs/flk.md has no example")
	}
	path := filepath.Join(t.TempDir(), "example.flk")
	if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("flinkish", "test", "--strict", path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "2 cells, 2 checks: 2 ok") {
		t.Errorf("%v\n%s", err, out)
	}
}
