package kernel

import (
	"context"
	"fmt"
	"strings"

	"flinkish/interp/symbols"
)

// docMax is how many names of the library one question may find.
const docMax = 12

// Doc is the declaration of a name and what the library says about it. A name without a dot, such as Reduce, finds the
// methods of that name too; a variable's method, such as counts.Reduce, finds that of its type.
func (k *Kernel) Doc(ctx context.Context, name string) (string, error) {
	var b strings.Builder
	declared, err := k.TypeOf(ctx, name)
	if err == nil {
		fmt.Fprintf(&b, "%s\n", declared)
	}
	if text := k.comment(name); text != "" {
		fmt.Fprintf(&b, "    %s\n", text)
	}
	found := documented(name)
	if len(found) == 0 && err == nil {
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			found = documented(name[i+1:])
		}
	}
	for i, n := range found {
		if i == docMax {
			fmt.Fprintf(&b, "%d more\n", len(found)-i)
			break
		}
		text, _ := symbols.Doc(n)
		fmt.Fprintf(&b, "%s\n    %s\n", n, text)
	}
	if b.Len() == 0 {
		return "", err
	}
	return b.String(), nil
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

// documented are the names of the library that name may mean.
func documented(name string) []string {
	if _, ok := symbols.Doc(name); ok && strings.Contains(name, ".") {
		return []string{name}
	}
	var found []string
	for _, n := range symbols.DocNames() {
		if n == name || !strings.Contains(name, ".") && strings.HasSuffix(n, "."+name) {
			found = append(found, n)
		}
	}
	return found
}
