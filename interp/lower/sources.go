// Generic functions of the standard library: yaegi has none of them, so the common ones are kept in source
// form and instantiated like those of a cell.

package lower

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/types"
)

//go:embed src
var sourceFiles embed.FS

// sources are the packages that were read so far.
type sources struct {
	pkgs  map[*types.Package]bool
	funcs map[string]*types.Func // by path.Name; nil: looked for in vain
	read  map[string]bool
}

func (s *sources) has(p *types.Package) bool { return s != nil && s.pkgs[p] }

// stdSource is our own form of the generic function f of the standard library; nil if there is none.
func (l *Lowerer) stdSource(f *types.Func) *types.Func {
	p := f.Pkg()
	if p == nil || p == l.pkg || f.Signature().Recv() != nil || l.srcs.has(p) {
		return nil
	}
	if !l.srcs.read[p.Path()] {
		l.srcs.read[p.Path()] = true
		l.readSource(p)
	}
	return l.srcs.funcs[fullName(f)]
}

// readSource checks our form of package p. Its files may import p itself: the functions that are no
// generic ones.
func (l *Lowerer) readSource(p *types.Package) {
	name := "src/" + p.Path() + ".go.txt"
	text, err := sourceFiles.ReadFile(name)
	if err != nil {
		return
	}
	file, err := parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // our own file
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}
	conf := types.Config{Importer: l.imp, GoVersion: "go1.27"}
	pkg, err := conf.Check("src/"+p.Path(), l.fset, []*ast.File{file}, info)
	if err != nil {
		panic(err)
	}
	l.srcs.pkgs[pkg] = true
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		f := info.Defs[fd.Name].(*types.Func)
		l.funcs[f] = &fn{obj: f, decl: fd, info: info}
		l.srcs.funcs[p.Path()+"."+f.Name()] = f
	}
}

func newSources() *sources {
	return &sources{map[*types.Package]bool{}, map[string]*types.Func{}, map[string]bool{}}
}
