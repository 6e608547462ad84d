package flk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// format writes the reports of a test.
type format interface {
	begin(docs []*Document)
	report(r *Report)
	end(reports []*Report, elapsed time.Duration)
}

// tester is one run of Test.
type tester struct {
	TestOptions
	format format
	run    *regexp.Regexp
	docs   []*Document
	code   Code
}

// Test runs every document below the paths and checks its expectations. Documents run side by side and are reported in
// order. It blocks until all have run or ctx is done, and returns the exit status.
func Test(ctx context.Context, o TestOptions) int {
	t := &tester{TestOptions: o}
	if err := t.check(); err != nil {
		fmt.Fprintln(o.Stderr, err)
		return int(Usage)
	}
	if err := t.load(); err != nil {
		fmt.Fprintln(o.Stderr, err)
		return int(Usage)
	}
	if o.List {
		t.list()
		return int(t.code)
	}
	began := t.now()
	t.format.begin(t.docs)
	reports := t.runAll(ctx)
	t.format.end(reports, t.now().Sub(began))
	if ctx.Err() != nil {
		t.code = Interrupted
	}
	return int(t.code)
}

func (t *tester) now() time.Time {
	if t.Now == nil {
		return time.Time{}
	}
	return t.Now()
}

// check refuses options that make no sense.
func (t *tester) check() error {
	switch t.Format {
	case "", "text":
		t.format = &textFormat{t.Stdout, paint(t.Color)}
	case "tap":
		t.format = &tapFormat{w: t.Stdout}
	case "junit":
		t.format = &junitFormat{w: t.Stdout}
	case "json":
		t.format = &jsonFormat{w: t.Stdout}
	default:
		return fmt.Errorf("--format must be text, tap, junit or json, got %q", t.Format)
	}
	switch {
	case t.Update != "" && t.Update != "yes" && t.Update != "force":
		return fmt.Errorf("--update takes no value or force, got %q", t.Update)
	case t.Update == "yes" && t.CI:
		return errors.New("--update is refused where CI is set, because a build must not change what it checks: " +
			"unset CI or use --update=force")
	case t.Repeat < 0 || t.Shuffle < 0:
		return errors.New("--repeat and --shuffle must not be negative")
	}
	var err error
	if t.run, err = regexp.Compile(t.Run); err != nil {
		return fmt.Errorf("--run: %w", err)
	}
	return nil
}

// load finds and parses the documents; those that do not parse are reported at once and make the code Usage.
func (t *tester) load() error {
	paths := t.Paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	seen := map[string]bool{}
	for _, p := range paths {
		files, err := documents(p)
		if err != nil {
			return err
		}
		for _, f := range files {
			if seen[filepath.Clean(f)] {
				continue
			}
			seen[filepath.Clean(f)] = true
			d, err := load(f)
			switch {
			case err != nil:
				fmt.Fprintln(t.Stderr, err)
				t.code = Usage
			case t.Run == "" || slices.ContainsFunc(d.Cells(), t.selects(d)):
				t.docs = append(t.docs, d)
			}
		}
	}
	if len(t.docs) == 0 && t.code == Passed {
		if t.Run != "" {
			return fmt.Errorf("--run %s: no cell matches; flinkish test --list shows all", t.Run)
		}
		return fmt.Errorf("no .flk documents in %s", strings.Join(paths, ", "))
	}
	if len(t.docs) > 0 {
		return checkParams(t.Config, t.docs...)
	}
	return nil
}

// documents are the .flk files below a path, in order of their names. A file that is named is taken whatever its ending.
func documents(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", p, cause(err))
		case e.IsDir() && p != path && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case !e.IsDir() && strings.HasSuffix(p, ".flk"):
			files = append(files, p)
		}
		return nil
	})
	return files, err
}

func (t *tester) selects(d *Document) func(*Block) bool {
	return func(b *Block) bool { return t.run.MatchString(d.fullName(b)) }
}

// list prints every check, as file:line, name and kind.
func (t *tester) list() {
	for _, d := range t.docs {
		for _, b := range d.Blocks {
			if b.IsExpectation() && t.selects(d)(b.Of) {
				fmt.Fprintf(t.Stdout, "%s:%d  %s  %s (match=%s)\n", d.Path, b.Line, d.fullName(b.Of), b.Kind, b.Match)
			}
		}
	}
}

