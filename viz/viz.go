// Package viz draws dataflow graphs, tables, bars and timelines as text, and graphs as Mermaid, DOT and
// SVG. Every function is pure: plain data and a width in, text out. There is no terminal, no clock, no
// global state and no map order in here, so the same input always gives the same bytes, and no line is
// ever wider than asked.
//
// A program describes its graph once and picks a form:
//
//	g := viz.Graph{
//		Tasks: []viz.Task{
//			{ID: "1", Operators: []string{"Source: words", "Flat Map"}, Parallelism: 1},
//			{ID: "2", Operators: []string{"Keyed Reduce", "Sink: Print"}, Parallelism: 2},
//		},
//		Edges: []viz.Edge{{From: "1", To: "2", Label: "HASH"}},
//	}
//	fmt.Print(viz.Draw(g, viz.Options{Width: 80}))
//
// The main types are Graph, Table and Timeline; Glyphs chooses between Unicode, block and ASCII
// characters everywhere.
package viz

import "strconv"

// Graph is a job as people see it: tasks (chains of operators) and the exchanges between them. It is
// Flink's JobGraph reduced to what a drawing needs, and can be written as JSON.
type Graph struct {
	Tasks []Task // the order is kept wherever the drawing has a choice
	Edges []Edge // the order does not matter
}

// Task is one chain of operators that runs in Parallelism subtasks: Flink's job vertex.
type Task struct {
	// ID is what edges refer to. It must be unique in its graph and is never shown.
	ID string
	// Label is the short handle that is shown, such as A. Empty: given by position, A, B, .. Z, AA.
	Label string
	// Name is a caption for the forms that have one line for a task. Empty: the operators, joined.
	Name string
	// Operators are the names of the chain's operators, head first.
	Operators []string
	// Depths are the depths of the operators in the tree of the chain, 0 for the head. Nil: every
	// operator feeds the next one.
	Depths      []int
	Parallelism int
	// Metrics are shown when they are there; nil for a job that never ran.
	Metrics *Metrics
	// Bottleneck asks for the heavy border and the word.
	Bottleneck bool
	// Selected asks for the selection mark.
	Selected bool
}

// Metrics are the numbers of one task. Ratios are in per mille of a second, as in
// busyTimeMsPerSecond; a negative ratio is not known and is shown as N/A.
type Metrics struct {
	State         string // the word, such as RUNNING; may be empty
	Busy          int
	BackPressured int
	Idle          int
	In            uint64 // records
	Out           uint64 // records
	Watermark     string // ready to show; see Watermark and WatermarkRange
}

// Edge is one exchange between two tasks. Two edges may connect the same two tasks.
type Edge struct {
	From, To string // ids of tasks; an edge whose task does not exist is left out
	// Label is the partitioner word in full: HASH, REBALANCE, FORWARD, BROADCAST.
	Label string
	// Side marks a side output, drawn dashed; Tag is its name.
	Side bool
	Tag  string
}

// text is what is written on the edge.
func (e Edge) text() string {
	if !e.Side || e.Tag == "" {
		return Clean(e.Label)
	}
	return Clean(e.Label) + "(" + Truncate(Clean(e.Tag), 16, ASCII) + ")"
}

// Form is a way to draw a graph.
type Form uint8

const (
	// Auto takes the richest form that fits the width: Full, Compact, then Rails.
	Auto Form = iota
	// Full draws layers of boxes with the operators, and the metrics if there are any, inside.
	Full
	// Compact draws layers of boxes with one caption and one bar.
	Compact
	// Rails writes one line for each task, with the edges as rails on the left.
	Rails
)

// String returns the form's name, such as full.
func (f Form) String() string {
	switch f {
	case Auto:
		return "auto"
	case Full:
		return "full"
	case Compact:
		return "compact"
	case Rails:
		return "rails"
	}
	return "form " + strconv.Itoa(int(f))
}

// DefaultWidth is used when Options has no width: the columns of a plain terminal.
const DefaultWidth = 80

// Role says what a piece of a drawing is, for those who colour it.
type Role uint8

// The roles of Options.Paint.
const (
	RoleText       Role = iota // operators, captions, headings
	RoleBorder                 // of a box
	RoleBottleneck             // border and caption of the bottleneck
	RoleSelected               // border and caption of the selected task
	RoleEdge                   // lines between the tasks
	RoleLabel                  // the words on the edges
	RoleBusy                   // the busy bar
	RoleBlocked                // the back-pressure bar
	RoleFaint                  // the empty part of a bar, hints
)

// Options say how to draw. The zero value draws for 80 columns of Unicode.
type Options struct {
	Width  int // columns; 0: DefaultWidth
	Glyphs Glyphs
	Form   Form
	// Paint, if set, is called for every run of text of one role and returns it with colours. It
	// must not change what is shown: colour may repeat a fact, never be the only carrier of one.
	Paint func(r Role, text string) string
}

func (o Options) width() int {
	if o.Width <= 0 {
		return DefaultWidth
	}
	return o.Width
}

// Draw draws g in the form that o asks for. A form that does not fit the width gives way to the next
// smaller one, so that every line fits. The result ends with a newline unless it is empty.
func Draw(g Graph, o Options) string {
	text, _ := DrawForm(g, o)
	return text
}

// DrawForm is Draw and says which form was used.
func DrawForm(g Graph, o Options) (string, Form) {
	if len(g.Tasks) == 0 {
		return "", o.Form
	}
	n := normal(g)
	if o.Form == Auto || o.Form == Full {
		if s, ok := layered(n, o, false); ok {
			return s, Full
		}
	}
	if o.Form != Rails {
		if s, ok := layered(n, o, true); ok {
			return s, Compact
		}
	}
	return rails(n, o), Rails
}
