package window

import (
	"fmt"
	"reflect"
	"time"

	"flinkish/dataflow/internal/core"
)

// Timestamped is a record in a window with an evictor (TimestampedValue).
type Timestamped[T any] struct {
	Value     T
	Timestamp int64 // ms; MinInt64 when the record has none
}

// HasTimestamp reports whether the record has a timestamp.
func (t Timestamped[T]) HasTimestamp() bool { return t.Timestamp != core.NoTimestamp }

// Evictor removes records from a window that fires (Evictor). Both methods get the records in the order of
// arrival and return those that stay, which may be the same slice, changed in place.
type Evictor[T any, W Window] interface {
	// EvictBefore is called before the window function.
	EvictBefore(elements []Timestamped[T], w W, ctx *EvictorContext) []Timestamped[T]
	// EvictAfter is called after the window function.
	EvictAfter(elements []Timestamped[T], w W, ctx *EvictorContext) []Timestamped[T]
}

// EvictorContext is what an evictor may ask.
type EvictorContext struct {
	CurrentWatermark      int64 // ms
	CurrentProcessingTime int64 // ms
}

// EvictorSpec is an evictor before the types of record and window are known; BuildEvictor makes it.
type EvictorSpec interface {
	String() string
	isEvictor()
}

type (
	countEvictorSpec struct {
		n     int64
		after bool
	}
	timeEvictorSpec struct {
		keep  int64
		after bool
	}
	deltaEvictorSpec[T any] struct {
		threshold float64
		delta     func(v, last T) float64
		after     bool
	}
	customEvictorSpec[T any, W Window] struct{ evictor Evictor[T, W] }
)

// CountEvictor keeps the newest n records (CountEvictor). after evicts after the function.
func CountEvictor(n int64, after bool) EvictorSpec { return countEvictorSpec{n, after} }

// TimeEvictor removes records that are keep or more older than the newest timestamp in the window
// (TimeEvictor). It does nothing when the first record has no timestamp.
func TimeEvictor(keep time.Duration, after bool) EvictorSpec {
	return timeEvictorSpec{keep.Milliseconds(), after}
}

// DeltaEvictor removes records whose delta to the last record is threshold or more (DeltaEvictor).
func DeltaEvictor[T any](threshold float64, delta func(v, last T) float64, after bool) EvictorSpec {
	return deltaEvictorSpec[T]{threshold, delta, after}
}

// CustomEvictor is an evictor of the user's.
func CustomEvictor[T any, W Window](e Evictor[T, W]) EvictorSpec { return customEvictorSpec[T, W]{e} }

func (s countEvictorSpec) String() string        { return fmt.Sprintf("CountEvictor(%d)", s.n) }
func (s timeEvictorSpec) String() string         { return fmt.Sprintf("TimeEvictor(%d)", s.keep) }
func (s deltaEvictorSpec[T]) String() string     { return fmt.Sprintf("DeltaEvictor(%v)", s.threshold) }
func (s customEvictorSpec[T, W]) String() string { return nameOf(s.evictor) }
func (countEvictorSpec) isEvictor()              {}
func (timeEvictorSpec) isEvictor()               {}
func (deltaEvictorSpec[T]) isEvictor()           {}
func (customEvictorSpec[T, W]) isEvictor()       {}

// BuildEvictor makes the evictor for records of T in windows of W. It fails when the spec was made for other
// types. copy, if not nil, makes the copy of a user's evictor for one subtask.
func BuildEvictor[T any, W Window](spec EvictorSpec, copy func(any) any) (Evictor[T, W], error) {
	switch s := spec.(type) {
	case countEvictorSpec:
		return rule[T, W]{s.after, func(es []Timestamped[T]) []Timestamped[T] { return s.evict(len(es), es) }}, nil
	case timeEvictorSpec:
		return rule[T, W]{s.after, func(es []Timestamped[T]) []Timestamped[T] { return evictByTime(s.keep, es) }}, nil
	case deltaEvictorSpec[T]:
		return rule[T, W]{s.after, s.evict}, nil
	case customEvictorSpec[T, W]:
		if copy != nil {
			return copy(s.evictor).(Evictor[T, W]), nil
		}
		return s.evictor, nil
	}
	return nil, fmt.Errorf("window: evictor %s is not for elements of type %s in windows of type %s",
		spec, reflect.TypeFor[T](), reflect.TypeFor[W]())
}

// rule is a built-in evictor: one rule, applied before or after.
type rule[T any, W Window] struct {
	after bool
	evict func([]Timestamped[T]) []Timestamped[T]
}

func (r rule[T, W]) EvictBefore(es []Timestamped[T], _ W, _ *EvictorContext) []Timestamped[T] {
	if r.after {
		return es
	}
	return r.evict(es)
}

func (r rule[T, W]) EvictAfter(es []Timestamped[T], _ W, _ *EvictorContext) []Timestamped[T] {
	if !r.after {
		return es
	}
	return r.evict(es)
}

func (s countEvictorSpec) evict[T any](n int, es []Timestamped[T]) []Timestamped[T] {
	return es[max(0, int64(n)-max(0, s.n)):]
}

func evictByTime[T any](keep int64, es []Timestamped[T]) []Timestamped[T] {
	if len(es) == 0 || !es[0].HasTimestamp() {
		return es
	}
	newest := es[0].Timestamp
	for _, e := range es {
		newest = max(newest, e.Timestamp)
	}
	return filter(es, func(e Timestamped[T]) bool { return e.Timestamp > newest-keep })
}

func (s deltaEvictorSpec[T]) evict(es []Timestamped[T]) []Timestamped[T] {
	if len(es) == 0 {
		return es
	}
	last := es[len(es)-1].Value
	return filter(es, func(e Timestamped[T]) bool { return !(s.delta(e.Value, last) >= s.threshold) }) // NaN stays
}

func filter[E any](es []E, keep func(E) bool) []E {
	kept := es[:0]
	for _, e := range es {
		if keep(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// EvictingList keeps every record with its timestamp; the contents of a window with an evictor.
func EvictingList[T any]() Contents[T, []Timestamped[T]] {
	return Contents[T, []Timestamped[T]]{
		Add:   func(a *[]Timestamped[T], _ bool, v T, ts int64) { *a = append(*a, Timestamped[T]{v, ts}) },
		Merge: func(into, from *[]Timestamped[T]) { *into = append(*into, *from...) },
	}
}

// Evicting returns the Config.Fire of a window with an evictor: evict, call f (also with nothing left),
// evict, and keep the rest. The elements are f's only during the call.
func Evicting[T any, K comparable, W Window](e Evictor[T, W], f func(ctx *Context[K, W], elements []Timestamped[T])) func(*Context[K, W], *[]Timestamped[T]) bool {
	return func(ctx *Context[K, W], a *[]Timestamped[T]) bool {
		ec := EvictorContext{CurrentWatermark: ctx.Watermark(), CurrentProcessingTime: ctx.Now()}
		all := *a
		es := e.EvictBefore(all, ctx.Window, &ec)
		f(ctx, es)
		es = e.EvictAfter(es, ctx.Window, &ec)
		n := copy(all, es)
		clear(all[n:])
		*a = all[:n]
		return n > 0
	}
}
