package flk

import "slices"

// DiffLine is one line of a comparison.
type DiffLine struct {
	// Op is ' ' for an expected line that came, '-' for one that did not, '+' for a line that nobody expected,
	// and '.' for a line that may be there.
	Op   byte
	Want string // expected text, of ' ' and '-'
	Got  string // real text, of ' ', '+' and '.'
}

// Diff is a comparison, from what was wanted to what was got.
type Diff []DiffLine

// OK reports whether nothing differs.
func (d Diff) OK() bool {
	return !slices.ContainsFunc(d, func(l DiffLine) bool { return l.Op == '-' || l.Op == '+' })
}

func same(lines []string) Diff {
	d := make(Diff, len(lines))
	for i, l := range lines {
		d[i] = DiffLine{' ', l, l}
	}
	return d
}

// maxCells bounds the table that align fills, in bytes.
const maxCells = 8 << 20

// align finds the cheapest way from the expected to the real lines. A gap takes any lines for nothing; free takes them
// everywhere.
func align(want []pattern, got []string, free bool) Diff {
	head := 0
	for head < len(want) && head < len(got) && want[head].re == nil && want[head].text == got[head] &&
		!want[head].isGap() && !free {
		head++
	}
	d := same(got[:head])
	want, got = want[head:], got[head:]
	if (len(want)+1)*(len(got)+1) > maxCells {
		return append(d, blockwise(want, got)...)
	}
	return append(d, cheapest(want, got, free)...)
}

// blockwise is the coarse diff of outputs that are too long for a table.
func blockwise(want []pattern, got []string) Diff {
	var d Diff
	for i, g := range got {
		if i < len(want) && want[i].matches(g) {
			d = append(d, DiffLine{' ', want[i].text, g})
			continue
		}
		if i < len(want) {
			d = append(d, DiffLine{'-', want[i].text, ""})
		}
		d = append(d, DiffLine{'+', "", g})
	}
	for _, w := range want[min(len(got), len(want)):] {
		if !w.isGap() {
			d = append(d, DiffLine{'-', w.text, ""})
		}
	}
	return d
}

// Moves of align, from the end of both lists to their starts.
const (
	pair byte = iota
	drop      // the expected line is missing
	add       // the real line is not expected
	skip      // the real line may be there
	shut      // the gap ends
)

// cheapest fills the table of costs row by row, remembers the moves, and walks them back.
func cheapest(want []pattern, got []string, free bool) Diff {
	n, m := len(want), len(got)
	moves := make([]byte, (n+1)*(m+1))
	cost, before := make([]int, m+1), make([]int, m+1)
	for i := 0; i <= n; i++ {
		cost, before = before, cost
		open := free || i > 0 && want[i-1].isGap()
		for j := 0; j <= m; j++ {
			best, move := 1<<30, pair
			try := func(c int, how byte) {
				if c < best {
					best, move = c, how
				}
			}
			if i > 0 && j > 0 && want[i-1].matches(got[j-1]) {
				try(before[j-1], pair)
			}
			if i > 0 && want[i-1].isGap() {
				try(before[j], shut)
			}
			if j > 0 && open {
				try(cost[j-1], skip)
			}
			if j > 0 {
				try(cost[j-1]+1, add)
			}
			if i > 0 {
				try(before[j]+1, drop)
			}
			if i == 0 && j == 0 {
				best = 0
			}
			cost[j], moves[i*(m+1)+j] = best, move
		}
	}
	var d Diff
	for i, j := n, m; i > 0 || j > 0; {
		switch moves[i*(m+1)+j] {
		case pair:
			i, j = i-1, j-1
			d = append(d, DiffLine{' ', want[i].text, got[j]})
		case drop:
			i--
			d = append(d, DiffLine{'-', want[i].text, ""})
		case shut:
			i--
			d = append(d, DiffLine{' ', want[i].text, ""})
		case add:
			j--
			d = append(d, DiffLine{'+', "", got[j]})
		case skip:
			j--
			d = append(d, DiffLine{'.', "", got[j]})
		}
	}
	slices.Reverse(d)
	return d
}
