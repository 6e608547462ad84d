package dataflow

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/codec"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/spill"
)

// CachedDataStream is a stream whose records are kept when a job in BATCH mode computes them, for later jobs of the same
// environment (Flink's class of the same name). In STREAMING mode it reads what was kept, and else passes through.
type CachedDataStream[T any] struct {
	DataStream[T]
	store *cacheStore[T]
}

// Cache keeps the records of the operator for later jobs, from the first BATCH job on that reads the returned
// stream. What does not fit into memory is kept on disk. Closing the environment drops it.
func (s *SingleOutputStreamOperator[T]) Cache() *CachedDataStream[T] {
	if s.tr.Virtual() {
		s.env.fail("IllegalState", s.tr.Name, "Cache", "%s is no operator of its own, and only the records of operators and side outputs can be kept; call Cache on what comes before it", s.tr.Name)
	}
	return cached(&s.DataStream)
}

// Cache keeps the records of the side output; see SingleOutputStreamOperator.Cache.
func (s *SideOutputDataStream[T]) Cache() *CachedDataStream[T] { return cached(&s.DataStream) }

// Invalidate drops the kept records; the next BATCH job that reads the stream computes and keeps them again. Jobs that
// run are not disturbed.
func (c *CachedDataStream[T]) Invalidate(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.store.drop()
	return nil
}

func cached[T any](d *DataStream[T]) *CachedDataStream[T] {
	e := d.env
	// A union of one is a view without a partitioner: what a cache that holds nothing is.
	view := e.transformation(&Transformation{Kind: graph.Union, Name: "Cache", Inputs: []*Transformation{d.tr},
		Parallelism: d.tr.Parallelism, Out: d.tr.Out})
	s := &cacheStore[T]{env: e, at: view}
	e.caches = append(e.caches, s)
	return &CachedDataStream[T]{DataStream[T]{env: e, tr: view}, s}
}

// cache is a cacheStore without its type. All calls come from the goroutine of the environment.
type cache interface {
	view() *Transformation
	// reader is the source that takes the place of the view; nil while nothing is kept.
	reader() *Transformation
	// writer is the operator that keeps the records of the view's input.
	writer() *Transformation
	drop()
}

// cachePlan adds to a program what its caches need: operators that fill those that are empty, in BATCH mode, and the sources
// that take the places of those that are full.
func (e *StreamExecutionEnvironment) cachePlan(batch bool) (program []*Transformation, full map[*Transformation]*Transformation) {
	full = map[*Transformation]*Transformation{}
	byView := map[*Transformation]cache{}
	for _, c := range e.caches {
		byView[c.view()] = c
		if r := c.reader(); r != nil {
			full[c.view()] = r
		}
	}
	program = append(program, e.registered...)
	if !batch || len(e.caches) == 0 {
		return program, full
	}
	seen := map[*Transformation]bool{}
	var visit func(t *Transformation)
	visit = func(t *Transformation) {
		if seen[t] || full[t] != nil {
			return
		}
		seen[t] = true
		for _, in := range t.Inputs {
			visit(in)
		}
		if c := byView[t]; c != nil {
			program = append(program, c.writer())
		}
	}
	for _, t := range e.registered {
		visit(t)
	}
	return program, full
}

func (e *StreamExecutionEnvironment) dropCaches() {
	for _, c := range e.caches {
		c.drop()
	}
	e.caches = nil
}

// cacheStore holds the records of one cached stream.
type cacheStore[T any] struct {
	env   *StreamExecutionEnvironment
	at    *Transformation // the view
	write *Transformation // the environment's, as read
	read  *Transformation

	mu    sync.Mutex // guards what follows; subtasks of jobs write it
	full  []*cachePart[T]
	age   int // counts the drops, so that a job does not fill what was dropped while it ran
	fills map[string]*cacheFill[T]
}

// cacheFill is what one job has written so far.
type cacheFill[T any] struct {
	age   int
	parts []*cachePart[T]
	left  int
}

func (s *cacheStore[T]) view() *Transformation { return s.at }

func (s *cacheStore[T]) reader() *Transformation {
	s.mu.Lock()
	parts := s.full
	s.mu.Unlock()
	if parts == nil {
		s.read = nil
		return nil
	}
	if s.read == nil {
		s.read = s.env.transformation(&Transformation{Kind: graph.Source, Name: "CacheRead", NoPrefix: true, Bounded: true, Parallelism: len(parts), ParallelismSet: true,
			Out: s.at.Out, Mover: moverOf[T](), Factory: &cacheRead[T]{s, parts}})
		s.read.ID = s.at.ID // its consumers were made before it
	}
	return s.read
}

// writer has the parallelism of the operator that it reads.
func (s *cacheStore[T]) writer() *Transformation {
	from := s.at.Inputs[0]
	for from.Kind == graph.SideOutput {
		from = from.Inputs[0]
	}
	if s.write == nil || s.write.Parallelism != from.Parallelism {
		s.write = s.env.transformation(&Transformation{Kind: graph.Operator, Name: "CacheWrite", Inputs: s.at.Inputs, Chaining: graph.Head, Persistent: true,
			Parallelism: from.Parallelism, ParallelismSet: true, Out: s.at.Out, Mover: moverOf[T](), Factory: plain{&cacheWrite[T]{s}}})
	}
	return s.write
}

