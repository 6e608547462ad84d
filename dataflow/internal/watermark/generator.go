package watermark

import (
	"math"
	"time"

	"flinkish/dataflow/internal/fault"
)

// Output is where a Generator sends what it knows about event time (WatermarkOutput).
type Output interface {
	// EmitWatermark says that no later record has a timestamp <= wm, in milliseconds. A watermark that is not
	// above the last one is dropped. An idle output becomes active.
	EmitWatermark(wm int64)
	// MarkIdle says that this stream must not hold event time back until its next watermark.
	MarkIdle()
	// MarkActive takes MarkIdle back.
	MarkActive()
}

// Generator makes watermarks (WatermarkGenerator). All calls come from the goroutine of one subtask;
// each subtask has a generator of its own.
type Generator[T any] interface {
	// OnEvent is called for each record, after it was sent on, with its timestamp in milliseconds
	// (MinInt64 when it has none).
	OnEvent(v T, ts int64, out Output)
	// OnPeriodicEmit is called once per watermark interval, and once more at the end of the input.
	OnPeriodicEmit(out Output)
}

// BoundedOutOfOrderness returns a maker of generators that, at every tick, emit the greatest timestamp
// seen - delay - 1 ms (BoundedOutOfOrdernessWatermarks). It fails unless the delay is 0 or more
// whole milliseconds.
func BoundedOutOfOrderness[T any](delay time.Duration) (func() Generator[T], error) {
	if delay < 0 {
		return nil, fault.New("IllegalArgument", "", "the out-of-orderness must not be negative, got %v", delay)
	}
	if err := fault.WholeMillis("the out-of-orderness", delay); err != nil {
		return nil, err
	}
	d := delay.Milliseconds()
	return func() Generator[T] { return &bounded[T]{delay: d, max: math.MinInt64 + d + 1} }, nil
}

// Monotonous returns a generator for timestamps that do not go back (AscendingTimestampsWatermarks).
func Monotonous[T any]() Generator[T] { return &bounded[T]{max: math.MinInt64 + 1} }

type bounded[T any] struct{ delay, max int64 }

func (b *bounded[T]) OnEvent(_ T, ts int64, _ Output) { b.max = max(b.max, ts) }
func (b *bounded[T]) OnPeriodicEmit(out Output)       { out.EmitWatermark(b.max - b.delay - 1) }

// None returns a generator that never emits (NoWatermarksGenerator).
func None[T any]() Generator[T] { return none[T]{} }

type none[T any] struct{}

func (none[T]) OnEvent(T, int64, Output) {}
func (none[T]) OnPeriodicEmit(Output)    {}

// CheckIdleTimeout fails unless the timeout of withIdleness is one or more whole milliseconds.
func CheckIdleTimeout(d time.Duration) error {
	if d < time.Millisecond {
		return fault.New("IllegalArgument", "", "the idle timeout must be positive (at least 1ms), got %s", fault.Bare(d))
	}
	return fault.WholeMillis("the idle timeout", d)
}

// idleness wraps a generator so that a stream without records turns idle (WatermarksWithIdleness). It
// looks at ticks only: the countdown starts at the first tick that saw no record since the tick before.
type idleness[T any] struct {
	inner    Generator[T]
	timeout  int64 // ms
	now      func() int64
	seen     bool // a record came since the last tick
	counting bool
	since    int64 // ms, while counting
	idle     bool
}

// WithIdleness returns g with the idle rule; timeout is in milliseconds, now is the processing time in
// milliseconds.
func WithIdleness[T any](g Generator[T], timeout int64, now func() int64) Generator[T] {
	return &idleness[T]{inner: g, timeout: timeout, now: now}
}

func (i *idleness[T]) OnEvent(v T, ts int64, out Output) {
	i.inner.OnEvent(v, ts, out)
	i.seen, i.idle = true, false
}

func (i *idleness[T]) OnPeriodicEmit(out Output) {
	if !i.expired() {
		i.inner.OnPeriodicEmit(out)
	} else if !i.idle {
		i.idle = true
		out.MarkIdle()
	}
}

func (i *idleness[T]) expired() bool {
	switch {
	case i.seen:
		i.seen, i.counting = false, false
		return false
	case !i.counting:
		i.counting, i.since = true, i.now()
		return false
	default:
		return i.now()-i.since > i.timeout
	}
}
