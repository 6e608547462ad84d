// Templates over values of the cells. Package text/template finds fields and methods by reflection, and would see the
// interpreter's types: so a template that is given such a value runs as a copy in which each look-up is a call of a
// function of ours (templatetree.go), which knows the user's types (templatevalue.go).

package rt

import (
	"errors"
	htmltemplate "html/template"
	"io"
	"reflect"
	"regexp"
	"strings"
	"text/template"
)

// executeText is (*template.Template).Execute of text/template.
func (r *Runtime) executeText(t *template.Template, w io.Writer, data any) error {
	if t.Tree == nil {
		return t.Execute(r.writer(w), nil) // says that there is nothing
	}
	return r.executeTextNamed(t, w, t.Name(), data)
}

// executeTextNamed is (*template.Template).ExecuteTemplate of text/template.
func (r *Runtime) executeTextNamed(t *template.Template, w io.Writer, name string, data any) error {
	r.hidden("a template", data)
	w = r.writer(w)
	if !r.seesCells(data) || t.Lookup(name) == nil {
		return t.ExecuteTemplate(w, name, data)
	}
	c, err := t.Clone()
	if err != nil {
		return err
	}
	tree := r.newTemplateTree(missingKey(reflect.ValueOf(t)))
	for _, x := range c.Templates() {
		if x.Tree == nil {
			continue
		}
		copied := x.Tree.Copy()
		tree.rewrite(copied)
		if _, err := c.AddParseTree(x.Name(), copied); err != nil {
			return err
		}
	}
	return tree.err(c.Funcs(tree.funcs).ExecuteTemplate(w, name, data))
}

// executeHTML is (*template.Template).Execute of html/template.
func (r *Runtime) executeHTML(t *htmltemplate.Template, w io.Writer, data any) error {
	if t.Tree == nil {
		return t.Execute(r.writer(w), nil)
	}
	return r.executeHTMLNamed(t, w, t.Name(), data)
}

// executeHTMLNamed is (*template.Template).ExecuteTemplate of html/template.
func (r *Runtime) executeHTMLNamed(t *htmltemplate.Template, w io.Writer, name string, data any) error {
	r.hidden("a template", data)
	w = r.writer(w)
	if x := t.Lookup(name); !r.seesCells(data) || x == nil || x.Tree == nil {
		return t.ExecuteTemplate(w, name, data)
	}
	c, err := t.Clone()
	if err != nil {
		return err
	}
	tree := r.newTemplateTree(missingKey(reflect.ValueOf(t).Elem().FieldByName("text")))
	tree.html = true
	for _, x := range c.Templates() {
		if x.Tree != nil { // a copy of the original's, unlike in text/template
			tree.rewrite(x.Tree)
		}
	}
	return tree.err(c.Funcs(tree.funcs).ExecuteTemplate(w, name, data))
}

// What option missingkey says of a key that a map has not, as package template numbers it.
const (
	keyInvalid = iota
	keyZero
	keyError
)

// missingKey is what the options of t, a *template.Template of text/template, say of missing keys; the package does not tell.
func missingKey(t reflect.Value) int {
	if t.IsNil() {
		return keyInvalid
	}
	common := t.Elem().FieldByName("common")
	if !common.IsValid() || common.IsNil() {
		return keyInvalid
	}
	option := common.Elem().FieldByName("option")
	if !option.IsValid() || !option.FieldByName("missingKey").IsValid() {
		return keyInvalid
	}
	return int(option.FieldByName("missingKey").Int())
}

// seesCells reports whether a template with this data may meet a value of the cells.
func (r *Runtime) seesCells(data any) bool {
	return r.templates.Load() || holdsBox(reflect.ValueOf(data), 0)
}

// holdsBox reports whether v, or what it holds in maps, slices and interfaces, is in a box.
func holdsBox(v reflect.Value, depth int) bool {
	if !v.IsValid() || depth > maxDepth {
		return false
	}
	if v.Kind() == reflect.Struct && v.CanInterface() {
		if _, ok := AsBoxed(v.Interface()); ok {
			return true
		}
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return holdsBox(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if holdsBox(v.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if holdsBox(it.Key(), depth+1) || holdsBox(it.Value(), depth+1) {
				return true
			}
		}
	}
	return false
}

// textFuncs is (*template.Template).Funcs of text/template.
func (r *Runtime) textFuncs(t *template.Template, m map[string]any) *template.Template {
	return t.Funcs(r.callable(m))
}

// htmlFuncs is (*template.Template).Funcs of html/template.
func (r *Runtime) htmlFuncs(t *htmltemplate.Template, m map[string]any) *htmltemplate.Template {
	return t.Funcs(r.callable(m))
}

// callable makes functions over types of the cells such that a template can call them.
func (r *Runtime) callable(m map[string]any) map[string]any {
	c := make(map[string]any, len(m))
	for name, f := range m {
		if b, ok := AsBoxed(f); ok {
			r.templates.Store(true)
			f = templateFunc(b.D, b.V, false)
			r.templateFuncs.Store(name, true)
		} else {
			r.compiledFuncs.Store(name, true)
		}
		c[name] = f
	}
	return c
}

var (
	called    = regexp.MustCompile(`(wrong number of args for |non-function )(.*)( of type |: got )`)
	executing = regexp.MustCompile(`(: executing "[^"]*" at <)(.*?)(>: )`)
	ourCalls  = regexp.MustCompile(`error calling ((fieldǃ\d+|indexǃ|sliceǃ)): `)
)

// err names the places of an error as the user's template does, not as the copy.
func (t *templateTree) err(err error) error {
	var x template.ExecError
	if !errors.As(err, &x) {
		return err
	}
	if f := (*templateFail)(nil); errors.As(err, &f) {
		x.Err = &templateError{f.Error(), err}
		return x
	}
	text := err.Error()
	for _, place := range [...]*regexp.Regexp{executing, called} {
		text = place.ReplaceAllStringFunc(text, func(s string) string {
			m := place.FindStringSubmatch(s)
			if written, ok := t.written[m[2]]; ok {
				return m[1] + written + m[3]
			}
			return s
		})
	}
	text, refused := t.refused(t.named(text))
	if refused {
		x.Err = &templateError{text, err}
		return x
	}
	text = ourCalls.ReplaceAllStringFunc(text, func(s string) string {
		if name, ok := strings.CutSuffix(s, "ǃ: "); ok {
			return name + ": "
		}
		return "" // what a field gives says by itself what failed
	})
	x.Err = &templateError{text, err}
	return x
}

// templateError is an error of a template with another text.
type templateError struct {
	text string
	err  error
}

func (e *templateError) Error() string { return e.text }

// Unwrap gives the error of package template.
func (e *templateError) Unwrap() error { return e.err }
