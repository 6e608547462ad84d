package prompt

import (
	"regexp"
	"strings"
)

// sign matches the prompts that we print ourselves.
var sign = regexp.MustCompile(`^(\[\d+\]|\.{3,})> ?`)

// stripPrompts makes input of a pasted transcript: when its first line begins with a prompt of ours, only lines with
// prompts are input, the others were output.
func stripPrompts(text string) string {
	lines := strings.Split(text, "\n")
	if !sign.MatchString(lines[0]) {
		return text
	}
	var kept []string
	for _, l := range lines {
		if at := sign.FindString(l); at != "" {
			kept = append(kept, l[len(at):])
		}
	}
	return strings.Join(kept, "\n")
}

// cut divides an input into cells and commands: a line that begins with a colon where no bracket is open is a
// command.
func cut(input string, incomplete func(string) bool) []string {
	if !strings.Contains(input, "\n") {
		return []string{input}
	}
	var parts, cell []string
	flush := func() {
		if src := strings.Join(cell, "\n"); strings.TrimSpace(src) != "" {
			parts = append(parts, src)
		}
		cell = nil
	}
	for line := range strings.SplitSeq(input, "\n") {
		if strings.HasPrefix(line, ":") && !incomplete(strings.Join(cell, "\n")) {
			flush()
			parts = append(parts, line)
			continue
		}
		cell = append(cell, line)
	}
	flush()
	return parts
}

// readline edits single lines. Newlines and tabs of a cell travel through it as private-use runes, and are shown as
// signs of width one.
const (
	newlineRune = '\ue00a'
	tabRune     = '\ue009'
	pasteRune   = '\ue0ff' // stands for a paste that waits in the filter
)

var (
	toLine   = strings.NewReplacer("\r\n", string(newlineRune), "\n", string(newlineRune), "\r", string(newlineRune), "\t", string(tabRune))
	fromLine = strings.NewReplacer(string(newlineRune), "\n", string(tabRune), "\t", string(pasteRune), "")
)

// painter shows the private-use runes.
type painter struct{ newline rune }

// Paint implements readline.Painter.
func (p painter) Paint(line []rune, _ int) []rune {
	out := make([]rune, len(line))
	for i, r := range line {
		switch r {
		case newlineRune:
			r = p.newline
		case tabRune, pasteRune:
			r = ' '
		}
		out[i] = r
	}
	return out
}
