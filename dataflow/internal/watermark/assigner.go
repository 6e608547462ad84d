package watermark

import "flinkish/dataflow/internal/core"

// Strategy is how records get timestamps and watermarks (WatermarkStrategy).
type Strategy[T any] struct {
	// New makes the generator of one subtask.
	New func() Generator[T]
	// Timestamp returns the timestamp of v in milliseconds; prev is the one it carries, MinInt64 when it
	// has none. A nil Timestamp keeps what the record has.
	Timestamp func(v T, prev int64) int64
	// IdleTimeout, in milliseconds, is the time after which a stream without records is idle; 0 is never.
	IdleTimeout int64
	// Align is how sources wait for each other; nil: they do not.
	Align *AlignmentParams
}

// Generator makes the generator of one subtask, with the idle rule where one is set.
func (s Strategy[T]) Generator(now func() int64) Generator[T] {
	g := s.New()
	if s.IdleTimeout > 0 {
		g = WithIdleness(g, s.IdleTimeout, now)
	}
	return g
}

// Assigner is one instance of assignTimestampsAndWatermarks (TimestampsAndWatermarksOperator). For each record
// the caller calls Stamp, sends the record on, and calls OnEvent: a watermark that the record causes comes after the
// record. It calls OnTick once per watermark interval.
type Assigner[T any] struct {
	timestamp func(v T, prev int64) int64
	generator Generator[T]
	out       Emission
}

// NewAssigner returns an instance that sends event time to out; now is the processing time in milliseconds.
func NewAssigner[T any](s Strategy[T], now func() int64, out core.Control) *Assigner[T] {
	return &Assigner[T]{timestamp: s.Timestamp, generator: s.Generator(now), out: NewEmission(out)}
}

// Stamp returns the timestamp of a record that had ts.
func (a *Assigner[T]) Stamp(v T, ts int64) int64 {
	if a.timestamp != nil {
		ts = a.timestamp(v, ts)
	}
	return ts
}

// OnEvent shows a record that was sent on to the generator.
func (a *Assigner[T]) OnEvent(v T, ts int64) { a.generator.OnEvent(v, ts, &a.out) }

// OnTick lets the generator emit.
func (a *Assigner[T]) OnTick() { a.generator.OnPeriodicEmit(&a.out) }

// OnWatermark takes a watermark from upstream: event time starts anew here, so only MAX, the end of the
// stream, goes through. The idleness of upstream is of no interest either.
func (a *Assigner[T]) OnWatermark(wm int64) {
	if wm == core.MaxWatermark {
		a.out.EmitWatermark(wm)
	}
}

// Finish lets the generator emit a last time.
func (a *Assigner[T]) Finish() { a.generator.OnPeriodicEmit(&a.out) }

// Last is the watermark that went out last.
func (a *Assigner[T]) Last() int64 { return a.out.last }

// Emission is the rule for what a generator may send: watermarks that advance, each status once. A
// watermark makes an idle output active again.
type Emission struct {
	last int64
	idle bool
	out  core.Control
}

// NewEmission returns an active output at MinWatermark.
func NewEmission(out core.Control) Emission { return Emission{last: core.MinWatermark, out: out} }

// EmitWatermark sends wm if it is above the last one.
func (e *Emission) EmitWatermark(wm int64) {
	if wm <= e.last {
		return
	}
	e.last = wm
	e.MarkActive()
	e.out.Watermark(wm)
}

// MarkIdle sends idleness unless the output is idle.
func (e *Emission) MarkIdle() {
	if !e.idle {
		e.idle = true
		e.out.Status(true)
	}
}

// MarkActive sends activity unless the output is active.
func (e *Emission) MarkActive() {
	if e.idle {
		e.idle = false
		e.out.Status(false)
	}
}
