package sort

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"time"
	"unsafe"

	"flinkish/dataflow/internal/codec"
	"flinkish/dataflow/internal/fault"
)

// Order turns sort keys of one type into bytes that compare as the keys do.
type Order struct {
	enc     encoder
	compare func(a, b []byte) int // nil: byte by byte
}

// encoder appends the bytes of the key at p. It panics with an error when a dynamic value has no order.
type encoder func(b []byte, p unsafe.Pointer) []byte

var timeType = reflect.TypeFor[time.Time]()

// OrderOf returns the order of a type: numbers, strings and booleans by value, structs and arrays component by
// component, nil before everything else. An interface type orders values of the same dynamic type. Another type needs
// a method Compare(T) int; without it there is an error.
func OrderOf(t reflect.Type) (*Order, error) {
	if enc, err := orderOf(t); err == nil {
		return &Order{enc: enc}, nil
	}
	if m, ok := compareMethod(t); ok {
		return comparing(t, m), nil
	}
	_, err := orderOf(t)
	return nil, err
}

// Append appends the bytes of the key at p.
func (o *Order) Append(b []byte, p unsafe.Pointer) []byte { return o.enc(b, p) }

// Compare compares two keys; nil means byte by byte.
func (o *Order) Compare() func(a, b []byte) int { return o.compare }

// Descending is the reverse order.
func (o *Order) Descending() *Order {
	if o.compare != nil {
		return &Order{enc: o.enc, compare: func(a, b []byte) int { return o.compare(b, a) }}
	}
	return &Order{enc: func(b []byte, p unsafe.Pointer) []byte {
		from := len(b)
		b = o.enc(b, p)
		// No key is the beginning of another one, so flipping all bits turns the order round.
		for i := range b[from:] {
			b[from+i] = ^b[from+i]
		}
		return b
	}}
}

func orderOf(t reflect.Type) (encoder, error) {
	size := t.Size()
	switch k := t.Kind(); {
	case t == timeType:
		return orderTime, nil
	case k >= reflect.Int && k <= reflect.Int64:
		return func(b []byte, p unsafe.Pointer) []byte {
			return binary.BigEndian.AppendUint64(b, uint64(signed(p, size))^1<<63)
		}, nil
	case k >= reflect.Uint && k <= reflect.Uint64:
		return func(b []byte, p unsafe.Pointer) []byte { return binary.BigEndian.AppendUint64(b, unsigned(p, size)) }, nil
	case k == reflect.Float64:
		return func(b []byte, p unsafe.Pointer) []byte { return orderFloat(b, *(*float64)(p)) }, nil
	case k == reflect.Float32:
		return func(b []byte, p unsafe.Pointer) []byte { return orderFloat(b, float64(*(*float32)(p))) }, nil
	case k == reflect.String:
		return func(b []byte, p unsafe.Pointer) []byte { return orderString(b, *(*string)(p)) }, nil
	case k == reflect.Bool:
		return func(b []byte, p unsafe.Pointer) []byte { return append(b, *(*byte)(p)) }, nil
	case k == reflect.Struct:
		return orderStruct(t)
	case k == reflect.Array:
		return orderArray(t)
	case k == reflect.Pointer && t.Elem().Kind() != reflect.Pointer:
		return orderPointer(t)
	case k == reflect.Interface:
		return orderDynamic(t), nil
	}
	return nil, fmt.Errorf("%s has no order; sort by a number, a string, a bool, a time, or a type with a method Compare(%s) int", t, t.Name())
}

func signed(p unsafe.Pointer, size uintptr) int64 {
	switch size {
	case 1:
		return int64(*(*int8)(p))
	case 2:
		return int64(*(*int16)(p))
	case 4:
		return int64(*(*int32)(p))
	}
	return *(*int64)(p)
}

