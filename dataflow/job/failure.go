package job

import (
	"errors"
	"fmt"
	"strings"

	"flinkish/dataflow/graph"
)

// Failure is the error of a job whose user code failed: where, on what, and why. Unwrap gives the user's
// own error.
type Failure struct {
	Operator    string // its name in the graph
	Subtask     int    // from 0
	Parallelism int
	Attempt     int
	During      string // "open", "finish" or "close"; empty while it ran
	// Behind is "key selector" or "partitioner" where that function of an edge that leaves the operator failed, not the
	// operator itself; else empty. Call is then the call that it was given to, such as KeyBy, and Pos the place of that.
	Behind, Call string
	Record       any // the record that the operator was working on; see HasRecord
	HasRecord    bool
	Text         string // Record in the words of its type
	Cause        error
	Pos          string // file:line of the call that made the operator; a session has the cell here
	Place        any    // the same in the words of a session; nil in a program
	Stack        string // of the panic, for a screen that is asked for it; never part of the message
	// Suppressed are the failures of Close while the job was ending because of this one, in order. It is set once the job
	// has ended (Throwable.getSuppressed).
	Suppressed []*Failure
}

// Error is such as `operator "Divider" (1/1) failed on record 0: integer divide by zero`. The first of the suppressed failures
// follows.
func (f *Failure) Error() string {
	switch s := f.Suppressed; len(s) {
	case 0:
		return f.text()
	case 1:
		return f.text() + "; and then " + s[0].text()
	default:
		return fmt.Sprintf("%s; and then %s, and %d more", f.text(), s[0].text(), len(s)-1)
	}
}

// text is the message of this failure alone.
func (f *Failure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "operator %q (%d/%d)", f.Operator, f.Subtask+1, f.Parallelism)
	if f.Behind != "" {
		b.WriteString(": the " + f.Behind + " behind it")
	}
	b.WriteString(" failed")
	switch {
	case f.During != "":
		b.WriteString(" during " + f.During)
	case f.HasRecord:
		b.WriteString(" on record " + f.Text)
	}
	b.WriteString(": " + cleanText(f.Unwrap()))
	return b.String()
}

// cleanText is the text of err without Go's words for a panic of the language.
func cleanText(err error) string { return strings.TrimPrefix(err.Error(), "runtime error: ") }

// Unwrap returns the cause. Around that of a key selector it puts a graph.GraphError of the kind Runtime, as Flink does;
// one that has a kind already stays as it is.
func (f *Failure) Unwrap() error {
	if f.Behind != "key selector" || errors.As(f.Cause, new(*graph.GraphError)) {
		return f.Cause
	}
	return &graph.GraphError{Kind: "Runtime", Call: f.Call, Err: f.Cause,
		Msg: "could not extract the key: " + cleanText(f.Cause)}
}

// PanicError is the cause of a Failure when user code panicked with a value that is no error.
type PanicError struct{ Value any }

// Error is the value as text.
func (p *PanicError) Error() string { return fmt.Sprint(p.Value) }

// Bug is the error of a job that ended because an invariant of the engine was broken. It is the engine's
// mistake, not the program's.
type Bug struct {
	Task  string // such as "Map (1/2)"
	Text  string
	Stack string
}

// Error names the task and asks for a report.
func (b *Bug) Error() string {
	return fmt.Sprintf("internal error in task %s: %s; this is a bug in flinkish, please report it", b.Task, b.Text)
}

// Deadlock is the error of a deterministic job in which nothing can ever run again.
type Deadlock struct {
	Tasks string // every subtask that has not ended, and what it waits for
}

// Error lists the subtasks.
func (d *Deadlock) Error() string {
	return "the job is deadlocked: no subtask can go on and no timer is set: " + d.Tasks
}

// Lost is the error of a job whose cancelling did not end in time, because user code blocks for ever.
// Its goroutines stay behind.
type Lost struct {
	Tasks []string // the subtasks that did not end
	Cause error    // why the job was ending; nil when it was cancelled
}

// Error names the subtasks.
func (l *Lost) Error() string {
	s := fmt.Sprintf("the job is lost: %s did not stop; a user function blocks there", strings.Join(l.Tasks, ", "))
	if l.Cause != nil {
		s += "; the job was ending because " + l.Cause.Error()
	}
	return s
}

// Unwrap returns the cause.
func (l *Lost) Unwrap() error { return l.Cause }
