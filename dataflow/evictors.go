package dataflow

import (
	"time"

	"flinkish/dataflow/internal/fault"
	"flinkish/dataflow/internal/window"
)

// Timestamped is a record in a window with an evictor (Flink's TimestampedValue).
type Timestamped[T any] = window.Timestamped[T]

// EvictorContext is what an evictor may ask.
type EvictorContext = window.EvictorContext

// Evictor removes records from a window that fires (Flink's Evictor). Both methods get the records in the order of
// arrival and return those that stay, which may be the same slice, changed in place.
type Evictor[T any, W Window] interface {
	// EvictBefore is called before the window function.
	EvictBefore(vs []Timestamped[T], w W, ctx *EvictorContext) []Timestamped[T]
	// EvictAfter is called after the window function.
	EvictAfter(vs []Timestamped[T], w W, ctx *EvictorContext) []Timestamped[T]
}

// AnyEvictor is an evictor for WindowedStream.Evictor; the constructors below make it.
type AnyEvictor interface{ isEvictor() }

type evictorOf struct {
	spec window.EvictorSpec
	err  error
}

func (evictorOf) isEvictor() {}
func (e evictorOf) String() string {
	if e.spec == nil {
		return "no evictor"
	}
	return e.spec.String()
}

// EvictorOption changes a built-in evictor.
type EvictorOption func(*bool)

// After evicts after the window function instead of before it.
func After(on bool) EvictorOption { return func(after *bool) { *after = on } }

func evictsAfter(opts []EvictorOption) (after bool) {
	for _, o := range opts {
		o(&after)
	}
	return after
}

// CountEvictor keeps the newest n records.
func CountEvictor(n int64, opts ...EvictorOption) AnyEvictor {
	return evictorOf{spec: window.CountEvictor(n, evictsAfter(opts))}
}

// TimeEvictor removes records that are d or more older than the newest timestamp in the window.
func TimeEvictor(d time.Duration, opts ...EvictorOption) AnyEvictor {
	return evictorOf{window.TimeEvictor(d, evictsAfter(opts)), fault.WholeMillis("the time of an evictor", d)}
}

// DeltaEvictor removes records for which f(v, last) >= threshold, where last is the newest record.
func DeltaEvictor[T any](threshold float64, f func(v, last T) float64, opts ...EvictorOption) AnyEvictor {
	if f == nil {
		return evictorOf{err: nilFunction("delta function")}
	}
	return evictorOf{spec: window.DeltaEvictor(threshold, f, evictsAfter(opts))}
}

// CustomEvictor makes an evictor of the program's own usable. Each subtask works on its own copy of e.
func CustomEvictor[T any, W Window](e Evictor[T, W]) AnyEvictor {
	if nothing(e) {
		return evictorOf{err: nilFunction("evictor")}
	}
	return evictorOf{spec: window.CustomEvictor[T, W](e)}
}
