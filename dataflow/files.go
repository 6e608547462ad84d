package dataflow

import (
	"reflect"

	"flinkish/dataflow/connector/file"
	"flinkish/dataflow/internal/core"
)

// ReadCSV returns the rows of a CSV file with a header, in order, from one subtask. T is a struct whose fields take
// the columns named by their tags `csv:"name"`, or of their own name; or []string; or map[string]string. An
// empty cell is the zero value. A malformed value fails the job and says file, line, column and value.
func (e *StreamExecutionEnvironment) ReadCSV[T any](path string) *DataStreamSource[T] {
	return recordsOf[T](e, "ReadCSV", "CSV Source", path, reflect.TypeFor[map[string]string](), file.CSV)
}

// ReadJSONLines returns the values of a file with one JSON value on each line, in order, from one subtask, decoded
// as package encoding/json does. A malformed line fails the job and says file, line and column.
func (e *StreamExecutionEnvironment) ReadJSONLines[T any](path string) *DataStreamSource[T] {
	return recordsOf[T](e, "ReadJSONLines", "JSON Lines Source", path, reflect.TypeFor[any](), file.JSONLines)
}

// recordsOf makes a source of typed records. The record type is looked up when the job is built: a session sets
// it after this call. other is used when it is not known.
func recordsOf[T any](e *StreamExecutionEnvironment, call, name, path string, other reflect.Type, read func(string, reflect.Type, func(reflect.Value) bool) error) *DataStreamSource[T] {
	run := func(_ *core.Subtask, t *Transformation, emit func(T) bool) error {
		typ := dynamic(t.Out)
		if typ == nil {
			typ = other
		}
		return ioError(call, read(path, typ, func(v reflect.Value) bool {
			r, _ := v.Interface().(T) // a JSON null in a stream of any stays nil
			return emit(r)
		}))
	}
	return sourceOf(e, &Transformation{Name: name, Description: name + ": " + path, Parallelism: 1, NonParallel: true, Bounded: true}, TypeOf[T](), run)
}
