package graph

import (
	"fmt"
	"strings"
	"testing"
)

func TestVerticesShareSlotsByGroupAndInBatchByPipelinedRegion(t *testing.T) {
	// op is one operator of a program: its inputs by position, its parallelism and its group.
	type op struct {
		in    []int
		par   int
		group string
		atEnd bool
	}
	row := []op{{par: 2}, {in: []int{0}, par: 4}, {in: []int{1}, par: 3}}
	for _, c := range []struct {
		name  string
		batch bool
		ops   []op
		share string // the vertices by index; those with one letter share slots
		slots int
	}{
		{"STREAMING: all of the default group share", false, row, "aaa", 4},
		{"STREAMING: an edge that blocks changes nothing", false, []op{{par: 2, atEnd: true}, {in: []int{0}, par: 4}}, "aa", 4},
		{"a group of its own", false, []op{{par: 2}, {in: []int{0}, par: 4, group: "g"}, {in: []int{1}, par: 3}, {in: []int{2}, par: 5, group: "default"}}, "abba", 9},
		{"two programs of one job share the default group", false, []op{{par: 2}, {in: []int{0}, par: 4}, {par: 3}, {in: []int{2}, par: 1}}, "aaaa", 4},
		{"BATCH: each region of the default group has its own", true, row, "abc", 9},
		{"BATCH: a group that was set is one, whatever the regions", true,
			[]op{{par: 2, group: "g"}, {in: []int{0}, par: 4, group: "g"}, {in: []int{1}, par: 3, group: "default"}, {in: []int{2}, par: 2}}, "aabc", 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []*Transformation
			for i, o := range c.ops {
				n := &Transformation{ID: i + 1, Kind: Operator, Name: fmt.Sprint("op", i), Parallelism: o.par, SlotSharingGroup: o.group,
					BufferTimeout: DefaultBufferTimeout, EmitsAtEnd: o.atEnd, Bounded: true}
				if len(o.in) == 0 {
					n.Kind = Source
				}
				for _, j := range o.in {
					n.Inputs = append(n.Inputs, all[j])
				}
				all = append(all, n)
			}
			g := build(t, all, Config{Chaining: true, Batch: c.batch})
			byOp := map[string]string{}
			for _, v := range g.Vertices {
				byOp[v.Chain[0].T.Name] = v.SlotSharingGroupID
			}
			letters, share := map[string]string{}, ""
			for i := range c.ops {
				id := byOp[fmt.Sprint("op", i)]
				if letters[id] == "" {
					letters[id] = string(rune('a' + len(letters)))
				}
				share += letters[id]
				if len(strings.Trim(id, "0123456789abcdef")) != 0 || len(id) != 32 {
					t.Errorf("the id %q has not 32 hex digits", id)
				}
			}
			if share != c.share || g.RequiredSlots() != c.slots {
				t.Errorf("got %s with %d slots, want %s with %d", share, g.RequiredSlots(), c.share, c.slots)
			}
		})
	}
}

// In BATCH mode every edge of this engine blocks, but a region is found by the edges and not by the mode.
func TestVerticesWithoutABlockingEdgeBetweenThemAreOneRegion(t *testing.T) {
	v := make([]*Vertex, 5)
	for i := range v {
		v[i] = &Vertex{ID: fmt.Sprint(i), Group: defaultGroup, Parallelism: 1}
	}
	for _, e := range []struct {
		from, to int
		blocking bool
	}{{0, 2, false}, {1, 2, true}, {1, 3, false}, {2, 4, false}, {3, 4, true}} {
		v[e.to].In = append(v[e.to].In, &JobEdge{From: v[e.from], To: v[e.to], Blocking: e.blocking})
	}
	g := &JobGraph{Stream: &StreamGraph{Batch: true}, Vertices: v}
	g.shareSlots()
	var ids []string
	for _, v := range v {
		ids = append(ids, v.SlotSharingGroupID)
	}
	if fmt.Sprint(ids) != "[0 1 0 1 0]" || g.RequiredSlots() != 2 {
		t.Errorf("got %v with %d slots, want [0 1 0 1 0] with 2", ids, g.RequiredSlots())
	}
}
