// Types: what yaegi knows a type of the user as.

package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"

	"flinkish/interp/rt"
	"flinkish/interp/symbols/erase"
)

const libPath = "flinkish/dataflow"

func sortBy[T any](s []T, less func(a, b T) bool) {
	sort.Slice(s, func(i, j int) bool { return less(s[i], s[j]) })
}

func refuse(pos token.Pos, f string, a ...any) string {
	panic(&Error{Pos: pos, Msg: fmt.Sprintf(f, a...)})
}

// isUser reports whether t is a named type whose layout is ours: declared in a cell or in our std sources,
// or a value struct of the library.
func (l *Lowerer) isUser(t types.Type) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	if p := n.Obj().Pkg(); p == l.pkg || p.Path() == "main" || isValueStruct(n) || l.srcs.has(p) {
		return n
	}
	return nil
}

// isValueStruct reports whether n is one of the library's generic value structs, which are laid out for each
// instance instead of being erased.
func isValueStruct(n *types.Named) bool {
	if !isLibPkg(n.Obj().Pkg()) || n.TypeArgs().Len() == 0 {
		return false
	}
	return classOf(n) == erase.Value
}

func isLibPkg(p *types.Package) bool {
	return p != nil && (p.Path() == libPath || strings.HasPrefix(p.Path(), libPath+"/"))
}

// isLib reports whether t is a named type of the library that is not a value struct.
func isLib(t types.Type) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if ok && isLibPkg(n.Obj().Pkg()) && !isValueStruct(n) {
		return n
	}
	return nil
}

