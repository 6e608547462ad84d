// Package interp runs the cells of a session: it checks a cell with go/types, lowers it to what yaegi can
// run, and runs it. A Session keeps everything that the cells defined.
package interp

import (
	"cmp"
	"context"
	"errors"
	"go/token"
	"go/types"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"flinkish/dataflow"
	"flinkish/dataflow/job"
	"flinkish/interp/check"
	"flinkish/interp/lower"
	"flinkish/interp/rt"
	"flinkish/interp/symbols"
)

// Session holds the definitions and values of the cells that ran. Eval, Reset and the look-ups belong to
// one goroutine; Interrupt may be called from any.
type Session struct {
	hung    atomic.Int32 // calls of stopped cells that do not end
	opt     Options
	rt      *rt.Runtime
	checker *check.Checker
	lower   *lower.Lowerer
	fset    *token.FileSet
	back    *backend
	sources map[string]check.Cell // by the file name of their positions
	ctx     context.Context       // what cells see as ctx
	given   context.Context       // what begin made it, so that a program's own stays
	entry   string                // lowered name of the cell that runs
	noted   map[string]bool       // what deprecations has looked at

	mu      sync.Mutex
	cancel  context.CancelFunc // of the cell that runs
	running bool
	failed  error // the panic of a goroutine by which the cell that runs fails; nil: none
	between error // the panic of a goroutine that fails no cell; nil: none
}

// New starts a session.
func New(o Options) (*Session, error) {
	s := &Session{opt: o, noted: map[string]bool{}}
	return s, s.Reset()
}

// Reset forgets all definitions and values.
func (s *Session) Reset() error {
	o := s.opt
	r := rt.NewRuntime()
	r.Stdout, r.Stderr, r.Now, r.Dir, r.Trust = o.Stdout, o.Stderr, o.Now, o.Dir, o.Trust
	r.Deterministic = o.Deterministic
	if o.Seed != 0 {
		r.Seed = o.Seed
	}
	r.WrapperType = wrapperType
	r.Panicked = s.goPanicked
	r.Busy = func() bool { return dataflow.Erased{}.Running() > 0 }
	r.Driving = dataflow.Erased{}.Driving
	r.Advance, r.Virtual = o.Advance, o.Virtual
	if env, ok := o.Env.(*dataflow.StreamExecutionEnvironment); ok {
		r.Check = env.TakeErr
		dataflow.Erased{}.OnFailure(env, r.JobFailed)
		dataflow.Erased{}.OnCall(env, s.statement)
	}
	imp := symbols.NewImporter()
	c := check.New(imp)
	c.Allow = s.allow
	s.rt, s.checker, s.fset = r, c, imp.Fset()
	s.lower = lower.New(s.fset, imp, &r.Reg)
	if env, ok := o.Env.(*dataflow.StreamExecutionEnvironment); ok {
		s.lower.Parallel = func() bool { return !env.Deterministic() && env.Parallelism() > 1 }
	}
	s.back = newBackend(r)
	s.sources = map[string]check.Cell{}
	s.ctx = context.Background()
	s.given = s.ctx
	s.mu.Lock()
	s.failed, s.between = nil, nil
	s.mu.Unlock()
	if v, ok := c.Lookup("ctx").(*types.Var); ok {
		r.Preset(s.lower.Declare(v), &s.ctx)
	}
	if v, ok := c.Lookup("env").(*types.Var); ok && o.Env != nil {
		r.Preset(s.lower.Declare(v), pointerTo(o.Env))
	}
	return nil
}

// Eval runs one cell and blocks until it ends, ctx is done or Interrupt is called. A *check.Error tells
// where a cell does not compile, a *RunError where it failed. A cell that failed while it ran keeps the
// definitions and effects it had up to there; one that does not compile has none.
func (s *Session) Eval(ctx context.Context, c Cell) (Result, error) {
	cell, err := s.checker.Check(c.Name, c.Number, c.Source)
	if err != nil {
		return Result{}, err
	}
	// The context does not end with the cell: jobs and goroutines that it started go on with it.
	ctx, cancel := context.WithCancel(ctx)
	s.begin(ctx, cancel)
	defer s.end()
	if !s.rt.ContextSeen.Load() && s.names(cell, "ctx") {
		s.rt.ContextSeen.Store(true)
	}
	s.sources[fileOf(cell, s.fset)] = check.Cell{Name: c.Name, Number: c.Number, Source: c.Source}
	for i, sub := range cell.Subs {
		p, err := s.lower.Sub(cell, sub)
		if err != nil {
			if i > 0 {
				s.checker.Commit(cell)
			}
			return Result{}, s.lowerError(c, err)
		}
		if err := s.back.load(p); err != nil {
			return Result{}, s.internal(c, p, err)
		}
		if err := s.run(ctx, c, p); err != nil {
			s.checker.Commit(cell)
			return Result{}, err
		}
	}
	s.checker.Commit(cell)
	return s.result(c, cell)
}

