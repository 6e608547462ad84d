package rt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// JSONTarget makes a target for json.Unmarshal of pointer p, whose type is d.
func JSONTarget(d *Desc, p any) any {
	v := reflect.ValueOf(p)
	t, ok := d.Type.Underlying().(*types.Pointer)
	if !ok || v.Kind() != reflect.Pointer || v.IsNil() {
		return &noTarget{namedType{v.Type(), GoTypeString(d.Type)}}
	}
	return &jsonTarget{reg: d.reg, t: t.Elem(), v: v.Elem()}
}

// noTarget is what nothing can be decoded into: no pointer, or a nil one.
type noTarget struct{ t namedType }

func (n *noTarget) UnmarshalJSON([]byte) error { return &json.InvalidUnmarshalError{Type: n.t} }

// jsonInto makes a target for json.Unmarshal of p, which may be a pointer of the cells in its box.
func jsonInto(p any) any {
	if b, ok := AsBoxed(p); ok {
		return JSONTarget(b.D, b.V)
	}
	switch x := p.(type) {
	case *any:
		if r := boxesIn(*x); r != nil {
			return &jsonTarget{reg: r, t: anyType, v: reflect.ValueOf(x).Elem()}
		}
	case *[]any:
		if r := boxesIn(*x...); r != nil {
			return &jsonTarget{reg: r, t: types.NewSlice(anyType), v: reflect.ValueOf(x).Elem()}
		}
	}
	return p
}

// boxesIn is the registry of the values of cells among vs; nil: there are none.
func boxesIn(vs ...any) *Registry {
	for _, v := range vs {
		if b, ok := AsBoxed(v); ok {
			return b.D.reg
		}
	}
	return nil
}

type jsonTarget struct {
	reg *Registry
	t   types.Type
	v   reflect.Value
	// path leads from t to what is being decoded; first is the first value of a wrong type, or that a method refused,
	// after which decoding goes on.
	path  []string
	first error
	at    int64 // where what is being decoded begins
	opts  jsonOptions
}

func (j *jsonTarget) UnmarshalJSON(b []byte) error {
	if err := j.decode(j.t, j.v, b); err != nil {
		return err
	}
	return j.first
}

// inside decodes b into v, which is called name in what is being decoded and begins at there.
func (j *jsonTarget) inside(name string, t types.Type, v reflect.Value, b []byte, there int64) error {
	defer func(n int, at int64) { j.path, j.at = j.path[:n], at }(len(j.path), j.at)
	j.path = append(j.path, name)
	j.at += there
	return j.decode(t, v, b)
}

// mismatch notes that b is no value for a t; why may be nil.
func (j *jsonTarget) mismatch(b []byte, t types.Type, v reflect.Value, why error) error {
	seen := len(b)
	switch {
	case types.IsInterface(t):
		seen = 0
	case b[0] == '{', b[0] == '[':
		seen = 1
	}
	return j.note(&json.UnmarshalTypeError{Value: jsonKind(b), Type: namedType{v.Type(), GoTypeString(t)}, Offset: int64(seen), Err: why}, nil)
}

// note keeps the error of a value, whose type t the user knows; t may be nil.
func (j *jsonTarget) note(err error, t types.Type) error {
	var te *json.UnmarshalTypeError
	if !errors.As(err, &te) || te.Type == reflect.TypeFor[json.Number]() || j.first != nil {
		return j.refused(err)
	}
	c := *te
	c.Offset += j.at
	path := j.path
	if c.Field != "" {
		path = append(path[:len(path):len(path)], c.Field)
	} else if t != nil {
		c.Type = namedType{c.Type, GoTypeString(t)}
	}
	c.Struct, c.Field = "", strings.Join(path, ".")
	if n, ok := types.Unalias(j.t).(*types.Named); ok && len(path) > 0 {
		c.Struct = strings.TrimPrefix(GoTypeString(n), "main.")
	}
	j.first = &c
	return nil
}

// refused keeps the error of a method; decoding goes on.
func (j *jsonTarget) refused(err error) error {
	if j.first == nil {
		j.first = err
	}
	return nil
}

// namedType is a type with the name that the user knows.
type namedType struct {
	reflect.Type
	name string
}

func (t namedType) String() string { return t.name }

