package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/exchange"
)

type mover = core.Mover

func moverOf[T any]() mover { return exchange.Of[T]() }

// unaryFactory builds the instances of an operator with one input. It does not know whether the input
// is keyed: rt holds the keyed state when it is.
type unaryFactory interface {
	build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error)
}

// plain runs a unaryFactory without keys.
type plain struct{ unaryFactory }

func (p plain) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	return p.build(s, out, newRuntimeContext(s, nil))
}

func (d *DataStream[T]) factory(f unaryFactory) core.Factory {
	if d.keys != nil {
		return &keyBound[T]{f, d.keys}
	}
	return plain{f}
}

// opBase is the control side that most operators share: it forwards, opens and closes.
type opBase struct {
	sub  *core.Subtask
	idx  int32
	ctl  core.Control
	n    core.Counters
	rt   *RuntimeContext
	life lifecycle
	ops  operatorState
	wm   int64 // the watermark that was forwarded last
}

func newBase(s *core.Subtask, out core.Outputs, rt *RuntimeContext, fn any) opBase {
	return opBase{sub: s, idx: s.OpIndex, ctl: out.Control, rt: rt, life: lifecycleOf(fn), wm: core.MinWatermark}
}

// measure returns the Measure of an instance: it counts the keys and the timers of its operator into n. Either is nil for an
// operator without.
func measure(n *core.Counters, keys keyBackend, timers func() int) func() {
	return func() {
		if keys != nil {
			n.Keys = uint64(keys.Len())
		}
		if timers != nil {
			n.Timers = uint64(timers())
		}
	}
}

// enter says that the user code of this operator runs now.
func (b *opBase) enter() { b.sub.Op = b.idx }

// fail ends the job with the error of the user code; it does not return.
func (b *opBase) fail(err error) {
	b.sub.Op = b.idx
	b.sub.Runtime.Fail(err)
}

func (b *opBase) Open() error {
	b.enter()
	if err := b.life.initialize(&InitializationContext{b}); err != nil {
		return err
	}
	return b.life.open(b.rt)
}

func (b *opBase) Watermark(_ int, wm int64) {
	b.wm = wm
	b.ctl.Watermark(wm)
}

func (b *opBase) Status(_ int, idle bool) { b.ctl.Status(idle) }
func (b *opBase) EndInput(int)            {}
func (b *opBase) Finish()                 {}

func (b *opBase) Close() error {
	b.enter()
	return b.life.close()
}

// Collector takes the results of a function. It is valid during the call that it was given to, and must
// not be used from another goroutine.
type Collector[T any] interface {
	// Collect sends v on. The function must not change what v points to afterwards.
	Collect(v T)
}

// collector is the Collector of one operator instance: every record gets the timestamp ts.
type collector[T any] struct {
	base *opBase
	emit core.Emit[T]
	ts   int64
}

func (c *collector[T]) Collect(v T) {
	b := c.base
	c.emit(v, c.ts)
	b.sub.Op = b.idx
}

// function is a unaryFactory around one user function F: wire turns the instance's own copy of it
// into the Emit[T] of its input.
type function[T, R, F any] struct {
	fn   F
	wire func(b *opBase, fn F, out core.Outputs, emit core.Emit[R], last *T) core.Emit[T]
}

func (f *function[T, R, F]) build(s *core.Subtask, out core.Outputs, rt *RuntimeContext) (*core.Instance, error) {
	fn := prototype(f.fn)
	b := newBase(s, out, rt, fn)
	last := new(T)
	in := f.wire(&b, fn, out, out.Main.(core.Emit[R]), last)
	return &core.Instance{Inputs: []any{in}, Op: &b, Record: func() any { return *last }, Counters: &b.n}, nil
}
