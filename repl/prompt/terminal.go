package prompt

import (
	"io"
	"os"

	"github.com/chzyer/readline"
)

// IsTerminal reports whether f is a terminal.
func IsTerminal(f *os.File) bool { return f != nil && readline.IsTerminal(int(f.Fd())) }

// Output is w as a terminal, or nil when it is none.
func Output(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && IsTerminal(f) {
		return f
	}
	return nil
}

// Width is the width of the terminal in columns; 80 when it is not known.
func Width(f *os.File) int {
	if f == nil {
		return 80
	}
	if w, _, err := readline.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return 80
}
