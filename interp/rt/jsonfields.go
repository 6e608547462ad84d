package rt

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// jsonField is one field of a struct as encoding/json sees it, embedded structs flattened.
type jsonField struct {
	name      string
	index     []int
	typ       types.Type
	tagged    bool
	omitEmpty bool
	omitZero  bool
	quoted    bool
}

// jsonFields lists the fields of u by Go's rules: the least nested of a name wins, a tagged one among equals,
// and a name that is still ambiguous is left out.
func jsonFields(u *types.Struct) []jsonField {
	var all []jsonField
	collectFields(u, nil, map[*types.Struct]bool{}, &all)
	byName := map[string][]jsonField{}
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	var r []jsonField
	for _, f := range all {
		if best := dominant(byName[f.name]); best != nil && slices.Equal(best.index, f.index) {
			r = append(r, f)
		}
	}
	return r
}

func dominant(fs []jsonField) *jsonField {
	var best *jsonField
	tie := false
	for i := range fs {
		f := &fs[i]
		switch {
		case best == nil || len(f.index) < len(best.index) || len(f.index) == len(best.index) && f.tagged && !best.tagged:
			best, tie = f, false
		case len(f.index) == len(best.index) && f.tagged == best.tagged:
			tie = true
		}
	}
	if tie {
		return nil
	}
	return best
}

func collectFields(u *types.Struct, index []int, seen map[*types.Struct]bool, all *[]jsonField) {
	if seen[u] {
		return
	}
	seen[u] = true
	defer delete(seen, u)
	for i := range u.NumFields() {
		f := u.Field(i)
		tag := reflect.StructTag(u.Tag(i)).Get("json")
		if tag == "-" {
			continue
		}
		name, opts, _ := strings.Cut(tag, ",")
		if strings.ContainsFunc(name, noJSONName) {
			name = ""
		}
		at := append(append([]int{}, index...), i)
		ft := f.Type()
		if p, ok := types.Unalias(ft).(*types.Pointer); ok && f.Embedded() {
			ft = p.Elem()
		}
		if st, ok := ft.Underlying().(*types.Struct); ok && f.Embedded() && name == "" {
			collectFields(st, at, seen, all)
			continue
		}
		if !f.Exported() {
			continue
		}
		j := jsonField{name: name, index: at, typ: f.Type(), tagged: name != ""}
		if name == "" {
			j.name = f.Name()
		}
		for o := range strings.SplitSeq(opts, ",") {
			switch o {
			case "omitempty":
				j.omitEmpty = true
			case "omitzero":
				j.omitZero = true
			case "string":
				j.quoted = true
			}
		}
		*all = append(*all, j)
	}
}

// noJSONName reports whether encoding/json takes a name with r in it for none.
func noJSONName(r rune) bool {
	return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
