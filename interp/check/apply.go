// Applying a hint: the cell as it was probably meant.

package check

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// applicable are the hints that say what to write in place of the marked text: $1.
var applicable = []*regexp.Regexp{
	regexp.MustCompile(`^did you mean (?:package )?(\S+)\?$`),
	regexp.MustCompile(`^methods begin with a capital, as in (\w+)$`),
	regexp.MustCompile(`^give it back: (.+)$`),
	regexp.MustCompile(`^(?:convert it|take its address|pass a pointer|leave the (?:&|quotes) away|write it in double quotes): (\S+)$`),
}

// Fix is src, the text of the cell, with the hint applied, and those of the errors that come to light by that. ok is false
// when the hint is advice only, or leads to a line that is as wrong.
func (e *Error) Fix(src string) (fixed string, ok bool) {
	if e.tried {
		return e.mended, e.mended != ""
	}
	return e.apply(src)
}

// mostFixes is how many hints are applied one after the other.
const mostFixes = 4

// mend tries the fix of e: whoever asks for it shall not be told that the same line is wrong.
func (c *Checker) mend(e *Error, src string) {
	e.tried = true
	defer c.rollback()
	last := e
	for range mostFixes {
		fixed, ok := last.apply(src)
		if !ok {
			break
		}
		src = fixed
		_, err := c.check(e.Cell, e.Number, src)
		if !errors.As(err, &last) {
			e.mended = src
			return
		}
	}
	if last.Line != e.Line { // another mistake, which has no fix
		e.mended = src
	}
}

// apply is src with the hint of e applied.
func (e *Error) apply(src string) (fixed string, ok bool) {
	lines := strings.SplitAfter(src, "\n")
	if r := e.instead; r != nil && r.line >= 1 && r.line <= len(lines) && r.endCol-1 <= len(lines[r.line-1]) {
		line := lines[r.line-1]
		lines[r.line-1] = line[:r.col-1] + r.text + line[r.endCol-1:]
		return strings.Join(lines, ""), true
	}
	if e.Line < 1 || e.Line > len(lines) || e.Col < 1 || e.EndCol <= e.Col || e.EndCol-1 > len(lines[e.Line-1]) {
		return "", false
	}
	with := ""
	for _, a := range applicable {
		if m := a.FindStringSubmatch(e.Hint); m != nil {
			with = m[1]
		}
	}
	if with == "" && strings.HasPrefix(e.Hint, theContext) && lines[e.Line-1][e.Col-1:e.EndCol-1] == ")" {
		with = "ctx)" // the mark is on the end of the call
	}
	if with == "" {
		return "", false
	}
	line := lines[e.Line-1]
	head, tail := line[:e.Col-1], line[e.EndCol-1:]
	if last, _ := utf8.DecodeLastRuneInString(line[:e.EndCol-1]); wordRune(last) {
		tail = strings.TrimLeftFunc(tail, wordRune) // the parser marks the first letter of a word only
	}
	if dot := strings.LastIndexByte(with, '.'); dot >= 0 && strings.HasSuffix(head, with[:dot+1]) {
		with = with[dot+1:] // the mark is on the name after the dot
	}
	lines[e.Line-1] = head + with + tail
	fixed = strings.Join(lines, "")
	return fixed, fixed != src
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
