package viz

import "strings"

// canvas is a grid of terminal cells on which lines join by themselves.
type canvas struct {
	w, h  int
	cells []cell
	set   *glyphSet
}

// cell is one column of one row. A cell with lines has a mask; text beats lines. The second column of a
// wide character is taken and empty.
type cell struct {
	text  string
	mask  uint8
	style uint8
	role  Role
	taken bool
}

func newCanvas(w, h int, g Glyphs) *canvas {
	return &canvas{w: w, h: h, cells: make([]cell, w*h), set: g.set()}
}

// at returns nil outside of the canvas, so that a drawing can never reach beyond its width.
func (c *canvas) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= c.w || y >= c.h {
		return nil
	}
	return &c.cells[y*c.w+x]
}

// put writes text from x on.
func (c *canvas) put(x, y int, text string, r Role) {
	for len(text) > 0 {
		g, n := cluster(text)
		text = text[len(g):]
		if p := c.at(x, y); p != nil && n > 0 && x+n <= c.w {
			*p = cell{text: g, role: r, taken: true}
			for i := 1; i < n; i++ {
				*c.at(x+i, y) = cell{role: r, taken: true}
			}
		}
		x += n
	}
}

// add lets a line leave the cell in the directions of mask; it joins the lines that are there.
func (c *canvas) add(x, y int, mask, style uint8, r Role) {
	p := c.at(x, y)
	if p == nil || p.taken {
		return
	}
	if p.mask == 0 {
		p.style, p.role = style, r
	} else if p.style != style {
		p.style = light
	}
	p.mask |= mask
}

// horizontal draws from x1 to x2 inclusive; both end cells look inwards only.
func (c *canvas) horizontal(x1, x2, y int, style uint8, r Role) {
	if x1 > x2 {
		x1, x2 = x2, x1
	}
	for x := x1; x <= x2; x++ {
		var m uint8
		if x > x1 {
			m |= west
		}
		if x < x2 {
			m |= east
		}
		c.add(x, y, m, style, r)
	}
}

// vertical draws from y1 to y2 inclusive; both end cells look inwards only.
func (c *canvas) vertical(x, y1, y2 int, style uint8, r Role) {
	if y1 > y2 {
		y1, y2 = y2, y1
	}
	for y := y1; y <= y2; y++ {
		var m uint8
		if y > y1 {
			m |= north
		}
		if y < y2 {
			m |= south
		}
		c.add(x, y, m, style, r)
	}
}

// glyph is what the cell shows.
func (c *canvas) glyph(p *cell) string {
	if p.taken {
		return p.text
	}
	return c.set.line(int(p.style), p.mask)
}

// String renders the grid without trailing blanks.
func (c *canvas) String(paint func(Role, string) string) string {
	var b strings.Builder
	b.Grow(c.w*c.h + c.h)
	for y := range c.h {
		c.row(&b, c.cells[y*c.w:(y+1)*c.w], paint)
		b.WriteByte('\n')
	}
	return b.String()
}

func (c *canvas) row(b *strings.Builder, row []cell, paint func(Role, string) string) {
	end := len(row)
	for end > 0 && row[end-1].blank() {
		end--
	}
	var run strings.Builder
	role := RoleText
	flush := func() {
		if run.Len() == 0 {
			return
		}
		if paint == nil {
			b.WriteString(run.String())
		} else {
			b.WriteString(paint(role, run.String()))
		}
		run.Reset()
	}
	for i := range end {
		p := &row[i]
		if p.role != role && !p.blank() {
			flush()
			role = p.role
		}
		run.WriteString(c.glyph(p))
	}
	flush()
}

func (p *cell) blank() bool { return !p.taken && p.mask == 0 || p.text == " " }
