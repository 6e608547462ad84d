// Documentation: one line for each exported name of the library.

package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// docs adds the first sentences of the library's doc comments, by name: NewEnv, DataStream, DataStream.Map.
// A promoted method is listed with each type that has it.
func (w *world) docs(files map[string][]byte) error {
	text, err := comments(w.dirs[library[0]])
	if err != nil {
		return err
	}
	lines := map[string]string{}
	scope := w.pkgs[library[0]].Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		lines[name] = text[name]
		tn, ok := o.(*types.TypeName)
		if !ok {
			continue
		}
		recv := tn.Type()
		if !types.IsInterface(recv) {
			recv = types.NewPointer(recv)
		}
		set := types.NewMethodSet(recv)
		for i := range set.Len() {
			if f := set.At(i).Obj().(*types.Func); f.Exported() {
				lines[name+"."+f.Name()] = text[ownerName(f, name)+"."+f.Name()]
			}
		}
	}
	names := make([]string, 0, len(lines))
	for n := range lines {
		names = append(names, n)
	}
	sort.Strings(names)
	var b bytes.Buffer
	for _, n := range names {
		fmt.Fprintf(&b, "%s\t%s\n", n, lines[n])
	}
	z, err := compress(b.Bytes())
	files["data/docs.bin"] = z
	return err
}

// ownerName is the type that declares f; name if that is not known.
func ownerName(f *types.Func, name string) string {
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return name
}

// comments reads the first sentences of the doc comments in a folder of Go files.
func comments(dir string) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	text := map[string]string{}
	fset := token.NewFileSet()
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, p, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			declComments(text, d)
		}
	}
	return text, nil
}

func declComments(text map[string]string, d ast.Decl) {
	synopsis := func(groups ...*ast.CommentGroup) string {
		for _, g := range groups {
			if g != nil {
				return new(doc.Package).Synopsis(g.Text())
			}
		}
		return ""
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			name = recvName(d.Recv.List[0].Type) + "." + name
		}
		text[name] = synopsis(d.Doc)
	case *ast.GenDecl:
		for _, sp := range d.Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				text[sp.Name.Name] = synopsis(sp.Doc, d.Doc)
				if it, ok := sp.Type.(*ast.InterfaceType); ok {
					for _, m := range it.Methods.List {
						for _, id := range m.Names {
							text[sp.Name.Name+"."+id.Name] = synopsis(m.Doc, m.Comment)
						}
					}
				}
			case *ast.ValueSpec:
				for _, id := range sp.Names {
					text[id.Name] = synopsis(sp.Doc, sp.Comment, d.Doc)
				}
			}
		}
	}
}

func recvName(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// compress is the form in which the tables are embedded.
func compress(b []byte) ([]byte, error) {
	var z bytes.Buffer
	fw, err := flate.NewWriter(&z, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := fw.Write(b); err != nil {
		return nil, err
	}
	err = fw.Close()
	return z.Bytes(), err
}
