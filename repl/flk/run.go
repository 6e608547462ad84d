package flk

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"flinkish/repl/session"
	"flinkish/repl/show"
)

// defaultTimeout is the wall time of a cell when nobody says otherwise.
const defaultTimeout = time.Minute

// grace is how long an interrupted cell may take to stop before it is left alone: longer than the engine waits for a function
// that does not return, which the cell then names.
const grace = 8 * time.Second

// watcher sees a run as it goes on. Each block is announced once, after it ran or was compared.
type watcher interface {
	block(b *Block, run *CellRun, check *Check)
}

// runner runs one document in one session.
type runner struct {
	cfg       Config
	doc       *Document
	seed      uint64
	keepGoing bool
	selected  func(*Block) bool // cells whose expectations count; nil: all
	until     *Block            // cell after which the run ends; nil: the last
	watch     watcher           // may be nil

	sess    session.Session
	report  *Report
	runs    map[*Block]*CellRun
	stopped string // why no further cell runs
	lost    bool   // a cell did not stop: the session cannot be closed
}

// run runs the document. The error of a document that cannot start is in the report.
func (r *runner) run(ctx context.Context) *Report {
	r.report = &Report{Doc: r.doc, Seed: r.seed}
	r.runs = map[*Block]*CellRun{}
	if h := &r.doc.Header; older(r.cfg.Version, h.Requires) {
		r.report.Err = fmt.Errorf("%s: requires flinkish %s, this is %s", r.doc.Path, h.Requires, r.cfg.Version)
		r.report.Code = Usage
		return r.report
	}
	dir, clean, err := workDir(r.doc)
	if err == nil {
		defer clean()
		var leave func()
		if leave, err = cwd.enter(dir); err == nil {
			defer leave()
		}
	}
	if err == nil {
		r.sess, err = r.cfg.New(r.options(dir))
	}
	if err == nil {
		defer r.close()
		err = r.params(ctx)
	}
	if err != nil {
		r.report.Err, r.report.Code = err, Usage
		return r.report
	}
	r.blocks(ctx)
	if !r.lost {
		r.report.Jobs = r.sess.Jobs()
	}
	r.report.settle()
	r.report.judge()
	if ctx.Err() != nil {
		r.report.Code = Interrupted
	}
	return r.report
}

// close ends the session, unless a cell still holds it.
func (r *runner) close() {
	if !r.lost {
		r.sess.Close()
	}
}

func (r *runner) options(dir string) session.Options {
	h := &r.doc.Header
	o := session.Options{Clock: h.Clock, Dir: dir, Trust: r.cfg.Trust}
	o.Seed = r.seed
	o.Parallelism = h.Parallelism
	o.Glyphs = session.Glyphs(h.Glyphs)
	if h.Real {
		o.Engine = session.Parallel
	}
	return o.Defaults()
}

// params defines the parameters as variables.
func (r *runner) params(ctx context.Context) error {
	var b strings.Builder
	for _, p := range r.doc.Header.Params {
		v := p.Default
		if given, ok := r.cfg.Params[p.Name]; ok {
			v = given
		}
		fmt.Fprintf(&b, "%s := %s\n", p.Name, goValue(v))
	}
	if b.Len() == 0 {
		return nil
	}
	if res := r.sess.Eval(ctx, session.Cell{Name: "params", Source: b.String()}, nil); !res.OK && res.Diagnostic != nil {
		return fmt.Errorf("%s: params: %s", r.doc.Path, res.Diagnostic.Message)
	}
	return nil
}

func (r *runner) blocks(ctx context.Context) {
	for _, b := range r.doc.Blocks {
		var run *CellRun
		var check *Check
		switch {
		case b.IsCell() && r.until != nil && r.runs[r.until] != nil:
			return
		case b.IsCell():
			run = r.cell(ctx, b)
		case b.IsExpectation() && (r.selected == nil || r.selected(b.Of)):
			run = r.runs[b.Of]
			check = r.expect(b, run)
		}
		if r.watch != nil {
			r.watch.block(b, run, check)
		}
	}
}

// cell runs one cell, or says why not, and checks that it ended as it should.
func (r *runner) cell(ctx context.Context, b *Block) *CellRun {
	run := &CellRun{Cell: b}
	r.runs[b] = run
	r.report.Cells = append(r.report.Cells, run)
	switch {
	case b.Skip != "":
		run.Skipped = b.Skip
	case b.NoEval:
		run.Skipped = "not run"
	case b.Kind == Keys:
		run.Skipped = "keys need a screen"
	case ctx.Err() != nil:
		run.Skipped = "interrupted"
	default:
		run.Skipped = r.stopped
	}
	if run.Skipped != "" {
		return run
	}
	r.eval(ctx, run)
	run.Stamp = r.stamp()
	if ctx.Err() != nil {
		run.Broken = "interrupted"
		if d := run.Result.Diagnostic; d != nil && d.Stuck != "" {
			r.report.Checks = append(r.report.Checks, &Check{Run: run, State: Failed, Code: Interrupted, Why: run.trouble()})
		}
		return run
	}
	r.checkEnd(run)
	for _, d := range run.Result.Beside {
		r.report.Checks = append(r.report.Checks, &Check{Run: run, State: Failed, Code: CellFailed, Why: d.String()})
	}
	return run
}

