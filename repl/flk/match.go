package flk

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"flinkish/interp/spell"
)

// Mode is how an expectation is compared.
type Mode string

// The match modes. In every mode "..." alone on a line stands for any lines, <<re>> inside a line for what the regular
// expression matches, and a line that equals the output literally matches whatever it contains.
const (
	Exact     Mode = "exact"     // line by line; blanks at the end of a line do not count
	Unordered Mode = "unordered" // the same lines in any order
	Regex     Mode = "regex"     // each line is a regular expression for one line
	Subset    Mode = "subset"    // every expected line is there, in any order
	Sequence  Mode = "sequence"  // the expected lines in their order, others may lie between
	PerKey    Mode = "perkey"    // perkey(col): in order for each value of a column, as keyed streams promise
	Final     Mode = "final"     // final(col): the last line for each value of a column
	Hash      Mode = "hash"      // "N lines sha256 HEX", for long outputs
)

var modes = []string{"exact", "unordered", "regex", "subset", "sequence", "perkey(column)", "final(column)", "hash"}

// Match is how one expectation is compared.
type Match struct {
	Mode Mode
	Col  string // name, or number from 1, of the key column of PerKey and Final
}

// ParseMatch reads the value of a match attribute.
func ParseMatch(s string) (Match, error) {
	name, rest, hasCol := strings.Cut(s, "(")
	col, closed := strings.CutSuffix(rest, ")")
	m := Match{Mode(name), strings.TrimSpace(col)}
	switch m.Mode {
	case Exact, Unordered, Regex, Subset, Sequence, Hash:
		if hasCol {
			return m, fmt.Errorf("match %s takes no column", name)
		}
		return m, nil
	case PerKey, Final:
		if !closed || m.Col == "" {
			return m, fmt.Errorf("match %s needs its key column: %s(page), or %s(1) for the first", name, name, name)
		}
		return m, nil
	}
	var words []string
	for _, w := range modes {
		words = append(words, strings.TrimSuffix(w, "(column)"))
	}
	if near := spell.Nearest(name, words); near != "" {
		return m, fmt.Errorf("unknown match mode %q: did you mean %s?", s, near)
	}
	return m, fmt.Errorf("unknown match mode %q: the modes are %s", s, strings.Join(modes, ", "))
}

func defaultMatch(k Kind) Match {
	if k == Error {
		return Match{Mode: Subset}
	}
	return Match{Mode: Exact}
}

// String is the mode as an attribute has it.
func (m Match) String() string {
	if m.Col != "" {
		return string(m.Mode) + "(" + m.Col + ")"
	}
	return string(m.Mode)
}

// Compare compares expected and real lines. The diff is all that was compared, in order, and holds no '-' and no '+'
// exactly when they match.
func (m Match) Compare(want, got []string) Diff {
	want, got = trimLines(want), trimLines(got)
	if slices.Equal(want, got) {
		return same(want)
	}
	w := compileAll(want, m.Mode == Regex)
	switch m.Mode {
	case Unordered:
		return anyOrder(w, got, false)
	case Subset:
		return near(anyOrder(w, got, true))
	case Sequence:
		return near(align(w, got, true))
	case PerKey:
		return m.perKey(w, got)
	case Final:
		k := keyer{col: m.Col}
		return anyOrder(k.fold(w), lastOf(got, k.withHeader(got)), false)
	case Hash:
		return align(w, []string{digest(got)}, false)
	}
	return near(align(w, got, false))
}

func trimLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = trimEnd(l)
	}
	return out
}

// digest is the one line that stands for many.
func digest(lines []string) string {
	h := sha256.New()
	for _, l := range lines {
		h.Write([]byte(l + "\n"))
	}
	return fmt.Sprintf("%d lines sha256 %x", len(lines), h.Sum(nil))
}

