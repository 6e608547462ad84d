package keygroup

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	"flinkish/dataflow/internal/fault"
)

// hashAt computes the hash code of the value that p points to.
type hashAt func(p unsafe.Pointer) int32

var (
	hashCoderType = reflect.TypeFor[HashCoder]()
	timeType      = reflect.TypeFor[time.Time]()
	durationType  = reflect.TypeFor[time.Duration]()
)

type plan struct {
	hash hashAt
	bad  *fault.Error
}

var plans sync.Map // reflect.Type -> plan

// planOf compiles the hash function of a type once: offsets and kinds are resolved here, so that
// hashing a struct key is a fold over plain loads.
func planOf(t reflect.Type) (hashAt, *fault.Error) {
	if p, ok := plans.Load(t); ok {
		p := p.(plan)
		return p.hash, p.bad
	}
	var p plan
	if p.bad = check(t); p.bad == nil {
		p.hash = compile(t)
	}
	plans.Store(t, p)
	return p.hash, p.bad
}

// dynamic hashes a value that came in an interface, through the plan of its type.
func dynamic(v reflect.Value) int32 {
	h, bad := planOf(v.Type())
	if bad != nil {
		panic(bad)
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return h(p.UnsafePointer())
}

// compile makes the hash function of a type that CheckKeyType accepts.
func compile(t reflect.Type) hashAt {
	switch {
	case t == timeType:
		return func(p unsafe.Pointer) int32 { return Instant(*(*time.Time)(p)) }
	case t == durationType:
		return func(p unsafe.Pointer) int32 { return Duration(*(*time.Duration)(p)) }
	case t.Kind() == reflect.Interface:
		return func(p unsafe.Pointer) int32 { return Any(reflect.NewAt(t, p).Elem().Interface()) }
	case reflect.PointerTo(t).Implements(hashCoderType):
		return func(p unsafe.Pointer) int32 { return reflect.NewAt(t, p).Interface().(HashCoder).HashCode() }
	}
	switch t.Kind() {
	case reflect.String:
		return func(p unsafe.Pointer) int32 { return String(*(*string)(p)) }
	case reflect.Bool:
		return func(p unsafe.Pointer) int32 { return Bool(*(*bool)(p)) }
	case reflect.Float64:
		return func(p unsafe.Pointer) int32 { return Double(*(*float64)(p)) }
	case reflect.Float32:
		return func(p unsafe.Pointer) int32 { return Float(*(*float32)(p)) }
	case reflect.Struct:
		return compileStruct(t)
	default:
		return compileInt(t)
	}
}

// compileInt follows Java: up to 32 bits the value is its own hash code. A Go uint32 does not fit an
// Integer, so it is a Long.
func compileInt(t reflect.Type) hashAt {
	switch t.Kind() {
	case reflect.Int8:
		return func(p unsafe.Pointer) int32 { return int32(*(*int8)(p)) }
	case reflect.Int16:
		return func(p unsafe.Pointer) int32 { return int32(*(*int16)(p)) }
	case reflect.Int32:
		return func(p unsafe.Pointer) int32 { return *(*int32)(p) }
	case reflect.Uint8:
		return func(p unsafe.Pointer) int32 { return int32(*(*uint8)(p)) }
	case reflect.Uint16:
		return func(p unsafe.Pointer) int32 { return int32(*(*uint16)(p)) }
	case reflect.Uint32:
		return func(p unsafe.Pointer) int32 { return int32(*(*uint32)(p)) }
	case reflect.Int:
		return func(p unsafe.Pointer) int32 { return Long(int64(*(*int)(p))) }
	case reflect.Uint:
		return func(p unsafe.Pointer) int32 { return Long(int64(*(*uint)(p))) }
	case reflect.Uintptr:
		return func(p unsafe.Pointer) int32 { return Long(int64(*(*uintptr)(p))) }
	default: // int64, uint64
		return func(p unsafe.Pointer) int32 { return Long(*(*int64)(p)) }
	}
}

// compileStruct folds the fields as Flink's tuples do: the first field's hash is the seed. Blank
// fields are left out, for Go leaves them out of ==.
func compileStruct(t reflect.Type) hashAt {
	if parts, ok := flatten(t); ok {
		return func(p unsafe.Pointer) int32 { return foldFlat(parts, p) }
	}
	type part struct {
		offset uintptr
		hash   hashAt
	}
	var parts []part
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" {
			parts = append(parts, part{f.Offset, compile(f.Type)})
		}
	}
	return func(p unsafe.Pointer) int32 {
		var h int32
		for _, f := range parts {
			h = 31*h + f.hash(unsafe.Add(p, f.offset))
		}
		return h
	}
}
