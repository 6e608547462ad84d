package dataflow

import (
	"fmt"
	"slices"
	"sync"

	"flinkish/dataflow/connector"
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/keygroup"
	"flinkish/dataflow/internal/watermark"
)

// FromSource returns the records of a source, with the timestamps and watermarks of the strategy (fromSource). Split i is
// read by subtask i mod the parallelism; in a subtask its splits take turns. Watermarks are made for each split, and a
// subtask is where the slowest split that is not idle is.
//
// When ReinterpretAsKeyedStream follows, each split has a key group of its own and is read by the subtask that owns it; more splits
// than key groups fail the job.
func (e *StreamExecutionEnvironment) FromSource[T any](src connector.Source[T], s WatermarkStrategy[T], name string, opts ...TypeOption) *DataStreamSource[T] {
	t := &Transformation{Kind: graph.Source, Name: name, Out: resultType[T](opts), Mover: moverOf[T]()}
	if !e.nilArg(src == nil, "FromSource", "source") {
		t.Bounded = src.Boundedness() == connector.Bounded
	}
	e.nilArg(name == "", "FromSource", "name of the source")
	s.check(e, name, "FromSource")
	t.Factory = &splitSource[T]{t, src, s.inner}
	e.transformation(t)
	return &DataStreamSource[T]{SingleOutputStreamOperator[T]{DataStream[T]{env: e, tr: t}}}
}

// splitPoll is the time between two looks at a source that has nothing, in milliseconds.
const splitPoll = 10

// splitQueue are the splits of one source in one job, in the order of discovery.
type splitQueue struct {
	mu     sync.Mutex
	enum   connector.Enumerator // nil: not opened yet, or closed
	opened bool
	more   bool
	splits []connector.Split
	owners []int
	groups *keygroup.Splits // of a pre-keyed source
	left   int              // subtasks that have not closed
}

// splitQueue is the queue of the source with this id; every subtask of it gets the same one.
func (j *jobShared) splitQueue(id int, s *core.Subtask) *splitQueue {
	j.sharedMu.Lock()
	defer j.sharedMu.Unlock()
	q := j.sources[id]
	if q == nil {
		q = &splitQueue{left: s.Parallelism, more: true}
		if s.PreKeyed {
			q.groups = keygroup.NewSplits(s.MaxParallelism, s.Parallelism)
		}
		if j.sources == nil {
			j.sources = map[int]*splitQueue{}
		}
		j.sources[id] = q
	}
	return q
}

// next returns the splits of subtask s from position from on, the position for the next call, and whether there may be
// more later.
func (q *splitQueue) next(s *core.Subtask, from int, open func(parallelism int) (connector.Enumerator, error)) (mine []connector.Split, to int, more bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.opened {
		q.opened = true
		if q.enum, err = open(s.Parallelism); err != nil {
			return nil, from, false, err
		}
	}
	if q.more && q.enum != nil {
		if err := q.discover(s.Parallelism); err != nil {
			return nil, from, false, err
		}
	}
	for i := from; i < len(q.splits); i++ {
		if q.owners[i] == s.Index {
			mine = append(mine, q.splits[i])
		}
	}
	return mine, len(q.splits), q.more, nil
}

// discover asks the enumerator for splits and chooses who reads them.
func (q *splitQueue) discover(parallelism int) error {
	found, more, err := q.enum.Discover()
	if err != nil {
		return err
	}
	for _, split := range found {
		owner := len(q.splits) % parallelism
		if q.groups != nil {
			if _, owner, err = q.groups.Next(); err != nil {
				return err
			}
		}
		q.splits, q.owners = append(q.splits, split), append(q.owners, owner)
	}
	if q.more = more; more {
		return nil
	}
	return q.closeEnumerator()
}

func (q *splitQueue) closeEnumerator() error {
	if q.enum == nil {
		return nil
	}
	enum := q.enum
	q.enum = nil
	return enum.Close()
}

// leave is called once by each subtask when it closes; the last one closes the enumerator.
func (q *splitQueue) leave() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left--; q.left > 0 {
		return nil
	}
	return q.closeEnumerator()
}

// splitSource builds the subtasks of a source with splits.
type splitSource[T any] struct {
	tr       *Transformation
	src      connector.Source[T]
	strategy watermark.Strategy[T]
}

func (f *splitSource[T]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	shared, ok := s.Shared.(*jobShared)
	if !ok {
		return nil, fmt.Errorf("a source with splits needs the state of a job")
	}
	o := &splitOp[T]{opBase: newBase(s, out, newRuntimeContext(s, nil), nil), f: f, queue: shared.splitQueue(f.tr.ID, s)}
	emit := out.Main.(core.Emit[T])
	o.emit = func(v T, ts int64) {
		emit(v, ts)
		s.Op = o.idx
	}
	o.event = watermark.NewCombined(0, out.Control)
	o.align = newAligner(f.strategy.Align, s, shared)
	return &core.Instance{Op: o, Run: o.run, Counters: &o.n}, nil
}

