package viz

import (
	"fmt"
	"strings"
)

// Table is rows under headings, aligned by display width, without borders, so that a row can be copied.
type Table struct {
	Columns []Column
	Rows    [][]string // a short row leaves its last columns empty
	// Total is how many rows there are in all; more than len(Rows) when some were cut before.
	Total int
	// Marked is the row with the selection mark, counted from 1; 0: no room is kept for marks.
	Marked int
}

// Column is one column of a Table.
type Column struct {
	Title string
	Right bool // numbers
	Min   int  // terminal columns that it takes at least, so that changing numbers do not move others
	Max   int  // of its width; 0: none
}

const columnGap = "  "

// Draw lays the table out in width columns and at most rows lines, heading and the line that counts
// what is missing included; rows <= 0 means all. Columns that do not fit are shortened, the widest
// first, and then left out from the right.
func (t Table) Draw(width, rows int, g Glyphs) string {
	if len(t.Columns) == 0 || width <= 0 {
		return ""
	}
	margin := 0
	if t.Marked > 0 {
		margin = Width(g.set().mark) + 1
	}
	widths := t.widths(width - margin)
	shown, missing := t.window(rows)
	var b strings.Builder
	b.WriteString(t.line(spaces(margin), t.titles(), widths, width, g))
	for i := shown[0]; i < shown[1]; i++ {
		lead := spaces(margin)
		if t.Marked == i+1 {
			lead = g.set().mark + " "
		}
		b.WriteString(t.line(lead, t.Rows[i], widths, width, g))
	}
	if missing > 0 {
		b.WriteString(Truncate(fmt.Sprintf("%s%s %d more", spaces(margin), g.set().ellipsis, missing), width, g) + "\n")
	}
	return b.String()
}

// window chooses the rows that are shown, around the marked one, and counts the others.
func (t Table) window(lines int) (shown [2]int, missing int) {
	n := len(t.Rows)
	total := max(t.Total, n)
	if lines <= 0 || total+1 <= lines {
		return [2]int{0, n}, total - n
	}
	room := max(min(lines-2, n), 0)
	from := max(min(t.Marked-1-room/2, n-room), 0)
	return [2]int{from, from + room}, total - room
}

func (t Table) titles() []string {
	list := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		list[i] = c.Title
	}
	return list
}

// widths gives each column what it needs, then takes from the widest until all fit.
func (t Table) widths(total int) []int {
	w := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		w[i] = max(c.Min, Width(Clean(c.Title)))
		for _, row := range t.Rows {
			if i < len(row) {
				w[i] = max(w[i], Width(Clean(row[i])))
			}
		}
		if c.Max > 0 {
			w[i] = min(w[i], max(c.Max, c.Min))
		}
	}
	for sum(w) > total {
		widest := -1
		for i, c := range t.Columns {
			if w[i] > max(c.Min, 6) && (widest < 0 || w[i] > w[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return fitting(w, total)
		}
		w[widest]--
	}
	return w
}

// sum is the width of columns with the gaps.
func sum(w []int) int {
	s := len(columnGap) * (len(w) - 1)
	for _, n := range w {
		s += n
	}
	return s
}

// fitting leaves out columns from the right; the first one always stays.
func fitting(w []int, total int) []int {
	for len(w) > 1 && sum(w) > total {
		w = w[:len(w)-1]
	}
	w[0] = max(min(w[0], total), 0)
	return w
}

func (t Table) line(lead string, cells []string, widths []int, width int, g Glyphs) string {
	var b strings.Builder
	b.WriteString(lead)
	for i, w := range widths {
		if i > 0 {
			b.WriteString(columnGap)
		}
		text := ""
		if i < len(cells) {
			text = Clean(cells[i])
		}
		if t.Columns[i].Right {
			b.WriteString(PadLeft(text, w, g))
		} else {
			b.WriteString(Pad(text, w, g))
		}
	}
	return Truncate(strings.TrimRight(b.String(), " "), width, g) + "\n"
}
