package apicells

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEachRowHasACellThatUsesItOrAReason wants a cell for each row, and in the cell the names of the row's Go form.
func TestEachRowHasACellThatUsesItOrAReason(t *testing.T) {
	rows, err := LoadRows(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	source := map[string]string{}
	for _, c := range load(t) {
		source[c.Name] = c.Source
	}
	covered := 0
	for _, r := range rows {
		if r.Overload == "" || r.Form == "" {
			t.Errorf("%s, %q: an empty cell of the table", r.Section, r.Overload)
		}
		if len(r.Cells) == 0 {
			if r.Reason == "" {
				t.Errorf("%s, %s: neither a cell nor a reason", r.Section, r.Overload)
			}
			continue
		}
		covered++
		text := ""
		for _, c := range r.Cells {
			if source[c] == "" {
				t.Errorf("%s, %s: there is no cell %q", r.Section, r.Overload, c)
			}
			text += source[c]
		}
		for _, n := range r.Names() {
			if !regexp.MustCompile(`\b` + n + `\b`).MatchString(text) {
				t.Errorf("%s, %s: %v does not use %s", r.Section, r.Overload, r.Cells, n)
			}
		}
	}
	t.Logf("%d rows, %d with a cell", len(rows), covered)
}

// TestEachCellBelongsToARow finds cells that no row names.
func TestEachCellBelongsToARow(t *testing.T) {
	rows, err := LoadRows(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, r := range rows {
		for _, c := range r.Cells {
			named[c] = true
		}
	}
	for _, c := range load(t) {
		if !named[c.Name] {
			t.Errorf("%s: no row names the cell %q", c.File, c.Name)
		}
	}
}

// TestGeneratedFilesAreFresh compares the generated files with what would be written now.
func TestGeneratedFilesAreFresh(t *testing.T) {
	rows, err := LoadRows(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := Compile(load(t))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"../../docs/api.md": Table(rows), "cells_gen_test.go": string(text)} {
		got, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("%s is out of date; run go generate ./interp/apicells", file)
		}
	}
	if strings.Contains(Table(rows), "|  |") {
		t.Error("docs/api.md has an empty cell")
	}
}
