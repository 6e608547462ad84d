package connector

// Sink writes records of type T to the outside (Flink's Sink). One value may serve many jobs: what belongs to a job is in
// its Writers.
type Sink[T any] interface {
	// Writer opens the writer of one subtask.
	Writer(ctx WriterContext) (Writer[T], error)
}

// TwoPhaseSink is a Sink whose writers prepare what a committer then makes visible (Flink's SupportsCommitter). Its writers
// must be CommittingWriters.
type TwoPhaseSink[T any] interface {
	Sink[T]
	// Committer opens the committer of one subtask.
	Committer(ctx WriterContext) (Committer, error)
}

// GlobalCommittingSink is a TwoPhaseSink with one committer more, in one subtask, which gets what all others have committed
// (Flink's global committer, a post-commit topology).
type GlobalCommittingSink[T any] interface {
	TwoPhaseSink[T]
	// GlobalCommitter opens the global committer.
	GlobalCommitter(ctx WriterContext) (Committer, error)
}

// WriterContext tells which subtask a writer or committer is for.
type WriterContext struct {
	Subtask     int // from 0
	Parallelism int
}

// WriteContext is what a writer may know of a record (SinkWriter.Context). Times are milliseconds since the epoch.
type WriteContext struct {
	Timestamp int64 // NoTimestamp: none
	Watermark int64 // MinInt64 before the first
}

// Writer writes the records of one subtask (Flink's SinkWriter). It belongs to the goroutine of the subtask. An error fails
// the job.
type Writer[T any] interface {
	// Write takes a record; it may keep it until Flush.
	Write(v T, ctx WriteContext) error
	// Flush writes what Write kept. endOfInput says that nothing follows.
	Flush(endOfInput bool) error
	// Close releases resources; it is called in every case.
	Close() error
}

// CommittingWriter is a Writer of a TwoPhaseSink (Flink's CommittingSinkWriter).
type CommittingWriter[T any] interface {
	Writer[T]
	// PrepareCommit returns what the committer must commit for the records since the last call. It follows Flush.
	PrepareCommit() ([]any, error)
}

// Committer makes what writers prepared visible (Flink's Committer). It belongs to the goroutine of the subtask.
type Committer interface {
	// Commit commits; an error fails the job.
	Commit(committables []any) error
	// Close releases resources; it is called in every case.
	Close() error
}
