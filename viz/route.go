package viz

import "slices"

// route is the way of one segment through the gap between two layers: along row y1 to column a, up or
// down, and along row y2 to the next layer. A segment that would run into itself through others (two
// that swap rows) takes a second column b and changes over on row mid, which nothing else uses.
type route struct {
	seg      int
	straight bool
	a, b     int // tracks, from 0; equal without a detour
	mid      int // -1: no detour
}

// routes lays out gap k and returns the ways and the number of tracks. Each track belongs to one
// vertical run, so vertical runs never overlap; the order of the tracks keeps horizontal runs apart:
// where one segment leaves on the row on which another arrives, it must turn before.
func (p *plan) routes(k int, used map[int]bool) ([]route, int) {
	var list []route
	for _, s := range p.gap(k) {
		list = append(list, route{seg: s, straight: p.segs[s].y1 == p.segs[s].y2, mid: -1})
	}
	arrives := make(map[int]int, len(list)) // row -> route
	for i, r := range list {
		if !r.straight {
			arrives[p.segs[r.seg].y2] = i
		}
	}
	p.detours(list, arrives, used)
	return list, p.tracks(list, arrives)
}

// blocks returns the route that must turn later than route i: the one that arrives on i's first row.
func (p *plan) blocks(list []route, arrives map[int]int, i int) (int, bool) {
	if list[i].straight {
		return 0, false
	}
	j, ok := arrives[p.segs[list[i].seg].y1]
	return j, ok && j != i
}

// detours finds the cycles (each route blocks at most one other) and gives one route of each a detour.
func (p *plan) detours(list []route, arrives map[int]int, used map[int]bool) {
	seen := make([]int, len(list)) // 0: not yet, else the walk that met it
	for start := range list {
		at := start
		for seen[at] == 0 {
			seen[at] = start + 1
			next, ok := p.blocks(list, arrives, at)
			if !ok {
				break
			}
			if seen[next] == start+1 {
				s := p.segs[list[next].seg]
				list[next].mid = freeRow(used, s.y1, s.y2)
				break
			}
			at = next
		}
	}
}

// freeRow takes the unused row that is nearest to the way from a to b.
func freeRow(used map[int]bool, a, b int) int {
	if a > b {
		a, b = b, a
	}
	for y := a + 1; y < b; y++ {
		if !used[y] {
			used[y] = true
			return y
		}
	}
	for d := 1; ; d++ {
		for _, y := range []int{b + d, a - d} {
			if y >= 0 && !used[y] {
				used[y] = true
				return y
			}
		}
	}
}

// run is one vertical run to place: the first of a route, or the second of a detour.
type run struct {
	route  int
	second bool
	key    int // small ones go left if they may
	waits  int
}

// tracks orders the vertical runs and returns how many there are.
func (p *plan) tracks(list []route, arrives map[int]int) int {
	var runs []run
	first, last := make([]int, len(list)), make([]int, len(list))
	for i, r := range list {
		if r.straight {
			continue
		}
		s := p.segs[r.seg]
		key := s.y1 // upwards: the upper one turns first
		if s.y2 > s.y1 {
			key = -s.y1 // downwards: the lower one turns first
		}
		first[i], last[i] = len(runs), len(runs)
		runs = append(runs, run{route: i, key: key})
		if r.mid >= 0 {
			last[i] = len(runs)
			runs = append(runs, run{route: i, second: true, key: key})
		}
	}
	next := make([]int, len(runs)) // the run that must wait for this one
	for i := range next {
		next[i] = -1
	}
	for i := range list {
		if j, ok := p.blocks(list, arrives, i); ok {
			next[first[i]] = last[j]
			runs[last[j]].waits++
		}
	}
	p.assign(list, runs, next)
	return len(runs)
}

// assign hands out the tracks from left to right: always the run with the smallest key that waits
// for no other.
func (p *plan) assign(list []route, runs []run, next []int) {
	open := make([]int, len(runs))
	for i := range open {
		open[i] = i
	}
	slices.SortStableFunc(open, func(a, b int) int { return runs[a].key - runs[b].key })
	for track := 0; len(open) > 0; track++ {
		at := max(slices.IndexFunc(open, func(i int) bool { return runs[i].waits == 0 }), 0)
		r := &runs[open[at]]
		if r.second {
			list[r.route].b = track
		} else {
			list[r.route].a = track
			if list[r.route].mid < 0 {
				list[r.route].b = track
			}
		}
		if n := next[open[at]]; n >= 0 {
			runs[n].waits--
		}
		open = slices.Delete(open, at, at+1)
	}
}

// usedRows are the rows on which some segment of gap k leaves or arrives.
func (p *plan) usedRows(k int) map[int]bool {
	used := make(map[int]bool)
	for _, s := range p.gap(k) {
		used[p.segs[s].y1], used[p.segs[s].y2] = true, true
	}
	return used
}
