package flk

import (
	"context"
	"io"
	"time"

	"flinkish/repl/session"
)

// CommandFunc runs one :command line (with its colon) against a session. What it shows goes to on; a command that
// failed says so by a Diagnostic in its Result.
type CommandFunc func(ctx context.Context, s session.Session, line string, on func(session.Event)) session.Result

// Config is what Replay and Test have in common.
type Config struct {
	// New makes the session of one document; a document never sees the values of another.
	New session.New
	// Command runs the lines of flk blocks; nil refuses them.
	Command CommandFunc
	// Stdout takes what was asked for, Stderr what went wrong with the request itself.
	Stdout, Stderr io.Writer
	// Color styles the text for a terminal.
	Color bool
	// Seed replaces the seed of the header; 0 keeps it.
	Seed uint64
	// Params replace the defaults of the header's params. A name that no document declares is a usage error.
	Params map[string]string
	// Timeout is the wall time that a cell may take, unless the cell or the header say otherwise; 0 is one minute.
	Timeout time.Duration
	// Version is this program's, such as 1.2.0, for documents that require one; empty fits all.
	Version string
	// Trust allows cells to run programs, open connections and write outside their folder.
	Trust bool
}

// ReplayOptions say what Replay shows.
type ReplayOptions struct {
	Config
	File string
	// Plain is prose and cells verbatim and linear output, also on a terminal.
	Plain bool
	// From and To name the first and the last cell that are shown, by name or by number from 1. Cells before From
	// run silently, cells after To do not run.
	From, To string
	// KeepGoing runs the cells after a failed one.
	KeepGoing bool
}

// TestOptions say what Test checks.
type TestOptions struct {
	Config
	// Paths are documents, or folders whose documents are taken; none means the working directory.
	Paths []string
	// Run is a regular expression on "file/cell" (without .flk): only the expectations of these cells are checked.
	Run string
	// Update writes what came out into the documents: "" no, "yes", or "force" (also where CI is set).
	Update string
	// CI says that this is an automatic build, where Update must be "force".
	CI bool
	// Repeat runs each document so many times with one seed; the bytes must be the same. Shuffle runs it with so
	// many other seeds, and reports expectations that hold for one order only.
	Repeat, Shuffle int
	// Format of the report: text (default), tap, junit or json.
	Format string
	// List prints the checks and runs nothing.
	List bool
	// FailFast stops after the first document that failed.
	FailFast bool
	// Strict makes every warning an error.
	Strict bool
	// Jobs is how many documents run at once; 0 is one for each processor.
	Jobs int
	// Now is the wall clock of the summary; nil leaves the time out.
	Now func() time.Time
}
