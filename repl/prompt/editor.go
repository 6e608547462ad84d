package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/chzyer/readline"

	"flinkish/repl/command"
	"flinkish/repl/session"
	"flinkish/viz"
)

// editor reads lines with readline.
type editor struct {
	p     *prompt
	ctx   context.Context
	rl    *readline.Instance
	paste *pasteFilter

	mu     sync.Mutex
	before []string // lines of the cell above the one that is edited
	listed string   // cell up to the cursor where candidates were listed last
	page   int      // of the list that was shown then
	close  func() error
}

func newEditor(ctx context.Context, p *prompt) (reader, error) {
	e := &editor{p: p, ctx: ctx, paste: &pasteFilter{in: p.In}}
	newline := '↵'
	if p.Session.Settings().Glyphs == session.ASCII {
		newline = '~'
	}
	rl, err := readline.NewEx(&readline.Config{
		Stdin: e.paste, Stdout: p.Out, Stderr: p.Err,
		Listener: e.paste, Painter: painter{newline}, AutoComplete: e,
		DisableAutoSaveHistory: true, HistoryLimit: historyKeep, HistorySearchFold: true,
		FuncGetWidth: p.Width,
	})
	if err != nil {
		return nil, err
	}
	e.rl = rl
	e.close = sync.OnceValue(rl.Close)
	context.AfterFunc(ctx, func() { e.Close() })
	e.recall()
	return e, nil
}

// Line reads one line; before are the lines of the cell above it, which completion needs.
func (e *editor) Line(prompt string, before []string) (string, error) {
	e.mu.Lock()
	e.before = append([]string(nil), before...)
	e.mu.Unlock()
	e.rl.SetPrompt(prompt)
	io.WriteString(e.p.Out, pasteOn)
	line, err := e.rl.Readline()
	io.WriteString(e.p.Out, pasteOff)
	line = fromLine.Replace(line)
	if errors.Is(err, readline.ErrInterrupt) {
		err = errInterrupt
	}
	return line, err
}

// Remember makes the whole history anew: readline would else keep the edited form of a recalled cell.
func (e *editor) Remember(input string) {
	e.p.history.recent(input)
	e.recall()
}

func (e *editor) recall() {
	e.rl.ResetHistory()
	for _, cell := range e.p.history.cells {
		e.rl.SaveHistory(toLine.Replace(cell))
	}
}

// Close restores the terminal.
func (e *editor) Close() error {
	return e.close()
}

// Do implements readline.AutoCompleter: what all candidates have in common is inserted; when that is nothing, they
// are listed above the line with their types, a page at each Tab. A call that takes a function goes on to the head of
// its literal: at once when it is the only candidate, else at the Tab after the list. Readline's goroutine calls it.
func (e *editor) Do(line []rune, pos int) ([][]rune, int) {
	head := fromLine.Replace(string(line[:pos]))
	if strings.TrimSpace(head) == "" {
		return [][]rune{[]rune("    ")}, 0 // indent
	}
	e.mu.Lock()
	before := strings.Join(e.before, "\n")
	e.mu.Unlock()
	if before != "" {
		before += "\n"
	}
	src := before + head
	var cs []session.Candidate
	var start int
	if before == "" && command.Is(head) {
		cs, start = command.Complete(e.ctx, command.Env{Session: e.p.Session}, head, len(head))
		cs = withoutSnippets(cs)
	} else {
		cs, start = e.p.Session.Complete(e.ctx, src, len(src))
	}
	if pos < len(line) && line[pos] == '(' {
		cs = withoutSnippets(cs) // the call is there already
	}
	typed := src[min(start, len(src)):]
	same, found := common(cs, typed)
	snippet := snippetOf(found, typed)
	if len(found) == 1 && snippet != "" || e.listed == src && snippet != "" {
		same = snippet
	}
	switch {
	case len(found) == 0:
		return nil, 0
	case len(same) > len(typed):
		return [][]rune{[]rune(toLine.Replace(same[len(typed):]))}, len([]rune(typed))
	case len(found) > 1 || found[0].Type != "":
		if e.listed != src || (e.page+1)*listMax >= len(found) {
			e.listed, e.page = src, -1
		}
		e.page++
		text := e.list(found, e.page*listMax)
		if snippet != "" {
			text += viz.Truncate("  Tab again: "+snippet, e.p.Width()-1, viz.ASCII) + "\n"
		}
		io.WriteString(e.rl.Stdout(), text)
	}
	return nil, 0
}

func withoutSnippets(cs []session.Candidate) []session.Candidate {
	cs = slices.Clone(cs)
	for i := range cs {
		cs[i].Snippet = ""
	}
	return cs
}

// snippetOf is the snippet of the only candidate, or of the one that was typed in full.
func snippetOf(found []session.Candidate, typed string) string {
	for _, c := range found {
		if (len(found) == 1 || c.Text == typed) && strings.HasPrefix(c.Snippet, typed) {
			return c.Snippet
		}
	}
	return ""
}

// common finds the candidates that go on from what was typed, and what they all begin with.
func common(cs []session.Candidate, typed string) (same string, found []session.Candidate) {
	for _, c := range cs {
		if !strings.HasPrefix(c.Text, typed) {
			continue
		}
		if found == nil {
			same = c.Text
		}
		for !strings.HasPrefix(c.Text, same) {
			same = same[:len(same)-1]
		}
		found = append(found, c)
	}
	return strings.ToValidUTF8(same, ""), found
}

// listMax is how many candidates are listed at once: the line that is edited must stay on the screen. Up to listDocs
// have their documentation below them.
const (
	listMax  = 14
	listDocs = 5
)

// list shows candidates from position first on, one a line, with their types.
func (e *editor) list(cs []session.Candidate, first int) string {
	width, left := e.p.Width(), 0
	shown := cs[first:min(first+listMax, len(cs))]
	for _, c := range shown {
		left = max(left, len(c.Text))
	}
	var b strings.Builder
	line := func(text string) {
		b.WriteString(viz.Truncate(strings.TrimRight(text, " "), width-1, viz.ASCII) + "\n")
	}
	for _, c := range shown {
		text, doc := c.Type, c.Doc
		if len(cs) > listDocs && doc != "" {
			text, doc = text+"  "+doc, ""
		}
		line(fmt.Sprintf("  %-*s  %s", left, c.Text, strings.TrimSpace(text)))
		if doc != "" {
			line("      " + doc)
		}
	}
	if more := len(cs) - first - len(shown); more > 0 {
		line(fmt.Sprintf("  %d more; Tab shows them", more))
	}
	return b.String()
}
