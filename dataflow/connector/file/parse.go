package file

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// parser sets to to the value that text stands for; an empty text is the zero value.
type parser func(to reflect.Value, text string) error

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

// parserOf chooses the parser of a type, once for a file.
func parserOf(t reflect.Type) (parser, error) {
	switch {
	case t == timeType:
		return filled(func(to reflect.Value, s string) error {
			v, err := time.Parse(time.RFC3339, s)
			to.Set(reflect.ValueOf(v))
			return err
		}, t), nil
	case t == durationType:
		return filled(func(to reflect.Value, s string) error {
			v, err := time.ParseDuration(s)
			to.SetInt(int64(v))
			return err
		}, t), nil
	}
	switch t.Kind() {
	case reflect.String:
		return func(to reflect.Value, s string) error { to.SetString(strings.Clone(s)); return nil }, nil
	case reflect.Bool:
		return filled(func(to reflect.Value, s string) error {
			v, err := strconv.ParseBool(s)
			to.SetBool(v)
			return err
		}, t), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return filled(func(to reflect.Value, s string) error {
			v, err := strconv.ParseInt(s, 10, t.Bits())
			to.SetInt(v)
			return err
		}, t), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return filled(func(to reflect.Value, s string) error {
			v, err := strconv.ParseUint(s, 10, t.Bits())
			to.SetUint(v)
			return err
		}, t), nil
	case reflect.Float32, reflect.Float64:
		return filled(func(to reflect.Value, s string) error {
			v, err := strconv.ParseFloat(s, t.Bits())
			to.SetFloat(v)
			return err
		}, t), nil
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return func(to reflect.Value, s string) error { to.Set(reflect.ValueOf(strings.Clone(s))); return nil }, nil
		}
	case reflect.Pointer:
		inner, err := parserOf(t.Elem())
		return filled(func(to reflect.Value, s string) error {
			to.Set(reflect.New(t.Elem()))
			return inner(to.Elem(), s)
		}, nil), err
	}
	return nil, fmt.Errorf("a CSV value cannot be read as %s; use a string, a number, a bool or a time", t)
}

// filled leaves the zero value for an empty text and says what t expects of a malformed one.
func filled(p parser, t reflect.Type) parser {
	return func(to reflect.Value, s string) error {
		if s == "" {
			return nil
		}
		err := p(to, strings.TrimSpace(s))
		switch {
		case err == nil || t == nil:
			return err
		case errors.Is(err, strconv.ErrRange):
			return fmt.Errorf("%q is out of the range of %s", s, t)
		}
		return fmt.Errorf("cannot read %q as %s", s, t)
	}
}
