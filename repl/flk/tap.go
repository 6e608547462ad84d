package flk

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// tapFormat is TAP version 14: a subtest for each file, a point for each check.
type tapFormat struct {
	w io.Writer
	n int
}

func (f *tapFormat) begin(docs []*Document) { fmt.Fprintf(f.w, "TAP version 14\n1..%d\n", len(docs)) }

func (f *tapFormat) report(r *Report) {
	f.n++
	fmt.Fprintf(f.w, "# Subtest: %s\n    1..%d\n", r.Doc.Path, len(r.Checks))
	for i, c := range r.Checks {
		not := "not "
		if c.State == OK || c.State == Updated || c.State == Skipped {
			not = ""
		}
		fmt.Fprintf(f.w, "    %sok %d - %s", not, i+1, tapText(caseName(c)))
		switch c.State {
		case Skipped:
			fmt.Fprintf(f.w, " # SKIP %s", tapText(c.Why))
		case XFailed:
			fmt.Fprintf(f.w, " # TODO %s", tapText(c.Why))
		}
		fmt.Fprintln(f.w)
		if c.State == Failed {
			f.details(r, c)
		}
	}
	status := "ok"
	if r.Code != Passed {
		status = "not ok"
	}
	fmt.Fprintf(f.w, "%s %d - %s\n", status, f.n, tapText(r.Doc.Path))
	if r.Err != nil {
		fmt.Fprintf(f.w, "  ---\n  message: |\n%s  ...\n", indent("    ", r.Err.Error()))
	}
}

func (f *tapFormat) details(r *Report, c *Check) {
	fmt.Fprintf(f.w, "      ---\n      at: %s:%d\n      seed: %d\n", r.Doc.Path, c.Line(), r.Seed)
	key := "diff"
	if c.Diff == nil {
		key = "message"
	}
	fmt.Fprintf(f.w, "      %s: |\n%s      ...\n", key, indent("        ", plainDiff(c)))
}

func (f *tapFormat) end([]*Report, time.Duration) {}

// caseName is what TAP and JUnit call a check: windows out (perkey(page)).
func caseName(c *Check) string {
	if c.Expect == nil {
		return c.Run.Cell.label() + " cell"
	}
	return fmt.Sprintf("%s %s (%s)", c.Run.Cell.label(), c.Name(), c.Expect.Match)
}

// plainDiff is the differences of a check only, or why it failed.
func plainDiff(c *Check) string {
	if c.Diff == nil {
		return c.Why
	}
	var b strings.Builder
	for _, l := range diffText(c.Diff) {
		fmt.Fprintf(&b, "%c %s\n", l.Op, l.Want+gotOf(l))
	}
	return b.String()
}

// gotOf is the real text of a line that was not expected.
func gotOf(l DiffLine) string {
	if l.Op == '+' {
		return l.Got
	}
	return ""
}

func indent(with, text string) string {
	var b strings.Builder
	for _, l := range splitLines(text) {
		b.WriteString(with + l + "\n")
	}
	return b.String()
}

// tapText escapes what has a meaning in a TAP line.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`, "\n", " ").Replace(s)
}
