package viz

import (
	"strconv"
	"strings"
)

// boxLine is one row inside a box: pieces of text with their roles.
type boxLine []piece

type piece struct {
	text string
	role Role
}

// Widths inside of a box, in columns.
const (
	minBarInner     = 9  // "████ 100%"
	minMetricsInner = 15 // "busy █████ 100%", "wm 10:00:31.250"
	maxIndent       = 4  // levels of a chain that are shown by indentation
)

// caption is the one-line name of a task.
func (t *Task) caption(g Glyphs) string {
	if t.Name != "" {
		return Clean(t.Name)
	}
	arrow := "→"
	if g != Unicode {
		arrow = ">"
	}
	var names []string
	for _, op := range t.Operators {
		names = append(names, Clean(op))
	}
	return strings.Join(names, " "+arrow+" ")
}

// operatorLines are the operators of the chain as a tree, head first.
func (t *Task) operatorLines(set *glyphSet) []string {
	if len(t.Operators) == 0 {
		return []string{Clean(t.Name)}
	}
	lines := make([]string, len(t.Operators))
	for i, op := range t.Operators {
		depth := i
		if i < len(t.Depths) {
			depth = t.Depths[i]
		}
		lines[i] = Clean(op)
		if depth > 0 {
			lines[i] = spaces(2*(min(depth, maxIndent)-1)) + set.child + lines[i]
		}
	}
	return lines
}

// innerWidth is how wide the inside of the box wants to be.
func (t *Task) innerWidth(o Options, compact bool) int {
	w := t.minInner(compact)
	if compact {
		return max(w, Width(t.caption(o.Glyphs)))
	}
	for _, l := range t.operatorLines(o.Glyphs.set()) {
		w = max(w, Width(l))
	}
	if t.Metrics != nil {
		w = max(w, Width("wm "+t.Metrics.Watermark), Width(t.flow(o.Glyphs.set())))
	}
	return w
}

// minInner is the least inside of a box that still shows its border line and its bars.
func (t *Task) minInner(compact bool) int {
	w := Width(t.Label) + len(t.par()) + 3
	switch {
	case t.Metrics == nil:
		return w
	case compact:
		return max(w, minBarInner)
	}
	return max(w, minMetricsInner)
}

func (t *Task) par() string { return "x" + strconv.Itoa(max(t.Parallelism, 1)) }

// flow is "in → out", or one of them where the other cannot exist.
func (t *Task) flow(set *glyphSet) string {
	return Count(t.Metrics.In) + set.flow + Count(t.Metrics.Out)
}

// boxLines is what stands inside the box, each line inner columns at most.
func (t *Task) boxLines(o Options, inner int, compact bool) []boxLine {
	set := o.Glyphs.set()
	var lines []boxLine
	plain := func(s string) {
		lines = append(lines, boxLine{{Truncate(s, inner, o.Glyphs), RoleText}})
	}
	if compact {
		plain(t.caption(o.Glyphs))
		if m := t.Metrics; m != nil {
			lines = append(lines, barLine("", max(m.Busy, m.BackPressured), m.BackPressured > m.Busy, inner, o.Glyphs))
		}
		return lines
	}
	for _, l := range t.operatorLines(set) {
		plain(l)
	}
	if m := t.Metrics; m != nil {
		lines = append(lines, barLine("busy ", m.Busy, false, inner, o.Glyphs),
			barLine("bp   ", m.BackPressured, true, inner, o.Glyphs))
		plain(t.flow(set))
		plain("wm " + Clean(m.Watermark))
	}
	return lines
}

// barLine is a name, a bar and a percentage that fill inner columns.
func barLine(name string, perMille int, blocked bool, inner int, g Glyphs) boxLine {
	kind, role := Busy, RoleBusy
	if blocked {
		kind, role = Blocked, RoleBlocked
	}
	width := max(inner-len(name)-5, 0)
	full, empty := barParts(perMille, width, kind, g)
	return boxLine{
		{name, RoleText}, {full, role}, {empty, RoleFaint},
		{" " + PadLeft(Percent(perMille), 4, g), RoleText},
	}
}

// role is the role of the box's border.
func (t *Task) role() Role {
	switch {
	case t.Selected:
		return RoleSelected
	case t.Bottleneck:
		return RoleBottleneck
	}
	return RoleBorder
}

// drawBox draws the box of t with its top left corner at x, y, w columns and h rows with the border.
func drawBox(c *canvas, t *Task, x, y, w, h int, lines []boxLine, o Options) {
	style, role := uint8(light), t.role()
	if t.Bottleneck {
		style = heavy
	}
	c.add(x, y, south|east, style, role)
	c.add(x+w-1, y, south|west, style, role)
	c.add(x, y+h-1, north|east, style, role)
	c.add(x+w-1, y+h-1, north|west, style, role)
	for i := x + 1; i < x+w-1; i++ {
		c.add(i, y, east|west, style, role)
		c.add(i, y+h-1, east|west, style, role)
	}
	for j := y + 1; j < y+h-1; j++ {
		c.add(x, j, north|south, style, role)
		c.add(x+w-1, j, north|south, style, role)
	}
	mark := " "
	if t.Selected {
		mark = o.Glyphs.set().mark
	}
	c.put(x+1, y, mark+t.Label+" ", role)
	c.put(x+w-3-len(t.par()), y, " "+t.par()+" ", role)
	for i, l := range lines {
		at := x + 2
		for _, p := range l {
			c.put(at, y+1+i, p.text, p.role)
			at += Width(p.text)
		}
	}
}
