package viz

import (
	"slices"
	"strconv"
	"strings"
)

// rails writes one line for each task in topological order. On the left every open edge has a lane; a
// line above each task names its inputs and where they join.
func rails(f *flat, o Options) string {
	r := &railing{flat: f, o: o, set: o.Glyphs.set()}
	order := f.order()
	for _, t := range order {
		r.arrive(t)
		r.leave(t)
	}
	r.columns()
	var b strings.Builder
	for _, l := range r.lines {
		b.WriteString(r.render(l))
		b.WriteByte('\n')
	}
	return b.String()
}

// railing is the state of the walk: which edge each lane carries now.
type railing struct {
	*flat
	o     Options
	set   *glyphSet
	lanes []int // link, or -1 where the lane is free
	lines []railLine
	cells []column // the columns with metrics, none without metrics
	rail  int      // columns of the lanes
	name  int      // columns of the task's name
}

// railLine is one line: the lanes, and a task with its numbers or a note.
type railLine struct {
	lanes []string // one glyph for each column of the lanes
	task  int      // -1: a note, or the heading
	note  string
}

type column struct {
	title string
	width int
	right bool
	text  func(*Task) string
}

// arrive writes the inputs of t and its own line.
func (r *railing) arrive(t int) {
	var in []int // lanes
	var words []string
	for i, l := range r.lanes {
		if l < 0 {
			continue
		}
		if _, to := r.edges[l].ends(); to == t {
			in = append(in, i)
			words = append(words, r.word(l))
		}
	}
	at := 0
	if len(in) == 0 {
		at = r.freeLane(0)
	} else {
		at = in[0]
		for i, w := range words {
			glyphs := r.straight()
			if i == len(words)-1 && len(in) > 1 {
				r.bend(glyphs, in, 0)
			}
			r.note(glyphs, w)
		}
		for _, i := range in {
			r.lanes[i] = -1
		}
	}
	glyphs := r.straight()
	glyphs = grow(glyphs, 2*at+1)
	glyphs[2*at] = r.set.dot
	r.lines = append(r.lines, railLine{lanes: glyphs, task: t})
	r.lanes[at] = -1
	r.open(t, at)
}

// word says where an edge comes from and how: "A HASH". A back link is named where it is met first.
func (r *railing) word(l int) string {
	e := r.edges[l]
	if e.back {
		return r.set.back + " from " + r.tasks[e.from].Label + " " + e.text
	}
	return r.tasks[e.from].Label + " " + e.text
}

// open gives each output of t a lane: the first stays under the task, the others branch to the right.
func (r *railing) open(t, at int) {
	var out []int
	for i, e := range r.edges {
		if l, right := e.ends(); l == t && right != t {
			out = append(out, i)
		}
	}
	var lanes []int
	for i, l := range out {
		lane := at
		if i > 0 {
			lane = r.freeLane(at + 1)
		}
		r.lanes[lane] = l
		lanes = append(lanes, lane)
	}
	if len(lanes) > 1 {
		glyphs := r.straight()
		r.bend(glyphs, lanes, 1)
		r.note(glyphs, "")
	}
}

// leave closes what only the end of a task shows: links to itself.
func (r *railing) leave(t int) {
	for _, e := range r.edges {
		if e.from == t && e.to == t {
			r.note(r.straight(), r.set.back+" "+e.text)
		}
	}
	for len(r.lanes) > 0 && r.lanes[len(r.lanes)-1] < 0 {
		r.lanes = r.lanes[:len(r.lanes)-1]
	}
}

func (r *railing) freeLane(from int) int {
	for i := from; i < len(r.lanes); i++ {
		if r.lanes[i] < 0 {
			return i
		}
	}
	for len(r.lanes) <= from {
		r.lanes = append(r.lanes, -1)
	}
	if r.lanes[from] >= 0 {
		r.lanes = append(r.lanes, -1)
		return len(r.lanes) - 1
	}
	return from
}

// straight shows every open lane as a vertical line.
func (r *railing) straight() []string {
	glyphs := grow(nil, 2*len(r.lanes))
	for i, l := range r.lanes {
		if l >= 0 {
			style := light
			if r.edges[l].side {
				style = dashed
			}
			glyphs[2*i] = r.set.line(style, north|south)
		}
	}
	return glyphs
}

// bend joins the lanes of list to the first of them: from above for arriving (0), downwards for
// leaving (1) edges. Lanes in between are crossed.
func (r *railing) bend(glyphs []string, list []int, leaving int) {
	first, last := 2*list[0], 2*list[len(list)-1]
	if leaving == 1 {
		last = 2 * slices.Max(list)
	}
	glyphs[first] = r.set.line(light, north|south|east)
	for x := first + 1; x < last; x++ {
		lane := x / 2
		switch {
		case x%2 == 1 || lane < len(r.lanes) && r.lanes[lane] < 0:
			glyphs[x] = r.set.line(light, east|west)
		case slices.Contains(list, lane) && leaving == 1:
			glyphs[x] = r.set.line(light, east|west|south)
		case slices.Contains(list, lane):
			glyphs[x] = r.set.line(light, east|west|north)
		default:
			glyphs[x] = r.set.line(light, north|south|east|west)
		}
	}
	glyphs[last] = r.set.bend[leaving]
}

func (r *railing) note(glyphs []string, text string) {
	r.lines = append(r.lines, railLine{lanes: glyphs, task: -1, note: text})
}

