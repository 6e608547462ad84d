package interp

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

func TestFirst(t *testing.T) {
	b, err := os.ReadFile("/tmp/probe/cells.txt")
	if err != nil {
		t.Skip()
	}
	if os.Getenv("TRACE") != "" {
		Trace = func(s string) { t.Log(s) }
	}
	var out bytes.Buffer
	s, err := New(Options{Stdout: &out, Stderr: &out})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range strings.Split(string(b), "\n---\n") {
		r, err := s.Eval(context.Background(), Cell{Number: i + 1, Source: c})
		if err != nil {
			t.Logf("cell %d: %v", i+1, err)
		}
		for _, v := range r.Values {
			t.Logf("%s = %s", v.Type, v.Text)
		}
		t.Log(out.String())
		out.Reset()
	}
}
