// Package fault has the error of a program's mistake that a part below the graph finds, mostly while a job runs. The
// task gives it to the user as a GraphError.
package fault

import "fmt"

// Error is a mistake of the program.
type Error struct {
	Kind string // the name of Flink's exception class, without "Exception": NullPointer
	Call string // the call that was wrong, such as KeyBy; may be empty
	Msg  string // what is wrong, and the way out
}

// New returns the error of a call; call may be empty.
func New(kind, call, format string, args ...any) *Error {
	return &Error{kind, call, fmt.Sprintf(format, args...)}
}

// Error is the kind, the call and the message.
func (e *Error) Error() string {
	if e.Call == "" {
		return e.Kind + ": " + e.Msg
	}
	return e.Kind + ": " + e.Call + ": " + e.Msg
}
