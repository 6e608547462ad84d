// What packages log, log/slog and flag keep for a whole process, here for a session.

package rt

import (
	"bytes"
	"context"
	"flag"
	"io"
	"log"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// logs are the defaults of a session's loggers and its flags.
type logs struct {
	log            *log.Logger
	slog           *slog.Logger
	flags, earlier *flag.FlagSet // earlier: of a cell before flags was begun
	stale          *flag.FlagSet // flags, if they are an earlier cell's
}

// stamped puts the session's time in the place of the machine's, where a logger begins a line with it.
type stamped struct {
	to  io.Writer
	now func() time.Time
	l   *log.Logger
}

func (s *stamped) Write(line []byte) (int, error) {
	at := 0
	if s.l.Flags()&log.Lmsgprefix == 0 {
		at = len(s.l.Prefix())
	}
	if stamp := s.stamp(); at+len(stamp) <= len(line) {
		line = append(append(bytes.Clone(line[:at]), stamp...), line[at+len(stamp):]...)
	}
	return s.to.Write(line)
}

// stamp is the time as the flags of the logger write it.
func (s *stamped) stamp() string {
	now, flags, stamp := s.now(), s.l.Flags(), ""
	if flags&log.LUTC != 0 {
		now = now.UTC()
	}
	if flags&log.Ldate != 0 {
		stamp += now.Format("2006/01/02 ")
	}
	switch {
	case flags&log.Lmicroseconds != 0:
		stamp += now.Format("15:04:05.000000 ")
	case flags&log.Ltime != 0:
		stamp += now.Format("15:04:05 ")
	}
	return stamp
}

// newLog is log.New.
func (r *Runtime) newLog(w io.Writer, prefix string, flags int) *log.Logger {
	noLines(flags)
	s := &stamped{to: w, now: r.now}
	s.l = log.New(s, prefix, flags)
	return s.l
}

// noLines refuses the flags by which a logger writes the line of its call: it would be one of the interpreter.
func noLines(flags int) {
	if flags&(log.Lshortfile|log.Llongfile) != 0 {
		panic(plainError("log.Lshortfile and log.Llongfile are not available in a cell, which is no file"))
	}
}

func (r *Runtime) logFlags(flags int) { logFlagsOf(r.stdLog(), flags) }

// logFlagsOf is Logger.SetFlags.
func logFlagsOf(l *log.Logger, flags int) {
	noLines(flags)
	l.SetFlags(flags)
}

// newTextLog is slog.NewTextHandler.
func newTextLog(w io.Writer, o *slog.HandlerOptions) *slog.TextHandler {
	noSource(o)
	return slog.NewTextHandler(w, o)
}

// newJSONLog is slog.NewJSONHandler.
func newJSONLog(w io.Writer, o *slog.HandlerOptions) *slog.JSONHandler {
	noSource(o)
	return slog.NewJSONHandler(w, o)
}

func noSource(o *slog.HandlerOptions) {
	if o != nil && o.AddSource {
		panic(plainError("slog.HandlerOptions.AddSource is not available in a cell, which is no file"))
	}
}

// stdLog is log.Default.
func (r *Runtime) stdLog() *log.Logger {
	r.logMu.Lock()
	defer r.logMu.Unlock()
	if r.logs.log == nil {
		r.logs.log = r.newLog(r.stderr(), "", log.LstdFlags)
	}
	return r.logs.log
}

// logTo is log.SetOutput.
func (r *Runtime) logTo(w io.Writer) {
	l := r.stdLog()
	l.SetOutput(&stamped{w, r.now, l})
}

func (r *Runtime) logf(f string, a ...any) { r.stdLog().Print(sprintf(f, a...)) }

func (r *Runtime) logPrint(a ...any) { r.stdLog().Print(sprint(a...)) }

func logfTo(l *log.Logger, f string, a []any) { l.Print(sprintf(f, a...)) }

func logPrintTo(l *log.Logger, a []any) { l.Print(sprint(a...)) }

// timed gives records the session's time.
type timed struct {
	slog.Handler
	now func() time.Time
}

func (t timed) Handle(ctx context.Context, rec slog.Record) error {
	rec.Time = t.now()
	return t.Handler.Handle(ctx, rec)
}

func (t timed) WithAttrs(as []slog.Attr) slog.Handler {
	return timed{t.Handler.WithAttrs(as), t.now}
}
func (t timed) WithGroup(n string) slog.Handler { return timed{t.Handler.WithGroup(n), t.now} }

// newSlog is slog.New.
func (r *Runtime) newSlog(h slog.Handler) *slog.Logger { return slog.New(timed{h, r.now}) }

// stdSlog is slog.Default.
func (r *Runtime) stdSlog() *slog.Logger {
	l := r.stdLog()
	r.logMu.Lock()
	defer r.logMu.Unlock()
	if r.logs.slog == nil {
		r.logs.slog = slog.New(newLogHandler(l))
	}
	return r.logs.slog
}

// setSlog is slog.SetDefault.
func (r *Runtime) setSlog(l *slog.Logger) {
	r.logMu.Lock()
	defer r.logMu.Unlock()
	r.logs.slog = l
}

// logHandler writes level, message and attributes to a logger, as slog's default does. A text handler writes the
// attributes.
type logHandler struct {
	slog.Handler // writes to text
	text         *bytes.Buffer
	mu           *sync.Mutex // of text
	to           *log.Logger
}

// noMessage is the message of records whose text is wanted without level and message.
const noMessage = "\x00"

func newLogHandler(to *log.Logger) slog.Handler {
	text := &bytes.Buffer{}
	attributes := func(groups []string, a slog.Attr) slog.Attr {
		_, level := a.Value.Any().(slog.Level)
		if len(groups) == 0 && (a.Key == slog.LevelKey && level || a.Key == slog.MessageKey && a.Value.Any() == noMessage) {
			return slog.Attr{}
		}
		return a
	}
	return logHandler{slog.NewTextHandler(text, &slog.HandlerOptions{ReplaceAttr: attributes}), text, &sync.Mutex{}, to}
}

func (h logHandler) Handle(ctx context.Context, rec slog.Record) error {
	line := rec.Level.String() + " " + rec.Message
	rec.Time, rec.Message = time.Time{}, noMessage // the logger writes the time
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Reset()
	if err := h.Handler.Handle(ctx, rec); err != nil {
		return err
	}
	return h.to.Output(0, strings.TrimSpace(line+" "+h.text.String()))
}

func (h logHandler) WithAttrs(as []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(as), h.text, h.mu, h.to}
}

