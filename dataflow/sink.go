package dataflow

import (
	"io"
	"strconv"
	"sync"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// SinkFunction is a function object for AddSink (Flink's SinkFunction). It may have Open, Close and
//
//	Finish() error                 // at the regular end of the input
//	WriteWatermark(wm int64) error // after each watermark, in milliseconds
type SinkFunction[T any] interface {
	// Invoke takes a record; an error fails the job. ctx is valid during the call only.
	Invoke(v T, ctx *SinkContext) error
}

// The optional methods of a SinkFunction.
type (
	finisher        interface{ Finish() error }
	watermarkWriter interface{ WriteWatermark(wm int64) error }
)

// SinkContext is what a sink may ask about the record at hand (SinkFunction.Context).
type SinkContext struct {
	base *opBase
	ts   int64
}

// CurrentProcessingTime is the processing time in milliseconds.
func (c *SinkContext) CurrentProcessingTime() int64 { return c.base.sub.Now() }

// CurrentWatermark is the watermark in milliseconds; MinInt64 before the first.
func (c *SinkContext) CurrentWatermark() int64 { return c.base.wm }

// Timestamp is the event timestamp of the record in milliseconds, and whether it has one.
func (c *SinkContext) Timestamp() (int64, bool) { return c.ts, c.ts != core.NoTimestamp }

// AddSink sends every record to f. Each subtask works on its own copy of f.
func (d *DataStream[T]) AddSink(f SinkFunction[T]) *DataStreamSink[T] {
	d.env.checkFunction("AddSink", f, optional[func() error]("Finish"), optional[func(int64) error]("WriteWatermark"))
	return addSink(d, "Unnamed", &sink[T]{f: f})
}

// AddSinkFunc is AddSink with a plain function, which all subtasks share.
func (d *DataStream[T]) AddSinkFunc(f func(v T) error) *DataStreamSink[T] {
	d.env.checkFunction("AddSinkFunc", f)
	return addSink(d, "Unnamed", sinkFunc[T](f))
}

type sinkFunc[T any] func(v T) error

func (f sinkFunc[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	b, last := newBase(s, out, rt, nil), new(T)
	in := core.Emit[T](func(v T, _ int64) {
		*last = v
		s.Op = b.idx
		b.n.In++
		if err := f(v); err != nil {
			b.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: &b, Record: func() any { return *last }, Counters: &b.n}, nil
}

func addSink[T any](d *DataStream[T], name string, f unaryFactory) *DataStreamSink[T] {
	t := &Transformation{Kind: graph.Sink, Name: name, Inputs: []*Transformation{d.tr}, Factory: d.factory(f),
		Keyed: d.keys != nil, Out: d.tr.Out, Mover: moverOf[T]()}
	d.env.transformation(t)
	d.env.register(t)
	return &DataStreamSink[T]{env: d.env, tr: t}
}

type sink[T any] struct{ f SinkFunction[T] }

func (f *sink[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	fn := prototype(f.f)
	o := &sinkOp{opBase: newBase(s, out, rt, fn)}
	if e, ok := fn.(finisher); ok && hasMethod(fn, "Finish") {
		o.finish = e.Finish
	}
	if w, ok := fn.(watermarkWriter); ok && hasMethod(fn, "WriteWatermark") {
		o.write = w.WriteWatermark
	}
	last, ctx := new(T), &SinkContext{base: &o.opBase}
	in := core.Emit[T](func(v T, ts int64) {
		*last = v
		s.Op = o.idx
		o.n.In++
		ctx.ts = ts
		if err := fn.Invoke(v, ctx); err != nil {
			o.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

type sinkOp struct {
	opBase
	finish func() error
	write  func(wm int64) error // of watermarks
}

func (o *sinkOp) Watermark(input int, wm int64) {
	o.opBase.Watermark(input, wm)
	if o.write == nil {
		return
	}
	o.enter()
	if err := o.write(wm); err != nil {
		o.fail(err)
	}
}

func (o *sinkOp) Finish() {
	if o.finish == nil {
		return
	}
	o.enter()
	if err := o.finish(); err != nil {
		o.fail(err)
	}
}

// PrintOption changes what Print writes.
type PrintOption func(*printer)

// Identifier puts a name before each line, as in "name> value".
func Identifier(s string) PrintOption { return func(p *printer) { p.identifier = s } }

// Print writes each record on a line of its own to the environment's standard output. A value with a String or
// Error method is written with it; basic values, tuples, slices and maps as in Java: (a,1), [a, b],
// {k=v}, 1.0; other structs as fmt does. With more than one subtask the line begins with
// the number of the subtask, as in "3> value".
func (d *DataStream[T]) Print(opts ...PrintOption) *DataStreamSink[T] {
	return d.print("Print to Std. Out", d.env.stdout, opts)
}

// PrintToErr is Print to the environment's standard error.
func (d *DataStream[T]) PrintToErr(opts ...PrintOption) *DataStreamSink[T] {
	return d.print("Print to Std. Err", d.env.stderr, opts)
}

func (d *DataStream[T]) print(name string, w io.Writer, opts []PrintOption) *DataStreamSink[T] {
	p := printer{to: w, tr: d.tr}
	for _, o := range opts {
		o(&p)
	}
	return addSink(d, name, &printSink[T]{p})
}

type printer struct {
	identifier string
	to         io.Writer
	tr         *Transformation // whose type formats the records
}

// prefix is what stands before each line of a subtask.
func (p *printer) prefix(s *core.Subtask) string {
	prefix := p.identifier
	if s.Parallelism > 1 {
		if prefix != "" {
			prefix += ":"
		}
		prefix += strconv.Itoa(s.Index + 1)
	}
	if prefix != "" {
		prefix += "> "
	}
	return prefix
}

// printing keeps the lines of different subtasks apart.
var printing sync.Mutex

type printSink[T any] struct{ p printer }

func (f *printSink[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	b := newBase(s, out, rt, nil)
	last, prefix, format := new(T), f.p.prefix(s), f.p.tr.Out.Format
	var line []byte
	in := core.Emit[T](func(v T, ts int64) {
		*last = v
		s.Op = b.idx
		b.n.In++
		line = append(append(append(line[:0], prefix...), format(v)...), '\n')
		printing.Lock()
		_, err := f.p.to.Write(line)
		printing.Unlock()
		if err != nil {
			b.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: &b, Record: func() any { return *last }, Counters: &b.n}, nil
}
