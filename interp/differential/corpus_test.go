package differential

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// program is one case of the corpus.
type program struct {
	Group, Name string
	Source      string
	Want        string // what the native build prints
}

func (p program) String() string { return p.Group + "/" + p.Name }

// load reads all programs, in the order of the files, and what they should print.
func load(t *testing.T) []program {
	t.Helper()
	files, err := filepath.Glob("testdata/*.go.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in testdata: ", err)
	}
	sort.Strings(files)
	var all []program
	for _, f := range files {
		group := strings.TrimSuffix(filepath.Base(f), ".go.txt")
		wants := map[string]string{}
		for _, s := range sections(t, wantFile(group)) {
			wants[s[0]] = s[1]
		}
		seen := map[string]bool{}
		for _, s := range sections(t, f) {
			if seen[s[0]] {
				t.Fatalf("%s: two programs are called %q", f, s[0])
			}
			seen[s[0]] = true
			all = append(all, program{Group: group, Name: s[0], Source: s[1], Want: wants[s[0]]})
		}
	}
	return all
}

func wantFile(group string) string { return "testdata/" + group + ".want" }

// sections splits a file at the lines "=== name"; the line break before the next name belongs to no section. A
// missing file has none.
func sections(t *testing.T, file string) [][2]string {
	t.Helper()
	b, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var r [][2]string
	for _, s := range strings.Split("\n"+strings.TrimSuffix(string(b), "\n"), "\n=== ")[1:] {
		name, text, _ := strings.Cut(s, "\n")
		r = append(r, [2]string{name, text})
	}
	return r
}

// store writes the outputs of programs beside their groups.
func store(t *testing.T, all []program) {
	t.Helper()
	groups := map[string]*strings.Builder{}
	for _, p := range all {
		if groups[p.Group] == nil {
			groups[p.Group] = &strings.Builder{}
		}
		fmt.Fprintf(groups[p.Group], "=== %s\n%s\n", p.Name, p.Want)
	}
	for g, text := range groups {
		if err := os.WriteFile(wantFile(g), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
