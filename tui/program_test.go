package tui

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/teatest"
	"github.com/muesli/termenv"
)

// run starts the real program on the model and types keys.
func run(t *testing.T, m *model, keys ...tea.KeyMsg) *model {
	t.Helper()
	tm := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
	for _, k := range keys {
		tm.Send(k)
	}
	return tm.FinalModel(t, teatest.WithFinalTimeout(20*time.Second)).(*model)
}

func TestKeysReachTheProgram(t *testing.T) {
	f := newFake()
	m, err := newModel(context.Background(), f, "", Options{Paused: true})
	if err != nil {
		t.Fatal(err)
	}
	m.style = plainStyle()
	r := func(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
	end := run(t, m, r("j"), r("j"), tea.KeyMsg{Type: tea.KeyEnter}, r("?"), r("q"), r("q"), r("q"))
	if end.selected != 2 || end.screen != onDashboard || end.crash != nil {
		t.Errorf("got task %d, screen %s, crash %v", end.selected, end.screen, end.crash)
	}
}

func TestARunningJobFinishesInTheProgram(t *testing.T) {
	f := newFake()
	f.last = f.steps + 500
	m, err := newModel(context.Background(), f, "", Options{Interval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	m.style = plainStyle()
	tm := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return strings.Contains(string(b), "FINISHED") }, teatest.WithDuration(20*time.Second))
	tm.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")})
	end := tm.FinalModel(t, teatest.WithFinalTimeout(20*time.Second)).(*model)
	if end.metrics.Job.Steps != f.last {
		t.Errorf("got step %d, want %d", end.metrics.Job.Steps, f.last)
	}
}

func TestAPanicEndsTheProgramWithoutAStackTrace(t *testing.T) {
	f := newFake()
	f.panics = true
	var out strings.Builder
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer w.Close()
	summary, err := Dashboard(context.Background(), f, "", Options{Input: in, Output: &out, Paused: true})
	if err == nil || !strings.Contains(err.Error(), "internal error: samples broke") {
		t.Errorf("got error %v", err)
	}
	if !strings.Contains(summary, "clicks-by-page") {
		t.Errorf("got summary %q", summary)
	}
	checkRestored(t, out.String())
}

// checkRestored looks for what leaves the alternate screen and shows the cursor again.
func checkRestored(t *testing.T, out string) {
	t.Helper()
	for _, sequence := range []string{"\x1b[?1049l", "\x1b[?25h"} {
		if !strings.Contains(out, sequence) {
			t.Errorf("the terminal was not restored: no %q in %q", sequence, out)
		}
	}
	if strings.Contains(out, "goroutine") {
		t.Errorf("a stack trace: %q", out)
	}
}

func TestInputThatCannotBeReadLeavesTheTerminalUsable(t *testing.T) {
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out strings.Builder
	if _, err := Dashboard(context.Background(), newFake(), "", Options{Input: in, Output: &out}); err == nil {
		t.Skip("this system can wait for the null device")
	}
	checkRestored(t, out.String())
}

func BenchmarkFrame(b *testing.B) {
	m, err := newModel(context.Background(), newFake(), "", Options{Paused: true})
	if err != nil {
		b.Fatal(err)
	}
	settle(m, m.Init())
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.ANSI)
	m.style = makeStyle(r)
	m.w, m.h = 120, 40
	for b.Loop() {
		m.draw()
	}
}

func TestADoneContextEndsTheDashboard(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, w := io.Pipe() // a program that is killed does not wait for its reader, which may outlive this test
	defer w.Close()
	var out strings.Builder
	summary, err := Dashboard(ctx, newFake(), "", Options{Input: r, Output: &out})
	if err != context.Canceled || summary == "" {
		t.Errorf("got summary %q and error %v, want a summary and %v", summary, err, context.Canceled)
	}
}
