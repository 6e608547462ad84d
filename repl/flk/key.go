package flk

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keyer finds the value of the key column in a line. Columns are separated by tabs, by two blanks or more, as tables
// are, or by commas in (a,1); else by single blanks. A named column is looked up in the first line, and where that has
// no such name, as name: or name= in the line itself.
type keyer struct {
	col    string
	index  int            // from 0; -1: not in columns
	named  *regexp.Regexp // finds name: or name=, when not in columns
	header string
}

// withHeader is the keyer for these lines.
func (k keyer) withHeader(lines []string) keyer {
	k.index, k.header = -1, ""
	if n, err := strconv.Atoi(k.col); err == nil && n > 0 {
		k.index = n - 1
	} else if len(lines) > 0 {
		if k.index = slices.Index(columns(lines[0]), k.col); k.index >= 0 {
			k.header = lines[0]
		}
	}
	if k.index < 0 {
		k.named = regexp.MustCompile(`\b` + regexp.QuoteMeta(k.col) + `[:=]\s*("[^"]*"|[^\s,})\]]*)`)
	}
	return k
}

// key is the key of line number i. A line without one is a key of its own.
func (k keyer) key(i int, line string) string {
	if i == 0 && k.header != "" {
		return "header"
	}
	if k.index < 0 {
		if m := k.named.FindStringSubmatch(line); m != nil {
			return "key " + m[1]
		}
		return "line " + line
	}
	if c := columns(line); k.index < len(c) {
		return "key " + c[k.index]
	}
	return "line " + line
}

// fold keeps the last pattern for each key, and gaps.
func (k keyer) fold(want []pattern) []pattern {
	kw := k.withHeader(texts(want))
	last := map[string]int{}
	for i, w := range want {
		last[kw.key(i, w.text)] = i
	}
	var out []pattern
	for i, w := range want {
		if w.isGap() || last[kw.key(i, w.text)] == i {
			out = append(out, w)
		}
	}
	return out
}

// lastOf keeps the last line for each key, in order of the first.
func lastOf(lines []string, k keyer) []string {
	at := map[string]int{}
	var out []string
	for i, l := range lines {
		key := k.key(i, l)
		if j, ok := at[key]; ok {
			out[j] = l
			continue
		}
		at[key] = len(out)
		out = append(out, l)
	}
	return out
}

var wide = regexp.MustCompile(`\s{2,}|\t`)

// columns splits one line of output.
func columns(line string) []string {
	line = strings.TrimSpace(line)
	switch {
	case wide.MatchString(line):
		return wide.Split(line, -1)
	case strings.HasPrefix(line, "(") && strings.HasSuffix(line, ")"):
		cols := strings.Split(line[1:len(line)-1], ",")
		for i := range cols {
			cols[i] = strings.TrimSpace(cols[i])
		}
		return cols
	}
	return strings.Fields(line)
}
