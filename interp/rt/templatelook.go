// The functions of package template that compare or measure see values of the cells without their boxes, and call their types
// what the interpreter does.

package rt

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// looked is the type of an argument, as package reflect and as the user calls it.
type looked struct{ seen, name string }

// mostLooked bounds what is remembered of one call.
const mostLooked = 16

// first is unboxed for the first argument of a function.
func (t *templateTree) first(v reflect.Value) reflect.Value {
	t.looked = t.looked[:0]
	return t.unboxed(v)
}

// unboxed is v as the functions of package template look at it.
func (t *templateTree) unboxed(v reflect.Value) reflect.Value {
	x := t.values.from(v)
	if x.v.IsValid() && len(t.looked) < mostLooked {
		t.looked = append(t.looked, looked{x.v.Type().String(), x.typeName()})
	}
	if x.t != nil {
		return x.v
	}
	return v
}

var looking = regexp.MustCompile(`: error calling (eq|ne|lt|le|gt|ge|len): `)

// named writes the types in the error of a function that looked at values as the user calls them.
func (t *templateTree) named(text string) string {
	at := looking.FindStringIndex(text)
	if at == nil {
		return text
	}
	done, rest := text[:at[1]], text[at[1]:]
	for _, l := range t.looked {
		if !strings.Contains(rest, l.seen) { // they look behind pointers
			l = looked{strings.TrimPrefix(l.seen, "*"), strings.TrimPrefix(l.name, "*")}
		}
		if i := strings.Index(rest, l.seen); i >= 0 {
			done, rest = done+rest[:i]+l.name, rest[i+len(l.seen):]
		}
	}
	return done + rest
}

// predeclared are the functions that every template has.
var predeclared = map[string]bool{
	"and": true, "break": true, "call": true, "continue": true, "eq": true, "ge": true, "gt": true, "html": true, "index": true, "js": true,
	"le": true, "len": true, "lt": true, "ne": true, "not": true, "or": true, "print": true, "printf": true, "println": true, "slice": true, "urlquery": true,
}

// givenArg is an argument with the place where the template has it: a function of the cells takes anything, and finds out by itself
// what does not fit.
type givenArg struct {
	v    reflect.Value
	site site
	i    int
}

// given is a function that notes where argument i of a function stands, which the cells made or which is compiled.
func (t *templateTree) given(s site, i int, cells bool) string {
	name := fmt.Sprintf("givenǃ%d", len(t.funcs))
	if cells {
		t.funcs[name] = func(v reflect.Value) any { return givenArg{v, s, i} }
		return name
	}
	t.funcs[name] = func(v reflect.Value) reflect.Value {
		t.compiled = givenArg{v, s, i}
		return v
	}
	return name
}

// unwelcome is the error of a compiled function that was given a value of the cells.
var unwelcome = regexp.MustCompile(`(wrong type for value; expected .*; got )rt\.(Boxed|placed)`)

// refused names the argument in such an error.
func (t *templateTree) refused(text string) (string, bool) {
	m := unwelcome.FindStringSubmatch(text)
	if m == nil || !t.compiled.v.IsValid() {
		return text, false
	}
	err := fmt.Errorf("%s%s", m[1], t.values.from(t.compiled.v).typeName())
	return t.compiled.site.argument(t.compiled.i, err).Error(), true
}
