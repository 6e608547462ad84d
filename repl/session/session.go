// Package session is the protocol between everything that a person looks at (prompt, notebook, dashboard, scripts)
// and the kernel that checks, interprets and runs. It holds plain data that can be sent as JSON, and one interface.
//
// A cell is sent with Eval. All that it shows arrives as events, in the order in which it must be shown; the Result
// says how it ended. Nothing here knows the interpreter or the engine.
package session

import "context"

// Session is one interactive session: its variables, its environment and its jobs. Methods are safe for concurrent
// use; two Evals run one after the other. An error of a cell is part of its Result; the error results here say that
// the request itself could not be answered, such as an unknown job.
type Session interface {
	// Eval runs one cell and blocks until it ended and background jobs were advanced. on receives each event, one
	// at a time, before Eval returns; nil drops them. When ctx is done the cell is interrupted, its jobs are
	// cancelled, and the session goes on.
	Eval(ctx context.Context, cell Cell, on func(Event)) Result
	// Run submits what the environment holds and waits for it, as env.Execute(ctx) in a cell does.
	Run(ctx context.Context, on func(Event)) Result
	// Settle advances every background job until it is idle or finished, or until max steps were taken (0: the
	// session's limit; below 0: none), and reports the steps. Output that came between two cells is delivered.
	// Jobs of the parallel engine advance by themselves.
	Settle(ctx context.Context, max int, on func(Event)) int
	// Interrupt stops the running cell, if any. Values survive.
	Interrupt()

	// Incomplete reports whether src needs more lines: an open bracket, string or comment, a trailing operator.
	Incomplete(src string) bool
	// Complete proposes continuations of src at byte offset pos. Each replaces src[start:pos].
	Complete(ctx context.Context, src string, pos int) (candidates []Candidate, start int)
	// TypeOf is the type of a Go expression, which is checked and not run.
	TypeOf(ctx context.Context, expr string) (string, error)
	// Doc is the documentation of a name such as KeyBy, DataStream.Map or counts.
	Doc(ctx context.Context, name string) (string, error)
	// Source is the text of a name's declaration in the cells: a variable, function, type or Type.Method.
	Source(ctx context.Context, name string) (string, error)
	// Vars are the live variables, functions and types, in order of definition.
	Vars(ctx context.Context) []Var

	// Graph is the job graph of a job, or of the streams that the environment holds when job is empty.
	Graph(ctx context.Context, job string) (Graph, error)
	// Plan is Flink's JSON of what Execute would submit.
	Plan(ctx context.Context) (string, error)

	// Jobs are all jobs of the session, oldest first.
	Jobs() []Job
	// Metrics is a consistent copy of the numbers of a job. A job is named by its id or a unique prefix of
	// it, by its name, or by "" for the latest one.
	Metrics(ctx context.Context, job string) (Metrics, error)
	// Samples are up to n of the most recent records that left a task (or reached it, when it is a sink), oldest
	// first.
	Samples(ctx context.Context, job, task string, n int) ([]Sample, error)
	// Cancel asks a job to stop and returns at once.
	Cancel(ctx context.Context, job string) error
	// Advance takes at most max steps of a deterministic job and reports how many it took; fewer than max means
	// that it ended or waits for something outside. A job of the parallel engine takes none.
	Advance(ctx context.Context, job string, max int) (int, error)

	// Settings are the present ones.
	Settings() Settings
	// Set changes one setting by its name: engine, seed, parallelism, glyphs or max.
	Set(ctx context.Context, name, value string) error
	// Reset forgets variables, streams and jobs, and starts as new with the same settings.
	Reset(ctx context.Context) error
	// Close cancels all jobs and ends the session. A second Close does nothing.
	Close() error
}

// Cell is one input.
type Cell struct {
	Name   string `json:"name,omitempty"`   // of a document's cell
	Number int    `json:"number,omitempty"` // from 1; the session counts when it is 0
	Source string `json:"source"`
	// File and Line say where the first line of Source stands: a document or stdin. Line 0: nowhere, positions
	// count within the cell.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Echo says that a person looks: an assigned stream shows its summary.
	Echo bool `json:"echo,omitempty"`
}

// Stream tells events apart.
type Stream string

// The streams of a cell's output.
const (
	Stdout  Stream = "stdout" // what the cell printed
	Stderr  Stream = "stderr"
	Results Stream = "result" // values of the last expression
	Jobs    Stream = "job"    // sinks of background jobs, after the cell's own output
	Problem Stream = "diagnostic"
	Note    Stream = "note" // for people only: the echo of what was assigned, progress; documents do not keep it
)

// Event is one piece of what a cell shows.
type Event struct {
	Stream     Stream      `json:"stream"`
	Text       string      `json:"text,omitempty"` // stdout, stderr, job: raw text, may hold part of a line
	Value      *Value      `json:"value,omitempty"`
	Diagnostic *Diagnostic `json:"diagnostic,omitempty"`
}

// Result says how a cell ended. Values and the diagnostic were sent as events too.
type Result struct {
	OK         bool        `json:"ok"`
	Values     []Value     `json:"values,omitempty"`
	Diagnostic *Diagnostic `json:"diagnostic,omitempty"` // set when OK is false
	// Beside are what else went wrong meanwhile, in the background: a cell that did not itself fail has the first as
	// its Diagnostic.
	Beside  []*Diagnostic `json:"beside,omitempty"`
	Warning *Diagnostic   `json:"warning,omitempty"` // a non-nil error that was assigned, not returned
	Defined []string      `json:"defined,omitempty"` // names that the cell defined
	Jobs    []string      `json:"jobs,omitempty"`    // ids of the jobs that the cell started
	// Parallelism is the highest of the operators of these jobs: over 1, the order of results holds for
	// this seed only.
	Parallelism int `json:"parallelism,omitempty"`
}

// Value is one shown value.
type Value struct {
	Name  string `json:"name,omitempty"` // of the variable, when the value was assigned
	Type  string `json:"type"`           // as the user wrote it
	Text  string `json:"text"`           // one form of it as text, without a trailing newline
	Table *Table `json:"table,omitempty"`
	// Summary says that Text is the one-line summary of a stream, such as "DataStream[Word]  parallelism 2".
	Summary bool `json:"summary,omitempty"`
}

// Table is a slice of structs (or of scalars) as rows.
type Table struct {
	Columns []Column   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Total   int        `json:"total"` // rows there are; more than len(Rows) when the table was cut
}

// Column is one column of a Table.
type Column struct {
	Name  string `json:"name"`
	Right bool   `json:"right,omitempty"` // numbers
}

// Candidate is one completion.
type Candidate struct {
	Text string `json:"text"` // replaces what was typed
	Kind string `json:"kind"` // func, method, field, var, type, const, package, keyword, command
	Type string `json:"type,omitempty"`
	Doc  string `json:"doc,omitempty"` // one line
	// Snippet may be inserted in place of Text: it goes on to the function literal that the call takes, as in
	// Map(func(w Word) with the cursor behind it.
	Snippet string `json:"snippet,omitempty"`
}

// Var is one live name.
type Var struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"` // var, func, type, const, import
	Type  string `json:"type"`
	Value string `json:"value,omitempty"` // short text of a variable
	Cell  int    `json:"cell"`            // number of the cell that defined it last
}
