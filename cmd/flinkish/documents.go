package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"flinkish/repl/command"
	"flinkish/repl/flk"
	"flinkish/repl/kernel"
	"flinkish/repl/session"
)

// replay shows one document.
func (a *app) replay() *cobra.Command {
	var o flk.ReplayOptions
	var params []string
	c := &cobra.Command{
		Use:   "replay FILE.flk",
		Short: "run a document and show its prose, cells and results",
		Args:  oneDocument,
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible(c.Context())
			defer stop()
			o.File = args[0]
			if err := a.config(&o.Config, params); err != nil {
				return err
			}
			a.code = flk.Replay(ctx, o)
			return nil
		},
	}
	f := c.Flags()
	f.BoolVar(&o.Plain, "plain", false, "prose as it stands in the file, no styles")
	f.StringVar(&o.From, "from", "", "first cell to show, by name or number; earlier ones run silently")
	f.StringVar(&o.To, "to", "", "last cell to run, by name or number")
	f.BoolVar(&o.KeepGoing, "keep-going", false, "run the cells after a failed one")
	shared(c, &o.Config, &params)
	return c
}

// oneDocument refuses anything but the name of one document.
func oneDocument(c *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("%s: which document? As in flinkish %s lesson.flk", c.Name(), c.Name())
	case 1:
		return nil
	}
	return fmt.Errorf("%s: it takes one document, got %d: %s", c.Name(), len(args), strings.Join(args, " "))
}

// test checks the expectations of documents.
func (a *app) test() *cobra.Command {
	var o flk.TestOptions
	var params []string
	c := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "run documents and check every expected output in them",
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible(c.Context())
			defer stop()
			o.Paths, o.CI, o.Now = args, a.getenv("CI") != "", time.Now
			if err := a.config(&o.Config, params); err != nil {
				return err
			}
			if o.Update != "" && o.Update != "yes" && o.Update != "force" {
				return fmt.Errorf("--update takes nothing or force, got %q", o.Update)
			}
			a.code = flk.Test(ctx, o)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&o.Run, "run", "", "check only cells whose file/name matches this regular expression")
	f.StringVar(&o.Update, "update", "", "write the outputs into the documents; --update=force also where CI is set")
	f.Lookup("update").NoOptDefVal = "yes"
	f.IntVar(&o.Repeat, "repeat", 1, "run each document this often with one seed; the bytes must not differ")
	f.IntVar(&o.Shuffle, "shuffle", 0, "also run each document with this many other seeds")
	f.StringVar(&o.Format, "format", "text", "text, tap, junit or json")
	f.BoolVar(&o.List, "list", false, "list the checks and run nothing")
	f.BoolVar(&o.FailFast, "fail-fast", false, "stop after the first document that failed")
	f.BoolVar(&o.Strict, "strict", false, "warnings are errors")
	f.IntVar(&o.Jobs, "jobs", 0, "documents that run at once (default: one for each processor)")
	shared(c, &o.Config, &params)
	return c
}

// record is the prompt or a script whose cells become a document.
func (a *app) record() *cobra.Command {
	var withErrors, force bool
	c := &cobra.Command{
		Use:   "record FILE.flk",
		Short: "run a session and write its cells and outputs into a document",
		Args:  oneDocument,
		RunE: func(c *cobra.Command, args []string) error {
			o, err := a.options()
			if err != nil {
				return err
			}
			if info, err := os.Stat(args[0]); err == nil && info.Size() > 0 && !force {
				return fmt.Errorf("record: %s is there already: name another file, or --force writes over it", args[0])
			}
			s, err := kernel.New(o)
			if err != nil {
				return err
			}
			defer s.Close()
			r := &recording{flk.NewRecorder(s, o), args[0]}
			r.WithErrors = withErrors
			if err := r.WriteFile(r.path); err != nil {
				return err
			}
			a.converse(c.Context(), r, r.command)
			return r.WriteFile(r.path)
		},
	}
	c.Flags().BoolVar(&withErrors, "with-errors", false, "keep cells that failed too")
	c.Flags().BoolVar(&force, "force", false, "write over a document that is there already")
	a.sessionFlags(c)
	return c
}

// recording writes the document after each cell, so that a crash loses none.
type recording struct {
	*flk.Recorder
	path string
}

// Eval runs and records a cell.
func (r *recording) Eval(ctx context.Context, c session.Cell, on func(session.Event)) session.Result {
	res := r.Recorder.Eval(ctx, c, on)
	r.save(on)
	return res
}

func (r *recording) command(ctx context.Context, line string, on func(session.Event)) session.Result {
	res := r.Command(ctx, line, command.Eval, on)
	r.save(on)
	return res
}

func (r *recording) save(on func(session.Event)) {
	if err := r.WriteFile(r.path); err != nil {
		on(session.Event{Stream: session.Stderr, Text: "record: " + err.Error() + "\n"})
	}
}

// shared are the flags of both.
func shared(c *cobra.Command, o *flk.Config, params *[]string) {
	f := c.Flags()
	f.Uint64Var(&o.Seed, "seed", 0, "replaces the seed of the header")
	f.StringArrayVar(params, "param", nil, "`NAME=VALUE` of a parameter that the header declares")
	f.DurationVar(&o.Timeout, "timeout", 0, "wall time of one cell (default 1m)")
	f.BoolVar(&o.Trust, "trust", false, "let cells run programs, open connections and write anywhere")
}

// config fills in what does not come from flags of its own.
func (a *app) config(o *flk.Config, params []string) error {
	o.New, o.Command = kernel.New, command.Eval
	o.Stdout, o.Stderr, o.Color = a.out, a.err, a.color()
	o.Params = map[string]string{}
	for _, p := range params {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return fmt.Errorf("--param wants NAME=VALUE, got %q", p)
		}
		o.Params[name] = value
	}
	return nil
}
