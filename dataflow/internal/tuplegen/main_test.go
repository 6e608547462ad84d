package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTheCommittedTuplesAreFresh(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../tuples_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tuples_gen.go is stale: run go generate in dataflow")
	}
}
