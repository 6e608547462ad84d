package flk

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"flinkish/repl/session"
)

// Recorder is a session that writes a document of what it is asked: a cell and its output after each input that
// succeeded. Testing that document with the same settings succeeds.
type Recorder struct {
	session.Session
	opt session.Options
	// WithErrors keeps cells that failed too, with their diagnostic.
	WithErrors bool

	mu    sync.Mutex
	parts []string
	cells int
}

// NewRecorder records the cells of s, which was made with o.
func NewRecorder(s session.Session, o session.Options) *Recorder {
	return &Recorder{Session: s, opt: o.Defaults()}
}

// Eval runs a cell and records it.
func (r *Recorder) Eval(ctx context.Context, c session.Cell, on func(session.Event)) session.Result {
	rec, tee := r.listen(on)
	res := r.Session.Eval(ctx, c, tee)
	r.add(GoCell, c.Source, rec, res)
	return res
}

// Command runs a :command with run and records it.
func (r *Recorder) Command(ctx context.Context, line string, run CommandFunc, on func(session.Event)) session.Result {
	line = strings.TrimSpace(line)
	rec, tee := r.listen(on)
	res := run(ctx, r.Session, line, tee)
	r.add(Commands, line, rec, res)
	return res
}

func (r *Recorder) listen(on func(session.Event)) (*recorder, func(session.Event)) {
	rec := &recorder{glyphs: r.opt.Glyphs}
	return rec, func(e session.Event) {
		rec.event(e)
		if on != nil {
			on(e)
		}
	}
}

// add appends one cell and its expectations.
func (r *Recorder) add(k Kind, source string, rec *recorder, res session.Result) {
	if !res.OK && !r.WithErrors {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cells++
	run := &CellRun{Cell: &Block{Kind: k, Number: r.cells}, Result: res, pieces: rec.close()}
	word := k.String()
	if !res.OK {
		word += " {error}"
	}
	part := block(word, splitLines(strings.Trim(source, "\n")))
	if out := splitLines(run.text("")); len(out) > 0 {
		m := Match{Mode: Exact}
		if res.Parallelism > 1 && len(out) > 1 {
			m = Match{Mode: Unordered}
		}
		part += "\n" + block(outWord(m), m.Rewrite(nil, out))
	}
	if !res.OK {
		part += "\n" + block("error", Match{Mode: Exact}.Rewrite(nil, splitLines(run.problem())))
	}
	r.parts = append(r.parts, part)
}

// outWord is the fence word of an expectation; exact is understood.
func outWord(m Match) string {
	if m.Mode == Exact {
		return "out"
	}
	return fmt.Sprintf("out {match=%s}", m)
}

// block is a fenced block with these lines.
func block(word string, lines []string) string {
	b := &Block{fence: fence{char: '`', n: 3, open: "```" + word + "\n", close: "```\n", eol: "\n"}}
	b.SetLines(lines)
	return b.Raw
}

// Drop forgets the latest cell that was recorded, and reports whether there was one.
func (r *Recorder) Drop() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.parts) == 0 {
		return false
	}
	r.parts = r.parts[:len(r.parts)-1]
	return true
}

// String is the document so far.
func (r *Recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	head := fmt.Sprintf("---\nflk: 1\nseed: %d\n", r.opt.Seed)
	if r.opt.Engine == session.Parallel {
		head += "clock: real\n"
	} else {
		head += fmt.Sprintf("clock: virtual %s\n", r.opt.Clock.UTC().Format(time.RFC3339Nano))
	}
	if r.opt.Parallelism > 1 {
		head += fmt.Sprintf("parallelism: %d\n", r.opt.Parallelism)
	}
	return head + "---\n\n" + strings.Join(r.parts, "\n")
}

// WriteFile writes the document so far; the file is old or new, never half.
func (r *Recorder) WriteFile(path string) error { return replaceFile(path, r.String()) }
