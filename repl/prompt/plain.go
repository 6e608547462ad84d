package prompt

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
)

// plain reads lines as the terminal sends them, without editing of our own and without escape sequences.
type plain struct {
	ctx   context.Context
	out   io.Writer
	sig   <-chan os.Signal // Ctrl-C
	ask   chan struct{}
	lines chan plainLine
	asked bool // a read that an interrupt left behind
}

type plainLine struct {
	text string
	err  error
}

func newPlain(ctx context.Context, in io.Reader, out io.Writer, sig <-chan os.Signal) *plain {
	p := &plain{ctx: ctx, out: out, sig: sig, ask: make(chan struct{}, 1), lines: make(chan plainLine, 1)}
	go func() {
		r := bufio.NewReader(in)
		for range p.ask {
			text, err := r.ReadString('\n')
			if err == io.EOF && text != "" {
				err = nil
			}
			p.lines <- plainLine{strings.TrimRight(text, "\r\n"), err}
		}
	}()
	return p
}

// Line reads one line.
func (p *plain) Line(prompt string, _ []string) (string, error) {
	select {
	case <-p.sig: // it was for the cell that ended
	default:
	}
	io.WriteString(p.out, prompt)
	if !p.asked {
		p.ask <- struct{}{}
		p.asked = true
	}
	select {
	case l := <-p.lines:
		p.asked = false
		if l.err != nil {
			io.WriteString(p.out, "\n")
		}
		return l.text, l.err
	case <-p.sig:
		io.WriteString(p.out, "\n")
		return "", errInterrupt
	case <-p.ctx.Done():
		return "", io.EOF
	}
}

// Remember does nothing: there is no recall.
func (p *plain) Remember(string) {}

// Close does nothing: the terminal was left as it is.
func (p *plain) Close() error { return nil }
