package dataflow

import (
	"flinkish/dataflow/internal/core"
	"flinkish/dataflow/internal/state"
)

// This file is what operators do otherwise in BATCH mode. There a keyed operator gets its records key by key, with the
// highest watermark after each key and the lowest one before the next.

// EndKey forgets the states of the current key, whose input has ended. The engine calls it in BATCH mode.
func (b *opBase) EndKey() {
	if b.rt == nil {
		return
	}
	if s := b.rt.access.store; s != nil && s.HasCurrent() {
		s.Clear()
	}
}

// inBatch is the reducer that emits once for each key, at its end (BatchGroupedReduceOperator).
func (f *reducer[T, K]) inBatch(s *core.Subtask, out core.Outputs) *core.Instance {
	keys := state.NewBackend[K]()
	failing, fn := f.failing, any(nil)
	if f.object != nil {
		object := prototype(f.object)
		failing, fn = object.Reduce, object
	}
	o := &batchReducer[T]{opBase: newBase(s, out, newRuntimeContext(s, &keys.Store), fn), emit: out.Main.(core.Emit[T])}
	step := func(v T) {
		r, err := failing(o.acc, v)
		if err != nil {
			o.fail(err)
		}
		o.acc = r
	}
	switch {
	case f.inPlace != nil:
		step = func(v T) { f.inPlace(&o.acc, &v) }
	case f.plain != nil:
		step = func(v T) { o.acc = f.plain(o.acc, v) }
	}
	in := core.KeyedEmit[K, T](func(k K, v T, _ int64) {
		o.last = v
		o.enter()
		o.n.In++
		keys.SetCurrent(k)
		if !o.some {
			o.acc, o.some = v, true
			return
		}
		step(v)
	})
	return &core.Instance{Inputs: []any{in}, Op: o, Record: func() any { return o.last }, Counters: &o.n}
}

// batchReducer holds the fold of one key.
type batchReducer[T any] struct {
	opBase
	emit core.Emit[T]
	acc  T
	some bool
	last T
}

func (o *batchReducer[T]) Watermark(input int, wm int64) {
	if wm == core.MaxWatermark && o.some {
		o.some = false
		o.emit(o.acc, core.MaxWatermark)
		o.enter()
	}
	o.opBase.Watermark(input, wm)
}
