package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flinkish/repl/session"
)

var update = flag.Bool("update", false, "write docs/commands.md")

// fake answers what the commands of these tests ask.
type fake struct {
	wrote string // by sinks while a screen was open
	session.Session
	set  string
	jobs []session.Job
}

func (f *fake) Settings() session.Settings {
	return session.Settings{Engine: session.Deterministic, Seed: 1, Parallelism: 2, Glyphs: session.Unicode, Max: 100}
}
func (f *fake) Set(_ context.Context, name, value string) error {
	f.set = name + "=" + value
	return nil
}
func (f *fake) Settle(_ context.Context, _ int, on func(session.Event)) int {
	if f.wrote != "" {
		on(session.Event{Stream: session.Jobs, Text: f.wrote})
	}
	return 0
}
func (f *fake) Jobs() []session.Job { return f.jobs }
func (f *fake) TypeOf(_ context.Context, e string) (string, error) {
	if e == "bad" {
		return "", fmt.Errorf("undefined: bad")
	}
	return "int", nil
}
func (f *fake) Graph(_ context.Context, job string) (session.Graph, error) {
	if job == "" {
		return session.Graph{}, nil
	}
	return session.Graph{Job: job, Tasks: []session.Task{
		{ID: "1", Label: "A", Name: "Source: words -> Flat Map", Operators: []session.Operator{{Name: "Source: words"}, {Name: "Flat Map", Depth: 1}}, Parallelism: 1},
		{ID: "2", Label: "B", Name: "Keyed Reduce", Operators: []session.Operator{{Name: "Keyed Reduce"}}, Parallelism: 2},
	}, Edges: []session.Edge{{From: "1", To: "2", Partitioning: "HASH"}}}, nil
}
func (f *fake) Metrics(_ context.Context, job string) (session.Metrics, error) {
	sub := session.SubtaskMetrics{State: "busy", In: 3, Out: 4, Watermark: 3000, LateDropped: 7,
		User: []session.UserMetric{{Operator: "Flat Map", Name: "cache.hits", Kind: "counter", Value: "41"}}}
	return session.Metrics{Job: session.Job{ID: "abc", Name: "words", Status: "RUNNING"},
		Tasks: []session.TaskMetrics{{ID: "1", Subtasks: []session.SubtaskMetrics{sub}}, {ID: "2", Watermark: session.NoTime, Subtasks: []session.SubtaskMetrics{{Watermark: session.EndTime}}}}}, nil
}
func (f *fake) Doc(_ context.Context, name string) (string, error) {
	if name == "short" {
		return "short\n", nil
	}
	return strings.Repeat("line\n", 50), nil
}
func (f *fake) Samples(_ context.Context, job, task string, n int) ([]session.Sample, error) {
	return []session.Sample{{Text: "(to,1) of " + task, Timestamp: 5}}, nil
}

func TestCommands(t *testing.T) {
	running := []session.Job{{ID: "abcdef0123456789", Name: "words", Status: "RUNNING"}}
	for _, tt := range []struct {
		name, line string
		jobs       []session.Job
		has        []string // in what is shown
		err        string   // in the error
	}{
		{"help lists every command", ":help", nil, []string{":graph", ":wm", ":quit"}, ""},
		{"help finds by what a command is about", ":help watermark", nil, []string{":wm"}, ""},
		{"help of one command", ":help set", nil, []string{"parallelism", "ascii"}, ""},
		{"help of a short form", ":help q", nil, []string{":quit"}, ""},
		{"help of nothing known", ":help zzzz", nil, nil, "zzzz"},
		{"a misspelt command", ":grpah", nil, nil, "unknown command :grpah\n  hint: did you mean :graph?"},
		{"a strange command", ":zzzzzzz", nil, nil, ":help"},
		{"type", ":type 1 + 1", nil, []string{"int"}, ""},
		{"type of nothing", ":type", nil, nil, "expression is missing"},
		{"type of a wrong expression", ":type bad", nil, nil, "undefined: bad"},
		{"settings", ":set", nil, []string{"seed         1", "parallelism  2"}, ""},
		{"a misspelt setting", ":set parallelsim 2", nil, nil, "did you mean :set parallelism?"},
		{"a setting without a value", ":set seed", nil, nil, "value for seed is missing"},
		{"no job to sample", ":sample", nil, nil, "no job yet"},
		{"jobs", ":jobs", running, []string{"abcdef01", "words", "RUNNING"}, ""},
		{"graph of the latest job", ":graph", running, []string{"Flat Map", "HASH", "Keyed Reduce"}, ""},
		{"graph without streams", ":graph", nil, nil, "no streams yet"},
		{"graph as mermaid", ":export mermaid", running, []string{"flowchart", "HASH"}, ""},
		{"graph as dot", ":export dot", running, []string{"digraph", "HASH"}, ""},
		{"graph as svg", ":export svg", running, []string{"</svg>"}, ""},
		{"an unknown format", ":export png", running, nil, "no format is called \"png\""},
		{"a file that cannot be written", ":export dot /no/such/folder/x", running, nil, "no such file or directory"},
		{"watermarks", ":wm", running, []string{"3000", "MAX", "LATE DROPPED", "7"}, ""},
		{"subtasks", ":table", running, []string{"busy", "BUSY", "QUEUE"}, ""},
		{"metrics of functions", ":metrics", running, []string{"cache.hits", "counter", "41", "Flat Map"}, ""},
		{"samples of one task", ":sample B 3", running, []string{"(to,1) of 2"}, ""},
		{"samples of an unknown task", ":sample Nothing", running, nil, "no task \"Nothing\""},
		{"the dashboard without a terminal", ":dash", running, nil, "needs a terminal"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			e := Env{Session: &fake{jobs: tt.jobs}, Show: func(ev session.Event) { b.WriteString(ev.Text) }}
			err := Run(context.Background(), e, tt.line)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error: got %v, want %q", err, tt.err)
			}
			for _, want := range tt.has {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%q is not in\n%s", want, b.String())
				}
			}
		})
	}
}

