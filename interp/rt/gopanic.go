// Panics in goroutines that cells start. In a program they would end it; here the session hears of them.

package rt

// GoPanic is the panic of a goroutine that a cell started.
type GoPanic struct{ Value any }

func (e *GoPanic) Error() string { return "panic in a goroutine: " + PanicText(e.Value) }

// goPanicked reports the panic x of the calling goroutine, with its statement.
func (r *Runtime) goPanicked(x any) {
	var err error = &GoPanic{x}
	r.traceMu.Lock()
	if slot, n := innermost(r.traces[getg()]); slot >= 0 {
		err = &Placed{err, slot, n}
	}
	delete(r.traces, getg())
	r.traceMu.Unlock()
	if r.Panicked != nil {
		r.Panicked(err)
	}
}
