package rt

import (
	"errors"
	"fmt"
	"io"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
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
	// Dir is where cells may write when Trust is not set; empty: anywhere.
	Dir   string
	Trust bool
	// WrapperType finds the struct by which yaegi's tables implement an interface of the standard
	// library; nil if there is none.
	WrapperType func(pkg, name string) reflect.Type
	// Check gives the library's error about the calls made so far, once; nil: there is none.
	Check func() error
	// Panicked is called when a goroutine that the user started panics.
	Panicked func(error)

	stopper stopper
	ioMu    sync.Mutex
	rndOnce sync.Once
	rnd1    *rand.Rand
	rnd2    *randv2.Rand

	stop   int32 // read by every loop of lowered code; see Stop
	cell   uintptr
	outMu  sync.Mutex
	out    []any
	ranges atomic.Uint64
	live   atomic.Int64

	varMu sync.Mutex
	vars  map[int]any // pointers to the session's variables

	traceMu sync.Mutex
	traces  map[uintptr][]string // functions that a panic left, innermost first, by goroutine
	last    []string
	slots   []*int
}

// NewRuntime makes the state of a session.
func NewRuntime() *Runtime {
	return &Runtime{vars: map[int]any{}, traces: map[uintptr][]string{}, Seed: 1}
}

// Interrupted is the panic value that unwinds lowered code after Stop.
var Interrupted = errors.New("interrupted")

// ErrTooDeep is the panic value of endless recursion.
var ErrTooDeep error = runtimeError("stack overflow: recursion is too deep")

type runtimeError string

func (e runtimeError) Error() string { return "runtime error: " + string(e) }

// RuntimeError marks it as an error of package runtime.
func (e runtimeError) RuntimeError() {}

// Stop makes lowered code panic with Interrupted at its next loop turn. The flag is read without
// synchronisation, millions of times a second; hence the one writer that the race detector must not see.
func (r *Runtime) Stop() {
	r.setStop(1)
	r.stopper.wake()
}

// setStop is the one writer of the flag.
//
//go:norace
func (r *Runtime) setStop(n int32) { r.stop = n }

// Resume takes Stop back.
func (r *Runtime) Resume() { r.setStop(0) }

// Stopped reports whether Stop was called.
//
//go:norace
func (r *Runtime) Stopped() bool { return r.stop != 0 }

// StopFlag is what lowered loops read.
func (r *Runtime) StopFlag() *int32 { return &r.stop }

// Begin says that the calling goroutine runs a cell.
func (r *Runtime) Begin() {
	r.cell = getg()
	r.outMu.Lock()
	r.out = nil
	r.outMu.Unlock()
	r.traceMu.Lock()
	clear(r.traces)
	r.last = nil
	r.traceMu.Unlock()
}

// Live is the number of goroutines that cells started and that still run.
func (r *Runtime) Live() int { return int(r.live.Load()) }

// The stack that a goroutine may use. A cell that runs away is ended by Goexit, which is cheap at any
// depth; inside a job only a panic can do it, and that costs time for each call on the stack.
const (
	cellStack = 64 << 20
	jobStack  = 16 << 20
)

// enter begins a call that may be part of a recursion: it ends here when the cell was stopped, as a
// recursion need not meet a loop, and when the stack has grown too deep.
func (r *Runtime) enter() {
	if r.Stopped() {
		if getg() == r.cell {
			runtime.Goexit()
		}
		halt()
	}
	used := stackUsed()
	if used < jobStack {
		return
	}
	if getg() == r.cell {
		if used < cellStack {
			return
		}
		r.tooDeep()
	}
	panic(ErrTooDeep)
}

// SetOut keeps the results of the last expression.
func (r *Runtime) setOut(v ...any) {
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

// Slot gives function n a place where it notes which statement it runs.
func (r *Runtime) Slot(n int) *int {
	r.traceMu.Lock()
	defer r.traceMu.Unlock()
	for len(r.slots) <= n {
		r.slots = append(r.slots, new(int))
	}
	return r.slots[n]
}

// Trace is where yaegi writes the functions that a panic unwinds: one line each, innermost first.
func (r *Runtime) Trace() io.Writer { return traceWriter{r} }

type traceWriter struct{ r *Runtime }

func (w traceWriter) Write(b []byte) (int, error) {
	g := getg()
	w.r.traceMu.Lock()
	defer w.r.traceMu.Unlock()
	for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
		_, name, ok := strings.Cut(line, "panic: main.")
		if !ok {
			continue
		}
		if t := w.r.traces[g]; len(t) < 64 {
			w.r.traces[g] = append(t, strings.TrimSuffix(strings.TrimSuffix(name, "(...)"), ".func"))
		}
		w.r.last = w.r.traces[g]
	}
	return len(b), nil
}

// PanicFunc is the lowered function in which the panic of the last cell began, and the number that its
// slot held; empty if unknown.
func (r *Runtime) PanicFuncs() []string {
	r.traceMu.Lock()
	defer r.traceMu.Unlock()
	if t := r.traces[r.cell]; len(t) > 0 {
		return t
	}
	return r.last
}

// recovered forgets the trace of a panic that user code has dealt with.
func (r *Runtime) recovered() {
	r.traceMu.Lock()
	delete(r.traces, getg())
	r.last = nil
	r.traceMu.Unlock()
}

// goStart runs f in a goroutine of its own. A panic in it is reported and ends only that goroutine.
func (r *Runtime) goStart(f func()) {
	r.live.Add(1)
	go func() {
		defer r.live.Add(-1)
		defer func() {
			if x := recover(); x != nil && x != any(Interrupted) && r.Panicked != nil {
				r.Panicked(fmt.Errorf("panic in a goroutine: %s", PanicText(x)))
			}
		}()
		f()
	}()
}