func (s *cacheStore[T]) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = nil // a job that reads it still holds it; files go away with the last reference
	s.age++
}

// begin returns where a subtask of a job writes.
func (s *cacheStore[T]) begin(sub *core.Subtask) *cachePart[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fills[sub.JobID]
	if f == nil {
		if s.fills == nil {
			s.fills = map[string]*cacheFill[T]{}
		}
		f = &cacheFill[T]{age: s.age, parts: make([]*cachePart[T], sub.Parallelism), left: sub.Parallelism}
		s.fills[sub.JobID] = f
	}
	f.parts[sub.Index] = &cachePart[T]{}
	return f.parts[sub.Index]
}

// end says that a subtask of a job has written everything, or given up. With the last part the cache is full.
func (s *cacheStore[T]) end(sub *core.Subtask, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fills[sub.JobID]
	switch {
	case f == nil:
	case !ok:
		delete(s.fills, sub.JobID)
	default:
		if f.left--; f.left == 0 {
			delete(s.fills, sub.JobID)
			if f.age == s.age {
				s.full = f.parts
			}
		}
	}
}

// cacheWrite keeps the records of its input.
type cacheWrite[T any] struct{ store *cacheStore[T] }

func (f *cacheWrite[T]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	o := &cacheWriteOp[T]{opBase: newBase(s, out, rt, nil), store: f.store, part: f.store.begin(s)}
	last := new(T)
	in := core.Emit[T](func(v T, ts int64) {
		*last = v
		o.enter()
		o.n.In++
		if err := o.part.add(v, ts); err != nil {
			o.fail(err)
		}
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return *last }, Counters: &o.n}, nil
}

type cacheWriteOp[T any] struct {
	opBase
	store *cacheStore[T]
	part  *cachePart[T]
	done  bool
}

func (o *cacheWriteOp[T]) Finish() {
	if err := o.part.seal(); err != nil {
		o.fail(err)
	}
	o.done = true
	o.store.end(o.sub, true)
}

func (o *cacheWriteOp[T]) Close() error {
	if !o.done {
		o.store.end(o.sub, false)
	}
	return o.opBase.Close()
}

// cacheRead is the source of what was kept: each subtask reads what the subtask with its index wrote.
type cacheRead[T any] struct {
	store *cacheStore[T]
	parts []*cachePart[T]
}

func (f *cacheRead[T]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	b := newBase(s, out, newRuntimeContext(s, nil), nil)
	emit := out.Main.(core.Emit[T])
	run := func() error {
		b.enter()
		err := f.parts[s.Index].each(func(v T, ts int64) bool {
			emit(v, ts)
			b.enter()
			return s.Poll()
		})
		if err != nil {
			return &lostCache{f.store, err}
		}
		return nil
	}
	return &core.Instance{Op: &b, Run: run, Counters: &b.n}, nil
}

// lostCache is the error of a job whose cache cannot be read.
type lostCache struct {
	cache cache
	cause error
}

func (e *lostCache) Error() string {
	return fmt.Sprintf("cache: the kept records cannot be read: %s; execute again to compute them anew", e.cause)
}

func (e *lostCache) Unwrap() error { return e.cause }

// dropLost drops the cache that a job failed on, and reports whether there was one: then the job is worth another try.
func dropLost(err error) bool {
	var lost *lostCache
	if !errors.As(err, &lost) {
		return false
	}
	lost.cache.drop()
	return true
}

// cachedInMemory is how many records of a subtask are kept in memory; the rest is on disk.
const cachedInMemory = 1 << 16

// cachePart is what one subtask keeps.
type cachePart[T any] struct {
	vals  []T
	stamp []int64
	log   *spill.Log // the records beyond; nil while there are none
	mu    sync.Mutex // guards codec: several jobs may read
	codec *codec.Codec
	buf   []byte
}

// stamped is a record as it stands on disk.
type stamped[T any] struct {
	val T
	ts  int64
}

func (p *cachePart[T]) add(v T, ts int64) error {
	if len(p.vals) < cachedInMemory {
		p.vals, p.stamp = append(p.vals, v), append(p.stamp, ts)
		return nil
	}
	if p.log == nil {
		var err error
		if p.log, err = spill.New(""); err != nil {
			return err
		}
		p.codec = codec.New(reflect.TypeFor[stamped[T]]())
	}
	r := stamped[T]{v, ts}
	p.buf = p.codec.Append(p.buf[:0], unsafe.Pointer(&r))
	return p.log.Append(p.buf)
}

func (p *cachePart[T]) seal() error {
	if p.log == nil {
		return nil
	}
	return p.log.Seal()
}

// each yields the records in order until yield reports false.
func (p *cachePart[T]) each(yield func(v T, ts int64) bool) error {
	for i, v := range p.vals {
		if !yield(v, p.stamp[i]) {
			return nil
		}
	}
	if p.log == nil {
		return nil
	}
	for r := p.log.Reader(); ; {
		b, err := r.Next()
		if b == nil || err != nil {
			return err
		}
		var s stamped[T]
		p.mu.Lock()
		err = p.codec.Decode(b, unsafe.Pointer(&s))
		p.mu.Unlock()
		if err != nil {
			return err
		}
		if !yield(s.val, s.ts) {
			return nil
		}
	}
}
