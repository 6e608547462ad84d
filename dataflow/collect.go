package dataflow

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

// CloseableIterator reads a collected stream of a running job (Flink's class of the same name). It belongs to one
// goroutine at a time; different iterators of a job may be read in parallel. The job waits when too
// many records are unread.
type CloseableIterator[T any] struct {
	buf *buffer[T]
}

// StreamCollector takes the iterator of CollectAsyncInto (DataStream.Collector). The zero value is ready.
type StreamCollector[T any] struct{ it *CloseableIterator[T] }

// Output returns the iterator; it is usable once the program was executed.
func (c *StreamCollector[T]) Output() (*CloseableIterator[T], error) {
	if c.it == nil {
		return nil, &GraphError{Kind: "NullPointer", Call: "Output", Msg: "job execution not yet started: give the collector to CollectAsyncInto, then execute"}
	}
	return c.it, nil
}

// CollectAsync makes a sink whose records the iterator gives back once the program was executed. Several
// streams of a job may be collected; read them in parallel. Closing the iterator cancels the job.
func (d *DataStream[T]) CollectAsync() *CloseableIterator[T] {
	buf := newBuffer[T](d.env.deterministic)
	s := addSink(d, "Data stream collect sink", &collectSink[T]{buf})
	s.tr.Parallelism, s.tr.NonParallel = 1, true
	s.tr.UID = "dataStreamCollect_" + itoa(s.tr.ID)
	d.env.collecting = append(d.env.collecting, collecting{s.tr, buf})
	return &CloseableIterator[T]{buf}
}

// CollectAsyncInto is CollectAsync; the iterator is c.Output's.
func (d *DataStream[T]) CollectAsyncInto(c *StreamCollector[T]) {
	if !d.env.nilArg(c == nil, "CollectAsyncInto", "collector") {
		c.it = d.CollectAsync()
	}
}

// ExecuteAndCollect runs the program, with all its sinks, and returns the records of this stream as they
// come. The iterator must be read to its end or closed. Cancelling ctx cancels the job.
func (d *DataStream[T]) ExecuteAndCollect(ctx context.Context, opts ...ExecuteOption) (*CloseableIterator[T], error) {
	it := d.CollectAsync()
	c, err := d.env.ExecuteAsync(ctx, append([]ExecuteOption{JobName("DataStream Collect")}, opts...)...)
	if err != nil {
		return nil, err
	}
	it.buf.release = context.AfterFunc(ctx, c.job.Cancel)
	return it, nil
}

// ExecuteAndCollectLimit runs the program and returns the first n records of this stream, or all if there are
// fewer; then it cancels the job. It blocks until the job has ended.
func (d *DataStream[T]) ExecuteAndCollectLimit(ctx context.Context, n int, opts ...ExecuteOption) ([]T, error) {
	if n <= 0 {
		// Nothing of the program is wrong, so this error is not kept: the next call may have a limit.
		return nil, &GraphError{Kind: "IllegalState", Op: d.tr.Name, Call: "ExecuteAndCollectLimit",
			Msg: fmt.Sprintf("the limit must be positive, got %d", n), Pos: d.env.position()}
	}
	it, err := d.ExecuteAndCollect(ctx, opts...)
	if err != nil {
		return nil, err
	}
	defer it.Close()
	var vs []T
	for len(vs) < n {
		v, ok, err := it.Next(ctx)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		vs = append(vs, v)
	}
	it.Close()
	if err := it.buf.job.Wait(ctx); err != nil && ctx.Err() != nil {
		return vs, err
	}
	return vs, nil
}

// Next blocks until there is a record (v, true, nil), the stream has ended or the iterator is closed (false, nil), or the job has
// failed, somebody else has cancelled it, or ctx is done (false and the error). The error of a job comes once; then the iterator
// is at its end.
func (it *CloseableIterator[T]) Next(ctx context.Context) (v T, ok bool, err error) {
	return it.buf.next(ctx)
}

// All yields the records to the end of the stream; a failure is yielded once, as the last pair. Leaving the
// loop early does not close the iterator.
func (it *CloseableIterator[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		ctx := it.buf.ctx
		if ctx == nil {
			ctx = context.Background()
		}
		for {
			v, ok, err := it.Next(ctx)
			if !ok && err == nil || !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// Close cancels the job unless it has ended, and drops what was not read. It may be called again.
func (it *CloseableIterator[T]) Close() error {
	b := it.buf
	if b.job == nil {
		return errNotExecuted
	}
	b.close()
	if !b.job.Status().Terminal() {
		b.job.Cancel()
	}
	return nil
}

var errNotExecuted = &GraphError{Kind: "NullPointer", Call: "CollectAsync", Msg: "the iterator has no job yet; execute the program first"}

// errUnread is the error of a reader whose job cannot go on because another stream is not read.
var errUnread = errors.New("collect: the job waits because another collected stream of it is full and nobody reads it; read both in parallel, each in a goroutine of its own")

// collecting is a collect sink that was not executed yet.
type collecting struct {
	tr  *Transformation
	buf interface {
		bind(ctx context.Context, j job.Job)
	}
}

type collectSink[T any] struct{ buf *buffer[T] }

func (f *collectSink[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	b := newBase(s, out, rt, nil)
	f.buf.attach(s)
	in := core.Emit[T](func(v T, ts int64) {
		s.Op = b.idx
		b.n.In++
		f.buf.push(s, v)
	})
	return &core.Instance{Inputs: []any{in}, Op: &b, Counters: &b.n}, nil
}
