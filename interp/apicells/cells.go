// Package apicells holds, for each row of the DataStream API, a small cell that uses it. The cells run twice in the
// tests: compiled by the Go toolchain, and in a session; both must print what is stored.
//
//	rows.tsv         the rows: Java overload, Go form, the cells that use it, or why there is none
//	cells/*.txt      the cells, each below a line "=== name", what it prints below a line "---"
//	cells_gen_test.go the same cells as functions, and docs/api.md the rows as a table; package gen writes both
package apicells

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Cell is a cell that shows a part of the API.
type Cell struct {
	Name   string // such as key-by-fields
	File   string // that holds it, such as cells/datastream.txt
	Source string
	Want   string // what it prints
}

const (
	heading   = "=== "
	separator = "---"
)

// LoadCells reads the cells of the files cells/*.txt in dir, in the order of the files' names.
func LoadCells(dir fs.FS) ([]Cell, error) {
	files, err := fs.Glob(dir, "cells/*.txt")
	if err != nil {
		return nil, err
	}
	var cells []Cell
	seen := map[string]bool{}
	for _, f := range files {
		b, err := fs.ReadFile(dir, f)
		if err != nil {
			return nil, err
		}
		for i, part := range strings.Split("\n"+string(b), "\n"+heading) {
			if i == 0 && strings.TrimSpace(part) == "" {
				continue
			}
			c := parse(strings.TrimSuffix(part, "\n"))
			c.File = f
			if c.Name == "" || seen[c.Name] {
				return nil, fmt.Errorf("%s: cell %q has no name, or a name that another cell has", f, c.Name)
			}
			seen[c.Name] = true
			cells = append(cells, c)
		}
	}
	return cells, nil
}

// parse reads a cell without its heading's mark.
func parse(text string) Cell {
	name, rest, _ := strings.Cut(text, "\n")
	src, want, ok := strings.Cut(rest+"\n", "\n"+separator+"\n")
	if !ok {
		src = rest
	}
	return Cell{Name: strings.TrimSpace(name), Source: src + "\n", Want: want}
}

// StoreCells writes the files of the cells again, below the folder dir.
func StoreCells(dir string, cells []Cell) error {
	var files []string
	texts := map[string]*strings.Builder{}
	for _, c := range cells {
		b := texts[c.File]
		if b == nil {
			b = &strings.Builder{}
			texts[c.File] = b
			files = append(files, c.File)
		}
		fmt.Fprintf(b, "%s%s\n%s%s\n%s", heading, c.Name, c.Source, separator, c.Want)
	}
	for _, f := range files {
		if err := os.WriteFile(path.Join(dir, f), []byte(texts[f].String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
