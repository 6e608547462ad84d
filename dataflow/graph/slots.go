// Slots: which vertices share them, and how many a job needs.

package graph

// defaultGroup is the slot sharing group of an operator that has no other.
const defaultGroup = "default"

// shareSlots gives each vertex the id of those that it shares slots with. Vertices of one group share them; but in BATCH mode,
// where the pipelined regions run one after another, each region in the default group has slots of its own.
func (g *JobGraph) shareSlots() {
	ids := map[any]string{} // by name of the group, or root of the region
	regions := g.regions()
	for _, v := range g.Vertices {
		var of any = v.Group
		if g.Stream.Batch && v.Group == defaultGroup {
			of = regions[v]
		}
		if ids[of] == "" {
			ids[of] = v.ID
		}
		v.SlotSharingGroupID = ids[of]
	}
}

// regions are the pipelined regions: vertices that are connected without a blocking edge are in one. A region goes by one of
// its vertices.
func (g *JobGraph) regions() map[*Vertex]*Vertex {
	root := map[*Vertex]*Vertex{}
	for _, v := range g.Vertices {
		root[v] = v
	}
	for _, v := range g.Vertices {
		for _, e := range v.In {
			if e.Blocking || root[e.From] == root[v] {
				continue
			}
			from, to := root[v], root[e.From]
			for _, w := range g.Vertices {
				if root[w] == from {
					root[w] = to
				}
			}
		}
	}
	return root
}

// RequiredSlots is the number of slots that the job needs to run all of it at once: the greatest parallelism of each slot sharing
// group, added up. The local engine has as many as a job asks for.
func (g *JobGraph) RequiredSlots() int {
	most := map[string]int{}
	for _, v := range g.Vertices {
		most[v.SlotSharingGroupID] = max(most[v.SlotSharingGroupID], v.Parallelism)
	}
	sum := 0
	for _, n := range most {
		sum += n
	}
	return sum
}
