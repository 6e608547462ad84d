// Package symbols holds generated tables: the type data of the packages that a cell may import, package
// dataflow as the interpreter sees it, and a line of documentation for each of its names.
//
// The tables are written by the program in gen; a test compares them with the sources.
package symbols

//go:generate go run ./gen

import (
	"bytes"
	"compress/flate"
	"embed"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"reflect"
	"sort"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

//go:embed data
var data embed.FS

// Exports are the library's packages for yaegi's Interpreter.Use, with the names that package erase
// gives. They are complete once the package is initialised.
var Exports = map[string]map[string]reflect.Value{}

// Library is the import path of the typed API that every session sees.
const Library = "flinkish/dataflow"

// Importer reads the embedded type data of a package when it is first imported. It implements
// types.Importer and is not safe for concurrent use.
type Importer struct {
	fset  *token.FileSet
	pkgs  map[string]*types.Package
	paths map[string]bool
	named map[string][]string
}

// NewImporter makes an importer with a file set of its own.
func NewImporter() *Importer {
	im := &Importer{fset: token.NewFileSet(), pkgs: map[string]*types.Package{}, paths: map[string]bool{}, named: map[string][]string{}}
	for _, line := range strings.Split(strings.TrimSpace(index), "\n") {
		path, name, _ := strings.Cut(line, " ")
		im.paths[path] = true
		im.named[name] = append(im.named[name], path)
	}
	return im
}

//go:embed data/index.txt
var index string

// Fset is the file set of the positions in imported packages.
func (im *Importer) Fset() *token.FileSet { return im.fset }

// Has reports whether the package can be imported.
func (im *Importer) Has(path string) bool { return im.paths[path] }

// Named lists the import paths of the packages called name, the preferred one first.
func (im *Importer) Named(name string) []string { return im.named[name] }

// Names lists the names of all packages, sorted.
func (im *Importer) Names() []string {
	names := make([]string, 0, len(im.named))
	for n := range im.named {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Import returns the types of a package. The error says that a session does not have it.
func (im *Importer) Import(path string) (*types.Package, error) {
	if p := im.pkgs[path]; p != nil && p.Complete() {
		return p, nil
	}
	if path == "unsafe" || !im.paths[path] {
		return nil, fmt.Errorf("package %s is not available in a session", path)
	}
	z, err := data.ReadFile("data/" + fileName(path))
	if err != nil {
		return nil, fmt.Errorf("symbols: %w", err)
	}
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(z)))
	if err != nil {
		return nil, fmt.Errorf("symbols: type data of %s: %w", path, err)
	}
	return gcexportdata.Read(bytes.NewReader(raw), im.fset, im.pkgs, path)
}

// fileName is the file of a package below data.
func fileName(path string) string { return strings.ReplaceAll(path, "/", "_") + ".bin" }
