package viz

import "strings"

// BarKind says what a bar measures.
type BarKind uint8

const (
	Busy    BarKind = iota // full blocks
	Blocked                // back-pressure: shaded blocks
)

// Bar draws a ratio in per mille as width columns; a negative ratio is an empty bar. Any ratio above
// zero shows at least one filled column and only 1000 fills the bar.
func Bar(perMille, width int, kind BarKind, g Glyphs) string {
	full, empty := barParts(perMille, width, kind, g)
	return full + empty
}

func barParts(perMille, width int, kind BarKind, g Glyphs) (full, empty string) {
	if width <= 0 {
		return "", ""
	}
	set := g.set()
	glyph := set.full
	if kind == Blocked {
		glyph = set.shade
	}
	n := 0
	switch {
	case perMille >= 1000:
		n = width
	case perMille > 0:
		n = min(max((perMille*width+500)/1000, 1), max(width-1, 1))
	}
	return strings.Repeat(glyph, n), strings.Repeat(set.empty, width-n)
}

// BusyBar draws one bar of width columns for a whole task: busy, then blocked, the rest idle.
func BusyBar(busy, backPressured, width int, g Glyphs) string {
	if width <= 0 {
		return ""
	}
	set := g.set()
	b := min((max(busy, 0)*width+500)/1000, width)
	p := min((max(backPressured, 0)*width+500)/1000, width-b)
	return strings.Repeat(set.full, b) + strings.Repeat(set.shade, p) + strings.Repeat(set.empty, width-b-p)
}

// Level is Flink's word for a back-pressure ratio in per mille: OK up to 10 %, LOW up to 50 %, HIGH
// above, N/A when it is not known.
func Level(backPressured int) string {
	switch {
	case backPressured < 0:
		return "N/A"
	case backPressured <= 100:
		return "OK"
	case backPressured <= 500:
		return "LOW"
	}
	return "HIGH"
}
