package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flinkish/interp/spell"
	"flinkish/repl/session"
)

// table is filled by init, because :help reads it.
var table []Command

// Commands returns the rows in the order in which help shows them.
func Commands() []Command { return table }

func init() {
	table = []Command{
		{Name: "help", Alias: "h", Args: "[WORD]", Help: "list the commands, or find the ones about a word", Words: "search find usage",
			Complete: completeNames, local: true, run: help},
		{Name: "type", Alias: "t", Args: "EXPR", Help: "the type of an expression, which is not run", run: typeOf,
			Complete: completeGo},
		{Name: "doc", Args: "NAME [all]", Help: "the documentation of a name, such as DataStream.Map",
			More: "On a terminal it is one screen; all shows the rest.", Words: "signature", Complete: completeGo, run: doc},
		{Name: "source", Args: "NAME", Help: "how the cells declared a name, such as Word or Word.Len",
			Words: "src definition show code", Complete: completeGo, run: declaration},
		{Name: "fix", Help: "run the cell that failed again, with its hint applied", Words: "hint repair did you mean", local: true, run: fix},
		{Name: "vars", Alias: "v", Help: "the names that cells defined, with their types", Words: "variables functions list", run: vars},
		{Name: "graph", Alias: "g", Args: "[JOB]", Help: "draw the job graph: tasks, operators, partitioning",
			More:  "Without an argument it draws the streams that were built and not yet submitted, or else the latest job.",
			Words: "dag topology chain chaining parallelism", Complete: completeJobs, run: graph},
		{Name: "plan", Help: "Flink's execution plan of the streams so far, as JSON", Words: "json nodes ship_strategy", run: plan},
		{Name: "export", Args: "FORMAT [FILE]", Help: "write the graph as mermaid, dot, svg or plan (JSON)",
			More: "Without FILE it is shown.", Words: "diagram save json", Complete: completeFormats, run: export},
		{Name: "run", Help: "submit the streams built so far and wait for the job",
			More: "It does what env.Execute(ctx) does in a cell.", Words: "execute submit", run: run},
		{Name: "jobs", Alias: "j", Help: "the jobs of this session and their state", Words: "status list", run: jobs},
		{Name: "table", Args: "[JOB]", Help: "the subtasks of a job: records, busy, blocked, queues",
			Words: "subtasks busy idle back-pressure backpressure", Complete: completeJobs, run: subtasks},
		{Name: "metrics", Args: "[JOB]", Help: "the counters, gauges and meters of the job's functions",
			More:  "A function registers them in Open, such as ctx.MetricGroup().Counter(\"hits\").",
			Words: "numbers counter gauge meter histogram", Complete: completeJobs, run: metrics},
		{Name: "wm", Args: "[JOB]", Help: "the watermark of each subtask, and late records dropped",
			Words: "watermarks event time late", Complete: completeJobs, run: watermarks},
		{Name: "sample", Alias: "m", Args: "[TASK] [N]", Help: "the latest records that left a task of the latest job",
			More:  "TASK is the letter that :graph shows, or a part of the task's name; without it every task is shown. N is 5 by default.",
			Words: "records peek", run: sample},
		{Name: "dash", Args: "[JOB]", Help: "the full-screen view of a job; q leaves it", Words: "dashboard screen tui", Complete: completeJobs, local: true, run: dash},
		{Name: "cancel", Args: "[JOB]", Help: "stop a job; without an argument, all that run", Words: "stop kill", Complete: completeJobs, run: cancel},
		{Name: "set", Args: "[NAME VALUE]", Help: "show the settings, or change one",
			More: "engine       deterministic (one seeded order, virtual clock) or parallel (all cores, wall clock)\n" +
				"seed         of the deterministic engine, from 1\n" +
				"parallelism  default of the operators\n" +
				"glyphs       unicode, block or ascii: the signs that drawings use\n" +
				"max          steps that background jobs may take after a cell",
			Words: "settings options clock unicode ascii", Complete: completeSet, run: set},
		{Name: "seed", Args: "N", Help: "the same as :set seed N", run: func(ctx context.Context, e Env, args string) error {
			return set(ctx, e, "seed "+args)
		}},
		{Name: "reset", Help: "forget all variables, streams and jobs", Words: "clear restart", run: reset},
		{Name: "quit", Alias: "q", Help: "leave; Ctrl-D does the same", Words: "exit leave", local: true, run: func(context.Context, Env, string) error { return ErrQuit }},
	}
}

func completeNames(_ context.Context, _ Env, arg string) []session.Candidate { return names(arg) }

func completeGo(ctx context.Context, e Env, arg string) []session.Candidate {
	cs, start := e.Session.Complete(ctx, arg, len(arg))
	word := strings.LastIndexByte(arg, ' ') + 1
	if start < word {
		return nil
	}
	for i := range cs {
		cs[i].Text = arg[word:start] + cs[i].Text
	}
	return cs
}

func completeJobs(_ context.Context, e Env, _ string) []session.Candidate {
	var cs []session.Candidate
	for _, j := range e.Session.Jobs() {
		cs = append(cs, session.Candidate{Text: j.ID[:min(8, len(j.ID))], Kind: "job", Type: j.Status, Doc: j.Name})
	}
	return cs
}

// setting is one row of what :set changes; values are proposed by completion.
type setting struct {
	name   string
	values []string
	get    func(session.Settings) string
}

var settings = []setting{
	{"engine", []string{string(session.Deterministic), string(session.Parallel)}, func(s session.Settings) string { return string(s.Engine) }},
	{"seed", nil, func(s session.Settings) string { return strconv.FormatUint(s.Seed, 10) }},
	{"parallelism", nil, func(s session.Settings) string { return strconv.Itoa(s.Parallelism) }},
	{"glyphs", []string{string(session.Unicode), string(session.Block), string(session.ASCII)}, func(s session.Settings) string { return string(s.Glyphs) }},
	{"max", nil, func(s session.Settings) string { return strconv.Itoa(s.Max) }},
}

func completeSet(_ context.Context, _ Env, arg string) []session.Candidate {
	name, _, inValue := strings.Cut(arg, " ")
	var cs []session.Candidate
	for _, s := range settings {
		if !inValue {
			cs = append(cs, session.Candidate{Text: s.name, Kind: "setting"})
		} else if s.name == name {
			for _, v := range s.values {
				cs = append(cs, session.Candidate{Text: v, Kind: "value"})
			}
		}
	}
	return cs
}

func set(ctx context.Context, e Env, args string) error {
	name, value, ok := strings.Cut(args, " ")
	if args == "" {
		var b strings.Builder
		for _, s := range settings {
			fmt.Fprintf(&b, "%-12s %s\n", s.name, s.get(e.Session.Settings()))
		}
		e.print(b.String())
		return nil
	}
	known := make([]string, len(settings))
	for i, s := range settings {
		known[i] = s.name
	}
	if !slices.Contains(known, name) {
		hint := "one of " + strings.Join(known, ", ")
		if near := spell.Nearest(name, known); near != "" {
			hint = "did you mean :set " + near + "?"
		}
		return fail(hint, "set: no setting is called %q", name)
	}
	if !ok || strings.TrimSpace(value) == "" {
		return fail(":help set", "set: a value for %s is missing", name)
	}
	return e.Session.Set(ctx, name, strings.TrimSpace(value))
}
