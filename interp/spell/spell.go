// Package spell finds the name that a misspelt one was probably meant to be.
package spell

import (
	"slices"
	"strings"
	"unicode"
)

// Nearest is the name that a misspelt one probably meant; empty: none is near. Case does not matter. Ties go to the
// first in alphabetical order. A name of several words is also near one that has the same words, in another order or
// among a few others: JoinContext is ProcessJoinContext.
func Nearest(name string, names []string) string {
	best, at := nearestLetters(name, names)
	if at > 1 || best == "" {
		if n := nearestWords(name, names); n != "" {
			return n
		}
	}
	return best
}

func nearestLetters(name string, names []string) (string, int) {
	best, at := "", 0
	for _, n := range names {
		if n == name {
			continue
		}
		limit := allowed(name, n)
		d := Distance(strings.ToLower(name), strings.ToLower(n), limit)
		if d > limit {
			continue
		}
		if best == "" || d < at || d == at && n < best {
			best, at = n, d
		}
	}
	return best, at
}

// moreWords is how many words a name may have that were not written.
const moreWords = 2

// nearestWords is the name with all words of name and the fewest others.
func nearestWords(name string, names []string) string {
	wrote := words(name)
	if len(wrote) < 2 {
		return ""
	}
	best, more := "", moreWords+1
	for _, n := range names {
		has := words(n)
		if n == name || slices.ContainsFunc(wrote, func(w string) bool { return !slices.Contains(has, w) }) {
			continue
		}
		if d := len(has) - len(wrote); d < more || d == more && n < best {
			best, more = n, d
		}
	}
	return best
}

// words are the parts of a name that begin with a capital, in small letters.
func words(name string) []string {
	var all []string
	from := 0
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			all = append(all, strings.ToLower(name[from:i]))
			from = i
		}
	}
	return append(all, strings.ToLower(name[from:]))
}

// allowed is how far a name may be from what was meant. Letters left out count less: Cnt is Count. In a name of two
// letters another letter is another name: ws is not fs.
func allowed(name, meant string) int {
	switch n := len(name); {
	case n <= 2:
		if within(name, meant) || within(meant, name) || len(name) == len(meant) && sorted(name) == sorted(meant) {
			return 1
		}
		return 0
	case n <= 4:
		if within(name, meant) {
			return 2
		}
		return 1
	case n <= 7:
		return 2
	}
	return 3
}

// within reports whether b has all letters of a in their order.
func within(a, b string) bool {
	rest := strings.ToLower(b)
	for _, r := range strings.ToLower(a) {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+len(string(r)):]
	}
	return true
}

func sorted(s string) string {
	r := []rune(strings.ToLower(s))
	slices.Sort(r)
	return string(r)
}

// Distance is the number of insertions, deletions, substitutions and swaps of neighbours that turn a into
// b; more than limit may be any number above it.
func Distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return limit + 1
	}
	var prev2 []int
	prev := make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(y)]
}
