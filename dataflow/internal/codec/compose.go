package codec

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// structure encodes field by field; neighbours without pointers go as one piece of memory.
func (c *Codec) structure(t reflect.Type) *plan {
	type step struct {
		offset uintptr
		plan   *plan
	}
	var steps []step
	for i := 0; i < t.NumField(); {
		f := t.Field(i)
		if !flat(f.Type) {
			steps = append(steps, step{f.Offset, c.plan(f.Type)})
			i++
			continue
		}
		end := f.Offset
		for ; i < t.NumField() && flat(t.Field(i).Type); i++ {
			end = t.Field(i).Offset + t.Field(i).Type.Size()
		}
		steps = append(steps, step{f.Offset, raw(end - f.Offset)})
	}
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte {
			for _, s := range steps {
				b = s.plan.enc(b, unsafe.Add(p, s.offset))
			}
			return b
		},
		dec: func(b []byte, p unsafe.Pointer) []byte {
			for _, s := range steps {
				b = s.plan.dec(b, unsafe.Add(p, s.offset))
			}
			return b
		},
	}
}

func (c *Codec) array(t reflect.Type) *plan {
	e, size, n := c.plan(t.Elem()), t.Elem().Size(), t.Len()
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte {
			for i := range n {
				b = e.enc(b, unsafe.Add(p, uintptr(i)*size))
			}
			return b
		},
		dec: func(b []byte, p unsafe.Pointer) []byte {
			for i := range n {
				b = e.dec(b, unsafe.Add(p, uintptr(i)*size))
			}
			return b
		},
	}
}

// slice writes 0 for nil, else the length plus one.
func (c *Codec) slice(t reflect.Type) *plan {
	e, size := c.plan(t.Elem()), t.Elem().Size()
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte {
			v := reflect.NewAt(t, p).Elem()
			if v.IsNil() {
				return append(b, 0)
			}
			b = binary.AppendUvarint(b, uint64(v.Len())+1)
			base := v.UnsafePointer()
			for i := range v.Len() {
				b = e.enc(b, unsafe.Add(base, uintptr(i)*size))
			}
			return b
		},
		dec: func(b []byte, p unsafe.Pointer) []byte {
			n, b := length(b)
			if n == 0 {
				return b
			}
			v := reflect.MakeSlice(t, n-1, n-1)
			reflect.NewAt(t, p).Elem().Set(v)
			base := v.UnsafePointer()
			for i := range n - 1 {
				b = e.dec(b, unsafe.Add(base, uintptr(i)*size))
			}
			return b
		},
	}
}

// mapping writes 0 for nil, else the length plus one. The order of entries is Go's, and means nothing.
func (c *Codec) mapping(t reflect.Type) *plan {
	k, v := c.plan(t.Key()), c.plan(t.Elem())
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte {
			m := reflect.NewAt(t, p).Elem()
			if m.IsNil() {
				return append(b, 0)
			}
			b = binary.AppendUvarint(b, uint64(m.Len())+1)
			key, val := reflect.New(t.Key()), reflect.New(t.Elem())
			for it := m.MapRange(); it.Next(); {
				key.Elem().SetIterKey(it)
				val.Elem().SetIterValue(it)
				b = v.enc(k.enc(b, key.UnsafePointer()), val.UnsafePointer())
			}
			return b
		},
		dec: func(b []byte, p unsafe.Pointer) []byte {
			n, b := length(b)
			if n == 0 {
				return b
			}
			m := reflect.MakeMapWithSize(t, n-1)
			reflect.NewAt(t, p).Elem().Set(m)
			for range n - 1 {
				key, val := reflect.New(t.Key()), reflect.New(t.Elem())
				b = v.dec(k.dec(b, key.UnsafePointer()), val.UnsafePointer())
				m.SetMapIndex(key.Elem(), val.Elem())
			}
			return b
		},
	}
}

// pointer follows a pointer at the top of a record.
func (c *Codec) pointer(t reflect.Type) *plan {
	e := c.plan(t.Elem())
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte {
			q := *(*unsafe.Pointer)(p)
			if q == nil {
				return append(b, 0)
			}
			return e.enc(append(b, 1), q)
		},
		dec: func(b []byte, p unsafe.Pointer) []byte {
			if b[0] == 0 {
				return b[1:]
			}
			v := reflect.New(t.Elem())
			*(*unsafe.Pointer)(p) = v.UnsafePointer()
			return e.dec(b[1:], v.UnsafePointer())
		},
	}
}

// dynamic writes the number of the dynamic type, and the value. sub makes the plan of that type.
func (c *Codec) dynamic(t reflect.Type, sub func(reflect.Type) *plan) *plan {
	plans := map[reflect.Type]*plan{}
	of := func(dt reflect.Type) *plan {
		p := plans[dt]
		if p == nil {
			p = sub(dt)
			plans[dt] = p
		}
		return p
	}
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte {
			v := reflect.NewAt(t, p).Elem()
			if v.IsNil() {
				return append(b, 0)
			}
			v = v.Elem()
			dt := v.Type()
			b = binary.AppendUvarint(b, uint64(c.typeID(dt))+1)
			x := reflect.New(dt)
			x.Elem().Set(v)
			return of(dt).enc(b, x.UnsafePointer())
		},
		dec: func(b []byte, p unsafe.Pointer) []byte {
			n, b := length(b)
			if n == 0 {
				return b
			}
			dt := c.types[n-1]
			x := reflect.New(dt)
			b = of(dt).dec(b, x.UnsafePointer())
			reflect.NewAt(t, p).Elem().Set(x.Elem())
			return b
		},
	}
}

func (c *Codec) typeID(t reflect.Type) int {
	id, ok := c.ids[t]
	if !ok {
		id = len(c.types)
		c.ids[t], c.types = id, append(c.types, t)
	}
	return id
}

// pin keeps the value in memory; the same pointer is kept once.
func (c *Codec) pin(t reflect.Type) *plan {
	return &plan{
		enc: func(b []byte, p unsafe.Pointer) []byte {
			v := reflect.NewAt(t, p).Elem()
			if t.Kind() != reflect.Uintptr && v.IsZero() {
				return append(b, 0)
			}
			return binary.AppendUvarint(b, uint64(c.number(t, v.Interface()))+1)
		},
		dec: func(b []byte, p unsafe.Pointer) []byte {
			n, b := length(b)
			if n != 0 {
				reflect.NewAt(t, p).Elem().Set(reflect.ValueOf(c.pins[n-1]))
			}
			return b
		},
	}
}

func (c *Codec) number(t reflect.Type, v any) int {
	if t.Comparable() {
		if n, ok := c.known[v]; ok {
			return n
		}
		c.known[v] = len(c.pins)
	}
	c.pins = append(c.pins, v)
	return len(c.pins) - 1
}
