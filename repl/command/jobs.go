package command

import (
	"context"
	"fmt"
	"strings"

	"flinkish/repl/session"
	"flinkish/repl/show"
)

func jobs(_ context.Context, e Env, _ string) error {
	js := e.Session.Jobs()
	if len(js) == 0 {
		e.note("no job yet")
		return nil
	}
	e.print(show.Jobs(js, e.options()))
	return nil
}

func subtasks(ctx context.Context, e Env, args string) error {
	return withJob(ctx, e, args, show.Subtasks)
}

// metrics shows what the functions of a job count themselves.
func metrics(ctx context.Context, e Env, args string) error {
	return withJob(ctx, e, args, show.UserMetrics)
}

func watermarks(ctx context.Context, e Env, args string) error {
	return withJob(ctx, e, args, show.Watermarks)
}

// withJob shows one view of a job's numbers.
func withJob(ctx context.Context, e Env, args string, view func(session.Graph, session.Metrics, show.Options) string) error {
	if args == "" {
		if _, err := latest(e); err != nil {
			return err
		}
	}
	m, err := e.Session.Metrics(ctx, args)
	if err != nil {
		return err
	}
	g, err := e.Session.Graph(ctx, m.Job.ID)
	if err != nil {
		return err
	}
	e.print(view(g, m, e.options()))
	return nil
}

func cancel(ctx context.Context, e Env, args string) error {
	if args != "" {
		return e.Session.Cancel(ctx, args)
	}
	n := 0
	for _, j := range e.Session.Jobs() {
		if j.Done {
			continue
		}
		if err := e.Session.Cancel(ctx, j.ID); err != nil {
			return err
		}
		n++
	}
	e.Session.Settle(ctx, 0, e.Show)
	e.note("%s cancelled", count(n, "job"))
	return nil
}

func dash(ctx context.Context, e Env, args string) error {
	if e.Dashboard == nil {
		return fail(":table, :wm and :sample show the same as text", "dash: the full-screen view needs a terminal")
	}
	if args == "" {
		j, err := latest(e)
		if err != nil {
			return err
		}
		args = j.ID
	}
	summary, err := e.Dashboard(ctx, args)
	if err != nil {
		return err
	}
	e.meanwhile(ctx)
	e.print(summary)
	return nil
}

// meanwhile shows the end of what sinks wrote while a screen hid the terminal; the summary must stay in sight.
func (e Env) meanwhile(ctx context.Context) {
	var text strings.Builder
	e.Session.Settle(ctx, -1, func(ev session.Event) {
		if ev.Stream == session.Jobs {
			text.WriteString(ev.Text)
			return
		}
		e.Show(ev)
	})
	lines := strings.SplitAfter(text.String(), "\n")
	if hidden := len(lines) - 1 - meanwhileLines; hidden > 0 {
		e.note("%d lines of sinks came meanwhile; the last %d are", len(lines)-1, meanwhileLines)
		lines = lines[hidden:]
	}
	if last := strings.Join(lines, ""); last != "" {
		e.Show(session.Event{Stream: session.Jobs, Text: last})
	}
}

// meanwhileLines leaves room for the summary on the smallest screen.
const meanwhileLines = 5

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
