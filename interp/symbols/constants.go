package symbols

import (
	"cmp"
	"go/types"
	"slices"
)

// Constants are the exported constants of a type of the library, in the order of their values; none for a name that is
// no type of it.
func Constants(typeName string) []string {
	pkg, err := NewImporter().Import("flinkish/dataflow")
	if err != nil {
		return nil
	}
	of, ok := pkg.Scope().Lookup(typeName).(*types.TypeName)
	if !ok {
		return nil
	}
	var found []*types.Const
	for _, n := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(n).(*types.Const); ok && c.Exported() && types.Identical(c.Type(), of.Type()) {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b *types.Const) int {
		x, y := a.Val().ExactString(), b.Val().ExactString()
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = c.Name()
	}
	return names
}
