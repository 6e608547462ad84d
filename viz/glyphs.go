package viz

import "fmt"

// Glyphs is a set of drawing characters.
type Glyphs uint8

const (
	// Unicode has light, heavy and dashed lines, arrows and shades.
	Unicode Glyphs = iota
	// Block has only what the fonts of old consoles have (code page 437).
	Block
	// ASCII has nothing above 0x7e. Text that comes from the user stays as it is.
	ASCII
)

// String returns unicode, block or ascii.
func (g Glyphs) String() string {
	switch g {
	case Block:
		return "block"
	case ASCII:
		return "ascii"
	}
	return "unicode"
}

// ParseGlyphs is the opposite of Glyphs.String.
func ParseGlyphs(name string) (Glyphs, error) {
	for _, g := range []Glyphs{Unicode, Block, ASCII} {
		if g.String() == name {
			return g, nil
		}
	}
	return Unicode, fmt.Errorf("viz: no glyph set %q, there are unicode, block and ascii", name)
}

// Directions in which a line leaves a cell, as bits.
const (
	north = 1 << iota
	east
	south
	west
)

// Styles of a line.
const (
	light = iota
	dashed
	heavy
)

// glyphSet are the characters of one set; the lines are indexed by direction bits.
type glyphSet struct {
	lines    [3][16]string
	right    string // arrow heads
	left     string
	full     string // a busy cell of a bar
	shade    string // a blocked cell of a bar
	empty    string // an idle cell of a bar
	dot      string // a task on the rails
	mark     string // the selection
	back     string // a feedback edge, in words
	child    string // before a chained operator
	flow     string // between in and out
	ellipsis string
	rule     string
	point    string    // the head of a timeline
	bend     [2]string // rails: a lane that joins from, or leaves to, the right
}

// line returns the character for a set of directions.
func (s *glyphSet) line(style int, mask uint8) string { return s.lines[style][mask&15] }

func (g Glyphs) set() *glyphSet {
	switch g {
	case Block:
		return &blockSet
	case ASCII:
		return &asciiSet
	}
	return &unicodeSet
}

// lineTable spells out the 16 combinations: horizontal, vertical, the corners south-east, south-west,
// north-east, north-west, the tees without west, without east, without north, without south, the cross.
func lineTable(h, v, se, sw, ne, nw, tw, te, tn, ts, x string) [16]string {
	var t [16]string
	t[0] = " "
	t[north], t[south], t[north|south] = v, v, v
	t[east], t[west], t[east|west] = h, h, h
	t[south|east], t[south|west], t[north|east], t[north|west] = se, sw, ne, nw
	t[north|south|east], t[north|south|west] = tw, te
	t[east|west|south], t[east|west|north] = tn, ts
	t[north|east|south|west] = x
	return t
}

var lightLines = lineTable("─", "│", "┌", "┐", "└", "┘", "├", "┤", "┬", "┴", "┼")

var unicodeSet = glyphSet{
	lines: [3][16]string{
		lightLines,
		lineTable("╌", "╎", "┌", "┐", "└", "┘", "├", "┤", "┬", "┴", "┼"),
		lineTable("━", "┃", "┏", "┓", "┗", "┛", "┣", "┫", "┳", "┻", "╋"),
	},
	right: "▶", left: "◀", full: "█", shade: "▒", empty: "·", dot: "●", mark: "▶", back: "↺",
	child: "└ ", flow: " → ", ellipsis: "…", rule: "─", point: "▲", bend: [2]string{"╯", "╮"},
}

var blockSet = glyphSet{
	lines: [3][16]string{
		lightLines,
		lineTable("-", ":", "┌", "┐", "└", "┘", "├", "┤", "┬", "┴", "┼"),
		lineTable("═", "║", "╔", "╗", "╚", "╝", "╠", "╣", "╦", "╩", "╬"),
	},
	right: ">", left: "<", full: "█", shade: "▒", empty: "░", dot: "■", mark: ">", back: "@",
	child: "└ ", flow: " > ", ellipsis: "~", rule: "─", point: "^", bend: [2]string{"┘", "┐"},
}

var asciiSet = glyphSet{
	lines: [3][16]string{
		lineTable("-", "|", "+", "+", "+", "+", "+", "+", "+", "+", "+"),
		lineTable("~", ":", "+", "+", "+", "+", "+", "+", "+", "+", "+"),
		lineTable("=", "#", "#", "#", "#", "#", "#", "#", "#", "#", "#"),
	},
	right: ">", left: "<", full: "#", shade: "%", empty: ".", dot: "*", mark: ">", back: "@",
	child: "+ ", flow: " > ", ellipsis: "~", rule: "-", point: "^", bend: [2]string{"'", "."},
}
