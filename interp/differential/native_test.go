package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"flinkish/interp/symbols"
)

// mark precedes the output of each program in that of the common binary.
const mark = "\x01"

// native builds all programs into one binary, runs it, and gives their outputs in order. Each program is
// a package of its own whose name is as long as "main", by which it is replaced in the output: so types
// print as they do in a program that stands alone, padding included. The packages exist in an overlay of
// this module only, for they import the library.
func native(dir string, all []program) ([]string, error) {
	root, err := filepath.Abs("native")
	if err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	put := func(name, text string) error {
		at := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		overlay[filepath.Join(root, name)] = at
		return os.WriteFile(at, []byte(text), 0o644)
	}
	if err := put("main.go", harness(len(all))); err != nil {
		return nil, err
	}
	for i, p := range all {
		text, err := nativeText(i, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		if err := put(pkgName(i)+"/p.go", text); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), b, 0o644); err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "all")
	if out, err := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-ldflags=-w -s", "-o", bin, "./native").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return run(bin, all)
}

// run executes the binary of all programs and cuts its output.
func run(bin string, all []program) ([]string, error) {
	cmd := exec.Command(bin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Dir = filepath.Dir(bin)
	out, err := cmd.Output()
	parts := strings.Split(string(out), mark)[1:]
	if err != nil {
		at := "before the first program"
		if n := len(parts); n > 0 {
			at = all[n-1].String()
		}
		return nil, fmt.Errorf("%s: %w\n%s", at, err, stderr.String())
	}
	for i := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(parts[i], "flinkish/interp/differential/native/", ""), pkgName(i)+".", "main.")
	}
	return parts, nil
}

func pkgName(i int) string { return fmt.Sprintf("p%03d", i) }

// harness is the main package that runs n programs. What a program leaves unrecovered is printed.
func harness(n int) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n")
	for i := range n {
		fmt.Fprintf(&b, "\t\"flinkish/interp/differential/native/%s\"\n", pkgName(i))
	}
	b.WriteString(")\n\nfunc one(f func()) {\n\tdefer func() {\n\t\tif x := recover(); x != nil {\n\t\t\tfmt.Println(\"panic:\", x)\n\t\t}\n\t}()\n\tos.Stdout.WriteString(\"\\x01\")\n\tf()\n}\n\nfunc main() {\n")
	for i := range n {
		fmt.Fprintf(&b, "\tone(%s.Main)\n", pkgName(i))
	}
	b.WriteString("}\n")
	return b.String()
}

// nativeText completes a program: package clause, imports, and what cells find declared.
func nativeText(i int, p program) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package main\n"+p.Source, 0)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n", pkgName(i))
	tail := "\nfunc Main() { main() }\n"
	lib := false
	for _, name := range free(f) {
		switch path := stdPath(name); {
		case path != "":
			fmt.Fprintf(&b, "import %q\n", path)
		case name == "env":
			lib = true
			tail += "\nvar env = NewEnv(WithDeterministic(1), WithParallelism(1), WithOutput(os_.Stdout, os_.Stdout))\n"
			b.WriteString("import os_ \"os\"\n")
		case name == "ctx":
			tail += "\nvar ctx = context_.Background()\n"
			b.WriteString("import context_ \"context\"\n")
		default:
			lib = true
		}
	}
	if lib {
		b.WriteString("import . \"flinkish/dataflow\"\n")
	}
	return b.String() + fmt.Sprintf("//line %s.go:1\n", p) + p.Source + tail, nil
}

// free lists the identifiers of a file that nothing in it declares, sorted.
func free(f *ast.File) []string {
	imported := map[string]bool{}
	for _, s := range f.Imports {
		path := strings.Trim(s.Path.Value, `"`)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if name == "v2" {
			name = "rand"
		}
		if s.Name != nil {
			name = s.Name.Name
		}
		imported[name] = true
	}
	set := map[string]bool{}
	for _, id := range f.Unresolved {
		if types.Universe.Lookup(id.Name) == nil && !imported[id.Name] {
			set[id.Name] = true
		}
	}
	var r []string
	for n := range set {
		r = append(r, n)
	}
	sort.Strings(r)
	return r
}

// stdPath is the package that cells import for a name; empty when it names none.
func stdPath(name string) string {
	if paths := importer.Named(name); len(paths) > 0 {
		return paths[0]
	}
	return ""
}

var importer = symbols.NewImporter()
