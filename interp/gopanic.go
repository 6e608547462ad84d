// Panics of goroutines that cells started: one that comes while a cell runs ends that cell, as it ends a program; of one
// that comes between cells the session tells, and no cell fails by it.

package interp

import "cmp"

// goPanicked keeps the panic of a goroutine and ends the cell that runs, as the panic ends a program. Of several the
// first one counts, as a program would not see the second.
func (s *Session) goPanicked(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		s.between = cmp.Or(s.between, err)
		return
	}
	s.failed = cmp.Or(s.failed, err)
	s.rt.Stop()
}

// take gives one of the panics that goPanicked keeps, once.
func (s *Session) take(kept *error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := *kept
	*kept = nil
	return err
}

// GoPanic is the panic of a goroutine that came while no cell ran, or when the last statement of one had run, as a
// *RunError with its place: once, as no cell fails by it. It is nil if there is none.
func (s *Session) GoPanic() error {
	if err := s.take(&s.between); err != nil {
		return s.runError(Cell{}, "goroutine", err)
	}
	return nil
}
