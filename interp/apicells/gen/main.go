// Command gen writes the cells as Go functions, and the table of the API in docs/api.md. It runs in interp/apicells.
package main

import (
	"fmt"
	"os"

	"flinkish/interp/apicells"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	dir := os.DirFS(".")
	cells, err := apicells.LoadCells(dir)
	if err != nil {
		return err
	}
	text, err := apicells.Compile(cells)
	if werr := os.WriteFile("cells_gen_test.go", text, 0o644); werr != nil {
		return werr
	}
	if err != nil {
		return err
	}
	rows, err := apicells.LoadRows(dir)
	if err != nil {
		return err
	}
	return os.WriteFile("../../docs/api.md", []byte(apicells.Table(rows)), 0o644)
}
