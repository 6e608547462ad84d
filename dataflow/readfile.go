package dataflow

import (
	"io"
	"os"
	"time"

	"flinkish/dataflow/connector/file"
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// FileOption changes ReadTextFile and ReadFile.
type FileOption func(*fileOptions)

type fileOptions struct {
	continuous bool
	interval   time.Duration
	charset    string
	nested     bool
	skip       func(path string) bool
}

// ProcessOnce reads what is there when the job starts, and ends; it is the default (FileProcessingMode.PROCESS_ONCE).
func ProcessOnce() FileOption { return func(o *fileOptions) { o.continuous = false } }

// ProcessContinuously looks for files that are new or have changed every interval, at least 1 ms, and never ends. A file that has
// changed is read again from its beginning (FileProcessingMode.PROCESS_CONTINUOUSLY). The source is then unbounded.
func ProcessContinuously(interval time.Duration) FileOption {
	return func(o *fileOptions) { o.continuous, o.interval = true, interval }
}

// Charset is the charset of the lines of ReadTextFile: UTF-8 unless given, US-ASCII, ISO-8859-1, UTF-16, UTF-16BE or UTF-16LE.
func Charset(name string) FileOption { return func(o *fileOptions) { o.charset = name } }

// NestedFiles says whether the directories in a directory are read too; they are not unless it is given
// (setNestedFileEnumeration).
func NestedFiles(on bool) FileOption { return func(o *fileOptions) { o.nested = on } }

// PathFilter leaves out the files and directories that skip reports true for (FilePathFilter). Without it those are left out
// whose name begins with a dot or an underscore, or contains _COPYING_. skip is called by one subtask.
func PathFilter(skip func(path string) bool) FileOption {
	return func(o *fileOptions) { o.skip = skip }
}

// ReadTextFile returns the lines of a file, or of the files in a directory, without their ends (readTextFile). One operator
// finds the files and cuts them into parts, the next one reads the parts in as many subtasks as the environment says. The order
// is that of the file in one subtask, and undefined in several. A path that does not exist fails the job.
func (e *StreamExecutionEnvironment) ReadTextFile(path string, opts ...FileOption) *DataStreamSource[string] {
	return textFile(e, path, opts, func(line string) string { return line })
}

func textFile[T any](e *StreamExecutionEnvironment, path string, opts []FileOption, record func(string) T) *DataStreamSource[T] {
	o := e.fileOptions("ReadTextFile", path, opts)
	charset, err := file.CharsetOf(o.charset)
	if err != nil {
		e.fail("IllegalArgument", "", "ReadTextFile", "%s", err)
	}
	part := int64(textPart)
	if !charset.Splittable() {
		part = 0
	}
	return readFiles(e, "ReadTextFile", path, o, part, TypeOf[string](), func(s fileSplit, emit func(T)) error {
		return ioError("ReadTextFile", file.Lines(s.path, s.start, s.end, charset, func(line string) { emit(record(line)) }))
	})
}

// ReadFile returns the records that read makes of a file, or of each file in a directory; one subtask reads a file from its
// beginning to its end (readFile with a FileInputFormat of the program's own). Else it is ReadTextFile. read is shared by the
// subtasks; an error fails the job.
func (e *StreamExecutionEnvironment) ReadFile[T any](path string, read func(r io.Reader, out Collector[T]) error, opts ...FileOption) *DataStreamSource[T] {
	e.checkFunction("ReadFile", read)
	return readFiles(e, "ReadFile", path, e.fileOptions("ReadFile", path, opts), 0, TypeOf[T](), func(s fileSplit, emit func(T)) error {
		f, err := os.Open(s.path)
		if err != nil {
			return ioError("ReadFile", err)
		}
		defer f.Close()
		return read(f, sending[T](emit))
	})
}

// sending is a Collector of a function.
type sending[T any] func(v T)

func (f sending[T]) Collect(v T) { f(v) }

func (e *StreamExecutionEnvironment) fileOptions(call, path string, opts []FileOption) fileOptions {
	o := fileOptions{charset: "UTF-8", skip: file.Hidden}
	for _, f := range opts {
		f(&o)
	}
	if path == "" {
		e.fail("IllegalArgument", "", call, "the file path must not be empty")
	}
	if o.continuous && o.interval < time.Millisecond {
		e.fail("IllegalArgument", "", call, "the monitoring interval must be at least 1ms, got %v", o.interval)
	}
	if e.nilArg(o.skip == nil, call, "path filter") {
		o.skip = file.Hidden
	}
	return o
}

// textPart is how many bytes of a text one part has, so that a large file can be read by several subtasks, and other work of a
// subtask gets its turn between two parts.
const textPart = 1 << 20

// fileSplit is a part of a file (Flink's TimestampedFileInputSplit).
type fileSplit struct {
	path       string
	start, end int64 // bytes
}

// String is such as "a.txt[0, 1048576)".
func (s fileSplit) String() string {
	return s.path + "[" + itoa(int(s.start)) + ", " + itoa(int(s.end)) + ")"
}

// readFiles makes the operator that finds files and the one that reads their parts; part is the bytes of a part, 0: a file is
// read as a whole.
func readFiles[T any](e *StreamExecutionEnvironment, call, path string, o fileOptions, part int64, typ Type, read func(s fileSplit, emit func(T)) error) *DataStreamSource[T] {
	const name = "Custom File Source"
	find := customSource[fileSplit](e, &Transformation{Name: name, Description: name + ": " + path, Parallelism: 1, NonParallel: true, LegacySource: true,
		Bounded: !o.continuous}, TypeOf[fileSplit](), &fileMonitor{call, path, o, part}, func(fn any) func(*SourceContext[fileSplit]) error { return fn.(*fileMonitor).run })
	t := e.transformation(&Transformation{Kind: graph.Operator, Name: "Split Reader: " + name, Inputs: []*Transformation{find.tr},
		Factory: plain{&splitReader[T]{read}}, Yielding: true, Out: typ, Mover: moverOf[T]()})
	return &DataStreamSource[T]{SingleOutputStreamOperator[T]{DataStream[T]{env: e, tr: t}}}
}

// fileMonitor finds files (Flink's ContinuousFileMonitoringFunction).
type fileMonitor struct {
	call string
	path string
	o    fileOptions
	part int64
}

func (m *fileMonitor) run(ctx *SourceContext[fileSplit]) error {
	seen := map[string]time.Time{} // when it was modified, by path
	for {
		found, err := file.Find(m.path, m.o.nested, m.o.skip)
		if err != nil {
			return ioError(m.call, err)
		}
		for _, f := range found {
			if at, known := seen[f.Path]; known && at.Equal(f.Modified) {
				continue
			}
			seen[f.Path] = f.Modified
			m.cut(f, ctx.Collect)
		}
		if !m.o.continuous || !ctx.Sleep(m.o.interval) {
			return nil
		}
	}
}

// cut sends the parts of a file.
func (m *fileMonitor) cut(f file.Found, send func(fileSplit)) {
	if m.part == 0 {
		send(fileSplit{f.Path, 0, f.Size})
		return
	}
	for start := int64(0); start < f.Size; start += m.part {
		send(fileSplit{f.Path, start, min(start+m.part, f.Size)})
	}
}

// splitReader reads the parts of files (Flink's ContinuousFileReaderOperator).
type splitReader[T any] struct {
	read func(s fileSplit, emit func(T)) error
}

// readerRest is how many records the reader sends between two looks at what else the subtask has to do.
const readerRest = 256

func (f *splitReader[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	b := newBase(s, out, rt, nil)
	emit, last, sent := out.Main.(core.Emit[T]), new(fileSplit), 0
	send := func(v T) {
		sent++
		emit(v, core.NoTimestamp)
		s.Op = b.idx
		if sent%readerRest == 0 && s.Signal.Load() != 0 {
			s.Hooks.Attend() // the end of a cancelled job, which does not return
		}
	}
	in := core.Emit[fileSplit](func(split fileSplit, _ int64) {
		*last = split
		b.enter()
		b.n.In++
		if err := f.read(split, send); err != nil {
			b.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: &b, Record: func() any { return *last }, Counters: &b.n}, nil
}
