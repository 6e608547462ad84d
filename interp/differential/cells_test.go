package differential

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"strings"
	"sync"
	"time"

	"flinkish/dataflow"
	"flinkish/interp"
)

// A form is one of the ways in which a program is given to a session.
type form struct {
	name  string
	cells func(source string) []string // nil: the program cannot take this form
}

var forms = []form{
	{"a pasted program", func(source string) []string { return []string{"package main\n" + source} }},
	{"cells", asCells},
}

// limit is the time that a program may take in a session before it counts as hanging.
var limit = 5 * time.Second

// buffer collects what a session prints from several goroutines.
type buffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// runCells gives the cells to a new session and returns what they print. A panic that ends a cell is
// part of the output, as it is in the native build; every other error is returned.
func runCells(cells []string) (string, error) {
	var out buffer
	env := dataflow.NewEnv(dataflow.WithDeterministic(1), dataflow.WithParallelism(1), dataflow.WithOutput(&out, &out))
	s, err := interp.New(interp.Options{Stdout: &out, Stderr: &out, Env: env})
	if err != nil {
		return "", err
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for i, src := range cells {
		_, err := s.Eval(ctx, interp.Cell{Number: i + 1, Source: src})
		var re *interp.RunError
		if errors.As(err, &re) && re.Kind == "panic" {
			fmt.Fprintln(&out, "panic:", panicText(re))
			break
		}
		if err != nil {
			return out.String(), err
		}
	}
	return out.String(), nil
}

// panicText is what Go prints of a panic; the tool leaves out that it is a runtime error.
func panicText(e *interp.RunError) string {
	if err := (runtime.Error)(nil); errors.As(e.Err, &err) {
		return err.Error()
	}
	return strings.TrimPrefix(e.Msg, "panic: ")
}

// asCells makes two cells of a program: its declarations, then the statements of main. A main that
// returns, defers or declares a name again that the file has cannot be told that way.
func asCells(source string) []string {
	if strings.HasPrefix(source, "// only as a program") {
		return nil
	}
	fset := token.NewFileSet()
	const clause = "package main\n"
	f, err := parser.ParseFile(fset, "p.go", clause+source, 0)
	if err != nil {
		return nil
	}
	for _, d := range f.Decls {
		m, ok := d.(*ast.FuncDecl)
		if !ok || m.Name.Name != "main" || m.Recv != nil {
			continue
		}
		if !isFlat(f, m) {
			return nil
		}
		at := func(p token.Pos) int { return fset.Position(p).Offset - len(clause) }
		decls := source[:at(m.Pos())] + source[at(m.End()):]
		cells := []string{source[at(m.Body.Lbrace)+1 : at(m.Body.Rbrace)]}
		if strings.TrimSpace(decls) != "" {
			cells = append([]string{decls}, cells...)
		}
		return cells
	}
	return nil
}

// isFlat reports whether the statements of main mean the same outside of it.
func isFlat(f *ast.File, main *ast.FuncDecl) bool {
	taken := map[string]bool{}
	for _, name := range types.Universe.Names() {
		taken[name] = true
	}
	for name := range f.Scope.Objects {
		taken[name] = true
	}
	flat := true
	ast.Inspect(main.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt:
			flat = false
		}
		return flat
	})
	for _, s := range main.Body.List {
		for _, name := range declaredBy(s) {
			flat = flat && !taken[name]
		}
	}
	return flat
}

func declaredBy(s ast.Stmt) []string {
	var names []string
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
				names = append(names, id.Name)
			}
		}
	case *ast.DeclStmt:
		for _, sp := range s.Decl.(*ast.GenDecl).Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				names = append(names, sp.Name.Name)
			case *ast.ValueSpec:
				for _, id := range sp.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// asDecls cuts a program into its declarations but main.
func asDecls(source string) []string {
	const clause = "package main\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", clause+source, 0)
	if err != nil {
		return nil
	}
	var r []string
	for _, d := range f.Decls {
		if m, ok := d.(*ast.FuncDecl); ok && m.Name.Name == "main" {
			continue
		}
		r = append(r, source[fset.Position(d.Pos()).Offset-len(clause):fset.Position(d.End()).Offset-len(clause)])
	}
	return r
}
