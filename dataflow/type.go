package dataflow

import (
	"reflect"
	"regexp"
	"strings"
)

// TypeOption says more about the records of a result than its Go type does.
type TypeOption func(*Type)

// WithType sets the type that fields, printing and encoding look at. It must fit the Go type of the
// result.
func WithType(t Type) TypeOption { return func(to *Type) { *to = t } }

// KeyOption says more about the key of a stream than its Go type does.
type KeyOption func(*Type)

// KeyType sets the type of the key.
func KeyType(t Type) KeyOption { return func(to *Type) { *to = t } }

// TypeOf is the Type of a Go type. Its Format is the text that Print writes.
func TypeOf[T any]() Type { return reflectType{reflect.TypeFor[T]()} }

func resultType[R any](opts []TypeOption) Type {
	t := TypeOf[R]()
	for _, o := range opts {
		o(&t)
	}
	return t
}

// fits reports whether a T can hold the records that t describes.
func fits[T any](t Type) bool {
	rt := reflect.TypeFor[T]()
	return rt.Kind() == reflect.Interface || t.Reflect() == rt
}

// typesDiffer reports whether two types are known and not the same. Types are told apart by what the user wrote: in a
// session the running program has any for all of them. A type that is not known, or any itself, may be every other.
func typesDiffer(a, b Type) bool {
	return dynamic(a) != nil && dynamic(b) != nil && a.String() != b.String()
}

type reflectType struct{ t reflect.Type }

func (r reflectType) String() string        { return typeName(r.t) }
func (r reflectType) Reflect() reflect.Type { return r.t }
func (r reflectType) Format(v any) string   { return javaText(v) }

var qualifier = regexp.MustCompile(`(?:[\w.\-]+/)*([\w\-]+)\.`)

// typeName is the type as a program writes it that dot-imports this package.
func typeName(t reflect.Type) string {
	s := qualifier.ReplaceAllStringFunc(t.String(), func(q string) string {
		q = q[strings.LastIndexByte(q, '/')+1:]
		if q == "main." || q == "dataflow." {
			return ""
		}
		return q
	})
	return strings.ReplaceAll(s, ",", ", ")
}

// dynamic is the Go type that a value of a stream of type t has at run time, nil when unknown.
func dynamic(t Type) reflect.Type {
	if t == nil || t.Reflect() == nil || t.Reflect().Kind() == reflect.Interface {
		return nil
	}
	return t.Reflect()
}

// isTuple reports whether t is a tuple: a struct with the fields F0, F1, and so on. A session makes
// its own struct types for them, so the shape decides and not the name.
func isTuple(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() == 0 || t.NumField() > 25 {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).Name != tupleField(i) {
			return false
		}
	}
	return true
}
