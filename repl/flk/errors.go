package flk

import (
	"fmt"
	"strings"

	"flinkish/interp/spell"
)

// SyntaxError is one thing that is wrong with the text of a document.
type SyntaxError struct {
	File string
	Line int // from 1
	Col  int // in bytes, from 1
	Msg  string
	Hint string // the way out; may be empty
}

// Error is file:line:col: message, and the hint on a line of its own.
func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
	if e.Hint != "" {
		s += "\n  hint: " + e.Hint
	}
	return s
}

// ErrorList is all that is wrong with a document, in order of lines.
type ErrorList []*SyntaxError

// Error is every error on lines of its own.
func (l ErrorList) Error() string {
	var parts []string
	for _, e := range l {
		parts = append(parts, e.Error())
	}
	return strings.Join(parts, "\n")
}

// suggest is a hint that lists what is valid, with the likely word first.
func suggest(typed, what string, words []string) string {
	list := what + " " + strings.Join(words, ", ")
	if w := spell.Nearest(typed, words); w != "" {
		return fmt.Sprintf("did you mean %s? %s", w, list)
	}
	return list
}
