// Command flinkish is an interactive Go notebook for stream processing, in the terminal.
//
// Without arguments it is a prompt; with input from a pipe it runs that as a script. This package holds flags and
// wiring only.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"

	"flinkish/repl"
	"flinkish/repl/prompt"
)

func main() { os.Exit(run(os.Args[1:])) }

// run is the whole program; a panic of ours is reported in a file and one line.
func run(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintln(os.Stderr, crashed(p, debug.Stack()))
			code = repl.ExitCrash
		}
	}()
	a := &app{in: takeInput(), out: os.Stdout, err: os.Stderr, getenv: os.Getenv}
	if !prompt.IsTerminal(os.Stdout) {
		out := &checked{Writer: os.Stdout}
		a.out = out
		defer func() { code = out.result(a.err, code) }()
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	root := a.root()
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(a.err, "flinkish: %v\n  hint: flinkish --help lists commands and flags\n", err)
		return repl.ExitUsage
	}
	return a.code
}

// checked remembers that something could not be written: a full disk must not look like an empty result.
type checked struct {
	io.Writer
	mu  sync.Mutex
	err error // the first one
}

// Write writes p, and counts it as written in any case: the run goes on.
func (c *checked) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.Writer.Write(p); err != nil && c.err == nil {
		c.err = err
	}
	return len(p), nil
}

// result is code, or a worse one when output was lost.
func (c *checked) result(errs io.Writer, code int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		return code
	}
	fmt.Fprintf(errs, "flinkish: output was lost: %v\n", c.err)
	return max(code, repl.ExitUsage)
}

// takeInput is the standard input. From now on cells find an empty one: they would take away what the prompt or the
// script reads next.
func takeInput() *os.File {
	in := os.Stdin
	if empty, err := os.Open(os.DevNull); err == nil {
		os.Stdin = empty
	}
	return in
}

// app is what the commands share.
type app struct {
	in       *os.File
	out, err io.Writer
	getenv   func(string) string
	flags    flags
	code     int // exit status
}

// crashed writes the report of a bug of ours and says where it is.
func crashed(p any, stack []byte) string {
	report := fmt.Sprintf("flinkish %s\nargs: %q\npanic: %v\n\n%s", version(), os.Args, p, stack)
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, "flinkish")
	path := filepath.Join(dir, fmt.Sprintf("crash-%d.txt", os.Getpid()))
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(path, []byte(report), 0o600) != nil {
		return fmt.Sprintf("flinkish: crashed: %v; the report could not be written", p)
	}
	return fmt.Sprintf("flinkish: crashed: %v; report: %s", p, path)
}

// interruptible gives a context that the first Ctrl-C ends; a second one ends the process.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
