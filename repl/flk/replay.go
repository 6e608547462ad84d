package flk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Replay runs a document for a reader: prose, cells and what really came out, with differences marked. It blocks
// until the document has run or ctx is done, and returns the exit status; differences alone do not change it.
func Replay(ctx context.Context, o ReplayOptions) int {
	doc, err := load(o.File)
	if err == nil {
		err = checkParams(o.Config, doc)
	}
	var from, to *Block
	if err == nil {
		from, err = doc.find("--from", o.From)
	}
	if err == nil {
		to, err = doc.find("--to", o.To)
	}
	if err != nil {
		fmt.Fprintln(o.Stderr, err)
		return int(Usage)
	}
	v := &view{doc: doc, w: o.Stdout, errs: o.Stderr, p: paint(o.Color && !o.Plain), from: from}
	r := &runner{cfg: o.Config, doc: doc, seed: seedOf(o.Config, doc), keepGoing: o.KeepGoing, until: to, watch: v}
	v.runner = r
	report := r.run(ctx)
	if report.Err != nil {
		fmt.Fprintln(o.Stderr, report.Err)
	}
	code := report.Code
	if code == Mismatch {
		code = Passed
	}
	return int(code)
}

func seedOf(c Config, d *Document) uint64 {
	if c.Seed != 0 {
		return c.Seed
	}
	return d.Header.Seed
}

// load reads and parses a document.
func load(path string) (*Document, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	d, err := Parse(path, string(b))
	if err != nil {
		return nil, err
	}
	d.file, err = filepath.Abs(path)
	return d, err
}

// cause is the error without the operation and the path, which the caller names.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// checkParams refuses parameters that none of the documents declares.
func checkParams(c Config, docs ...*Document) error {
	known := map[string]bool{}
	var names []string
	for _, d := range docs {
		for _, p := range d.Header.Params {
			if !known[p.Name] {
				names = append(names, p.Name)
			}
			known[p.Name] = true
		}
	}
	for _, name := range sortedKeys(c.Params) {
		switch {
		case known[name]:
		case len(names) == 0:
			return fmt.Errorf("--param %s: %s declares no params", name, docs[0].Path)
		default:
			return fmt.Errorf("--param %s: %s", name, suggest(name, "the params are", names))
		}
	}
	return nil
}

// find is the cell that --from or --to names; an empty name is none.
func (d *Document) find(flag, name string) (*Block, error) {
	if name == "" {
		return nil, nil
	}
	var names []string
	for _, b := range d.Cells() {
		if b.Name == name || strconv.Itoa(b.Number) == name {
			return b, nil
		}
		if b.Name != "" {
			names = append(names, b.Name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s %s: %s has no cell of that name; a number from 1 to %d names a cell", flag, name, d.Path,
			len(d.Cells()))
	}
	return nil, fmt.Errorf("%s %s: %s has no such cell: %s", flag, name, d.Path, suggest(name, "the names are", names))
}

// view shows a run as it goes on.
type view struct {
	doc    *Document
	runner *runner
	w      io.Writer
	errs   io.Writer
	p      paint
	from   *Block
	shown  bool // From was reached
	open   bool // the text ended in the middle of a line
}

func (v *view) print(s string) {
	if s != "" {
		io.WriteString(v.w, s)
		v.open = !strings.HasSuffix(s, "\n")
	}
}

// fresh begins a new line.
func (v *view) fresh() {
	if v.open {
		v.print("\n")
	}
}

// block shows one block. Before From only failures are shown.
func (v *view) block(b *Block, run *CellRun, check *Check) {
	if v.from == nil || b == v.from {
		v.shown = true
	}
	switch {
	case b.IsCell():
		v.cell(b, run)
	case !v.shown:
	case b.Kind == Prose:
		v.prose(b)
	case check == nil || check.Run.Skipped != "" || check.State == Skipped:
		v.fenced(b.Raw)
	default:
		v.expectation(b, check)
	}
}

func (v *view) prose(b *Block) {
	for _, l := range strings.SplitAfter(b.Raw, "\n") {
		if strings.HasPrefix(l, "#") {
			l = v.p.bold(strings.TrimSuffix(l, "\n")) + "\n"
		}
		v.print(l)
	}
}

// fenced shows a block with its fences.
func (v *view) fenced(raw string) {
	v.fresh()
	body := strings.TrimSuffix(raw, "\n")
	first, rest, _ := strings.Cut(body, "\n")
	last := ""
	if i := strings.LastIndexByte(rest, '\n'); i >= 0 {
		rest, last = rest[:i+1], rest[i+1:]
	} else {
		rest, last = "", rest
	}
	v.print(v.p.dim(first) + "\n" + rest + v.p.dim(last) + "\n")
}

// cell shows a cell, and its output if no block below is there for it.
func (v *view) cell(b *Block, run *CellRun) {
	if v.shown && !b.Hide {
		v.fenced(b.Raw)
	}
	for _, p := range run.pieces {
		if p.stream == "stderr" {
			io.WriteString(v.errs, p.text)
		}
	}
	if w := run.Result.Warning; w != nil {
		fmt.Fprintf(v.errs, "warning: %s\n", w)
	}
	if run.Skipped != "" {
		if b.Skip != "" && v.shown {
			v.print(v.p.dim("skipped: "+run.Skipped) + "\n")
		}
		return
	}
	if v.shown && !v.expects(b, Out) {
		v.output("out", v.runner.redacted(run.text("")))
	}
	for _, c := range v.runner.report.Checks {
		if c.Run == run && c.Expect == nil && c.State == Failed && run.Cell.XFail == "" {
			v.fresh()
			v.print("\n" + failure(v.runner.report, c, v.p) + "\n")
		}
	}
	if v.shown && run.Cell.MayFail && !v.expects(b, Error) {
		v.output("error", v.runner.redacted(run.problem()))
	}
}

// expects reports whether the document has an expectation of this kind for the cell.
func (v *view) expects(cell *Block, k Kind) bool {
	for _, b := range v.doc.Blocks {
		if b.Kind == k && b.Of == cell {
			return true
		}
	}
	return false
}

// output shows lines that the document has no block for.
func (v *view) output(word string, lines []string) {
	if len(lines) == 0 {
		return
	}
	v.fresh()
	v.print("\n")
	v.fenced(block(word, lines))
}

// expectation shows what really came in the place of what was expected, and marks a difference.
func (v *view) expectation(b *Block, c *Check) {
	real := *b
	real.SetLines(c.Got)
	v.fenced(real.Raw)
	if c.State == Failed && c.Run.Cell.XFail == "" {
		v.print("\n" + failure(v.runner.report, c, v.p) + "\n")
	}
}
