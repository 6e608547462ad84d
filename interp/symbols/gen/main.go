// Command gen writes the tables of package symbols from the sources of package dataflow and the export
// data of the compiler.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes the files that changed, below dir, and removes type data that is no longer made.
func run(dir string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	old, _ := filepath.Glob(filepath.Join(dir, "data", "*.bin"))
	for _, f := range old {
		if rel, _ := filepath.Rel(dir, f); files[filepath.ToSlash(rel)] == nil {
			if err := os.Remove(f); err != nil {
				return err
			}
		}
	}
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	sort.Strings(names)
	total := 0
	for _, n := range names {
		total += len(files[n])
		p := filepath.Join(dir, filepath.FromSlash(n))
		if b, err := os.ReadFile(p); err == nil && bytes.Equal(b, files[n]) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(p, files[n], 0o644); err != nil {
			return err
		}
		fmt.Println("wrote", n, len(files[n]))
	}
	fmt.Println(len(names), "files,", total, "bytes")
	return nil
}

// generate makes every file in memory, by its path below the package's folder.
func generate() (map[string][]byte, error) {
	w, err := load()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := w.docs(files); err != nil {
		return nil, err
	}
	if err := w.exports(files); err != nil {
		return nil, err
	}
	w.strip()
	if err := w.exportData(files); err != nil {
		return nil, err
	}
	return files, nil
}
