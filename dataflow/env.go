package dataflow

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/keygroup"
	"flinkish/dataflow/job"
)

// StreamExecutionEnvironment is where programs are built and run (Flink's class of the same name). It
// belongs to one goroutine at a time; the jobs that it starts may be used from any.
//
// A mistake in a call that builds the program is kept: Err returns the first one, and every call that
// runs or plans the program fails with it.
type StreamExecutionEnvironment struct {
	err        error
	cell       string
	place      func() any // of the statement that runs, in a session
	callKey    Type       // what the next call has for K; see Erased.CallKey
	nextID     int
	registered []*Transformation
	collecting []collecting // collect sinks among them

	parallelism       int
	maxParallelism    int // 0: not set
	bufferTimeout     time.Duration
	watermarkInterval time.Duration
	characteristic    TimeCharacteristic
	shared            environment
	slots             map[string]ResourceSpec // by slot sharing group
	chaining          bool
	indexPrefix       bool
	sameMax           bool // operators of different max parallelism are not chained
	descriptions      graph.DescriptionMode
	mode              RuntimeMode
	memory            sortMemory
	caches            []cache
	checkpoints       CheckpointConfig
	requireUIDs       bool              // no uid is made of an operator's place
	jobName           string            // of pipeline.name; empty: Flink's default
	configuration     map[string]string // that WithConfiguration set, by key

	deterministic  bool
	seed           uint64
	now            func() time.Time
	stdout, stderr io.Writer
	batchSize      int // records; 0: the engine's default

	listeners []func(job.Job)
	executed  []func(*JobExecutionResult, error)
	onFailure func(*job.Failure)
	jobs      []job.Job
	submitted int
}

// RuntimeMode is how a job treats its inputs (Flink's RuntimeExecutionMode).
type RuntimeMode uint8

const (
	// Streaming processes records as they come.
	Streaming RuntimeMode = iota
	// Batch processes bounded inputs stage by stage.
	Batch
	// Automatic is Batch when every source is bounded, else Streaming.
	Automatic
)

// String is Flink's word for the mode.
func (m RuntimeMode) String() string {
	return [...]string{"STREAMING", "BATCH", "AUTOMATIC"}[m]
}

// EnvOption configures an environment.
type EnvOption func(*StreamExecutionEnvironment)

// NewEnv returns an environment that runs jobs in this process, one goroutine for each subtask, with as
// many subtasks as there are CPU threads (createLocalEnvironment).
func NewEnv(opts ...EnvOption) *StreamExecutionEnvironment {
	e := &StreamExecutionEnvironment{
		parallelism:       runtime.GOMAXPROCS(0),
		bufferTimeout:     100 * time.Millisecond,
		watermarkInterval: 200 * time.Millisecond,
		chaining:          true,
		memory:            defaultSortMemory,
		stdout:            os.Stdout,
		stderr:            os.Stderr,
	}
	e.checkpoints = newCheckpointConfig(e)
	return e.Configure(opts...)
}

// Configure applies options to an environment; it affects operators and jobs made later.
func (e *StreamExecutionEnvironment) Configure(opts ...EnvOption) *StreamExecutionEnvironment {
	for _, o := range opts {
		o(e)
	}
	return e
}

// WithParallelism sets the parallelism, as SetParallelism does.
func WithParallelism(n int) EnvOption {
	return func(e *StreamExecutionEnvironment) { e.SetParallelism(n) }
}

// WithDeterministic runs jobs one step at a time in an order that the seed fixes, on a virtual clock: the
// same program gives the same bytes. Such a job advances only while somebody waits on it.
//
// Its functions run in coroutines, so they must not call runtime.LockOSThread: the Go runtime ends the process when a
// locked goroutine is switched. Code that needs a thread of its own belongs in a goroutine that the function starts and
// waits for.
func WithDeterministic(seed uint64) EnvOption {
	return func(e *StreamExecutionEnvironment) { e.deterministic, e.seed = true, seed }
}

// WithParallelScheduler runs jobs with one goroutine for each subtask, on the wall clock. It is the default.
func WithParallelScheduler() EnvOption {
	return func(e *StreamExecutionEnvironment) { e.deterministic = false }
}

// WithClock sets what processing time is read from. A deterministic job reads it once, as the start of
// its virtual clock. Without it the clock is the machine's, and a virtual clock starts at the epoch.
func WithClock(now func() time.Time) EnvOption {
	return func(e *StreamExecutionEnvironment) { e.now = now }
}

