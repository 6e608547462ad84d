package flk

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"flinkish/repl/session"
)

// State is how a check ended.
type State string

// The states.
const (
	OK      State = "ok"
	Failed  State = "failed"
	Skipped State = "skipped"
	XFailed State = "xfailed" // failed, as the cell says it does; counts as ok
	Updated State = "updated" // the expectation was rewritten; counts as ok
)

// Report is what came out of a run of one document.
type Report struct {
	Doc      *Document
	Seed     uint64
	Cells    []*CellRun
	Checks   []*Check
	Jobs     []session.Job // as they were at the end
	Warnings ErrorList
	Code     Code
	Err      error         // why the document could not run at all
	Elapsed  time.Duration // wall time; 0: not measured
}

// CellRun is one cell that ran, or was passed over.
type CellRun struct {
	Cell     *Block
	Skipped  string // why it did not run; empty: it did
	Result   session.Result
	TimedOut bool
	Broken   string // why its output means nothing: it failed when it must not, or was interrupted
	Stamp    string // seed, virtual time and steps after it

	pieces []piece
}

// piece is one piece of output.
type piece struct {
	stream session.Stream
	text   string
}

// text is the output of one stream, or of all but the error output; another stream begins on a new line.
func (c *CellRun) text(stream string) string {
	var b strings.Builder
	last, open := session.Stream(""), false
	for _, p := range c.pieces {
		if p.text == "" || stream != "" && string(p.stream) != stream || stream == "" && p.stream == session.Stderr {
			continue
		}
		if open && p.stream != last {
			b.WriteByte('\n')
		}
		b.WriteString(p.text)
		last, open = p.stream, !strings.HasSuffix(p.text, "\n")
	}
	return b.String()
}

// problem is the diagnostic of a failed cell as an expectation shows it: its place counts within its cell, so that
// text above the cell may change. That can be an earlier cell, whose function or goroutine failed.
func (c *CellRun) problem() string {
	d := c.Result.Diagnostic
	if c.Result.OK || d == nil {
		return ""
	}
	line := d.Line
	if line == 0 && d.FileLine > 0 {
		line = d.FileLine - c.Cell.BodyLine() + 1
	}
	label := c.Cell.label()
	if d.Number > 0 && d.Number != c.Cell.Number {
		label = cmp.Or(d.Cell, fmt.Sprint(d.Number))
	}
	place := fmt.Sprintf("cell %s: ", label)
	if line > 0 && d.Col > 0 {
		place = fmt.Sprintf("cell %s:%d:%d: ", label, line, d.Col)
	}
	s := place + d.Message + "\n"
	if d.Hint != "" {
		s += "hint: " + d.Hint + "\n"
	}
	return s
}

// label is the name of a cell, or its number.
func (b *Block) label() string {
	if b.Name != "" {
		return b.Name
	}
	return fmt.Sprint(b.Number)
}

// quoted is the label as sentences have it.
func (b *Block) quoted() string {
	if b.Name != "" {
		return fmt.Sprintf("cell %q", b.Name)
	}
	return fmt.Sprintf("cell %d", b.Number)
}

// Check is one thing that a document promises: that an expectation is met, or that a cell succeeds or fails.
type Check struct {
	Run    *CellRun
	Expect *Block // nil: the check is about the cell itself
	State  State
	Code   Code
	Diff   Diff
	Got    []string // the lines that were compared with Expect
	Why    string   // of a check that failed without a diff, or was skipped
}

// Name is what the check is about: out, error, screen or cell.
func (c *Check) Name() string {
	if c.Expect == nil {
		return "cell"
	}
	return c.Expect.Kind.String()
}

// Title is the name with the match mode, where there is one.
func (c *Check) Title() string {
	if c.Expect == nil {
		return c.Name()
	}
	return fmt.Sprintf("%s (match=%s)", c.Name(), c.Expect.Match)
}

// Line is the line of the document where the check stands.
func (c *Check) Line() int {
	if c.Expect == nil {
		return c.Run.Cell.Line
	}
	return c.Expect.BodyLine()
}

// base is the file's name without its ending, as --run knows it.
func (d *Document) base() string { return strings.TrimSuffix(filepath.Base(d.Path), ".flk") }

// fullName is what --run matches for a cell.
func (d *Document) fullName(b *Block) string { return d.base() + "/" + b.label() }

func (r *Report) count(states ...State) int {
	n := 0
	for _, c := range r.Checks {
		if slices.Contains(states, c.State) {
			n++
		}
	}
	return n
}

// settle turns the failed checks of cells that are expected to fail, and sorts all by place.
func (r *Report) settle() {
	for _, run := range r.Cells {
		if run.Cell.XFail == "" || run.Skipped != "" {
			continue
		}
		failed := false
		for _, c := range r.Checks {
			if c.Run == run && c.State == Failed {
				c.State, c.Why, failed = XFailed, run.Cell.XFail, true
			}
		}
		if !failed {
			r.Checks = append(r.Checks, &Check{Run: run, State: Failed, Code: Mismatch,
				Why: fmt.Sprintf("it passes, but is marked xfail=%q: remove the mark", run.Cell.XFail)})
		}
	}
	slices.SortStableFunc(r.Checks, func(a, b *Check) int { return cmp.Compare(a.Line(), b.Line()) })
}

// judge is the code of all checks.
func (r *Report) judge() {
	for _, c := range r.Checks {
		if c.State == Failed {
			r.Code = r.Code.Worse(c.Code)
		}
	}
}
