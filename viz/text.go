package viz

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Width returns how many columns s takes in a terminal. Box lines, arrows and blocks count as one
// column, whatever the locale says.
func Width(s string) int { return ansi.StringWidth(s) }

// Clean makes text from outside safe to place in a drawing: escape sequences go, and control
// characters are spelled out (\n, \t), so that a line stays a line.
func Clean(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	s = ansi.Strip(strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s))
	return strings.Map(func(r rune) rune {
		if unsafeRune(r) {
			return -1
		}
		return r
	}, s)
}

// unsafeRune finds what moves the cursor or the reading direction.
func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r >= '\u202a' && r <= '\u202e' ||
		r >= '\u2066' && r <= '\u2069' || r == '\ufeff' || r == unicode.ReplacementChar
}

// Truncate shortens s to at most width columns and marks the cut with an ellipsis of the glyph set.
func Truncate(s string, width int, g Glyphs) string {
	if width <= 0 {
		return ""
	}
	if Width(s) <= width {
		return s
	}
	return ansi.Truncate(s, width, g.set().ellipsis)
}

// Pad truncates s to width columns or fills it with spaces on the right.
func Pad(s string, width int, g Glyphs) string {
	s = Truncate(s, width, g)
	return s + spaces(width-Width(s))
}

// PadLeft is Pad with the spaces on the left, for numbers.
func PadLeft(s string, width int, g Glyphs) string {
	s = Truncate(s, width, g)
	return spaces(width-Width(s)) + s
}

// Rule returns a horizontal line of width columns.
func Rule(width int, g Glyphs) string {
	if width <= 0 {
		return ""
	}
	return strings.Repeat(g.set().rule, width)
}

func spaces(n int) string {
	if n <= 0 {
		return ""
	}
	return strings.Repeat(" ", n)
}

// cluster cuts the first character as a terminal shows it (letter with its accents) off s and returns
// it with its width in columns; a lone mark has none.
func cluster(s string) (string, int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], 1
	}
	g, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return g, w
}
