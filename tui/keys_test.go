package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"
)

func TestNoKeyIsSilent(t *testing.T) {
	for name, make := range map[string]func() *fake{
		"running":  newFake,
		"finished": func() *fake { f := newFake(); f.status = "FINISHED"; return f },
		"parallel": func() *fake { f := newFake(); f.parallel = true; return f },
	} {
		for _, key := range []string{"j", "k", "<enter>", "<tab>", "<shift+tab>", "1", "2", "5", "s", "r", "+", "-", "t", "m", "J", "K", "?", "q", "x", "Z", "<esc>", "<ctrl+c>"} {
			for _, screen := range []string{"", "<enter>", "?"} {
				m := open(t, make(), 80, 24)
				press(m, screen)
				m.note = ""
				m.draw()
				before := m.View()
				if quit := press(m, key); !quit && m.View() == before && !(key == "1" && screen == "") {
					t.Errorf("%s job, after %q: %s changed nothing", name, screen, key)
				}
			}
		}
	}
}

func TestAStepIsOneStep(t *testing.T) {
	f := newFake()
	m := open(t, f, 80, 24)
	press(m, "rs")
	if !m.paused {
		t.Error("the job still runs after s")
	}
	before := f.steps
	press(m, "s")
	if f.steps != before+1 {
		t.Errorf("s took %d steps, want 1", f.steps-before)
	}
	if want := fmt.Sprintf("took step %d", f.steps); m.note != want {
		t.Errorf("got note %q, want %q", m.note, want)
	}
}

func TestStepsThatComeWhileOneIsTakenAreNotLost(t *testing.T) {
	f := newFake()
	m := open(t, f, 80, 24)
	before := f.steps
	_, first := m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("s")})
	for range 3 {
		if _, cmd := m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("s")}); cmd != nil {
			t.Fatal("a second command while one is in flight")
		}
	}
	settle(m, first)
	if got := f.steps - before; got != 4 {
		t.Errorf("took %d steps, want 4", got)
	}
}

func TestARunningJobAdvancesOncePerTick(t *testing.T) {
	f := newFake()
	m := open(t, f, 80, 24)
	f.advances = nil
	press(m, "r")
	for range 3 {
		send(m, tickMsg{})
	}
	if want := []int{64, 64, 64, 64}; !cmp.Equal(f.advances, want) {
		t.Errorf("asked for steps %v, want %v", f.advances, want)
	}
	press(m, "+r")
	send(m, tickMsg{})
	if len(f.advances) != 4 {
		t.Errorf("a paused job advanced: %v", f.advances)
	}
	press(m, "r")
	if got := f.advances[4]; got != 128 {
		t.Errorf("after + a frame takes %d steps, want 128", got)
	}
}

func TestThereIsNoTickForAPausedOrFinishedJob(t *testing.T) {
	f := newFake()
	f.last = f.steps + 80
	m := open(t, f, 80, 24)
	ticks := 0
	m.tick = func() tea.Cmd { ticks++; return nil }
	press(m, "r") // 64 steps
	if ticks != 1 {
		t.Fatalf("got %d ticks after r, want 1", ticks)
	}
	send(m, tickMsg{}) // the last 16
	if ticks != 1 || !m.metrics.Job.Done {
		t.Errorf("got %d ticks and done %v, want 1 and true", ticks, m.metrics.Job.Done)
	}
	if !strings.Contains(m.View(), "✓ FINISHED") {
		t.Errorf("the screen does not say FINISHED:\n%s", m.View())
	}
	for range 3 {
		press(m, "rs")
	}
	if ticks != 1 {
		t.Errorf("a finished job still ticks")
	}
}

func TestCtrlCCancelsAndASecondOneLeaves(t *testing.T) {
	f := newFake()
	m := open(t, f, 80, 24)
	if press(m, "<ctrl+c>") {
		t.Fatal("the first Ctrl-C left")
	}
	if f.status != "CANCELED" || !strings.Contains(m.View(), "CANCELED") {
		t.Errorf("the job is %s\n%s", f.status, m.View())
	}
	if !press(m, "<ctrl+c>") {
		t.Error("the second Ctrl-C did not leave")
	}
	m = open(t, newFake(), 80, 24)
	if press(m, "<ctrl+c>j<ctrl+c>") {
		t.Error("Ctrl-C left although another key came between")
	}
}

func TestACancelledJobIsWatchedToItsEndEvenWhilePaused(t *testing.T) {
	f := newFake()
	f.unwinds = 2
	m := open(t, f, 80, 24)
	press(m, "<ctrl+c>")
	if !strings.Contains(m.View(), "CANCELLING") || !m.ticking {
		t.Fatalf("ticking %v, want true and CANCELLING\n%s", m.ticking, m.View())
	}
	for range 3 {
		send(m, tickMsg{})
	}
	if !strings.Contains(m.View(), "■ CANCELED") || m.ticking {
		t.Errorf("ticking %v, want false and CANCELED\n%s", m.ticking, m.View())
	}
}

func TestKeysThatArriveTogetherAllCount(t *testing.T) {
	m := open(t, newFake(), 80, 24)
	send(m, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjj5")})
	if m.selected != 3 || m.focus != samplesPane {
		t.Errorf("got task %d and pane %d, want 3 and %d", m.selected, m.focus, samplesPane)
	}
	send(m, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("kkq"), Paste: true})
	if m.selected != 3 || !strings.Contains(m.note, "pasted") {
		t.Errorf("pasted text: got task %d and note %q", m.selected, m.note)
	}
}

func TestBackLeadsOutOfEachScreen(t *testing.T) {
	m := open(t, newFake(), 80, 24)
	if press(m, "<enter>?q") || m.screen != onDetail {
		t.Errorf("q from help: got screen %s, want detail", m.screen)
	}
	if press(m, "<esc>") || m.screen != onDashboard {
		t.Errorf("Esc from detail: got screen %s, want dashboard", m.screen)
	}
	if !press(m, "q") {
		t.Error("q did not leave the dashboard")
	}
}

func TestEveryKeyIsInTheHelpAndNoneTwice(t *testing.T) {
	seen := map[string]screen{}
	m := open(t, newFake(), 200, 60)
	press(m, "?")
	for _, b := range bindings {
		for _, k := range b.keys {
			if seen[k]&b.screens != 0 {
				t.Errorf("key %s has two meanings on one screen", k)
			}
			seen[k] |= b.screens
		}
		if b.help == "" || b.act == nil {
			t.Errorf("%s has no help or no action", b.show)
		}
		if b.screens&onDashboard != 0 && !strings.Contains(m.View(), b.help) {
			t.Errorf("the help lacks %s: %s", b.show, b.help)
		}
	}
}

func TestTheKeymapIsDocumented(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Keys of the dashboard\n\nThis page is made from the keymap by `go test ./tui -update`.\n\n| Key | Action | Screens |\n|---|---|---|\n")
	for _, k := range Keys() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", k.Keys, k.Help, k.In)
	}
	path := filepath.Join("..", "docs", "keys.md")
	if updating() {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(have), b.String()); d != "" {
		t.Errorf("docs/keys.md is stale, run go test ./tui -update (-have +want):\n%s", d)
	}
}
