package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flinkish/repl/session"
	"flinkish/viz"
)

// screen is what fills the terminal.
type screen uint8

const (
	onDashboard screen = 1 << iota
	onDetail
	onHelp
	anywhere = onDashboard | onDetail | onHelp
	onJob    = onDashboard | onDetail
)

// model is the state of a dashboard. Only Update changes it, on the program's goroutine.
type model struct {
	ctx   context.Context
	s     session.Session
	opt   Options
	style style
	tick  func() tea.Cmd // sends a tickMsg after the interval
	// work is held by a command while it uses the session, so that none is left behind.
	work sync.Mutex

	graph   session.Graph
	metrics session.Metrics
	samples []session.Sample // of the task with id sampled
	sampled string

	w, h     int
	glyphs   viz.Glyphs
	seed     uint64
	screen   screen
	back     screen // where help returns to
	selected int    // task
	focus    pane
	form     viz.Form // of the graph; Auto: by width
	scroll   map[pane]int
	note     string // why a key did nothing, or what happened

	paused   bool
	steps    int  // between two frames
	want     int  // steps asked for one by one and not yet taken
	inFlight bool // a command is reading or advancing the job
	ticking  bool // a tick is on its way
	stopping bool // the last key was Ctrl-C
	started  bool // the program runs: the terminal is not as it was
	crash    error
	frame    string
	visible  map[pane]int // content rows that the last frame gave each pane
	content  map[pane]int // content rows that it would have needed
	first    map[pane]int // content row that it began with
}

// newModel reads the job once, so that the first frame is complete.
func newModel(ctx context.Context, s session.Session, jobID string, o Options) (*model, error) {
	o = o.defaults()
	if jobID == "" && len(s.Jobs()) == 0 {
		return nil, errors.New("dashboard: no job yet; :run submits the streams built so far, env.ExecuteAsync(ctx) starts a job in the background")
	}
	metrics, err := s.Metrics(ctx, jobID)
	if err != nil {
		return nil, fmt.Errorf("dashboard: %w", err)
	}
	graph, err := s.Graph(ctx, metrics.Job.ID)
	if err != nil {
		return nil, fmt.Errorf("dashboard: %w", err)
	}
	settings := s.Settings()
	glyphs, err := viz.ParseGlyphs(string(settings.Glyphs))
	if err != nil {
		glyphs = viz.Unicode
	}
	m := &model{
		ctx: ctx, s: s, opt: o, graph: graph, metrics: metrics, glyphs: glyphs, seed: settings.Seed,
		w: 80, h: 24, screen: onDashboard, paused: o.Paused, steps: o.Steps, scroll: map[pane]int{},
	}
	m.tick = func() tea.Cmd {
		return tea.Tick(o.Interval, func(time.Time) tea.Msg { return tickMsg{} })
	}
	m.draw()
	return m, nil
}

// Init starts reading the samples, and the job if it may run.
func (m *model) Init() tea.Cmd {
	m.started = true
	return m.load(0)
}

// View returns the picture that Update made.
func (m *model) View() string { return m.frame }

// Update is the only place where the model changes.
func (m *model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			m.crash = fmt.Errorf("dashboard: internal error: %v; the job and the session go on", r)
			m.frame = ""
			next, cmd = m, tea.Quit
		}
	}()
	cmd = m.update(msg)
	m.draw()
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyMsg:
		return m.keys(msg)
	case tickMsg:
		m.ticking = false
		if m.runs() && !m.inFlight {
			return m.load(m.stride())
		}
	case loadedMsg:
		return m.loaded(msg)
	case cancelledMsg:
		if msg.err != nil {
			m.note = msg.err.Error()
		}
		return m.load(m.stride())
	case crashMsg:
		panic(msg.why)
	}
	return nil
}

// keys splits what arrived in one read: fast typing and key repeat come as one message of several runes.
func (m *model) keys(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Paste:
		m.note = "pasted text does nothing here; ? lists the keys"
		return nil
	case msg.Type != tea.KeyRunes || len(msg.Runes) < 2:
		return m.key(msg)
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		if cmd := m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// key finds the binding of a key that is valid here and runs it, or says why nothing happens.
func (m *model) key(msg tea.KeyMsg) tea.Cmd {
	m.note = ""
	wasStopping := m.stopping
	m.stopping = false
	for i := range bindings {
		b := &bindings[i]
		if b.screens&m.screen == 0 || !b.has(msg.String()) {
			continue
		}
		if b.cannot != nil {
			if why := b.cannot(m); why != "" {
				m.note = why
				return nil
			}
		}
		m.stopping = b.stop && !wasStopping
		if b.stop && wasStopping {
			return tea.Quit
		}
		return b.act(m, msg.String())
	}
	m.note = fmt.Sprintf("%s does nothing here; ? lists the keys", keyName(msg.String()))
	return nil
}

// runs reports whether the job is to be advanced (or watched, for a parallel one) by itself. One that
// is about to end is watched even while the picture is paused.
func (m *model) runs() bool {
	j := m.metrics.Job
	return !j.Done && (!m.paused || j.Status == "CANCELLING" || j.Status == "FAILING")
}

// stride is how many steps one frame takes.
func (m *model) stride() int {
	if !m.metrics.Job.Deterministic {
		return 0
	}
	return m.steps
}

// loaded takes in what a command has read, and starts the next one if there is a reason.
func (m *model) loaded(msg loadedMsg) tea.Cmd {
	m.inFlight = false
	if msg.err != nil {
		m.paused = true
		m.note = msg.err.Error()
		m.want = 0
		return nil
	}
	was := m.metrics.Job
	m.metrics = msg.metrics
	m.samples, m.sampled = msg.samples, msg.task
	if !was.Done && m.metrics.Job.Done {
		m.note = "the job is " + m.metrics.Job.Status + "; q leaves and prints a summary"
		m.want = 0
	} else if msg.byHand && m.metrics.Job.Status == "RUNNING" {
		m.note = stepped(msg)
	}
	switch {
	case m.want > 0 && !m.metrics.Job.Done:
		n := m.want
		m.want = 0
		return m.load(n)
	case m.sampled != m.taskID():
		return m.load(0)
	}
	return m.again()
}

// again asks for the next tick while the job runs. There is never more than one on its way.
func (m *model) again() tea.Cmd {
	if !m.runs() || m.ticking {
		return nil
	}
	m.ticking = true
	return m.tick()
}

func stepped(msg loadedMsg) string {
	switch {
	case msg.taken == 0:
		return "the job waits for something outside; no step was possible"
	case msg.taken == 1:
		return fmt.Sprintf("took step %d", msg.metrics.Job.Steps)
	}
	return fmt.Sprintf("took %d steps, up to step %d", msg.taken, msg.metrics.Job.Steps)
}

// task returns the selected task and its numbers.
func (m *model) task() (session.Task, session.TaskMetrics) {
	var t session.Task
	var tm session.TaskMetrics
	if m.selected < len(m.graph.Tasks) {
		t = m.graph.Tasks[m.selected]
	}
	if m.selected < len(m.metrics.Tasks) {
		tm = m.metrics.Tasks[m.selected]
	}
	return t, tm
}

func (m *model) taskID() string {
	t, _ := m.task()
	return t.ID
}
