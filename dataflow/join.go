package dataflow

import (
	"iter"
	"time"
)

// JoinedStreams are two streams whose records are paired by key and window (Flink's JoinedStreams). It is used as
//
//	a.Join(b).Where(keyOfA).EqualTo(keyOfB).Window(assigner).Apply(f)
type JoinedStreams[A, B any] struct{ p *pairing[A, B] }

// JoinWhere is a join that has the key of its first stream.
type JoinWhere[A, B any, K comparable] struct{ k *keyedPairing[A, B, K] }

// JoinEqualTo is a join that has both keys.
type JoinEqualTo[A, B any, K comparable] struct{ k *keyedPairing[A, B, K] }

// JoinWithWindow is a join that has keys and windows (JoinedStreams.WithWindow). Its setters return changed copies.
type JoinWithWindow[A, B any, K comparable, W Window] struct {
	windowedPairing[A, B, K, W]
}

// Join pairs the records of this stream with those of o that have the same key and lie in the same window.
func (d *DataStream[T]) Join[T2 any](o Stream[T2]) *JoinedStreams[T, T2] {
	return &JoinedStreams[T, T2]{pairOf(d, o, "Join")}
}

// Where sets the key of the first stream.
func (j *JoinedStreams[A, B]) Where[K comparable](f func(A) K, opts ...KeyOption) *JoinWhere[A, B, K] {
	return &JoinWhere[A, B, K]{whereOf(j.p, f, opts)}
}

// EqualTo sets the key of the second stream.
func (j *JoinWhere[A, B, K]) EqualTo(f func(B) K) *JoinEqualTo[A, B, K] {
	return &JoinEqualTo[A, B, K]{j.k.equalTo(f)}
}

// Window sets the windows. They must not depend on what is in a record.
func (j *JoinEqualTo[A, B, K]) Window[W Window](a WindowAssigner[W]) *JoinWithWindow[A, B, K, W] {
	return &JoinWithWindow[A, B, K, W]{pairWindows(j.k, a)}
}

// Trigger sets when windows fire, in place of the assigner's default.
func (j *JoinWithWindow[A, B, K, W]) Trigger(t AnyTrigger) *JoinWithWindow[A, B, K, W] {
	return &JoinWithWindow[A, B, K, W]{j.trigger(t)}
}

// Evictor sets what is removed from a window when it fires.
func (j *JoinWithWindow[A, B, K, W]) Evictor(v AnyEvictor) *JoinWithWindow[A, B, K, W] {
	return &JoinWithWindow[A, B, K, W]{j.evictor(v)}
}

// AllowedLateness keeps event-time windows for d after their end: a record that comes late by less fires its window
// again. Records that are later are dropped.
func (j *JoinWithWindow[A, B, K, W]) AllowedLateness(d time.Duration) *JoinWithWindow[A, B, K, W] {
	return &JoinWithWindow[A, B, K, W]{j.lateness(d)}
}

// JoinFunction is a function object for ApplyRich (Flink's RichJoinFunction). It may have Open and Close.
type JoinFunction[A, B, R any] interface {
	// Join returns the result for a pair; an error fails the job.
	Join(a A, b B) (R, error)
}

// FlatJoinFunction is a function object for ApplyFlatRich (Flink's RichFlatJoinFunction). It may have Open and Close.
type FlatJoinFunction[A, B, R any] interface {
	// Join sends the results for a pair to out; an error fails the job.
	Join(a A, b B, out Collector[R]) error
}

// Apply makes one record of each pair. Its timestamp is the window's MaxTimestamp.
func (j *JoinWithWindow[A, B, K, W]) Apply[R any](f func(a A, b B) R, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.env().checkFunction("Apply", f)
	each := func(a A, b B, out Collector[R]) error { out.Collect(f(a, b)); return nil }
	return pairOperator(j.windowedPairing, nil, func(any) pairFunc[A, B, R] { return pairs(each) }, opts)
}

// ApplyE is Apply with a function that may fail; its error fails the job.
func (j *JoinWithWindow[A, B, K, W]) ApplyE[R any](f func(a A, b B) (R, error), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.env().checkFunction("ApplyE", f)
	return pairOperator(j.windowedPairing, nil, func(any) pairFunc[A, B, R] { return pairs(joined(f)) }, opts)
}

// ApplyRich is Apply with a function object. Each subtask works on its own copy of f.
func (j *JoinWithWindow[A, B, K, W]) ApplyRich[R any](f JoinFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.env().checkFunction("ApplyRich", f)
	return pairOperator(j.windowedPairing, f, func(fn any) pairFunc[A, B, R] {
		return pairs(joined(fn.(JoinFunction[A, B, R]).Join))
	}, opts)
}

func joined[A, B, R any](f func(A, B) (R, error)) func(A, B, Collector[R]) error {
	return func(a A, b B, out Collector[R]) error {
		r, err := f(a, b)
		if err == nil {
			out.Collect(r)
		}
		return err
	}
}

// ApplyFlat makes any number of records of each pair.
func (j *JoinWithWindow[A, B, K, W]) ApplyFlat[R any](f func(a A, b B, out Collector[R]), opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.env().checkFunction("ApplyFlat", f)
	each := func(a A, b B, out Collector[R]) error { f(a, b, out); return nil }
	return pairOperator(j.windowedPairing, nil, func(any) pairFunc[A, B, R] { return pairs(each) }, opts)
}

// ApplyFlatE is ApplyFlat with a function that may fail; its error fails the job.
func (j *JoinWithWindow[A, B, K, W]) ApplyFlatE[R any](f func(a A, b B, out Collector[R]) error, opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.env().checkFunction("ApplyFlatE", f)
	return pairOperator(j.windowedPairing, nil, func(any) pairFunc[A, B, R] { return pairs(f) }, opts)
}

// ApplyFlatRich is ApplyFlat with a function object. Each subtask works on its own copy of f.
func (j *JoinWithWindow[A, B, K, W]) ApplyFlatRich[R any](f FlatJoinFunction[A, B, R], opts ...TypeOption) *SingleOutputStreamOperator[R] {
	j.env().checkFunction("ApplyFlatRich", f)
	return pairOperator(j.windowedPairing, f, func(fn any) pairFunc[A, B, R] {
		return pairs(fn.(FlatJoinFunction[A, B, R]).Join)
	}, opts)
}

// pairs calls f for each record of the first stream with each of the second.
func pairs[A, B, R any](f func(A, B, Collector[R]) error) pairFunc[A, B, R] {
	return func(as iter.Seq[A], bs iter.Seq[B], out Collector[R]) error {
		var seconds []B
		for b := range bs {
			seconds = append(seconds, b)
		}
		if seconds == nil {
			return nil
		}
		for a := range as {
			for _, b := range seconds {
				if err := f(a, b, out); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
