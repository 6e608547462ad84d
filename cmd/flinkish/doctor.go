package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"flinkish/repl"
	"flinkish/repl/kernel"
	"flinkish/repl/prompt"
	"flinkish/repl/session"
)

// doctor says what flinkish finds on this machine, and whether that is enough.
func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "check what flinkish needs of this machine",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, row := range []struct {
				name  string
				check func(context.Context) (string, error)
			}{
				{"version", func(context.Context) (string, error) { return version(), nil }},
				{"toolchain", toolchain},
				{"terminal", a.terminal},
				{"history", a.historyFile},
				{"cache", cache},
				{"session", trial},
			} {
				text, err := row.check(c.Context())
				state := "ok  "
				if err != nil {
					state, text, a.code = "FAIL", err.Error(), repl.ExitMismatch
				}
				fmt.Fprintf(a.out, "%s %-9s  %s\n", state, row.name, text)
			}
			return nil
		},
	}
}

func toolchain(context.Context) (string, error) {
	return fmt.Sprintf("%s %s/%s, %d processors; cells need no toolchain on this machine",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0)), nil
}

func (a *app) terminal(context.Context) (string, error) {
	file := prompt.Output(a.out)
	if !prompt.IsTerminal(a.in) || file == nil {
		return "input or output is none: cells are read as a script", nil
	}
	color := "colours"
	if !a.color() {
		color = "no colours"
	}
	return fmt.Sprintf("TERM=%s, %d columns, %s, %s signs", a.getenv("TERM"), prompt.Width(file), color, a.glyphs()), nil
}

func (a *app) historyFile(context.Context) (string, error) {
	path := prompt.HistoryPath(a.getenv)
	if path == "" {
		return "none is kept: neither XDG_STATE_HOME nor HOME is set", nil
	}
	dir := filepath.Dir(path)
	for _, err := os.Stat(dir); os.IsNotExist(err) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir) // the prompt makes what is missing
	}
	return path, writable(dir)
}

// cache is where jobs spill what does not fit into memory.
func cache(context.Context) (string, error) {
	return os.TempDir() + ": jobs spill there what does not fit into memory", writable(os.TempDir())
}

func writable(dir string) error {
	f, err := os.CreateTemp(dir, "flinkish-doctor-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", dir, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// trial runs a job in a cell.
func trial(ctx context.Context) (string, error) {
	began := time.Now()
	s, err := kernel.New(session.Options{})
	if err != nil {
		return "", err
	}
	defer s.Close()
	var out strings.Builder
	res := s.Eval(ctx, session.Cell{Source: "env.FromData(20, 22).Map(func(n int) int { return n + 1 }).Print()\nenv.Execute(ctx)"},
		func(e session.Event) { io.WriteString(&out, e.Text) })
	switch {
	case !res.OK && res.Diagnostic != nil:
		return "", res.Diagnostic
	case out.String() != "21\n23\n":
		return "", fmt.Errorf("a job printed %q, want 21 and 23", out.String())
	}
	return fmt.Sprintf("started, and a job of one cell ran, in %d ms", time.Since(began).Milliseconds()), nil
}