func (j *jsonTarget) decode(t types.Type, v reflect.Value, b []byte) error {
	if done, err := j.method(t, v, b); done {
		return err
	}
	if bytes.Equal(bytes.TrimSpace(b), []byte("null")) {
		if !mentionsUser(t) { // such as json.RawMessage, which keeps it
			return j.note(j.opts.unmarshal(b, v.Addr().Interface()), nil)
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
			v.SetZero()
		}
		return nil
	}
	if u, ok := t.Underlying().(*types.Interface); ok {
		return j.dynamic(t, u, v, b)
	}
	if u, ok := t.(*types.Slice); ok && types.IsInterface(u.Elem()) {
		return j.slice(t, u, v, b)
	}
	if !mentionsUser(t) {
		return j.note(j.opts.unmarshal(b, v.Addr().Interface()), nil)
	}
	if v.Kind() == reflect.Interface {
		return j.whole(t, v, b)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return j.structure(t, u, v, b)
	case *types.Pointer:
		if v.Kind() != reflect.Pointer {
			break
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return j.decode(u.Elem(), v.Elem(), b)
	case *types.Map:
		return j.mapping(t, u, v, b)
	case *types.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 || b[0] == '[' {
			return j.slice(t, u, v, b)
		}
	case *types.Array:
		return j.array(t, u, v, b)
	}
	return j.note(j.opts.unmarshal(b, v.Addr().Interface()), t)
}

// dynamic decodes b into v, of an interface type: into what the pointer in it points to, if there is one.
func (j *jsonTarget) dynamic(t types.Type, u *types.Interface, v reflect.Value, b []byte) error {
	if box, ok := AsBoxed(v.Interface()); ok {
		if p, ok := box.D.Type.Underlying().(*types.Pointer); ok && !reflect.ValueOf(box.V).IsNil() {
			return j.decode(p.Elem(), reflect.ValueOf(box.V).Elem(), b)
		}
	}
	if u.NumMethods() > 0 && (v.IsNil() || v.Elem().Kind() != reflect.Pointer) {
		return j.mismatch(b, t, v, nil)
	}
	return j.note(j.opts.unmarshal(b, v.Addr().Interface()), nil)
}

// whole decodes b into v, of a recursive type that is known as an any.
func (j *jsonTarget) whole(t types.Type, v reflect.Value, b []byte) error {
	w := j.reg.Whole(t)
	if w == nil {
		return fmt.Errorf("json: a cell cannot decode into type %s", TypeString(t))
	}
	in := reflect.New(w).Elem()
	if !v.IsNil() {
		in.Set(v.Elem())
	}
	if err := j.decode(t, in, b); err != nil {
		return err
	}
	v.Set(in)
	return nil
}

// method decodes by UnmarshalJSON or UnmarshalText of the user's type.
func (j *jsonTarget) method(t types.Type, v reflect.Value, b []byte) (bool, error) {
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return false, nil
	}
	d := j.reg.Lookup(types.NewPointer(t))
	if d == nil {
		return false, nil
	}
	if f, ok := d.Method("UnmarshalJSON").(func(any, []byte) error); ok {
		return true, j.refused(f(v.Addr().Interface(), b))
	}
	if f, ok := d.Method("UnmarshalText").(func(any, []byte) error); ok && string(bytes.TrimSpace(b)) != "null" {
		if b[0] != '"' {
			return true, j.mismatch(b, t, v, errors.New("JSON value must be string type"))
		}
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return true, err
		}
		return true, j.refused(f(v.Addr().Interface(), []byte(s)))
	}
	return false, nil
}

func (j *jsonTarget) structure(t types.Type, u *types.Struct, v reflect.Value, b []byte) error {
	if b[0] != '{' {
		return j.mismatch(b, t, v, nil)
	}
	fields := jsonFields(u)
	return eachMember(b, func(name string, raw json.RawMessage, at int64) error {
		f := findField(fields, name)
		if f == nil {
			return j.unknown(name)
		}
		fv := j.fieldFor(u, v, f.index)
		if f.quoted && j.reg.quotes(f.typ) {
			defer func(n int, at int64) { j.path, j.at = j.path[:n], at }(len(j.path), j.at)
			j.path = append(j.path, name)
			j.at += at
			return j.quotedField(f.typ, fv, raw)
		}
		return j.inside(name, f.typ, fv, raw, at)
	})
}

// quotedField decodes b into a field with the option ",string", as encoding/json does for a struct with this field only.
func (j *jsonTarget) quotedField(t types.Type, v reflect.Value, b []byte) error {
	const before = `{"F":`
	one := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "F", Type: v.Type(), Tag: `json:",string"`}}))
	one.Elem().Field(0).Set(v)
	err := j.opts.unmarshal([]byte(before+string(b)+"}"), one.Interface())
	v.Set(one.Elem().Field(0))
	if te := (*json.UnmarshalTypeError)(nil); errors.As(err, &te) {
		te.Field, te.Offset = "", te.Offset-int64(len(before))
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return j.note(err, t)
}

