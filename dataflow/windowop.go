package dataflow

import (
	"iter"
	"slices"
	"strings"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
	"flinkish/dataflow/internal/window"
)

// ProcessWindowFunction is a function object for a keyed window (Flink's class of the same name). It may have Open,
// Close and
//
//	Clear(ctx *ProcessWindowContext[W]) error // when the window of a key goes away
type ProcessWindowFunction[T, R any, K comparable, W Window] interface {
	// Process is called when a window of key k fires. vs yields its records, or the one result of a
	// reduce or aggregate. ctx, vs and out are valid during the call only.
	Process(k K, ctx *ProcessWindowContext[W], vs iter.Seq[T], out Collector[R]) error
}

// windowClearer is the optional method of a ProcessWindowFunction.
type windowClearer[W Window] interface {
	Clear(ctx *ProcessWindowContext[W]) error
}

func clearMethod[W Window]() signature {
	return optional[func(*ProcessWindowContext[W]) error]("Clear")
}

// ProcessWindowContext is what a window function may ask (ProcessWindowFunction.Context).
type ProcessWindowContext[W Window] struct {
	base   *opBase
	side   map[string]any
	window W
	inner  interface {
		Watermark() int64
		Now() int64
		GlobalStore() *state.Store
		WindowStore() *state.Store
	}
}

// Window is the window at hand.
func (c *ProcessWindowContext[W]) Window() W { return c.window }

// CurrentProcessingTime is the processing time in milliseconds.
func (c *ProcessWindowContext[W]) CurrentProcessingTime() int64 { return c.inner.Now() }

// CurrentWatermark is the watermark of the operator in milliseconds.
func (c *ProcessWindowContext[W]) CurrentWatermark() int64 { return c.inner.Watermark() }

// Output sends v to a side output, with the timestamp of the window.
func (c *ProcessWindowContext[W]) Output[X any](tag OutputTag[X], v X) {
	output(c.base, c.side, tag, v, c.window.MaxTimestamp())
}

// GlobalState holds states of the key over all its windows.
func (c *ProcessWindowContext[W]) GlobalState() *KeyedStateStore {
	return &KeyedStateStore{stateAccess{c.inner.GlobalStore(), c.base.fail, c.inner.Now}}
}

// WindowState holds states of the key in this window. Clear must clear them. Merging windows have none; using it
// there fails the job.
func (c *ProcessWindowContext[W]) WindowState() *KeyedStateStore {
	return &KeyedStateStore{stateAccess{c.inner.WindowStore(), c.base.fail, c.inner.Now}}
}

// KeyedStateStore gives states by name (Flink's KeyedStateStore).
type KeyedStateStore struct{ access stateAccess }

// State returns a ValueState.
func (s *KeyedStateStore) State[V any](d *ValueStateDescriptor[V]) ValueState[V] {
	return s.access.value(d)
}

// ListState returns a ListState.
func (s *KeyedStateStore) ListState[V any](d *ListStateDescriptor[V]) ListState[V] {
	return s.access.list(d)
}

// MapState returns a MapState.
func (s *KeyedStateStore) MapState[MK comparable, V any](d *MapStateDescriptor[MK, V]) MapState[MK, V] {
	return s.access.mapOf(d)
}

// ReducingState returns a ReducingState.
func (s *KeyedStateStore) ReducingState[V any](d *ReducingStateDescriptor[V]) ReducingState[V] {
	return s.access.reducing(d)
}

// AggregatingState returns an AggregatingState.
func (s *KeyedStateStore) AggregatingState[IN, ACC, OUT any](d *AggregatingStateDescriptor[IN, ACC, OUT]) AggregatingState[IN, OUT] {
	return s.access.aggregating(d)
}

// windowFunc is a window function in the form in which the operator calls it.
type windowFunc[K comparable, V, R any, W Window] func(k K, ctx *ProcessWindowContext[W], vs iter.Seq[V], out Collector[R]) error

func bindProcess[V, R any, K comparable, W Window](fn any) windowFunc[K, V, R, W] {
	return fn.(ProcessWindowFunction[V, R, K, W]).Process
}

// passThrough emits what a reduce or aggregate made.
func passThrough[K comparable, V any, W Window](any) windowFunc[K, V, V, W] {
	var to Collector[V]
	collect := func(v V) bool { to.Collect(v); return true } // made once: a firing allocates nothing
	return func(_ K, _ *ProcessWindowContext[W], vs iter.Seq[V], out Collector[V]) error {
		to = out
		vs(collect)
		return nil
	}
}

