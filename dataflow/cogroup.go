package dataflow

import (
	"iter"
	"time"
)

// CoGroupedStreams are two streams whose records are brought together by key and window (Flink's CoGroupedStreams). It
// is used as
//
//	a.CoGroup(b).Where(keyOfA).EqualTo(keyOfB).Window(assigner).Apply(f)
type CoGroupedStreams[A, B any] struct{ p *pairing[A, B] }

// CoGroupWhere is a coGroup that has the key of its first stream.
type CoGroupWhere[A, B any, K comparable] struct{ k *keyedPairing[A, B, K] }

// CoGroupEqualTo is a coGroup that has both keys.
type CoGroupEqualTo[A, B any, K comparable] struct{ k *keyedPairing[A, B, K] }

// CoGroupWithWindow is a coGroup that has keys and windows (CoGroupedStreams.WithWindow). Its setters return changed
// copies.
type CoGroupWithWindow[A, B any, K comparable, W Window] struct {
	windowedPairing[A, B, K, W]
}

// CoGroup brings the records of this stream together with those of o that have the same key and lie in the same
// window.
func (d *DataStream[T]) CoGroup[T2 any](o Stream[T2]) *CoGroupedStreams[T, T2] {
	return &CoGroupedStreams[T, T2]{pairOf(d, o, "CoGroup")}
}

// Where sets the key of the first stream.
func (c *CoGroupedStreams[A, B]) Where[K comparable](f func(A) K, opts ...KeyOption) *CoGroupWhere[A, B, K] {
	return &CoGroupWhere[A, B, K]{whereOf(c.p, f, opts)}
}

// EqualTo sets the key of the second stream.
func (c *CoGroupWhere[A, B, K]) EqualTo(f func(B) K) *CoGroupEqualTo[A, B, K] {
	return &CoGroupEqualTo[A, B, K]{c.k.equalTo(f)}
}

// Window sets the windows. They must not depend on what is in a record.
func (c *CoGroupEqualTo[A, B, K]) Window[W Window](a WindowAssigner[W]) *CoGroupWithWindow[A, B, K, W] {
	return &CoGroupWithWindow[A, B, K, W]{pairWindows(c.k, a)}
}

// Trigger sets when windows fire, in place of the assigner's default.
func (c *CoGroupWithWindow[A, B, K, W]) Trigger(t AnyTrigger) *CoGroupWithWindow[A, B, K, W] {
	return &CoGroupWithWindow[A, B, K, W]{c.trigger(t)}
}

// Evictor sets what is removed from a window when it fires.
func (c *CoGroupWithWindow[A, B, K, W]) Evictor(v AnyEvictor) *CoGroupWithWindow[A, B, K, W] {
	return &CoGroupWithWindow[A, B, K, W]{c.evictor(v)}
}

// AllowedLateness keeps event-time windows for d after their end: a record that comes late by less fires its window
// again. Records that are later are dropped.
func (c *CoGroupWithWindow[A, B, K, W]) AllowedLateness(d time.Duration) *CoGroupWithWindow[A, B, K, W] {
	return &CoGroupWithWindow[A, B, K, W]{c.lateness(d)}
}

// CoGroupFunction is a function object for ApplyRich (Flink's RichCoGroupFunction). It may have Open and Close.
type CoGroupFunction[A, B, R any] interface {
	// CoGroup sends the results for a key and window to out. One of as and bs may be empty; both are valid during the
	// call only. An error fails the job.
	CoGroup(as iter.Seq[A], bs iter.Seq[B], out Collector[R]) error
}

// Apply calls f once for each key and window with the records of both streams, each in the order of arrival; one of
// the two may be empty. Results have the window's MaxTimestamp.
func (c *CoGroupWithWindow[A, B, K, W]) Apply[R any](f func(as iter.Seq[A], bs iter.Seq[B], out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.env().checkFunction("Apply", f)
	call := func(as iter.Seq[A], bs iter.Seq[B], out Collector[R]) error { f(as, bs, out); return nil }
	return pairOperator(c.windowedPairing, nil, func(any) pairFunc[A, B, R] { return call }, opts)
}

// ApplyE is Apply with a function that may fail; its error fails the job.
func (c *CoGroupWithWindow[A, B, K, W]) ApplyE[R any](f func(as iter.Seq[A], bs iter.Seq[B], out Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.env().checkFunction("ApplyE", f)
	return pairOperator(c.windowedPairing, nil, func(any) pairFunc[A, B, R] { return f }, opts)
}

// ApplyRich is Apply with a function object. Each subtask works on its own copy of f.
func (c *CoGroupWithWindow[A, B, K, W]) ApplyRich[R any](f CoGroupFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	c.env().checkFunction("ApplyRich", f)
	return pairOperator(c.windowedPairing, f, func(fn any) pairFunc[A, B, R] {
		return fn.(CoGroupFunction[A, B, R]).CoGroup
	}, opts)
}
