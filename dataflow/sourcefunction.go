package dataflow

import (
	"iter"
	"sync/atomic"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// SourceFunction is a function object for AddSource (Flink's SourceFunction). It may have Open and Close.
type SourceFunction[T any] interface {
	// Run sends records to ctx until the source has ended, or ctx.Running() reports false. An error fails the job. It
	// runs on the goroutine of its subtask: a call that blocks delays cancelling.
	Run(ctx *SourceContext[T]) error
}

// SourceContext is where a SourceFunction sends its records (SourceFunction.SourceContext). It belongs to the goroutine
// that calls Run.
type SourceContext[T any] struct {
	base    *opBase
	emit    core.Emit[T]
	stopped bool
	idle    bool
}

// Collect sends v on, without a timestamp. When the job is being cancelled it does not return.
func (c *SourceContext[T]) Collect(v T) { c.CollectWithTimestamp(v, core.NoTimestamp) }

// CollectWithTimestamp sends v on with an event timestamp in milliseconds.
func (c *SourceContext[T]) CollectWithTimestamp(v T, ts int64) {
	if c.stopped {
		panic(core.Unwind{})
	}
	b := c.base
	if c.idle {
		c.resume()
	}
	c.emit(v, ts)
	b.sub.Op = b.idx
	c.stopped = !b.sub.Poll()
}

// EmitWatermark says that no later record has a timestamp <= ts, in milliseconds. A watermark that is not above the
// last one is dropped.
func (c *SourceContext[T]) EmitWatermark(ts int64) {
	c.resume()
	c.base.ctl.Watermark(ts)
	c.base.enter()
}

// MarkAsTemporarilyIdle says that this subtask must not hold event time back until its next record or watermark.
func (c *SourceContext[T]) MarkAsTemporarilyIdle() {
	c.idle = true
	c.base.ctl.Status(true)
	c.base.enter()
}

// resume makes an idle source active again.
func (c *SourceContext[T]) resume() {
	if c.idle {
		c.idle = false
		c.base.ctl.Status(false)
	}
}

// CurrentProcessingTime is the processing time in milliseconds.
func (c *SourceContext[T]) CurrentProcessingTime() int64 { return c.base.sub.Now() }

// Running reports whether the source may go on; false is what cancel means in Flink. It never blocks.
func (c *SourceContext[T]) Running() bool {
	if c.base.sub.Signal.Load()&core.SignalStop != 0 {
		c.stopped = true
	}
	return !c.stopped
}

// Subtask is the index of this subtask, from 0, and their number.
func (c *SourceContext[T]) Subtask() (index, parallelism int) {
	return c.base.sub.Index, c.base.sub.Parallelism
}

// Sleep waits for d of processing time, which passes at once on a virtual clock when nothing else happens. It reports
// false when the source must stop.
func (c *SourceContext[T]) Sleep(d time.Duration) bool {
	if !wait(c.base.sub, d.Milliseconds()) {
		c.stopped = true
	}
	c.base.enter()
	return !c.stopped
}

// wait lets ms milliseconds of processing time pass in a source, whose timers go on meanwhile. It reports false when the
// source must stop.
func wait(s *core.Subtask, ms int64) bool {
	var over atomic.Bool
	s.Runtime.After(s.Now()+ms, func() { over.Store(true) })
	return s.Runtime.Wait(core.IdleInput, over.Load)
}

// SourceOption changes a source.
type SourceOption func(*Transformation)

// ParallelSource runs the source in as many subtasks as the environment says (ParallelSourceFunction); without it
// there is one.
func ParallelSource() SourceOption {
	return func(t *Transformation) { t.Parallelism, t.NonParallel = 0, false }
}

// SourceName names the source.
func SourceName(name string) SourceOption { return func(t *Transformation) { t.Name = name } }

// AddSource returns the records that f sends, from one subtask unless ParallelSource is given. The source counts as
// unbounded; the job ends when Run returns. Each subtask works on its own copy of f.
//
// Deprecated in Flink: use FromSource.
func (e *StreamExecutionEnvironment) AddSource[T any](f SourceFunction[T], opts ...SourceOption) *DataStreamSource[T] {
	e.checkFunction("AddSource", f)
	t := &Transformation{Name: "Custom Source", Parallelism: 1, NonParallel: true, LegacySource: true}
	for _, o := range opts {
		o(t)
	}
	return customSource[T](e, t, TypeOf[T](), f, func(fn any) func(*SourceContext[T]) error { return fn.(SourceFunction[T]).Run })
}

// customSource makes a source whose subtasks run what bind returns for their copy of fn.
func customSource[T any](e *StreamExecutionEnvironment, t *Transformation, typ Type, fn any, bind func(fn any) func(*SourceContext[T]) error) *DataStreamSource[T] {
	t.Kind, t.Out, t.Mover = graph.Source, typ, moverOf[T]()
	t.Factory = &functionSource[T]{fn, bind}
	e.transformation(t)
	return &DataStreamSource[T]{SingleOutputStreamOperator[T]{DataStream[T]{env: e, tr: t}}}
}

type functionSource[T any] struct {
	fn   any
	bind func(fn any) func(*SourceContext[T]) error
}

func (f *functionSource[T]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	fn := prototype(f.fn)
	b := newBase(s, out, newRuntimeContext(s, nil), fn)
	ctx := &SourceContext[T]{base: &b, emit: out.Main.(core.Emit[T])}
	run := f.bind(fn)
	return &core.Instance{Op: &b, Counters: &b.n, Run: func() error {
		b.enter()
		return run(ctx)
	}}, nil
}

// FromParallelSeq returns the records of n sequences, one for each subtask: f(i, n) is the one of subtask i of n
// (fromParallelCollection).
func (e *StreamExecutionEnvironment) FromParallelSeq[T any](f func(i, n int) iter.Seq[T]) *DataStreamSource[T] {
	if e.nilArg(f == nil, "FromParallelSeq", "function") {
		f = func(int, int) iter.Seq[T] { return nil }
	}
	run := func(s *core.Subtask, _ *Transformation, emit func(T) bool) error {
		if seq := f(s.Index, s.Parallelism); seq != nil {
			seq(emit)
		}
		return nil
	}
	return sourceOf(e, &Transformation{Name: "Parallel Collection Source", Bounded: true, LegacySource: true}, TypeOf[T](), run)
}

// GenerateSequence returns the numbers from first to last, both included; subtask i of n sends from+i, from+i+n, and so
// on (generateSequence). It counts as unbounded.
//
// Deprecated in Flink: use FromSequence.
func (e *StreamExecutionEnvironment) GenerateSequence(from, to int64) *DataStreamSource[int64] {
	return interleaved(e, from, to, func(n int64) int64 { return n })
}

func interleaved[T any](e *StreamExecutionEnvironment, from, to int64, record func(int64) T) *DataStreamSource[T] {
	if from > to {
		e.fail("IllegalArgument", "", "GenerateSequence", "the first number must not be above the last, got %d and %d", from, to)
	}
	run := func(s *core.Subtask, _ *Transformation, emit func(T) bool) error {
		step, left := uint64(s.Parallelism), uint64(to)-uint64(from)
		for at := uint64(s.Index); at <= left; at += step {
			if !emit(record(int64(uint64(from)+at))) || at > left-min(step, left) {
				break
			}
		}
		return nil
	}
	return sourceOf(e, &Transformation{Name: "Sequence Source (Deprecated)", LegacySource: true}, TypeOf[int64](), run)
}

// InputFormat is a function object for CreateInput (Flink's InputFormat). Each subtask works on its own copy.
type InputFormat[T any] interface {
	// OpenSplit begins to read part split of n parts.
	OpenSplit(split, n int) error
	// NextRecord returns the next record, or false at the end.
	NextRecord() (v T, ok bool, err error)
	// CloseSplit ends reading.
	CloseSplit() error
}

// CreateInput returns the records of an input format, each subtask those of its part (createInput).
func (e *StreamExecutionEnvironment) CreateInput[T any](f InputFormat[T]) *DataStreamSource[T] {
	e.checkFunction("CreateInput", f)
	t := &Transformation{Name: "Custom Source", LegacySource: true, Bounded: true}
	return customSource[T](e, t, TypeOf[T](), f, func(fn any) func(*SourceContext[T]) error {
		format := fn.(InputFormat[T])
		return func(ctx *SourceContext[T]) error {
			if err := format.OpenSplit(ctx.Subtask()); err != nil {
				return err
			}
			for ctx.Running() {
				v, ok, err := format.NextRecord()
				if err != nil {
					format.CloseSplit()
					return err
				}
				if !ok {
					break
				}
				ctx.Collect(v)
			}
			return format.CloseSplit()
		}
	})
}
