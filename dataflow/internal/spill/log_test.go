package spill_test

import (
	"bytes"
	"os"
	"testing"

	"flinkish/dataflow/internal/spill"
)

func TestBlocksComeBackInOrderForEveryReader(t *testing.T) {
	dir := t.TempDir()
	l, err := spill.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	block := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, i*1000%70000) }
	for i := range 200 {
		if err := l.Append(block(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Seal(); err != nil {
		t.Fatal(err)
	}
	a, b := l.Reader(), l.Reader()
	for i := range 200 {
		for _, r := range []*spill.Reader{a, b} {
			if got, err := r.Next(); err != nil || !bytes.Equal(got, block(i)) {
				t.Fatalf("block %d: got %d bytes, %v", i, len(got), err)
			}
		}
	}
	if got, err := a.Next(); got != nil || err != nil {
		t.Errorf("after the end: got %v, %v", got, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestAMissingFolderIsAnError(t *testing.T) {
	if _, err := spill.New(t.TempDir() + "/none"); err == nil {
		t.Error("no error")
	}
}
