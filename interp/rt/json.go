// encoding/json for the types of a cell: their fields have other names in the running program, and their
// methods are not Go methods.

package rt

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"sort"
	"strconv"
)

// MarshalJSON encodes the value as encoding/json would encode the user's.
func (b Boxed) MarshalJSON() ([]byte, error) {
	e := &jsonEncoder{reg: b.D.reg}
	if err := e.value(b.D.Type, reflect.ValueOf(b.V)); err != nil {
		return nil, err
	}
	return e.buf.Bytes(), nil
}

// marshalJSON is json.Marshal.
func marshalJSON(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return b, unboxedError(err)
}

// marshalIndent is json.MarshalIndent.
func marshalIndent(v any, prefix, indent string) ([]byte, error) {
	b, err := json.MarshalIndent(v, prefix, indent)
	return b, unboxedError(err)
}

// encodeJSON is the method Encode of a json.Encoder.
func encodeJSON(e *json.Encoder, v any) error { return unboxedError(e.Encode(v)) }

// unboxedError is err without what encoding/json says of a box.
func unboxedError(err error) error {
	var m *json.MarshalerError
	if errors.As(err, &m) && (m.Type == reflect.TypeFor[Boxed]() || m.Type == reflect.TypeFor[*Boxed]()) {
		return m.Err
	}
	return err
}

type jsonEncoder struct {
	reg *Registry
	buf bytes.Buffer
	// level counts the pointers, maps and slices around the value; seen are those at a level where encoding/json looks for
	// cycles.
	level int
	seen  map[any]bool
}

// uncheckedLevels is how many levels encoding/json follows before it looks for cycles.
const uncheckedLevels = 1000

// inside encodes what v, a pointer, map or slice of type t, holds.
func (e *jsonEncoder) inside(t types.Type, v reflect.Value, encode func() error) error {
	e.level++
	defer func() { e.level-- }()
	if e.level <= uncheckedLevels {
		return encode()
	}
	var key any = v.Pointer()
	if v.Kind() == reflect.Slice {
		key = [2]uintptr{v.Pointer(), uintptr(v.Len())}
	}
	if e.seen[key] {
		return &json.UnsupportedValueError{Value: v, Str: "encountered a cycle via " + GoTypeString(t)}
	}
	if e.seen == nil {
		e.seen = map[any]bool{}
	}
	e.seen[key] = true
	defer delete(e.seen, key)
	return encode()
}

func (e *jsonEncoder) value(t types.Type, v reflect.Value) error {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		e.buf.WriteString("null")
		return nil
	}
	if v.Kind() == reflect.Struct {
		if b, ok := AsBoxed(v.Interface()); ok {
			return e.value(b.D.Type, reflect.ValueOf(b.V))
		}
	}
	if done, err := e.method(t, v); done {
		return err
	}
	if _, ok := t.Underlying().(*types.Interface); ok {
		t = anyTypes[v.Type()]
		if t == nil {
			return e.plain(v.Interface())
		}
	} else if !mentionsUser(t) {
		return e.plain(reachable(v))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return e.structure(u, v)
	case *types.Map:
		return e.mapping(t, u, v)
	case *types.Slice:
		return e.slice(t, u, v)
	case *types.Array:
		return e.list(u.Elem(), v)
	case *types.Pointer:
		if v.IsNil() {
			e.buf.WriteString("null")
			return nil
		}
		return e.inside(t, v, func() error { return e.value(u.Elem(), v.Elem()) })
	case *types.Signature, *types.Chan:
		return &json.UnsupportedTypeError{Type: namedType{v.Type(), GoTypeString(t)}}
	}
	return e.plain(v.Interface())
}

// anyTypes are the types of values that may lead back to one of the cells without being one.
var anyTypes = map[reflect.Type]types.Type{
	reflect.TypeFor[[]any]():          types.NewSlice(types.Universe.Lookup("any").Type()),
	reflect.TypeFor[map[string]any](): types.NewMap(types.Typ[types.String], types.Universe.Lookup("any").Type()),
}