// WithOutput says where Print and PrintToErr write. The default is the process's standard output and
// standard error.
func WithOutput(stdout, stderr io.Writer) EnvOption {
	return func(e *StreamExecutionEnvironment) { e.stdout, e.stderr = stdout, stderr }
}

// WithBatchSize sets how many records travel in one batch between tasks; it is for tests and measurements.
func WithBatchSize(records int) EnvOption {
	return func(e *StreamExecutionEnvironment) { e.batchSize = records }
}

// WithVertexIndexPrefix puts the index of each vertex before its name, as in "[vertex-0]Source: x"
// (pipeline.vertex-name-include-index-prefix).
func WithVertexIndexPrefix() EnvOption {
	return func(e *StreamExecutionEnvironment) { e.indexPrefix = true }
}

// WithCascadingDescriptions writes the description of a vertex in one line, as "A -> (B , C)"; the default is a tree
// with one operator a line (pipeline.vertex-description-mode).
func WithCascadingDescriptions() EnvOption {
	return func(e *StreamExecutionEnvironment) { e.descriptions = graph.Cascading }
}

// SetParallelism sets the parallelism of operators made later, at least 1; -1 is the number of CPU threads.
func (e *StreamExecutionEnvironment) SetParallelism(n int) *StreamExecutionEnvironment {
	switch {
	case n == -1:
		e.parallelism = runtime.GOMAXPROCS(0)
	case n < 1:
		e.fail("IllegalArgument", "", "SetParallelism", "the parallelism of the environment must be at least 1, or -1 for the default, got %d", n)
	default:
		e.parallelism = n
	}
	return e
}

// SetMaxParallelism sets the number of key groups of operators that set none: 1 to 32768.
func (e *StreamExecutionEnvironment) SetMaxParallelism(n int) *StreamExecutionEnvironment {
	if e.checkMaxParallelism("", n) {
		e.maxParallelism = n
	}
	return e
}

func (e *StreamExecutionEnvironment) checkMaxParallelism(op string, n int) bool {
	if n < 1 || n > keygroup.UpperBound {
		e.fail("IllegalArgument", op, "SetMaxParallelism", "the max parallelism must be from 1 to %d, got %d", keygroup.UpperBound, n)
		return false
	}
	return true
}

// SetBufferTimeout sets how long a record may wait in a batch before it is sent: 0 sends each record at
// once, -1ms sends full batches only. The default is 100 ms. An idle producer always sends at once.
func (e *StreamExecutionEnvironment) SetBufferTimeout(d time.Duration) *StreamExecutionEnvironment {
	if d < -time.Millisecond {
		e.fail("IllegalArgument", "", "SetBufferTimeout", "the buffer timeout must not be negative (-1ms: full batches only), got %v", d)
	} else if e.whole("", "SetBufferTimeout", "the buffer timeout", d) {
		e.bufferTimeout = d
	}
	return e
}

// SetRuntimeMode sets the mode; the default is Streaming.
func (e *StreamExecutionEnvironment) SetRuntimeMode(m RuntimeMode) *StreamExecutionEnvironment {
	e.mode = m
	return e
}

// SetAutoWatermarkInterval sets the time between two periodic watermarks; 0 is never, the default is
// 200 ms.
func (e *StreamExecutionEnvironment) SetAutoWatermarkInterval(d time.Duration) *StreamExecutionEnvironment {
	if d < 0 {
		e.fail("IllegalArgument", "", "SetAutoWatermarkInterval", "the auto watermark interval must not be negative, got %v", d)
	} else if e.whole("", "SetAutoWatermarkInterval", "the auto watermark interval", d) {
		e.watermarkInterval = d
	}
	return e
}

// DisableOperatorChaining gives each operator a task of its own.
func (e *StreamExecutionEnvironment) DisableOperatorChaining() *StreamExecutionEnvironment {
	e.chaining = false
	return e
}

// Parallelism is the parallelism of operators made now.
func (e *StreamExecutionEnvironment) Parallelism() int { return e.parallelism }

// MaxParallelism is what SetMaxParallelism set; -1 when nothing was set.
func (e *StreamExecutionEnvironment) MaxParallelism() int {
	if e.maxParallelism == 0 {
		return -1
	}
	return e.maxParallelism
}

