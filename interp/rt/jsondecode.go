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
	return p
}

type jsonTarget struct {
	reg *Registry
	t   types.Type
	v   reflect.Value
	// path leads from t to what is being decoded; first is the first value of a wrong type, or that a method refused,
	// after which decoding goes on.
	path  []string
	first error
}

func (j *jsonTarget) UnmarshalJSON(b []byte) error {
	if err := j.decode(j.t, j.v, b); err != nil {
		return err
	}
	return j.first
}

// inside decodes b into v, which is called name in what is being decoded.
func (j *jsonTarget) inside(name string, t types.Type, v reflect.Value, b []byte) error {
	j.path = append(j.path, name)
	defer func() { j.path = j.path[:len(j.path)-1] }()
	return j.decode(t, v, b)
}

// mismatch notes that b is no value for a t; why may be nil.
func (j *jsonTarget) mismatch(b []byte, t types.Type, v reflect.Value, why error) error {
	return j.note(&json.UnmarshalTypeError{Value: jsonKind(b), Type: namedType{v.Type(), GoTypeString(t)}, Err: why}, nil)
}

// note keeps a value of a wrong type; another error is given back. t is the type that the user knows, or nil.
func (j *jsonTarget) note(err error, t types.Type) error {
	var te *json.UnmarshalTypeError
	if !errors.As(err, &te) {
		return err
	}
	if j.first != nil {
		return nil
	}
	c := *te
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

// refused keeps the error of a method.
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
		switch v.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
			v.SetZero()
		}
		return nil
	}
	if _, ok := t.Underlying().(*types.Interface); ok || !mentionsUser(t) {
		return j.note(json.Unmarshal(b, v.Addr().Interface()), nil)
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
		if v.Type().Elem().Kind() != reflect.Uint8 {
			return j.slice(t, u, v, b)
		}
	case *types.Array:
		return j.array(t, u, v, b)
	}
	return j.note(json.Unmarshal(b, v.Addr().Interface()), t)
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
	return eachMember(b, func(name string, raw json.RawMessage) error {
		f := findField(fields, name)
		if f == nil {
			return nil
		}
		fv := j.fieldFor(u, v, f.index)
		if f.quoted && len(raw) > 1 && raw[0] == '"' {
			if s, err := strconv.Unquote(string(raw)); err == nil {
				raw = []byte(s)
			}
		}
		return j.inside(f.name, f.typ, fv, raw)
	})
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

func eachMember(b []byte, f func(name string, raw json.RawMessage) error) error {
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
		if err := f(k.(string), raw); err != nil {
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
	return eachMember(b, func(name string, raw json.RawMessage) error {
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
			return j.note(&json.UnmarshalTypeError{Value: "number " + name, Type: k.Type()}, u.Key())
		}
		e := reflect.New(v.Type().Elem()).Elem()
		if err := j.inside(name, u.Elem(), e, raw); err != nil {
			return err
		}
		v.SetMapIndex(k, e)
		return nil
	})
}

func (j *jsonTarget) slice(t types.Type, u *types.Slice, v reflect.Value, b []byte) error {
	var raws []json.RawMessage
	if err := json.Unmarshal(b, &raws); err != nil {
		return j.mismatch(b, t, v, nil)
	}
	if len(raws) == 0 || v.Cap() < len(raws) { // else the elements are decoded over what is there
		s := reflect.MakeSlice(v.Type(), len(raws), len(raws))
		reflect.Copy(s, v.Slice(0, v.Cap()))
		v.Set(s)
	}
	v.SetLen(len(raws))
	for i, r := range raws {
		if err := j.inside(strconv.Itoa(i), u.Elem(), v.Index(i), r); err != nil {
			return err
		}
	}
	return nil
}

func (j *jsonTarget) array(t types.Type, u *types.Array, v reflect.Value, b []byte) error {
	var raws []json.RawMessage
	if err := json.Unmarshal(b, &raws); err != nil {
		return j.mismatch(b, t, v, nil)
	}
	v.SetZero()
	for i := range min(len(raws), v.Len()) {
		if err := j.inside(strconv.Itoa(i), u.Elem(), v.Index(i), raws[i]); err != nil {
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
