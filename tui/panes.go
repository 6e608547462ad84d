package tui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flinkish/repl/session"
	"flinkish/viz"
)

// pane is one part of a screen.
type pane uint8

const (
	graphPane pane = iota
	subtasksPane
	pressurePane
	watermarksPane
	samplesPane
	paneCount
	detailPane
	helpPane
)

// paneName is the title of a pane.
func (m *model) paneName(p pane) string {
	t, _ := m.task()
	task := t.Label + " " + viz.Clean(t.Name)
	switch p {
	case graphPane:
		return "1 GRAPH"
	case subtasksPane:
		return "2 SUBTASKS  " + task
	case pressurePane:
		return "3 BACK-PRESSURE"
	case watermarksPane:
		return "4 WATERMARKS"
	case samplesPane:
		return "5 RECORDS  " + task
	case detailPane:
		return task
	}
	return "KEYS"
}

// lines is the whole content of a pane; height is how many rows it may hope for.
func (m *model) lines(p pane, height int) []string {
	switch p {
	case graphPane:
		return m.graphLines(height)
	case subtasksPane:
		return m.subtaskLines(false)
	case pressurePane:
		return m.pressureLines()
	case watermarksPane:
		return m.watermarkLines()
	case samplesPane:
		return m.sampleLines()
	case detailPane:
		return m.detailLines()
	}
	return m.helpLines()
}

