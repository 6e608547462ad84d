// Hints: one line that says what to try.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	undefinedName   = regexp.MustCompile(`^undefined: ([\pL_][\pL\d_]*)$`)
	undefinedMember = regexp.MustCompile(`^undefined: ([\pL_][\pL\d_]*)\.([\pL_][\pL\d_]*)(?: \(but have .*\))?$`)
	noMember        = regexp.MustCompile(`\.([\pL_][\pL\d_]*) undefined \(`)
	unknownField    = regexp.MustCompile(`^unknown field ([\pL_][\pL\d_]*) in struct literal of type `)
	mismatch        = regexp.MustCompile(`mismatched types (untyped )?([\w.]+) and (untyped )?([\w.]+)\)`)
	quotedNumber    = regexp.MustCompile(`^invalid operation: .* "(-?\d+)" \(mismatched types u?int\d* and untyped string\)`)
	quotedLetter    = regexp.MustCompile(`^invalid operation: .* '(\pL)' \(mismatched types (?:untyped )?string and untyped rune\)`)
	cannotUse       = regexp.MustCompile(`^cannot use (.+) \((?:.* of )?(?:type )?(\w+)\) as (\w+) value`)
	sameNamed       = regexp.MustCompile(`type ([^()\s]+)\) as ([^()\s]+) value`)
	ageMatters      = regexp.MustCompile(`\) as |mismatched types|does not match`)
	lacks           = regexp.MustCompile(`\(type \*?(\w+) has no field or method (\w+)\)|: \*?(\w+) does not implement .* \(missing method (\w+)\)`)
	twoValues       = regexp.MustCompile(`^assignment mismatch: (\d+) variables? but .* returns? (\d+) values?`)
)

// hint looks for the usual mistakes.
func (a *attempt) hint(te types.Error) string {
	msg := te.Msg
	if h := a.hintStale(msg); h != "" {
		return h
	}
	if m := undefinedName.FindStringSubmatch(msg); m != nil {
		return a.hintName(te.Pos, m[1])
	}
	if m := undefinedMember.FindStringSubmatch(msg); m != nil {
		return a.hintPackage(m[1], m[2])
	}
	if m := noMember.FindStringSubmatch(msg); m != nil {
		return a.hintMember(te.Pos, m[1])
	}
	if m := unknownField.FindStringSubmatch(msg); m != nil {
		return a.hintField(te.Pos, m[1])
	}
	if m := quotedNumber.FindStringSubmatch(msg); m != nil {
		return "leave the quotes away: " + m[1]
	}
	if m := quotedLetter.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("text stands in double quotes: %q", m[1])
	}
	if m := mismatch.FindStringSubmatch(msg); m != nil {
		if h := hintMismatch(m[2], m[4], m[1] != "" || m[3] != ""); h != "" {
			return h
		}
	}
	if m := cannotUse.FindStringSubmatch(msg); m != nil {
		if h := hintConvert(m[1], m[2], m[3]); h != "" {
			return h
		}
	}
	if m := twoValues.FindStringSubmatch(msg); m != nil {
		if m[2] == "1" {
			return "write one name on the left"
		}
		return fmt.Sprintf("write %s names on the left, _ for those that you do not need", m[2])
	}
	if h := a.fixed(te); h != "" {
		return h
	}
	return a.hintMaker(te)
}

