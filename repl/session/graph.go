package session

import (
	"fmt"
	"math"
)

// Graph is a job graph ready to be drawn: a task is one chain of operators.
type Graph struct {
	Job   string `json:"job,omitempty"` // id; empty for streams that were not submitted
	Name  string `json:"name"`
	Tasks []Task `json:"tasks"` // in topological order
	Edges []Edge `json:"edges"`
}

// Task is one box of the graph.
type Task struct {
	ID          string     `json:"id"`    // of the vertex, 32 hex digits
	Label       string     `json:"label"` // A, B, ... in topological order
	Name        string     `json:"name"`  // as Flink writes it: "Source: a -> Map"
	Operators   []Operator `json:"operators"`
	Parallelism int        `json:"parallelism"`
}

// Operator is one operator of a task.
type Operator struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Depth int    `json:"depth"` // in the tree of the chain; 0 is its head
	Type  string `json:"type,omitempty"`
	Cell  string `json:"cell,omitempty"` // that built it
	Sink  bool   `json:"sink,omitempty"` // results leave the job here
}

// Edge is one network edge.
type Edge struct {
	From         string `json:"from"` // Task.ID
	To           string `json:"to"`
	Partitioning string `json:"partitioning"`  // FORWARD, HASH, REBALANCE, ...
	Tag          string `json:"tag,omitempty"` // side output that it reads
	Type         string `json:"type,omitempty"`
}

// Job is one submitted job.
type Job struct {
	ID            string `json:"id"` // 32 hex digits
	Name          string `json:"name"`
	Status        string `json:"status"` // Flink's words: RUNNING, FINISHED, FAILED, ...
	Done          bool   `json:"done"`   // it will never run again
	Deterministic bool   `json:"deterministic"`
	Cell          int    `json:"cell"` // that submitted it
	Error         string `json:"error,omitempty"`
	Steps         uint64 `json:"steps"`
	Now           int64  `json:"now"` // processing time, ms since the epoch
}

// CutShort says that the job ends before it is done because the input that began it ends: "input" is what ended.
func (j Job) CutShort(input string) string {
	steps := ""
	if j.Deterministic {
		steps = fmt.Sprintf(" after %d steps", j.Steps)
	}
	return fmt.Sprintf("the %s ended before job %s (%.8s), which is stopped%s", input, j.Name, j.ID, steps)
}

// What a watermark, or the timestamp of a record, may be besides milliseconds since the epoch.
const (
	NoTime  int64 = math.MinInt64 // none yet
	EndTime int64 = math.MaxInt64 // the input has ended
)

// Metrics are the numbers of one job.
type Metrics struct {
	Job   Job           `json:"job"`
	Tasks []TaskMetrics `json:"tasks"` // in the order of Graph.Tasks
}

// TaskMetrics are the numbers of one task. In and Out are records in all; Busy, Idle and BackPressured are the highest
// of the subtasks, in ms per second; Watermark is the lowest.
type TaskMetrics struct {
	ID            string            `json:"id"`
	In            uint64            `json:"in"`
	Out           uint64            `json:"out"`
	Busy          int               `json:"busy"`
	Idle          int               `json:"idle"`
	BackPressured int               `json:"back_pressured"`
	Watermark     int64             `json:"watermark"` // ms, NoTime or EndTime
	LateDropped   uint64            `json:"late_dropped"`
	Subtasks      []SubtaskMetrics  `json:"subtasks"`
	Operators     []OperatorMetrics `json:"operators"`
}

// SubtaskMetrics are the numbers of one subtask.
type SubtaskMetrics struct {
	Index         int          `json:"index"` // from 0
	State         string       `json:"state"` // busy, idle, back-pressured, done
	In            uint64       `json:"in"`
	Out           uint64       `json:"out"`
	Busy          int          `json:"busy"`
	Idle          int          `json:"idle"`
	BackPressured int          `json:"back_pressured"`
	Queued        int          `json:"queued"` // batches that wait
	QueueCap      int          `json:"queue_cap"`
	Watermark     int64        `json:"watermark"`
	Keys          uint64       `json:"keys"`
	Timers        uint64       `json:"timers"`
	LateDropped   uint64       `json:"late_dropped"`
	User          []UserMetric `json:"user,omitempty"` // that functions registered, in that order
}

// UserMetric is a number of the program's own in one subtask.
type UserMetric struct {
	Operator string `json:"operator"`
	Name     string `json:"name"` // with its groups, as in "cache.hits"
	Kind     string `json:"kind"` // counter, gauge, meter, histogram
	Value    string `json:"value"`
}

// OperatorMetrics are the numbers of one operator over all subtasks.
type OperatorMetrics struct {
	Name        string `json:"name"`
	In          uint64 `json:"in"`
	Out         uint64 `json:"out"`
	LateDropped uint64 `json:"late_dropped"`
}

// Sample is one sampled record.
type Sample struct {
	Text      string `json:"text"`
	Type      string `json:"type"`
	Timestamp int64  `json:"timestamp"` // ms, or NoTime
	Subtask   int    `json:"subtask"`   // from 0
}
