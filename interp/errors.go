package interp

import (
	"errors"
	"fmt"
)

// ErrInterrupted is the error of a cell that Interrupt or the end of its context stopped.
var ErrInterrupted = errors.New("interrupted")

// RunError is a cell that failed while it ran: a panic, a non-nil last error, a refused call.
type RunError struct {
	Cell      string // name of the document, or empty
	Number    int    // of the cell
	Line, Col int    // from 1, bytes; 0: unknown
	EndCol    int
	Msg       string
	Source    string // the line
	Hint      string
	Kind      string // panic, goroutine, error, internal, unsupported, refused, interrupted
	Panicked  bool   // in a function of a job: the place is that of the statement, not of the call that built the operator
	Err       error  // what the cell returned, if it returned an error
}

// Error is the position and the message.
func (e *RunError) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg)
}

// Unwrap gives the error that the cell returned.
func (e *RunError) Unwrap() error { return e.Err }