func (h logHandler) WithGroup(n string) slog.Handler {
	return logHandler{h.Handler.WithGroup(n), h.text, h.mu, h.to}
}

// commandLine is flag.CommandLine, with what earlier cells declared.
func (r *Runtime) commandLine() *flag.FlagSet {
	r.logMu.Lock()
	defer r.logMu.Unlock()
	fs := r.flagSet()
	if r.logs.earlier != nil {
		r.logs.earlier.VisitAll(func(f *flag.Flag) {
			if fs.Lookup(f.Name) == nil {
				fs.Var(f.Value, f.Name, f.Usage)
			}
		})
		r.logs.earlier = nil
	}
	return fs
}

// newFlag is flag.CommandLine for a declaration: a cell that runs again declares its flags again.
func (r *Runtime) newFlag() *flag.FlagSet {
	r.logMu.Lock()
	defer r.logMu.Unlock()
	if r.logs.stale != nil && r.logs.stale == r.logs.flags {
		r.logs.earlier, r.logs.flags, r.logs.stale = r.logs.flags, nil, nil
	}
	return r.flagSet()
}

func (r *Runtime) flagSet() *flag.FlagSet {
	if r.logs.flags == nil {
		r.logs.flags = r.newFlags("cell", flag.PanicOnError)
	}
	return r.logs.flags
}

// newFlags is flag.NewFlagSet: a wrong flag must not end the process.
func (r *Runtime) newFlags(name string, h flag.ErrorHandling) *flag.FlagSet {
	if h == flag.ExitOnError {
		h = flag.PanicOnError
	}
	fs := flag.NewFlagSet(name, h)
	fs.SetOutput(r.stderr())
	fs.Usage = usageOf(fs)
	return fs
}

// parseFlags is flag.Parse: a cell has no arguments.
func (r *Runtime) parseFlags() { r.commandLine().Parse(nil) }

// ageFlags begins a cell.
func (r *Runtime) ageFlags() {
	r.logMu.Lock()
	defer r.logMu.Unlock()
	r.logs.stale = r.logs.flags
}
