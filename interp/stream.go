package interp

import (
	"go/ast"
	"go/types"
	"strings"

	"flinkish/dataflow/graph"
	"flinkish/interp/rt"
	"flinkish/interp/symbols"
)

// transformer is what every stream of the library has.
type transformer interface {
	Transformation() *graph.Transformation
}

// streamOf is the summary of a stream; nil for any other value.
func streamOf(name string, t types.Type, v any) *Stream {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !strings.HasPrefix(n.Obj().Pkg().Path(), symbols.Library) {
		return nil
	}
	x, ok := v.(transformer)
	if !ok {
		return nil
	}
	s := &Stream{Name: name, Type: rt.TypeString(n)}
	if tr := x.Transformation(); tr != nil {
		s.Parallelism, s.Operator = tr.Parallelism, tr.Name
	}
	return s
}

// declNames are the names that a declaration declares.
func declNames(d ast.Decl) []string {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return nil
	}
	var r []string
	for _, sp := range g.Specs {
		switch sp := sp.(type) {
		case *ast.TypeSpec:
			r = append(r, sp.Name.Name)
		case *ast.ValueSpec:
			for _, n := range sp.Names {
				r = append(r, n.Name)
			}
		}
	}
	return r
}