func TestTheDashboardLeavesItsSummaryInSight(t *testing.T) {
	for _, tt := range []struct{ name, wrote, want string }{
		{"nothing was written", "", "summary\n"},
		{"a few lines", "1\n2\n", "1\n2\nsummary\n"},
		{"more than a screen", strings.Repeat("line\n", 300), "300 lines of sinks came meanwhile; the last 5 are\nline\nline\nline\nline\nline\nsummary\n"},
	} {
		var b strings.Builder
		e := Env{Session: &fake{jobs: []session.Job{{ID: "a"}}, wrote: tt.wrote}, Show: func(ev session.Event) { b.WriteString(ev.Text) },
			Dashboard: func(context.Context, string) (string, error) { return "summary\n", nil }}
		if err := Run(context.Background(), e, ":dash"); err != nil || b.String() != tt.want {
			t.Errorf("%s: got %v\n%swant\n%s", tt.name, err, b.String(), tt.want)
		}
	}
}

func TestDocOfALongNameIsOneScreenOnATerminal(t *testing.T) {
	const note = "30 more lines; :doc fmt all shows them\n"
	for _, tt := range []struct {
		name, line string
		width      int
		lines      int
		cut        bool
	}{
		{"on a terminal", ":doc fmt", 80, 21, true},
		{"the rest", ":doc fmt all", 80, 50, false},
		{"in a pipe", ":doc fmt", 0, 50, false},
		{"a short one", ":doc short", 80, 1, false},
	} {
		var b strings.Builder
		err := Run(context.Background(), Env{Session: &fake{}, Width: tt.width, Show: func(ev session.Event) { b.WriteString(ev.Text) }}, tt.line)
		if got := b.String(); err != nil || strings.Count(got, "\n") != tt.lines || strings.HasSuffix(got, note) != tt.cut {
			t.Errorf("%s: got %v\n%s\nwant %d lines", tt.name, err, got, tt.lines)
		}
	}
}

func TestSetAndSeedReachTheSession(t *testing.T) {
	for line, want := range map[string]string{":set parallelism 4": "parallelism=4", ":seed 9": "seed=9", ":set glyphs  ascii ": "glyphs=ascii"} {
		f := &fake{}
		if err := Run(context.Background(), Env{Session: f}, line); err != nil || f.set != want {
			t.Errorf("%s: got %q, %v; want %q", line, f.set, err, want)
		}
	}
}

func TestQuitIsLeftToTheCaller(t *testing.T) {
	if err := Run(context.Background(), Env{}, ":q"); !errors.Is(err, ErrQuit) {
		t.Errorf("got %v, want ErrQuit", err)
	}
}

func TestEvalMakesADiagnosticOfAnError(t *testing.T) {
	var got *session.Diagnostic
	r := Eval(context.Background(), &fake{}, ":grpah", func(e session.Event) { got = e.Diagnostic })
	if r.OK || got == nil || got.Hint != "did you mean :graph?" {
		t.Errorf("got %+v, %+v", r, got)
	}
}

func TestCompletion(t *testing.T) {
	e := Env{Session: &fake{jobs: []session.Job{{ID: "abcdef0123456789", Name: "words"}}}}
	for _, tt := range []struct{ line, want string }{
		{":g", "graph@1"}, {":set p", "parallelism@5"}, {":set engine d", "deterministic@12"}, {":wm ", "abcdef01@4"}, {":help ca", "cancel@6"}, {":quit ", "@6"},
	} {
		cs, start := Complete(context.Background(), e, tt.line, len(tt.line))
		first := ""
		if len(cs) > 0 {
			first = cs[0].Text
		}
		if got := fmt.Sprintf("%s@%d", first, start); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.line, got, tt.want)
		}
	}
}

func TestNamesAreUniqueAndExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Commands() {
		for _, n := range []string{c.Name, c.Alias} {
			if n != "" && seen[n] {
				t.Errorf(":%s is there twice", n)
			}
			seen[n] = true
		}
		if c.Help == "" || strings.HasSuffix(c.Help, ".") {
			t.Errorf(":%s: help must be a phrase without a dot, got %q", c.Name, c.Help)
		}
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	for line := range strings.SplitSeq(list(table, 1000), "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

func TestDocsAreFresh(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "commands.md")
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil || string(have) != Markdown() {
		t.Errorf("docs/commands.md is out of date (%v); go test ./repl/command -update writes it", err)
	}
}
