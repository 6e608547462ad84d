package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	_ "flinkish/cmd/flinkish/noquery"
	"flinkish/repl"
	"flinkish/repl/command"
	"flinkish/repl/kernel"
	"flinkish/repl/prompt"
	"flinkish/repl/session"
	"flinkish/repl/show"
	"flinkish/tui"
)

// flags of the session, for the prompt and pipes.
type flags struct {
	engine      string
	seed        uint64
	parallelism int
	glyphs      string
	max         int
	trust       bool
	plain       bool
}

func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:   "flinkish",
		Short: "An interactive Go notebook for stream processing",
		Long: "flinkish runs cells of Go over a typed DataStream API and a local engine.\n\n" +
			"Without a command it is a prompt; with input from a pipe it runs that as a script.",
		Version:       version(),
		Args:          noArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return a.session(c.Context()) },
	}
	c.SetVersionTemplate("flinkish {{.Version}}\n")
	c.SetOut(a.out)
	c.SetErr(a.err)
	a.sessionFlags(c)
	c.PersistentFlags().StringVar(&a.flags.glyphs, "glyphs", "", "unicode, block or ascii (default: what the terminal can show)")
	c.AddCommand(a.replay(), a.test(), a.record(), a.doctor())
	return c
}

// sessionFlags are those of commands that start a session.
func (a *app) sessionFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&a.flags.engine, "engine", string(session.Deterministic), "deterministic or parallel")
	f.Uint64Var(&a.flags.seed, "seed", 1, "seed of the deterministic engine")
	f.IntVar(&a.flags.parallelism, "parallelism", 1, "default parallelism of operators")
	f.IntVar(&a.flags.max, "max", session.DefaultMax, "steps that background jobs may take after a cell")
	f.BoolVar(&a.flags.trust, "trust", false, "of no effect here: only documents (replay, test) are kept from programs, connections and files elsewhere")
	f.BoolVar(&a.flags.plain, "plain", false, "no line editing and no escape sequences")
}

// noArgs refuses a word that is no command, and knows what was probably meant.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if strings.HasSuffix(args[0], ".flk") {
		return fmt.Errorf("%s is no command; flinkish replay %s shows a document", args[0], args[0])
	}
	if strings.HasSuffix(args[0], ".go") {
		return fmt.Errorf("%s is no command; flinkish < %s runs it as a script", args[0], args[0])
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// session is the prompt, or a script from a pipe.
func (a *app) session(ctx context.Context) error {
	o, err := a.options()
	if err != nil {
		return err
	}
	s, err := kernel.New(o)
	if err != nil {
		return err
	}
	defer s.Close()
	a.converse(ctx, s, nil)
	return nil
}

// converse lets a person or a pipe talk to s.
func (a *app) converse(ctx context.Context, s session.Session, through command.Through) {
	if prompt.IsTerminal(a.in) {
		o := a.prompt(s)
		o.Through = through
		a.code = prompt.Run(ctx, o)
		return
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	p := &show.Printer{Out: a.out, Err: a.err, Options: func() show.Options {
		return show.Options{Glyphs: s.Settings().Glyphs, Whole: true}
	}}
	script := repl.Script{Session: s, Printer: p, Name: session.Stdin, Through: through}
	a.code = script.Run(ctx, a.in)
}

func (a *app) options() (session.Options, error) {
	o := session.Options{Trust: a.flags.trust}
	o.Engine, o.Seed, o.Parallelism = session.Engine(a.flags.engine), a.flags.seed, a.flags.parallelism
	o.Max, o.Glyphs = a.flags.max, session.Glyphs(a.flags.glyphs)
	if o.Glyphs == "" {
		o.Glyphs = a.glyphs()
	}
	switch {
	case o.Engine != session.Deterministic && o.Engine != session.Parallel:
		return o, fmt.Errorf("--engine must be deterministic or parallel, got %q", o.Engine)
	case o.Seed == 0:
		return o, fmt.Errorf("--seed must be positive")
	case o.Parallelism < 1:
		return o, fmt.Errorf("--parallelism must be positive, got %d", o.Parallelism)
	case o.Glyphs != session.Unicode && o.Glyphs != session.Block && o.Glyphs != session.ASCII:
		return o, fmt.Errorf("--glyphs must be unicode, block or ascii, got %q", o.Glyphs)
	case o.Max < 1:
		return o, fmt.Errorf("--max must be positive, got %d", o.Max)
	}
	return o, nil
}

// glyphs is what the terminal can show: ascii on a dumb one, and where the locale names a character set other than
// UTF-8. A pipe gets unicode whatever the locale, so that its bytes do not depend on it.
func (a *app) glyphs() session.Glyphs {
	if !prompt.IsTerminal(a.in) {
		return session.Unicode
	}
	if a.getenv("TERM") == "dumb" {
		return session.ASCII
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(a.getenv(name)); v != "" {
			if v == "c" || v == "posix" || strings.Contains(v, ".") && !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8") {
				return session.ASCII
			}
			return session.Unicode
		}
	}
	return session.Unicode
}

func (a *app) prompt(s session.Session) prompt.Options {
	file := prompt.Output(a.out)
	o := prompt.Options{
		Session: s, In: a.in, Out: a.out, Err: a.err,
		Banner:  "flinkish " + release + "  Go cells, local engine, virtual clock.  :help, Ctrl-D quits",
		History: prompt.HistoryPath(a.getenv),
		Plain:   a.flags.plain || a.getenv("TERM") == "dumb" || file == nil,
		Color:   a.color(),
		Width:   func() int { return prompt.Width(file) },
	}
	if !o.Plain {
		o.Dashboard = func(ctx context.Context, job string) (string, error) {
			return tui.Dashboard(ctx, s, job, tui.Options{Input: a.in, Output: a.out, NoColor: !a.color()})
		}
	}
	return o
}

// color says whether the output is a terminal whose user did not refuse colours.
func (a *app) color() bool {
	return prompt.Output(a.out) != nil && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
}

// release is the version of the module.
const release = "0.1"

// version is that of the module, or of the commit that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return release + "-" + s.Value[:min(8, len(s.Value))]
		}
	}
	return release
}
