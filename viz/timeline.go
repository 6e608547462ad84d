package viz

import (
	"strings"
)

// Timeline is a ruler of event time with one row for each thing that has a place on it.
type Timeline struct {
	From, To int64 // ms since the epoch; both 0: from the rows
	Rows     []Mark
}

// Mark is one row of a Timeline.
type Mark struct {
	Name string
	At   int64  // ms since the epoch; the ends of event time are shown in words
	Note string // after the time
}

// Draw lays the timeline out in width columns: the ruler's ends in the first line, then one line for
// each mark with a bar up to its time.
func (t Timeline) Draw(width int, g Glyphs) string {
	from, to, ok := t.span()
	name, note := 0, 0
	for _, m := range t.Rows {
		name = max(name, Width(Clean(m.Name)))
		note = max(note, Width(m.words()))
	}
	name = min(name, max(width/4, 1))
	note = min(note, width/2)
	room := width - name - note - 4
	if !ok || room < 8 {
		return t.list(width, name, g)
	}
	left, right := Time(from), Time(to)
	var b strings.Builder
	rule := max(room+1-Width(left)-Width(right)-2, 0)
	b.WriteString(Truncate(spaces(name+1)+left+" "+Rule(rule, g)+" "+right, width, g) + "\n")
	for _, m := range t.Rows {
		b.WriteString(m.line(from, to, name, room, width, g))
	}
	return b.String()
}

// span is the part of event time that is shown; false when no mark has a time.
func (t Timeline) span() (from, to int64, ok bool) {
	if t.From < t.To {
		return t.From, t.To, true
	}
	for _, m := range t.Rows {
		if m.At == minTime || m.At == maxTime {
			continue
		}
		if !ok {
			from, to, ok = m.At, m.At, true
		}
		from, to = min(from, m.At), max(to, m.At)
	}
	if from == to {
		to = from + 1000
	}
	return from, to, ok
}

// words are the time and the note.
func (m Mark) words() string {
	return strings.TrimSpace(Time(m.At) + "  " + Clean(m.Note))
}

func (m Mark) line(from, to int64, name, room, width int, g Glyphs) string {
	set := g.set()
	bar := ""
	switch {
	case m.At == minTime:
	case m.At == maxTime:
		bar = strings.Repeat(set.rule, room) + set.right
	default:
		// In floats: the span may be wider than an int64 can multiply.
		n := int(float64(room) * (float64(m.At) - float64(from)) / (float64(to) - float64(from)))
		bar = strings.Repeat(set.rule, min(max(n, 0), room)) + set.point
	}
	line := Pad(Clean(m.Name), name, g) + " " + Pad(bar, room+1, g) + " " + m.words()
	return Truncate(strings.TrimRight(line, " "), width, g) + "\n"
}

// list is the form without a ruler.
func (t Timeline) list(width, name int, g Glyphs) string {
	var b strings.Builder
	for _, m := range t.Rows {
		b.WriteString(Truncate(Pad(Clean(m.Name), name, g)+" "+m.words(), width, g) + "\n")
	}
	return b.String()
}
