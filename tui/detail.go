package tui

import (
	"strconv"
	"strings"

	"flinkish/viz"
)

// detailLines is everything about the selected task.
func (m *model) detailLines() []string {
	t, tm := m.task()
	lines := []string{
		"parallelism " + strconv.Itoa(t.Parallelism) + "  in " + strconv.FormatUint(tm.In, 10) + "  out " + strconv.FormatUint(tm.Out, 10) +
			"  late dropped " + strconv.FormatUint(tm.LateDropped, 10) + "  back-pressure " + viz.Level(tm.BackPressured),
		"watermark " + watermarks(tm),
		"inputs    " + m.neighbours(t.ID, true),
		"outputs   " + m.neighbours(t.ID, false),
		"",
	}
	ops := viz.Table{Columns: []viz.Column{{Title: "OPERATOR"}, {Title: "TYPE"}, {Title: "CELL", Right: true},
		{Title: "IN", Right: true, Min: 5}, {Title: "OUT", Right: true, Min: 5}, {Title: "LATE", Right: true}}}
	for i, op := range t.Operators {
		row := []string{strings.Repeat("  ", op.Depth) + op.Name, op.Type, op.Cell}
		if i < len(tm.Operators) {
			o := tm.Operators[i]
			row = append(row, viz.Count(o.In), viz.Count(o.Out), viz.Count(o.LateDropped))
		}
		ops.Rows = append(ops.Rows, row)
	}
	lines = append(lines, split(ops.Draw(m.w, 0, m.glyphs))...)
	lines = append(lines, "")
	lines = append(lines, m.subtaskLines(true)...)
	lines = append(lines, "")
	return append(lines, m.sampleLines()...)
}

// neighbours lists the edges of a task on one side.
func (m *model) neighbours(id string, inputs bool) string {
	label := map[string]string{}
	for _, t := range m.graph.Tasks {
		label[t.ID] = t.Label
	}
	var list []string
	for _, e := range m.graph.Edges {
		here, other := e.From, e.To
		if inputs {
			here, other = e.To, e.From
		}
		if here != id {
			continue
		}
		text := label[other] + " " + e.Partitioning
		if e.Tag != "" {
			text += " side output " + strconv.Quote(e.Tag)
		}
		if e.Type != "" {
			text += " " + e.Type
		}
		list = append(list, viz.Clean(text))
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// helpLines lists the keys of the screen that help was called from, with the reason where one cannot
// act now.
func (m *model) helpLines() []string {
	t := viz.Table{Columns: []viz.Column{{Title: "KEY"}, {Title: "ACTION"}}}
	for i := range bindings {
		b := &bindings[i]
		if b.screens&m.back == 0 {
			continue
		}
		t.Rows = append(t.Rows, []string{b.show, b.help})
		if b.cannot == nil || b.has("J") || b.has("K") { // these speak of the help itself
			continue
		}
		if why := b.cannot(m); why != "" {
			t.Rows = append(t.Rows, []string{"", "  not now: " + why})
		}
	}
	return split(t.Draw(m.w, 0, m.glyphs))
}

// summary is what stays in the scrollback: state, graph with numbers, late records, the error. It is
// plain text of at most 100 columns.
func (m *model) summary() string {
	j := m.metrics.Job
	width := min(max(m.w, lineWidth), 100)
	var b strings.Builder
	b.WriteString("job " + viz.Clean(j.Name) + "  " + m.state() + "  step " + strconv.FormatUint(j.Steps, 10) + "  " + viz.DateTime(j.Now) + "\n")
	b.WriteString(viz.Draw(m.drawable(false), viz.Options{Width: width, Glyphs: m.glyphs, Form: viz.Rails}))
	var late uint64
	for _, t := range m.metrics.Tasks {
		late += t.LateDropped
	}
	if late > 0 {
		b.WriteString(viz.Count(late) + " late records dropped\n")
	}
	switch {
	case j.Error != "":
		b.WriteString("failed: " + viz.Clean(j.Error) + "\n")
	case !j.Done:
		b.WriteString("the job is not done; :dash shows it again, :cancel stops it\n")
	}
	return b.String()
}
