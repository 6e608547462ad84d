// The text of declarations, for those who ask where a name comes from.

package check

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// recordText keeps the text of each declaration.
func (a *attempt) recordText() {
	for _, it := range a.items {
		names := declares(it)
		if len(names) == 0 {
			continue
		}
		text := a.s.declarationText(it)
		for _, n := range names {
			a.st.text[n] = text
		}
	}
}

// declarationText is an item as it stands in the cell, with the comment lines above it.
func (s *source) declarationText(it *Item) string {
	from, to := it.Pos(), token.NoPos
	switch {
	case it.Decl != nil:
		to = it.Decl.End()
	case it.Spec != nil:
		to = it.Spec.End()
	default:
		to = it.Stmt.End()
	}
	p, q := s.fset.Position(from), s.fset.Position(to)
	lines := strings.Split(s.src, "\n")
	if p.Filename != s.file || p.Line > len(lines) || q.Line > len(lines) || q.Line < p.Line {
		return ""
	}
	first, last := lines[p.Line-1], lines[q.Line-1]
	if head := first[:min(p.Column-1, len(first))]; it.Spec != nil && strings.HasSuffix(strings.TrimSpace(head), "var") {
		p.Column = strings.LastIndex(head, "var") + 1
	}
	text := slices.Clone(lines[p.Line-1 : q.Line])
	text[len(text)-1] = last[:min(q.Column-1, len(last))]
	text[0] = text[0][min(p.Column-1, len(text[0])):]
	above := p.Line - 1
	for above > 0 && strings.HasPrefix(strings.TrimSpace(lines[above-1]), "//") {
		above--
	}
	return strings.Join(append(lines[above:p.Line-1:p.Line-1], text...), "\n")
}

// Source is the text of the declaration that a name means now: a variable, function, type, or Type.Method. A type is
// followed by its methods. It is empty when no cell declared the name.
func (c *Checker) Source(name string) string {
	text := c.declared(name)
	if text == "" {
		return ""
	}
	all := []string{text}
	var methods []string
	for n := range c.st.text {
		if strings.HasPrefix(n, name+".") && c.declared(n) != "" {
			methods = append(methods, n)
		}
	}
	slices.Sort(methods)
	for _, n := range methods {
		all = append(all, c.st.text[n])
	}
	return strings.Join(slices.Compact(all), "\n\n")
}

// declared is the text of what a name means now. A type that was declared again has lost the methods that it had.
func (c *Checker) declared(name string) string {
	typ, method, ok := strings.Cut(name, ".")
	if !ok {
		return c.st.text[name]
	}
	tn, ok := c.st.objs[typ].(*types.TypeName)
	if !ok {
		return ""
	}
	if n, ok := types.Unalias(tn.Type()).(*types.Named); ok {
		for m := range n.Methods() {
			if m.Name() == method {
				return c.st.text[name]
			}
		}
	}
	return ""
}

// Comment is what the cells say about a name in the comment above its declaration: its first sentence.
func (c *Checker) Comment(name string) string { return sentence(c.declared(name)) }

// sentence is the first sentence of the comment lines that text begins with.
func sentence(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			break
		}
		words = append(words, strings.TrimSpace(rest))
	}
	s := strings.TrimSpace(strings.Join(words, " "))
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i+1]
	}
	return s
}
