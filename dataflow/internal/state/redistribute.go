package state

// savedLists is a ListState in the snapshot of a scope: its elements can be moved from one scope to another.
type savedLists interface {
	// size is the number of elements.
	size() int
	// part returns the elements of all, taken as one list, from from up to to.
	part(all []any, from, to int) any
}

// Union returns a snapshot whose list states hold the elements of all snapshots of scopes, nil when there are none.
func Union(all []*Snapshot) *Snapshot { return portion(all, 0, 1) }

// Deal spreads the elements of the list states of all snapshots of scopes evenly over n snapshots, in order.
func Deal(all []*Snapshot, n int) []*Snapshot {
	parts := make([]*Snapshot, n)
	for i := range parts {
		parts[i] = portion(all, i, n)
	}
	return parts
}

// portion is the i-th of n parts of the lists of all snapshots.
func portion(all []*Snapshot, i, n int) *Snapshot {
	if len(all) == 0 {
		return nil
	}
	out := &Snapshot{}
	for _, name := range names(all) {
		var lists []any
		var first saved
		size := 0
		for _, x := range all {
			for _, s := range x.states {
				if s.name != name {
					continue
				}
				if lists == nil {
					first = s
				}
				lists = append(lists, s.cells)
				size += s.cells.(savedLists).size()
			}
		}
		first.cells = first.cells.(savedLists).part(lists, size*i/n, size*(i+1)/n)
		out.states = append(out.states, first)
	}
	return out
}

// names are the names of the states, in the order in which they come.
func names(all []*Snapshot) []string {
	var names []string
	seen := map[string]bool{}
	for _, x := range all {
		for _, s := range x.states {
			if !seen[s.name] {
				seen[s.name] = true
				names = append(names, s.name)
			}
		}
	}
	return names
}

func (s savedList[V]) size() int {
	n := 0
	for _, vs := range s.cells.vals {
		n += len(vs)
	}
	return n
}

func (s savedList[V]) part(all []any, from, to int) any {
	var vs []V
	for _, l := range all {
		if l, ok := l.(savedList[V]); ok {
			for _, xs := range l.cells.vals {
				vs = append(vs, xs...)
			}
		}
	}
	c := &savedCells[[]V]{}
	if from < to {
		c.ids, c.vals = []int32{0}, [][]V{vs[from:to]}
	}
	return savedList[V]{cells: c}
}
