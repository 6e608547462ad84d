// Documentation: the doc comments of every exported name of the library and of the standard packages.

package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// docs adds the tables of doc comments: one of the library, which each completion reads, and one of the rest. A name is
// NewEnv, DataStream or DataStream.Map in the library, elsewhere it follows the path of its package: strings.Fields,
// math/rand/v2.Rand.IntN. A promoted method is listed with each type that has it, as a reference to its declaration.
func (w *world) docs(files map[string][]byte) error {
	lib, rest := map[string]string{}, map[string]string{}
	for i, p := range w.list {
		text, err := comments(w.dirs[p])
		if err != nil {
			return err
		}
		if i == 0 {
			w.describe(lib, p, "", text)
			continue
		}
		rest[p] = text[""]
		w.describe(rest, p, p+".", text)
	}
	for name, table := range map[string]map[string]string{"data/docs.bin": lib, "data/stddocs.bin": rest} {
		z, err := compress(records(table))
		if err != nil {
			return err
		}
		files[name] = z
	}
	return nil
}

// describe puts what text says about the exported names of the package at path into table, with prefix before each name.
func (w *world) describe(table map[string]string, path, prefix string, text map[string]string) {
	scope := w.pkgs[path].Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		table[prefix+name] = text[name]
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
			f := set.At(i).Obj().(*types.Func)
			if !f.Exported() {
				continue
			}
			method, declared := name+"."+f.Name(), ownerName(f, name)+"."+f.Name()
			table[prefix+method] = text[declared]
			if o := scope.Lookup(ownerName(f, name)); declared != method && o != nil && o.Exported() {
				table[prefix+method] = "=" + prefix + declared
			}
		}
	}
}

// records is a table as it is embedded, in the order of the names: name, first sentence and whole text, each ended by a
// zero byte. The sentence is there although it is a part of the text, because compression makes it free.
func records(table map[string]string) []byte {
	names := make([]string, 0, len(table))
	for n := range table {
		names = append(names, n)
	}
	sort.Strings(names)
	var b bytes.Buffer
	for _, n := range names {
		first := ""
		if !strings.HasPrefix(table[n], "=") {
			first = new(doc.Package).Synopsis(table[n])
		}
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", n, first, table[n])
	}
	return b.Bytes()
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

// comments reads the doc comments in a folder of Go files; that of the package has the name "".
func comments(dir string) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	text := map[string]string{}
	fset := token.NewFileSet()
	for _, p := range paths {
		if ok, err := build.Default.MatchFile(dir, filepath.Base(p)); !ok || err != nil || strings.HasSuffix(p, "_test.go") {
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
		if f.Doc != nil && len(f.Doc.Text()) > len(text[""]) {
			text[""] = strings.TrimSpace(f.Doc.Text())
		}
		for _, d := range f.Decls {
			declComments(text, d)
		}
	}
	return text, nil
}

func declComments(text map[string]string, d ast.Decl) {
	first := func(groups ...*ast.CommentGroup) string {
		for _, g := range groups {
			if g != nil {
				return strings.TrimSpace(g.Text())
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
		text[name] = first(d.Doc)
	case *ast.GenDecl:
		for _, sp := range d.Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				text[sp.Name.Name] = first(sp.Doc, d.Doc)
				if it, ok := sp.Type.(*ast.InterfaceType); ok {
					for _, m := range it.Methods.List {
						for _, id := range m.Names {
							text[sp.Name.Name+"."+id.Name] = first(m.Doc, m.Comment)
						}
					}
				}
			case *ast.ValueSpec:
				for _, id := range sp.Names {
					text[id.Name] = first(sp.Doc, sp.Comment, d.Doc)
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
