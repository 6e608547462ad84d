// Package interp runs the cells of a session: it checks a cell with go/types, lowers it to what yaegi can
// run, and runs it. A Session keeps everything that the cells defined.
package interp

import (
	"context"
	"io"
	"time"
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
type Candidate struct {
	Text   string // what to insert
	Detail string // type or signature
	Kind   string // func, method, field, var, const, type, package, keyword
	Start  int    // byte offset in the source where Text replaces what is there
}

// Var is one variable of the session.
type Var struct {
	Name, Type, Text string
	Go               any
}

// Session holds the definitions and values of the cells that ran. Eval, Reset and the look-ups belong to
// one goroutine; Interrupt may be called from any.
type Session struct {
	opt Options
}

// New starts a session.
func New(o Options) (*Session, error) { return &Session{opt: o}, nil }

// Eval runs one cell and blocks until it ends, ctx is done or Interrupt is called. A *check.Error tells
// where a cell does not compile, a *RunError where it failed; a failed cell keeps the definitions and
// effects it had up to there, a cell that does not compile none.
func (s *Session) Eval(ctx context.Context, c Cell) (Result, error) { return Result{}, nil }

// Interrupt stops the cell that runs; its Eval returns ErrInterrupted. Values survive.
func (s *Session) Interrupt() {}

// Incomplete reports whether src needs more lines before it can run.
func (s *Session) Incomplete(src string) bool { return false }

// Complete lists what can stand at byte offset pos of src.
func (s *Session) Complete(src string, pos int) []Candidate { return nil }

// TypeOf gives the type of an expression, as the user would write it.
func (s *Session) TypeOf(expr string) (string, error) { return "", nil }

// Vars lists the session's variables in the order of their declaration.
func (s *Session) Vars() []Var { return nil }

// Reset forgets all definitions and values.
func (s *Session) Reset() error { return nil }

// Close releases the session.
func (s *Session) Close() error { return nil }