// splitOp reads the splits of one subtask.
type splitOp[T any] struct {
	opBase
	f     *splitSource[T]
	queue *splitQueue
	from  int // position in the queue
	more  bool
	emit  core.Emit[T]
	event *watermark.Combined
	align *aligner
	open  []*openSplit[T]
	stop  func() bool
}

// openSplit is a split that is being read.
type openSplit[T any] struct {
	id       string
	reader   connector.Reader[T]
	input    int // of event
	assigner *watermark.Assigner[T]
	clock    *heldClock // of the assigner
}

// splitTime is the event time of one split.
type splitTime struct {
	event *watermark.Combined
	input int
}

func (t splitTime) Watermark(wm int64) { t.event.Watermark(t.input, wm) }
func (t splitTime) Status(idle bool)   { t.event.Status(t.input, idle) }

func (o *splitOp[T]) run() error {
	o.enter()
	o.more = true
	if o.sub.WatermarkInterval > 0 {
		o.tick()
	}
	o.align.start(o.sub, o.event)
	for {
		if o.more {
			if err := o.take(); err != nil {
				return err
			}
		}
		if len(o.open) == 0 && !o.more {
			return nil
		}
		busy, ok, err := o.round()
		if err != nil || !ok {
			return err
		}
		if !busy && (len(o.open) > 0 || o.more) && !o.pause() {
			return nil
		}
	}
}

// tick calls the generators once per watermark interval.
func (o *splitOp[T]) tick() {
	o.stop = o.sub.Runtime.After(o.sub.Now()+o.sub.WatermarkInterval, func() {
		o.enter()
		for _, s := range o.open {
			s.assigner.OnTick()
		}
		o.tick()
	})
}

// take opens the splits that were found since the last call.
func (o *splitOp[T]) take() (err error) {
	var mine []connector.Split
	mine, o.from, o.more, err = o.queue.next(o.sub, o.from, o.f.src.Enumerator)
	if err != nil {
		return err
	}
	for _, split := range mine {
		r, err := o.f.src.Reader(split)
		if err != nil {
			return fmt.Errorf("split %s: %w", split.SplitID(), err)
		}
		input := o.event.Add()
		clock := &heldClock{now: o.sub.Now}
		a := watermark.NewAssigner(o.f.strategy, clock.Now, splitTime{o.event, input})
		o.open = append(o.open, &openSplit[T]{split.SplitID(), r, input, a, clock})
	}
	if len(o.open) == 0 && o.more && !o.event.Idle() {
		o.event.Remove(o.event.Add()) // nothing to read yet: do not hold event time back
	}
	return nil
}

// round reads one record of each split that is not too far ahead. ok is false when the source must stop.
func (o *splitOp[T]) round() (busy, ok bool, err error) {
	for i := 0; i < len(o.open); i++ {
		s := o.open[i]
		held := s.assigner.Last() > o.align.limit
		if s.clock.hold(held); held {
			continue
		}
		rec, status, err := s.reader.Poll()
		if err != nil {
			return false, false, fmt.Errorf("split %s: %w", s.id, err)
		}
		switch status {
		case connector.Available:
			busy = true
			ts := s.assigner.Stamp(rec.Value, rec.Timestamp)
			o.emit(rec.Value, ts)
			s.assigner.OnEvent(rec.Value, ts)
			if !o.sub.Poll() {
				return busy, false, nil
			}
		case connector.EndOfInput:
			busy = true
			o.open = slices.Delete(o.open, i, i+1)
			i--
			if err := s.reader.Close(); err != nil {
				return busy, false, fmt.Errorf("split %s: %w", s.id, err)
			}
			s.assigner.Finish()
			o.event.Remove(s.input)
		}
	}
	return busy, true, nil
}

// pause waits for a while, or until something needs attention. It reports false when the source must stop.
func (o *splitOp[T]) pause() bool {
	ok := wait(o.sub, splitPoll)
	o.enter()
	return ok
}

// Finish stops the generators.
func (o *splitOp[T]) Finish() {
	if o.stop != nil {
		o.stop()
	}
	o.align.leave()
}

// Close closes what is still open.
func (o *splitOp[T]) Close() error {
	o.enter()
	var first error
	for _, s := range o.open {
		if err := s.reader.Close(); first == nil {
			first = err
		}
	}
	o.open = nil
	o.align.leave()
	if err := o.queue.leave(); first == nil {
		first = err
	}
	return first
}
