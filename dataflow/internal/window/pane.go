package window

import "flinkish/dataflow/internal/state"

const (
	idsPerPage = 64
	// What is kept of panes that went away, for those that come.
	sparePages = 1024
	spareLists = 4
	spareCells = 1 << 16 // in one list
)

// pane is one window that does not merge, with a cell for each key in it. The cells lie in the order in which their
// keys came, so that a window fires from one end of the memory to the other; pages tell where the cell of a key is.
type pane[W Window, A any] struct {
	w          W
	start, end int64 // first and last timestamp of w; start of a TimeWindow only
	cleanup    int64 // when the window goes away
	due        int64 // from this watermark on, a record fires the window at once; MinInt64: see addFast
	pages      []*page
	cells      []cell[A]
	free       []int32 // places of cells that were dropped
	n          int     // cells in use
}

// page holds, for 64 key ids, the place of the cell, counted from 1; 0 is none.
type page [idsPerPage]int32

// panes are the windows of an operator, with the one that was used last at hand, and memory to use again.
type panes[W Window, A any] struct {
	byWindow map[W]*pane[W, A] // ranged over by a snapshot only, which sorts
	last     *pane[W, A]
	spare    []*page // all zero
	lists    [][]cell[A]
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
	if n := len(ps.lists); n > 0 {
		p.cells, ps.lists = ps.lists[n-1], ps.lists[:n-1]
	}
	ps.byWindow[w] = p
	ps.last = p
	return p
}

// remove takes a pane out, whose cells have been released.
func (ps *panes[W, A]) remove(p *pane[W, A]) {
	delete(ps.byWindow, p.w)
	if ps.last == p {
		ps.last = nil
	}
	for _, pg := range p.pages {
		if pg != nil && len(ps.spare) < sparePages {
			*pg = page{}
			ps.spare = append(ps.spare, pg)
		}
	}
	if len(ps.lists) < spareLists && cap(p.cells) <= spareCells {
		clear(p.cells)
		ps.lists = append(ps.lists, p.cells[:0])
	}
	p.pages, p.cells, p.free = nil, nil, nil
}

// at returns the cell of a key, nil when there is none. It is good until another key gets one.
func (p *pane[W, A]) at(id int32) *cell[A] {
	if i := int(id / idsPerPage); i < len(p.pages) {
		if pg := p.pages[i]; pg != nil {
			if place := pg[id%idsPerPage]; place != 0 {
				return &p.cells[place-1]
			}
		}
	}
	return nil
}

// cell returns the cell of a key, made when there is none; the key's id is kept meanwhile.
func (p *pane[W, A]) cell(ps *panes[W, A], id int32, keys state.Keys) *cell[A] {
	if c := p.at(id); c != nil {
		return c
	}
	i := int(id / idsPerPage)
	for i >= len(p.pages) {
		p.pages = append(p.pages, nil)
	}
	pg := p.pages[i]
	if pg == nil {
		if n := len(ps.spare); n > 0 {
			pg, ps.spare = ps.spare[n-1], ps.spare[:n-1]
		} else {
			pg = &page{}
		}
		p.pages[i] = pg
	}
	place := int32(len(p.cells))
	if n := len(p.free); n > 0 {
		place, p.free = p.free[n-1], p.free[:n-1]
	} else {
		p.cells = append(p.cells, cell[A]{})
	}
	pg[id%idsPerPage] = place + 1
	p.n++
	keys.Retain(id)
	c := &p.cells[place]
	c.id = id
	return c
}

// drop forgets the cell of a key.
func (p *pane[W, A]) drop(id int32, keys state.Keys) {
	pg := p.pages[id/idsPerPage]
	place := pg[id%idsPerPage] - 1
	pg[id%idsPerPage] = 0
	p.cells[place] = cell[A]{id: state.NoKey}
	p.free = append(p.free, place)
	p.n--
	keys.Release(id)
}