func findField(fs []jsonField, name string) *jsonField {
	for i := range fs {
		if fs[i].name == name {
			return &fs[i]
		}
	}
	for i := range fs {
		if strings.EqualFold(fs[i].name, name) {
			return &fs[i]
		}
	}
	return nil
}

// fieldFor follows an index and makes what embedded pointers need.
func (j *jsonTarget) fieldFor(t types.Type, v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			if v.IsNil() {
				pt := v.Type()
				if pt.Kind() == reflect.Interface { // a recursive type
					pt = j.reg.Whole(t)
				}
				v.Set(reflect.New(pt.Elem()))
			}
			if v.Kind() == reflect.Interface {
				v = v.Elem()
			}
			t, v = p.Elem(), v.Elem()
		}
		t, v = t.Underlying().(*types.Struct).Field(i).Type(), v.Field(i)
	}
	return v
}

// eachMember calls f for each member of the object b, with the place where its value begins.
func eachMember(b []byte, f func(name string, raw json.RawMessage, at int64) error) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := f(k.(string), raw, d.InputOffset()-int64(len(raw))); err != nil {
			return err
		}
	}
	return nil
}

func (j *jsonTarget) mapping(t types.Type, u *types.Map, v reflect.Value, b []byte) error {
	if b[0] != '{' {
		return j.mismatch(b, t, v, nil)
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	return eachMember(b, func(name string, raw json.RawMessage, at int64) error {
		k := reflect.New(v.Type().Key()).Elem()
		if f, ok := j.reg.Lookup(types.NewPointer(u.Key())).Method("UnmarshalText").(func(any, []byte) error); ok {
			if err := f(k.Addr().Interface(), []byte(name)); err != nil {
				return err
			}
		} else if k.Kind() == reflect.String {
			k.SetString(name)
		} else if err := json.Unmarshal([]byte(name), k.Addr().Interface()); err != nil {
			j.path = append(j.path, name)
			defer func() { j.path = j.path[:len(j.path)-1] }()
			return j.note(&json.UnmarshalTypeError{Value: "number " + name, Type: k.Type(), Offset: keyEnd(b, at)}, u.Key())
		}
		e := reflect.New(v.Type().Elem()).Elem()
		if err := j.inside(name, u.Elem(), e, raw, at); err != nil {
			return err
		}
		v.SetMapIndex(k, e)
		return nil
	})
}

// keyEnd is where the key ends whose value begins at at.
func keyEnd(b []byte, at int64) int64 {
	return int64(bytes.LastIndexByte(b[:bytes.LastIndexByte(b[:at], ':')], '"') + 1)
}

// element is a value of a list, and where it begins.
type element struct {
	raw json.RawMessage
	at  int64
}

// elements are those of the list b; false: b is none.
func elements(b []byte) (es []element, ok bool) {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, false
	}
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil, false
		}
		es = append(es, element{raw, d.InputOffset() - int64(len(raw))})
	}
	return es, true
}

func (j *jsonTarget) slice(t types.Type, u *types.Slice, v reflect.Value, b []byte) error {
	es, ok := elements(b)
	if !ok {
		return j.mismatch(b, t, v, nil)
	}
	if len(es) == 0 || v.Cap() < len(es) { // else the elements are decoded over what is there
		s := reflect.MakeSlice(v.Type(), len(es), len(es))
		reflect.Copy(s, v.Slice(0, v.Cap()))
		v.Set(s)
	}
	v.SetLen(len(es))
	return j.list(u.Elem(), v, es)
}

func (j *jsonTarget) array(t types.Type, u *types.Array, v reflect.Value, b []byte) error {
	es, ok := elements(b)
	if !ok {
		return j.mismatch(b, t, v, nil)
	}
	for i := len(es); i < v.Len(); i++ {
		v.Index(i).SetZero()
	}
	return j.list(u.Elem(), v, es[:min(len(es), v.Len())])
}

func (j *jsonTarget) list(elem types.Type, v reflect.Value, es []element) error {
	for i, e := range es {
		if err := j.inside(strconv.Itoa(i), elem, v.Index(i), e.raw, e.at); err != nil {
			return err
		}
	}
	return nil
}

// jsonKind names what b holds, as encoding/json does.
func jsonKind(b []byte) string {
	switch b[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	}
	return "number"
}
