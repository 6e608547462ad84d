package viz

// fit is how tight a layered drawing is.
type fit struct {
	inner   int // the widest box, inside
	spacing int // columns from track to track
}

var fits = []fit{{44, 2}, {32, 2}, {32, 1}, {24, 1}, {18, 1}, {14, 1}}

// layered draws boxes in layers, sources left, in the widest fit that the width allows. It reports
// false when none does.
func layered(f *flat, o Options, compact bool) (string, bool) {
	p := newPlan(f)
	for _, try := range fits {
		if d := p.measure(o, try, compact); d.width <= o.width() {
			return d.draw(o), true
		}
	}
	return "", false
}

// drawing is a plan with every place decided.
type drawing struct {
	*plan
	inner  []int       // of each layer, columns inside of its boxes
	x      []int       // of each layer
	lines  [][]boxLine // of each task
	routes [][]route   // of each gap
	label  []int       // of each gap: columns for the words on the edges
	fit    fit
	width  int
	height int
}

// measure decides all sizes and places for one fit.
func (p *plan) measure(o Options, f fit, compact bool) *drawing {
	d := &drawing{plan: p, fit: f, lines: make([][]boxLine, len(p.tasks)), inner: make([]int, len(p.layers))}
	for i := range p.nodes[:len(p.tasks)] {
		n := &p.nodes[i]
		w := min(p.tasks[i].innerWidth(o, compact), max(f.inner, p.tasks[i].minInner(compact)))
		d.inner[n.layer] = max(d.inner[n.layer], w)
	}
	for i := range p.nodes[:len(p.tasks)] {
		n := &p.nodes[i]
		d.lines[i] = p.tasks[i].boxLines(o, d.inner[n.layer], compact)
		d.lines[i] = append(d.lines[i], p.loops(i, d.inner[n.layer], o)...)
		n.h = max(len(d.lines[i]), len(n.in), len(n.out)) + 2
		d.height = max(d.height, n.y+n.h)
	}
	p.place()
	p.ports()
	x := 0
	for k := range p.layers {
		d.x = append(d.x, x)
		x += d.inner[k] + 4
		if k < len(p.layers)-1 {
			x += d.gapWidth(k)
		}
	}
	d.width = x
	d.height = 0
	for _, n := range p.nodes {
		d.height = max(d.height, n.y+n.h)
	}
	for _, rs := range d.routes {
		for _, r := range rs {
			d.height = max(d.height, r.mid+1)
		}
	}
	return d
}

// loops are the links of a task to itself, which no gap can show.
func (p *plan) loops(task, inner int, o Options) []boxLine {
	var lines []boxLine
	for _, e := range p.edges {
		if e.from == task && e.to == task {
			text := o.Glyphs.set().back + " " + e.text
			lines = append(lines, boxLine{{Truncate(text, inner, o.Glyphs), RoleLabel}})
		}
	}
	return lines
}

// gapWidth routes gap k and returns its width: a dash, the words, the tracks, and the arrow.
func (d *drawing) gapWidth(k int) int {
	rs, tracks := d.plan.routes(k, d.usedRows(k))
	label := 0
	for _, r := range rs {
		if s := d.segs[r.seg]; s.first {
			label = max(label, Width(d.edges[s.link].text))
		}
	}
	d.routes = append(d.routes, rs)
	d.label = append(d.label, label)
	w := 1 + label + 2
	if tracks > 0 {
		w += (tracks-1)*d.fit.spacing + 1
	}
	return w
}

func (d *drawing) draw(o Options) string {
	c := newCanvas(d.width, d.height, o.Glyphs)
	for i := range d.tasks {
		n := d.nodes[i]
		drawBox(c, &d.tasks[i], d.x[n.layer], n.y, d.inner[n.layer]+4, n.h, d.lines[i], o)
	}
	for _, n := range d.nodes[len(d.tasks):] {
		style := d.edges[d.segs[n.in[0]].link].style()
		x := d.x[n.layer]
		for i := range d.inner[n.layer] + 4 {
			c.add(x+i, n.y, east|west, style, RoleEdge)
		}
	}
	for k, rs := range d.routes {
		for _, r := range rs {
			d.drawRoute(c, k, r)
		}
	}
	for k, rs := range d.routes {
		for _, r := range rs {
			d.drawEnds(c, k, r)
		}
	}
	return c.String(o.Paint)
}

// drawRoute draws the lines of one segment; the cells at both ends look outwards, too.
func (d *drawing) drawRoute(c *canvas, k int, r route) {
	s := d.segs[r.seg]
	style := d.edges[s.link].style()
	left, right := d.x[k]+d.inner[k]+4, d.x[k+1]-1
	c.add(left, s.y1, west, style, RoleEdge)
	c.add(right, s.y2, east, style, RoleEdge)
	if r.straight {
		c.horizontal(left, right, s.y1, style, RoleEdge)
		return
	}
	track := func(i int) int { return left + 1 + d.label[k] + i*d.fit.spacing }
	xa, xb := track(r.a), track(r.b)
	c.horizontal(left, xa, s.y1, style, RoleEdge)
	c.horizontal(xb, right, s.y2, style, RoleEdge)
	if r.mid < 0 {
		c.vertical(xa, s.y1, s.y2, style, RoleEdge)
		return
	}
	c.vertical(xa, s.y1, r.mid, style, RoleEdge)
	c.horizontal(xa, xb, r.mid, style, RoleEdge)
	c.vertical(xb, r.mid, s.y2, style, RoleEdge)
}

// drawEnds writes the word and the arrow of one segment over its lines.
func (d *drawing) drawEnds(c *canvas, k int, r route) {
	s := d.segs[r.seg]
	e := d.edges[s.link]
	left, right := d.x[k]+d.inner[k]+4, d.x[k+1]-1
	if s.first {
		c.put(left+1, s.y1, e.text, RoleLabel)
		if e.back {
			c.put(left, s.y1, c.set.left, RoleEdge)
		}
	}
	if s.last && !e.back {
		c.put(right, s.y2, c.set.right, RoleEdge)
	}
}