// names reports whether a cell uses a name of the session that no cell declared.
func (s *Session) names(cell *check.Cell, name string) bool {
	o := s.checker.Lookup(name)
	for _, used := range cell.Info.Uses {
		if o != nil && used == o {
			return true
		}
	}
	return false
}

func fileOf(cell *check.Cell, fset *token.FileSet) string {
	for _, sub := range cell.Subs {
		for _, it := range sub.Items {
			return fset.Position(it.Pos()).Filename
		}
	}
	return ""
}

// begin makes ctx the cell's, unless an earlier cell has put a context of its own there, and lets the cell run.
func (s *Session) begin(ctx context.Context, cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rt.Resume()
	if s.ctx == s.given {
		s.ctx, s.given = ctx, ctx
	}
	s.cancel, s.running = cancel, true
}

// end is the end of the cell that ran. A panic that came when all of it had run is not its failure.
func (s *Session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.cancel = false, nil
	if s.failed != nil {
		s.between, s.failed = cmp.Or(s.between, s.failed), nil
		s.rt.Resume()
	}
}

// Interrupt stops the cell that runs; its Eval returns ErrInterrupted. Values survive.
func (s *Session) Interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		s.cancel()
		s.rt.Stop()
	}
}

// Incomplete reports whether src needs more lines before it can run.
func (s *Session) Incomplete(src string) bool { return check.Incomplete(src) }

// TypeOf gives the type of an expression, as the user would write it.
func (s *Session) TypeOf(expr string) (string, error) { return s.checker.TypeOf(expr) }

// Vars lists the variables, constants, functions and types that the cells declared, by name.
func (s *Session) Vars() []Var {
	var r []Var
	for _, v := range s.checker.Vars() {
		if v.Kind == "import" || v.Cell == 0 {
			continue
		}
		x := Var{Name: v.Name, Kind: v.Kind, Type: v.Type, Cell: v.Cell}
		switch o := v.Obj.(type) {
		case *types.Const:
			x.Type, x.Text, _ = strings.Cut(v.Type, " = ")
		case *types.Var:
			if n, ok := s.lower.Global(o); ok {
				if val, ok := s.rt.Var(n); ok {
					x.Go, x.Text = val, rt.Describe(&s.rt.Reg, o.Type(), val)
				}
			}
		}
		r = append(r, x)
	}
	return r
}

// Running is the number of goroutines that cells started and that still run.
func (s *Session) Running() int { return s.rt.Live() }

// WhileDriving calls stuck when jobs that are driven while no cell runs cannot go on, because a function waits for what only a
// cell can do; until done is called.
func (s *Session) WhileDriving(stuck func()) (done func()) { return s.rt.WhileDriving(stuck) }

// Drive lets the functions of jobs go on, whatever was stopped before: somebody is about to drive jobs while no cell runs. stop
// is Interrupt for them: it ends them at their next loop turn. Any goroutine may call both.
func (s *Session) Drive() (stop func()) { return s.rt.Drive() }

// Close releases the session.
func (s *Session) Close() error {
	s.Interrupt()
	return nil
}

