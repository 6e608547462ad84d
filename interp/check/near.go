// Near misses.

package check

import "strings"

// nearest is the name that a misspelt one probably meant; empty: none is near. Ties go to the
// first in alphabetical order.
func nearest(name string, names []string) string {
	best, at := "", 0
	for _, n := range names {
		if n == name || strings.Contains(n, "·") || len(n) == 1 {
			continue
		}
		limit := allowed(name, n)
		d := distance(strings.ToLower(name), strings.ToLower(n), limit)
		if d > limit {
			continue
		}
		if best == "" || d < at || d == at && n < best {
			best, at = n, d
		}
	}
	return best
}

// allowed is how far a name may be from what was meant. Letters left out count less: Cnt is Count.
func allowed(name, meant string) int {
	switch n := len(name); {
	case n <= 2:
		return 1
	case n <= 4:
		rest := strings.ToLower(meant)
		for _, r := range strings.ToLower(name) {
			i := strings.IndexRune(rest, r)
			if i < 0 {
				return 1
			}
			rest = rest[i+1:]
		}
		return 2
	case n <= 7:
		return 2
	}
	return 3
}

// distance is the number of insertions, deletions, substitutions and swaps of neighbours that turn a into
// b; more than limit may be any number above it.
func distance(a, b string, limit int) int {
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
