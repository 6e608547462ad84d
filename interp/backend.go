// The back end: stock yaegi.

package interp

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"strings"
	"time"

	"github.com/traefik/yaegi/interp"

	"flinkish/interp/lower"
	"flinkish/interp/rt"
	"flinkish/interp/stdlib"
	"flinkish/interp/symbols"
)

// backend holds the interpreter and what it was given, so that it can be built anew.
type backend struct {
	rt    *rt.Runtime
	it    *interp.Interpreter
	used  map[string]bool
	loads []*lower.Program
}

func newBackend(r *rt.Runtime) *backend {
	b := &backend{rt: r}
	r.Symbol = func(path, name string) reflect.Value {
		_, x := exportsOf(path)
		return x[name]
	}
	b.start()
	return b
}

func (b *backend) start() {
	b.used = map[string]bool{}
	b.it = interp.New(interp.Options{Stdin: strings.NewReader(""), Stdout: rt.Out(b.rt), Stderr: b.rt.Trace()})
	b.it.Use(interp.Exports{"flinkish/rt/rt": b.rt.Exports()})
	if _, err := b.eval("package main\nimport rtǃ \"flinkish/rt\"\n"); err != nil {
		panic(err) // our own two lines
	}
}

// exportsOf gives the key of a package in yaegi's tables and its symbols; nil if there is none.
func exportsOf(p string) (string, map[string]reflect.Value) {
	for k, x := range symbols.Exports {
		if path.Dir(k) == p {
			return k, x
		}
	}
	return stdlib.Symbols(p)
}

// wrapperType is the struct by which yaegi's tables implement an interface of the standard library.
func wrapperType(pkg, name string) reflect.Type {
	_, x := exportsOf(pkg)
	if v, ok := x["_"+name]; ok {
		return v.Type().Elem()
	}
	return nil
}

// prepare gives the interpreter the packages, slots and descriptors that p uses.
func (b *backend) prepare(p *lower.Program) error {
	for _, path := range p.Imports {
		if b.used[path] {
			continue
		}
		key, x := exportsOf(path)
		if x == nil {
			return fmt.Errorf("package %s has no symbols", path)
		}
		b.it.Use(interp.Exports{key: x})
		for inner, home := range stdlib.Homes {
			if home == path {
				b.it.Use(interp.Exports{inner + "/" + home[strings.LastIndexByte(home, '/')+1:]: x})
			}
		}
		b.used[path] = true
	}
	syms := map[string]reflect.Value{}
	for i, n := range p.Slots {
		b.rt.NameSlot(p.Funcs[i], n)
	}
	for _, n := range p.Descs {
		k, v := b.rt.DescExport(n)
		syms[k] = v
	}
	b.it.Use(interp.Exports{"flinkish/rt/rt": syms})
	return nil
}

// load declares what p declares.
func (b *backend) load(p *lower.Program) error {
	if Trace != nil {
		Trace(p.Text)
	}
	if err := b.declare(p); err != nil {
		return err
	}
	b.loads = append(b.loads, p)
	return nil
}

func (b *backend) declare(p *lower.Program) error {
	if err := b.prepare(p); err != nil {
		return err
	}
	if _, err := b.eval(p.Text); err != nil {
		return err
	}
	f, err := b.function(p.Init)
	if err != nil {
		return err
	}
	f()
	return nil
}

// entry is the function that runs p's items.
func (b *backend) entry(p *lower.Program) (func(), error) { return b.function(p.Entry) }

func (b *backend) function(name string) (func(), error) {
	if name == "" {
		return func() {}, nil
	}
	v, err := b.eval("main." + name)
	if err != nil {
		return nil, err
	}
	f, ok := v.Interface().(func())
	if !ok {
		return nil, errors.New("no entry point")
	}
	return f, nil
}

// eval protects against the panics of yaegi's compiler.
func (b *backend) eval(text string) (v reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the interpreter's compiler panicked: %v", r)
		}
	}()
	return b.it.Eval(text)
}

// rebuild starts a fresh interpreter and replays the declarations; the values live outside of it.
func (b *backend) rebuild() {
	loads := b.loads
	b.loads = nil
	b.start()
	for _, p := range loads {
		if b.declare(p) == nil {
			b.loads = append(b.loads, p)
		}
	}
}

// grace is how long an interrupted cell may take to notice.
func grace() <-chan time.Time { return time.After(500 * time.Millisecond) }

// pointerTo is a pointer to a variable that holds x, with x's own type.
func pointerTo(x any) any {
	p := reflect.New(reflect.TypeOf(x))
	p.Elem().Set(reflect.ValueOf(x))
	return p.Interface()
}
