package dataflow

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/job"
)

// Records that a collect sink holds before the job waits. A deterministic job gets more: the order of its steps
// must not depend on when a reader comes.
const (
	parallelBuffer      = 1 << 14
	deterministicBuffer = 1 << 18
)

// buffer stands between the one subtask of a collect sink and the reader of its iterator.
type buffer[T any] struct {
	limit   int
	ctx     context.Context // of the call that executed the program
	job     job.Job         // written under mu, since the sink looks at it
	release func() bool     // stops watching the context

	started atomic.Bool // a reader came
	waiting atomic.Bool // a reader waits for a record

	mu     sync.Mutex // guards what follows
	sub    *core.Subtask
	vals   []T
	head   int
	closed bool
	failed bool // the failure was delivered
}

func newBuffer[T any](deterministic bool) *buffer[T] {
	if deterministic {
		return &buffer[T]{limit: deterministicBuffer}
	}
	return &buffer[T]{limit: parallelBuffer}
}

func (b *buffer[T]) attach(s *core.Subtask) {
	b.mu.Lock()
	b.sub = s
	b.mu.Unlock()
}

func (b *buffer[T]) bind(ctx context.Context, j job.Job) {
	b.mu.Lock()
	b.ctx, b.job = ctx, j
	b.mu.Unlock()
}

// push adds a record; it suspends the subtask while the buffer is full.
func (b *buffer[T]) push(s *core.Subtask, v T) {
	if b.full() && !s.Runtime.Wait(core.BackPressured, b.roomy) {
		return
	}
	b.mu.Lock()
	if !b.closed {
		b.vals = append(b.vals, v)
	}
	j := b.job
	b.mu.Unlock()
	if b.waiting.Load() && j != nil && !j.Deterministic() {
		j.Notify()
	}
}

func (b *buffer[T]) full() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.closed && len(b.vals)-b.head >= b.limit
}

func (b *buffer[T]) roomy() bool { return !b.full() }

func (b *buffer[T]) empty() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.head == len(b.vals)
}

// pop takes the oldest record, and wakes the subtask that waited for room.
func (b *buffer[T]) pop() (v T, ok bool) {
	b.mu.Lock()
	if b.head == len(b.vals) {
		b.mu.Unlock()
		return v, false
	}
	wasFull := len(b.vals)-b.head >= b.limit
	var zero T
	v, b.vals[b.head] = b.vals[b.head], zero
	b.head++
	if b.head == len(b.vals) {
		b.vals, b.head = b.vals[:0], 0
	} else if b.head > 1024 && b.head > len(b.vals)/2 {
		b.vals = append(b.vals[:0], b.vals[b.head:]...)
		b.head = 0
	}
	sub := b.sub
	b.mu.Unlock()
	if wasFull && sub != nil {
		sub.Runtime.Wake()
		b.job.Notify()
	}
	return v, true
}

func (b *buffer[T]) close() {
	b.mu.Lock()
	b.closed, b.vals, b.head = true, nil, 0
	sub := b.sub
	b.mu.Unlock()
	if b.release != nil {
		b.release()
	}
	if sub != nil && !b.job.Status().Terminal() {
		sub.Runtime.Wake()
		b.job.Notify()
	}
}

func (b *buffer[T]) next(ctx context.Context) (v T, ok bool, err error) {
	if b.job == nil {
		return v, false, errNotExecuted
	}
	b.started.Store(true)
	for {
		if v, ok = b.pop(); ok {
			return v, true, nil
		}
		if b.job.Status().Terminal() && b.empty() {
			return v, false, b.end()
		}
		if err := b.await(ctx); err != nil {
			return v, false, err
		}
	}
}

// await blocks until there may be something to read. A job that stalls on a stream that nobody has begun to
// read would block for ever; that is an error.
func (b *buffer[T]) await(ctx context.Context) error {
	stuck := false
	b.waiting.Store(true)
	defer b.waiting.Store(false)
	err := b.job.Await(ctx, func() bool {
		if !b.empty() {
			return true
		}
		stuck = b.job.Deterministic() && b.job.Stalled() != nil && !b.allRead()
		return stuck
	})
	if err == nil && stuck && b.empty() {
		return errUnread
	}
	return err
}

// end is the error of a job that has ended, delivered once. Of a job that somebody else cancelled the rest is missing, which must
// not look like the end of the stream.
func (b *buffer[T]) end() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.release != nil {
		b.release()
	}
	if b.closed || b.failed {
		return nil
	}
	b.failed = true
	if err := b.job.Err(); err != nil {
		return err
	}
	if b.job.Status() != job.Canceled {
		return nil
	}
	if b.ctx != nil && b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	return &GraphError{Kind: "JobCancellation", Call: "CollectAsync", Msg: "the job " + b.job.Name() + " was cancelled before the stream ended"}
}

// reader is a buffer as the other buffers of its job see it.
type reader interface{ read() bool }

func (b *buffer[T]) read() bool { return b.started.Load() }

// allRead reports whether every collected stream of the job has a reader.
func (b *buffer[T]) allRead() bool {
	for _, v := range b.job.Graph().Vertices {
		for _, n := range v.Chain {
			if c, ok := n.T.Factory.(plain); ok {
				if s, ok := c.unaryFactory.(interface{ source() reader }); ok && !s.source().read() {
					return false
				}
			}
		}
	}
	return true
}

func (f *collectSink[T]) source() reader { return f.buf }

func itoa(n int) string { return strconv.Itoa(n) }
