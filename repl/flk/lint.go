package flk

import (
	"fmt"
	"strings"
)

// lint is what a run shows to be doubtful in its document.
func lint(r *Report) ErrorList {
	var l ErrorList
	warn := func(line int, hint, format string, args ...any) {
		l = append(l, &SyntaxError{r.Doc.Path, line, 1, fmt.Sprintf(format, args...), hint})
	}
	expected := map[*Block]bool{}
	for _, b := range r.Doc.Blocks {
		if b.IsExpectation() {
			expected[b.Of] = true
		}
	}
	for _, run := range r.Cells {
		if run.Skipped == "" && run.Result.OK && !expected[run.Cell] && run.text("") != "" {
			warn(run.Cell.Line, "add an out block below it", "%s prints, but nothing expects it", run.Cell.quoted())
		}
	}
	for _, c := range r.Checks {
		if c.Expect != nil && c.Expect.Kind == Out && c.Expect.Match.Mode == Exact && c.State == OK &&
			c.Run.Result.Parallelism > 1 && len(c.Got) > 1 {
			warn(c.Expect.Line, "match=perkey(column) or match=unordered hold for every order",
				"the job of %s has parallelism %d: exact holds for this seed only", c.Run.Cell.quoted(), c.Run.Result.Parallelism)
		}
	}
	cells := r.Doc.Cells()
	for _, j := range r.Jobs {
		if !j.Done && r.complete() {
			warn(cells[min(max(j.Cell, 1), len(cells))-1].Line, "wait for it in a cell, as with env.Execute(ctx), or :cancel it",
				"%s", j.CutShort("document"))
		}
	}
	var all strings.Builder
	for _, run := range r.Cells {
		all.WriteString(run.text("") + run.problem())
	}
	for _, x := range r.Doc.Header.Redact {
		if r.complete() && !x.Regexp.MatchString(all.String()) {
			warn(x.Line, "remove it", "redact %s matches no output", x.Regexp)
		}
	}
	return l
}

// complete reports whether every cell ran that could.
func (r *Report) complete() bool {
	for _, run := range r.Cells {
		if run.Skipped != "" && run.Cell.Skip == "" && !run.Cell.NoEval {
			return false
		}
	}
	return r.Err == nil && len(r.Cells) == len(r.Doc.Cells())
}