// plain encodes a compiled value. Whether < and its kin are escaped is for the encoder to say that gets the text.
func (e *jsonEncoder) plain(v any) error {
	enc := json.NewEncoder(&e.buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	if n := e.buf.Len(); err == nil {
		e.buf.Truncate(n - 1) // the line break
	}
	return err
}

// reachable is what v holds, behind a pointer when v is a variable: methods of the pointer count then.
func reachable(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	return v.Interface()
}

// method encodes by MarshalJSON or MarshalText of the user's type, or of the pointer to it when v is a variable.
func (e *jsonEncoder) method(t types.Type, v reflect.Value) (bool, error) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return false, nil
	}
	d := e.reg.Lookup(t)
	if v.CanAddr() && !isPointerType(t) {
		if p := e.reg.Lookup(types.NewPointer(t)); p.marshals() {
			d, v = p, v.Addr()
		}
	}
	if f, ok := d.Method("MarshalJSON").(func(any) ([]byte, error)); ok {
		b, err := f(v.Interface())
		if err == nil {
			err = json.Compact(&e.buf, b)
		}
		return true, methodFailed(json.MarshalerError{}, t, v, err)
	}
	if f, ok := d.Method("MarshalText").(func(any) ([]byte, error)); ok {
		b, err := f(v.Interface())
		if err != nil {
			return true, methodFailed(textFailed, t, v, err)
		}
		return true, e.plain(string(b))
	}
	return false, nil
}

// methodFailed is e about err, which a method of v returned; nil if that is nil.
func methodFailed(e json.MarshalerError, t types.Type, v reflect.Value, err error) error {
	if err == nil {
		return nil
	}
	if !isPointerType(t) { // encoding/json calls the method by a pointer
		t = types.NewPointer(t)
	}
	e.Type, e.Err = namedType{v.Type(), GoTypeString(t)}, err
	return &e
}

// textFailed is the error of encoding/json about a method MarshalText. Only that package can make one.
var textFailed = func() (e json.MarshalerError) {
	_, err := json.Marshal(noText{})
	if m := (*json.MarshalerError)(nil); errors.As(err, &m) {
		e = *m
	}
	return e
}()

// noText has no text.
type noText struct{}

func (noText) MarshalText() ([]byte, error) { return nil, errors.ErrUnsupported }

// marshals reports whether values of d have a JSON form of their own.
func (d *Desc) marshals() bool {
	return d.Method("MarshalJSON") != nil || d.Method("MarshalText") != nil
}

func (e *jsonEncoder) structure(u *types.Struct, v reflect.Value) error {
	e.buf.WriteByte('{')
	first := true
	for _, f := range jsonFields(u) {
		fv, ok := fieldAt(v, f.index)
		if !ok || f.omitEmpty && isEmpty(fv) || f.omitZero && e.isZero(f.typ, fv) {
			continue
		}
		if !first {
			e.buf.WriteByte(',')
		}
		first = false
		if err := e.plain(f.name); err != nil {
			return err
		}
		e.buf.WriteByte(':')
		if f.quoted {
			if err := e.quoted(f.typ, fv); err != nil {
				return err
			}
			continue
		}
		if err := e.value(f.typ, fv); err != nil {
			return err
		}
	}
	e.buf.WriteByte('}')
	return nil
}

