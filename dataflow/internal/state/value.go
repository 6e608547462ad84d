package state

import "reflect"

// Value is a ValueState: one value for each key. It is also the column under the other kinds.
type Value[V any] struct {
	ids   *ids
	pages [][]V
	set   []uint64 // a bit for each id
	width int
	noNil bool // storing nil clears
	name  string

	stamps *stamps // nil without a TTL
}

func newValue[V any](s *Store, name string) *Value[V] {
	v := &Value[V]{ids: s.ids, width: s.width, name: name, noNil: nilable[V]()}
	if s.owner != nil {
		s.columns = append(s.columns, v)
	}
	return v
}

// withTTL makes the values of a new column expire.
func (v *Value[V]) withTTL(t *TTL) *Value[V] {
	if t != nil {
		v.stamps = &stamps{TTL: t}
	}
	return v
}

// Get returns the value of the current key, and whether it is set.
func (v *Value[V]) Get() (x V, ok bool) {
	id := v.ids.current(v.name)
	if v.stamps != nil {
		v.sweep()
	}
	if !v.Has(id) {
		return x, false
	}
	if v.stamps != nil {
		return v.read(id)
	}
	return *v.cell(id), true
}

// Value returns the value of the current key, the zero value when it is not set.
func (v *Value[V]) Value() V {
	x, _ := v.Get()
	return x
}

// Update sets the value of the current key. A nil pointer or interface clears it.
func (v *Value[V]) Update(x V) {
	if v.noNil && isNil(x) {
		v.Clear()
		return
	}
	p, _ := v.Ref()
	*p = x
}

// Clear unsets the value of the current key.
func (v *Value[V]) Clear() {
	if id := v.ids.current(v.name); v.Has(id) {
		v.clearID(id)
	}
}

// clearID unsets a value that is set.
func (v *Value[V]) clearID(id int32) {
	var zero V
	*v.cell(id) = zero
	v.set[id>>6] &^= 1 << (id & 63)
	v.ids.release(id)
}

// Ref returns the cell of the current key, to be changed in place, and whether it was set before. It
// is set from now on. The pointer is good until the value is cleared.
func (v *Value[V]) Ref() (p *V, was bool) {
	id := v.ids.current(v.name)
	if v.stamps != nil {
		v.write(id)
	}
	if v.Has(id) {
		return v.cell(id), true
	}
	for int(id>>6) >= len(v.set) {
		v.set = append(v.set, 0)
	}
	v.set[id>>6] |= 1 << (id & 63)
	v.ids.retain(id)
	for int(id>>pageBits) >= len(v.pages) {
		v.pages = append(v.pages, nil)
	}
	if page := &v.pages[id>>pageBits]; *page == nil {
		*page = make([]V, v.width)
	}
	return v.cell(id), false
}

// Has reports whether the key with this id has a value.
func (v *Value[V]) Has(id int32) bool {
	w := int(id >> 6)
	return w < len(v.set) && v.set[w]>>(id&63)&1 != 0
}

// IsSet reports whether the current key has a value, expired or not. It is no read.
func (v *Value[V]) IsSet() bool { return v.ids.cur >= 0 && v.Has(v.ids.cur) }

func (v *Value[V]) cell(id int32) *V { return &v.pages[id>>pageBits][id&pageMask] }

// nilable reports whether a V can be nil in the sense of Java's null.
func nilable[V any]() bool {
	k := reflect.TypeFor[V]().Kind()
	return k == reflect.Interface || k == reflect.Pointer
}

func isNil[V any](x V) bool {
	var zero V
	return any(x) == any(zero)
}
