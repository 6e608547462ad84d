// Package tui has the full-screen views of a session: the dashboard of one job.
//
// A view knows the session only through its protocol (package session). The model is passive: Update is
// the only place where state changes, slow work is a command, and time comes as a message. The picture
// is made at the end of Update, so that one recover guards all of it and the terminal is always given
// back.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"flinkish/repl/session"
)

// Options change how a dashboard runs. The zero value is right for a terminal.
type Options struct {
	Input  io.Reader // keys; nil: standard input
	Output io.Writer // the terminal; nil: standard output
	// NoColor draws without any style. The environment variable NO_COLOR does the same.
	NoColor bool
	// Paused starts without advancing the job.
	Paused bool
	// Steps is how many steps a deterministic job may take between two frames; 0: 64. A step is
	// one turn of a subtask, which may take a whole batch of records.
	Steps int
	// Interval is the time between two frames while the job runs; 0: 250 ms. There are none while
	// it is paused or done.
	Interval time.Duration
}

// Limits of Options.Steps, which + and - move within.
const (
	defaultSteps = 64
	maxSteps     = 1 << 20
)

const defaultInterval = 250 * time.Millisecond

func (o Options) defaults() Options {
	if o.Steps <= 0 {
		o.Steps = defaultSteps
	}
	if o.Interval <= 0 {
		o.Interval = defaultInterval
	}
	return o
}

// Dashboard shows a job full screen until the user leaves or ctx is done. The job is named by its id, a
// unique prefix of it or its name; empty means the latest one. A deterministic job advances a bounded
// number of steps between two frames, and not at all while it is paused.
//
// Dashboard blocks. The summary is one screen of plain text for the scrollback: it is there also when
// err is not nil and the job could be read. err is ctx's error, or says that there is no such job or
// that the screen broke; the terminal has been restored in every case.
func Dashboard(ctx context.Context, s session.Session, jobID string, o Options) (summary string, err error) {
	o = o.defaults()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	m, err := newModel(inner, s, jobID, o)
	if err != nil {
		return "", err
	}
	m.style = newStyle(o)
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithAltScreen(), tea.WithoutSignalHandler()}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		options = append(options, tea.WithOutput(o.Output))
	}
	program := tea.NewProgram(m, options...)
	_, err = program.Run()
	if err != nil && m.started && !errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) {
		program.ReleaseTerminal() // Run does it in all other cases
	}
	cancel() // stops an Advance that is under way
	m.leave()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case m.crash != nil:
		err = m.crash
	case errors.Is(err, tea.ErrProgramPanic):
		err = errors.New("dashboard: the screen broke, the job and the session go on")
	case err != nil:
		err = fmt.Errorf("dashboard: %w", err)
	}
	return m.summary(), err
}

func newStyle(o Options) style {
	if o.NoColor {
		return style{}
	}
	out := o.Output
	if out == nil {
		return makeStyle(lipgloss.DefaultRenderer())
	}
	return makeStyle(lipgloss.NewRenderer(out))
}

// plainStyle is for pictures that must not depend on a terminal.
func plainStyle() style {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	return makeStyle(r)
}
