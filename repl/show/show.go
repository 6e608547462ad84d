// Package show turns the plain data of a session into text: values, tables, graphs, jobs. Prompt, pipes, documents and
// commands share it, so that a thing looks the same everywhere.
package show

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"flinkish/repl/session"
	"flinkish/viz"
)

// Options say for whom the text is.
type Options struct {
	Width  int // columns; 0: 80
	Glyphs session.Glyphs
	// Whole keeps all columns, however wide: for pipes and documents, where nothing must be cut.
	Whole bool
}

func (o Options) width() int {
	if o.Width <= 0 {
		return viz.DefaultWidth
	}
	return o.Width
}

func (o Options) glyphs() viz.Glyphs {
	g, err := viz.ParseGlyphs(string(o.Glyphs))
	if err != nil {
		return viz.Unicode
	}
	return g
}

// Value is a shown value: a table for rows, one line for a stream, else its text. It ends with a newline.
func Value(v session.Value, o Options) string {
	switch {
	case v.Table != nil && len(v.Table.Rows) > 0:
		t := *v.Table
		if !o.Whole && len(t.Rows) > ScreenLines {
			t.Rows = t.Rows[:ScreenLines]
		}
		return Table(t, o)
	case v.Summary && v.Name != "":
		return fmt.Sprintf("%s  %s\n", v.Name, v.Text)
	}
	text := strings.TrimSuffix(v.Text, "\n")
	if !o.Whole {
		text = screenful(text, o)
	}
	return text + "\n"
}

// ScreenLines is how many lines of one value or text a person gets without asking for more: less than the smallest screen.
const ScreenLines = 20

// screenful is the beginning of text that fits a screen, and how much is left.
func screenful(text string, o Options) string {
	width, dots := o.width(), "…"
	if o.Glyphs == session.ASCII {
		dots = "..."
	}
	lines, column := 1, 0
	for i, r := range text {
		if r == '\n' || column >= width {
			lines, column = lines+1, 0
		}
		column++
		if lines > ScreenLines {
			return fmt.Sprintf("%s\n%s %d more characters; fmt.Println shows all", text[:i], dots, utf8.RuneCountInString(text[i:]))
		}
	}
	return text
}

// Graph draws a job graph, with the numbers of its job when m is not nil.
func Graph(g session.Graph, m *session.Metrics, o Options) string {
	if len(g.Tasks) == 0 {
		return "no streams\n"
	}
	return viz.Draw(drawable(g, m), viz.Options{Width: o.width(), Glyphs: o.glyphs()})
}

// Mermaid is the graph for documents that draw Mermaid.
func Mermaid(g session.Graph) string { return viz.Mermaid(drawable(g, nil)) }

// DOT is the graph for Graphviz.
func DOT(g session.Graph) string { return viz.DOT(drawable(g, nil)) }

// SVG is the graph as a picture.
func SVG(g session.Graph) string { return viz.SVG(drawable(g, nil)) }

func drawable(g session.Graph, m *session.Metrics) viz.Graph {
	var vg viz.Graph
	for i, t := range g.Tasks {
		vt := viz.Task{ID: t.ID, Label: t.Label, Name: t.Name, Parallelism: t.Parallelism}
		for _, op := range t.Operators {
			vt.Operators = append(vt.Operators, op.Name)
			vt.Depths = append(vt.Depths, op.Depth)
		}
		if m != nil && i < len(m.Tasks) {
			vt.Metrics = taskMetrics(m.Job, m.Tasks[i])
		}
		vg.Tasks = append(vg.Tasks, vt)
	}
	for _, e := range g.Edges {
		vg.Edges = append(vg.Edges, viz.Edge{From: e.From, To: e.To, Label: e.Partitioning, Side: e.Tag != "", Tag: e.Tag})
	}
	return vg
}

func taskMetrics(j session.Job, t session.TaskMetrics) *viz.Metrics {
	return &viz.Metrics{State: j.Status, Busy: t.Busy, BackPressured: t.BackPressured, Idle: t.Idle,
		In: t.In, Out: t.Out, Watermark: viz.Watermark(t.Watermark)}
}
