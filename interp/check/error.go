// Errors of a cell: where, what, and what to try.

package check

import (
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
)

// The kinds of errors.
const (
	SyntaxError = "syntax"  // the cell does not parse
	TypeError   = "type"    // the cell is not correct Go
	Unsupported = "support" // correct Go that a session cannot run
	Warning     = "warning" // correct Go that is probably a mistake
)

// Error is the first error of a cell. Lines and columns count from 1 within the cell; columns are in
// bytes. EndCol is the column after the marked text on the same line, and greater than Col.
type Error struct {
	Cell              string // name; empty: an unnamed cell
	Number            int
	Line, Col, EndCol int
	Kind              string
	Msg               string
	Hint              string // one line; may be empty
	Source            string // the source line that it points at, without its newline
	More              int    // how many errors follow that are not shown

	instead *replacement // what the hint says to write, when it does not stand at the mark
	tried   bool         // mended is what becomes of the hint
	mended  string       // the cell with the hint applied; empty: it is advice only
	cause   string       // a panic in go/types and its stack, for our tests
}

// replacement is text that stands in place of columns [col, endCol) of a line.
type replacement struct {
	line, col, endCol int
	text              string
}

// Error is the whole diagnostic: LINE:COL: message, the source line, a caret line with the hint.
func (e *Error) Error() string { return e.Format("") }

// Format is the diagnostic with prefix (such as "stdin:" or "cell 3:") before LINE:COL.
func (e *Error) Format(prefix string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d:%d: %s", prefix, e.Line, e.Col, e.Msg)
	if e.More == 1 {
		b.WriteString(" (and 1 more error)")
	} else if e.More > 1 {
		fmt.Fprintf(&b, " (and %d more errors)", e.More)
	}
	if e.Source != "" {
		gutter := fmt.Sprintf("%4d | ", e.Line)
		b.WriteString("\n" + gutter + strings.ReplaceAll(e.Source, "\t", "    "))
		b.WriteString("\n" + strings.Repeat(" ", len(gutter)-2) + "| ")
		b.WriteString(strings.Repeat(" ", e.width(0, e.Col-1)) + strings.Repeat("^", max(1, e.width(e.Col-1, e.EndCol-1))))
		if e.Hint != "" {
			b.WriteString(" " + e.Hint)
		}
	} else if e.Hint != "" {
		b.WriteString("\n" + e.Hint)
	}
	return b.String()
}

// width is how many terminal cells the bytes [from, to) of the source line take.
func (e *Error) width(from, to int) int {
	from, to = min(max(from, 0), len(e.Source)), min(max(to, 0), len(e.Source))
	if from >= to {
		return 0
	}
	return runewidth.StringWidth(strings.ReplaceAll(e.Source[from:to], "\t", "    "))
}

// Shift moves the error down by lines: a cell that begins at line n of a file is shifted by n-1.
func (e *Error) Shift(lines int) *Error {
	e2 := *e
	e2.Line += lines
	return &e2
}
