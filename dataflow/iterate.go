package dataflow

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
)

// loop is what the handles of one iteration share.
type loop struct {
	env     *StreamExecutionEnvironment
	id      int
	input   *Transformation
	head    *Transformation
	both    *Transformation // the view of input and head that the program has; nil with a feedback of another type
	maxWait time.Duration
}

// IterateOption changes an iteration.
type IterateOption func(*loop)

// MaxWait ends the iteration when no record was fed back for d, even if the input still sends; 0, the default, is
// never, and then a job with a bounded input never ends.
func MaxWait(d time.Duration) IterateOption { return func(l *loop) { l.maxWait = max(d, 0) } }

// IterativeStream is a stream that CloseWith can be called on (Flink's class of the same name). It is no type of its own,
// which would be compiled for every record type of a program.
type IterativeStream[T any] = SingleOutputStreamOperator[T]

// Iterate starts a loop (Flink's IterativeStream): the records of the result are those of this stream and
// those that CloseWith feeds back. What is fed back is partitioned as this stream is. Batch mode refuses it.
//
// The result is no operator of its own, so not every setting means something. The loop has the parallelism of this stream
// until SetParallelism changes it, and the max parallelism that SetMaxParallelism sets. A side output of it is that of the
// operators that this stream comes from. StartNewChain, DisableChaining, EnableAsyncState and Cache are refused. The other
// settings are kept and change no job, as in Flink.
//
// Deprecated in Flink since 1.19, gone in 2.0, which has nothing in its place.
func (d *DataStream[T]) Iterate(opts ...IterateOption) *SingleOutputStreamOperator[T] {
	l := newLoop(d.env, d.tr, opts)
	l.start(d.tr.Out, moverOf[T](), &loopHead{l})
	fed := l.head
	if in := d.tr; in.Kind == graph.Partition { // what is fed back goes the way of the input
		fed = d.env.transformation(&Transformation{Kind: graph.Partition, Name: in.Name, Inputs: []*Transformation{l.head},
			Parallelism: in.Parallelism, Out: in.Out, Key: in.Key, Partitioning: in.Partitioning, Payload: in.Payload, Call: in.Call})
	}
	l.both = d.env.transformation(&Transformation{Kind: graph.Union, Name: "Iteration", Inputs: []*Transformation{d.tr, fed},
		Parallelism: d.tr.Parallelism, Out: d.tr.Out})
	return &SingleOutputStreamOperator[T]{DataStream[T]{env: d.env, tr: l.both, loop: l}}
}

func newLoop(e *StreamExecutionEnvironment, input *Transformation, opts []IterateOption) *loop {
	l := &loop{env: e, input: input}
	for _, o := range opts {
		o(l)
	}
	e.whole(input.Name, "Iterate", "the max wait", l.maxWait)
	return l
}

// start makes the head, a source of what is fed back.
func (l *loop) start(typ Type, m mover, f core.Factory) {
	l.head = l.env.transformation(&Transformation{Kind: graph.Source, Parallelism: l.input.Parallelism, Out: typ, Mover: m, Factory: f,
		Chaining: graph.Never, Bounded: true})
	l.id = l.head.ID
	l.head.Name, l.head.Iteration = fmt.Sprintf("IterationSource-%d", l.id), l.id
}

