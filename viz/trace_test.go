package viz

import (
	"strings"
	"testing"
)

// ends are the directions in which the Unicode glyphs of edges leave their cell.
var ends = func() map[string]uint8 {
	m := map[string]uint8{"╯": north | west, "╮": south | west}
	for _, style := range unicodeSet.lines[:2] {
		for mask, g := range style {
			if mask != 0 && mask&(mask-1) != 0 { // a lone direction looks like a whole line
				m[g] = uint8(mask)
			}
		}
	}
	return m
}()

// grid is a drawing by row and column; the tests' text has no wide characters.
func grid(text string) [][]string {
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var row []string
		for _, r := range line {
			row = append(row, string(r))
		}
		rows = append(rows, row)
	}
	return rows
}

func cellAt(g [][]string, x, y int) string {
	if y < 0 || y >= len(g) || x < 0 || x >= len(g[y]) {
		return " "
	}
	return g[y][x]
}

// follow walks along a line from x, y eastwards, straight on at crossings, until something that is no
// line, and returns where that is.
func follow(g [][]string, x, y int) (int, int, string) {
	from := uint8(west)
	for range 100_000 {
		mask, ok := ends[cellAt(g, x, y)]
		if !ok {
			return x, y, cellAt(g, x, y)
		}
		if mask&from == 0 {
			return x, y, "a line that does not go on: " + cellAt(g, x, y)
		}
		out := mask &^ from
		if mask == north|east|south|west {
			out = opposite(from)
		}
		switch out {
		case north:
			y--
		case south:
			y++
		case east:
			x++
		case west:
			x--
		default:
			return x, y, "a fork: " + cellAt(g, x, y)
		}
		from = opposite(out)
	}
	return x, y, "a circle"
}

func opposite(d uint8) uint8 {
	return map[uint8]uint8{north: south, south: north, east: west, west: east}[d]
}

// TestEveryEdgeConnectsItsBoxes follows each edge through the text from the box that it leaves to the
// arrow before the box that it reaches.
func TestEveryEdgeConnectsItsBoxes(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		for _, f := range fits {
			d := newPlan(normal(g)).measure(Options{}, f, false)
			text := d.draw(Options{})
			cells := grid(text)
			for i, e := range d.edges {
				s := d.firstSeg(i)
				x := d.x[d.nodes[s.from].layer] + d.inner[d.nodes[s.from].layer] + 4
				inside(t, d.nodes[s.from], s.y1)
				if got := strings.Join(cells[s.y1][x+1:x+1+len(e.text)], ""); got != e.text {
					t.Fatalf("edge %s: got label %q\n%s", e.text, got, text)
				}
				if e.back && cells[s.y1][x] != "◀" {
					t.Fatalf("edge %s closes a cycle: got %s at its start, want ◀\n%s", e.text, cells[s.y1][x], text)
				}
				gx, gy, end := follow(cells, x+1+len(e.text), s.y1)
				_, right := e.ends()
				n := d.nodes[right]
				if !e.back {
					if end != "▶" {
						t.Fatalf("edge %s ends at %s in column %d, row %d\n%s", e.text, end, gx, gy, text)
					}
					gx++
				}
				if gx != d.x[n.layer] {
					t.Fatalf("edge %s ends in column %d, its box starts in %d\n%s", e.text, gx, d.x[n.layer], text)
				}
				inside(t, n, gy)
			}
		}
	})
}

func inside(t *testing.T, n node, y int) {
	t.Helper()
	if y <= n.y || y >= n.y+n.h-1 {
		t.Fatalf("row %d is not inside the box of rows %d to %d", y, n.y, n.y+n.h-1)
	}
}

func (d *drawing) firstSeg(link int) seg {
	for _, s := range d.segs {
		if s.link == link && s.first {
			return s
		}
	}
	return seg{}
}

func TestBoxesDoNotOverlap(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		d := newPlan(normal(g)).measure(Options{}, fits[0], false)
		for _, layer := range d.layers {
			for i := range layer[1:] {
				a, b := d.nodes[layer[i]], d.nodes[layer[i+1]]
				if a.y+a.h > b.y {
					t.Fatalf("rows %d to %d and from %d\n%s", a.y, a.y+a.h-1, b.y, d.draw(Options{}))
				}
			}
		}
		for k := range len(d.layers) - 1 {
			if d.x[k]+d.inner[k]+4+2 > d.x[k+1] {
				t.Fatalf("layer %d reaches into the next", k)
			}
		}
	})
}

func TestLayersFollowTheEdges(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		f := normal(g)
		layer := f.layerOf()
		for _, e := range f.edges {
			if l, r := e.ends(); layer[l] >= layer[r] {
				t.Fatalf("edge %s runs from layer %d to %d", e.text, layer[l], layer[r])
			}
		}
	})
}

// TestRailsHaveNoLooseEnds checks that every line on the rails meets another line or a task.
func TestRailsHaveNoLooseEnds(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		f := normal(g)
		text := rails(f, Options{Width: 400})
		r := railWidth(f)
		cells := grid(text)
		mask := func(x, y int) uint8 {
			c := cellAt(cells, x, y)
			if x >= r {
				return 0
			}
			if c == "●" {
				return north | south
			}
			return ends[c]
		}
		for y := range cells {
			for x := range min(r, len(cells[y])) {
				m, c := mask(x, y), cellAt(cells, x, y)
				if c == "●" {
					continue
				}
				if m&south != 0 && mask(x, y+1)&north == 0 || m&north != 0 && mask(x, y-1)&south == 0 ||
					m&east != 0 && mask(x+1, y)&west == 0 || m&west != 0 && mask(x-1, y)&east == 0 {
					t.Fatalf("%s in column %d, row %d has a loose end\n%s", c, x, y, text)
				}
			}
		}
	})
}

func railWidth(f *flat) int {
	r := &railing{flat: f, set: Unicode.set()}
	for _, t := range f.order() {
		r.arrive(t)
		r.leave(t)
	}
	r.columns()
	return r.rail
}

func TestRailsNameEveryEdgeOnce(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		text := Draw(g, Options{Width: 200, Form: Rails})
		lines := strings.Split(text, "\n")
		for _, e := range g.Edges {
			n := 0
			for _, l := range lines {
				if strings.HasSuffix(l, " "+e.Label) {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("edge %s is named %d times\n%s", e.Label, n, text)
			}
		}
	})
}
