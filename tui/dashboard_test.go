package tui

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/teatest"
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
		if _, ok := msg.(tea.QuitMsg); ok {
			return true
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
		for w := 1; w <= 130; w += 7 {
			for _, h := range []int{1, 9, 10, 16, 19, 20, 40} {
				m := open(t, newFake(), w, h)
				press(m, screen)
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
	if want := []int{2000, 2000, 2000, 2000}; !cmp.Equal(f.advances, want) {
		t.Errorf("asked for steps %v, want %v", f.advances, want)
	}
	press(m, "+r")
	send(m, tickMsg{})
	if len(f.advances) != 4 {
		t.Errorf("a paused job advanced: %v", f.advances)
	}
	press(m, "r")
	if got := f.advances[4]; got != 4000 {
		t.Errorf("after + a frame takes %d steps, want 4000", got)
	}
}

func TestThereIsNoTickForAPausedOrFinishedJob(t *testing.T) {
	f := newFake()
	f.last = f.steps + 2500
	m := open(t, f, 80, 24)
	ticks := 0
	m.tick = func() tea.Cmd { ticks++; return nil }
	press(m, "r") // 2000 steps
	if ticks != 1 {
		t.Fatalf("got %d ticks after r, want 1", ticks)
	}
	send(m, tickMsg{}) // the last 500
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
	f.last = f.steps + 10_000
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
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	var out strings.Builder
	summary, err := Dashboard(ctx, newFake(), "", Options{Input: r, Output: &out})
	if err != context.Canceled || summary == "" {
		t.Errorf("got summary %q and error %v, want a summary and %v", summary, err, context.Canceled)
	}
}
