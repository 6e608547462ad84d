// Exports: the library as the interpreter sees it.

package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"sort"
	"strings"

	"flinkish/interp/symbols/erase"
)

// binder writes the exports of one package.
type binder struct {
	pkg   *types.Package
	lines map[string]string // export name -> reflect.Value expression
	types strings.Builder   // adapters
	errs  []string
}

// exports adds the generated Go files: the exports of each library package, and its adapters.
func (w *world) exports(files map[string][]byte) error {
	var errs []string
	for _, path := range bound {
		b := &binder{pkg: w.pkgs[path], lines: map[string]string{}}
		b.all()
		errs = append(errs, b.errs...)
		name := strings.ReplaceAll(strings.TrimPrefix(path, "flinkish/"), "/", "_")
		src, err := format.Source(b.file())
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		files["exports_"+name+"_gen.go"] = src
		if b.types.Len() > 0 {
			src, err := format.Source(b.adapterFile())
			if err != nil {
				return fmt.Errorf("adapters of %s: %w", path, err)
			}
			files["adapters_"+name+"_gen.go"] = src
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("no rule for:\n  %s", strings.Join(errs, "\n  "))
	}
	return nil
}

func (b *binder) fail(what string, err error) {
	b.errs = append(b.errs, fmt.Sprintf("%s: %v", what, err))
}

func (b *binder) all() {
	scope := b.pkg.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Var:
			b.lines[name] = fmt.Sprintf("reflect.ValueOf(&%s).Elem()", b.ref(o))
		case *types.Const:
			if t, ok := o.Type().(*types.Basic); !ok || t.Info()&types.IsUntyped == 0 {
				b.lines[name] = fmt.Sprintf("reflect.ValueOf(%s)", b.ref(o))
			}
		case *types.Func:
			b.function(o)
		case *types.TypeName:
			b.typeName(o)
		}
	}
}

func (b *binder) ref(o types.Object) string { return b.pkg.Name() + "." + o.Name() }

// function exports a package function at each choice of its type parameters.
func (b *binder) function(f *types.Func) {
	if err := b.signature(f.Signature()); err != nil {
		b.fail(f.Name(), err)
		return
	}
	b.each(f.Name(), f.Signature().TypeParams(), func(suffix, args string) {
		b.lines[f.Name()+suffix] = fmt.Sprintf("reflect.ValueOf(%s%s)", b.ref(f), args)
	})
}

// each calls f for every choice of the type parameters, with the suffix of the name and the bracketed
// arguments.
func (b *binder) each(what string, tps *types.TypeParamList, f func(suffix, args string)) {
	type choice struct {
		suffix string
		args   []string
	}
	list := []choice{{}}
	for i := range tps.Len() {
		names, err := erase.Choices(tps.At(i))
		if err != nil {
			b.fail(what, err)
			return
		}
		var next []choice
		for _, c := range list {
			if names == nil {
				next = append(next, choice{c.suffix, append(c.args[:len(c.args):len(c.args)], "any")})
			}
			for _, n := range names {
				arg := n
				if types.Universe.Lookup(n) == nil {
					arg = b.pkg.Name() + "." + n
				}
				next = append(next, choice{c.suffix + "__" + n, append(c.args[:len(c.args):len(c.args)], arg)})
			}
		}
		list = next
	}
	for _, c := range list {
		args := ""
		if len(c.args) > 0 {
			args = "[" + strings.Join(c.args, ", ") + "]"
		}
		f(c.suffix, args)
	}
}

// typeName exports a type, its methods as functions, and the adapter of an interface that users
// implement.
func (b *binder) typeName(o *types.TypeName) {
	n, ok := types.Unalias(o.Type()).(*types.Named)
	if !ok {
		b.fail(o.Name(), fmt.Errorf("a type that is not named"))
		return
	}
	if o.IsAlias() { // of a type of another package
		b.lines[o.Name()] = fmt.Sprintf("reflect.ValueOf((*%s)(nil))", b.ref(o))
		return
	}
	class, err := erase.ClassOf(n)
	if err != nil && b.pkg.Path() == library[0] {
		b.fail(o.Name(), err)
		return
	}
	b.each(o.Name(), n.TypeParams(), func(suffix, args string) {
		b.lines[o.Name()+suffix] = fmt.Sprintf("reflect.ValueOf((*%s%s)(nil))", b.ref(o), args)
		b.methods(n, class, suffix, args)
		if class == erase.Adapter && b.pkg.Path() == library[0] {
			b.adapter(n, suffix, args)
		}
	})
}

// methods exports the methods of a type, promoted ones included, as functions of the receiver.
func (b *binder) methods(n *types.Named, class erase.Class, suffix, args string) {
	recv, set := "(*"+b.ref(n.Obj())+args+")", types.NewMethodSet(types.NewPointer(n))
	if _, ok := n.Underlying().(*types.Interface); ok {
		recv, set = b.ref(n.Obj())+args, types.NewMethodSet(n)
	}
	for i := range set.Len() {
		f, ok := set.At(i).Obj().(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		what := n.Obj().Name() + "." + f.Name()
		if err := b.signature(f.Signature()); err != nil {
			b.fail(what, err)
			continue
		}
		b.each(what, f.Signature().TypeParams(), func(own, targs string) {
			b.lines[n.Obj().Name()+"_"+f.Name()+suffix+own] = fmt.Sprintf("reflect.ValueOf(%s.%s%s)", recv, f.Name(), targs)
		})
	}
}

// file is the exports as Go.
func (b *binder) file() []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, "// Code generated by gen; DO NOT EDIT.\n\npackage symbols\n\nimport (\n\t\"reflect\"\n\n\t%q\n)\n\n", b.pkg.Path())
	fmt.Fprintf(&w, "func init() {\n\tExports[%q] = map[string]reflect.Value{\n", b.pkg.Path()+"/"+b.pkg.Name())
	names := make([]string, 0, len(b.lines))
	for n := range b.lines {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Fprintf(&w, "\t\t%q: %s,\n", n, b.lines[n])
	}
	w.WriteString("\t}\n}\n")
	return w.Bytes()
}
