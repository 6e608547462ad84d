package flk

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"flinkish/repl/session"
)

// scripted is a session whose cells are lists of small commands, for endings that a real cell reaches only by chance
// or slowly: hanging, differing between runs, depending on the seed.
type scripted struct {
	session.Session
	opt  session.Options
	stop chan struct{}
	vars map[string]string
}

var runs atomic.Int64

func newScripted(o session.Options) (session.Session, error) {
	return &scripted{opt: o, stop: make(chan struct{}, 1), vars: map[string]string{}}, nil
}

func (s *scripted) Eval(ctx context.Context, c session.Cell, on func(session.Event)) session.Result {
	res := session.Result{OK: true}
	for i, line := range strings.Split(strings.TrimSuffix(c.Source, "\n"), "\n") {
		word, arg, _ := strings.Cut(line, " ")
		switch word {
		case "print":
			on(session.Event{Stream: session.Stdout, Text: arg + "\n"})
		case "put":
			on(session.Event{Stream: session.Stdout, Text: arg})
		case "job", "stderr":
			on(session.Event{Stream: session.Stream(word), Text: arg + "\n"})
		case "value":
			on(session.Event{Stream: session.Results, Value: &session.Value{Type: "int", Text: arg}})
		case "seed":
			on(session.Event{Stream: session.Stdout, Text: fmt.Sprintln(s.opt.Seed)})
		case "clock":
			on(session.Event{Stream: session.Stdout, Text: s.opt.Clock.Format("15:04:05\n")})
		case "run":
			on(session.Event{Stream: session.Stdout, Text: fmt.Sprintln(runs.Add(1))})
		case "cat":
			b, err := os.ReadFile(arg)
			on(session.Event{Stream: session.Stdout, Text: fmt.Sprint(string(b), errText(err))})
		case "show":
			on(session.Event{Stream: session.Stdout, Text: s.vars[arg] + "\n"})
		case "parallel":
			res.Parallelism, _ = strconv.Atoi(arg)
		case "hang":
			select {
			case <-ctx.Done():
			case <-s.stop:
			}
			return session.Result{Diagnostic: &session.Diagnostic{Kind: session.Interrupted, Message: "interrupted"}}
		case "beside":
			res.Beside = append(res.Beside, &session.Diagnostic{Message: arg})
		case "fail":
			d := &session.Diagnostic{Kind: session.Compile, File: c.File, FileLine: c.Line + i, Line: i + 1, Col: 6,
				Message: arg, Source: line, Hint: "try again"}
			on(session.Event{Stream: session.Problem, Diagnostic: d})
			return session.Result{Diagnostic: d, Beside: res.Beside}
		default:
			if name, value, ok := strings.Cut(line, " := "); ok {
				s.vars[name] = value
			}
		}
	}
	return res
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error() + "\n"
}

func (s *scripted) Jobs() []session.Job { return nil }
func (s *scripted) Interrupt()          { s.stop <- struct{}{} }
func (s *scripted) Close() error        { return nil }

func echo(_ context.Context, _ session.Session, line string, on func(session.Event)) session.Result {
	if line == ":bad" {
		return session.Result{Diagnostic: &session.Diagnostic{Message: "unknown command :bad"}}
	}
	on(session.Event{Stream: session.Stdout, Text: "ran " + line + "\n"})
	return session.Result{OK: true}
}