// perKey compares the lines of each key on their own.
func (m Match) perKey(want []pattern, got []string) Diff {
	free := slices.ContainsFunc(want, pattern.isGap)
	k := keyer{col: m.Col}
	kw, kg := k.withHeader(texts(want)), k.withHeader(got)
	var order []string
	wants, gots := map[string][]pattern{}, map[string][]string{}
	see := func(key string) {
		if wants[key] == nil && gots[key] == nil {
			order = append(order, key)
		}
	}
	keys := make([]string, len(got))
	for i, g := range got {
		keys[i] = kg.key(i, g)
	}
	for i, w := range want {
		if !w.isGap() {
			key := keyOf(w, kw.key(i, w.text), got, keys)
			see(key)
			wants[key] = append(wants[key], w)
		}
	}
	for i, g := range got {
		key := keys[i]
		see(key)
		gots[key] = append(gots[key], g)
	}
	var d Diff
	for _, key := range order {
		d = append(d, align(wants[key], gots[key], free)...)
	}
	return d
}

// keyOf is the key of an expected line: its own, or, if its pattern covers the key column too, that of the first real line
// that it matches.
func keyOf(w pattern, own string, got, keys []string) string {
	if w.re == nil || slices.Contains(keys, own) {
		return own
	}
	if i := slices.IndexFunc(got, w.matches); i >= 0 {
		return keys[i]
	}
	return own
}

// anyOrder pairs equal lines first and patterns with what is left. Extra lines are fine when asked for, or when the
// expectation has a gap. A pattern may take a line that another needs, so pairs are exchanged until no more fit.
func anyOrder(want []pattern, got []string, extra bool) Diff {
	left := map[string][]int{}
	for i, g := range got {
		left[g] = append(left[g], i)
	}
	owner := make([]int, len(got)) // index in want, from 1; 0: free
	var open []int
	for i, w := range want {
		switch free := left[w.text]; {
		case w.isGap():
			extra = true
		case len(free) > 0:
			owner[free[0]] = i + 1
			left[w.text] = free[1:]
		default:
			open = append(open, i)
		}
	}
	var place func(i int, tried []bool) bool
	place = func(i int, tried []bool) bool {
		for j, g := range got {
			if tried[j] || !want[i].matches(g) {
				continue
			}
			tried[j] = true
			if owner[j] == 0 || place(owner[j]-1, tried) {
				owner[j] = i + 1
				return true
			}
		}
		return false
	}
	missing := map[int]bool{}
	for _, i := range open {
		if want[i].re == nil || !place(i, make([]bool, len(got))) {
			missing[i] = true
		}
	}
	var d Diff
	for i, w := range want {
		if missing[i] {
			d = append(d, DiffLine{'-', w.text, ""})
		}
	}
	for j, g := range got {
		switch {
		case owner[j] > 0:
			d = append(d, DiffLine{' ', want[owner[j]-1].text, g})
		case extra:
			d = append(d, DiffLine{'.', "", g})
		default:
			d = append(d, DiffLine{'+', "", g})
		}
	}
	return d
}

// near turns the line that is most like each missing one, among those that may be there, into a '+', so that a reader
// sees what came instead.
func near(d Diff) Diff {
	if len(d) > 2000 {
		return d // too many pairs to look at
	}
	for i := range d {
		if d[i].Op != '-' {
			continue
		}
		best := -1
		for j := range d {
			if d[j].Op == '.' && (best < 0 || nearer(d, i, j, best)) {
				best = j
			}
		}
		if best >= 0 {
			d[best].Op = '+'
		}
	}
	return d
}

// nearer reports whether line j is more like the missing line i than the line best is: it holds all of it, by letters, then by a common
// start, then by its place.
func nearer(d Diff, i, j, best int) bool {
	want, a, b := cut(d[i].Want), cut(d[j].Got), cut(d[best].Got)
	if x, y := strings.Contains(a, want), strings.Contains(b, want); x != y && len(want) > 3 {
		return x
	}
	if x, y := spell.Distance(want, a, cutAt), spell.Distance(want, b, cutAt); x != y {
		return x < y
	}
	if x, y := common(want, a), common(want, b); x != y {
		return x > y
	}
	return abs(i-j) < abs(i-best)
}

// cutAt is how much of a line is compared, in bytes.
const cutAt = 200

func cut(s string) string { return s[:min(len(s), cutAt)] }

func abs(n int) int { return max(n, -n) }

// common is the length of the common start.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
