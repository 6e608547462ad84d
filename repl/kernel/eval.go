package kernel

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"flinkish/dataflow/job"
	"flinkish/interp"
	"flinkish/repl/session"
)

// Eval runs one cell.
func (k *Kernel) Eval(ctx context.Context, cell session.Cell, on func(session.Event)) session.Result {
	return k.do(ctx, cell, on, func(ctx context.Context) (interp.Result, error) {
		return k.in.Eval(ctx, interp.Cell{Name: cell.Name, Number: k.last, Source: cell.Source})
	})
}

// Run executes the environment, as a cell with env.Execute(ctx) would.
func (k *Kernel) Run(ctx context.Context, on func(session.Event)) session.Result {
	return k.do(ctx, session.Cell{}, on, func(ctx context.Context) (interp.Result, error) {
		from := k.jobs.len()
		defer k.drive(ctx, func() { k.jobs.cancelFrom(from) })()
		_, err := k.env.Execute(ctx)
		return interp.Result{}, err
	})
}

// do is the frame of a cell around what it runs: numbers, output, errors, jobs.
func (k *Kernel) do(ctx context.Context, cell session.Cell, on func(session.Event), f func(context.Context) (interp.Result, error)) session.Result {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return session.Result{Diagnostic: &session.Diagnostic{Kind: session.Internal, Message: err.Error()}}
	}
	key := k.begin(&cell)
	k.out.begin(on)
	defer k.out.end()

	ctx, cellCtx, done := k.interruptible(ctx)
	defer done()

	from, sinks := k.jobs.len(), 0
	if cell.Echo {
		sinks = k.sinks()
	}
	got, err := protect(cellCtx, f)
	if built := k.env.TakeErr(); built != nil && err == nil {
		err = built
	}
	k.tick()
	k.publish()
	res := session.Result{OK: err == nil, Defined: got.Defined, Jobs: k.jobs.ids(from)}
	res.Parallelism = k.jobs.parallelism(from)
	if err != nil {
		res.Diagnostic = k.diagnostic(ctx, cell, stopped(cellCtx, err))
		k.env.RemoveCell(key)
		if res.Diagnostic.Kind == session.Interrupted || res.Diagnostic.Kind == session.Timeout {
			stay(res.Diagnostic, k.halt(k.jobs.list()[from:]))
		}
		k.out.event(session.Event{Stream: session.Problem, Diagnostic: res.Diagnostic})
		if ctx.Err() == nil {
			k.settle(ctx, 1000)
		}
		k.panicked(ctx, &res)
		return res
	}
	k.results(&res, cell, got)
	if cell.Echo && sinks == 0 && k.sinks() > 0 {
		k.out.event(session.Event{Stream: session.Note, Text: "nothing has run yet; :run or env.Execute(ctx) runs what was built\n"})
	}
	k.settleCell(ctx, cell, &res)
	return res
}

// interruptible gives the context of a cell and one for what is done around it. That of the cell ends by interruption only, not
// with the cell: background jobs and goroutines of the cell may hold it. done returns once no interruption is under way any
// more, because that would meet the next cell.
func (k *Kernel) interruptible(ctx context.Context) (around, cell context.Context, done func()) {
	around, end := context.WithCancel(ctx)
	cell, cancel := context.WithCancel(context.Background())
	both := context.CancelFunc(func() { end(); cancel() })
	k.running.Store(&both)
	stop := whenDone(ctx, func() {
		cancel()
		k.in.Interrupt()
	})
	return around, cell, func() {
		stop()
		end()
		k.running.Store(nil)
	}
}

// whenDone calls f when ctx ends, unless over was called before; over returns once no call is under way.
func whenDone(ctx context.Context, f func()) (over func()) {
	called := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(called)
		f()
	})
	return func() {
		if !stop() {
			<-called
		}
	}
}

// begin numbers the cell and drops what an earlier run of it built.
func (k *Kernel) begin(cell *session.Cell) (key string) {
	if cell.Number == 0 {
		cell.Number = k.last + 1
	}
	k.last = cell.Number
	key = cell.Name
	if key == "" {
		key = strconv.Itoa(cell.Number)
	}
	if k.ran[key] {
		k.env.RemoveCell(key)
	}
	k.ran[key] = true
	k.places[cell.Number] = session.Cell{Name: cell.Name, Number: cell.Number, File: cell.File, Line: cell.Line, Source: cell.Source}
	k.env.SetCell(key)
	at := *cell
	k.cell.Store(&at)
	return key
}

// protect turns a panic of ours into an error: a cell must not take the session along.
func protect(ctx context.Context, f func(context.Context) (interp.Result, error)) (r interp.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &internalError{p}
		}
	}()
	return f(ctx)
}

// internalError is a bug of ours that a cell met.
type internalError struct{ value any }

func (e *internalError) Error() string {
	return fmt.Sprintf("flinkish failed inside (%v); this is a bug of flinkish, not of the cell", e.value)
}

