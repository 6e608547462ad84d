package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers says, for the code below a folder, which of our packages it may import, and why no others.
// A path that ends in /... stands for everything below it. The longest matching folder decides.
var layers = []struct {
	dir string
	may string
	why string
}{
	{"cmd", "cmd/... tui repl/... interp/... viz dataflow/...", "it wires everything together"},
	{"tui", "tui/... repl repl/session repl/command viz/...", "screens know a session only through its protocol"},
	{"repl", "repl/... interp/... viz/... dataflow dataflow/graph dataflow/job", "the engine is seen through its public doors only"},
	{"repl/session", "", "the protocol is plain data, so that it can cross a process border"},
	{"interp", "interp/... dataflow/...", "it sees of the engine what any Go program sees"},
	{"viz", "viz/...", "drawings depend on nothing of ours"},
	{"dataflow", "dataflow/...", "the engine runs without interpreter, prompt and screens"},
	{"dataflow/graph", "dataflow/internal/core dataflow/internal/keygroup", "the graph is data: it runs nothing"},
	{"dataflow/job", "dataflow/graph dataflow/internal/core", "the door to the engine does not know the engine"},
	{"dataflow/internal/core", "", "it is the bottom"},
	{"dataflow/internal/fault", "", "what everything below the graph says of a program's mistakes"},
	{"dataflow/internal/keygroup", "dataflow/internal/fault", "arithmetic only"},
	{"dataflow/internal/watermark", "dataflow/internal/core dataflow/internal/fault", "passive"},
	{"dataflow/internal/state", "dataflow/internal/fault dataflow/internal/keygroup", "passive"},
	{"dataflow/internal/timer", "dataflow/internal/core dataflow/internal/state", "passive"},
	{"dataflow/internal/window", "dataflow/internal/core dataflow/internal/fault dataflow/internal/state dataflow/internal/timer", "passive"},
	{"dataflow/internal/codec", "", "bytes only"},
	{"dataflow/internal/spill", "", "files only"},
	{"dataflow/internal/sort", "dataflow/internal/codec dataflow/internal/fault", "it orders bytes and knows no operator"},
	{"dataflow/internal/exchange", "dataflow/internal/core dataflow/internal/fault dataflow/internal/keygroup dataflow/internal/codec dataflow/internal/spill dataflow/internal/sort", "it moves records and knows no operator"},
	{"dataflow/internal/sched", "dataflow/internal/core", "it runs subtasks and knows no graph"},
}

func TestImportsPointDown(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		checkImports(t, path, filepath.ToSlash(filepath.Dir(rel)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkImports(t *testing.T, file, dir string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	best := -1
	for i, l := range layers {
		if (dir == l.dir || strings.HasPrefix(dir, l.dir+"/")) && (best < 0 || len(l.dir) > len(layers[best].dir)) {
			best = i
		}
	}
	if best < 0 {
		t.Errorf("%s: no layer for folder %s: add it to the table", file, dir)
		return
	}
	l := layers[best]
	for _, im := range f.Imports {
		p, _ := strconv.Unquote(im.Path.Value)
		ours, ok := strings.CutPrefix(p, "flinkish/")
		if ok && !allowed(ours, l.may) {
			t.Errorf("%s imports %s; %s may import only %q: %s", file, p, l.dir, l.may, l.why)
		}
	}
}

func allowed(p, may string) bool {
	for _, m := range strings.Fields(may) {
		base, below := strings.CutSuffix(m, "/...")
		if p == base || below && strings.HasPrefix(p, base+"/") {
			return true
		}
	}
	return false
}
