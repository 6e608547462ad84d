package viz

import "slices"

// place gives every node its top row. Boxes of one layer never overlap and keep their order; within
// that, each box comes as close as it can to the middle of its neighbours.
func (p *plan) place() {
	for _, layer := range p.layers {
		y := 0
		for i, id := range layer {
			if i > 0 {
				y += p.space(layer[i-1], id)
			}
			p.nodes[id].y = y
			y += p.nodes[id].h
		}
	}
	for range 2 {
		for k := 1; k < len(p.layers); k++ {
			p.settle(k, func(n *node) []int { return n.in }, func(s *seg) int { return s.from })
		}
		for k := len(p.layers) - 2; k >= 0; k-- {
			p.settle(k, func(n *node) []int { return n.out }, func(s *seg) int { return s.to })
		}
	}
	top := p.nodes[0].y
	for i := range p.nodes {
		top = min(top, p.nodes[i].y)
	}
	for i := range p.nodes {
		p.nodes[i].y -= top
	}
}

// space is how many rows stay free between two nodes of a layer: lines may touch, boxes not.
func (p *plan) space(a, b int) int {
	if p.nodes[a].task < 0 && p.nodes[b].task < 0 {
		return 0
	}
	return 1
}

// settle moves the nodes of layer k towards the middles of their neighbours on one side. It is the
// least-squares answer under the order: neighbours that push into each other share the difference
// (pool adjacent violators).
func (p *plan) settle(k int, side func(*node) []int, other func(*seg) int) {
	type pool struct{ first, sum, n int }
	layer := p.layers[k]
	offset := make([]int, len(layer)) // of the top row if everything is packed from 0
	var pools []pool
	for i, id := range layer {
		if i > 0 {
			prev := layer[i-1]
			offset[i] = offset[i-1] + p.nodes[prev].h + p.space(prev, id)
		}
		pools = append(pools, pool{i, p.wish(id, side, other) - offset[i], 1})
		for len(pools) > 1 {
			a, b := pools[len(pools)-2], pools[len(pools)-1]
			if a.sum*b.n <= b.sum*a.n {
				break
			}
			pools = append(pools[:len(pools)-2], pool{a.first, a.sum + b.sum, a.n + b.n})
		}
	}
	for _, q := range pools {
		for i := q.first; i < q.first+q.n; i++ {
			p.nodes[layer[i]].y = floorDiv(q.sum, q.n) + offset[i]
		}
	}
}

// wish is the top row that brings the middle of a node next to the middles of its neighbours.
func (p *plan) wish(id int, side func(*node) []int, other func(*seg) int) int {
	n := &p.nodes[id]
	segs := side(n)
	if len(segs) == 0 {
		return n.y
	}
	sum := 0 // of twice the middle
	for _, s := range segs {
		m := &p.nodes[other(&p.segs[s])]
		sum += 2*m.y + m.h
	}
	return floorDiv(sum-n.h*len(segs), 2*len(segs))
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// ports gives every segment the rows where it leaves and arrives. Each segment of a box has a row of
// its own, in the order of the other ends, so that neighbouring lines do not cross.
func (p *plan) ports() {
	for i := range p.nodes {
		n := &p.nodes[i]
		p.byOtherEnd(n.out, func(s *seg) int { return s.to })
		p.byOtherEnd(n.in, func(s *seg) int { return s.from })
		top := n.y + (n.h-len(n.out))/2
		for j, s := range n.out {
			p.segs[s].y1 = top + j
		}
		top = n.y + (n.h-len(n.in))/2
		for j, s := range n.in {
			p.segs[s].y2 = top + j
		}
	}
	for k := range len(p.layers) - 1 {
		for _, s := range p.gap(k) {
			p.straighten(s)
		}
	}
}

func (p *plan) byOtherEnd(segs []int, other func(*seg) int) {
	slices.SortStableFunc(segs, func(a, b int) int {
		return p.nodes[other(&p.segs[a])].pos - p.nodes[other(&p.segs[b])].pos
	})
}

// straighten moves one end of a segment to the row of the other end if the box has that row free and
// the order of its ports stays.
func (p *plan) straighten(id int) {
	s := &p.segs[id]
	if s.y1 == s.y2 {
		return
	}
	to, from := &p.nodes[s.to], &p.nodes[s.from]
	if p.freePort(to, to.in, id, s.y1, func(s *seg) int { return s.y2 }) {
		s.y2 = s.y1
	} else if p.freePort(from, from.out, id, s.y2, func(s *seg) int { return s.y1 }) {
		s.y1 = s.y2
	}
}

// freePort reports whether the port of segment id among segs may move to row y.
func (p *plan) freePort(n *node, segs []int, id, y int, row func(*seg) int) bool {
	if n.task < 0 || y <= n.y || y >= n.y+n.h-1 {
		return false
	}
	before := true
	for _, s := range segs {
		switch {
		case s == id:
			before = false
		case before && row(&p.segs[s]) >= y, !before && row(&p.segs[s]) <= y:
			return false
		}
	}
	return true
}