// hintName is for a name that means nothing.
func (a *attempt) hintName(pos token.Pos, name string) string {
	if path, ok := unavailable[name]; ok {
		return fmt.Sprintf("package %s is not available in a session", path)
	}
	if n := a.c.tried[name]; n > 0 && n != a.number {
		return fmt.Sprintf("%s is declared in cell %d, which failed", name, n)
	}
	qualifier := a.qualifies(pos)
	if h := a.hintHabit(pos, name, qualifier); h != "" {
		return h
	}
	if len(a.c.imp.Named(name)) > 0 && !qualifier {
		return fmt.Sprintf("%s is a package: write %s.Name", name, name)
	}
	if p := a.packageWith(name); p != "" && !qualifier {
		return fmt.Sprintf("did you mean %s.%s?", p, upper(name))
	}
	if qualifier && name == strings.ToLower(name) {
		if n := nearest(name, append(a.c.imp.Names(), a.valuesAt(pos)...)); n != "" {
			return fmt.Sprintf("did you mean %s?", n)
		}
	}
	if a.methodOwner(name) != "" && !qualifier {
		return fmt.Sprintf("%s is a method: write x.%s(...)", name, name)
	}
	if n := nearest(name, a.namesAt(pos)); n != "" {
		return fmt.Sprintf("did you mean %s?", n)
	}
	if paths := a.c.imp.Named(strings.ToLower(name)); len(paths) > 0 && name != strings.ToLower(name) {
		return fmt.Sprintf("did you mean package %s?", strings.ToLower(name))
	}
	if a.assigns(pos) {
		return fmt.Sprintf("a new variable is declared with :=, as in %s := ...", name)
	}
	return ""
}

// qualifies reports whether the name at pos stands before a dot.
func (a *attempt) qualifies(pos token.Pos) (yes bool) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.X.Pos() == pos {
			_, yes = sel.X.(*ast.Ident)
		}
		return !yes
	})
	return yes
}

// wellKnown are the packages whose functions people forget to qualify.
var wellKnown = []string{"fmt", "strings", "strconv", "math", "time", "sort", "errors", "os"}

// packageWith is the well-known package that exports name, with a capital.
func (a *attempt) packageWith(name string) string {
	for _, path := range wellKnown {
		if p, err := a.c.imp.Import(path); err == nil {
			if f, ok := p.Scope().Lookup(upper(name)).(*types.Func); ok && f.Exported() {
				return path
			}
		}
	}
	return ""
}

func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// valuesAt lists the names at pos that may stand before a dot.
func (a *attempt) valuesAt(pos token.Pos) []string {
	var names []string
	for s := a.scopeAt(pos); s != nil && s != types.Universe; s = s.Parent() {
		for _, n := range s.Names() {
			if _, ok := s.Lookup(n).(*types.Var); ok {
				names = append(names, n)
			}
		}
	}
	return names
}

// unavailable names well-known packages that sessions do not have.
var unavailable = map[string]string{
	"signal": "os/signal", "user": "os/user", "syscall": "syscall", "unsafe": "unsafe", "plugin": "plugin", "sql": "database/sql", "embed": "embed",
	"expvar": "expvar", "httptest": "net/http/httptest", "httputil": "net/http/httputil", "rpc": "net/rpc", "smtp": "net/smtp", "tls": "crypto/tls",
	"x509": "crypto/x509", "rsa": "crypto/rsa", "ecdsa": "crypto/ecdsa", "elliptic": "crypto/elliptic", "types": "go/types", "printer": "go/printer",
	"pprof": "runtime/pprof", "trace": "runtime/trace", "quick": "testing/quick", "fstest": "testing/fstest", "iotest": "testing/iotest",
}

// namesAt lists every name that is visible at pos.
func (a *attempt) namesAt(pos token.Pos) []string {
	var names []string
	for s := a.scopeAt(pos); s != nil; s = s.Parent() {
		names = append(names, s.Names()...)
	}
	return names
}

// hintPackage is for a member that a package does not have.
func (a *attempt) hintPackage(pkg, member string) string {
	for _, n := range a.c.imp.Named(pkg) {
		p, err := a.c.imp.Import(n)
		if err != nil {
			continue
		}
		if m := nearest(member, exported(p)); m != "" {
			return fmt.Sprintf("did you mean %s.%s?", pkg, m)
		}
	}
	return ""
}

func exported(p *types.Package) []string {
	var names []string
	for _, n := range p.Scope().Names() {
		if token.IsExported(n) {
			names = append(names, n)
		}
	}
	return names
}

