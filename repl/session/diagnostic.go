package session

import (
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
)

// Kind is what went wrong; scripts choose their exit code by it.
type Kind string

// The kinds of a Diagnostic.
const (
	Compile     Kind = "compile"     // the checker refused the cell
	Runtime     Kind = "runtime"     // a panic or error while the cell ran
	JobFailure  Kind = "job"         // a job failed
	Refused     Kind = "refused"     // valid Go that a session does not allow
	Interrupted Kind = "interrupted" // stopped by the user
	Timeout     Kind = "timeout"     // the cell's time was up
	Internal    Kind = "internal"    // our bug
	Warning     Kind = "warning"
)

// Diagnostic is one error or warning, with the place it points at.
type Diagnostic struct {
	Kind    Kind   `json:"kind"`
	Cell    string `json:"cell,omitempty"`
	Number  int    `json:"number,omitempty"`
	File    string `json:"file,omitempty"` // of the cell, if it stands in one
	Line    int    `json:"line,omitempty"` // in the cell, from 1; 0: no position
	Col     int    `json:"col,omitempty"`  // in bytes, from 1
	EndCol  int    `json:"end_col,omitempty"`
	Message string `json:"message"`
	Source  string `json:"source,omitempty"` // the whole source line
	Hint    string `json:"hint,omitempty"`   // one line: the way out
	// Fix is the whole text of the cell with the hint applied; empty when the hint is advice only.
	Fix string `json:"fix,omitempty"`
	// Stuck names the functions that go on although the cell was stopped; it is part of Message. Empty: nothing goes on.
	Stuck string `json:"stuck,omitempty"`
	// FileLine is Line counted in File.
	FileLine int `json:"file_line,omitempty"`
}

// Stdin is the File of cells from a pipe.
const Stdin = "stdin"

// Position is where the diagnostic points: stdin:4:7 or lesson.flk:4:7 for a cell of a file, [3]:1:7 else. Below the
// first line of a cell from a pipe, which no editor can go to, it is both: stdin:5:7 ([3]:2:7). It is empty when the
// place is unknown.
func (d *Diagnostic) Position() string {
	switch {
	case d.File == Stdin && d.FileLine > 0 && d.Line > 1:
		return fmt.Sprintf("%s:%d:%d ([%d]:%d:%d)", d.File, d.FileLine, max(d.Col, 1), d.Number, d.Line, max(d.Col, 1))
	case d.FileLine > 0 && d.Col > 0:
		return fmt.Sprintf("%s:%d:%d", d.File, d.FileLine, d.Col)
	case d.FileLine > 0:
		return fmt.Sprintf("%s:%d", d.File, d.FileLine)
	case d.Line > 0:
		return fmt.Sprintf("[%d]:%d:%d", d.Number, d.Line, max(d.Col, 1))
	}
	return ""
}

// Error is the position and the message, one line or as many as the message has.
func (d *Diagnostic) Error() string {
	if p := d.Position(); p != "" {
		return p + ": " + d.Message
	}
	return d.Message
}

// String is the form for people: the message, the source line with a caret under the place, the hint.
// It has no trailing newline.
func (d *Diagnostic) String() string { return d.Fit(0) }

// Fit is String for a terminal of that many columns: of a source line that is longer it shows what is around the place,
// because a caret below a wrapped line points nowhere. Width 0 cuts nothing.
func (d *Diagnostic) Fit(width int) string {
	var b strings.Builder
	b.WriteString(d.Error())
	if d.Source != "" && d.Col > 0 {
		line := max(d.FileLine, d.Line)
		gutter := fmt.Sprintf("%5d | ", line)
		source, col, end := d.Source, d.Col, d.EndCol
		if width > 0 {
			source, col, end = window(source, col, end, width-len(gutter))
		}
		b.WriteString("\n" + gutter + source)
		b.WriteString("\n" + strings.Repeat(" ", len(gutter)-2) + "| " + caret(source, col, end))
	}
	if d.Hint != "" {
		b.WriteString("\n  hint: " + d.Hint)
	}
	return b.String()
}

// caret is the line under source, from byte column col to end. Tabs are kept, so that it lines up whatever their width.
func caret(source string, col, end int) string {
	at := min(col-1, len(source))
	var b strings.Builder
	for _, r := range source[:at] {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", runewidth.RuneWidth(r)))
	}
	width := 1
	if end := min(end-1, len(source)); end > at {
		width = max(1, runewidth.StringWidth(source[at:end]))
	}
	return b.String() + strings.Repeat("^", width)
}

// window cuts a source line that is wider than width columns to what is around the byte columns from col to end, and
// says where these are in it. Dots stand for what is left out, and a tab becomes a space there.
func window(source string, col, end, width int) (string, int, int) {
	const dots = "..."
	if tabs := strings.Count(source, "\t"); runewidth.StringWidth(source)+8*tabs <= width {
		return source, col, end
	}
	source = strings.ReplaceAll(source, "\t", " ")
	at := min(col-1, len(source))
	end = min(max(end-1, at), len(source))
	head, tail := source[:at], source[at:]
	width = max(width, 4*len(dots))
	if runewidth.StringWidth(head) > width/2 {
		keep := max(width/4, width-len(dots)-runewidth.StringWidth(tail))
		head = dots + runewidth.TruncateLeft(head, runewidth.StringWidth(head)-keep, "")
	}
	left := width - runewidth.StringWidth(head)
	marked := min(end-at, len(tail))
	if cut := runewidth.Truncate(tail, left, dots); cut != tail {
		tail, marked = cut, min(marked, len(cut))
	}
	return head + tail, len(head) + 1, len(head) + 1 + marked
}
