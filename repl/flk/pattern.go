package flk

import (
	"fmt"
	"regexp"
	"strings"
)

// pattern is one expected line.
type pattern struct {
	text string
	re   *regexp.Regexp // nil: literal
}

// gap stands for any lines.
const gap = "..."

func (p pattern) isGap() bool { return strings.TrimSpace(p.text) == gap }

func (p pattern) matches(line string) bool {
	return p.text == line || p.re != nil && p.re.MatchString(line)
}

// compile makes the pattern of a line: all of it is a regular expression if whole, else only what stands in << >>.
func compile(line string, whole bool) (pattern, error) {
	p := pattern{text: line}
	if !whole && !strings.Contains(line, "<<") {
		return p, nil
	}
	quote := regexp.QuoteMeta
	if whole {
		quote = func(s string) string { return s }
	}
	var b strings.Builder
	b.WriteString(`^(?:`)
	found := false
	for rest := line; ; {
		before, after, ok := strings.Cut(rest, "<<")
		inside, behind, closed := strings.Cut(after, ">>")
		if !ok || !closed {
			b.WriteString(quote(rest))
			break
		}
		if inside == "*" {
			inside = ".*"
		}
		found = true
		b.WriteString(quote(before) + "(?:" + inside + ")")
		rest = behind
	}
	if !found && !whole {
		return p, nil
	}
	b.WriteString(`)$`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return p, fmt.Errorf("pattern %s: %w", line, err)
	}
	p.re = re
	return p, nil
}

// compileAll makes patterns of lines; one that is no regular expression is literal (Parse has refused it).
func compileAll(lines []string, whole bool) []pattern {
	out := make([]pattern, len(lines))
	for i, l := range lines {
		out[i], _ = compile(l, whole)
	}
	return out
}

func texts(ps []pattern) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.text
	}
	return out
}

// literal is the line as an expectation that matches only it.
func literal(line string, whole bool) string {
	switch {
	case whole:
		return strings.ReplaceAll(regexp.QuoteMeta(line), "<<", "<[<]")
	case strings.TrimSpace(line) == gap:
		return strings.Replace(line, gap, `<<\.\.\.>>`, 1)
	case strings.Contains(line, "<<"):
		if _, err := compile(line, false); err != nil {
			return strings.ReplaceAll(line, "<<", "<<[<]{2}>>")
		}
	}
	return line
}

// checkPatterns refuses expressions that do not compile, where they stand.
func (p *parser) checkPatterns(b *Block) {
	if !b.IsExpectation() {
		return
	}
	for i, l := range b.Lines() {
		if _, err := compile(trimEnd(l), b.Match.Mode == Regex); err != nil {
			p.fail(b.BodyLine()+i, b.fence.indent+1, "a literal line needs no pattern; <<*>> stands for anything", "%v", err)
		}
	}
}