func unsigned(p unsafe.Pointer, size uintptr) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// orderFloat is the order of Double.compare: -0.0 before 0.0, NaN last.
func orderFloat(b []byte, f float64) []byte {
	bits := math.Float64bits(f)
	switch {
	case f != f:
		bits = math.MaxUint64
	case bits>>63 != 0:
		bits = ^bits
	default:
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(b, bits)
}

// orderString writes 0 as 0 255 and ends with 0 0, so that no string is the beginning of another one.
func orderString(b []byte, s string) []byte {
	for i := range len(s) {
		b = append(b, s[i])
		if s[i] == 0 {
			b = append(b, 0xff)
		}
	}
	return append(b, 0, 0)
}

func orderTime(b []byte, p unsafe.Pointer) []byte {
	t := *(*time.Time)(p)
	b = binary.BigEndian.AppendUint64(b, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(b, uint32(t.Nanosecond()))
}

func orderStruct(t reflect.Type) (encoder, error) {
	var encs []encoder
	var offsets []uintptr
	if _, own := compareMethod(t); own {
		return nil, fmt.Errorf("%s has an order of its own", t)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		e, err := orderOf(f.Type)
		if err != nil {
			return nil, fmt.Errorf("field %s of %s: %w", f.Name, t, err)
		}
		encs, offsets = append(encs, e), append(offsets, f.Offset)
	}
	return func(b []byte, p unsafe.Pointer) []byte {
		for i, e := range encs {
			b = e(b, unsafe.Add(p, offsets[i]))
		}
		return b
	}, nil
}

func orderArray(t reflect.Type) (encoder, error) {
	e, err := orderOf(t.Elem())
	if err != nil {
		return nil, err
	}
	size := t.Elem().Size()
	return func(b []byte, p unsafe.Pointer) []byte {
		for i := range t.Len() {
			b = e(b, unsafe.Add(p, uintptr(i)*size))
		}
		return b
	}, nil
}

func orderPointer(t reflect.Type) (encoder, error) {
	e, err := orderOf(t.Elem())
	if err != nil {
		return nil, err
	}
	return func(b []byte, p unsafe.Pointer) []byte {
		q := *(*unsafe.Pointer)(p)
		if q == nil {
			return append(b, 0)
		}
		return e(append(b, 1), q)
	}, nil
}

// orderDynamic orders values of one dynamic type, which the first one decides.
func orderDynamic(t reflect.Type) encoder {
	var of reflect.Type
	var enc encoder
	return func(b []byte, p unsafe.Pointer) []byte {
		v := reflect.NewAt(t, p).Elem()
		if v.IsNil() {
			return append(b, 0)
		}
		v = v.Elem()
		if of == nil {
			e, err := orderOf(v.Type())
			if err != nil {
				panic(fault.New("ClassCast", "", "%v", err))
			}
			of, enc = v.Type(), e
		}
		if v.Type() != of {
			panic(fault.New("ClassCast", "", "cannot compare a %s with a %s; give all records one type", v.Type(), of))
		}
		x := reflect.New(of)
		x.Elem().Set(v)
		return enc(append(b, 1), x.UnsafePointer())
	}
}

// compareMethod finds a method Compare(T) int.
func compareMethod(t reflect.Type) (reflect.Method, bool) {
	m, ok := t.MethodByName("Compare")
	if !ok || t.Kind() == reflect.Interface || m.Type != reflect.FuncOf([]reflect.Type{t, t}, []reflect.Type{reflect.TypeFor[int]()}, false) {
		return m, false
	}
	return m, true
}

// comparing orders by the type's own method, on decoded keys.
func comparing(t reflect.Type, m reflect.Method) *Order {
	c := codec.New(t)
	decode := func(b []byte) reflect.Value {
		v := reflect.New(t)
		if err := c.Decode(b, v.UnsafePointer()); err != nil {
			panic(err)
		}
		return v.Elem()
	}
	return &Order{enc: c.Append, compare: func(a, b []byte) int {
		return int(m.Func.Call([]reflect.Value{decode(a), decode(b)})[0].Int())
	}}
}
