package show

import (
	"io"
	"strings"
	"sync"

	"flinkish/repl/session"
)

// Printer writes events: results to Out, diagnostics to Err. It is safe for concurrent use.
type Printer struct {
	Out, Err io.Writer
	// Notes writes what is for people only, such as warnings' company and progress, to Out.
	Notes bool
	// Options are asked for at each event, because width and glyphs may change; nil means the zero value.
	Options func() Options

	mu      sync.Mutex
	partial bool // Out ended in the middle of a line
}

// Event writes one event.
func (p *Printer) Event(e session.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Diagnostic != nil:
		p.diagnostic(e.Diagnostic)
	case e.Value != nil:
		p.out(Value(*e.Value, p.options()))
	case e.Stream == session.Stderr:
		io.WriteString(p.Err, e.Text)
	case e.Stream == session.Note:
		if p.Notes {
			p.fresh()
			p.out(e.Text)
		}
	default:
		p.out(e.Text)
	}
}

// Fresh ends a line that the output left open, where a person looks.
func (p *Printer) Fresh() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh()
}

func (p *Printer) fresh() {
	if p.Notes && p.partial {
		p.out("\n")
	}
}

func (p *Printer) diagnostic(d *session.Diagnostic) {
	p.fresh()
	width := 0
	if o := p.options(); !o.Whole {
		width = o.width()
	}
	text := d.Fit(width)
	if d.Kind == session.Warning {
		text = "warning: " + text
	}
	io.WriteString(p.Err, text+"\n")
}

func (p *Printer) out(text string) {
	if text == "" {
		return
	}
	io.WriteString(p.Out, text)
	p.partial = !strings.HasSuffix(text, "\n")
}

func (p *Printer) options() Options {
	if p.Options == nil {
		return Options{}
	}
	return p.Options()
}
