package differential

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "build the programs natively and store what they print")
	only   = flag.String("only", "", "run only programs whose group/name matches this regular expression")
)

// atLeast is how many programs the corpus promises.
const atLeast = 300

// TestDifferential runs every program in each form and compares with the stored native output.
func TestDifferential(t *testing.T) {
	all := load(t)
	if *only == "" && len(all) < atLeast {
		t.Errorf("the corpus has %d programs, want at least %d", len(all), atLeast)
	}
	chosen := regexp.MustCompile(*only)
	if *update {
		renew(t, all, chosen)
	}
	passed, failed := 0, 0
	for _, p := range all {
		if !chosen.MatchString(p.String()) {
			continue
		}
		ok := t.Run(p.String(), func(t *testing.T) {
			if diffs := differences(p); diffs != "" {
				t.Error(diffs)
			}
		})
		if ok {
			passed++
		} else {
			failed++
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
}

// renew stores what the chosen programs print natively.
func renew(t *testing.T, all []program, chosen *regexp.Regexp) {
	t.Helper()
	var at []int
	var ps []program
	for i, p := range all {
		if chosen.MatchString(p.String()) {
			at, ps = append(at, i), append(ps, p)
		}
	}
	wants, err := native(t.TempDir(), ps)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range wants {
		all[at[i]].Want = w
	}
	store(t, all)
}

// differences runs a program in each form; empty when all print what is wanted.
func differences(p program) string {
	var b strings.Builder
	for _, f := range forms {
		cells := f.cells(p.Source)
		if cells == nil {
			continue
		}
		got, err := runCells(cells)
		if err != nil {
			fmt.Fprintf(&b, "as %s: %v\n", f.name, err)
		} else if got != p.Want {
			fmt.Fprintf(&b, "as %s: got\n%swant\n%s", f.name, indent(got), indent(p.Want))
		}
	}
	return b.String()
}

func indent(s string) string {
	if s == "" {
		return "\t(nothing)\n"
	}
	return "\t" + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n\t") + "\n"
}
