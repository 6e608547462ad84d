package command

// nearest is the name of the command that name was probably meant to be, or empty.
func nearest(name string) string {
	all := make([]string, len(table))
	for i, c := range table {
		all[i] = c.Name
	}
	return nearestOf(name, all)
}

// nearestOf is the word at the smallest distance, if that is small for a word of its length; the first of equals.
func nearestOf(word string, from []string) string {
	best, limit := "", 2+len(word)/3
	for _, f := range from {
		if d := distance(word, f); d < limit && d < len(f) {
			best, limit = f, d
		}
	}
	return best
}

// distance counts insertions, deletions, changes and swaps of neighbours.
func distance(a, b string) int {
	prev2, prev := []int(nil), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}
