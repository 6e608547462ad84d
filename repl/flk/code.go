package flk

// Code is how a replay or a test ended. Its value is the exit status of the command.
type Code int

// The codes.
const (
	Passed           Code = 0   // everything matched, skips allowed
	Mismatch         Code = 1   // an expectation differs
	Usage            Code = 2   // unreadable file, wrong option, syntax or lint error
	CellFailed       Code = 3   // a cell failed unexpectedly
	TimedOut         Code = 4   // a cell took longer than it may
	Nondeterministic Code = 5   // two runs differ
	Interrupted      Code = 130 // by the user
)

// severity orders codes: the later, the more it matters.
var severity = []Code{Passed, Mismatch, Nondeterministic, TimedOut, CellFailed, Usage, Interrupted}

// Worse is the more severe of two codes.
func (c Code) Worse(o Code) Code {
	for _, s := range severity {
		if s == c {
			return o
		}
		if s == o {
			return c
		}
	}
	return c
}
