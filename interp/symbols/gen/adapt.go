// Adapters: implementations of the library's interfaces made of functions.

package main

import (
	"bytes"
	"fmt"
	"go/types"
	"sort"
	"strings"

	"flinkish/interp/symbols/erase"
)

// adapter writes the adapter type of an interface at one choice of its type parameters, and exports its
// constructor.
func (b *binder) adapter(n *types.Named, suffix, args string) {
	methods, err := erase.Methods(n)
	if err != nil {
		b.fail(n.Obj().Name(), err)
		return
	}
	for _, m := range methods {
		if err := b.signature(m.Signature); err != nil {
			b.fail(n.Obj().Name()+"."+m.Name, err)
			return
		}
	}
	a := &adapterText{b: b, name: "adapt" + n.Obj().Name() + suffix, iface: b.ref(n.Obj()) + args, erased: erased(n, args), methods: methods}
	a.write(&b.types)
	b.lines["Adapt_"+n.Obj().Name()+suffix] = fmt.Sprintf("reflect.ValueOf(%s)", "new"+strings.ToUpper(a.name[:1])+a.name[1:])
}

// erased maps the type parameters of n to the arguments in the bracketed list.
func erased(n *types.Named, args string) map[string]string {
	m := map[string]string{"T": "any"} // also where the interface does not have it; see erase.Record
	list := strings.Split(strings.Trim(args, "[]"), ", ")
	for i := range n.TypeParams().Len() {
		m[n.TypeParams().At(i).Obj().Name()] = list[i]
	}
	return m
}

type adapterText struct {
	b       *binder
	name    string
	iface   string
	erased  map[string]string
	methods []erase.Method
}

func (a *adapterText) write(w *strings.Builder) {
	fmt.Fprintf(w, "\n// %s is a %s made of functions.\ntype %s struct {\n\trecv any\n\tcopy func(any) any\n", a.name, a.iface, a.name)
	for _, m := range a.methods {
		fmt.Fprintf(w, "\tfn%s %s\n", m.Name, a.funcType(m))
	}
	w.WriteString("}\n\n")
	a.constructor(w)
	for _, m := range a.methods {
		a.method(w, m)
	}
	fmt.Fprintf(w, "\n// Clone is an adapter of a copy of the receiver.\nfunc (a *%s) Clone() *%s {\n\tc := *a\n\tif a.copy != nil {\n\t\tc.recv = a.copy(a.recv)\n\t}\n\treturn &c\n}\n", a.name, a.name)
	fmt.Fprintf(w, "\n// Receiver is the user's function object.\nfunc (a *%s) Receiver() any { return a.recv }\n", a.name)
	a.hasMethod(w)
}

// funcType is the method as a function of the receiver.
func (a *adapterText) funcType(m erase.Method) string {
	params := []string{"recv any"}
	s := m.Signature
	for i := range s.Params().Len() {
		params = append(params, fmt.Sprintf("p%d %s", i, a.typ(s.Params().At(i).Type())))
	}
	return "func(" + strings.Join(params, ", ") + ")" + a.results(s)
}

