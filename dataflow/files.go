package dataflow

import (
	"reflect"

	"flinkish/dataflow/connector/file"
	"flinkish/dataflow/internal/core"
)

// CSVOption changes ReadCSV.
type CSVOption func(*csvOptions)

type csvOptions struct{ withoutHeader bool }

// WithoutHeader says that the first line of the file is a row, as WriteAsCsv writes files: the fields of a struct take
// the columns by position (CsvSchema.withoutHeader).
func WithoutHeader() CSVOption { return func(o *csvOptions) { o.withoutHeader = true } }

// ReadCSV returns the rows of a CSV file with a header, in order, from one subtask. T is a struct whose exported fields
// take the columns named by their tags `csv:"name"`, or of their own name in any case; or a tuple, whose fields take the
// columns by position, whatever the header says; or []string; or map[string]string. A field without column fails the
// job, unless it has the tag `csv:"-"`, or one that ends with ,optional; extra columns are left out. An empty cell is the
// zero value. A malformed value fails the job and says file, line, column and value. WithoutHeader reads a file without
// header, whose rows must have as many columns as T has fields.
func (e *StreamExecutionEnvironment) ReadCSV[T any](path string, opts ...CSVOption) *DataStreamSource[T] {
	var o csvOptions
	for _, f := range opts {
		f(&o)
	}
	return recordsOf[T](e, "ReadCSV", "CSV Source", path, reflect.TypeFor[map[string]string](), func(s shape, emit func(reflect.Value) bool) error {
		opt := file.CSVOptions{WithoutHeader: o.withoutHeader}
		if s.t.Kind() == reflect.Struct {
			opt.Names = s.names()
		}
		return file.CSV(path, s.t, opt, emit)
	})
}

// ReadJSONLines returns the values of a file with one JSON value on each line, in order, from one subtask, decoded
// as package encoding/json does. A malformed line fails the job and says file, line and column.
func (e *StreamExecutionEnvironment) ReadJSONLines[T any](path string) *DataStreamSource[T] {
	return recordsOf[T](e, "ReadJSONLines", "JSON Lines Source", path, reflect.TypeFor[any](), func(s shape, emit func(reflect.Value) bool) error {
		return file.JSONLines(path, s.t, emit)
	})
}

// recordsOf makes a source of typed records. The record type is looked up when the job is built: a session sets
// it after this call. other is used when it is not known.
func recordsOf[T any](e *StreamExecutionEnvironment, call, name, path string, other reflect.Type, read func(s shape, emit func(reflect.Value) bool) error) *DataStreamSource[T] {
	run := func(_ *core.Subtask, t *Transformation, emit func(T) bool) error {
		s := shape{t: dynamic(t.Out), of: t.Out}
		if s.t == nil {
			s.t = other
		}
		return ioError(call, read(s, func(v reflect.Value) bool {
			r, _ := v.Interface().(T) // a JSON null in a stream of any stays nil
			return emit(r)
		}))
	}
	return sourceOf(e, &Transformation{Name: name, Description: name + ": " + path, Parallelism: 1, NonParallel: true, Bounded: true}, TypeOf[T](), run)
}