func grow(s []string, n int) []string {
	for len(s) < n {
		s = append(s, " ")
	}
	return s
}

// columns decides the widths: lanes, names, and as many columns of numbers as leave room for a name.
func (r *railing) columns() {
	metrics := false
	want := 4
	for i := range r.tasks {
		t := &r.tasks[i]
		metrics = metrics || t.Metrics != nil
		want = max(want, Width(r.title(t)))
	}
	for _, l := range r.lines {
		r.rail = max(r.rail, len(l.lanes))
	}
	if r.rail > r.o.width()/2 {
		r.rail = 0 // too many lanes to follow: the notes name all edges
	}
	all := []column{{"PAR", 3, true, func(t *Task) string { return strconv.Itoa(max(t.Parallelism, 1)) }}}
	if metrics {
		all = append(all, r.numbers()...)
	}
	room := r.o.width() - r.rail - 1
	for _, c := range all {
		if room-(c.width+2) < min(want, 20) {
			break
		}
		room -= c.width + 2
		r.cells = append(r.cells, c)
	}
	r.name = min(want, room)
	if len(r.cells) > 1 {
		r.lines = slices.Insert(r.lines, 0, railLine{task: -1, note: "TASK"})
	}
}

// numbers are the columns of a running job, the most wanted first.
func (r *railing) numbers() []column {
	wm := len("WATERMARK")
	for _, t := range r.tasks {
		if t.Metrics != nil {
			wm = min(max(wm, Width(Clean(t.Metrics.Watermark))), 18)
		}
	}
	bar := func(kind BarKind, of func(*Metrics) int) func(*Task) string {
		return func(t *Task) string {
			if t.Metrics == nil {
				return ""
			}
			return Bar(of(t.Metrics), 4, kind, r.o.Glyphs) + " " + PadLeft(Percent(of(t.Metrics)), 4, r.o.Glyphs)
		}
	}
	value := func(of func(*Metrics) string) func(*Task) string {
		return func(t *Task) string {
			if t.Metrics == nil {
				return ""
			}
			return of(t.Metrics)
		}
	}
	return []column{
		{"BUSY", 9, false, bar(Busy, func(m *Metrics) int { return m.Busy })},
		{"BP", 9, false, bar(Blocked, func(m *Metrics) int { return m.BackPressured })},
		{"OUT", 5, true, value(func(m *Metrics) string { return Count(m.Out) })},
		{"WATERMARK", wm, false, value(func(m *Metrics) string { return Clean(m.Watermark) })},
		{"IN", 5, true, value(func(m *Metrics) string { return Count(m.In) })},
	}
}

// title is label, name and the word for a bottleneck.
func (r *railing) title(t *Task) string {
	s := t.Label + " " + t.caption(r.o.Glyphs)
	if t.Bottleneck {
		s += " BOTTLENECK"
	}
	return s
}

func (r *railing) render(l railLine) string {
	o := r.o
	paint := func(role Role, s string) string {
		if o.Paint == nil || strings.TrimSpace(s) == "" {
			return s
		}
		return o.Paint(role, s)
	}
	lanes := ""
	if r.rail > 0 {
		lanes = Pad(strings.Join(l.lanes, ""), r.rail, o.Glyphs)
		if l.task < 0 && l.note == "" {
			lanes = strings.TrimRight(lanes, " ")
		}
		lanes = paint(RoleEdge, lanes)
	}
	if l.task < 0 {
		return r.noteLine(l, lanes, paint)
	}
	t := &r.tasks[l.task]
	mark := " "
	if t.Selected {
		mark = r.set.mark
	}
	role := t.role()
	if role == RoleBorder {
		role = RoleText
	}
	parts := []string{lanes + paint(role, mark) + paint(role, Pad(r.fitTitle(t), r.name, o.Glyphs))}
	for i, c := range r.cells {
		text := Pad(c.text(t), c.width, o.Glyphs)
		if c.right {
			text = PadLeft(c.text(t), c.width, o.Glyphs)
		}
		if i == len(r.cells)-1 {
			text = strings.TrimRight(text, " ")
		}
		parts = append(parts, text)
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

// fitTitle shortens the caption, never the label or the word for a bottleneck.
func (r *railing) fitTitle(t *Task) string {
	s := r.title(t)
	if over := Width(s) - r.name; over > 0 && t.Bottleneck {
		room := max(r.name-Width(t.Label)-len("  BOTTLENECK"), 0)
		return t.Label + " " + Truncate(t.caption(r.o.Glyphs), room, r.o.Glyphs) + " BOTTLENECK"
	}
	return s
}

// noteLine is the heading or the words of an edge.
func (r *railing) noteLine(l railLine, lanes string, paint func(Role, string) string) string {
	if l.note != "TASK" || l.lanes != nil {
		room := r.o.width() - r.rail - 3
		return strings.TrimRight(lanes+"   "+paint(RoleLabel, Truncate(l.note, room, r.o.Glyphs)), " ")
	}
	line := Pad("TASK", r.rail+1+r.name, r.o.Glyphs)
	for _, c := range r.cells {
		title := Pad(c.title, c.width, r.o.Glyphs)
		if c.right {
			title = PadLeft(c.title, c.width, r.o.Glyphs)
		}
		line += "  " + title
	}
	return paint(RoleFaint, strings.TrimRight(line, " "))
}