func one[V any](v V) iter.Seq[V] { return func(yield func(V) bool) { yield(v) } }

// folding is how one instance of a window operator keeps the records of a window, and what it makes of them. T is a
// record, A what is kept, V what the window function gets.
type folding[T, A, V any] struct {
	contents window.Contents[T, A]
	result   func(a *A) iter.Seq[V]   // good until the next call
	evicted  func(vs []T) iter.Seq[V] // with an evictor; nil: nothing to call the function with
}

// oneOf is the result of windows with one value.
func oneOf[A, V any](get func(a *A) V) func(a *A) iter.Seq[V] {
	var v V
	seq := func(yield func(V) bool) { yield(v) }
	return func(a *A) iter.Seq[V] {
		v = get(a)
		return seq
	}
}

// listOf is the folding of windows that keep their records as they are.
func listOf[V any]() folding[V, []V, V] {
	var vs []V
	seq := func(yield func(V) bool) {
		for _, v := range vs {
			if !yield(v) {
				return
			}
		}
	}
	return folding[V, []V, V]{
		contents: window.ListOf[V](),
		result:   func(a *[]V) iter.Seq[V] { vs = *a; return seq },
		evicted:  func(vs []V) iter.Seq[V] { return slices.Values(vs) },
	}
}

// functionName is how a description names a function object.
func functionName(f any) string {
	if f == nil {
		return ""
	}
	return className(f)
}

// windowOperator makes the operator of a windowed stream. classes are the functions that its description names.
func windowOperator[R any, T any, K comparable, W Window](w *WindowedStream[T, K, W], f core.Factory, opts []TypeOption, classes ...string) *SingleOutputStreamOperator[R] {
	out := keyedOperator[T, R](w.in, className(w.spec.assigner), f, opts)
	w.spec.describe(out.tr, classes...)
	sendsLate(w.in.env, out.tr, "SideOutputLateData", w.spec.late)
	return out
}

// describe tells t what its windows are. Global windows that fire at the end of the input emit nothing before.
func (s *windowSpec[T, W]) describe(t *Transformation, classes ...string) {
	t.Description, t.Call = s.description(classes), s.call
	if _, global := any(s.assigner).(window.Assigner[GlobalWindow]); global && s.trigger == window.EndOfStream() {
		t.EmitsAtEnd, t.Chaining = true, graph.Head
	}
}

// description is Flink's text for an operator on keyed windows.
func (s *windowSpec[T, W]) description(classes []string) string {
	parts := []string{textOf(s.assigner), className(s.trigger)}
	if g, ok := any(s.assigner).(interface{ DefaultTrigger() window.TriggerSpec }); ok && parts[0] == "GlobalWindows()" {
		parts[0] = "GlobalWindows(trigger=" + className(g.DefaultTrigger()) + ")"
	}
	if s.evictor != nil {
		parts = append(parts, className(s.evictor))
	}
	return "Window(" + strings.Join(append(parts, classes...), ", ") + ")"
}

// windowFactory makes window operators; R is the result of the window function, for the others see folding.
type windowFactory[K comparable, T, A, V, R any, W Window] struct {
	spec windowSpec[T, W]
	fold func() folding[T, A, V] // of one instance
	fn   any
	bind func(fn any) windowFunc[K, V, R, W]
}