// runError says where a panic happened.
func (s *Session) runError(c Cell, kind string, x any) error {
	x = rt.Normal(x)
	if le, ok := x.(rt.LibError); ok {
		kind, x = "error", le.Err
	}
	e := &RunError{Cell: c.Name, Number: c.Number, Kind: kind, Msg: rt.PanicText(x)}
	if err, ok := x.(error); ok {
		e.Err = err
		if refused := (rt.Refused{}); errors.Is(err, rt.ErrExit) || errors.As(err, &refused) {
			e.Kind = "refused"
		}
	}
	if strings.Contains(e.Msg, "ǃ") || strings.Contains(e.Msg, "yaegi") {
		e.Msg, e.Kind = "flinkish failed while it ran this statement, and that is a fault of flinkish", "internal"
	}
	if x == any(rt.ErrTooDeep) {
		e.Hint = "does the recursion end?"
	}
	if re := (runtime.Error)(nil); e.Kind == "panic" && !errors.As(e.Err, &re) {
		e.Msg = "panic: " + e.Msg
	}
	var in *rt.Placed
	switch slot, n := s.rt.PanicPlace(); {
	case errors.As(e.Err, &in):
		e.Panicked = true
		s.place(e, s.lower.Place(in.Slot, in.Statement))
	case built(e.Err) != nil:
		p := built(e.Err)
		s.place(e, s.lower.Place(p.Slot, p.Statement))
	case kind == "error" || kind == "goroutine":
	case kind == "deadlock":
		s.place(e, s.lower.Place(s.rt.PanicPlace()))
	default:
		s.place(e, s.lower.Place(slot, n))
	}
	if e.Line == 0 && c.Source != "" {
		if _, n, _ := s.lower.Where(s.entry); n >= 0 {
			s.place(e, s.lower.Place(n, s.rt.CellAt(n)))
		}
	}
	return e
}

// statement is the statement of the cell that runs, as a *rt.Place; nil when it is not known.
func (s *Session) statement() any {
	if s.entry == "" {
		return nil
	}
	_, n, _ := s.lower.Where(s.entry)
	if n < 0 {
		return nil
	}
	return &rt.Place{Slot: n, Statement: s.rt.CellAt(n)}
}

// built is the statement that made the operator whose failure err is; nil for another error.
func built(err error) *rt.Place {
	var f *job.Failure
	if !errors.As(err, &f) {
		return nil
	}
	p, _ := f.Place.(*rt.Place)
	return p
}

// Located is err with its place in a cell, when err is the failure of a job: of the statement that panicked, else of the one that
// made the operator.
func (s *Session) Located(err error) error {
	var in *rt.Placed
	if !errors.As(err, &in) && built(err) == nil {
		return err
	}
	return s.runError(Cell{}, "error", err)
}

// place fills in position and source line.
func (s *Session) place(e *RunError, pos token.Pos) {
	if !pos.IsValid() {
		return
	}
	p := s.fset.Position(pos)
	src, ok := s.sources[p.Filename]
	if !ok {
		return
	}
	e.Cell, e.Number, e.Line, e.Col = src.Name, src.Number, p.Line, p.Column
	if lines := strings.Split(src.Source, "\n"); p.Line <= len(lines) {
		e.Source = strings.TrimSuffix(lines[p.Line-1], "\r")
		e.EndCol = min(len(e.Source)+1, p.Column+1)
	}
}

// lowerError turns a refusal into a diagnostic like those of the checker.
func (s *Session) lowerError(c Cell, err error) error {
	le, ok := err.(*lower.Error)
	if !ok {
		return err
	}
	e := &check.Error{Cell: c.Name, Number: c.Number, Kind: check.Unsupported, Msg: le.Msg, Hint: le.Hint, Line: 1, Col: 1, EndCol: 2}
	lines := strings.Split(c.Source, "\n")
	if p := s.fset.Position(le.Pos); le.Pos.IsValid() && p.Line >= 1 && p.Line <= len(lines) {
		e.Line, e.Col, e.EndCol = p.Line, p.Column, p.Column+1
		if end := s.fset.Position(le.End); le.End.IsValid() && end.Line == p.Line {
			e.EndCol = end.Column
		}
	}
	if e.Line <= len(lines) {
		e.Source = lines[e.Line-1]
	}
	return e
}

// internal reports text that yaegi refused: a hole of the lowering. The interpreter is rebuilt.
func (s *Session) internal(c Cell, p *lower.Program, err error) error {
	if Trace != nil {
		Trace(p.Text)
	}
	s.back.rebuild()
	e := &RunError{Cell: c.Name, Number: c.Number, Kind: "internal", Line: 1, Col: 1, EndCol: 2, Err: err,
		Msg: "flinkish cannot run this cell, and that is a fault of flinkish", Hint: "smaller statements may run"}
	e.Source, _, _ = strings.Cut(c.Source, "\n")
	return e
}

// Trace, when set, receives the text of each cell that yaegi gets; for tests and debugging.
var Trace func(string)
