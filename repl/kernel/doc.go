package kernel

import (
	"context"
	"fmt"
	"go/doc/comment"
	"slices"
	"strings"

	"flinkish/interp/spell"
	"flinkish/interp/symbols"
)

// docMax is how many declarations of the library one question may find.
const docMax = 12

// Doc is the declaration of a name and its doc comment, of the cells, the library or a package. A name without a dot,
// such as Reduce, finds the methods of that name too; a variable's method, such as counts.Reduce, that of its type.
func (k *Kernel) Doc(ctx context.Context, name string) (string, error) {
	var b strings.Builder
	declared, err := k.TypeOf(ctx, name)
	if err == nil {
		// A name for a type of an inner package is written like that type.
		fmt.Fprintf(&b, "%s\n", strings.TrimSuffix(declared, fmt.Sprintf(" = %s", name)))
	}
	if text := k.comment(name); text != "" {
		b.WriteString(indented(text))
	}
	key := k.docKey(name)
	found := documented(name)
	if key != "" {
		found = []string{key}
	}
	switch {
	case len(found) == 1:
		if err != nil {
			fmt.Fprintf(&b, "%s\n", found[0])
		}
		text, _, _ := symbols.Doc(found[0])
		b.WriteString(indented(text))
		b.WriteString(listed("Constants", symbols.Constants(found[0])))
		b.WriteString(members(found[0]))
	case len(found) > 1:
		b.WriteString(synopses(found))
	}
	if b.Len() == 0 {
		return "", unknown(name, err)
	}
	return b.String(), nil
}

// unknown is err, or better where the documentation has the name elsewhere or a similar one.
func unknown(name string, err error) error {
	names := symbols.DocNames()
	if owner, method, ok := strings.Cut(name, "."); ok && slices.Contains(names, owner) {
		var others []string
		for _, n := range documented(method) {
			if strings.Contains(n, ".") {
				others = append(others, ":doc "+n)
			}
		}
		if len(others) > 0 && len(others) <= docMax {
			return fmt.Errorf("doc: %s has no %s; there is %s", owner, method, strings.Join(others, ", "))
		}
	}
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("doc: nothing is called %s: did you mean :doc %s?", name, near)
	}
	return err
}

// docKey is the name under which the documentation has what an expression of the next cell means.
func (k *Kernel) docKey(expr string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ready() != nil {
		return ""
	}
	return k.in.DocKey(expr)
}

// documented are the names of the library that name may mean, without those that are only promoted.
func documented(name string) []string {
	if _, _, ok := symbols.Doc(name); ok && strings.Contains(name, ".") {
		return []string{name}
	}
	var found []string
	for _, n := range symbols.DocNames() {
		if n != name && (strings.Contains(name, ".") || !strings.HasSuffix(n, "."+name)) {
			continue
		}
		if _, declared, _ := symbols.Doc(n); !slices.Contains(found, declared) {
			found = append(found, declared)
		}
	}
	return found
}

// synopses are the first sentences of several declarations.
func synopses(names []string) string {
	var b strings.Builder
	for i, n := range names {
		if i == docMax {
			fmt.Fprintf(&b, "%d more\n", len(names)-i)
			break
		}
		fmt.Fprintf(&b, "%s\n%s", n, indented(symbols.Synopsis(n)))
	}
	fmt.Fprintf(&b, ":doc %s shows all about one of them\n", names[0])
	return b.String()
}

// members names the methods of a type of the library.
func members(name string) string {
	var methods []string
	for _, n := range symbols.DocNames() {
		if m, ok := strings.CutPrefix(n, name+"."); ok {
			methods = append(methods, m)
		}
	}
	return listed("Methods", methods)
}

// listed is a paragraph that lists names; none for no names.
func listed(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "\n" + indented(what+": "+strings.Join(names, ", ")+".")
}

// indented is a doc comment for a screen of 80 columns: below its declaration, wrapped.
func indented(text string) string {
	if text == "" {
		return ""
	}
	p := comment.Parser{
		LookupPackage: func(name string) (path string, ok bool) { return name, true },
		LookupSym:     func(recv, name string) bool { return true },
	}
	out := &comment.Printer{TextPrefix: "    ", TextCodePrefix: "        ", TextWidth: 76}
	return string(out.Text(p.Parse(text)))
}

// comment is what the cells say about a name that they declared.
func (k *Kernel) comment(name string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ready() != nil {
		return ""
	}
	return k.in.Comment(name)
}

// Source is the text of a declaration.
func (k *Kernel) Source(_ context.Context, name string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return "", err
	}
	if text := k.in.Source(name); text != "" {
		return text, nil
	}
	return "", fmt.Errorf("source: no cell declared %s; :vars lists what there is, :doc tells about the library", name)
}

// Writable says why cells and commands may not write a path; nil: they may.
func (k *Kernel) Writable(path string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return err
	}
	return k.in.Writable(path)
}