// checkEnd makes a check of how a cell ended, where no expectation tells.
func (r *runner) checkEnd(run *CellRun) {
	mustFail, told := run.Cell.MayFail, false
	for _, e := range r.doc.Blocks {
		if e.Kind == Error && e.Of == run.Cell {
			mustFail, told = true, true
		}
	}
	c := &Check{Run: run, State: OK}
	switch {
	case run.TimedOut:
		c.State, c.Code, c.Why = Failed, TimedOut, fmt.Sprintf("it ran longer than %v", r.limit(run.Cell))
		if d := run.Result.Diagnostic; d != nil && d.Stuck != "" {
			c.Why += ", and " + d.Stuck
		}
	case !run.Result.OK && !mustFail:
		c.State, c.Code, c.Why = Failed, CellFailed, run.trouble()
	case run.Result.OK && mustFail:
		c.State, c.Code, c.Why = Failed, Mismatch, "it must fail, but it succeeded"
	case !mustFail || told:
		return
	}
	if c.State == Failed && !run.Result.OK {
		run.Broken = "the cell failed"
		if run.Cell.XFail == "" && !r.keepGoing {
			r.stopped = fmt.Sprintf("%s failed", run.Cell.quoted())
		}
	}
	r.report.Checks = append(r.report.Checks, c)
}

// trouble is the diagnostic of a failed cell as a person reads it.
func (c *CellRun) trouble() string {
	if d := c.Result.Diagnostic; d != nil {
		return d.String()
	}
	return "it failed"
}

// expect compares an expectation with the run of its cell.
func (r *runner) expect(b *Block, run *CellRun) *Check {
	c := &Check{Run: run, Expect: b, State: Skipped, Code: Mismatch}
	r.report.Checks = append(r.report.Checks, c)
	switch {
	case run.Skipped != "":
		c.Why = run.Skipped
		return c
	case run.Broken != "":
		c.Why = run.Broken
		return c
	case b.Kind == Screen:
		c.Why = "screens need a terminal"
		return c
	case b.Kind == Error:
		c.Got = r.redacted(run.problem())
	default:
		c.Got = r.redacted(run.text(b.Stream))
	}
	c.Diff = b.Match.Compare(b.Lines(), c.Got)
	c.State = OK
	if !c.Diff.OK() {
		c.State = Failed
	}
	return c
}

func (r *runner) redacted(text string) []string {
	for _, x := range r.doc.Header.Redact {
		text = x.Regexp.ReplaceAllString(text, x.Text)
	}
	return splitLines(text)
}

func (r *runner) limit(b *Block) time.Duration {
	for _, d := range []time.Duration{b.Timeout, r.doc.Header.Timeout, r.cfg.Timeout} {
		if d > 0 {
			return d
		}
	}
	return defaultTimeout
}

// eval runs a cell under its time limit. A cell that does not even stop when it is interrupted (a blocked call into
// compiled code) is left behind with its goroutine, so that the run always ends.
func (r *runner) eval(ctx context.Context, run *CellRun) {
	ctx, cancel := context.WithTimeout(ctx, r.limit(run.Cell))
	defer cancel()
	rec := &recorder{glyphs: session.Glyphs(r.doc.Header.Glyphs)}
	ended := make(chan session.Result, 1)
	go func() { ended <- r.input(ctx, run.Cell, rec.event) }()
	select {
	case run.Result = <-ended:
	case <-ctx.Done():
		r.sess.Interrupt()
		select {
		case run.Result = <-ended:
		case <-time.After(grace):
			r.lost = true
			r.stopped = fmt.Sprintf("%s did not stop", run.Cell.quoted())
		}
	}
	run.TimedOut = !run.Result.OK && ctx.Err() == context.DeadlineExceeded
	run.pieces = rec.close()
}

// input is what a cell asks of the session.
func (r *runner) input(ctx context.Context, b *Block, on func(session.Event)) session.Result {
	if b.Kind == GoCell {
		return r.sess.Eval(ctx, session.Cell{
			Name: b.Name, Number: b.Number, Source: b.Body, File: r.doc.Path, Line: b.BodyLine(),
		}, on)
	}
	for i, line := range b.Lines() {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		res := r.command(ctx, line, on)
		if !res.OK {
			if d := res.Diagnostic; d != nil && d.Line == 0 && d.FileLine == 0 {
				at := *d
				at.File, at.FileLine, at.Line, at.Col = r.doc.Path, b.BodyLine()+i, i+1, 1
				res.Diagnostic = &at
			}
			return res
		}
	}
	return session.Result{OK: true}
}

func (r *runner) command(ctx context.Context, line string, on func(session.Event)) session.Result {
	switch {
	case !strings.HasPrefix(line, ":"):
		return session.Result{Diagnostic: &session.Diagnostic{Kind: session.Compile,
			Message: fmt.Sprintf("expected a :command, got %q", line), Hint: "a go block holds Go, an flk block commands"}}
	case r.cfg.Command == nil:
		return session.Result{Diagnostic: &session.Diagnostic{Kind: session.Refused, Message: "commands cannot run here"}}
	}
	return r.cfg.Command(ctx, r.sess, line, on)
}

// stamp says under which seed, and when, something came out.
func (r *runner) stamp() string {
	s := fmt.Sprintf("seed %d", r.seed)
	if r.lost {
		return s
	}
	if jobs := r.sess.Jobs(); len(jobs) > 0 {
		j := jobs[len(jobs)-1]
		if j.Deterministic {
			s += fmt.Sprintf(", virtual %s, step %d", time.UnixMilli(j.Now).UTC().Format("15:04:05.000"), j.Steps)
		}
	}
	return s
}

// recorder keeps the output of a cell. Events that come after close are those of a cell that was left behind.
type recorder struct {
	glyphs session.Glyphs

	mu     sync.Mutex
	pieces []piece
	closed bool
}

func (c *recorder) event(e session.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || e.Diagnostic != nil || e.Stream == session.Note {
		return
	}
	text := e.Text
	if e.Value != nil {
		text = show.Value(*e.Value, show.Options{Glyphs: c.glyphs, Whole: true})
	}
	c.pieces = append(c.pieces, piece{e.Stream, text})
}

func (c *recorder) close() []piece {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return c.pieces
}