// runAll runs the documents side by side, and reports each as soon as those before it are reported.
func (t *tester) runAll(ctx context.Context) []*Report {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	jobs := t.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	slots := make(chan struct{}, jobs)
	results := make([]chan *Report, len(t.docs))
	for i, d := range t.docs {
		results[i] = make(chan *Report, 1)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i] <- t.one(ctx, d)
		}()
	}
	var reports []*Report
	ended := false
	for i := range t.docs {
		r := <-results[i]
		if ended {
			continue // it was cancelled
		}
		t.finish(r)
		t.format.report(r)
		reports = append(reports, r)
		if t.FailFast && r.Code != Passed {
			ended = true
			stop()
		}
	}
	return reports
}

// one runs one document as often as was asked for.
func (t *tester) one(ctx context.Context, d *Document) *Report {
	began := t.now()
	r := t.once(ctx, d, seedOf(t.Config, d))
	for i := 1; i < t.Repeat && r.Err == nil && ctx.Err() == nil; i++ {
		compareRuns(r, t.once(ctx, d, r.Seed), i+1)
	}
	for i := range t.Shuffle {
		if r.Err == nil && ctx.Err() == nil {
			compareSeeds(r, t.once(ctx, d, r.Seed+uint64(i)+1))
		}
	}
	r.Elapsed = t.now().Sub(began)
	return r
}

func (t *tester) once(ctx context.Context, d *Document, seed uint64) *Report {
	r := &runner{cfg: t.Config, doc: d, seed: seed}
	if t.Run != "" {
		r.selected = t.selects(d)
		for _, b := range d.Cells() {
			if r.selected(b) {
				r.until = b
			}
		}
	}
	return r.run(ctx)
}

// finish lints a report, rewrites its document when asked for, and takes its code.
func (t *tester) finish(r *Report) {
	r.Warnings = lint(r)
	if t.Update != "" && r.Err == nil && r.Code != Interrupted {
		if err := update(r); err != nil {
			r.Err, r.Code = err, Usage
		}
	}
	if t.Strict && len(r.Warnings) > 0 {
		r.Code = r.Code.Worse(Usage)
	}
	t.code = t.code.Worse(r.Code)
}

// update writes what came out into the document.
func update(r *Report) error {
	changed := false
	r.Code = Passed
	for _, c := range r.Checks {
		if c.State == Failed && c.Diff != nil && c.Expect != nil {
			c.Expect.SetLines(c.Expect.Match.Rewrite(c.Expect.Lines(), c.Got))
			c.State, changed = Updated, true
		}
	}
	r.judge()
	if !changed {
		return nil
	}
	if err := replaceFile(r.Doc.file, r.Doc.String()); err != nil {
		return fmt.Errorf("%s: %w", r.Doc.Path, cause(err))
	}
	return nil
}

// compareRuns makes a check of the first cell that showed something else in another run with the same seed.
func compareRuns(r, again *Report, n int) {
	for i, run := range r.Cells {
		if i >= len(again.Cells) || run.Skipped != "" || again.Cells[i].Skipped != "" {
			continue
		}
		a, b := run.transcript(), again.Cells[i].transcript()
		if slices.Equal(a, b) {
			continue
		}
		r.Checks = append(r.Checks, &Check{Run: run, State: Failed, Code: Nondeterministic,
			Diff: Match{Mode: Exact}.Compare(a, b), Why: fmt.Sprintf("run %d with the same seed differs", n)})
		r.judge()
		return
	}
}

// transcript is everything that a cell showed.
func (c *CellRun) transcript() []string {
	var out []string
	for _, p := range c.pieces {
		out = append(out, fmt.Sprintf("%s: %q", p.stream, p.text))
	}
	return append(out, c.problem())
}

// compareSeeds makes a check of every expectation that was met, and is not with another seed.
func compareSeeds(r, other *Report) {
	states := map[*Block]*Check{}
	for _, c := range other.Checks {
		if c.Expect != nil {
			states[c.Expect] = c
		}
	}
	for _, c := range slices.Clone(r.Checks) {
		o := states[c.Expect]
		if c.Expect != nil && c.State == OK && o != nil && o.State == Failed {
			c.State, c.Code, c.Diff, c.Got = Failed, Nondeterministic, nil, o.Got
			c.Why = fmt.Sprintf("it holds for seed %d only, not for seed %d:\n%s  see: flinkish replay --seed %d %s",
				r.Seed, other.Seed, plainDiff(o), other.Seed, r.Doc.Path)
		}
	}
	r.judge()
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
