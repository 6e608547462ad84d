package command

import (
	"context"
	"fmt"

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

func metrics(ctx context.Context, e Env, args string) error {
	return withJob(ctx, e, args, show.Subtasks)
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
	e.print(summary)
	e.Session.Settle(ctx, -1, e.Show) // what sinks wrote meanwhile
	return nil
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
