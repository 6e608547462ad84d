// Package kernel answers the session protocol in this process: it runs cells with an interp.Session, over an
// environment of package dataflow, and keeps the jobs that they start.
package kernel

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"flinkish/dataflow"
	"flinkish/interp"
	"flinkish/repl/session"
)

// Kernel implements session.Session.
type Kernel struct {
	// mu serialises everything that touches the interpreter or the environment. Jobs have their own lock, so that
	// a screen can look at them while a cell runs.
	mu     sync.Mutex
	opt    session.Options
	env    *dataflow.StreamExecutionEnvironment
	in     *interp.Session
	ran    map[string]bool      // keys of the cells that ran
	places map[int]session.Cell // where each cell stands, by number
	last   int                  // number of the latest cell
	closed bool
	broken error // why the session could not start

	out  outlet
	jobs jobTable

	running  atomic.Pointer[context.CancelFunc] // of the cell that runs
	cell     atomic.Pointer[session.Cell]       // the latest that began
	clock    atomic.Int64                       // virtual time of the session, ns; the latest that a job reached
	settings atomic.Pointer[session.Settings]   // a copy for readers
}

// New starts a session. It is a session.New. The interpreter gets ready in the background, so that a prompt need not
// wait for it; the first request does.
func New(o session.Options) (session.Session, error) {
	k := &Kernel{opt: o.Defaults()}
	k.settings.Store(&k.opt.Settings)
	k.mu.Lock()
	go func() {
		defer k.mu.Unlock()
		if err := k.start(); err != nil {
			k.broken = err
		}
	}()
	return k, nil
}

// start makes environment and interpreter; the caller holds mu or is alone.
func (k *Kernel) start() error {
	k.clock.Store(k.opt.Clock.UnixNano())
	k.ran = map[string]bool{}
	k.places = map[int]session.Cell{}
	k.last = 0
	k.env = dataflow.NewEnv(k.engine(), dataflow.WithParallelism(k.opt.Parallelism), dataflow.WithClock(k.now),
		dataflow.WithOutput(k.out.writer(session.Stdout), k.out.writer(session.Stderr)))
	k.env.OnJob(k.submitted)
	in, err := interp.New(interp.Options{
		Stdout: k.out.writer(session.Stdout), Stderr: k.out.writer(session.Stderr),
		Env: k.env, Seed: int64(k.opt.Seed), Deterministic: k.opt.Engine == session.Deterministic,
		Now: k.now, Advance: k.advance, Virtual: k.virtual, Dir: k.opt.Dir, Trust: k.opt.Trust,
	})
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	k.in = in
	k.publish()
	return nil
}

func (k *Kernel) engine() dataflow.EnvOption {
	if k.opt.Engine == session.Parallel {
		return dataflow.WithParallelScheduler()
	}
	return dataflow.WithDeterministic(k.opt.Seed)
}

// now is the session's clock: virtual in the deterministic engine, else the wall clock.
func (k *Kernel) now() time.Time {
	if !k.virtual() {
		return time.Now()
	}
	return time.Unix(0, k.clock.Load()).UTC()
}

func (k *Kernel) virtual() bool { return k.Settings().Engine != session.Parallel }

// advance moves the session's clock on: a cell slept.
func (k *Kernel) advance(d time.Duration) {
	k.clock.Add(int64(d))
}

// Settings returns the present settings. It does not wait for a running cell, because drawings ask while one runs.
func (k *Kernel) Settings() session.Settings { return *k.settings.Load() }

// publish makes the settings visible after they may have changed; the caller holds mu.
func (k *Kernel) publish() {
	s := k.opt.Settings
	s.Parallelism = k.env.Parallelism()
	k.settings.Store(&s)
}

// Set changes one setting.
func (k *Kernel) Set(_ context.Context, name, value string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return err
	}
	defer k.publish()
	switch name {
	case "engine":
		return k.setEngine(session.Engine(value))
	case "seed":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil || n == 0 {
			return fmt.Errorf("set: seed must be a whole number from 1, got %q", value)
		}
		k.opt.Seed = n
		return k.reconfigure()
	case "parallelism":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("set: parallelism must be a whole number from 1, got %q", value)
		}
		k.opt.Parallelism = n
		k.env.SetParallelism(n)
	case "glyphs":
		g := session.Glyphs(value)
		if g != session.Unicode && g != session.Block && g != session.ASCII {
			return fmt.Errorf("set: glyphs must be unicode, block or ascii, got %q", value)
		}
		k.opt.Glyphs = g
	case "max":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("set: max must be a whole number from 1, got %q", value)
		}
		k.opt.Max = n
	default:
		return fmt.Errorf("set: no setting is called %q; there are engine, seed, parallelism, glyphs and max", name)
	}
	return nil
}

func (k *Kernel) setEngine(e session.Engine) error {
	if e != session.Deterministic && e != session.Parallel {
		return fmt.Errorf("set: engine must be deterministic or parallel, got %q", e)
	}
	k.opt.Engine = e
	return k.reconfigure()
}

// reconfigure makes the environment follow the options. While nothing ran, the interpreter starts anew too, so
// that its random numbers and map order follow the seed.
func (k *Kernel) reconfigure() error {
	if k.last == 0 {
		k.stop()
		return k.start()
	}
	k.env.Configure(k.engine())
	return k.env.TakeErr()
}

// Reset starts as new with the same settings.
func (k *Kernel) Reset(context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.ready(); err != nil {
		return err
	}
	k.stop()
	k.jobs.clear()
	return k.start()
}

// stop ends jobs, environment and interpreter. A function that does not return although its job was cancelled ends at a loop
// turn when the engine has given it up.
func (k *Kernel) stop() {
	jobs, in := k.jobs.live(), k.in
	k.jobs.cancelAll()
	k.env.Close()
	k.in.Close()
	if len(jobs) == 0 {
		return
	}
	stop := in.Drive()
	go func() {
		if len(lost(jobs)) > 0 {
			stop()
		}
	}()
}

// Interrupt stops the running cell.
func (k *Kernel) Interrupt() {
	if cancel := k.running.Load(); cancel != nil {
		(*cancel)()
		k.in.Interrupt()
	}
}

// Close ends the session.
func (k *Kernel) Close() error {
	k.Interrupt()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil
	}
	usable := k.ready() == nil
	k.closed = true
	if usable {
		k.stop()
	}
	return nil
}

// ready says why the session can do nothing; the caller holds mu.
func (k *Kernel) ready() error {
	if k.closed {
		return errClosed
	}
	return k.broken
}

var errClosed = fmt.Errorf("session: it is closed")
