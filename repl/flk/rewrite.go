package flk

import "slices"

// Rewrite is the expectation that --update writes: want, if it matches; else the lines that came, with every pattern
// kept that still matches one. Comparing it with got finds no difference.
func (m Match) Rewrite(want, got []string) []string {
	if m.Compare(want, got).OK() {
		return want
	}
	got = trimLines(got)
	whole := m.Mode == Regex
	switch m.Mode {
	case Hash:
		return []string{digest(got)}
	case Final:
		got = lastOf(got, keyer{col: m.Col}.withHeader(got))
	}
	var out []string
	for _, l := range m.Compare(want, got) {
		switch l.Op {
		case ' ':
			out = append(out, l.Want)
		case '+':
			out = append(out, literal(l.Got, whole))
		case '.':
			if (m.Mode == Exact || whole) && !(pattern{text: out[len(out)-1]}).isGap() {
				out = append(out, gap)
			}
		}
	}
	switch m.Mode {
	case Unordered:
		out = append(out, gaps(want)...)
		slices.Sort(out)
	case PerKey:
		out = inOrderOf(got, m.Compare(want, got), gaps(want))
	}
	if len(got) > 0 && (len(out) == 0 || !m.Compare(out, got).OK()) {
		out = nil
		for _, g := range got {
			out = append(out, literal(g, whole))
		}
		if m.Mode == Unordered {
			slices.Sort(out)
		}
	}
	return out
}

// gaps is one gap if there is any.
func gaps(want []string) []string {
	for _, w := range want {
		if (pattern{text: w}).isGap() {
			return []string{gap}
		}
	}
	return nil
}

// inOrderOf puts the lines of a diff that was made key by key back into the order in which they came.
func inOrderOf(got []string, d Diff, tail []string) []string {
	waiting := map[string][]DiffLine{}
	for _, l := range d {
		if l.Op != '-' {
			waiting[l.Got] = append(waiting[l.Got], l)
		}
	}
	var out []string
	for _, g := range got {
		l := waiting[g][0]
		waiting[g] = waiting[g][1:]
		switch l.Op {
		case ' ':
			out = append(out, l.Want)
		case '+':
			out = append(out, literal(g, false))
		}
	}
	return append(out, tail...)
}
