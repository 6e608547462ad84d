package operatortest_test

import (
	"fmt"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

// TestTheScaleOfALoopIsThatOfItsEnds: parallelism and max parallelism of an iteration are those of its head and its tail, set
// before or after the loop is closed.
func TestTheScaleOfALoopIsThatOfItsEnds(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(it *IterativeStream[ev])
		want string
	}{
		"as the input":           {func(*IterativeStream[ev]) {}, "2/-1"},
		"a max parallelism":      {func(it *IterativeStream[ev]) { it.SetMaxParallelism(7) }, "2/7"},
		"a parallelism":          {func(it *IterativeStream[ev]) { it.SetParallelism(3) }, "3/-1"},
		"the environment's":      {func(it *IterativeStream[ev]) { it.SetParallelism(3).SetParallelism(-1) }, "2/-1"},
		"one subtask for good":   {func(it *IterativeStream[ev]) { it.ForceNonParallel() }, "1/1"},
		"a setting of no weight": {func(it *IterativeStream[ev]) { it.Name("n").UID("u").SetBufferTimeout(ms) }, "2/-1"},
	} {
		for _, closed := range []string{"before", "after"} {
			e := NewEnv(WithParallelism(2), WithDeterministic(1))
			it := e.FromElements(ev{"a", 1, 0}, ev{"b", 3, 0}).Map(same).Iterate(MaxWait(100 * ms))
			if closed == "after" {
				c.set(it)
			}
			m := it.Map(bumped).SetParallelism(it.Parallelism())
			it.CloseWith(m.Filter(below(3)).SetParallelism(it.Parallelism()))
			if closed == "before" {
				c.set(it)
			}
			g, err := e.StreamGraph()
			if err != nil {
				t.Fatalf("%s, closed %s the setting: %v", name, closed, err)
			}
			for _, n := range g.Nodes {
				set := n.MaxParallelism
				if set == 0 {
					set = -1
				}
				if got := fmt.Sprintf("%d/%d", n.Parallelism, set); strings.HasPrefix(n.Name, "Iteration") && got != c.want {
					t.Errorf("%s, closed %s the setting: %s has %s, want %s", name, closed, n.Name, got, c.want)
				}
			}
			if got := sorted(t, m); got != "a2 a3 b4" {
				t.Errorf("%s, closed %s the setting: got %s", name, closed, got)
			}
		}
	}
}

// TestSettingsOfALoopThatIsNoOperatorChangeNoJob: the program can ask for them, and the graph is the same.
func TestSettingsOfALoopThatIsNoOperatorChangeNoJob(t *testing.T) {
	graph := func(set func(it *IterativeStream[ev])) string {
		e := NewEnv(WithParallelism(2))
		it := e.FromElements(ev{"a", 1, 0}).Map(same).Iterate()
		set(it)
		it.CloseWith(it.Map(bumped))
		g, err := e.JobGraph()
		if err != nil {
			t.Fatal(err)
		}
		return g.String()
	}
	plain := graph(func(*IterativeStream[ev]) {})
	named := graph(func(it *IterativeStream[ev]) {
		it.Name("n").UID("u").UIDHash(strings.Repeat("a", 32)).Description("d").MetricVariable("k", "v")
		it.SetBufferTimeout(ms).SlotSharingGroup("g").Returns(TypeOf[ev]())
		if it.OpName() != "n" {
			t.Errorf("got the name %q", it.OpName())
		}
	})
	if plain != named {
		t.Errorf("got\n%s\nwant\n%s", named, plain)
	}
}

// TestASideOutputOfALoopIsThatOfItsInput: a loop has no function that could send to the side, so what comes out there is what the
// operators behind its input send, whatever views lie between.
func TestASideOutputOfALoopIsThatOfItsInput(t *testing.T) {
	large := NewOutputTag[int]("large")
	split := func(v ev, ctx *ProcessContext, out Collector[ev]) {
		ctx.Output(large, 10*v.V)
		out.Collect(v)
	}
	for name, view := range map[string]func(s *SingleOutputStreamOperator[ev]) *DataStream[ev]{
		"one operator":  func(s *SingleOutputStreamOperator[ev]) *DataStream[ev] { return &s.DataStream },
		"a partition":   func(s *SingleOutputStreamOperator[ev]) *DataStream[ev] { return s.Rebalance() },
		"keys":          func(s *SingleOutputStreamOperator[ev]) *DataStream[ev] { return &s.KeyBy(key).DataStream },
		"a union":       func(s *SingleOutputStreamOperator[ev]) *DataStream[ev] { return s.Union(s.Filter(below(0))) },
		"another loop":  func(s *SingleOutputStreamOperator[ev]) *DataStream[ev] { return &looped(s).DataStream },
		"a side output": func(s *SingleOutputStreamOperator[ev]) *DataStream[ev] { return &s.GetSideOutput(late).DataStream },
	} {
		e := NewEnv(WithParallelism(2), WithDeterministic(1))
		it := looped(view(e.FromElements(ev{"a", 1, 0}, ev{"b", 3, 0}).ProcessFunc(split)))
		if got := sorted(t, it.GetSideOutput(large).Map(func(v int) int { return v })); got != "10 30" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// looped is a loop in which nothing is fed back.
func looped(s interface {
	Iterate(...IterateOption) *IterativeStream[ev]
}) *IterativeStream[ev] {
	it := s.Iterate(MaxWait(100 * ms))
	it.CloseWith(it.Map(same).SetParallelism(it.Parallelism()).Filter(below(0)).SetParallelism(it.Parallelism()))
	return it
}
