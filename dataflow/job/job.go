// Package job is the one door between the engine and everything that looks at a running job: status,
// metrics, sampled records, stepping, cancelling.
//
// In parallel mode a job runs by itself. In deterministic mode it runs only while somebody waits on it
// (Wait, Await) or moves it on (Advance); several goroutines may do so at once, and the job still takes
// the same steps in the same order.
package job

import (
	"context"
	"time"

	"flinkish/dataflow/graph"
)

// Status is the state of a job, with Flink's names.
type Status string

const (
	Created    Status = "CREATED"
	Running    Status = "RUNNING"
	Failing    Status = "FAILING"
	Failed     Status = "FAILED"
	Cancelling Status = "CANCELLING"
	Canceled   Status = "CANCELED"
	Finished   Status = "FINISHED"
)

// Terminal reports whether a job in this status will never run again.
func (s Status) Terminal() bool { return s == Failed || s == Canceled || s == Finished }

// Job is the handle of one submitted job. Every method is safe for concurrent use.
type Job interface {
	ID() string // 32 hex digits
	Name() string
	Graph() *graph.JobGraph
	Status() Status
	// Err is why a job failed; nil otherwise.
	Err() error
	// Deterministic reports whether the job advances only when driven.
	Deterministic() bool

	// Wait blocks until the job is terminal or ctx is done, and returns the job's error or ctx's.
	// A cancelled job has no error.
	Wait(ctx context.Context) error
	// Await blocks until ready reports true (nil), the job is terminal (nil), or ctx is done
	// (its error). ready is called often, after each step of a deterministic job, and never after
	// Await has returned; it may run on another goroutine while Await blocks. Wake the waiters
	// with Notify when what it looks at has changed in the middle of a batch or from outside.
	Await(ctx context.Context, ready func() bool) error
	// Notify makes every Await look at its condition again.
	Notify()
	// Advance takes at most max steps of a deterministic job and reports how many it took; fewer
	// than max means that the job is terminal or waits for something outside.
	Advance(ctx context.Context, max int) int
	// Stalled lists what holds up a deterministic job that cannot move on by itself: every subtask
	// that waits for something outside, such as a full result buffer that nobody reads. It is nil
	// while the job can run. It may be called from the ready function of Await.
	Stalled() []Stall
	// Cancel asks the job to stop and returns at once. Data in flight is dropped. A deterministic
	// job unwinds without being driven.
	Cancel()

	Metrics() Metrics
	// Samples returns up to n of the most recent records that left the vertex (or that reached
	// it, when it has no output), oldest first.
	Samples(vertex string, n int) []Sample
	Accumulators() map[string]any
}

// Metrics is a consistent copy of a job's numbers.
type Metrics struct {
	Status   Status
	Now      int64 // processing time, ms since the epoch
	Steps    uint64
	Started  int64 // processing time of the start, ms
	Ended    int64 // 0 while it runs
	Runtime  time.Duration
	Vertices []VertexMetrics
}

// VertexMetrics are the numbers of one vertex, in the order of the JobGraph.
type VertexMetrics struct {
	ID        string
	Subtasks  []SubtaskMetrics
	Operators []OperatorMetrics // summed over the subtasks, in chain order
}

// SubtaskMetrics are the numbers of one subtask. Busy + Idle + BackPressured is 1000 (ms per second).
type SubtaskMetrics struct {
	Index                     int
	State                     string // busy, idle, back-pressured, done
	In, Out                   uint64 // records
	Busy, Idle, BackPressured int    // ms per second
	Queued, QueueCap          int    // batches waiting at the inputs
	Watermark                 int64  // core.MinWatermark: none yet
	Keys, Timers              uint64
	LateDropped               uint64
	User                      []UserMetric // that functions registered, in that order
}

// UserMetric is a metric that a function registered in its MetricGroup.
type UserMetric struct {
	Operator string // its name in the graph
	Name     string // with the names of its groups, as in "cache.hits"
	Kind     string // counter, gauge, meter, histogram
	Value    any    // a counter's is an int64; a gauge's is what its function gave; others have a String method
}

// OperatorMetrics are the numbers of one operator.
type OperatorMetrics struct {
	Name        string
	In, Out     uint64
	LateDropped uint64
}

// Sample is one sampled record.
type Sample struct {
	Value     any
	Type      graph.Type
	Timestamp int64 // graph's NoTimestamp: none
	Subtask   int
}

// Stall is one subtask that waits for something outside of the job.
type Stall struct {
	Task          string // such as "Sink: Collect (1/1)"
	BackPressured bool   // it waits for room, not for input
}

// Step is one step of a deterministic job: one subtask ran until it waited or let others run.
type Step struct {
	N       uint64 // from 1
	Now     int64  // virtual time at its end, ms since the epoch
	Task    string // name of the chain
	Subtask int    // from 0
}