func (a *adapterText) results(s *types.Signature) string {
	var list []string
	for i := range s.Results().Len() {
		list = append(list, a.typ(s.Results().At(i).Type()))
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return " " + list[0]
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// typ writes a type with the type parameters erased.
func (a *adapterText) typ(t types.Type) string {
	// Types of internal packages print as path.Name here, and then as what the library calls them.
	s := types.TypeString(a.subst(t), func(p *types.Package) string {
		if strings.HasPrefix(p.Path(), internal) {
			return p.Path()
		}
		return p.Name()
	})
	var pairs []string
	for own, name := range a.b.renames {
		pairs = append(pairs, own, a.b.pkg.Name()+"."+name)
	}
	return longestFirst(pairs).Replace(s)
}

// longestFirst is a replacer that is not misled by a name that begins another.
func longestFirst(pairs []string) *strings.Replacer {
	var idx []int
	for i := 0; i < len(pairs); i += 2 {
		idx = append(idx, i)
	}
	sort.Slice(idx, func(a, b int) bool {
		x, y := pairs[idx[a]], pairs[idx[b]]
		return len(x) > len(y) || len(x) == len(y) && x < y
	})
	var sorted []string
	for _, i := range idx {
		sorted = append(sorted, pairs[i], pairs[i+1])
	}
	return strings.NewReplacer(sorted...)
}

// subst replaces type parameters by named stand-ins that print as what they are erased to.
func (a *adapterText) subst(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		e := a.erased[t.Obj().Name()]
		if _, name, ok := strings.Cut(e, "."); ok {
			return a.b.pkg.Scope().Lookup(name).Type()
		}
		return types.Universe.Lookup(e).Type()
	case *types.Pointer:
		return types.NewPointer(a.subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(a.subst(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, a.tuple(t.Params()), a.tuple(t.Results()), t.Variadic())
	case *types.Named:
		var args []types.Type
		for i := range t.TypeArgs().Len() {
			args = append(args, a.subst(t.TypeArgs().At(i)))
		}
		if args == nil {
			return t
		}
		in, err := types.Instantiate(nil, t.Origin(), args, false)
		if err != nil {
			a.b.fail(a.name, err)
			return t
		}
		return in
	}
	return t
}

func (a *adapterText) tuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for i := range t.Len() {
		vars = append(vars, types.NewVar(t.At(i).Pos(), nil, t.At(i).Name(), a.subst(t.At(i).Type())))
	}
	return types.NewTuple(vars...)
}

func (a *adapterText) constructor(w *strings.Builder) {
	params := []string{"recv any", "clone func(any) any"}
	sets := []string{"recv: recv", "copy: clone"}
	for _, m := range a.methods {
		params = append(params, "fn"+m.Name+" "+a.funcType(m))
		sets = append(sets, "fn"+m.Name+": fn"+m.Name)
	}
	// No function object stays none, so that the library refuses it where it was given.
	fmt.Fprintf(w, "func new%s(%s) %s {\n\tif recv == nil {\n\t\treturn nil\n\t}\n\treturn &%s{%s}\n}\n", strings.ToUpper(a.name[:1])+a.name[1:], strings.Join(params, ", "), a.iface, a.name, strings.Join(sets, ", "))
}

func (a *adapterText) method(w *strings.Builder, m erase.Method) {
	s := m.Signature
	var params []string
	args := []string{"a.recv"}
	for i := range s.Params().Len() {
		params = append(params, fmt.Sprintf("p%d %s", i, a.typ(s.Params().At(i).Type())))
		args = append(args, fmt.Sprintf("p%d", i))
	}
	ret := ""
	if s.Results().Len() > 0 {
		ret = "return "
	}
	fmt.Fprintf(w, "\nfunc (a *%s) %s(%s)%s {\n", a.name, m.Name, strings.Join(params, ", "), a.results(s))
	if m.Optional {
		fmt.Fprintf(w, "\tif a.fn%s == nil {\n\t\treturn%s\n\t}\n", m.Name, zero(s))
	}
	fmt.Fprintf(w, "\t%sa.fn%s(%s)\n}\n", ret, m.Name, strings.Join(args, ", "))
}

// zero is what an optional method that is not there returns.
func zero(s *types.Signature) string {
	switch {
	case s.Results().Len() == 0:
		return ""
	case types.Identical(s.Results().At(0).Type(), types.Typ[types.Bool]):
		return " false"
	case types.Identical(s.Results().At(0).Type(), types.Typ[types.String]):
		return ` ""`
	}
	return " nil" + strings.Repeat(", nil", s.Results().Len()-1)
}

func (a *adapterText) hasMethod(w *strings.Builder) {
	fmt.Fprintf(w, "\n// HasMethod reports whether the receiver has the method.\nfunc (a *%s) HasMethod(name string) bool {\n", a.name)
	opt := 0
	for _, m := range a.methods {
		if m.Optional {
			if opt == 0 {
				w.WriteString("\tswitch name {\n")
			}
			opt++
			fmt.Fprintf(w, "\tcase %q:\n\t\treturn a.fn%s != nil\n", m.Name, m.Name)
		}
	}
	if opt > 0 {
		w.WriteString("\t}\n")
	}
	w.WriteString("\treturn true\n}\n")
}

// adapterFile is the adapters as Go.
func (b *binder) adapterFile() []byte {
	var w bytes.Buffer
	body := b.types.String()
	w.WriteString("// Code generated by gen; DO NOT EDIT.\n\npackage symbols\n\nimport (\n")
	imports := map[string]string{"iter.": "iter", "time.": "time", b.pkg.Name() + ".": b.pkg.Path()}
	keys := make([]string, 0, len(imports))
	for k := range imports {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if strings.Contains(body, k) {
			fmt.Fprintf(&w, "\t%q\n", imports[k])
		}
	}
	w.WriteString(")\n")
	w.WriteString(body)
	return w.Bytes()
}
