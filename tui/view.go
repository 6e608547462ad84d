package tui

import (
	"fmt"
	"slices"
	"strings"

	"flinkish/viz"
)

// Sizes of the terminal at which the layout changes.
const (
	lineWidth, lineHeight = 40, 10 // below: one line of state
	paneWidth, paneHeight = 70, 20 // below: one pane at a time
	boxesWidth            = 100    // from here on the graph is drawn as boxes
)

// draw makes the picture: exactly h lines, none wider than w.
func (m *model) draw() {
	m.visible, m.content, m.first = map[pane]int{}, map[pane]int{}, map[pane]int{}
	if m.w <= 0 || m.h <= 0 {
		m.frame = ""
		return
	}
	if m.w < lineWidth || m.h < lineHeight {
		m.frame = viz.Truncate(m.oneLine(), m.w, m.glyphs)
		return
	}
	lines := []string{m.header()}
	body := m.h - 3
	switch m.screen {
	case onHelp:
		lines = append(lines, m.wholePane(helpPane, body)...)
	case onDetail:
		lines = append(lines, m.wholePane(detailPane, body)...)
	default:
		lines = append(lines, m.dashboard(body)...)
	}
	for len(lines) < m.h-2 {
		lines = append(lines, "")
	}
	lines = append(lines, m.noteLine(), m.footer())
	for i := range lines {
		lines[i] = viz.Truncate(lines[i], m.w, m.glyphs)
	}
	m.frame = strings.Join(lines, "\n")
}

// oneLine is all that a tiny terminal shows.
func (m *model) oneLine() string {
	j := m.metrics.Job
	return fmt.Sprintf("%s %s step %d %s", viz.Clean(j.Name), m.state(), j.Steps, viz.Time(j.Now))
}

// state is the state's sign and word.
func (m *model) state() string {
	sign := signsOf(m.glyphs)
	j := m.metrics.Job
	switch {
	case j.Status == "FINISHED":
		return sign.done + " " + j.Status
	case j.Status == "FAILED" || j.Status == "FAILING":
		return sign.failed + " " + j.Status
	case j.Status == "CANCELED" || j.Status == "CANCELLING":
		return sign.stopped + " " + j.Status
	case m.paused:
		return sign.pause + " " + j.Status + ", paused"
	case j.Status == "RUNNING":
		return sign.run + " " + j.Status
	}
	return sign.wait + " " + j.Status
}

// header is the context: job, state, time, step, seed, and the name of the screen on the right.
func (m *model) header() string {
	j := m.metrics.Job
	state := m.state()
	styled := m.style.text(m.style.accent, state)
	if j.Status == "FAILED" || j.Status == "FAILING" {
		styled = m.style.text(m.style.warn, state)
	}
	clock := "time "
	parts := []string{}
	if j.Deterministic {
		clock = "virtual "
	}
	parts = append(parts, clock+viz.Time(j.Now), fmt.Sprintf("step %d", j.Steps))
	if j.Deterministic {
		parts = append(parts, fmt.Sprintf("seed %d", m.seed))
	}
	title := map[screen]string{onDashboard: "DASHBOARD", onDetail: "TASK", onHelp: "HELP"}[m.screen]
	name := viz.Truncate(viz.Clean(j.Name), max(m.w/3, 12), m.glyphs)
	line := " " + m.style.text(m.style.heading, name) + "  " + styled
	for _, p := range parts {
		if viz.Width(line)+2+viz.Width(p) > m.w {
			break
		}
		line += "  " + p
	}
	if room := m.w - viz.Width(line) - len(title) - 3; room >= 0 {
		line += strings.Repeat(" ", room+2) + m.style.text(m.style.heading, title)
	}
	return line
}

// noteLine says what happened last, or why the job failed, or is a rule.
func (m *model) noteLine() string {
	switch {
	case m.note != "":
		return " " + m.style.text(m.style.warn, viz.Clean(m.note))
	case m.metrics.Job.Error != "":
		return " " + m.style.text(m.style.warn, "failed: "+viz.Clean(m.metrics.Job.Error))
	}
	return m.style.text(m.style.faint, viz.Rule(m.w, m.glyphs))
}

// footer lists the keys that are valid now; help and the way out are always there.
func (m *model) footer() string {
	var list []string
	for i := range bindings {
		b := &bindings[i]
		if b.word == "" || b.screens&m.screen == 0 || b.cannot != nil && b.cannot(m) != "" && b.foot == "" {
			continue
		}
		key := b.show
		if b.foot != "" {
			key = b.foot
		}
		list = append(list, key+" "+m.word(b))
	}
	width := func() int { return 1 + viz.Width(strings.Join(list, "  ")) }
	for len(list) > 2 && width() > m.w {
		list = slices.Delete(list, len(list)-3, len(list)-2)
	}
	for i, entry := range list {
		key, word, _ := strings.Cut(entry, " ")
		list[i] = m.style.text(m.style.accent, key) + " " + word
	}
	return " " + strings.Join(list, "  ")
}