func isIface(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

func isNilType(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

// needsBox reports whether a value of t loses its type in an interface: yaegi's types have no names, and
// its struct fields other ones.
func (l *Lowerer) needsBox(t types.Type) bool {
	if isIface(t) {
		return false
	}
	return mentions(t, func(t types.Type) bool {
		switch u := t.(type) {
		case *types.Named:
			return l.isUser(u) != nil || isLib(u) != nil && u.TypeArgs().Len() > 0 || isSeq(u)
		case *types.Struct:
			return u.NumFields() > 0
		case *types.Interface:
			return u.NumMethods() > 0
		case *types.Signature:
			return u.Variadic()
		}
		return false
	})
}

// isSeq reports whether t is an iter.Seq or iter.Seq2, which is a plain function in the running program.
func isSeq(t *types.Named) bool {
	return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "iter"
}

// typ is the text of t.
func (e *emitter) typ(t types.Type) string {
	t = e.sub(t)
	if e.opaque(t) {
		if e.l.wholes.At(t) == nil {
			e.l.wholes.Set(t, true)
			e.l.out.wholes = append(e.l.out.wholes, t)
		}
		return "any"
	}
	return e.structure(t)
}

// structure is the text of t by what it is made of.
func (e *emitter) structure(t types.Type) string {
	switch t := t.(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.UntypedNil:
			return "any"
		case types.UnsafePointer:
			refuse(token.NoPos, "package unsafe is not available in a cell")
		}
		return types.Default(t).String()
	case *types.Pointer:
		return "*" + e.typ(t.Elem())
	case *types.Slice:
		return "[]" + e.typ(t.Elem())
	case *types.Array:
		if size := gcSizes.Sizeof(t.Elem()); size > 0 && t.Len() > rt.MaxRequest/size {
			err := &Error{Msg: fmt.Sprintf("an array of %d elements is too large for a cell", t.Len())}
			err.Pos, err.End = e.l.written(t)
			panic(err)
		}
		return fmt.Sprintf("[%d]%s", t.Len(), e.typ(t.Elem()))
	case *types.Map:
		return "map[" + e.typ(t.Key()) + "]" + e.typ(t.Elem())
	case *types.Chan:
		return chanText(t.Dir(), e.typ(t.Elem()))
	case *types.Signature:
		return "func" + e.sig(t, nil)
	case *types.Struct:
		return e.hoist("S", t, t)
	case *types.Interface:
		return "any"
	case *types.TypeParam:
		return refuse(t.Obj().Pos(), "type parameter %s is not known here", t)
	case *types.Named:
		return e.namedType(t)
	}
	return refuse(token.NoPos, "type %s is not supported in a cell", t)
}

// written is where the cell first writes the type t.
func (l *Lowerer) written(t types.Type) (pos, end token.Pos) {
	for x, tv := range l.info.Types {
		if tv.IsType() && (!pos.IsValid() || x.Pos() < pos) && types.Identical(tv.Type, t) {
			pos, end = x.Pos(), x.End()
		}
	}
	return pos, end
}

func chanText(d types.ChanDir, elem string) string {
	switch d {
	case types.SendOnly:
		return "chan<- " + elem
	case types.RecvOnly:
		return "<-chan " + elem
	}
	if strings.HasPrefix(elem, "<-") {
		return "chan (" + elem + ")"
	}
	return "chan " + elem
}

func (e *emitter) namedType(t *types.Named) string {
	if e.l.isUser(t) != nil {
		if u, ok := t.Underlying().(*types.Struct); ok {
			if c := e.l.compiledStruct(u); c != nil {
				return e.typ(c)
			}
			base, _, _ := strings.Cut(t.Obj().Name(), "[")
			return e.hoist(base, t, u)
		}
		if e.l.busy[t] {
			refuse(t.Obj().Pos(), "recursive type %s has no end, and a cell cannot run that", t.Obj().Name())
		}
		e.l.busy[t] = true
		defer delete(e.l.busy, t)
		return e.typ(t.Underlying())
	}
	if t.Obj().Pkg() == nil {
		return t.Obj().Name() // error, comparable
	}
	if isLib(t) != nil {
		return e.libType(t)
	}
	if t.TypeArgs().Len() > 0 {
		if isAtomic(t) {
			return "rtǃ.AtomicPointer"
		}
		if _, ok := t.Underlying().(*types.Signature); ok {
			return e.typ(t.Underlying())
		}
		return refuse(e.l.mentioned(t.Obj()), "generic type %s.%s is not available in a cell", t.Obj().Pkg().Name(), t.Obj().Name())
	}
	if fullName(t.Obj()) == "runtime.TypeAssertionError" {
		return "rtǃ.TypeAssertionError"
	}
	if !e.l.reachable(t) {
		return refuse(e.l.mentioned(t.Obj()), "type %s.%s is not available in a cell", t.Obj().Pkg().Name(), t.Obj().Name())
	}
	if path, name := knownAs(t); path != t.Obj().Pkg().Path() {
		return e.l.aliasPath(path) + "." + name
	}
	return e.l.alias(t.Obj().Pkg()) + "." + t.Obj().Name()
}

// compiledStruct is the type of the standard library of which a type of the user, with the underlying type u, was made: only
// that one has its fields. nil if the fields are the user's.
func (l *Lowerer) compiledStruct(u *types.Struct) *types.Named {
	for f := range u.Fields() {
		p := f.Pkg()
		if p == nil || p == l.pkg || p.Path() == "main" || isLibPkg(p) || l.srcs.has(p) {
			continue
		}
		for _, name := range p.Scope().Names() {
			tn, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || !tn.Exported() || tn.Type().Underlying() != u {
				continue
			}
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
				return n
			}
		}
	}
	return nil
}

// mentioned is where the cell first says the name of an object; not valid if it does not.
func (l *Lowerer) mentioned(o types.Object) (first token.Pos) {
	for id, used := range l.info.Uses {
		if used == o && (!first.IsValid() || id.Pos() < first) {
			first = id.Pos()
		}
	}
	return first
}

