package tui

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"flinkish/repl/session"
	"flinkish/viz"
)

// updating reports whether -update was given; the flag belongs to teatest.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	got += "\n"
	if updating() {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, d)
	}
}

// open makes a model of the session, sized, with everything read. Ticks come only when a test sends them.
func open(t *testing.T, s session.Session, w, h int) *model {
	t.Helper()
	m, err := newModel(context.Background(), s, "", Options{Paused: true})
	if err != nil {
		t.Fatal(err)
	}
	m.style = plainStyle()
	m.tick = func() tea.Cmd { return nil }
	settle(m, m.Init())
	send(m, tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// send delivers one message and all that follows from it; it reports whether the program would end.
func send(m *model, msg tea.Msg) (quit bool) {
	_, cmd := m.Update(msg)
	return settle(m, cmd)
}

func settle(m *model, cmd tea.Cmd) (quit bool) {
	for cmd != nil {
		msg := cmd()
		switch msg := msg.(type) {
		case tea.QuitMsg:
			return true
		case tea.BatchMsg:
			for _, c := range msg {
				quit = settle(m, c) || quit
			}
			return quit
		}
		_, cmd = m.Update(msg)
	}
	return false
}

// press types keys, each a rune or a name in <>.
func press(m *model, keys string) (quit bool) {
	names := map[string]tea.KeyType{"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEsc, "ctrl+c": tea.KeyCtrlC,
		"down": tea.KeyDown, "up": tea.KeyUp, "shift+tab": tea.KeyShiftTab, "pgdown": tea.KeyPgDown}
	for keys != "" {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(keys)[:1]}
		n := len(string(msg.Runes))
		if name, _, ok := strings.Cut(strings.TrimPrefix(keys, "<"), ">"); ok && keys[0] == '<' {
			msg = tea.KeyMsg{Type: names[name]}
			n = len(name) + 2
		}
		keys = keys[n:]
		quit = send(m, msg)
	}
	return quit
}

func TestScreensAtTheSizesOfTheLayout(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {100, 30}, {80, 24}, {60, 16}, {40, 10}, {39, 9}} {
		for _, g := range []session.Glyphs{session.Unicode, session.ASCII} {
			f := newFake()
			f.glyphs = g
			m := open(t, f, size[0], size[1])
			press(m, "jj")
			golden(t, fmt.Sprintf("dashboard-%dx%d-%s", size[0], size[1], g), m.View())
		}
	}
}

func TestOtherScreens(t *testing.T) {
	for name, c := range map[string]struct {
		keys string
		w, h int
	}{
		"detail-80x24": {"<enter>", 80, 24}, "detail-120x40": {"jj<enter>", 120, 40}, "help-80x24": {"?", 80, 24},
		"help-of-detail": {"<enter>?", 80, 24}, "samples-60x16": {"m", 60, 16}, "watermarks-80x24": {"4", 80, 24},
		"pressure-80x24": {"3", 80, 24}, "rails-120x40": {"t", 120, 40},
	} {
		m := open(t, newFake(), c.w, c.h)
		press(m, c.keys)
		golden(t, name, m.View())
	}
}

func TestFinishedAndFailedJobsSaySo(t *testing.T) {
	f := newFake()
	f.status, f.failure = "FAILED", "Enrich #3: index out of range\nwhile working on {u7 /cart}"
	golden(t, "failed-80x24", open(t, f, 80, 24).View())
	f = newFake()
	f.status = "FINISHED"
	golden(t, "finished-80x24", open(t, f, 80, 24).View())
}

func TestEveryFrameHasTheSizeOfTheTerminal(t *testing.T) {
	for _, screen := range []string{"", "2", "3", "4", "5", "<enter>", "?"} {
		m := open(t, newFake(), 80, 24)
		press(m, screen)
		for w := 1; w <= 130; w += 7 {
			for _, h := range []int{1, 9, 10, 16, 19, 20, 40} {
				send(m, tea.WindowSizeMsg{Width: w, Height: h})
				lines := strings.Split(m.View(), "\n")
				if w >= lineWidth && h >= lineHeight && len(lines) != h || len(lines) > h {
					t.Fatalf("%q at %dx%d: %d lines", screen, w, h, len(lines))
				}
				for _, l := range lines {
					if viz.Width(l) > w {
						t.Fatalf("%q at %dx%d: %d columns: %s", screen, w, h, viz.Width(l), l)
					}
				}
			}
		}
	}
}

func TestStyleChangesNoCharacter(t *testing.T) {
	for _, keys := range []string{"", "jj", "5", "<enter>", "?", "t"} {
		m := open(t, newFake(), 120, 40)
		press(m, keys)
		want := m.View()
		r := lipgloss.NewRenderer(nil)
		r.SetColorProfile(termenv.ANSI)
		m.style = makeStyle(r)
		m.draw()
		if m.View() == want {
			t.Errorf("%q: the picture has no colours", keys)
		}
		var got []string
		for _, l := range strings.Split(m.View(), "\n") {
			got = append(got, viz.Clean(l))
		}
		if d := cmp.Diff(want, strings.Join(got, "\n")); d != "" {
			t.Errorf("%q: colours changed the text (-want +got):\n%s", keys, d)
		}
	}
}

func TestTheBottleneckIsTheTaskThatHoldsItsInputsUp(t *testing.T) {
	m := open(t, newFake(), 80, 24)
	if got := m.bottleneck(); got != 2 {
		t.Errorf("got task %d, want 2 (Enrich)", got)
	}
	m.metrics.Tasks[0].BackPressured = 100 // OK
	if got := m.bottleneck(); got != -1 {
		t.Errorf("nothing is held up: got task %d, want none", got)
	}
}

func TestErrorsOfTheSessionAreShownAndPause(t *testing.T) {
	f := newFake()
	m := open(t, f, 80, 24)
	f.broken = fmt.Errorf("the kernel ended; :restart starts a new one")
	press(m, "r")
	if !strings.Contains(m.View(), "the kernel ended") || !m.paused {
		t.Errorf("paused %v\n%s", m.paused, m.View())
	}
}

func TestAnUnknownJobIsAnErrorBeforeTheScreenOpens(t *testing.T) {
	_, err := Dashboard(context.Background(), newFake(), "nope", Options{})
	if err == nil || !strings.Contains(err.Error(), `dashboard: no job is called "nope"`) {
		t.Errorf("got %v", err)
	}
}

func TestTheSummaryIsOnePlainScreen(t *testing.T) {
	m := open(t, newFake(), 80, 24)
	golden(t, "summary", m.summary())
}
