package viz

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, d)
	}
}

func metrics(busy, blocked int, in, out uint64, wm string) *Metrics {
	return &Metrics{Busy: busy, BackPressured: blocked, Idle: 1000 - busy - blocked, In: in, Out: out, Watermark: wm}
}

// clicks is a job of nine operators in six tasks with everything in it: a join of two sources, a
// bottleneck and a side output.
func clicks() Graph {
	return Graph{
		Tasks: []Task{
			{ID: "a", Operators: []string{"Source: clicks", "Parse", "Timestamps/WM"}, Parallelism: 2, Metrics: metrics(80, 920, 0, 12400, "10:00:11..17")},
			{ID: "b", Operators: []string{"Source: users"}, Parallelism: 1, Metrics: metrics(20, 0, 0, 3, "idle")},
			{ID: "c", Operators: []string{"Enrich"}, Parallelism: 4, Metrics: metrics(1000, 0, 12400, 12100, "10:00:11"), Bottleneck: true},
			{ID: "d", Operators: []string{"Window 10s sum", "Format"}, Parallelism: 4, Metrics: metrics(210, 0, 12100, 18, "10:00:11")},
			{ID: "e", Operators: []string{"Sink: out"}, Parallelism: 1, Metrics: metrics(10, 0, 18, 0, "10:00:11")},
			{ID: "f", Operators: []string{"Sink: late"}, Parallelism: 1, Metrics: metrics(-1, -1, 2, 0, "10:00:11")},
		},
		Edges: []Edge{
			{From: "a", To: "c", Label: "HASH"},
			{From: "b", To: "c", Label: "BROADCAST"},
			{From: "c", To: "d", Label: "HASH"},
			{From: "d", To: "e", Label: "REBALANCE"},
			{From: "d", To: "f", Label: "REBALANCE", Side: true, Tag: "late"},
		},
	}
}

// words is the smallest job of the lessons.
func words() Graph {
	return Graph{
		Tasks: []Task{
			{ID: "1", Operators: []string{"Source: Collection Source", "Flat Map"}, Parallelism: 1},
			{ID: "2", Operators: []string{"Keyed Reduce", "Sink: Print to Std. Out"}, Parallelism: 2},
		},
		Edges: []Edge{{From: "1", To: "2", Label: "HASH"}},
	}
}

// hard has a long edge, two edges between the same tasks, a cycle, a loop, a branching chain, and text
// that would break a terminal.
func hard() Graph {
	return Graph{
		Tasks: []Task{
			{ID: "s", Operators: []string{"Source: 数据\x1b[31m red\nline"}, Parallelism: 1},
			{ID: "m", Operators: []string{"Map", "Filter", "Sink: a", "Sink: b"}, Depths: []int{0, 1, 2, 2}, Parallelism: 2, Selected: true},
			{ID: "i", Operators: []string{"IterationHead"}, Parallelism: 2},
			{ID: "t", Operators: []string{"Co-Map of a very long name that no box can hold in full"}, Parallelism: 12},
		},
		Edges: []Edge{
			{From: "s", To: "t", Label: "SHUFFLE"},
			{From: "s", To: "m", Label: "REBALANCE"},
			{From: "m", To: "i", Label: "FORWARD"},
			{From: "i", To: "m", Label: "FORWARD", Side: true, Tag: "again"},
			{From: "i", To: "i", Label: "REBALANCE"},
			{From: "i", To: "t", Label: "HASH"},
			{From: "i", To: "t", Label: "HASH"},
			{From: "i", To: "nowhere", Label: "GLOBAL"},
		},
	}
}

func TestGraphsLookAsDrawn(t *testing.T) {
	for name, g := range map[string]Graph{"clicks": clicks(), "words": words(), "hard": hard()} {
		for _, glyphs := range []Glyphs{Unicode, Block, ASCII} {
			for _, form := range []Form{Full, Compact, Rails} {
				w := 120
				if form == Rails {
					w = 80
				}
				golden(t, fmt.Sprintf("%s-%s-%s", name, form, glyphs), Draw(g, Options{Width: w, Glyphs: glyphs, Form: form}))
			}
		}
	}
}

func TestAutoTakesTheRichestFormThatFits(t *testing.T) {
	for _, c := range []struct {
		g     Graph
		width int
		want  Form
	}{
		{words(), 80, Full}, {words(), 40, Rails}, {clicks(), 120, Full}, {clicks(), 110, Compact}, {clicks(), 80, Rails}, {clicks(), 10, Rails},
	} {
		if _, got := DrawForm(c.g, Options{Width: c.width}); got != c.want {
			t.Errorf("%d tasks in %d columns: got %s, want %s", len(c.g.Tasks), c.width, got, c.want)
		}
	}
}