// close feeds fb back. A loop has one tail, a sink, which reads all that is fed back, whatever its partitioning.
func (l *loop) close(fb *Transformation, m mover, f core.Factory) {
	switch {
	case !reaches(fb, l.head, map[*Transformation]bool{}):
		l.env.fail("UnsupportedOperation", fb.Name, "CloseWith", "the feedback must come from this iteration; it does not read the iterative stream")
		return
	case fb.Parallelism != l.head.Parallelism:
		l.env.fail("UnsupportedOperation", fb.Name, "CloseWith", "the feedback must have the parallelism of the iteration, %d, but has %d; call SetParallelism", l.head.Parallelism, fb.Parallelism)
		return
	}
	from := fb
	if l.head.Tail != nil {
		from = l.env.transformation(&Transformation{Kind: graph.Union, Name: "Feedback", Inputs: []*Transformation{l.head.Tail.Inputs[0], fb},
			Parallelism: l.head.Parallelism, Out: fb.Out})
	}
	l.head.Tail = l.env.transformation(&Transformation{Kind: graph.Sink, Name: fmt.Sprintf("IterationSink-%d", l.id), Inputs: []*Transformation{from},
		Parallelism: l.head.Parallelism, MaxParallelism: l.head.MaxParallelism, Out: fb.Out, Mover: m, Factory: f, Chaining: graph.Never, Iteration: l.id})
}

// scale gives both ends of the loop, which share a queue for each subtask, the parallelism that was set on the iteration.
// A nil loop has no ends.
func (l *loop) scale() {
	if l == nil {
		return
	}
	for _, end := range []*Transformation{l.head, l.head.Tail} {
		if end != nil {
			end.Parallelism, end.MaxParallelism = l.both.Parallelism, l.both.MaxParallelism
		}
	}
}

// reaches reports whether t reads head, perhaps through others.
func reaches(t, head *Transformation, seen map[*Transformation]bool) bool {
	if t == head {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	for _, in := range t.Inputs {
		if reaches(in, head, seen) {
			return true
		}
	}
	return false
}

// CloseWith feeds the records of fb, which must come from this iteration, back into it, and returns fb. It may be called
// for several streams. Only the result of Iterate can be closed.
func (s *DataStream[T]) CloseWith(fb Stream[T]) *DataStream[T] {
	if s.env.nilArg(fb == nil, "CloseWith", "stream") || s.notIterative("CloseWith") {
		return s
	}
	d := fb.asDataStream()
	s.loop.close(d.tr, moverOf[T](), plain{&loopTail[T]{s.loop}})
	return d
}

func (s *DataStream[T]) notIterative(call string) bool {
	if s.loop == nil {
		s.env.fail("UnsupportedOperation", s.tr.Name, call, "the stream is no iteration; call %s on the result of Iterate", call)
	}
	return s.loop == nil
}

// ConnectedIterativeStreams are the input of an iteration and its feedback of another type, connected (Flink's class of
// the same name).
type ConnectedIterativeStreams[I, F any] struct {
	ConnectedStreams[I, F]
	loop *loop
}

// WithFeedbackType makes the feedback a second input of type F; the first is the input of the iteration alone.
func (s *DataStream[T]) WithFeedbackType[F any](opts ...TypeOption) *ConnectedIterativeStreams[T, F] {
	if s.notIterative("WithFeedbackType") {
		s = &s.Iterate().DataStream
	}
	l := newLoop(s.env, s.loop.input, []IterateOption{MaxWait(s.loop.maxWait)})
	l.start(resultType[F](opts), moverOf[F](), &loopHead{l})
	first := &DataStream[T]{env: s.env, tr: l.input}
	return &ConnectedIterativeStreams[T, F]{ConnectedStreams[T, F]{first, &DataStream[F]{env: s.env, tr: l.head}}, l}
}

// CloseWith feeds the records of fb, which must come from this iteration, back into it, and returns fb.
func (c *ConnectedIterativeStreams[I, F]) CloseWith(fb Stream[F]) *DataStream[F] {
	if c.loop.env.nilArg(fb == nil, "CloseWith", "stream") {
		return c.second
	}
	d := fb.asDataStream()
	c.loop.close(d.tr, moverOf[F](), plain{&loopTail[F]{c.loop}})
	return d
}

// KeyBy is refused: key the input before Iterate, and the feedback before CloseWith.
func (c *ConnectedIterativeStreams[I, F]) KeyBy[K comparable](f func(I) K, g func(F) K, opts ...KeyOption) *ConnectedStreams[I, F] {
	c.loop.env.fail("UnsupportedOperation", "Iteration", "KeyBy", "the streams of an iteration cannot be keyed here; key the input before Iterate and the feedback before CloseWith")
	return &c.ConnectedStreams
}

// KeyByPositions is refused as KeyBy is.
func (c *ConnectedIterativeStreams[I, F]) KeyByPositions[P ~int](first, second []P) *ConnectedStreams[I, F] {
	return c.KeyBy(func(I) int { return 0 }, func(F) int { return 0 })
}

// KeyByFields is refused as KeyBy is.
func (c *ConnectedIterativeStreams[I, F]) KeyByFields[S ~string](first, second []S) *ConnectedStreams[I, F] {
	return c.KeyBy(func(I) int { return 0 }, func(F) int { return 0 })
}

// feedback is the queue between the tails and the head of one subtask. It is not bounded, so that a loop cannot wait for
// itself. A record travels as the call that emits it, so that neither queue nor head is compiled for each record type.
type feedback struct {
	mu     sync.Mutex
	sends  []func(main any)
	head   *core.Subtask
	closed bool
}

// feedbackOf returns the queue of a loop in a subtask.
func feedbackOf(l *loop, s *core.Subtask) *feedback {
	job := s.Shared.(*jobShared)
	job.sharedMu.Lock()
	defer job.sharedMu.Unlock()
	at := [2]int{l.id, s.Index}
	if job.loops[at] == nil {
		job.loops[at] = &feedback{}
	}
	return job.loops[at]
}

func (q *feedback) put(send func(main any)) {
	q.mu.Lock()
	if !q.closed {
		q.sends = append(q.sends, send)
	}
	head := q.head
	q.mu.Unlock()
	if head != nil {
		head.Runtime.Wake()
	}
}

func (q *feedback) ready() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.sends) > 0
}

