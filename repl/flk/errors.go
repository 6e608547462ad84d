package flk

import (
	"fmt"
	"slices"
	"strings"
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

// nearest is the word of the list that was most likely meant by what was typed, or "".
func nearest(typed string, words []string) string {
	best, limit := "", 1+len(typed)/4
	for _, w := range words {
		if d := distance(strings.ToLower(typed), w); d <= limit {
			best, limit = w, d-1
		}
	}
	return best
}

// distance is the number of letters to insert, remove, replace or swap between two words.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev2 := slices.Clone(before)
		copy(before, row)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// suggest is a hint that lists what is valid, with the likely word first.
func suggest(typed, what string, words []string) string {
	list := what + " " + strings.Join(words, ", ")
	if w := nearest(typed, words); w != "" {
		return fmt.Sprintf("did you mean %s? %s", w, list)
	}
	return list
}