// hintMember is for x.name when x has no such field or method.
func (a *attempt) hintMember(pos token.Pos, name string) string {
	t := a.selected(pos)
	if t == nil {
		return ""
	}
	var names []string
	for _, m := range a.c.members(t) {
		names = append(names, m.Name())
	}
	if h := a.hintFunction(pos, t, name); h != "" {
		return h
	}
	owner := a.hasMethod(t, name)
	if owner == "KeyedStream" || owner == "WindowedStream" && a.c.IsStream(t) {
		h := fmt.Sprintf("%s needs a keyed stream: call KeyBy first", name)
		if owner == "WindowedStream" {
			h = fmt.Sprintf("%s needs a window: call KeyBy and Window first", name)
		}
		for _, n := range names {
			if n == name+"All" {
				h += ", or use " + n
			}
		}
		return h
	}
	if h := a.hintFlinkMember(t, name, names); h != "" {
		return h
	}
	if n := nearest(name, names); n != "" {
		return fmt.Sprintf("did you mean %s?", n)
	}
	if step := a.stepTo(t, name); step != "" {
		return fmt.Sprintf("call %s before %s", step, name)
	}
	if strings.Contains(owner, "Stream") {
		return fmt.Sprintf("%s is a method of %s", name, owner)
	}
	return ""
}

// hintFunction is for x.name(...) where a function does it: of package slices, maps or strings, or built in.
func (a *attempt) hintFunction(pos token.Pos, t types.Type, name string) string {
	kind, x := "", ""
	switch u := t.Underlying().(type) {
	case *types.Slice:
		kind = "slices"
	case *types.Map:
		kind = "maps"
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			kind = "strings"
		}
	}
	ast.Inspect(a.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Pos() == pos {
			x = types.ExprString(sel.X)
		}
		return x == ""
	})
	switch word := strings.ToLower(name); {
	case kind == "" || len(x) > 30:
		return ""
	case word == "len" || word == "length" || word == "size" || word == "count" && kind != "strings":
		return fmt.Sprintf("it is a function: len(%s)", x)
	case kind == "slices" && (word == "append" || word == "add" || word == "push"):
		return fmt.Sprintf("it is a function: %s = append(%s, ...)", x, x)
	}
	p, err := a.c.imp.Import(kind)
	if err != nil {
		return ""
	}
	f, ok := p.Scope().Lookup(upper(name)).(*types.Func)
	switch {
	case !ok:
		return ""
	case f.Signature().Params().Len() > 1:
		x += ", ..."
	}
	return fmt.Sprintf("it is a function: %s.%s(%s)", kind, f.Name(), x)
}

// stepTo is the method of t, a half of a join or the like, whose result has the method name.
func (a *attempt) stepTo(t types.Type, name string) string {
	if a.c.IsStream(t) || libraryNamed(t) == nil {
		return ""
	}
	for _, m := range a.c.members(t) {
		f, ok := m.(*types.Func)
		if !ok || f.Signature().Results().Len() != 1 {
			continue
		}
		if o, _, _ := types.LookupFieldOrMethod(f.Signature().Results().At(0).Type(), true, a.c.pkg, name); o != nil {
			return f.Name()
		}
	}
	return ""
}

// selected is the type of x in the selector x.name whose name stands at pos.
func (a *attempt) selected(pos token.Pos) (t types.Type) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Pos() == pos {
			t = a.info.Types[sel.X].Type
		}
		return t == nil
	})
	return t
}

// hasMethod finds the type of the library that has the method which a value of type t lacks; empty when t is not of the
// library.
func (a *attempt) hasMethod(t types.Type, name string) string {
	if libraryNamed(t) == nil {
		return ""
	}
	return a.methodOwner(name)
}

