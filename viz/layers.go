package viz

import (
	"cmp"
	"slices"
)

// flat is a Graph with indices for ids: labels given, edges sorted, unknown ends dropped.
type flat struct {
	tasks []Task
	edges []link
}

// link is an edge between two tasks, by index. A back link closes a cycle (an iteration): it is laid
// out as if it ran the other way, and its arrow points backwards.
type link struct {
	from, to int
	text     string
	side     bool
	back     bool
}

// ends returns the link's tasks from left to right.
func (l link) ends() (left, right int) {
	if l.back {
		return l.to, l.from
	}
	return l.from, l.to
}

func (l link) style() uint8 {
	if l.side {
		return dashed
	}
	return light
}

// normal makes a flat graph. Edges are put in one order whatever order they came in.
func normal(g Graph) *flat {
	f := &flat{tasks: slices.Clone(g.Tasks)}
	index := make(map[string]int, len(f.tasks))
	for i := range f.tasks {
		t := &f.tasks[i]
		if t.Label == "" {
			t.Label = letters(i)
		}
		t.Label = Clean(t.Label)
		if _, twice := index[t.ID]; !twice {
			index[t.ID] = i
		}
	}
	for _, e := range g.Edges {
		from, ok1 := index[e.From]
		to, ok2 := index[e.To]
		if ok1 && ok2 {
			f.edges = append(f.edges, link{from: from, to: to, text: e.text(), side: e.Side})
		}
	}
	slices.SortFunc(f.edges, func(a, b link) int {
		side := func(l link) int {
			if l.side {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to),
			cmp.Compare(side(a), side(b)), cmp.Compare(a.text, b.text))
	})
	f.markBack()
	return f
}

// letters counts A, B, .. Z, AA, AB, as spreadsheets do.
func letters(i int) string {
	s := ""
	for i++; i > 0; i = (i - 1) / 26 {
		s = string(rune('A'+(i-1)%26)) + s
	}
	return s
}

// markBack marks the links that close a cycle in a depth-first walk. A link of a task to itself
// counts as back, too.
func (f *flat) markBack() {
	out := make([][]int, len(f.tasks))
	for i, e := range f.edges {
		out[e.from] = append(out[e.from], i)
	}
	state := make([]uint8, len(f.tasks)) // 1: on the path, 2: done
	var walk func(t int)
	walk = func(t int) {
		state[t] = 1
		for _, i := range out[t] {
			e := &f.edges[i]
			switch state[e.to] {
			case 0:
				walk(e.to)
			case 1:
				e.back = true
			}
		}
		state[t] = 2
	}
	for t := range f.tasks {
		if state[t] == 0 {
			walk(t)
		}
	}
}

// layerOf returns the layer of every task: the longest path from a source.
func (f *flat) layerOf() []int {
	layer := make([]int, len(f.tasks))
	for _, t := range f.order() {
		for _, e := range f.edges {
			if l, r := e.ends(); l == t && r != t {
				layer[r] = max(layer[r], layer[t]+1)
			}
		}
	}
	return layer
}

// order lists the tasks so that every link runs forward; where it may choose, it keeps the given order.
func (f *flat) order() []int {
	waits := make([]int, len(f.tasks))
	for _, e := range f.edges {
		if l, r := e.ends(); l != r {
			waits[r]++
		}
	}
	done := make([]bool, len(f.tasks))
	var list []int
	for len(list) < len(f.tasks) {
		t := 0
		for t < len(f.tasks) && (done[t] || waits[t] > 0) {
			t++
		}
		if t == len(f.tasks) {
			break // cannot happen: markBack left no cycle
		}
		done[t] = true
		list = append(list, t)
		for _, e := range f.edges {
			if l, r := e.ends(); l == t && r != t {
				waits[r]--
			}
		}
	}
	return list
}

// node is a box, or a point where a long link crosses a layer (task < 0).
type node struct {
	task    int
	layer   int
	pos     int // in its layer
	h, y    int // rows
	in, out []int
}

// seg is the part of a link between two neighbouring layers.
type seg struct {
	from, to    int // nodes
	link        int
	first, last bool // touches the left, the right box of the link
	y1, y2      int  // rows where it leaves and arrives
}

