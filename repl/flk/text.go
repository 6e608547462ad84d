package flk

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// Bounds of a printed diff.
const (
	diffContext = 3  // equal lines around a difference
	diffLines   = 60 // lines in all
)

// paint styles text for a terminal, or leaves it.
type paint bool

func (p paint) with(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) bold(s string) string  { return p.with("1", s) }
func (p paint) dim(s string) string   { return p.with("2", s) }
func (p paint) red(s string) string   { return p.with("31", s) }
func (p paint) green(s string) string { return p.with("32", s) }

// failure is a failed check as text: where, what was wanted and what came, and how to go on.
func failure(r *Report, c *Check, p paint) string {
	var b strings.Builder
	cell := c.Run.Cell
	fmt.Fprintf(&b, "%s %s:%d %s %s\n", p.bold(p.red("FAIL")), r.Doc.Path, cell.Line, cell.quoted(), c.Title())
	if c.Diff == nil {
		for _, l := range splitLines(c.Why) {
			b.WriteString("  " + l + "\n")
		}
		return b.String() + see(r, c)
	}
	if c.Expect == nil {
		b.WriteString("  " + c.Why + "\n")
	}
	fmt.Fprintf(&b, "  --- want  %s:%d\n  +++ got   %s\n", r.Doc.Path, c.Line(), c.Run.Stamp)
	for _, l := range diffText(c.Diff) {
		s := fmt.Sprintf("  %c %s", l.Op, l.Want+gotOf(l))
		switch l.Op {
		case '-':
			s = p.red(s)
		case '+':
			s = p.green(s)
		case ' ':
			s = "    " + l.Want
		}
		b.WriteString(trimEnd(s) + "\n")
	}
	return b.String() + see(r, c)
}

// see is what to type next.
func see(r *Report, c *Check) string {
	label, path := c.Run.Cell.label(), shellWord(r.Doc.Path)
	s := fmt.Sprintf("  see: flinkish replay --to %s %s\n", shellWord(label), path)
	if c.Diff != nil && c.Expect != nil {
		s += fmt.Sprintf("  fix: flinkish test --update --run %s %s\n", shellWord(r.Doc.selector(c.Run.Cell)), path)
	}
	return s
}

// selector is an expression that selects the cell and no other of its document.
func (d *Document) selector(b *Block) string {
	s := regexp.QuoteMeta(d.fullName(b))
	re := regexp.MustCompile(s)
	for _, o := range d.Cells() {
		if o != b && re.MatchString(d.fullName(o)) {
			return s + "$"
		}
	}
	return s
}

// shellWord quotes what a shell would take apart.
func shellWord(s string) string {
	if regexp.MustCompile(`^[\pL\pN_./:@%+=,^-]+\$?$`).MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// diffText is what of a diff is printed: the differences with some lines around them.
func diffText(d Diff) Diff {
	show := make([]bool, len(d))
	for i, l := range d {
		if l.Op == '-' || l.Op == '+' {
			for j := max(0, i-diffContext); j <= min(len(d)-1, i+diffContext); j++ {
				show[j] = true
			}
		}
	}
	var out Diff
	hidden := false
	for i, l := range d {
		switch {
		case l.Op == '.':
		case !show[i]:
			hidden = true
		default:
			if hidden {
				out = append(out, DiffLine{' ', gap, ""})
				hidden = false
			}
			out = append(out, l)
		}
	}
	if more := len(out) - diffLines; more > 0 {
		out = append(out[:diffLines:diffLines], DiffLine{' ', fmt.Sprintf("... %d more lines", more), ""})
	}
	return out
}

// textFormat is the report for people.
type textFormat struct {
	w io.Writer
	p paint
}

func (f *textFormat) begin([]*Document) {}

func (f *textFormat) report(r *Report) {
	for _, w := range r.Warnings {
		fmt.Fprintf(f.w, "warning: %v\n", w)
	}
	if r.Err != nil {
		fmt.Fprintf(f.w, "%s %v\n\n", f.p.bold(f.p.red("FAIL")), r.Err)
		return
	}
	for _, c := range r.Checks {
		switch c.State {
		case Failed:
			io.WriteString(f.w, failure(r, c, f.p)+"\n")
		case Updated:
			fmt.Fprintf(f.w, "updated %s:%d %s %s\n", r.Doc.Path, c.Line(), c.Run.Cell.quoted(), c.Title())
		}
	}
}

func (f *textFormat) end(reports []*Report, elapsed time.Duration) {
	t := total(reports)
	// One form whatever the numbers, so that a script can read it.
	s := fmt.Sprintf("%d files, %d cells, %d checks: %d ok, %d failed, %d skipped", t.files, t.cells, t.checks, t.ok, t.failed, t.skipped)
	if t.failed > 0 {
		s = f.p.bold(s)
	}
	if elapsed > 0 {
		s += fmt.Sprintf(" (%.2fs)", elapsed.Seconds())
	}
	fmt.Fprintln(f.w, s)
}

// totals are the numbers of the last line.
type totals struct{ files, cells, checks, ok, failed, skipped int }

func total(reports []*Report) totals {
	t := totals{files: len(reports)}
	for _, r := range reports {
		t.cells += len(r.Cells)
		t.checks += len(r.Checks)
		t.ok += r.count(OK, XFailed, Updated)
		t.failed += r.count(Failed)
		t.skipped += r.count(Skipped)
	}
	return t
}
