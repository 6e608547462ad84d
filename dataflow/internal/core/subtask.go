package core

// Subtask is what an operator instance knows of the place it runs in. One subtask runs one chain.
type Subtask struct {
	JobID, JobName string
	TaskName       string // name of the chain
	Index          int    // from 0
	Parallelism    int
	MaxParallelism int // number of key groups
	Attempt        int
	Seed           uint64 // of this subtask; equal for equal job, node and index
	// WatermarkInterval is the time between two periodic watermarks, in milliseconds; 0 is never.
	WatermarkInterval int64

	// Op is the position in the chain of the operator whose user code runs now. An operator stores
	// its own position (OpIndex at New) before each call of user code, and again when a
	// Collector it lent returns, so that a panic can be laid at the right door.
	Op int32
	// OpIndex is the position of the operator that is being built by Factory.New.
	OpIndex int32

	Runtime Runtime
}

// Runtime is the scheduler as an operator sees it. Parallel and deterministic execution differ only
// behind this interface.
type Runtime interface {
	// Now is the processing time in milliseconds since the epoch.
	Now() int64
	// After runs f on the subtask's goroutine, between two records, once the processing time is
	// at or past at. stop makes a pending call void; it reports whether there was one.
	After(at int64, f func()) (stop func() bool)
	// Poll is the point between two records of a source: it runs due timers, flushes what waited
	// too long, lets others run, and reports false when the source must stop.
	Poll() bool
	// Wait suspends the subtask until ready reports true. ready must be cheap and may be called
	// from another goroutine. It reports false when the job is being cancelled.
	Wait(r Reason, ready func() bool) bool
	// Wake makes a waiting subtask look at its condition again. Safe from every goroutine.
	Wake()
	// Fail ends the job with the error of a user function at the current operator and record.
	// It does not return: it unwinds to the task.
	Fail(err error)
}

// Reason says why a subtask waits; the metrics are made of it.
type Reason uint8

const (
	Running       Reason = iota
	IdleInput            // no input
	BackPressured        // no credit downstream
	Done
)

// String is the word that the screens show.
func (r Reason) String() string {
	return [...]string{"busy", "idle", "back-pressured", "done"}[r]
}

// Now is the processing time in milliseconds since the epoch.
func (s *Subtask) Now() int64 { return s.Runtime.Now() }
