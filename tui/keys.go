package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flinkish/viz"
)

// binding is one row of the keymap. Footer, help and the documentation are made from it.
type binding struct {
	keys    []string // as bubbletea names them
	show    string   // as the help names them
	foot    string   // as the footer names them; empty: as the help
	word    string   // what they do, for the footer; empty: not there
	help    string   // one sentence
	screens screen   // where it is valid
	stop    bool     // a second press in a row leaves
	// cannot says why the key can do nothing now, or "". Nil: it always can.
	cannot func(*model) string
	act    func(*model, string) tea.Cmd
}

func (b *binding) has(key string) bool { return slices.Contains(b.keys, key) }

// Key is one row of the keymap for documentation.
type Key struct {
	Keys string // such as Tab
	Help string // one sentence
	In   string // the screens, such as dashboard, detail
}

// Keys returns the keymap in the order of the help.
func Keys() []Key {
	list := make([]Key, len(bindings))
	for i, b := range bindings {
		list[i] = Key{Keys: b.show, Help: b.help, In: b.screens.String()}
	}
	return list
}

// String names the screens of a set.
func (s screen) String() string {
	if s == anywhere {
		return "everywhere"
	}
	var names []string
	for _, n := range []struct {
		bit  screen
		name string
	}{{onDashboard, "dashboard"}, {onDetail, "detail"}, {onHelp, "help"}} {
		if s&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ", ")
}

// keyName is a key as the help writes it.
func keyName(key string) string {
	switch {
	case key == " ":
		return "Space"
	case strings.HasPrefix(key, "ctrl+"):
		return "Ctrl-" + strings.ToUpper(key[len("ctrl+"):])
	}
	return viz.Truncate(viz.Clean(key), 20, viz.ASCII)
}

// bindings is filled by init, because help shows it.
var bindings []binding

func init() {
	bindings = []binding{
		{keys: []string{"j", "down"}, show: "j", foot: "j/k", word: "task", help: "select the next task; the down arrow works, too",
			screens: onJob, cannot: func(m *model) string { return m.cannotMove(1) }, act: func(m *model, _ string) tea.Cmd { return m.move(1) }},
		{keys: []string{"k", "up"}, show: "k", help: "select the previous task; the up arrow works, too",
			screens: onJob, cannot: func(m *model) string { return m.cannotMove(-1) }, act: func(m *model, _ string) tea.Cmd { return m.move(-1) }},
		{keys: []string{"tab", "shift+tab"}, show: "Tab", word: "pane", help: "go to the next pane; Shift-Tab goes back",
			screens: onDashboard, act: nextPane},
		{keys: []string{"s"}, show: "s", word: "step", help: "pause and advance the job by one step",
			screens: onJob, cannot: (*model).cannotStep, act: func(m *model, _ string) tea.Cmd { m.paused = true; return m.load(1) }},
		{keys: []string{"r"}, show: "r", word: "run/pause", help: "pause the job, or let it run on",
			screens: onJob, cannot: (*model).ended, act: runOrPause},
		{keys: []string{"enter"}, show: "Enter", word: "open", help: "show everything about the selected task",
			screens: onDashboard, cannot: (*model).noTask, act: func(m *model, _ string) tea.Cmd { m.screen = onDetail; return nil }},
		{keys: []string{"+"}, show: "+", help: "take twice as many steps between two frames",
			screens: onJob, cannot: (*model).cannotStep, act: func(m *model, _ string) tea.Cmd { return m.speed(m.steps * 2) }},
		{keys: []string{"-"}, show: "-", help: "take half as many steps between two frames",
			screens: onJob, cannot: (*model).cannotStep, act: func(m *model, _ string) tea.Cmd { return m.speed(m.steps / 2) }},
		{keys: []string{"t"}, show: "t", word: "graph", help: "switch between boxes and one line for each task",
			screens: onDashboard, cannot: (*model).cannotToggle, act: toggleForm},
		{keys: []string{"m"}, show: "m", word: "sample", help: "go to the sampled records, or back to the graph",
			screens: onDashboard, act: toggleSamples},
		{keys: []string{"1", "2", "3", "4", "5"}, show: "1-5", help: "go to the pane with this number",
			screens: onDashboard, act: func(m *model, key string) tea.Cmd { m.focus = pane(key[0] - '1'); return nil }},
		{keys: []string{"J", "pgdown", " "}, show: "J", help: "scroll the pane down; PgDn and Space work, too",
			screens: anywhere, cannot: func(m *model) string { return m.cannotScroll(1) }, act: func(m *model, _ string) tea.Cmd { m.scrollBy(1); return nil }},
		{keys: []string{"K", "pgup"}, show: "K", help: "scroll the pane up; PgUp works, too",
			screens: anywhere, cannot: func(m *model) string { return m.cannotScroll(-1) }, act: func(m *model, _ string) tea.Cmd { m.scrollBy(-1); return nil }},
		{keys: []string{"ctrl+c"}, show: "Ctrl-C", help: "cancel the job; a second press leaves",
			screens: anywhere, stop: true, act: stopJob},
		{keys: []string{"ctrl+z"}, show: "Ctrl-Z", help: "suspend flinkish; fg in the shell brings it back",
			screens: anywhere, act: func(*model, string) tea.Cmd { return tea.Suspend }},
		{keys: []string{"ctrl+l"}, show: "Ctrl-L", help: "draw the screen again",
			screens: anywhere, act: func(*model, string) tea.Cmd { return tea.ClearScreen }},
		{keys: []string{"?"}, show: "?", word: "help", help: "list the keys, or return from the list",
			screens: anywhere, act: toggleHelp},
		{keys: []string{"q", "esc"}, show: "q", word: "back", help: "go back, or leave the dashboard and print a summary; Esc works, too",
			screens: anywhere, act: goBack},
	}
}

