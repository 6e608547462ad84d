package dataflow

import (
	"flinkish/dataflow/connector/socket"
	"flinkish/dataflow/internal/core"
)

// SocketOption changes SocketTextStream.
type SocketOption func(*socketOptions)

type socketOptions struct {
	delimiter string
	maxRetry  int
}

// Delimiter is what ends a record; the default is "\n", before which a carriage return is cut off.
func Delimiter(s string) SocketOption { return func(o *socketOptions) { o.delimiter = s } }

// MaxRetry is how often the source connects again, 500 ms later, when the peer has closed the connection: -1 is for
// ever, 0 and 1 are never, n is n-1 times. A connect that fails is not tried again.
func MaxRetry(n int) SocketOption { return func(o *socketOptions) { o.maxRetry = n } }

// SocketTextStream returns the lines that the peer at host:port sends, from one subtask (socketTextStream). It is
// unbounded, and ends when the peer closes the connection and no retry is left.
func (e *StreamExecutionEnvironment) SocketTextStream(addr string, opts ...SocketOption) *DataStreamSource[string] {
	return socketLines(e, addr, opts, func(line string) string { return line })
}

func socketLines[T any](e *StreamExecutionEnvironment, addr string, opts []SocketOption, record func(string) T) *DataStreamSource[T] {
	o := socketOptions{delimiter: "\n"}
	for _, f := range opts {
		f(&o)
	}
	switch err := socket.CheckAddr(addr); {
	case err != nil:
		e.fail("IllegalArgument", "", "SocketTextStream", "%s", err)
	case o.maxRetry < -1:
		e.fail("IllegalArgument", "", "SocketTextStream", "max retry must be -1 (for ever) or more, got %d", o.maxRetry)
	case o.delimiter == "":
		e.fail("IllegalArgument", "", "SocketTextStream", "the delimiter must not be empty")
	}
	run := func(s *core.Subtask, _ *Transformation, emit func(T) bool) error {
		r := socket.NewReader(addr, o.delimiter, o.maxRetry, s.Runtime.Wake)
		defer r.Close()
		for s.Runtime.Wait(core.IdleInput, r.Ready) {
			lines, ended, err := r.Take()
			for _, line := range lines {
				if !emit(record(line)) {
					return nil
				}
			}
			if ended {
				return ioError("SocketTextStream", err)
			}
		}
		return nil
	}
	return sourceOf(e, &Transformation{Name: "Socket Stream", Parallelism: 1, NonParallel: true, LegacySource: true}, TypeOf[string](), run)
}

// WriteToSocket sends what enc makes of each record to the peer at host:port, over one connection from one subtask,
// record by record (writeToSocket). A failing connect or write fails the job.
func (d *DataStream[T]) WriteToSocket(addr string, enc func(v T) ([]byte, error)) *DataStreamSink[T] {
	d.env.checkFunction("WriteToSocket", enc)
	if err := socket.CheckAddr(addr); err != nil {
		d.env.fail("IllegalArgument", d.tr.Name, "WriteToSocket", "%s", err)
	}
	s := addSink(d, "Unnamed", &sink[T]{f: &socketSink[T]{addr: addr, enc: enc}})
	s.tr.Parallelism = 1
	return s
}

type socketSink[T any] struct {
	addr string
	enc  func(T) ([]byte, error)
	to   *socket.Writer
}

func (s *socketSink[T]) Open(*RuntimeContext) (err error) {
	s.to, err = socket.Dial(s.addr)
	return ioError("WriteToSocket", err)
}

func (s *socketSink[T]) Invoke(v T, _ *SinkContext) error {
	b, err := s.enc(v)
	if err == nil {
		err = ioError("WriteToSocket", s.to.Write(b))
	}
	return err
}

func (s *socketSink[T]) Close() error {
	if s.to == nil {
		return nil
	}
	return ioError("WriteToSocket", s.to.Close())
}
