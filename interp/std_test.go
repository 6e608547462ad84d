package interp

import (
	"bytes"
	"context"
	"testing"
)

// The builtins print and println write what Go writes to the standard error: no space that was not asked for, and
// floats in the shortest form.
func TestPrintAndPrintlnWriteToTheStandardError(t *testing.T) {
	var out, errs bytes.Buffer
	s, err := New(Options{Stdout: &out, Stderr: &errs, Deterministic: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	src := "two := func() (int, float64) { return 3, 4.5 }\nprint(\"a\", 1, 2, true, 1.5, \"\\n\")\nprintln(\"b\", 1, 3+4i)\nprint(two())\nprintln()\nprintln(two())"
	if _, err := s.Eval(context.Background(), Cell{Number: 1, Source: src}); err != nil {
		t.Fatal(err)
	}
	if want := "a12true1.5\nb 1 (3+4i)\n34.5\n3 4.5\n"; errs.String() != want || out.Len() > 0 {
		t.Errorf("standard error %q, want %q; standard output %q", errs.String(), want, out.String())
	}
}