func (f *windowFactory[K, T, A, V, R, W]) New(s *core.Subtask, out core.Outputs) (*core.Instance, error) {
	fn := prototype(f.fn)
	o := &windowOp[K, T, R, W]{keys: state.NewBackend[K]()}
	o.opBase = newBase(s, out, newRuntimeContext(s, &o.keys.Store), fn)
	o.out = collector[R]{base: &o.opBase, emit: out.Main.(core.Emit[R])}
	o.ctx = ProcessWindowContext[W]{base: &o.opBase, side: out.Side}
	call, fold := f.bind(fn), f.fold()
	fire := func(ctx *window.Context[K, W], vs iter.Seq[V]) {
		if vs == nil {
			return
		}
		o.begin(ctx)
		if err := call(ctx.Key, &o.ctx, vs, &o.out); err != nil {
			o.fail(err)
		}
	}
	var err error
	if f.spec.evictor == nil {
		err = assemble(o, s, out, f.spec, fn, fold.contents, func(ctx *window.Context[K, W], a *A) bool {
			fire(ctx, fold.result(a))
			return true
		})
	} else {
		var ev window.Evictor[T, W]
		ev, err = window.BuildEvictor[T, W](f.spec.evictor, copyAny)
		if err == nil {
			err = assemble(o, s, out, f.spec, fn, window.EvictingList[T](), window.Evicting(ev,
				func(ctx *window.Context[K, W], es []window.Timestamped[T]) {
					vs := make([]T, len(es))
					for i, e := range es {
						vs[i] = e.Value
					}
					fire(ctx, fold.evicted(vs))
				}))
		}
	}
	if err != nil {
		return nil, err
	}
	in, count := core.KeyedEmit[K, T](o.element), measure(&o.n, o.keys, o.op.Timers)
	counted := func() {
		count()
		o.n.LateDropped = o.late()
	}
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return o.last }, Counters: &o.n, Measure: counted, Ahead: o.keys.Ahead}, nil
}

func copyAny(v any) any { return prototype(v) }

// windowOp is one instance of a window operator.
type windowOp[K comparable, T, R any, W Window] struct {
	opBase
	keys *state.Backend[K]
	op   windowEngine[K, T]
	late func() uint64
	ctx  ProcessWindowContext[W]
	out  collector[R]
	last T
}

// windowEngine is a window.Operator without the type of its contents.
type windowEngine[K comparable, T any] interface {
	OnElement(k K, v T, ts int64)
	OnWatermark(wm int64)
	Quiesce()
	EndKey()
	Timers() int
}

// assemble gives o its window.Operator.
func assemble[K comparable, T, A, R any, W Window](o *windowOp[K, T, R, W], s *core.Subtask, out core.Outputs, spec windowSpec[T, W], fn any, contents window.Contents[T, A], fire func(*window.Context[K, W], *A) bool) error {
	trigger, err := window.BuildTrigger[T, W](spec.trigger, func(v any) any {
		c := copyAny(v)
		if t, ok := c.(interface{ joins(*RuntimeContext) }); ok {
			t.joins(o.rt)
		}
		return c
	})
	if err != nil {
		return err
	}
	assigner := spec.assigner
	if _, own := assigner.(interface {
		Instance(uint64) window.Assigner[W]
	}); !own {
		assigner = prototype(assigner)
	}
	cfg := window.Config[K, T, A, W]{Assigner: assigner, Trigger: trigger, Contents: contents, Lateness: spec.lateness,
		Keys: o.keys, Now: s.Now, After: func(at int64, f func()) func() bool { return s.Runtime.After(at, f) },
		Fire: fire, Seed: s.Seed, Batch: s.Batch}
	if c, ok := fn.(windowClearer[W]); ok && hasMethod(fn, "Clear") {
		cfg.Clear = func(ctx *window.Context[K, W]) {
			o.begin(ctx)
			if err := c.Clear(&o.ctx); err != nil {
				o.fail(err)
			}
		}
	}
	if spec.late.id != "" {
		emit := lateOutput(out.Side, spec.late)
		cfg.Late = func(_ K, v T, ts int64) {
			if emit != nil {
				emit(v, ts)
				o.enter()
			}
		}
	}
	op := window.NewOperator(cfg)
	o.op, o.late = op, func() uint64 { return op.LateDropped }
	return nil
}

// begin prepares a call of the user's function for a window.
func (o *windowOp[K, T, R, W]) begin(ctx *window.Context[K, W]) {
	o.enter()
	o.ctx.window, o.ctx.inner = ctx.Window, ctx
	o.out.ts = ctx.Window.MaxTimestamp()
}

func (o *windowOp[K, T, R, W]) element(k K, v T, ts int64) {
	o.last = v
	o.enter()
	o.n.In++
	o.op.OnElement(k, v, ts)
}

func (o *windowOp[K, T, R, W]) Watermark(_ int, wm int64) {
	o.wm = wm
	o.enter()
	o.op.OnWatermark(wm)
	o.ctl.Watermark(wm)
}

func (o *windowOp[K, T, R, W]) Finish() { o.op.Quiesce() }

// EndKey forgets windows and states of the current key, whose input has ended; see opBase.EndKey.
func (o *windowOp[K, T, R, W]) EndKey() {
	o.op.EndKey()
	o.opBase.EndKey()
}
