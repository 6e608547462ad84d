package main

import (
	"bytes"
	"compress/flate"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flinkish/interp/symbols/erase"
)

func TestCommittedFilesAreWhatTheGeneratorWrites(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./interp/symbols", name)
		}
	}
	old, err := filepath.Glob("../data/*.bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range old {
		if files["data/"+filepath.Base(f)] == nil {
			t.Errorf("%s is no longer made: run go generate ./interp/symbols", f)
		}
	}
}

func TestTheGeneratorWritesTheSameBytesTwice(t *testing.T) {
	a, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	b, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// Then the tables depend neither on where the sources lie nor on -trimpath.
func TestNoTableNamesAFolderOfTheMachine(t *testing.T) {
	w, err := load()
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{filepath.Dir(w.dirs[library[0]]), filepath.Dir(w.dirs["fmt"])}
	for name, b := range files {
		if strings.HasSuffix(name, ".bin") {
			if b, err = io.ReadAll(flate.NewReader(bytes.NewReader(b))); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for _, dir := range folders {
			if bytes.Contains(b, []byte(dir)) {
				t.Errorf("%s names %s", name, dir)
			}
		}
	}
}

// Each shape is the signature of one function that lowering could not call.
func TestShapesWithoutARuleFail(t *testing.T) {
	tp := func() *types.TypeParam {
		any := types.Universe.Lookup("any").Type()
		return types.NewTypeParam(types.NewTypeName(0, nil, "T", nil), any)
	}
	pkg := types.NewPackage("p", "p")
	for name, shape := range map[string]func(types.Type) types.Type{
		"a channel":          func(x types.Type) types.Type { return types.NewChan(types.SendRecv, x) },
		"a pointer":          func(x types.Type) types.Type { return types.NewPointer(x) },
		"an array":           func(x types.Type) types.Type { return types.NewArray(x, 2) },
		"a slice of slices":  func(x types.Type) types.Type { return types.NewSlice(types.NewSlice(x)) },
		"a map to functions": func(x types.Type) types.Type { return types.NewMap(types.Typ[types.Int], fn(x)) },
		"an anonymous struct": func(x types.Type) types.Type {
			return types.NewStruct([]*types.Var{types.NewField(0, pkg, "F", x, false)}, nil)
		},
		"three levels of functions": func(x types.Type) types.Type {
			return fn(fn(fn(x)))
		},
	} {
		p := types.NewParam(0, pkg, "v", shape(tp()))
		b := &binder{pkg: pkg}
		if b.signature(types.NewSignatureType(nil, nil, nil, types.NewTuple(p), nil, false)) == nil {
			t.Errorf("%s of a type parameter passed", name)
		}
	}
}

func fn(x types.Type) types.Type {
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", x)), nil, false)
}

// The engine finds optional methods by name; a new one needs a line in package erase.
func TestEveryOptionalMethodOfTheLibraryIsKnown(t *testing.T) {
	w, err := load()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(w.dirs[library[0]], "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range paths {
		src, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			for _, part := range strings.Split(line, "optional[")[1:] {
				_, name, ok := strings.Cut(part, `]("`)
				if !ok {
					continue
				}
				name, _, _ = strings.Cut(name, `"`)
				found++
				if !slices.Contains(erase.Optional, name) {
					t.Errorf("%s: optional method %s has no adapter", filepath.Base(p), name)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no optional methods found: has the way to declare them changed?")
	}
}
