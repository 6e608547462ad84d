// Places: where lowered functions note which statement they run.

package rt

import "sync"

// places holds a place for each goroutine and function. Functions of a job that stay interpreted ask for theirs at
// each record, so goroutines must not wait for each other: each has one of many locks, nearly always alone.
type places [64]struct {
	mu sync.Mutex
	of map[uintptr]map[int]*int // by goroutine and function
}

// at is the place of function n in goroutine g.
func (ps *places) at(g uintptr, n int) *int {
	s := &ps[shard(g)]
	s.mu.Lock()
	defer s.mu.Unlock()
	byFunction := s.of[g]
	if byFunction == nil {
		byFunction = map[int]*int{}
		if s.of == nil {
			s.of = map[uintptr]map[int]*int{}
		}
		s.of[g] = byFunction
	}
	p := byFunction[n]
	if p == nil {
		p = new(int)
		byFunction[n] = p
	}
	return p
}

// forget drops the places of a goroutine.
func (ps *places) forget(g uintptr) {
	s := &ps[shard(g)]
	s.mu.Lock()
	delete(s.of, g)
	s.mu.Unlock()
}

// shard spreads goroutines, which are named by addresses or by numbers.
func shard(g uintptr) uintptr { return (g ^ g>>8 ^ g>>14) % 64 }

// At gives function n a place where it notes which statement it runs, in the calling goroutine: several may run
// it at the same time. Recursive calls share the place.
func (r *Runtime) At(n int) *int {
	r.enter()
	return r.places.at(getg(), n)
}

// CellAt is the statement of function n that the present cell's own goroutine runs; 0: none.
func (r *Runtime) CellAt(n int) int { return read(r.places.at(uintptr(r.cell.Load()), n)) }

// read reads a place, which lowered code writes without synchronisation.
//
//go:norace
func read(p *int) int { return *p }