// moved maps types of the standard library that live in a package which cells cannot import to the alias
// by which they are known.
var moved = map[string][2]string{
	"encoding/json/jsontext.Value":            {"encoding/json", "RawMessage"},
	"encoding/json/v2.Marshaler":              {"encoding/json", "Marshaler"},
	"encoding/json/v2.Unmarshaler":            {"encoding/json", "Unmarshaler"},
	"encoding/json/internal/jsonopts.Options": {"encoding/json", "Options"},
}

// knownAs is the package and the name by which a cell says t.
func knownAs(t *types.Named) (path, name string) {
	if m, ok := moved[fullName(t.Obj())]; ok {
		return m[0], m[1]
	}
	return t.Obj().Pkg().Path(), t.Obj().Name()
}

// reachable reports whether a cell can say all that t is made of.
func (l *Lowerer) reachable(t types.Type) bool {
	return !mentions(t, func(t types.Type) bool {
		n, ok := t.(*types.Named)
		if !ok || n.Obj().Pkg() == nil || l.isUser(n) != nil || isLib(n) != nil {
			return false
		}
		path, _ := knownAs(n)
		return !l.imp.Has(path)
	})
}

// hoist declares a struct type at top level, one for each identical type.
func (e *emitter) hoist(base string, t types.Type, u *types.Struct) string {
	if n, ok := e.l.structs.At(t).(string); ok {
		return n
	}
	n := e.l.fresh(base)
	e.l.structs.Set(t, n)
	busy := e.l.busy
	e.l.busy = map[types.Type]bool{} // what leads back to a struct ends at its name
	defer func() { e.l.busy = busy }()
	e.l.hoisting.Set(t, true)
	var b strings.Builder
	for i := range u.NumFields() {
		f := u.Field(i)
		fmt.Fprintf(&b, " %s %s", fieldName(f, i), e.typ(f.Type()))
		if tag := u.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
		b.WriteString(";")
	}
	fmt.Fprintf(&e.l.out.decls, "type %s struct {%s }\n", n, b.String())
	e.l.hoisting.Delete(t)
	e.begun(t)
	return n
}

func fieldName(f *types.Var, i int) string {
	if f.Name() == "_" {
		return fmt.Sprintf("blankǃ%d", i)
	}
	return f.Name()
}

// sig is the text of a signature after "func". Variadic functions take their last argument as a slice.
func (e *emitter) sig(t *types.Signature, names []string) string {
	var ps, rs []string
	for i := range t.Params().Len() {
		s := e.typ(t.Params().At(i).Type())
		if names != nil {
			s = names[i] + " " + s
		}
		ps = append(ps, s)
	}
	for i := range t.Results().Len() {
		rs = append(rs, e.typ(t.Results().At(i).Type()))
	}
	return "(" + strings.Join(ps, ", ") + ")" + resultText(rs)
}

func resultText(rs []string) string {
	switch len(rs) {
	case 0:
		return ""
	case 1:
		return " " + rs[0]
	}
	return " (" + strings.Join(rs, ", ") + ")"
}

// zero is an expression for the zero value of t.
func (e *emitter) zero(t types.Type) string {
	t = e.sub(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		}
		return e.typ(t) + "(0)"
	case *types.Struct, *types.Array:
		return e.typ(t) + "{}"
	}
	return e.l.helper(e, "zero", t, func(n string) string {
		return fmt.Sprintf("func %s() %s { var z %s; return z }\n", n, e.typ(t), e.typ(t))
	}) + "()"
}

// helper emits a function about type t once; make writes it.
func (l *Lowerer) helper(e *emitter, kind string, t types.Type, make func(name string) string) string {
	m := l.helpers[kind]
	if m == nil {
		m = &typeMap{}
		l.helpers[kind] = m
	}
	t = e.sub(t)
	if n, ok := m.At(t).(string); ok {
		return n
	}
	base, _, _ := strings.Cut(kind, " ")
	n := l.fresh(base)
	m.Set(t, n)
	text := make(n)
	l.out.decls.WriteString(text)
	return n
}
