package dataflow

import (
	"fmt"
	"reflect"
	"strings"

	"flinkish/dataflow/connector/file"
)

// WriteMode says what happens when a file exists (FileSystem.WriteMode).
type WriteMode uint8

const (
	// NoOverwrite fails the job.
	NoOverwrite WriteMode = iota
	// Overwrite replaces the file.
	Overwrite
)

// String is Flink's word for the mode.
func (m WriteMode) String() string { return [...]string{"NO_OVERWRITE", "OVERWRITE"}[m] }

// WriteOption changes WriteAsText and WriteAsCsv.
type WriteOption func(*writeOptions)

type writeOptions struct {
	mode       WriteMode
	row, field string
}

// Mode sets what happens when a file exists; the default is NoOverwrite.
func Mode(m WriteMode) WriteOption { return func(o *writeOptions) { o.mode = m } }

// RowDelimiter ends each row of WriteAsCsv; the default is "\n".
func RowDelimiter(s string) WriteOption { return func(o *writeOptions) { o.row = s } }

// FieldDelimiter stands between the fields of WriteAsCsv; the default is ",".
func FieldDelimiter(s string) WriteOption { return func(o *writeOptions) { o.field = s } }

// WriteAsText writes each record on a line of its own, as Print does: with one subtask to the file path, with more to
// files named 1, 2, ... in the directory path (writeAsText). A file is complete when the job has ended.
//
// Deprecated in Flink, gone in 2.0: use SinkTo.
func (d *DataStream[T]) WriteAsText(path string, opts ...WriteOption) *DataStreamSink[T] {
	tr := d.tr
	return writeFile(d, "WriteAsText", path, writeOptionsOf(opts), func(v T, _ *writeOptions) (string, error) {
		return tr.Out.Format(v) + "\n", nil
	})
}

// WriteAsCsv writes each tuple as a row of comma-separated fields, which are not quoted; else it is WriteAsText
// (writeAsCsv). There is no header: ReadCSV reads the file back with WithoutHeader. A nil field fails the job.
//
// Deprecated in Flink, gone in 2.0: use SinkTo.
func (d *DataStream[T]) WriteAsCsv(path string, opts ...WriteOption) *DataStreamSink[T] {
	if rt := record(d.tr.Out); rt != nil && rt.Kind() != reflect.Interface && !isTuple(rt) {
		d.env.fail("IllegalArgument", d.tr.Name, "WriteAsCsv", "%s is not a tuple; WriteAsCsv writes tuples only", recordName(d.tr.Out))
	}
	return writeFile(d, "WriteAsCsv", path, writeOptionsOf(opts), func(v T, o *writeOptions) (string, error) { return csvRow(v, o) })
}

func writeOptionsOf(opts []WriteOption) writeOptions {
	o := writeOptions{row: "\n", field: ","}
	for _, f := range opts {
		f(&o)
	}
	return o
}

// csvRow is the row of a tuple.
func csvRow(tuple any, o *writeOptions) (string, error) {
	v := reflect.ValueOf(tuple)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() || !isTuple(v.Type()) {
		return "", &GraphError{Kind: "Runtime", Call: "WriteAsCsv", Msg: fmt.Sprintf("%v is not a tuple", tuple)}
	}
	var row strings.Builder
	for i := range v.NumField() {
		f := v.Field(i)
		if (f.Kind() == reflect.Interface || f.Kind() == reflect.Pointer) && f.IsNil() {
			return "", &GraphError{Kind: "Runtime", Call: "WriteAsCsv", Msg: fmt.Sprintf("field %d of the tuple is nil, which CSV cannot say", i)}
		}
		if i > 0 {
			row.WriteString(o.field)
		}
		row.WriteString(elementText(f))
	}
	row.WriteString(o.row)
	return row.String(), nil
}

func writeFile[T any](d *DataStream[T], call, path string, o writeOptions, text func(T, *writeOptions) (string, error)) *DataStreamSink[T] {
	return addSink(d, "Unnamed", &sink[T]{f: &fileSink[T]{call: call, path: path, o: o, text: text}})
}

// fileSink writes the file of one subtask.
type fileSink[T any] struct {
	call string
	path string
	o    writeOptions
	text func(T, *writeOptions) (string, error)
	to   *file.Output
}

func (s *fileSink[T]) Open(ctx *RuntimeContext) (err error) {
	s.to, err = file.Create(s.path, ctx.sub.Index, ctx.sub.Parallelism, s.o.mode == Overwrite)
	return ioError(s.call, err)
}

func (s *fileSink[T]) Invoke(v T, _ *SinkContext) error {
	text, err := s.text(v, &s.o)
	if err == nil {
		err = ioError(s.call, s.to.WriteString(text))
	}
	return err
}

func (s *fileSink[T]) Close() error {
	if s.to == nil {
		return nil
	}
	return ioError(s.call, s.to.Close())
}

// OutputFormat is a function object for WriteUsingOutputFormat (Flink's OutputFormat). It may have
//
//	TryCleanupOnError() error // after a failure
type OutputFormat[T any] interface {
	// OpenTask begins to write as task index of n, counted from 0.
	OpenTask(index, n int) error
	// WriteRecord writes v; an error fails the job.
	WriteRecord(v T) error
	// CloseTask ends writing.
	CloseTask() error
}

// WriteUsingOutputFormat writes the records with f (writeUsingOutputFormat). Each subtask works on its own copy of f.
//
// Deprecated in Flink: use SinkTo.
func (d *DataStream[T]) WriteUsingOutputFormat(f OutputFormat[T]) *DataStreamSink[T] {
	d.env.checkFunction("WriteUsingOutputFormat", f, optional[func() error]("TryCleanupOnError"))
	return addSink(d, "Unnamed", &sink[T]{f: &formatSink[T]{f: f}})
}

// formatSink runs an OutputFormat.
type formatSink[T any] struct {
	f        OutputFormat[T]
	opened   bool
	finished bool
}

// Clone gives each subtask its own format.
func (s *formatSink[T]) Clone() SinkFunction[T] { return &formatSink[T]{f: prototype(s.f)} }

func (s *formatSink[T]) Open(ctx *RuntimeContext) error {
	s.opened = true
	return s.f.OpenTask(ctx.sub.Index, ctx.sub.Parallelism)
}

func (s *formatSink[T]) Invoke(v T, _ *SinkContext) error { return s.f.WriteRecord(v) }

func (s *formatSink[T]) Finish() error {
	s.finished = true
	return nil
}

func (s *formatSink[T]) Close() error {
	if !s.opened {
		return nil
	}
	err := s.f.CloseTask()
	if c, ok := s.f.(interface{ TryCleanupOnError() error }); ok && !s.finished && hasMethod(s.f, "TryCleanupOnError") {
		if e := c.TryCleanupOnError(); err == nil {
			err = e
		}
	}
	return err
}
