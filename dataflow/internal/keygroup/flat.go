package keygroup

import (
	"reflect"
	"time"
	"unsafe"
)

// flat is a field of a struct of basic types. Such structs are hashed without a call through a
// function value: the compiler then sees that the key does not escape, so nothing is allocated.
type flat struct {
	offset uintptr
	kind   flatKind
	sub    []flat
}

type flatKind uint8

const (
	flatStruct flatKind = iota
	flatString
	flatBool
	flat8
	flat16
	flat32
	flatU8
	flatU16
	flatU32
	flat64
	flatFloat32
	flatFloat64
	flatTime
	flatDuration
)

var flatKinds = map[reflect.Kind]flatKind{
	reflect.String: flatString, reflect.Bool: flatBool, reflect.Int8: flat8, reflect.Int16: flat16, reflect.Int32: flat32,
	reflect.Uint8: flatU8, reflect.Uint16: flatU16, reflect.Uint32: flatU32, reflect.Int64: flat64, reflect.Uint64: flat64,
	reflect.Float32: flatFloat32, reflect.Float64: flatFloat64,
}

// flatten returns the fields of a struct type, unless some field has a HashCode method or is an interface.
func flatten(t reflect.Type) ([]flat, bool) {
	var parts []flat
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		p := flat{offset: f.Offset}
		ok := true
		switch {
		case f.Type == timeType:
			p.kind = flatTime
		case f.Type == durationType:
			p.kind = flatDuration
		case reflect.PointerTo(f.Type).Implements(hashCoderType):
			ok = false
		case f.Type.Kind() == reflect.Struct:
			p.sub, ok = flatten(f.Type)
		default:
			p.kind, ok = flatOf(f.Type)
		}
		if !ok {
			return nil, false
		}
		parts = append(parts, p)
	}
	return parts, true
}

// flatOf is the kind of a basic type; int, uint and uintptr take the width that they have here.
func flatOf(t reflect.Type) (flatKind, bool) {
	switch t.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return flat64, t.Size() == 8
	}
	k, ok := flatKinds[t.Kind()]
	return k, ok
}

// foldFlat is the hash code of the struct at p.
func foldFlat(parts []flat, p unsafe.Pointer) int32 {
	var h int32
	for i := range parts {
		h = 31*h + hashFlat(&parts[i], unsafe.Add(p, parts[i].offset))
	}
	return h
}

func hashFlat(f *flat, p unsafe.Pointer) int32 {
	switch f.kind {
	case flatString:
		return String(*(*string)(p))
	case flatBool:
		return Bool(*(*bool)(p))
	case flat8:
		return int32(*(*int8)(p))
	case flat16:
		return int32(*(*int16)(p))
	case flat32:
		return *(*int32)(p)
	case flatU8:
		return int32(*(*uint8)(p))
	case flatU16:
		return int32(*(*uint16)(p))
	case flatU32:
		return Long(int64(*(*uint32)(p)))
	case flat64:
		return Long(*(*int64)(p))
	case flatFloat32:
		return Float(*(*float32)(p))
	case flatFloat64:
		return Double(*(*float64)(p))
	case flatTime:
		return Instant(*(*time.Time)(p))
	case flatDuration:
		return Duration(*(*time.Duration)(p))
	default:
		return foldFlat(f.sub, p)
	}
}
