package rt

import (
	"go/types"
	"reflect"

	"flinkish/dataflow/graph"
)

// recordType is a graph.Type that knows a type as the user wrote it.
type recordType struct{ d *Desc }

// TypeOf is the graph.Type of d.
func TypeOf(d *Desc) graph.Type { return recordType{d} }

// SetReflect tells d the type that the running program uses; pointer points to a value of it.
func SetReflect(d *Desc, pointer any) {
	d.mu.Lock()
	d.rtype = reflect.TypeOf(pointer).Elem()
	d.mu.Unlock()
}

func (t recordType) String() string { return t.d.String() }

func (t recordType) Reflect() reflect.Type {
	t.d.mu.RLock()
	defer t.d.mu.RUnlock()
	return t.d.rtype
}

func (t recordType) Format(v any) string { return Java(t.d.reg, t.d.Type, v) }

// FieldNames are the names of the fields of the struct that lies at a path of fields (elements of arrays) in the record,
// as the user wrote them; nil when there is none.
func (t recordType) FieldNames(path []int) []string {
	at := t.d.Type.Underlying()
	if p, ok := at.(*types.Pointer); ok {
		at = p.Elem().Underlying()
	}
	for _, i := range path {
		switch u := at.(type) {
		case *types.Struct:
			at = u.Field(i).Type().Underlying()
		case *types.Array:
			at = u.Elem().Underlying()
		default:
			return nil
		}
	}
	u, ok := at.(*types.Struct)
	if !ok {
		return nil
	}
	names := make([]string, u.NumFields())
	for i := range names {
		names[i] = u.Field(i).Name()
	}
	return names
}