// word is what a key does here and now.
func (m *model) word(b *binding) string {
	switch {
	case b.has("r") && m.paused:
		return "run"
	case b.has("r"):
		return "pause"
	case b.has("t") && m.boxes():
		return "table"
	case b.has("?") && m.screen == onHelp:
		return "back"
	case b.has("q") && m.screen == onDashboard:
		return "leave"
	}
	return b.word
}

// placed is a pane with the rows that it gets, its title included.
type placed struct {
	pane  pane
	lines []string // content
	rows  int
}

// dashboard is the body of the main screen.
func (m *model) dashboard(body int) []string {
	if m.w < paneWidth || m.h < paneHeight {
		return m.wholePane(m.focus, body)
	}
	var lines []string
	for _, p := range m.arrange(body) {
		lines = append(lines, m.drawPane(p)...)
	}
	return lines
}

func (m *model) wholePane(p pane, body int) []string {
	return m.drawPane(placed{pane: p, lines: m.lines(p, body-1), rows: body})
}

// arrange chooses the panes that fit, the focused one first, then gives the rest of the rows to those
// that need more.
func (m *model) arrange(body int) []placed {
	order := []pane{graphPane, subtasksPane, samplesPane, watermarksPane, pressurePane}
	i := slices.Index(order, m.focus)
	order = slices.Insert(slices.Delete(order, i, i+1), 0, m.focus)
	left := body
	var list []placed
	for _, p := range order {
		lines := m.lines(p, body*3/5)
		rows := min(len(lines)+1, leastRows(p))
		if rows > left {
			continue
		}
		left -= rows
		list = append(list, placed{p, lines, rows})
	}
	slices.SortStableFunc(list, func(a, b placed) int { return int(a.pane) - int(b.pane) })
	for i := range list {
		more := min(left, len(list[i].lines)+1-list[i].rows)
		list[i].rows += more
		left -= more
	}
	return list
}

// leastRows is what a pane needs to be of use, its title included.
func leastRows(p pane) int {
	switch p {
	case graphPane:
		return 12
	case subtasksPane:
		return 5
	}
	return 4
}

// drawPane is a title and the part of the content that is scrolled to.
func (m *model) drawPane(p placed) []string {
	room := max(p.rows-1, 0)
	first := m.offset(p, room)
	shown := p.lines[first:min(first+room, len(p.lines))]
	m.visible[p.pane], m.content[p.pane], m.first[p.pane] = room, len(p.lines), first
	part := ""
	if len(p.lines) > room && room > 0 {
		part = fmt.Sprintf("%d-%d of %d", first+1, first+len(shown), len(p.lines))
	}
	return append([]string{m.title(p.pane, part)}, shown...)
}

// offset is the first row that is shown. The graph follows the selected task until it is scrolled.
func (m *model) offset(p placed, room int) int {
	follow := 0
	if p.pane == graphPane {
		follow = min(max(m.selectedRow(p.lines)-room/2, 0), max(len(p.lines)-room, 0))
	}
	first := min(max(follow+m.scroll[p.pane], 0), max(len(p.lines)-room, 0))
	m.scroll[p.pane] = first - follow
	return first
}

// selectedRow finds the row with the selection mark.
func (m *model) selectedRow(lines []string) int {
	t, _ := m.task()
	mark := signsOf(m.glyphs).run
	if m.glyphs == viz.Block {
		mark = ">"
	}
	for i, l := range lines {
		if strings.Contains(viz.Clean(l), mark+t.Label+" ") {
			return i
		}
	}
	return 0
}

// title is the rule above a pane, with its number, its name and the focus mark.
func (m *model) title(p pane, part string) string {
	rule := viz.Rule(1, m.glyphs)
	text := " " + m.paneName(p) + " "
	lead := rule
	styled := m.style.text(m.style.heading, text)
	if p == m.focus && m.screen == onDashboard {
		lead = signsOf(m.glyphs).run
		styled = m.style.text(m.style.cursor, text)
	}
	if part != "" {
		part = " " + part + " " + rule
	}
	text = viz.Truncate(text, m.w-1-viz.Width(part), m.glyphs)
	fill := m.w - 1 - viz.Width(text) - viz.Width(part)
	return m.style.text(m.style.faint, lead) + styled + m.style.text(m.style.faint, viz.Rule(fill, m.glyphs)+part)
}

// scrolls is the pane that J and K move.
func (m *model) scrolls() pane {
	switch m.screen {
	case onHelp:
		return helpPane
	case onDetail:
		return detailPane
	}
	return m.focus
}

func (m *model) cannotScroll(by int) string {
	p := m.scrolls()
	switch {
	case m.content[p] <= m.visible[p]:
		return "all of it is shown"
	case by < 0 && m.first[p] == 0:
		return "this is the top"
	case by > 0 && m.first[p]+m.visible[p] >= m.content[p]:
		return "this is the end"
	}
	return ""
}

// scrollBy moves by one page less one line; offset keeps it within the content.
func (m *model) scrollBy(pages int) {
	p := m.scrolls()
	m.scroll[p] += pages * max(m.visible[p]-1, 1)
}
