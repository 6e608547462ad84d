package rt

import (
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
