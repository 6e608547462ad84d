package kernel

import (
	"io"
	"sync"

	"flinkish/repl/session"
)

// pendingMax bounds what is kept of the output of parallel jobs while no cell runs, in bytes.
const pendingMax = 1 << 20

// outlet leads output to the caller of the cell that runs. What comes while none runs, from parallel jobs and from
// goroutines of cells, is kept for the next cell.
type outlet struct {
	mu      sync.Mutex
	on      func(session.Event)
	behind  bool // background jobs are being advanced
	pending []session.Event
	size    int
	lost    bool
}

func (o *outlet) begin(on func(session.Event)) {
	if on == nil {
		on = func(session.Event) {}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.on, o.behind = on, false
	for _, e := range o.pending {
		on(e)
	}
	if o.lost {
		on(session.Event{Stream: session.Problem, Diagnostic: &session.Diagnostic{Kind: session.Warning,
			Message: "output of background jobs was cut: more than 1 MB came between two cells"}})
	}
	o.pending, o.size, o.lost = nil, 0, false
}

func (o *outlet) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.on = nil
}

// background says that from now on output is that of background jobs.
func (o *outlet) background(yes bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.behind = yes
}

func (o *outlet) event(e session.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.on != nil {
		o.on(e)
	}
}

func (o *outlet) text(s session.Stream, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s == session.Stdout && (o.behind || o.on == nil) {
		s = session.Jobs
	}
	e := session.Event{Stream: s, Text: text}
	if o.on != nil {
		o.on(e)
		return
	}
	if o.size += len(text); o.size > pendingMax {
		o.lost = true
		return
	}
	o.pending = append(o.pending, e)
}

func (o *outlet) writer(s session.Stream) io.Writer { return &outWriter{o, s} }

type outWriter struct {
	o *outlet
	s session.Stream
}

func (w *outWriter) Write(p []byte) (int, error) {
	w.o.text(w.s, string(p))
	return len(p), nil
}
