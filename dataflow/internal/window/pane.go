package window

import "flinkish/dataflow/internal/state"

const cellsPerPage = 64

// pane is one window that does not merge, with a cell for each key in it. Cells are found by key id.
type pane[W Window, A any] struct {
	w          W
	start, end int64 // first and last timestamp of w; start of a TimeWindow only
	cleanup    int64 // when the window goes away
	due        int64 // from this watermark on, a record fires the window at once; MinInt64: see addFast
	pages      []*page[A]
	order      []int32 // ids in the order in which keys came; kept on the fast path only
	n          int     // cells in use
}

type page[A any] struct {
	live  uint64 // a bit for each cell in use
	cells [cellsPerPage]cell[A]
}

// panes are the windows of an operator, with the one that was used last at hand, and pages to use again.
type panes[W Window, A any] struct {
	byWindow map[W]*pane[W, A] // ranged over by a snapshot only, which sorts
	last     *pane[W, A]
	spare    []*page[A]
}

// find returns the pane of a window, nil when there is none.
func (ps *panes[W, A]) find(w W) *pane[W, A] {
	if p := ps.last; p != nil && p.w == w {
		return p
	}
	p := ps.byWindow[w]
	if p != nil {
		ps.last = p
	}
	return p
}

// make adds the pane of a window that has none.
func (ps *panes[W, A]) make(w W, cleanup int64) *pane[W, A] {
	p := &pane[W, A]{w: w, end: w.MaxTimestamp(), cleanup: cleanup}
	p.due = p.end
	if tw, ok := any(w).(TimeWindow); ok {
		p.start = tw.Start
	}
	ps.byWindow[w] = p
	ps.last = p
	return p
}

// remove takes a pane without cells out.
func (ps *panes[W, A]) remove(p *pane[W, A]) {
	delete(ps.byWindow, p.w)
	if ps.last == p {
		ps.last = nil
	}
	for _, pg := range p.pages {
		if pg != nil && len(ps.spare) < 1024 {
			ps.spare = append(ps.spare, pg)
		}
	}
	p.pages = nil
}

// at returns the cell of a key, nil when there is none.
func (p *pane[W, A]) at(id int32) *cell[A] {
	if i := int(id / cellsPerPage); i < len(p.pages) {
		if pg := p.pages[i]; pg != nil && pg.live>>(id%cellsPerPage)&1 != 0 {
			return &pg.cells[id%cellsPerPage]
		}
	}
	return nil
}

// cell returns the cell of a key, made when there is none; the key's id is kept meanwhile.
func (p *pane[W, A]) cell(ps *panes[W, A], id int32, keys state.Keys) *cell[A] {
	if c := p.at(id); c != nil {
		return c
	}
	i := int(id / cellsPerPage)
	for i >= len(p.pages) {
		p.pages = append(p.pages, nil)
	}
	pg := p.pages[i]
	if pg == nil {
		if n := len(ps.spare); n > 0 {
			pg, ps.spare = ps.spare[n-1], ps.spare[:n-1]
		} else {
			pg = &page[A]{}
		}
		p.pages[i] = pg
	}
	pg.live |= 1 << (id % cellsPerPage)
	p.n++
	keys.Retain(id)
	return &pg.cells[id%cellsPerPage]
}

// drop forgets the cell of a key.
func (p *pane[W, A]) drop(id int32, keys state.Keys) {
	pg := p.pages[id/cellsPerPage]
	pg.live &^= 1 << (id % cellsPerPage)
	pg.cells[id%cellsPerPage] = cell[A]{}
	p.n--
	keys.Release(id)
}
