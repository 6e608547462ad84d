package command

import (
	"context"
	"fmt"
	"os"
	"strings"

	"flinkish/repl/session"
	"flinkish/repl/show"
)

// formats are what :export writes, by name.
var formats = []string{"mermaid", "dot", "svg", "plan"}

// export writes the graph for another tool, into a file or as a result.
func export(ctx context.Context, e Env, args string) error {
	format, path, _ := strings.Cut(args, " ")
	path = strings.TrimSpace(path)
	text, err := exported(ctx, e, format)
	if err != nil {
		return err
	}
	if path == "" {
		e.print(text)
		return nil
	}
	if s, ok := e.Session.(interface{ Writable(path string) error }); ok {
		if err := s.Writable(path); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	e.note("%s written", path)
	return nil
}

func exported(ctx context.Context, e Env, format string) (string, error) {
	if format == "plan" {
		return e.Session.Plan(ctx)
	}
	g, err := current(ctx, e)
	if err != nil {
		return "", err
	}
	switch format {
	case "mermaid":
		return show.Mermaid(g), nil
	case "dot":
		return show.DOT(g), nil
	case "svg":
		return show.SVG(g), nil
	}
	return "", fail(":export "+strings.Join(formats, "|")+" [FILE]", "export: no format is called %q", format)
}

// current is the graph of the streams not yet submitted; when there are none, that of the latest job.
func current(ctx context.Context, e Env) (session.Graph, error) {
	g, err := e.Session.Graph(ctx, "")
	if err != nil || len(g.Tasks) > 0 {
		return g, err
	}
	js := e.Session.Jobs()
	if len(js) == 0 {
		return g, fail("env.FromElements(1, 2, 3) makes one", "no streams yet")
	}
	return e.Session.Graph(ctx, js[len(js)-1].ID)
}

func completeFormats(context.Context, Env, string) []session.Candidate {
	var cs []session.Candidate
	for _, f := range formats {
		cs = append(cs, session.Candidate{Text: f, Kind: "value"})
	}
	return cs
}
