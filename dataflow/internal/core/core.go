// Package core holds what every layer of the engine shares: how a record moves inside a chain, what
// an operator must do when time passes or an input ends, and what it may ask of the subtask it runs in.
//
// The record path is typed (Emit[T]); the wiring is not. A Factory and a Network carry typed values as
// any, and each such value is asserted once, when a subtask is built, never per record.
package core

import "math"

// Timestamps and watermarks are milliseconds since the epoch.
const (
	// NoTimestamp marks a record without a timestamp (Flink's Long.MIN_VALUE).
	NoTimestamp int64 = math.MinInt64
	// MinWatermark is where event time starts.
	MinWatermark int64 = math.MinInt64
	// MaxWatermark says that no further record comes.
	MaxWatermark int64 = math.MaxInt64
)

// Emit hands one record on: to the next operator of the chain, or to a network edge. It is called by
// the subtask's own goroutine only.
type Emit[T any] = func(v T, ts int64)

// KeyedEmit is the input of an operator on a keyed stream. The key was computed by the sender and
// travels with the record, so a key selector runs once per record.
type KeyedEmit[K comparable, T any] = func(k K, v T, ts int64)

// Control is what flows between records: the other half of an operator's output.
type Control interface {
	// Watermark says that no later record has a timestamp <= wm. It never goes back.
	Watermark(wm int64)
	// Status says whether the sender is idle, that is, must not hold event time back.
	Status(idle bool)
}

// Op is the control side of one operator instance. All calls come from the goroutine of its subtask:
// Open, then records, watermarks and statuses in any order, EndInput for each input, Finish once all
// inputs have ended (not after a failure or a cancel), Close in every case.
type Op interface {
	// Open prepares the instance; operators open from the end of the chain to its head.
	Open() error
	// Watermark says that event time on input (0 or 1) reached wm: fire timers, then forward.
	Watermark(input int, wm int64)
	// Status says that input turned idle or active again.
	Status(input int, idle bool)
	// EndInput says that input will deliver no further record. Its watermark MAX came before.
	EndInput(input int)
	// Finish emits what is left. Processing-time timers do not fire any more.
	Finish()
	// Close releases resources; an error here fails a job that had succeeded so far.
	Close() error
}

// Outputs is where an operator instance sends what it produces.
type Outputs struct {
	// Main is the Emit[R] of the operator's result type R. It is never nil: an operator whose
	// result nobody reads gets an Emit that drops.
	Main any
	// Side maps the id of an output tag to its Emit[X]. A tag that nobody reads is absent.
	Side map[string]any
	// Control receives what the operator forwards.
	Control Control
}

// Instance is one operator built for one subtask.
type Instance struct {
	// Inputs holds the Emit[T] (or KeyedEmit[K, T]) of each input; empty for a source.
	Inputs []any
	// Ahead is nil or, of an operator with keys of type K, a func(keys []K): it is told the keys of the records that
	// come next, in order, so that their state can be looked for all at once. It is told of no more than a few dozen,
	// and of none when they are through; until then they do not change.
	Ahead any
	// Op is the control side.
	Op Op
	// Run is set for a source only: it produces records until the source ends or Subtask.Poll
	// says stop, and returns the error of a failing source.
	Run func() error
	// Record returns the record that the operator's user code is working on, for error messages.
	// It may be nil.
	Record func() any
	// Counters are the operator's own; the task publishes them after each batch.
	Counters *Counters
	// Measure brings Counters up to date but for In; it is called before they are published. It may be nil.
	Measure func()
}

// Counters are plain numbers, written by the subtask's goroutine and copied out between batches. An operator counts
// the records that it takes; how many it gave is what those who took them have counted.
type Counters struct {
	In          uint64 // records
	LateDropped uint64 // records dropped because they were late
	Keys        uint64 // keys with state
	Timers      uint64 // registered timers
}

// Factory builds the instances of one node of the graph. New runs once for each subtask, on the
// goroutine that builds the job. It must give each instance its own copy of a user's function object.
type Factory interface {
	New(s *Subtask, out Outputs) (*Instance, error)
}

// Snapshotter is an Op with state that outlives the instance: keyed state, timers, windows.
type Snapshotter interface {
	// Snapshot returns the state as it is now, between two records. The instance never changes what it
	// returned; what that is, only Restore of the same operator knows.
	Snapshot() (any, error)
	// Restore takes over a snapshot, before Open. A snapshot may be restored more than once.
	Restore(snapshot any) error
}

// Rescalable is a snapshot that can be spread over another number of subtasks.
type Rescalable interface {
	// Rescale returns the snapshots of n subtasks for those of all subtasks, of which this is one.
	Rescale(all []any, n int) ([]any, error)
}
