// Completion: the cell is cut at the cursor, closed, and checked with a name that nobody has in the place
// of the word. What go/types then knows about that place are the candidates.

package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// placeholder is a Go identifier that users do not write.
const placeholder = "completeǃ"

// Complete lists what may stand at byte offset pos of src, the likely ones first: members after a dot,
// else fields of the struct literal, local names, names of the session, of the library, packages and
// keywords. It runs nothing and never fails.
func (c *Checker) Complete(src string, pos int) (list []Candidate) {
	pos = min(max(pos, 0), len(src))
	start := pos
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(src[:start])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= n
	}
	word := src[start:pos]
	if sc := scanSource(src[:start]); word != "" && unicode.IsDigit(rune(word[0])) || len(sc.errs) > 0 || sc.extra != nil {
		return nil
	}
	c.rollback()
	defer c.rollback()
	defer func() {
		if recover() != nil { // go/types met half a cell that it cannot stand: no candidates
			list = nil
		}
	}()
	for _, tail := range []string{"", "{}", ";{}"} { // the last two close a header without a block
		a, at := c.place(src[:start], tail)
		if at == nil {
			continue
		}
		list = a.candidates(at)
		break
	}
	return choose(list, word, start)
}

// place checks the cell up to the cursor. at is the path to the placeholder, innermost first; nil when
// the parser dropped it.
func (c *Checker) place(before, tail string) (a *attempt, at []ast.Node) {
	var b strings.Builder
	b.WriteString(before + placeholder + tail)
	sc := scanSource(b.String())
	for _, t := range slices.Backward(sc.open) {
		switch t.tok {
		case token.LPAREN:
			b.WriteString(")")
		case token.LBRACK:
			b.WriteString("]")
		case token.LBRACE:
			b.WriteString("}")
		}
	}
	s := newSource(c.fset, "", 0, b.String())
	items, _ := s.parse(true)
	for _, it := range items {
		if it.Kind == VarItem { // half a program may have half a declaration
			it.Spec.Names = slices.DeleteFunc(it.Spec.Names, func(id *ast.Ident) bool { return id == nil })
		}
	}
	a = &attempt{c: c, s: s, st: c.st.clone(), items: items}
	if e := a.run(); e != nil || a.file == nil {
		return nil, nil
	}
	a.abandonLater()
	return a, pathTo(a.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == placeholder
	})
}

// pathTo finds a node and its ancestors, the node first.
func pathTo(root ast.Node, is func(ast.Node) bool) (path []ast.Node) {
	var stack []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return false
		}
		stack = append(stack, n)
		if path == nil && is(n) {
			path = slices.Clone(stack)
			slices.Reverse(path)
		}
		return true
	})
	return path
}

func (a *attempt) candidates(at []ast.Node) []Candidate {
	if len(at) > 1 {
		switch parent := at[1].(type) {
		case *ast.SelectorExpr:
			if parent.Sel == at[0] {
				return a.memberCandidates(parent.X)
			}
		case *ast.CompositeLit:
			return append(a.fieldCandidates(parent), a.nameCandidates(at[0].Pos())...)
		case *ast.CallExpr:
			return append(a.literalCandidates(at[0], parent), a.nameCandidates(at[0].Pos())...)
		case *ast.KeyValueExpr:
			if lit, ok := at[2].(*ast.CompositeLit); ok && parent.Key == at[0] {
				return a.fieldCandidates(lit)
			}
		}
	}
	return a.nameCandidates(at[0].Pos())
}

func (a *attempt) memberCandidates(x ast.Expr) []Candidate {
	if id, ok := x.(*ast.Ident); ok {
		if p, ok := a.info.Uses[id].(*types.PkgName); ok {
			return a.packageCandidates(p)
		}
	}
	t := a.info.Types[x].Type
	if t == nil || t == types.Typ[types.Invalid] {
		return nil
	}
	var list []Candidate
	for _, o := range a.c.members(t) {
		list = append(list, a.candidate(o))
	}
	return list
}

// packageCandidates lists the names of a package; of all with that name when the cell has imported none
// of them.
func (a *attempt) packageCandidates(p *types.PkgName) []Candidate {
	pkgs := []*types.Package{p.Imported()}
	if slices.Contains(a.implicit, p) {
		for _, path := range a.c.imp.Named(p.Name())[1:] {
			if pkg, err := a.importPath(path); err == nil {
				pkgs = append(pkgs, pkg)
			}
		}
	}
	var list []Candidate
	seen := map[string]bool{}
	for _, pkg := range pkgs {
		for _, n := range exported(pkg) {
			if !seen[n] {
				seen[n] = true
				list = append(list, a.candidate(pkg.Scope().Lookup(n)))
			}
		}
	}
	return list
}

func (a *attempt) fieldCandidates(lit *ast.CompositeLit) []Candidate {
	t := a.info.Types[lit].Type
	if t == nil {
		return nil
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var list []Candidate
	for i := range st.NumFields() {
		if f := st.Field(i); f.Exported() || f.Pkg() == a.c.pkg {
			list = append(list, a.candidate(f))
		}
	}
	return list
}

// nameCandidates lists the names visible at pos, from the inside out.
func (a *attempt) nameCandidates(pos token.Pos) []Candidate {
	var list []Candidate
	seen := map[string]bool{placeholder: true, "_": true}
	for s := a.scopeAt(pos); s != nil; s = s.Parent() {
		local := s != a.c.pkg.Scope() && s != a.scope && s != types.Universe
		for _, n := range s.Names() {
			o := s.Lookup(n)
			if seen[n] || strings.ContainsAny(n, "·ǃ") {
				continue
			}
			if local {
				if _, o = s.LookupParent(n, pos); o == nil {
					continue
				}
			}
			seen[n] = true
			list = append(list, a.candidate(o))
		}
	}
	for _, n := range a.c.imp.Names() {
		if !seen[n] {
			seen[n] = true
			list = append(list, Candidate{Text: n, Kind: "package", Detail: a.c.imp.Named(n)[0]})
		}
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		if t.IsKeyword() {
			list = append(list, Candidate{Text: t.String(), Kind: "keyword"})
		}
	}
	return list
}

// scopeAt is the innermost scope around pos; the package's when there is no other.
func (a *attempt) scopeAt(pos token.Pos) *types.Scope {
	inner := a.c.pkg.Scope()
	var size token.Pos
	for _, s := range a.info.Scopes {
		if n := s.End() - s.Pos(); s.Contains(pos) && (inner == a.c.pkg.Scope() || n < size) {
			inner, size = s, n
		}
	}
	return inner
}

func (a *attempt) candidate(o types.Object) Candidate {
	k := kindOf(o)
	if k == "import" {
		k = "package"
	}
	x := Candidate{Text: o.Name(), Kind: k, Detail: a.c.describe(o), Key: a.c.docKey(o), Doc: a.c.comment(o)}
	if k == "method" || k == "func" {
		x.Snippet = a.c.snippet(o)
	}
	return x
}

// choose keeps the candidates that begin with word, those in the same case first.
func choose(list []Candidate, word string, start int) []Candidate {
	var same, other []Candidate
	for _, x := range list {
		x.Start = start
		switch {
		case strings.HasPrefix(x.Text, word):
			same = append(same, x)
		case len(x.Text) >= len(word) && strings.EqualFold(x.Text[:len(word)], word):
			other = append(other, x)
		}
	}
	return append(same, other...)
}
