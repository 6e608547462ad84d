// Package terminaltest runs a program in a terminal of its own and lets a test type and look at the screen. It never
// sleeps: it waits for what the screen must show.
package terminaltest

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long a screen may take to show what a test waits for.
const patience = 30 * time.Second

// Screen is a program in a terminal.
type Screen struct {
	t    testing.TB
	cmd  *exec.Cmd
	pty  *os.File
	vt   *vt.Emulator
	out  chan []byte // chunks of output; closed at the end of the program
	raw  strings.Builder
	over bool
}

// Start runs cmd in a terminal of the given size in columns and rows. The program is killed at the end of the test.
func Start(t testing.TB, cmd *exec.Cmd, width, height int) *Screen {
	t.Helper()
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
	if err != nil {
		t.Fatal(err)
	}
	s := &Screen{t: t, cmd: cmd, pty: f, vt: vt.NewEmulator(width, height), out: make(chan []byte, 64)}
	go func() {
		defer close(s.out)
		for {
			buf := make([]byte, 4096)
			n, err := f.Read(buf)
			if n > 0 {
				s.out <- buf[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	go func() { // what the terminal answers to questions of the program
		buf := make([]byte, 256)
		for {
			n, err := s.vt.Read(buf)
			if err != nil {
				return
			}
			f.Write(buf[:n])
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		f.Close()
		for range s.out {
		}
		if in, ok := s.vt.InputPipe().(io.Closer); ok { // the emulator's own Close races with its Read
			in.Close()
		}
	})
	return s
}

// Type sends keys.
func (s *Screen) Type(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatalf("typing %q: %v", keys, err)
	}
}

// Until waits until the screen satisfies ok; what is said when it does not in time.
func (s *Screen) Until(what string, ok func(screen string) bool) {
	s.t.Helper()
	late := time.After(patience)
	for !ok(s.Text()) {
		select {
		case chunk, more := <-s.out:
			if !more {
				s.over = true
				if ok(s.Text()) {
					return
				}
				s.t.Fatalf("the program ended before the screen showed %s:\n%s", what, s.Text())
			}
			s.raw.Write(chunk)
			s.vt.Write(chunk)
		case <-late:
			s.t.Fatalf("the screen never showed %s:\n%s", what, s.Text())
		}
	}
}

// See waits until the screen holds text.
func (s *Screen) See(text string) {
	s.t.Helper()
	s.Until("\""+text+"\"", func(screen string) bool { return strings.Contains(screen, text) })
}

// Last waits until the last line that is not blank is line.
func (s *Screen) Last(line string) {
	s.t.Helper()
	s.Until("the last line \""+line+"\"", func(screen string) bool {
		lines := strings.Split(strings.TrimRight(screen, " \n"), "\n")
		return strings.TrimRight(lines[len(lines)-1], " ") == line
	})
}

// Text is the screen as lines without trailing blanks.
func (s *Screen) Text() string {
	lines := strings.Split(s.vt.String(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Raw is every byte that the program wrote so far.
func (s *Screen) Raw() string { return s.raw.String() }

// Exit waits for the end of the program and returns its exit status.
func (s *Screen) Exit() int {
	s.t.Helper()
	late := time.After(patience)
	for !s.over {
		select {
		case chunk, more := <-s.out:
			s.over = !more
			s.raw.Write(chunk)
			s.vt.Write(chunk)
		case <-late:
			s.t.Fatalf("the program does not end:\n%s", s.Text())
		}
	}
	s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}
