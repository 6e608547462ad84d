package command

import (
	"context"
	"fmt"
	"strings"

	"flinkish/repl/session"
	"flinkish/repl/show"
)

func (e Env) options() show.Options {
	return show.Options{Width: e.Width, Glyphs: e.Session.Settings().Glyphs}
}

func typeOf(ctx context.Context, e Env, args string) error {
	if args == "" {
		return fail("such as :type env.FromElements(1)", "type: an expression is missing")
	}
	t, err := e.Session.TypeOf(ctx, args)
	if err != nil {
		return err
	}
	e.print(t)
	return nil
}

func doc(ctx context.Context, e Env, args string) error {
	if args == "" {
		return fail("such as :doc DataStream.Map", "doc: a name is missing")
	}
	name, all := strings.CutSuffix(args, " all")
	text, err := e.Session.Doc(ctx, name)
	if err != nil {
		return err
	}
	if !all {
		text = e.screenful(text, ":doc "+name+" all")
	}
	e.print(text)
	return nil
}

// screenful is the beginning of a long text on a terminal, and what shows all of it.
func (e Env) screenful(text, more string) string {
	lines := strings.SplitAfter(text, "\n")
	if e.Width <= 0 || len(lines) <= show.ScreenLines+1 {
		return text
	}
	return strings.Join(lines[:show.ScreenLines], "") + fmt.Sprintf("%d more lines; %s shows them\n", len(lines)-1-show.ScreenLines, more)
}

func declaration(ctx context.Context, e Env, args string) error {
	if args == "" {
		return fail("such as :source Word", "source: a name is missing")
	}
	text, err := e.Session.Source(ctx, args)
	if err != nil {
		return err
	}
	e.print(text)
	return nil
}

func fix(ctx context.Context, e Env, _ string) error {
	if e.Fix == nil {
		return fail("correct the cell", "fix: only the prompt keeps the cell that failed")
	}
	return e.Fix(ctx)
}

func vars(ctx context.Context, e Env, _ string) error {
	t := session.Table{Columns: []session.Column{{Name: "NAME"}, {Name: "KIND"}, {Name: "TYPE"}, {Name: "VALUE"}}}
	for _, v := range e.Session.Vars(ctx) {
		t.Rows = append(t.Rows, []string{v.Name, v.Kind, v.Type, v.Value})
	}
	if len(t.Rows) == 0 {
		e.note("no cell defined anything yet")
		return nil
	}
	t.Total = len(t.Rows)
	e.print(show.Table(t, e.options()))
	return nil
}

// graph draws the graph of a job, or the current one.
func graph(ctx context.Context, e Env, args string) error {
	g, err := current(ctx, e)
	if args != "" {
		g, err = e.Session.Graph(ctx, args)
	}
	if err != nil {
		return err
	}
	var m *session.Metrics
	if g.Job != "" {
		if have, err := e.Session.Metrics(ctx, g.Job); err == nil {
			m = &have
		}
	}
	e.print(show.Graph(g, m, e.options()))
	return nil
}

func plan(ctx context.Context, e Env, _ string) error {
	text, err := e.Session.Plan(ctx)
	if err != nil {
		return err
	}
	e.print(text)
	return nil
}

func run(ctx context.Context, e Env, _ string) error {
	r := e.Session.Run(ctx, e.Show)
	if !r.OK {
		return &Failed{Result: r}
	}
	return nil
}

func reset(ctx context.Context, e Env, _ string) error {
	if err := e.Session.Reset(ctx); err != nil {
		return err
	}
	e.note("the session is as new")
	return nil
}

// sample shows the records of the tasks that args name, of the latest job.
func sample(ctx context.Context, e Env, args string) error {
	name, n := args, 5
	if fields := strings.Fields(args); len(fields) > 0 {
		if k, err := fmt.Sscan(fields[len(fields)-1], &n); k == 1 && err == nil {
			name = strings.Join(fields[:len(fields)-1], " ")
		}
	}
	if n < 1 {
		return fail(":sample A 5", "sample: the number of records must be positive, got %d", n)
	}
	j, err := latest(e)
	if err != nil {
		return err
	}
	g, err := e.Session.Graph(ctx, j.ID)
	if err != nil {
		return err
	}
	tasks := matching(g.Tasks, name)
	if len(tasks) == 0 {
		return fail(":graph shows the tasks", "sample: job %s has no task %q", j.Name, name)
	}
	for _, t := range tasks {
		ss, err := e.Session.Samples(ctx, j.ID, t.ID, n)
		if err != nil {
			return err
		}
		e.print(show.Samples(t, ss, e.options()))
	}
	return nil
}

// matching finds tasks by their letter, or else by a part of their name; an empty name means all.
func matching(tasks []session.Task, name string) []session.Task {
	var found []session.Task
	for _, t := range tasks {
		if strings.EqualFold(t.Label, name) {
			return []session.Task{t}
		}
		if strings.Contains(strings.ToLower(t.Name), strings.ToLower(name)) {
			found = append(found, t)
		}
	}
	return found
}

func latest(e Env) (session.Job, error) {
	js := e.Session.Jobs()
	if len(js) == 0 {
		return session.Job{}, fail(":run submits the streams built so far", "no job yet")
	}
	return js[len(js)-1], nil
}