// isZero is the condition of the option omitzero.
func (e *jsonEncoder) isZero(t types.Type, v reflect.Value) bool {
	for v.Kind() == reflect.Interface {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
		if b, ok := AsBoxed(v.Interface()); ok {
			t, v = b.D.Type, reflect.ValueOf(b.V)
		}
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return true
	}
	if f, ok := e.reg.Lookup(t).Method("IsZero").(func(any) bool); ok {
		return f(v.Interface())
	}
	if f, ok := e.reg.Lookup(types.NewPointer(t)).Method("IsZero").(func(any) bool); ok {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return f(p.Interface())
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// quoted is the option ",string".
func (e *jsonEncoder) quoted(t types.Type, v reflect.Value) error {
	in := &jsonEncoder{reg: e.reg}
	if err := in.value(t, v); err != nil {
		return err
	}
	if !e.reg.quotes(t) || in.buf.String() == "null" {
		e.buf.Write(in.buf.Bytes())
		return nil
	}
	return e.plain(in.buf.String())
}

// quotes reports whether the option ",string" means something for fields of type t.
func (r *Registry) quotes(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok && !r.Lookup(t).marshals() && !r.Lookup(types.NewPointer(t)).marshals()
}

// fieldAt follows an index through embedded pointers; false at a nil one.
func fieldAt(v reflect.Value, index []int) (reflect.Value, bool) {
	for _, i := range index {
		for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func (e *jsonEncoder) mapping(t types.Type, u *types.Map, v reflect.Value) error {
	if v.IsNil() {
		e.buf.WriteString("null")
		return nil
	}
	return e.inside(t, v, func() error { return e.entries(u, v) })
}

func (e *jsonEncoder) entries(u *types.Map, v reflect.Value) error {
	type entry struct {
		key string
		val reflect.Value
	}
	var es []entry
	for it := v.MapRange(); it.Next(); {
		k, err := e.key(u.Key(), it.Key())
		if err != nil {
			return err
		}
		es = append(es, entry{k, it.Value()})
	}
	sort.Slice(es, func(i, j int) bool { return es[i].key < es[j].key })
	e.buf.WriteByte('{')
	for i, x := range es {
		if i > 0 {
			e.buf.WriteByte(',')
		}
		if err := e.plain(x.key); err != nil {
			return err
		}
		e.buf.WriteByte(':')
		if err := e.value(u.Elem(), x.val); err != nil {
			return err
		}
	}
	e.buf.WriteByte('}')
	return nil
}

func (e *jsonEncoder) key(t types.Type, k reflect.Value) (string, error) {
	for k.Kind() == reflect.Interface && !k.IsNil() {
		k = k.Elem()
		if b, ok := AsBoxed(k.Interface()); ok {
			t, k = b.D.Type, reflect.ValueOf(b.V)
		}
	}
	if k.Kind() == reflect.String {
		return k.String(), nil
	}
	if f, ok := e.reg.Lookup(t).Method("MarshalText").(func(any) ([]byte, error)); ok {
		b, err := f(k.Interface())
		return string(b), methodFailed(textFailed, t, k, err)
	}
	if m, ok := k.Interface().(encoding.TextMarshaler); ok {
		b, err := m.MarshalText()
		return string(b), err
	}
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	if k.CanFloat() {
		b, err := json.Marshal(k.Interface())
		return string(b), err
	}
	// So says encoding/json, which finds it out behind the brace.
	return "", &json.UnsupportedValueError{Value: k, Str: fmt.Sprint("jsontext: object member name must be a string after offset ", e.buf.Len()+2)}
}

func (e *jsonEncoder) slice(t types.Type, u *types.Slice, v reflect.Value) error {
	if v.IsNil() {
		e.buf.WriteString("null")
		return nil
	}
	if v.Type().Elem().Kind() == reflect.Uint8 && !e.reg.Lookup(u.Elem()).marshals() && !e.reg.Lookup(types.NewPointer(u.Elem())).marshals() {
		return e.plain(base64.StdEncoding.EncodeToString(v.Bytes()))
	}
	return e.inside(t, v, func() error { return e.list(u.Elem(), v) })
}

func (e *jsonEncoder) list(elem types.Type, v reflect.Value) error {
	e.buf.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.buf.WriteByte(',')
		}
		if err := e.value(elem, v.Index(i)); err != nil {
			return err
		}
	}
	e.buf.WriteByte(']')
	return nil
}

func isPointerType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
