// Package file reads records from files: lines of text, CSV with a header, and JSON lines. The readers
// are plain functions that hand each record to a callback; package dataflow makes sources of them.
package file

import (
	"fmt"
	"strings"
)

// RecordError is a record that could not be read.
type RecordError struct {
	File   string
	Line   int    // from 1
	Column int    // of the value, in bytes from 1; 0: unknown
	Field  string // column of a CSV file or field of a JSON object; may be empty
	Value  string // as it stands in the file; may be empty
	Err    error
}

// Error is such as `quakes.csv:12:8: field "mag": cannot read "x" as float64`.
func (e *RecordError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:", e.File, e.Line)
	if e.Column > 0 {
		fmt.Fprintf(&b, "%d:", e.Column)
	}
	if e.Field != "" {
		fmt.Fprintf(&b, " field %q:", e.Field)
	}
	return b.String() + " " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *RecordError) Unwrap() error { return e.Err }
