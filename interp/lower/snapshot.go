// What a refused cell must leave as it was.

package lower

import (
	"go/types"
	"maps"

	"golang.org/x/tools/go/types/typeutil"
)

// snapshot remembers what a refused cell may have changed.
func (l *Lowerer) snapshot() func() {
	funcs := map[*types.Func]*fn{}
	saved := map[*fn]fn{}
	names, retired := map[*inst]string{}, map[*inst]bool{}
	for k, v := range l.funcs {
		funcs[k] = v
		saved[v] = *v
		for _, in := range v.insts {
			names[in], retired[in] = in.name, in.retired
		}
	}
	globals := map[*types.Var]*global{}
	for k, v := range l.globals {
		g := *v
		globals[k] = &g
	}
	structs, wholes := copyMap(&l.structs), copyMap(&l.wholes)
	helpers := map[string]*typeutil.Map{}
	for k, v := range l.helpers {
		helpers[k] = copyMap(v)
	}
	mark, imports := l.reg.Mark(), maps.Clone(l.imports)
	return func() {
		for k, v := range l.funcs {
			if l.srcs.has(k.Pkg()) && funcs[k] == nil {
				v.insts = nil
				funcs[k] = v
			}
		}
		l.funcs, l.globals, l.structs, l.wholes, l.helpers, l.imports = funcs, globals, *structs, *wholes, helpers, imports
		for f, old := range saved {
			*f = old
		}
		for in, name := range names {
			in.name, in.retired = name, retired[in]
		}
		l.reg.Truncate(mark)
		clear(l.busy)
		l.hoisting = typeutil.Map{}
		l.curDesc = -1
	}
}

func copyMap(m *typeutil.Map) *typeutil.Map {
	c := &typeutil.Map{}
	m.Iterate(func(k types.Type, v any) { c.Set(k, v) })
	return c
}
