package core

import "sync/atomic"

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

	// Batch tells that the job runs in BATCH mode.
	Batch bool
	// SortMemory is the memory for sorting one keyed input in BATCH mode, in bytes.
	SortMemory int64
	// PreKeyed tells that the keys in this chain are where the splits of the source are, not where their
	// hash codes say.
	PreKeyed bool

	// Op is the position in the chain of the operator whose user code runs now. An operator stores
	// its own position (OpIndex at New) before each call of user code, and again when a
	// Collector it lent returns, so that a panic can be laid at the right door.
	Op int32
	// OpIndex is the position of the operator that is being built by Factory.New.
	OpIndex int32

	Runtime Runtime
	// Operators are the operators of the chain, by position.
	Operators []OperatorInfo
	// Metrics are the metrics that functions of the chain registered.
	Metrics Registry
	// Shared belongs to the job; the API keeps there what its subtasks add up, such as accumulators.
	Shared any

	// Credit is how many records a source may still emit before it has to call Runtime.Poll. It
	// belongs to the subtask's goroutine; sources use Poll.
	Credit int
	// Signal asks for the attention of the subtask's goroutine; see the Signal constants. Other
	// goroutines set bits, and the record path pays one load to look.
	Signal atomic.Uint32
	// Hooks is the task as the network sees it. Operators do not use it.
	Hooks Hooks
}

// OperatorInfo is what an operator may know of itself.
type OperatorInfo struct {
	Name      string
	Variables map[string]string // of the scope of its metrics; not to be changed
}

// The bits of Subtask.Signal.
const (
	SignalStop  uint32 = 1 << iota // the job is being cancelled
	SignalTimer                    // a processing-time timer is due
	SignalFlush                    // records have waited as long as the buffer timeout allows
)

// Hooks is what the ends of network edges ask of the task that they run in. All calls come from the
// subtask's goroutine.
type Hooks interface {
	// Credit suspends the subtask until ready reports true: there is room downstream. When the
	// job is being cancelled it does not return but panics with an Unwind.
	Credit(ready func() bool)
	// Attend is called between two records when Signal is not zero. It runs due timers and
	// flushes; when the job is being cancelled it panics with an Unwind.
	Attend()
	// Ship flushes all edges of the task. It may be called in the middle of a record.
	Ship()
}

// Unwind is the panic value that leads out of user code back to the task: after Runtime.Fail, or when
// the job is being cancelled. Nobody else may recover it and go on.
type Unwind struct{}

// Bug is the panic value of a broken invariant of the engine: our mistake, not the user's.
type Bug string

// Runtime is the scheduler as an operator sees it. Parallel and deterministic execution differ only
// behind this interface.
type Runtime interface {
	// Now is the processing time in milliseconds since the epoch.
	Now() int64
	// After runs f on the subtask's goroutine, between two records, once the processing time is
	// at or past at. stop makes a pending call void; it reports whether there was one.
	After(at int64, f func()) (stop func() bool)
	// Poll is the point between two records of a source: it runs due timers, flushes what waited
	// too long, lets others run, and reports false when the source must stop. See Subtask.Poll.
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

// Poll is Runtime.Poll for a source that emits one record after another: mostly it only counts. It must be
// called after each record.
func (s *Subtask) Poll() bool {
	if s.Credit > 0 && s.Signal.Load() == 0 {
		s.Credit--
		return true
	}
	return s.Runtime.Poll()
}

// PollAfter is Poll for a source that has emitted n records in a loop of its own: at most Credit+1, and none after
// one that left Signal set.
func (s *Subtask) PollAfter(n int) bool {
	s.Credit -= n - 1
	return s.Poll()
}

// Now is the processing time in milliseconds since the epoch.
func (s *Subtask) Now() int64 { return s.Runtime.Now() }
