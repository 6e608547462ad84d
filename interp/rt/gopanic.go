// Panics in goroutines that cells start. In a program they would end it; here they fail the cell that runs.

package rt

// GoPanic is the panic of a goroutine that a cell started.
type GoPanic struct{ Value any }

func (e *GoPanic) Error() string { return "panic in a goroutine: " + PanicText(e.Value) }

// goPanicked keeps the panic x of the calling goroutine, with its statement. Of several the first one counts, as in a
// program, which would not see the second.
func (r *Runtime) goPanicked(x any) {
	var err error = &GoPanic{x}
	r.traceMu.Lock()
	if slot, n := innermost(r.traces[getg()]); slot >= 0 {
		err = &Placed{err, slot, n}
	}
	delete(r.traces, getg())
	r.traceMu.Unlock()
	r.runMu.Lock()
	if r.failed == nil {
		r.failed = err
	}
	r.runMu.Unlock()
	if r.Panicked != nil {
		r.Panicked(err)
	}
}

// TakeGoPanic is the panic of a goroutine that no cell has failed by yet, once; nil if there is none.
func (r *Runtime) TakeGoPanic() error {
	r.runMu.Lock()
	defer r.runMu.Unlock()
	err := r.failed
	r.failed = nil
	return err
}