// results sends the values, notes and warnings of a cell that went well.
func (k *Kernel) results(res *session.Result, cell session.Cell, got interp.Result) {
	for _, v := range got.Values {
		if v.Assigned && !cell.Echo {
			continue
		}
		sv := k.value(v)
		res.Values = append(res.Values, sv)
		stream := session.Results
		if v.Assigned {
			stream = session.Note // the echo for a person, which a document does not have
		}
		k.out.event(session.Event{Stream: stream, Value: &sv})
	}
	for _, n := range got.Notes {
		k.out.event(session.Event{Stream: session.Note, Text: n + "\n"})
	}
	for _, e := range got.Advice {
		d := &session.Diagnostic{Kind: session.Warning, Cell: cell.Name, Number: cell.Number, File: cell.File}
		compileDiagnostic(d, e)
		d.Kind = session.Warning
		if cell.Line > 0 {
			d.FileLine = d.Line + cell.Line - 1
		}
		if res.Warning == nil {
			res.Warning = d
		}
		k.out.event(session.Event{Stream: session.Problem, Diagnostic: d})
	}
	for _, w := range got.Warnings {
		d := warning(cell, w)
		if res.Warning == nil {
			res.Warning = d
		}
		k.out.event(session.Event{Stream: session.Problem, Diagnostic: d})
	}
}

// warning is about a whole cell.
func warning(cell session.Cell, message string) *session.Diagnostic {
	return &session.Diagnostic{Kind: session.Warning, Cell: cell.Name, Number: cell.Number, File: cell.File, FileLine: cell.Line, Message: message}
}

// submitted takes a new job in and tells what is doubtful about its graph. The cell that runs calls it.
func (k *Kernel) submitted(j job.Job) {
	cell := *k.cell.Load()
	k.jobs.add(j, cell.Number)
	for _, w := range j.Graph().Stream.Warnings {
		k.out.event(session.Event{Stream: session.Problem, Diagnostic: warning(cell, w)})
	}
}

// settleCell advances background jobs after a cell. A job that fails now, or a goroutine of an earlier cell that panicked,
// is told with this cell, because nobody else tells.
func (k *Kernel) settleCell(ctx context.Context, cell session.Cell, res *session.Result) {
	k.out.background(true)
	waiting := k.jobs.live()
	taken, stuck := k.settle(ctx, k.opt.Max)
	if taken >= k.opt.Max {
		k.out.event(session.Event{Stream: session.Note, Text: fmt.Sprintf(
			"%s took %d steps, and more after the next cell; :set max changes that, :cancel stops\n", k.jobs.running(), k.opt.Max)})
	}
	for _, j := range waiting {
		if err := k.in.Located(j.Err()); err != nil && ctx.Err() == nil {
			d := k.diagnostic(ctx, cell, err)
			d.Message = fmt.Sprintf("job %s: %s", j.Name(), d.Message)
			k.beside(res, d)
		}
	}
	k.panicked(ctx, res)
	if ctx.Err() != nil && (res.OK || stuck != "") {
		d := k.diagnostic(ctx, cell, interp.ErrInterrupted)
		stay(d, stuck)
		res.OK, res.Diagnostic = false, d
		k.out.event(session.Event{Stream: session.Problem, Diagnostic: d})
	}
	k.tick()
}

// panicked tells of a goroutine of a cell that panicked while no cell ran.
func (k *Kernel) panicked(ctx context.Context, res *session.Result) {
	if k.ready() != nil {
		return
	}
	if err := k.in.GoPanic(); err != nil {
		k.beside(res, k.diagnostic(context.WithoutCancel(ctx), session.Cell{}, err))
	}
}

// beside adds a failure that is not the cell's own.
func (k *Kernel) beside(res *session.Result, d *session.Diagnostic) {
	if res.Diagnostic == nil {
		res.OK, res.Diagnostic = false, d
	} else {
		res.Beside = append(res.Beside, d)
	}
	k.out.event(session.Event{Stream: session.Problem, Diagnostic: d})
}

// stay adds to d what goes on although the cell was stopped; empty: nothing does.
func stay(d *session.Diagnostic, stuck string) {
	if d.Stuck = stuck; stuck != "" {
		d.Message += ", but " + stuck
	}
}

// value makes the plain form of a shown value.
func (k *Kernel) value(v interp.Value) session.Value {
	sv := session.Value{Name: v.Name, Type: v.Type, Text: v.Text}
	if s := v.Stream; s != nil {
		p := s.Parallelism
		if p == 0 {
			p = k.env.Parallelism()
		}
		sv.Summary = true
		sv.Text = fmt.Sprintf("%s  parallelism %d", s.Type, p)
		if sv.Name == "" {
			sv.Name = s.Name
		}
	}
	if t := v.Table; t != nil {
		st := &session.Table{Rows: t.Rows, Total: len(t.Rows) + t.More}
		for i, name := range t.Columns {
			st.Columns = append(st.Columns, session.Column{Name: name, Right: i < len(t.Types) && numeric(t.Types[i])})
		}
		sv.Table = st
	}
	return sv
}

func numeric(typ string) bool {
	switch typ {
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "byte":
		return true
	}
	return false
}

// stopped is err, or that the cell was interrupted when ctx, which was the cell's, has ended. The end of a context of the
// program's own is an error like others.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return interp.ErrInterrupted
	}
	return err
}
