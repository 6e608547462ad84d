package rt

import (
	"errors"
	"go/token"
	"io"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"flinkish/dataflow/job"
)

// Runtime is the compiled state of one session.
type Runtime struct {
	Reg Registry
	// Deterministic gives range over a map an order that Seed decides.
	Deterministic bool
	Seed          int64
	// Stdout and Stderr receive what cells print; nil drops it.
	Stdout, Stderr io.Writer
	// Now is the clock of time.Now; nil means the wall clock.
	Now func() time.Time
	// Advance moves the clock of Now on; nil: it goes by itself.
	Advance func(time.Duration)
	// Virtual reports whether Now follows Advance at present; nil: it does.
	Virtual func() bool
	// Dir is where cells may write when Trust is not set; empty: anywhere.
	Dir   string
	Trust bool
	// WrapperType finds the struct by which yaegi's tables implement an interface of the standard
	// library; nil if there is none.
	WrapperType func(pkg, name string) reflect.Type
	// Symbol gives a function or variable of the standard library; nil: there are none.
	Symbol func(path, name string) reflect.Value
	// Interpreted leaves the functions of jobs interpreted.
	Interpreted bool
	// Compiled, if set, hears of each function of a job whether it was compiled, or why not.
	Compiled func(at token.Pos, err error)
	// Check gives the library's error about the calls made so far, once; nil: there is none.
	Check func() error
	// Panicked, if set, is called by a goroutine that the user started after it has panicked.
	Panicked func(error)
	// Busy reports whether something that is no part of a cell, such as a job, runs and may wake a goroutine; nil: nothing does.
	Busy func() bool
	// Driving is how many jobs are driven, by a cell or between cells, and how many goroutines wait for that; nil: none.
	Driving func() (jobs, waiters int)
	// ContextSeen is set when a cell has named the context of the session, which ends when somebody outside says so.
	ContextSeen atomic.Bool

	stopper stopper
	turns   turns
	waits   waits
	timers  timers
	reads   atomic.Int64 // of a virtual clock, since it moved
	ioMu    sync.Mutex
	rndOnce sync.Once
	rnd1    *rand.Rand
	rnd2    *randv2.Rand
	logMu   sync.Mutex
	logs    logs

	stop   int32 // read by every loop of lowered code; see flag
	cell   atomic.Uint64
	runMu  sync.Mutex
	cur    *run
	jobs   *run             // of the functions of all jobs
	runs   map[uintptr]*run // by goroutine
	turn   bool             // a turn should end; of runMu
	outMu  sync.Mutex
	out    []any
	ranges atomic.Uint64
	live   atomic.Int64

	exportsOnce sync.Once
	exports     map[string]reflect.Value // what ownForm looks up

	templates                    atomic.Bool // a template has functions over types of the cells
	templateFuncs, compiledFuncs sync.Map    // names of the functions that templates got, with types of the cells and without

	varMu sync.Mutex
	vars  map[int]any // pointers to the session's variables

	traceMu sync.Mutex
	traces  map[uintptr][]at // statements that a panic left, innermost first, by goroutine
	last    []at
	jobAt   Place // where a function of a job waited when the cell that drove it was ended
	places  places
	slotOf  map[string]int // by function
}

// NewRuntime makes the state of a session.
func NewRuntime() *Runtime {
	return &Runtime{vars: map[int]any{}, cur: newRun(), jobs: newRun(), runs: map[uintptr]*run{}, traces: map[uintptr][]at{}, slotOf: map[string]int{}, Seed: 1}
}

// ErrInterrupted is the panic value that unwinds lowered code after Stop.
var ErrInterrupted = errors.New("interrupted")

// ErrTooDeep is the panic value of endless recursion.
var ErrTooDeep error = runtimeError("stack overflow: recursion is too deep")

type runtimeError string

func (e runtimeError) Error() string { return "runtime error: " + string(e) }

// RuntimeError marks it as an error of package runtime.
func (e runtimeError) RuntimeError() {}

// plainError is an error of package runtime that does not say so.
type plainError string

func (e plainError) Error() string { return string(e) }

// RuntimeError marks it as an error of package runtime.
func (e plainError) RuntimeError() {}

// StopFlag is what lowered loops read.
func (r *Runtime) StopFlag() *int32 { return &r.stop }

// setOut keeps the results of the last expression. A cell that was stopped and goes on has nobody to show them to: the results
// that are kept are those of the cell that runs now.
func (r *Runtime) setOut(v ...any) {
	if !r.inCell() {
		return
	}
	r.outMu.Lock()
	r.out = v
	r.outMu.Unlock()
}

// Out gives the results that the cell left to show.
func (r *Runtime) Out() []any {
	r.outMu.Lock()
	defer r.outMu.Unlock()
	return r.out
}