// plan is the layered layout of a graph.
type plan struct {
	*flat
	nodes  []node
	segs   []seg
	layers [][]int // nodes, top first
}

// newPlan puts the tasks into layers, cuts long links, and orders each layer.
func newPlan(f *flat) *plan {
	p := &plan{flat: f}
	layer := f.layerOf()
	p.layers = make([][]int, 1+slices.Max(layer))
	for t := range f.tasks {
		p.newNode(t, layer[t])
	}
	for i, e := range f.edges {
		l, r := e.ends()
		if l == r {
			continue
		}
		at := l
		for k := layer[l] + 1; k < layer[r]; k++ {
			next := p.newNode(-1, k)
			p.join(at, next, i, at == l, false)
			at = next
		}
		p.join(at, r, i, at == l, true)
	}
	p.sweep()
	return p
}

func (p *plan) newNode(task, layer int) int {
	id := len(p.nodes)
	p.nodes = append(p.nodes, node{task: task, layer: layer, pos: len(p.layers[layer]), h: 1})
	p.layers[layer] = append(p.layers[layer], id)
	return id
}

func (p *plan) join(from, to, link int, first, last bool) {
	id := len(p.segs)
	p.segs = append(p.segs, seg{from: from, to: to, link: link, first: first, last: last})
	p.nodes[from].out = append(p.nodes[from].out, id)
	p.nodes[to].in = append(p.nodes[to].in, id)
}

// sweep orders the layers by four barycentre sweeps and keeps the order with the fewest crossings.
// Ties keep the order that was there, so a drawing changes little when a task is added.
func (p *plan) sweep() {
	best, least := p.snapshot(), p.crossings()
	for round := range 4 {
		if round%2 == 0 {
			for k := 1; k < len(p.layers); k++ {
				p.reorder(k, func(n *node) []int { return n.in }, func(s *seg) int { return s.from })
			}
		} else {
			for k := len(p.layers) - 2; k >= 0; k-- {
				p.reorder(k, func(n *node) []int { return n.out }, func(s *seg) int { return s.to })
			}
		}
		if c := p.crossings(); c < least {
			best, least = p.snapshot(), c
		}
	}
	p.layers = best
	for _, l := range p.layers {
		p.number(l)
	}
}

func (p *plan) snapshot() [][]int {
	s := make([][]int, len(p.layers))
	for i, l := range p.layers {
		s[i] = slices.Clone(l)
	}
	return s
}

func (p *plan) number(layer []int) {
	for i, n := range layer {
		p.nodes[n].pos = i
	}
}

// reorder sorts layer k by the mean position of the neighbours on one side. A node without such
// neighbours stays at its place.
func (p *plan) reorder(k int, side func(*node) []int, other func(*seg) int) {
	key := make(map[int]float64, len(p.layers[k]))
	for _, id := range p.layers[k] {
		n := &p.nodes[id]
		segs := side(n)
		sum := 0
		for _, s := range segs {
			sum += p.nodes[other(&p.segs[s])].pos
		}
		if len(segs) == 0 {
			key[id] = float64(n.pos)
		} else {
			key[id] = float64(sum) / float64(len(segs))
		}
	}
	slices.SortStableFunc(p.layers[k], func(a, b int) int { return cmp.Compare(key[a], key[b]) })
	p.number(p.layers[k])
}

// crossings counts the pairs of segments that cross between neighbouring layers.
func (p *plan) crossings() int {
	count := 0
	for k := range len(p.layers) - 1 {
		segs := p.gap(k)
		for i, a := range segs {
			for _, b := range segs[i+1:] {
				d1 := p.nodes[p.segs[a].from].pos - p.nodes[p.segs[b].from].pos
				d2 := p.nodes[p.segs[a].to].pos - p.nodes[p.segs[b].to].pos
				if d1*d2 < 0 {
					count++
				}
			}
		}
	}
	return count
}

// gap lists the segments between layers k and k+1, by the order of the nodes that they leave.
func (p *plan) gap(k int) []int {
	var list []int
	for _, n := range p.layers[k] {
		list = append(list, p.nodes[n].out...)
	}
	return list
}
