// Wording the errors of go/types for a cell.

package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

var (
	renamedVar  = regexp.MustCompile(`·\d+\b`)
	lateName    = regexp.MustCompile(`\b[\pL_][\pL\d_]*·([\pL_])`)
	declaredAt  = regexp.MustCompile(` \(declared at [^)]*\)`)
	inputOther  = regexp.MustCompile(`(?s)(as Stream\[.*?\] value in argument to [\w.]+): .* does not implement Stream\[.*`)
	libraryName = regexp.MustCompile(`\bdataflow\.([\pL_])`)
)

// plain is msg without the names and qualifiers that users did not write.
func (c *Checker) plain(msg string) string {
	msg = renamedVar.ReplaceAllString(msg, "")
	msg = lateName.ReplaceAllString(msg, "$1")
	msg = declaredAt.ReplaceAllString(msg, "")
	msg = libraryName.ReplaceAllString(msg, "$1")
	msg = c.published.Replace(msg)
	return inputOther.ReplaceAllString(msg, "$1")
}

// publishedNames maps types of the library's internal packages to the names that the library gives them.
func (c *Checker) publishedNames() *strings.Replacer {
	names := map[string]string{}
	for _, n := range c.lib.Scope().Names() {
		tn, ok := c.lib.Scope().Lookup(n).(*types.TypeName)
		if !ok || !tn.Exported() || !tn.IsAlias() {
			continue
		}
		if o, ok := types.Unalias(tn.Type()).(*types.Named); ok && internal(o.Obj().Pkg()) {
			pkg := o.Obj().Pkg()
			names[pkg.Name()+"."+o.Obj().Name()] = n
			names[`"`+pkg.Path()+`".`+o.Obj().Name()] = n
		}
	}
	var pairs []string
	for _, from := range slices.Backward(slices.Sorted(maps.Keys(names))) { // a name before its prefixes
		pairs = append(pairs, from, names[from])
	}
	return strings.NewReplacer(pairs...)
}

func internal(p *types.Package) bool {
	return p != nil && strings.HasPrefix(p.Path(), library+"/internal/")
}

// oneLine joins the lines of a message.
var oneLine = strings.NewReplacer("\n\t\thave", "; have", "\n\t\twant", ", want", "\n\thave", "; have", "\n\twant", ", want", "\n\t", " ", "\n", " ")

// refused says why a package that a cell uses without importing it is not allowed; empty: the error is another one.
func (a *attempt) refused(te types.Error) string {
	m := undefinedName.FindStringSubmatch(te.Msg)
	if m == nil || a.c.Allow == nil || !a.qualifies(te.Pos) {
		return ""
	}
	for _, path := range append(a.c.imp.Named(m[1]), unavailable[m[1]]) {
		if err := a.c.Allow(path); err != nil {
			return err.Error()
		}
	}
	return ""
}

// typeError turns an error of go/types into one of the cell.
func (a *attempt) typeError(te types.Error) *Error {
	te = a.countResults(te)
	pos, end := te.Pos, errorEnd(te)
	if n := a.nodeAt(pos); n != nil && !end.IsValid() {
		end = n.End()
	}
	e := a.s.errorPos(pos, end, a.c.plain(te.Msg))
	e.Msg = strings.ReplaceAll(oneLine.Replace(e.Msg), a.s.file+":", "")
	if why := a.refused(te); why != "" {
		e.Msg, e.Kind = why, Unsupported
		return e
	}
	if e.Hint, e.instead = a.hintForm(te); e.Hint == "" {
		e.Hint = a.hint(te)
	}
	return e
}

// countResults words the error of k := f(), where f has several results, as Go does in a function.
func (a *attempt) countResults(te types.Error) types.Error {
	if !strings.HasPrefix(te.Msg, "multiple-value ") {
		return te
	}
	for _, it := range a.items {
		if it.Kind != VarItem || len(it.Spec.Names) != 1 || len(it.Spec.Values) != 1 || it.Spec.Values[0].Pos() != te.Pos {
			continue
		}
		call, ok := ast.Unparen(it.Spec.Values[0]).(*ast.CallExpr)
		if !ok {
			return te
		}
		s, ok := a.info.Types[call.Fun].Type.(*types.Signature)
		if !ok {
			return te
		}
		msg := fmt.Sprintf("assignment mismatch: 1 variable but %s returns %d values", types.ExprString(call.Fun), s.Results().Len())
		return types.Error{Fset: te.Fset, Pos: it.Spec.Names[0].Pos(), Msg: msg}
	}
	return te
}

// errorEnd is where the marked text ends. go/types knows, but does not say so publicly.
func errorEnd(te types.Error) token.Pos {
	f := reflect.ValueOf(te).FieldByName("go116end")
	if !f.IsValid() || !f.CanInt() || token.Pos(f.Int()) <= te.Pos {
		return token.NoPos
	}
	return token.Pos(f.Int())
}

// nodeAt is the smallest identifier or literal that begins at pos.
func (a *attempt) nodeAt(pos token.Pos) (found ast.Node) {
	ast.Inspect(a.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident, *ast.BasicLit:
			if n.Pos() == pos {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// qualify writes type names as the user would: those of the session and the library without package.
func (c *Checker) qualify(p *types.Package) string {
	if p == c.pkg || p == c.lib {
		return ""
	}
	return p.Name()
}

// TypeString writes a type as the user would.
func (c *Checker) TypeString(t types.Type) string {
	return c.published.Replace(types.TypeString(t, c.qualify))
}