// keep remembers the pointer of a session variable; kept gives it back to a rebuilt interpreter.
func (r *Runtime) keep(n int, p any) {
	r.varMu.Lock()
	r.vars[n] = p
	r.varMu.Unlock()
}

func (r *Runtime) kept(n int) any {
	r.varMu.Lock()
	defer r.varMu.Unlock()
	return r.vars[n]
}

// Preset stores a value that a lowered variable will find: env, ctx.
func (r *Runtime) Preset(n int, pointer any) { r.keep(n, pointer) }

// Var is the current value of a session variable; nil and false before its declaration ran.
func (r *Runtime) Var(n int) (any, bool) {
	p := r.kept(n)
	if p == nil {
		return nil, false
	}
	return reflect.ValueOf(p).Elem().Interface(), true
}

// at is a statement: its function's slot and what the slot held.
type at struct{ slot, statement int }

// NameSlot says which lowered function has slot n.
func (r *Runtime) NameSlot(fn string, n int) {
	r.traceMu.Lock()
	r.slotOf[fn] = n
	r.traceMu.Unlock()
}

// Trace is where yaegi writes the functions that a panic unwinds: one line each, innermost first.
func (r *Runtime) Trace() io.Writer { return traceWriter{r} }

type traceWriter struct{ r *Runtime }

// Write reads the slot of the function now: another call of it may soon note another statement.
func (w traceWriter) Write(b []byte) (int, error) {
	g := getg()
	w.r.traceMu.Lock()
	defer w.r.traceMu.Unlock()
	for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
		_, name, ok := strings.Cut(line, "panic: main.")
		if !ok {
			continue
		}
		n, known := w.r.slotOf[strings.TrimSuffix(strings.TrimSuffix(name, "(...)"), ".func")]
		if t := w.r.traces[g]; known && len(t) < 64 {
			w.r.traces[g] = append(t, at{n, read(w.r.places.at(g, n))})
		}
		w.r.last = w.r.traces[g]
	}
	return len(b), nil
}

// PanicPlace is the innermost statement that the panic of the last cell left: its slot, and the number of the
// statement. The slot is -1 if it is unknown.
func (r *Runtime) PanicPlace() (slot, statement int) {
	r.traceMu.Lock()
	defer r.traceMu.Unlock()
	if r.jobAt.Statement > 0 {
		return r.jobAt.Slot, r.jobAt.Statement
	}
	t := r.traces[uintptr(r.cell.Load())]
	if len(t) == 0 {
		t = r.last
	}
	return innermost(t)
}

func innermost(t []at) (slot, statement int) {
	for _, a := range t {
		if a.statement > 0 {
			return a.slot, a.statement
		}
	}
	return -1, 0
}

// Place is a statement of a cell: the slot of its function, and its number in there.
type Place struct{ Slot, Statement int }

// Placed is the cause of a job's failure with the statement that failed.
type Placed struct {
	Err             error
	Slot, Statement int
}

func (e *Placed) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Placed) Unwrap() error { return e.Err }

// JobFailed makes the cause of a failure what Go would make it, and adds the statement if it was a panic. It
// belongs into the goroutine in which the user's function failed.
func (r *Runtime) JobFailed(f *job.Failure) {
	if f.Stack == "" {
		return
	}
	var x any = f.Cause
	if p, ok := f.Cause.(*job.PanicError); ok {
		x = p.Value
	}
	switch x := Normal(x).(type) {
	case error:
		f.Cause = x
	default:
		f.Cause = &job.PanicError{Value: x}
	}
	g := getg()
	r.traceMu.Lock()
	defer r.traceMu.Unlock()
	if slot, n := innermost(r.traces[g]); slot >= 0 {
		f.Cause = &Placed{f.Cause, slot, n}
		if r.dead() {
			r.jobAt = Place{slot, n}
		}
	}
	delete(r.traces, g)
}

// recovered forgets the trace of a panic that user code has dealt with.
func (r *Runtime) recovered() {
	r.traceMu.Lock()
	delete(r.traces, getg())
	r.last = nil
	r.traceMu.Unlock()
}

// goStart runs f in a goroutine of its own. A panic in it does not end the process.
func (r *Runtime) goStart(f func()) {
	r.live.Add(1)
	run := r.present()
	go func() {
		defer r.ends()
		r.goRun(run, f)
	}()
}

// goRun runs f in the calling goroutine, as one of a cell, when its turn comes.
func (r *Runtime) goRun(run *run, f func()) {
	defer r.join(run)()
	defer r.places.forget(getg())
	r.noting(func() {
		defer r.drop()
		r.take()
		f()
	})
}

// noting calls f, and reports its panic.
func (r *Runtime) noting(f func()) {
	defer func() {
		switch x := recover(); x {
		case nil:
		case any(ErrInterrupted):
			r.traceMu.Lock()
			delete(r.traces, getg())
			r.traceMu.Unlock()
		default:
			r.goPanicked(x)
		}
	}()
	f()
}
