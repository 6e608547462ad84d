package prompt

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unicode"
)

// Bracketed paste: what a terminal sends around pasted text, and how it is asked to.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	pasteOn    = "\x1b[?2004h"
	pasteOff   = "\x1b[?2004l"
)

// pasteFilter stands before readline, which knows no bracketed paste: a tab in a paste would complete and a newline
// would run half a cell. It takes a paste whole and passes one rune instead of it.
type pasteFilter struct {
	in      io.Reader
	raw     []byte // read and not yet understood
	ready   []byte // to be passed on
	pasting bool
	text    []byte // of the paste so far

	mu     sync.Mutex
	pastes [][]rune // in order, until readline meets their rune
}

// Read passes keys on. It is called by one goroutine.
func (f *pasteFilter) Read(p []byte) (int, error) {
	var buf [4096]byte
	for len(f.ready) == 0 {
		n, err := f.in.Read(buf[:])
		f.raw = append(f.raw, buf[:n]...)
		f.scan()
		if err != nil {
			if len(f.ready) == 0 {
				return 0, err
			}
			break
		}
	}
	n := copy(p, f.ready)
	f.ready = f.ready[n:]
	return n, nil
}

// Close leaves the terminal alone.
func (f *pasteFilter) Close() error { return nil }

// scan moves raw bytes to where they belong; the beginning of a mark waits for its rest.
func (f *pasteFilter) scan() {
	for len(f.raw) > 0 {
		mark := pasteStart
		if f.pasting {
			mark = pasteEnd
		}
		at := bytes.Index(f.raw, []byte(mark))
		if at < 0 {
			keep := partial(f.raw, mark)
			f.pass(f.raw[:len(f.raw)-keep])
			f.raw = append([]byte(nil), f.raw[len(f.raw)-keep:]...)
			return
		}
		f.pass(f.raw[:at])
		f.raw = f.raw[at+len(mark):]
		if f.pasting {
			f.finish()
		}
		f.pasting = !f.pasting
	}
}

func (f *pasteFilter) pass(b []byte) {
	if f.pasting {
		f.text = append(f.text, b...)
	} else {
		f.ready = append(f.ready, b...)
	}
}

// partial is the length of the longest end of b that begins mark.
func partial(b []byte, mark string) int {
	for n := min(len(mark)-1, len(b)); n > 0; n-- {
		if strings.HasPrefix(mark, string(b[len(b)-n:])) {
			return n
		}
	}
	return 0
}

func (f *pasteFilter) finish() {
	text := clean(stripPrompts(strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(string(f.text), "\r\n", "\n"), "\r", "\n"), "\n")))
	f.text = nil
	f.mu.Lock()
	f.pastes = append(f.pastes, []rune(toLine.Replace(text)))
	f.mu.Unlock()
	f.ready = append(f.ready, string(pasteRune)...)
}

// clean drops control characters other than newline and tab: pasted text must not work the terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// OnChange puts the next paste where its rune arrived. It implements readline.Listener.
func (f *pasteFilter) OnChange(line []rune, pos int, key rune) ([]rune, int, bool) {
	if key != pasteRune || pos == 0 || line[pos-1] != pasteRune {
		return nil, 0, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.pastes) == 0 {
		return nil, 0, false
	}
	text := f.pastes[0]
	f.pastes = f.pastes[1:]
	out := append(append(append([]rune{}, line[:pos-1]...), text...), line[pos:]...)
	return out, pos - 1 + len(text), true
}