// ChainingEnabled reports whether operators may be chained.
func (e *StreamExecutionEnvironment) ChainingEnabled() bool { return e.chaining }

// BufferTimeout is what SetBufferTimeout set.
func (e *StreamExecutionEnvironment) BufferTimeout() time.Duration { return e.bufferTimeout }

// Deterministic reports whether jobs run one step at a time.
func (e *StreamExecutionEnvironment) Deterministic() bool { return e.deterministic }

// Err is the first mistake of the calls that built the program: a *GraphError, or nil.
func (e *StreamExecutionEnvironment) Err() error { return e.err }

// TakeErr returns what Err does and forgets it. A session calls it after each cell.
func (e *StreamExecutionEnvironment) TakeErr() error {
	err := e.err
	e.err = nil
	return err
}

// SetCell names the cell that builds the transformations made from now on.
func (e *StreamExecutionEnvironment) SetCell(cell string) { e.cell = cell }

// RemoveCell takes the operators and sinks of a cell out of what the next Execute runs.
func (e *StreamExecutionEnvironment) RemoveCell(cell string) {
	kept := e.registered[:0]
	for _, t := range e.registered {
		if t.Cell != cell {
			kept = append(kept, t)
		}
	}
	clear(e.registered[len(kept):])
	e.registered = kept
	e.collecting = slices.DeleteFunc(e.collecting, func(c collecting) bool { return c.tr.Cell == cell })
}

// OnJob registers a function that is called with each job right after its submission (JobListener.onJobSubmitted).
func (e *StreamExecutionEnvironment) OnJob(f func(job.Job)) {
	if !e.nilArg(f == nil, "OnJob", "function") {
		e.listeners = append(e.listeners, f)
	}
}

// OnJobExecuted registers a function that is called when Execute is about to return, with what it returns
// (JobListener.onJobExecuted).
func (e *StreamExecutionEnvironment) OnJobExecuted(f func(r *JobExecutionResult, err error)) {
	if !e.nilArg(f == nil, "OnJobExecuted", "function") {
		e.executed = append(e.executed, f)
	}
}

// ClearJobListeners forgets the functions of OnJob and OnJobExecuted (clearJobListeners).
func (e *StreamExecutionEnvironment) ClearJobListeners() { e.listeners, e.executed = nil, nil }

// Close cancels the jobs of the environment that still run, and drops its caches. It does not wait for the jobs.
func (e *StreamExecutionEnvironment) Close() error {
	for _, j := range e.jobs {
		if !j.Status().Terminal() {
			j.Cancel()
		}
	}
	e.jobs, e.registered, e.collecting = nil, nil, nil
	e.dropCaches()
	return nil
}

// fail keeps a mistake of a builder call; the first one wins.
func (e *StreamExecutionEnvironment) fail(kind, op, call, format string, args ...any) {
	if e.err == nil {
		// Which package found it is no news to who made the call.
		msg := strings.TrimPrefix(fmt.Sprintf(format, args...), "window: ")
		e.err = &graph.GraphError{Kind: kind, Op: op, Call: call, Msg: msg, Pos: e.position()}
	}
}

// nilArg keeps the mistake of a nil argument and reports whether there was one.
func (e *StreamExecutionEnvironment) nilArg(isNil bool, call, what string) bool {
	if isNil {
		e.fail("NullPointer", "", call, "the %s must not be nil", what)
	}
	return isNil
}

// position is file:line of the program's call into this package, or the cell in a session.
func (e *StreamExecutionEnvironment) position() string {
	if e.cell != "" {
		return e.cell
	}
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "flinkish/dataflow."):
		case strings.HasPrefix(f.Function, "reflect."):
			return "" // interpreted: the line is not the program's
		default:
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// transformation gives t its identity.
func (e *StreamExecutionEnvironment) transformation(t *Transformation) *Transformation {
	e.nextID++
	t.ID, t.Cell, t.Pos = e.nextID, e.cell, e.position()
	if e.place != nil {
		t.Place = e.place()
	}
	t.BufferTimeout = DefaultBufferTimeout
	if t.Parallelism == 0 {
		t.Parallelism = e.parallelism
	}
	if t.Kind != graph.SideOutput { // its records have a type of their own
		for _, in := range t.Inputs {
			in.OutRead = true
		}
	}
	return t
}

// register makes t part of what the next Execute runs.
func (e *StreamExecutionEnvironment) register(t *Transformation) {
	e.registered = append(e.registered, t)
}
