package lower

import "go/types"

// sources are generic functions of the standard library in source form.
type sources struct {
	pkgs map[*types.Package]bool
}

func (s *sources) has(p *types.Package) bool { return s != nil && s.pkgs[p] }

func (l *Lowerer) stdSource(f *types.Func) *types.Func { return nil }
