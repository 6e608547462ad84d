package dataflow

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shape is what a selector looks at: the type of a record or of one of its fields, and what the program calls it and
// the fields.
type shape struct {
	t    reflect.Type
	name string
	of   Type  // of the record, if it knows names of its own; see fieldNamer
	path []int // of fields, from the record to here
}

// fieldNamer is a Type that knows what the program calls the fields of a record. A session has it: in the structs that
// it runs with every field is exported, whatever its name in the cell.
type fieldNamer interface {
	// FieldNames are the names of the fields of the struct that lies at a path of fields (elements of arrays) in the
	// record; nil when there is none.
	FieldNames(path []int) []string
}

// names are those of the fields of a struct, as the program wrote them.
func (s shape) names() []string {
	if n, ok := s.of.(fieldNamer); ok {
		if names := n.FieldNames(s.path); len(names) == s.t.NumField() {
			return names
		}
	}
	names := make([]string, s.t.NumField())
	for i := range names {
		names[i] = s.t.Field(i).Name
	}
	return names
}

// exported are the names that the program may select by.
func (s shape) exported() string {
	if s.t.Kind() == reflect.Array {
		return fmt.Sprintf("%d elements, which count from 0", s.t.Len())
	}
	if s.t.Kind() != reflect.Struct {
		return `only "*", the value itself`
	}
	var names []string
	for _, n := range s.names() {
		if isExported(n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return "no exported field"
	}
	return strings.Join(names, ", ")
}

func isExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// component finds what a name, or the number of an element, stands for in a struct or an array. Fields must be exported,
// as those of a POJO must be public.
func (s shape) component(name string) (at shape, offset uintptr, err error) {
	at = shape{name: "the field " + name, of: s.of}
	if s.t.Kind() == reflect.Array {
		if i, err := strconv.Atoi(name); err == nil && hasElement(s.t, i) {
			at.t, at.path = s.t.Elem(), append(s.path, i)
			return at, uintptr(i) * at.t.Size(), nil
		}
	}
	if s.t.Kind() == reflect.Struct {
		i, hidden := s.index(name)
		if i >= 0 {
			f := s.t.Field(i)
			at.t, at.path = f.Type, append(s.path, i)
			return at, f.Offset, nil
		}
		if hidden {
			return at, 0, kindError("InvalidFieldReference", "field %s of %s is not exported; begin its name with a capital, or select with a function", name, s.name)
		}
	}
	return at, 0, kindError("InvalidFieldReference", "%s has no field %q; it has %s", s.name, name, s.exported())
}

// index finds an own exported field of a struct: by its exact name, else in any case, as Java writes them. Where there is
// none it is -1, and hidden tells of one that is not exported.
func (s shape) index(name string) (found int, hidden bool) {
	found = -1
	for i, n := range s.names() {
		switch {
		case !isExported(n):
			hidden = hidden || n == name && n != "_"
		case n == name:
			return i, false
		case found < 0 && strings.EqualFold(n, name):
			found = i
		}
	}
	return found, hidden
}
