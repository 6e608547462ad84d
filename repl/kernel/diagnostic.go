package kernel

import (
	"context"
	"errors"
	"go/scanner"
	"go/token"
	"strings"

	"flinkish/dataflow/graph"
	"flinkish/interp"
	"flinkish/interp/check"
	"flinkish/interp/rt"
	"flinkish/repl/session"
)

// diagnostic says what went wrong with a cell, and where.
func (k *Kernel) diagnostic(ctx context.Context, cell session.Cell, err error) *session.Diagnostic {
	d := &session.Diagnostic{Kind: session.Runtime, Cell: cell.Name, Number: cell.Number, File: cell.File, Message: err.Error()}
	var compile *check.Error
	var run *interp.RunError
	var built *graph.GraphError
	var ours *internalError
	source := cell.Source
	switch {
	case errors.As(err, &compile):
		compileDiagnostic(d, compile)
		d.Fix, _ = compile.Fix(source)
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		d.Kind, d.Message = session.Timeout, "the cell took longer than it may"
	case ctx.Err() != nil || errors.Is(err, interp.ErrInterrupted):
		d.Kind, d.Message = session.Interrupted, "interrupted"
		if errors.As(err, &run) && run.Kind == "interrupted" {
			runDiagnostic(d, run)
		}
	case errors.As(err, &run):
		runDiagnostic(d, run)
		if earlier, ok := k.places[run.Number]; ok && run.Line > 0 {
			cell = earlier // a function of an earlier cell failed
			d.Cell, d.Number, d.File = cell.Name, cell.Number, cell.File
		}
		// Around the panic of a key selector its statement is the place, and the call is in the message.
		if errors.As(err, &built) && run.Number == d.Number && (built.Err == nil || !run.Panicked) {
			at(d, cell.Source, built.Call)
		}
	case errors.As(err, &built):
		at(d, source, built.Call)
	case errors.As(err, &ours):
		d.Kind = session.Internal
	}
	if d.Hint == "" {
		d.Hint = runHint(d.Message)
	}
	if errors.Is(err, rt.ErrDeadlock) && k.jobs.driven() {
		d.Hint = "background jobs stand still while a cell runs; env.Execute(ctx) or reading what a job collects drives it"
	}
	if d.Line > 0 && cell.Line > 0 {
		d.FileLine = d.Line + cell.Line - 1
	} else if cell.Line > 0 {
		d.FileLine = cell.Line
	}
	return d
}

func compileDiagnostic(d *session.Diagnostic, e *check.Error) {
	d.Kind = session.Compile
	if e.Kind == check.Unsupported {
		d.Kind = session.Refused
	}
	d.Line, d.Col, d.EndCol = e.Line, e.Col, e.EndCol
	d.Message, d.Hint, d.Source = e.Msg, e.Hint, e.Source
}

func runDiagnostic(d *session.Diagnostic, e *interp.RunError) {
	switch e.Kind {
	case "refused":
		d.Kind = session.Refused
	case "unsupported":
		d.Kind = session.Refused
	case "internal":
		d.Kind = session.Internal
	}
	d.Line, d.Col, d.EndCol = e.Line, e.Col, e.EndCol
	d.Message, d.Hint, d.Source = e.Msg, e.Hint, e.Source
}

// at points at the call of a method in src that made a mistake in the graph: the first at or after the place that d
// has, which is at best that of the statement; else the last.
func at(d *session.Diagnostic, src, call string) {
	if call == "" {
		return
	}
	from, fromCol, found := d.Line, d.Col, false
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var sc scanner.Scanner
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	for !found {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			break
		}
		if tok != token.IDENT || lit != call {
			continue
		}
		p := fset.Position(pos)
		d.Line, d.Col, d.EndCol = p.Line, p.Column, p.Column+len(call)
		found = from > 0 && (p.Line > from || p.Line == from && p.Column >= fromCol)
	}
	if d.Line > 0 {
		d.Source = strings.Split(src, "\n")[d.Line-1]
	}
}

// runHint is the way out of what only a run can find.
func runHint(msg string) string {
	switch {
	case strings.Contains(msg, "has no timestamp"):
		return "stamp the records before KeyBy: AssignTimestampsAndWatermarks(ForMonotonousTimestamps[T]().WithTimestampAssigner(...))"
	case strings.Contains(msg, "assignment to entry in nil map"):
		return "make the map first: m := map[K]V{}"
	case strings.Contains(msg, "nil pointer dereference"):
		return "the pointer was never set: check it, or make the value with &T{}"
	}
	return ""
}