func (m *model) noTask() string {
	if len(m.graph.Tasks) == 0 {
		return "the job has no task"
	}
	return ""
}

func (m *model) cannotMove(by int) string {
	switch at := m.selected + by; {
	case at < 0:
		return "this is the first task"
	case at >= len(m.graph.Tasks):
		return "this is the last task"
	}
	return ""
}

func (m *model) move(by int) tea.Cmd {
	m.selected += by
	m.scroll = map[pane]int{}
	return m.load(0)
}

func (m *model) ended() string {
	if m.metrics.Job.Done {
		return "the job is " + m.metrics.Job.Status + " and will not run again"
	}
	return ""
}

func (m *model) cannotStep() string {
	if why := m.ended(); why != "" {
		return why
	}
	if !m.metrics.Job.Deterministic {
		return "a job of the parallel engine cannot be stepped; :set engine deterministic"
	}
	return ""
}

func (m *model) speed(steps int) tea.Cmd {
	m.steps = min(max(steps, 1), maxSteps)
	m.note = fmt.Sprintf("up to %d steps between two frames", m.steps)
	return nil
}

func runOrPause(m *model, _ string) tea.Cmd {
	m.paused = !m.paused
	if m.paused {
		m.note = "paused; r runs on, s takes one step"
		if !m.metrics.Job.Deterministic {
			m.note = "the picture stands; the job of the parallel engine goes on"
		}
		return nil
	}
	if m.inFlight {
		return nil // its answer asks for the next tick
	}
	return m.load(m.stride())
}

func nextPane(m *model, key string) tea.Cmd {
	by := 1
	if key == "shift+tab" {
		by = int(paneCount) - 1
	}
	m.focus = pane((int(m.focus) + by) % int(paneCount))
	return nil
}

func toggleSamples(m *model, _ string) tea.Cmd {
	if m.focus == samplesPane {
		m.focus = graphPane
	} else {
		m.focus = samplesPane
	}
	return nil
}

func stopJob(m *model, _ string) tea.Cmd {
	if m.metrics.Job.Done {
		m.note = "the job is " + m.metrics.Job.Status + "; Ctrl-C again leaves"
		return nil
	}
	m.note = "cancelling the job; Ctrl-C again leaves"
	return m.cancel()
}

func toggleHelp(m *model, _ string) tea.Cmd {
	m.scroll[helpPane] = 0
	if m.screen == onHelp {
		m.screen = m.back
		return nil
	}
	m.back, m.screen = m.screen, onHelp
	return nil
}

func goBack(m *model, _ string) tea.Cmd {
	switch m.screen {
	case onHelp:
		m.screen = m.back
	case onDetail:
		m.screen = onDashboard
	default:
		return tea.Quit
	}
	return nil
}
