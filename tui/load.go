package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"flinkish/repl/session"
)

// sampleCount is how many records the samples pane may show.
const sampleCount = 50

// tickMsg says that it is time for the next frame.
type tickMsg struct{}

// loadedMsg is what a command has read.
type loadedMsg struct {
	metrics session.Metrics
	samples []session.Sample
	task    string // that the samples belong to
	byHand  bool   // the steps were asked for by a key
	taken   int    // steps
	err     error
}

// cancelledMsg says that the job was asked to stop.
type cancelledMsg struct{ err error }

// crashMsg is a panic in a command.
type crashMsg struct{ why any }

// load advances the job by at most steps and reads it. There is never more than one such command: the
// caller must have seen that none is in flight, or its wish is kept in want.
func (m *model) load(steps int) tea.Cmd {
	if m.inFlight {
		if steps > 0 && m.paused {
			m.want += steps
		}
		return nil
	}
	m.inFlight = true
	ctx, s, job, task, byHand := m.ctx, m.s, m.metrics.Job, m.taskID(), m.paused && steps > 0
	return m.guard(func() tea.Msg {
		msg := loadedMsg{task: task, byHand: byHand}
		if steps > 0 && job.Deterministic && !job.Done {
			msg.taken, msg.err = s.Advance(ctx, job.ID, steps)
		}
		if msg.err == nil {
			msg.metrics, msg.err = s.Metrics(ctx, job.ID)
		}
		if msg.err == nil && task != "" {
			msg.samples, msg.err = s.Samples(ctx, job.ID, task, sampleCount)
		}
		return msg
	})
}

// cancel asks the job to stop.
func (m *model) cancel() tea.Cmd {
	ctx, s, id := m.ctx, m.s, m.metrics.Job.ID
	return m.guard(func() tea.Msg { return cancelledMsg{s.Cancel(ctx, id)} })
}

// guard runs a command: alone, not at all once the dashboard is being left, and with a panic as a
// message, because the program would print a stack trace.
func (m *model) guard(f func() tea.Msg) tea.Cmd {
	ctx := m.ctx
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashMsg{r}
			}
		}()
		m.work.Lock()
		defer m.work.Unlock()
		if ctx.Err() != nil {
			return nil
		}
		return f()
	}
}

// leave waits until no command uses the session any more.
func (m *model) leave() {
	m.work.Lock()
	defer m.work.Unlock()
}