// methodOwner finds a type of the library that has a method; empty: there is none.
func (a *attempt) methodOwner(name string) string {
	if a.c.lib == nil {
		return ""
	}
	for _, n := range append([]string{"KeyedStream", "WindowedStream"}, exported(a.c.lib)...) {
		tn, ok := a.c.lib.Scope().Lookup(n).(*types.TypeName)
		if !ok || strings.HasPrefix(n, "Tuple") {
			continue
		}
		nt, ok := tn.Type().(*types.Named)
		if !ok {
			continue
		}
		for i := range nt.NumMethods() {
			if nt.Method(i).Name() == name {
				return n
			}
		}
	}
	return ""
}

// hintField is for a struct literal with an unknown field.
func (a *attempt) hintField(pos token.Pos, name string) string {
	var names []string
	ast.Inspect(a.file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, el := range lit.Elts {
			kv, ok := el.(*ast.KeyValueExpr)
			if !ok || kv.Key.Pos() != pos {
				continue
			}
			if t := a.info.Types[lit].Type; t != nil {
				if st, ok := t.Underlying().(*types.Struct); ok {
					for i := range st.NumFields() {
						names = append(names, st.Field(i).Name())
					}
				}
			}
		}
		return true
	})
	if n := nearest(name, names); n != "" {
		return fmt.Sprintf("did you mean %s?", n)
	}
	if len(names) > 0 && len(names) <= 8 {
		return "its fields are " + strings.Join(names, ", ")
	}
	return ""
}

var numeric = map[string]bool{"int": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "float32": true, "float64": true, "byte": true, "rune": true}

// hintMismatch is for x op y of different types.
func hintMismatch(x, y string, untyped bool) string {
	switch {
	case numeric[x] && numeric[y] && !untyped:
		if x == "float64" || y == "float64" {
			return "convert one side, as in float64(x)"
		}
		return fmt.Sprintf("convert one side, as in %s(x)", x)
	case x == "string" && numeric[y] || y == "string" && numeric[x]:
		return "make a string of the number, as in strconv.Itoa(n) or fmt.Sprint(n)"
	case strings.HasSuffix(x, "Duration") && numeric[y] || strings.HasSuffix(y, "Duration") && numeric[x]:
		return "convert the number, as in time.Duration(n) * time.Second"
	}
	return ""
}

// hintConvert is for a value of basic type from in the place of one of type to.
func hintConvert(x, from, to string) string {
	if len(x) > 30 {
		x = "x"
	}
	switch {
	case numeric[from] && numeric[to]:
		return fmt.Sprintf("convert it: %s(%s)", to, x)
	case numeric[from] && to == "string":
		return fmt.Sprintf("convert it: fmt.Sprint(%s)", x)
	case from == "string" && to == "int":
		return fmt.Sprintf("convert it: strconv.Atoi(%s) gives an int and an error", x)
	case from == "string" && to == "float64":
		return fmt.Sprintf("convert it: strconv.ParseFloat(%s, 64) gives a float64 and an error", x)
	}
	return ""
}

// hintStale is for messages that name a type of which there are several generations.
func (a *attempt) hintStale(msg string) string {
	stale := maps.Clone(a.st.stale)
	for name := range localTypes(a.items, a.kept) {
		if _, ok := a.st.objs[name].(*types.TypeName); ok {
			stale[name]++
		}
	}
	if m := sameNamed.FindStringSubmatch(msg); m != nil && m[1] != m[2] {
		return "" // Word and *Word differ by more than their age
	}
	for _, name := range slices.Sorted(maps.Keys(stale)) {
		if m := lacks.FindStringSubmatch(msg); m != nil && stale[name] > 0 && m[1]+m[3] == name && a.st.text[name+"."+m[2]+m[4]] != "" {
			return fmt.Sprintf("%s was declared again: its method %s is to be declared again, too", name, m[2]+m[4])
		}
		if stale[name] > 0 && mentions(msg, name) > 1 && ageMatters.MatchString(msg) {
			return fmt.Sprintf("%s was declared again: values made before still have the old %s; make them anew", name, name)
		}
	}
	return ""
}

// mentions counts name as a word of msg.
func mentions(msg, name string) int {
	return len(regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).FindAllString(msg, -1))
}
