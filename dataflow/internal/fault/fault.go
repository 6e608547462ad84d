// Package fault has the error of a program's mistake that a part below the graph finds, mostly while a job runs. The
// task gives it to the user as a GraphError.
package fault

import (
	"fmt"
	"math"
	"time"
)

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

// WholeMillis fails unless d is a whole number of milliseconds, the resolution of all times, or the longest time that there is;
// what names it in the error.
func WholeMillis(what string, d time.Duration) error {
	if d%time.Millisecond == 0 || d == math.MaxInt64 {
		return nil
	}
	if bare := Bare(d); bare != d.String() {
		return New("IllegalArgument", "", "%s must be a whole number of milliseconds, got %s", what, bare)
	}
	return New("IllegalArgument", "", "%s must be a whole number of milliseconds, got %v; use %v or %v", what, d,
		d.Truncate(time.Millisecond), d.Truncate(time.Millisecond)+time.Millisecond*time.Duration(sign(d)))
}

// Bare is a duration as errors show it. One that is shorter than a millisecond is probably a number that was meant to count them.
func Bare(d time.Duration) string {
	if d <= 0 || d >= time.Millisecond {
		return d.String()
	}
	return fmt.Sprintf("%v (a bare number counts nanoseconds: write %d*time.Millisecond)", d, int64(d))
}

func sign(d time.Duration) int {
	if d < 0 {
		return -1
	}
	return 1
}

// Error is the kind, the call and the message.
func (e *Error) Error() string {
	if e.Call == "" {
		return e.Kind + ": " + e.Msg
	}
	return e.Kind + ": " + e.Call + ": " + e.Msg
}
