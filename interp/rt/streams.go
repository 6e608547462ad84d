// What package io asks readers and writers for beside Read and Write: io.Copy and io.WriteString use the user's
// WriteTo, ReadFrom and WriteString when there are any.

package rt

import "io"

// The first field is the box, as in yaegi's own wrappers: see unwrap.
type (
	_readerTo struct {
		IValue any
		io.Reader
		io.WriterTo
	}
	_writerFrom struct {
		IValue any
		io.Writer
		io.ReaderFrom
	}
	_stringWriter struct {
		IValue any
		io.Writer
		io.StringWriter
	}
	_stringWriterFrom struct {
		IValue any
		io.Writer
		io.ReaderFrom
		io.StringWriter
	}
)

type (
	writeTo     func(w io.Writer) (int64, error)
	readFrom    func(r io.Reader) (int64, error)
	writeString func(s string) (int, error)
)

// WriteTo calls the user's method.
func (f writeTo) WriteTo(w io.Writer) (int64, error) { return f(w) }

// ReadFrom calls the user's method.
func (f readFrom) ReadFrom(r io.Reader) (int64, error) { return f(r) }

// WriteString calls the user's method.
func (f writeString) WriteString(s string) (int, error) { return f(s) }

// streams is w, the wrapper of b as an io.Reader or io.Writer alone, with the other methods of the user's type.
func streams(w any, b Boxed) any {
	r, reads := w.(io.Reader)
	out, writes := w.(io.Writer)
	if to, ok := b.D.Method("WriteTo").(func(any, io.Writer) (int64, error)); ok && reads {
		return _readerTo{b, r, writeTo(func(w io.Writer) (int64, error) { return to(b, w) })}
	}
	from, hasFrom := b.D.Method("ReadFrom").(func(any, io.Reader) (int64, error))
	text, hasText := b.D.Method("WriteString").(func(any, string) (int, error))
	rf := readFrom(func(r io.Reader) (int64, error) { return from(b, r) })
	ws := writeString(func(s string) (int, error) { return text(b, s) })
	switch {
	case !writes || !hasFrom && !hasText:
		return w
	case !hasText:
		return _writerFrom{b, out, rf}
	case !hasFrom:
		return _stringWriter{b, out, ws}
	}
	return _stringWriterFrom{b, out, rf, ws}
}
