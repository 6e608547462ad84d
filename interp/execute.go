// Running a loaded cell, and how it ends: by itself, by a panic, because somebody stopped it, or because it would wait for ever.

package interp

import (
	"context"
	"fmt"

	"flinkish/interp/lower"
	"flinkish/interp/rt"
)

// run executes a loaded sub-cell. It fails if the panic of a goroutine cuts the cell short.
func (s *Session) run(ctx context.Context, c Cell, p *lower.Program) error {
	s.entry = p.Entry
	failed := s.take(&s.failed)
	if failed == nil {
		var err error
		if failed, err = s.execute(ctx, c, p); err != nil {
			failed = s.take(&s.failed)
		}
		if failed == nil {
			return err
		}
	}
	s.rt.Resume() // only what the cell started is stopped, not the jobs that go on
	return s.runError(c, "goroutine", failed)
}

// end is how the goroutine of a cell ended.
type end struct {
	panicked any
	failed   error
	ok       bool
}

// execute runs a loaded sub-cell in a goroutine of its own. failed is the panic of another goroutine that came before all of
// it had run.
func (s *Session) execute(ctx context.Context, c Cell, p *lower.Program) (failed, err error) {
	f, err := s.back.entry(p)
	if err != nil {
		return nil, s.internal(c, p, err)
	}
	done, dead := make(chan end, 1), s.rt.Dead()
	go func() {
		e := end{}
		defer func() {
			if !e.ok {
				e.panicked = recover()
			}
			done <- e
		}()
		defer s.rt.Begin()()
		f()
		if ctx.Err() == nil {
			e.failed = s.take(&s.failed)
		}
		e.ok = true
	}()
	e, hangs := end{}, false
	select {
	case e = <-done:
	case <-ctx.Done():
		s.rt.Stop()
		e, hangs = s.unwound(done)
	case <-dead:
		e, hangs = s.unwound(done)
	}
	switch {
	case closed(dead):
		return nil, s.runError(c, "deadlock", rt.ErrDeadlock)
	case hangs:
		return nil, s.blocked(c, int(s.hung.Load())-1)
	case e.ok:
		return e.failed, nil
	case ctx.Err() != nil || s.rt.Stopped():
		return nil, ErrInterrupted
	case e.panicked == nil: // Goexit: the recursion limit
		return nil, s.runError(c, "panic", rt.ErrTooDeep)
	}
	return nil, s.runError(c, "panic", e.panicked)
}

// unwound waits for a stopped cell to end. One that does not is left alone, and counted.
func (s *Session) unwound(done <-chan end) (e end, hangs bool) {
	select {
	case e = <-done:
		return e, false
	case <-grace():
	}
	s.hung.Add(1)
	go func() {
		<-done
		s.hung.Add(-1)
	}()
	return end{}, true
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// blocked is the error of a cell that was stopped and does not end: it says where it hangs, and how many others do.
func (s *Session) blocked(c Cell, others int) error {
	e := &RunError{Cell: c.Name, Number: c.Number, Kind: "interrupted", Err: ErrInterrupted}
	if _, n, _ := s.lower.Where(s.entry); n >= 0 {
		s.place(e, s.lower.Place(n, s.rt.CellAt(n)))
	}
	where := "this statement"
	if e.Line > 0 {
		where = fmt.Sprint("line ", e.Line)
	}
	e.Msg = "interrupted, but a call in " + where + " does not end; it goes on in the background"
	switch {
	case others == 1:
		e.Msg += ", as 1 earlier call does"
	case others > 1:
		e.Msg += fmt.Sprintf(", as %d earlier calls do", others)
	}
	return e
}
