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
func (d *Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(d.Error())
	if d.Source != "" && d.Col > 0 {
		line := max(d.FileLine, d.Line)
		gutter := fmt.Sprintf("%5d | ", line)
		b.WriteString("\n" + gutter + d.Source)
		b.WriteString("\n" + strings.Repeat(" ", len(gutter)-2) + "| " + d.caret())
	}
	if d.Hint != "" {
		b.WriteString("\n  hint: " + d.Hint)
	}
	return b.String()
}

// caret is the line under Source. Tabs are kept, so that it lines up whatever their width.
func (d *Diagnostic) caret() string {
	at := min(d.Col-1, len(d.Source))
	var b strings.Builder
	for _, r := range d.Source[:at] {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", runewidth.RuneWidth(r)))
	}
	width := 1
	if end := min(d.EndCol-1, len(d.Source)); end > at {
		width = max(1, runewidth.StringWidth(d.Source[at:end]))
	}
	return b.String() + strings.Repeat("^", width)
}