func TestAnEmptyGraphIsNoText(t *testing.T) {
	if got := Draw(Graph{}, Options{}); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

// randomGraph is a DAG with n tasks and about m edges, some of them twice; cycles closes some.
func randomGraph(r *rand.Rand, n, m int, cycles bool) Graph {
	var g Graph
	for i := range n {
		t := Task{ID: fmt.Sprint(i), Parallelism: 1 + r.IntN(16)}
		for range 1 + r.IntN(3) {
			t.Operators = append(t.Operators, strings.Repeat("op", 1+r.IntN(12)))
		}
		if r.IntN(2) == 0 {
			t.Metrics = metrics(r.IntN(500), r.IntN(500), r.Uint64N(1e6), r.Uint64N(1e6), "10:00:00")
		}
		g.Tasks = append(g.Tasks, t)
	}
	for i := range m {
		a, b := r.IntN(n), r.IntN(n)
		if a == b {
			continue
		}
		if a > b && !(cycles && r.IntN(8) == 0) {
			a, b = b, a
		}
		g.Edges = append(g.Edges, Edge{From: fmt.Sprint(a), To: fmt.Sprint(b), Label: fmt.Sprintf("E%d", i), Side: r.IntN(4) == 0})
	}
	return g
}

// sizes are the random graphs that the tests below look at.
func eachRandomGraph(t *testing.T, check func(t *testing.T, g Graph)) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(14)
		g := randomGraph(r, n, r.IntN(2*n+1), seed%3 == 0)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { check(t, g) })
	}
}

func TestRandomGraphsStayWithinTheWidth(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		for _, form := range []Form{Full, Compact, Rails} {
			for _, w := range []int{1, 40, 200} {
				for i, line := range strings.Split(Draw(g, Options{Width: w, Form: form}), "\n") {
					if got := Width(line); got > w {
						t.Fatalf("%s in %d columns: line %d has %d: %s", form, w, i+1, got, line)
					}
				}
			}
		}
	})
}

func TestRandomGraphsDoNotDependOnTheOrderOfEdges(t *testing.T) {
	eachRandomGraph(t, func(t *testing.T, g Graph) {
		for _, form := range []Form{Full, Rails} {
			o := Options{Width: 400, Form: form}
			want := Draw(g, o)
			other := Graph{Tasks: g.Tasks, Edges: slices.Clone(g.Edges)}
			slices.Reverse(other.Edges)
			if got := Draw(other, o); got != want {
				t.Fatalf("%s differs with the edges reversed:\n%s\nwant\n%s", form, got, want)
			}
		}
	})
}

func TestLabelsCountLikeColumnsOfASpreadsheet(t *testing.T) {
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 702: "AAA"} {
		if got := letters(i); got != want {
			t.Errorf("letters(%d): got %s, want %s", i, got, want)
		}
	}
}

func TestPaintSeesTheWholeDrawingAndChangesNothing(t *testing.T) {
	for _, form := range []Form{Full, Compact, Rails} {
		roles := map[Role]bool{}
		o := Options{Width: 120, Form: form}
		want := Draw(clicks(), o)
		o.Paint = func(r Role, s string) string { roles[r] = true; return s }
		if got := Draw(clicks(), o); got != want {
			t.Errorf("%s: painting changed the text:\n%s", form, cmp.Diff(want, got))
		}
		if !roles[RoleBottleneck] || !roles[RoleLabel] || !roles[RoleEdge] {
			t.Errorf("%s: got roles %v, want the bottleneck, labels and edges among them", form, roles)
		}
	}
}

func BenchmarkNineOperators(b *testing.B) {
	g := clicks()
	for b.Loop() {
		Draw(g, Options{Width: 120})
	}
}

func BenchmarkHundredNodes(b *testing.B) {
	g := randomGraph(rand.New(rand.NewPCG(1, 1)), 100, 132, false)
	for b.Loop() {
		Draw(g, Options{Width: 1000, Form: Full})
	}
}

func BenchmarkHundredNodesAsRails(b *testing.B) {
	g := randomGraph(rand.New(rand.NewPCG(1, 1)), 100, 132, false)
	for b.Loop() {
		Draw(g, Options{Width: 120, Form: Rails})
	}
}
