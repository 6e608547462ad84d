package sort

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf16"
	"unsafe"

	"flinkish/dataflow/internal/codec"
)

// Groups turns keys of one type into bytes that are equal when the keys are. They are what Flink writes for such a
// key, so groups come in Flink's order: numbers by their bytes, negative ones last, and strings with their
// length first. No key is the beginning of another one.
type Groups struct{ enc encoder }

// GroupsOf returns the bytes of keys of a type that can key a stream.
func GroupsOf(t reflect.Type) *Groups { return &Groups{groupOf(t)} }

// Append appends the bytes of the key at p.
func (g *Groups) Append(b []byte, p unsafe.Pointer) []byte { return g.enc(b, p) }

func groupOf(t reflect.Type) encoder {
	size := t.Size()
	switch k := t.Kind(); {
	case t == timeType:
		return func(b []byte, p unsafe.Pointer) []byte {
			return groupString(orderTime(b, p), (*time.Time)(p).Location().String())
		}
	case k == reflect.Int || k == reflect.Uint || k == reflect.Uintptr:
		return func(b []byte, p unsafe.Pointer) []byte { return binary.BigEndian.AppendUint64(b, unsigned(p, size)) }
	case k >= reflect.Int8 && k <= reflect.Uint64:
		return func(b []byte, p unsafe.Pointer) []byte { return appendBig(b, unsigned(p, size), size) }
	case k == reflect.Float64:
		return func(b []byte, p unsafe.Pointer) []byte {
			return binary.BigEndian.AppendUint64(b, floatBits(*(*float64)(p)))
		}
	case k == reflect.Float32:
		return func(b []byte, p unsafe.Pointer) []byte {
			f := *(*float32)(p)
			if f != f {
				return binary.BigEndian.AppendUint32(b, 0x7fc00000)
			}
			return binary.BigEndian.AppendUint32(b, math.Float32bits(f+0))
		}
	case k == reflect.String:
		return func(b []byte, p unsafe.Pointer) []byte { return groupString(b, *(*string)(p)) }
	case k == reflect.Bool:
		return func(b []byte, p unsafe.Pointer) []byte { return append(b, *(*byte)(p)) }
	case k == reflect.Struct:
		return groupStruct(t)
	case k == reflect.Array:
		e, size := groupOf(t.Elem()), t.Elem().Size()
		return func(b []byte, p unsafe.Pointer) []byte {
			for i := range t.Len() {
				b = e(b, unsafe.Add(p, uintptr(i)*size))
			}
			return b
		}
	case k == reflect.Interface:
		return groupDynamic(t)
	}
	// Types with a hash code of their own only: they compare by what is in them, or by identity.
	return codec.New(t).Append
}

// appendBig appends the low size bytes of v, the highest first.
func appendBig(b []byte, v uint64, size uintptr) []byte {
	for i := int(size) - 1; i >= 0; i-- {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

// floatBits gives every NaN the same bits, and both zeros: they are one key of the state.
func floatBits(f float64) uint64 {
	if f != f {
		return 0x7ff8000000000000
	}
	return math.Float64bits(f + 0)
}

// groupString writes the number of UTF-16 units plus one, then each unit, all seven bits a byte.
func groupString(b []byte, s string) []byte {
	n, ascii := len(s), true
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
	}
	if ascii {
		return append(binary.AppendUvarint(b, uint64(n)+1), s...)
	}
	if !strings.ContainsRune(s, '\uFFFD') {
		units := utf16.Encode([]rune(s))
		b = binary.AppendUvarint(b, uint64(len(units))+1)
		for _, u := range units {
			b = binary.AppendUvarint(b, uint64(u))
		}
		return b
	}
	// Strings that are no text must stay apart: 0 is the length of no other one.
	return append(binary.AppendUvarint(append(b, 0), uint64(n)), s...)
}

func groupStruct(t reflect.Type) encoder {
	var encs []encoder
	var offsets []uintptr
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" {
			encs, offsets = append(encs, groupOf(f.Type)), append(offsets, f.Offset)
		}
	}
	return func(b []byte, p unsafe.Pointer) []byte {
		for i, e := range encs {
			b = e(b, unsafe.Add(p, offsets[i]))
		}
		return b
	}
}

// groupDynamic writes the dynamic type before the value: keys of different types are different keys.
func groupDynamic(t reflect.Type) encoder {
	type known struct {
		head []byte
		enc  encoder
	}
	byType := map[reflect.Type]*known{}
	return func(b []byte, p unsafe.Pointer) []byte {
		v := reflect.NewAt(t, p).Elem()
		if v.IsNil() {
			return append(b, 0)
		}
		v = v.Elem()
		k := byType[v.Type()]
		if k == nil {
			k = &known{[]byte(typeHead(v.Type())), groupOf(v.Type())}
			byType[v.Type()] = k
		}
		b = append(b, k.head...)
		x := reflect.New(v.Type())
		x.Elem().Set(v)
		return k.enc(b, x.UnsafePointer())
	}
}

// typeHead is a byte for a basic type, else the full name.
func typeHead(t reflect.Type) string {
	if t.PkgPath() == "" && t.Kind() <= reflect.Complex128 || t == reflect.TypeFor[string]() {
		return string([]byte{byte(t.Kind())})
	}
	return fmt.Sprintf("\xff%s.%s\x00", t.PkgPath(), t)
}
