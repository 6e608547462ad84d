// Package connector holds the contracts between the engine and the outside: what a source and a sink of the program's own
// must do. It knows nothing of the engine; FromSource and SinkTo of package dataflow take what is made here.
package connector

import "math"

// Boundedness says whether a source ends (Flink's Boundedness).
type Boundedness uint8

const (
	// Bounded sources end by themselves; BATCH mode takes no others.
	Bounded Boundedness = iota
	// ContinuousUnbounded sources may go on for ever.
	ContinuousUnbounded
)

// String is Flink's word for it.
func (b Boundedness) String() string { return [...]string{"BOUNDED", "CONTINUOUS_UNBOUNDED"}[b] }

// NoTimestamp is the Timestamp of a record without one.
const NoTimestamp int64 = math.MinInt64

// Source is a source of records of type T, which come in splits that are read independently (Flink's Source). One value
// may serve many jobs: what belongs to a job is in its Enumerator and its Readers.
type Source[T any] interface {
	// Boundedness says whether the source ends.
	Boundedness() Boundedness
	// Enumerator finds the splits. It is called once in a job; parallelism is the number of subtasks.
	Enumerator(parallelism int) (Enumerator, error)
	// Reader opens a split. It is called by the subtask that reads the split.
	Reader(split Split) (Reader[T], error)
}

// Split is a part of a source (Flink's SourceSplit).
type Split interface {
	// SplitID names the split; ids are unique in a source.
	SplitID() string
}

// Enumerator finds the splits of a source (Flink's SplitEnumerator). Calls never overlap. Split i goes to subtask i mod
// the parallelism, counted in the order of discovery: the same splits always meet the same subtasks.
type Enumerator interface {
	// Discover returns splits that were not returned before, and whether there may be more later. It must not block. While
	// there may be more, it is called again and again.
	Discover() (splits []Split, more bool, err error)
	// Close releases resources; it is called once no split is missing, or when the job ends.
	Close() error
}

// Status is what a Reader has after a call of Poll (Flink's InputStatus).
type Status uint8

const (
	// Available comes with a record.
	Available Status = iota
	// NothingAvailable comes without a record; there may be one later.
	NothingAvailable
	// EndOfInput comes without a record: the split is finished.
	EndOfInput
)

// String is Flink's word for it.
func (s Status) String() string {
	return [...]string{"MORE_AVAILABLE", "NOTHING_AVAILABLE", "END_OF_INPUT"}[s]
}

// Record is a record of a source.
type Record[T any] struct {
	Value     T
	Timestamp int64 // milliseconds since the epoch; NoTimestamp: none
}

// Reader reads one split (Flink's SourceReader). It belongs to the goroutine of its subtask.
type Reader[T any] interface {
	// Poll returns the next record. It should not block for long: other splits of the subtask wait meanwhile.
	Poll() (Record[T], Status, error)
	// Close releases resources.
	Close() error
}