func split(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// drawable is the job graph with its numbers, the selection and the bottleneck.
func (m *model) drawable(selected bool) viz.Graph {
	var g viz.Graph
	slow := m.bottleneck()
	for i, t := range m.graph.Tasks {
		vt := viz.Task{ID: t.ID, Label: t.Label, Name: t.Name, Parallelism: t.Parallelism,
			Bottleneck: i == slow, Selected: selected && i == m.selected}
		for _, op := range t.Operators {
			vt.Operators = append(vt.Operators, op.Name)
			vt.Depths = append(vt.Depths, op.Depth)
		}
		if i < len(m.metrics.Tasks) {
			tm := m.metrics.Tasks[i]
			vt.Metrics = &viz.Metrics{State: m.metrics.Job.Status, Busy: tm.Busy, BackPressured: tm.BackPressured,
				Idle: tm.Idle, In: tm.In, Out: tm.Out, Watermark: watermarks(tm)}
		}
		g.Tasks = append(g.Tasks, vt)
	}
	for _, e := range m.graph.Edges {
		g.Edges = append(g.Edges, viz.Edge{From: e.From, To: e.To, Label: e.Partitioning, Side: e.Tag != "", Tag: e.Tag})
	}
	return g
}

// watermarks is the range over the subtasks of a task.
func watermarks(t session.TaskMetrics) string {
	low, high := t.Watermark, t.Watermark
	for _, s := range t.Subtasks {
		low, high = min(low, s.Watermark), max(high, s.Watermark)
	}
	return viz.WatermarkRange(low, high)
}

// bottleneck is the task that holds its inputs up: back-pressured tasks feed it and it is not
// back-pressured itself. Among several it is the busiest; -1 when nothing is held up.
func (m *model) bottleneck() int {
	numbers := make(map[string]session.TaskMetrics, len(m.metrics.Tasks))
	for _, t := range m.metrics.Tasks {
		numbers[t.ID] = t
	}
	worst := -1
	for i, t := range m.graph.Tasks {
		tm, ok := numbers[t.ID]
		if !ok || viz.Level(tm.BackPressured) != "OK" || !m.heldUpBy(t.ID, numbers) {
			continue
		}
		if worst < 0 || tm.Busy > numbers[m.graph.Tasks[worst].ID].Busy {
			worst = i
		}
	}
	return worst
}

// heldUpBy reports whether a task that feeds id is back-pressured.
func (m *model) heldUpBy(id string, numbers map[string]session.TaskMetrics) bool {
	for _, e := range m.graph.Edges {
		if e.To == id && viz.Level(numbers[e.From].BackPressured) != "OK" {
			return true
		}
	}
	return false
}

// boxes reports whether the graph is, or is to be, drawn as boxes.
func (m *model) boxes() bool {
	return m.form != viz.Rails && (m.form != viz.Auto || m.w >= boxesWidth)
}

// graphLines draws the graph. Boxes that are too high for the screen give way to the compact form.
func (m *model) graphLines(height int) []string {
	if len(m.graph.Tasks) == 0 {
		return []string{"the job has no task"}
	}
	o := viz.Options{Width: m.w, Glyphs: m.glyphs, Form: viz.Rails, Paint: m.style.paint()}
	g := m.drawable(true)
	if !m.boxes() {
		return split(viz.Draw(g, o))
	}
	o.Form = viz.Full
	lines := split(viz.Draw(g, o))
	if len(lines) > height {
		o.Form = viz.Compact
		lines = split(viz.Draw(g, o))
	}
	return lines
}

func (m *model) cannotToggle() string {
	if m.boxes() {
		return ""
	}
	_, form := viz.DrawForm(m.drawable(true), viz.Options{Width: m.w, Glyphs: m.glyphs, Form: viz.Full})
	if form == viz.Rails {
		return fmt.Sprintf("the boxes do not fit into %d columns; make the terminal wider", m.w)
	}
	return ""
}

func toggleForm(m *model, _ string) tea.Cmd {
	if m.boxes() {
		m.form = viz.Rails
	} else {
		m.form = viz.Full
	}
	m.focus = graphPane
	return nil
}

// subtaskLines is the table of the selected task; more adds keys, timers and late records.
func (m *model) subtaskLines(more bool) []string {
	_, tm := m.task()
	if len(tm.Subtasks) == 0 {
		return []string{"no numbers yet"}
	}
	state := 14 // back-pressured
	if more {
		state = 4
	}
	t := viz.Table{Columns: []viz.Column{{Title: "SUB", Right: true}, {Title: "STATE", Min: state}, {Title: "BUSY", Right: true},
		{Title: "BP", Right: true, Min: 4}, {Title: "IDLE", Right: true}, {Title: "IN", Right: true, Min: 5},
		{Title: "OUT", Right: true, Min: 5}, {Title: "QUEUE", Right: true}, {Title: "WATERMARK", Min: 13}}}
	if more {
		t.Columns = append(t.Columns, viz.Column{Title: "KEYS", Right: true, Min: 5}, viz.Column{Title: "TIMERS", Right: true}, viz.Column{Title: "LATE", Right: true})
	}
	for _, s := range tm.Subtasks {
		row := []string{"#" + strconv.Itoa(s.Index+1), s.State, viz.Percent(s.Busy), viz.Percent(s.BackPressured), viz.Percent(s.Idle),
			viz.Count(s.In), viz.Count(s.Out), fmt.Sprintf("%d/%d", s.Queued, s.QueueCap), m.subtaskWatermark(tm, s)}
		if more {
			row = append(row, viz.Count(s.Keys), viz.Count(s.Timers), viz.Count(s.LateDropped))
		}
		t.Rows = append(t.Rows, row)
	}
	return split(t.Draw(m.w, 0, m.glyphs))
}

// subtaskWatermark marks the subtask that holds the others back.
func (m *model) subtaskWatermark(tm session.TaskMetrics, s session.SubtaskMetrics) string {
	text := viz.Watermark(s.Watermark)
	high := s.Watermark
	for _, o := range tm.Subtasks {
		high = max(high, o.Watermark)
	}
	if s.Watermark == tm.Watermark && s.Watermark < high {
		text += " <min"
	}
	return text
}

// pressureLines has two bars for each task and names the slowest.
func (m *model) pressureLines() []string {
	t := viz.Table{Columns: []viz.Column{{Title: "TASK", Max: max(m.w/3, 16)}, {Title: "BUSY"}, {Title: "BACK-PRESSURE"}, {Title: "LEVEL", Min: 5}, {Title: ""}}}
	bar := min(max(m.w/8, 4), 16)
	slow := m.bottleneck()
	for i, task := range m.graph.Tasks {
		if i >= len(m.metrics.Tasks) {
			break
		}
		tm := m.metrics.Tasks[i]
		note := ""
		if i == slow {
			note = "slowest: holds its inputs up"
		}
		t.Rows = append(t.Rows, []string{task.Label + " " + task.Name,
			viz.Bar(tm.Busy, bar, viz.Busy, m.glyphs) + viz.PadLeft(viz.Percent(tm.Busy), 5, m.glyphs),
			viz.Bar(tm.BackPressured, bar, viz.Blocked, m.glyphs) + viz.PadLeft(viz.Percent(tm.BackPressured), 5, m.glyphs),
			viz.Level(tm.BackPressured), note})
	}
	return split(t.Draw(m.w, 0, m.glyphs))
}

// watermarkLines is the ruler of event time with a row for each task.
func (m *model) watermarkLines() []string {
	var tl viz.Timeline
	for i, t := range m.graph.Tasks {
		if i >= len(m.metrics.Tasks) {
			break
		}
		tm := m.metrics.Tasks[i]
		var notes []string
		if r := watermarks(tm); r != viz.Watermark(tm.Watermark) {
			notes = append(notes, "subtasks "+r)
		}
		if tm.LateDropped > 0 {
			notes = append(notes, viz.Count(tm.LateDropped)+" late dropped")
		}
		tl.Rows = append(tl.Rows, viz.Mark{Name: t.Label, At: tm.Watermark, Note: strings.Join(notes, ", ")})
	}
	return split(tl.Draw(m.w, m.glyphs))
}

// sampleLines are the sampled records of the selected task, the newest first.
func (m *model) sampleLines() []string {
	switch {
	case m.sampled != m.taskID():
		return []string{"reading"}
	case len(m.samples) == 0:
		return []string{"no record yet"}
	}
	t := viz.Table{Columns: []viz.Column{{Title: "SUB", Right: true}, {Title: "EVENT TIME", Min: 12}, {Title: "RECORD"}}}
	for i := len(m.samples) - 1; i >= 0; i-- {
		s := m.samples[i]
		at := "-"
		if s.Timestamp != session.NoTime {
			at = viz.Time(s.Timestamp)
		}
		t.Rows = append(t.Rows, []string{"#" + strconv.Itoa(s.Subtask+1), at, s.Text})
	}
	return split(t.Draw(m.w, 0, m.glyphs))
}
