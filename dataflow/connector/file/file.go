// Package file reads records from files: lines of text, CSV with a header, and JSON lines. The readers
// are plain functions that hand each record to a callback; package dataflow makes sources of them.
package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
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

// Lines calls emit for each line of the file that begins in part i of n equal parts, without its end
// (\n or \r\n), until emit reports false. All parts together give every line once.
func Lines(path string, i, n int, emit func(line string) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a directory; name a file", path)
	}
	start, end := info.Size()*int64(i)/int64(n), info.Size()*int64(i+1)/int64(n)
	r := bufio.NewReaderSize(f, 64<<10)
	if start > 0 { // the line that goes on here belongs to an earlier part
		if _, err := f.Seek(start-1, io.SeekStart); err != nil {
			return err
		}
		skipped, err := skipLine(r)
		if err != nil {
			return ignoreEOF(err)
		}
		start += skipped - 1
	}
	for start < end {
		line, err := r.ReadString('\n')
		start += int64(len(line))
		if line != "" && !emit(trimEnd(line)) {
			return nil
		}
		if err != nil {
			return ignoreEOF(err)
		}
	}
	return nil
}

func skipLine(r *bufio.Reader) (n int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		n += int64(len(part))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func trimEnd(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}
