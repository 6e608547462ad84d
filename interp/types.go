package interp

import (
	"io"
	"time"

	"flinkish/interp/check"
)

// Options says what a session runs with. The zero value is usable: output is dropped, the seed is 1.
type Options struct {
	// Stdout and Stderr receive what cells print. They may be written from several goroutines at
	// once; the session serialises the writes.
	Stdout, Stderr io.Writer
	// Env is what the cells call env: a *dataflow.StreamExecutionEnvironment. It may be nil, and
	// then cells have no env.
	Env any
	// Seed seeds math/rand and the order of range over a map, when Deterministic is set.
	Seed int64
	// Deterministic makes runs repeatable: map order, math/rand and time.Now are the session's.
	Deterministic bool
	// Now is the clock that time.Now reads in deterministic mode; nil means the wall clock.
	Now func() time.Time
	// Advance moves the clock of Now on when a cell sleeps in deterministic mode; nil: sleeping takes its time.
	Advance func(time.Duration)
	// Virtual reports whether Now follows Advance at present; nil: it does.
	Virtual func() bool
	// Dir is the directory that cells may write in when Trust is not set.
	Dir string
	// Trust allows os/exec, net, syscall, unsafe and writes outside of Dir.
	Trust bool
}

// Cell is one cell of Go to run.
type Cell struct {
	Name   string // of the document, or empty at the prompt
	Number int    // of the cell, from 1
	Source string
}

// Result is what a cell leaves to show, apart from what it printed itself.
type Result struct {
	Values   []Value  // results of the last expression, streams that were assigned
	Warnings []string // such as: err is not nil: open x.csv: no such file or directory
	// Advice is about correct Go that is probably a mistake: a stream that nobody takes.
	Advice []*check.Error
	// Notes are for people to know, each once in a session: what Flink deprecates.
	Notes []string
	// Defined names what the cell declared or redeclared, in order.
	Defined []string
}

// Value is one value to show.
type Value struct {
	Name     string // of the variable that it was assigned to; empty for an expression
	Type     string // as the user would write it: []Word, map[string]int
	Text     string // as fmt's %+v with the user's own type names and methods
	Go       any    // the value as the running program holds it
	Assigned bool   // shown because a stream was assigned, not as a last expression
	Stream   *Stream
	Table    *Table // set for a slice of structs or tuples
}

// Stream is the one-line summary of a stream.
type Stream struct {
	Name        string // of the variable; empty for an expression
	Type        string // DataStream[Word], KeyedStream[Word, string]
	Parallelism int    // 0: the environment's default
	Operator    string // name of the operator that makes it
}

// Table is a slice of structs, field by field.
type Table struct {
	Columns []string
	Types   []string // of the columns
	Rows    [][]string
	More    int // rows that were left out
}

// Candidate is one completion.
type Candidate = check.Candidate

// Var is one name that the cells of a session declared.
type Var struct {
	Name string
	Kind string // var, const, func or type
	Type string // as the user would write it; of a type, its definition
	Text string // short text of the value of a variable or constant
	Cell int    // number of the cell that declared it last
	Go   any    // the value of a variable, as the running program holds it
}