func (q *feedback) take() (sends []func(main any)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	sends, q.sends = q.sends, nil
	return sends
}

func (q *feedback) close() {
	q.mu.Lock()
	q.closed, q.head, q.sends = true, nil, nil
	q.mu.Unlock()
}

// loopHead is the source of what is fed back.
type loopHead struct{ l *loop }

func (f *loopHead) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	b := newBase(s, out, newRuntimeContext(s, nil), nil)
	q := feedbackOf(f.l, s)
	q.head = s
	run := func() error {
		defer q.close()
		b.ctl.Watermark(core.MaxWatermark) // feedback never holds event time back
		for f.await(s, q) {
			for _, send := range q.take() {
				send(out.Main)
				if !s.Poll() {
					return nil
				}
			}
		}
		return nil
	}
	return &core.Instance{Op: &b, Run: run, Counters: &b.n}, nil
}

// await waits for feedback; it reports false when the time for it is over or the job is cancelled.
func (f *loopHead) await(s *core.Subtask, q *feedback) bool {
	var over atomic.Bool
	stop := func() bool { return false }
	if f.l.maxWait > 0 {
		stop = s.Runtime.After(s.Now()+f.l.maxWait.Milliseconds(), func() { over.Store(true) })
	}
	defer stop()
	for !over.Load() && !q.ready() { // Wait runs the timer itself, so its condition has to see what the timer did
		if !s.Runtime.Wait(core.IdleInput, func() bool { return over.Load() || s.Signal.Load() != 0 || q.ready() }) || !s.Runtime.Poll() {
			return false
		}
	}
	return q.ready()
}

// loopTail feeds records back.
type loopTail[T any] struct{ l *loop }

func (f *loopTail[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	b := newBase(s, out, rt, nil)
	q := feedbackOf(f.l, s)
	in := core.Emit[T](func(v T, ts int64) {
		b.enter()
		b.n.In++
		q.put(func(main any) { main.(core.Emit[T])(v, ts) })
	})
	return &core.Instance{Inputs: []any{in}, Op: &b, Counters: &b.n}, nil
}
