package conformance

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	df "flinkish/dataflow"
	"flinkish/dataflow/graph"
	"flinkish/dataflow/internal/exchange"
)

// placed is a record with the subtask that it came to.
type placed = df.Tuple2[int, string]

// placing maps each record to its place.
type placing struct{ i int }

func (p *placing) Open(ctx *df.RuntimeContext) error          { p.i = ctx.TaskInfo().Subtask; return nil }
func (p *placing) Map(v string) (placed, error)               { return placed{F0: p.i, F1: v}, nil }
func bySubtask(a, b placed) int                               { return cmp.Compare(a.F0, b.F0) }
func byNumber(a, b placed) int                                { return cmp.Compare(numberOf(a.F1), numberOf(b.F1)) }
func toFirst(s *df.DataStream[string]) *df.DataStream[string] { return s.Global() }

// numbered are n records "0", "1", ...
func numbered(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	return all
}

func numberOf(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(stop{s + " is no number"})
	}
	return n
}

type partitioned = func(s *df.DataStream[string]) *df.DataStream[string]

// spread sends records from one subtask to n and tells where they came to, each subtask's in the order of arrival.
func (t *T) spread(records []string, n int, by partitioned) []placed {
	return Collect(t, by(&t.Env().FromData(records...).DataStream).MapRich(&placing{}).SetParallelism(n))
}

// channels are the subtasks that n records came to, in the order in which they were sent.
func (t *T) channels(records, n int, by partitioned) []any {
	got := t.spread(numbered(records), n, by)
	slices.SortStableFunc(got, byNumber)
	return listOf(got, func(p placed) any { return p.F0 })
}

// flows tells for each subtask of a producer, by its number, which subtasks of the consumer it sends to.
func (t *T) flows(up, down int, by partitioned) map[string][]int {
	from := t.Env().FromData(numbered(8 * up * down)...).SetParallelism(up).MapRich(&placing{}).SetParallelism(up)
	name := from.Map(func(p placed) string { return strconv.Itoa(p.F0) }).SetParallelism(up)
	flows := map[string][]int{}
	for _, p := range Collect(t, by(&name.DataStream).MapRich(&placing{}).SetParallelism(down).DisableChaining()) {
		if !slices.Contains(flows[p.F1], p.F0) {
			flows[p.F1] = append(flows[p.F1], p.F0)
		}
	}
	for _, to := range flows {
		slices.Sort(to)
	}
	return flows
}

// perSubtask are the records of each of n subtasks.
func perSubtask(got []placed, n int) [][2]any {
	return mapOf(numbered(n), func(i string) (string, any) {
		c := 0
		for _, p := range got {
			if p.F0 == numberOf(i) {
				c++
			}
		}
		return i, c
	})
}

// keepsOrder compares what came to each subtask with what was sent.
func (t *T) keepsOrder(got []placed, sent []string) {
	kept := true
	for i := range t.Parallelism {
		left := sent
		for _, p := range got {
			if p.F0 != i {
				continue
			}
			at := slices.Index(left, p.F1)
			if kept = kept && at >= 0; kept {
				left = left[at+1:]
			}
		}
	}
	t.Equal(kept, t.Expect.At("order_within_subtask"))
}

func pointwise(t *T) {
	flows := t.flows(int(t.Input.At("upstream").Int()), int(t.Input.At("downstream").Int()),
		func(s *df.DataStream[string]) *df.DataStream[string] { return s.Rescale() })
	for _, from := range t.Expect.At("map").Keys() {
		t.Equal(flows[from], t.Expect.At("map").At(from))
	}
	t.Equal(len(flows), Value{node: t.Input.At("upstream").node, path: "senders"})
}

func letter(k string, _ int) int { return int(k[0] - 'a') }

// viewed are the calls that choose a partitioning, by Flink's names.
var viewed = map[string]func(s *df.DataStream[string]) df.Stream[string]{
	"forward":         func(s *df.DataStream[string]) df.Stream[string] { return s.Forward() },
	"rebalance":       func(s *df.DataStream[string]) df.Stream[string] { return s.Rebalance() },
	"rescale":         func(s *df.DataStream[string]) df.Stream[string] { return s.Rescale() },
	"shuffle":         func(s *df.DataStream[string]) df.Stream[string] { return s.Shuffle() },
	"global":          func(s *df.DataStream[string]) df.Stream[string] { return s.Global() },
	"broadcast":       func(s *df.DataStream[string]) df.Stream[string] { return s.Broadcast() },
	"keyBy":           func(s *df.DataStream[string]) df.Stream[string] { return s.KeyBy(text) },
	"partitionCustom": func(s *df.DataStream[string]) df.Stream[string] { return s.PartitionCustom(letter, text) },
}

var _ = register(map[string]Func{
	"PA-global": func(t *T) {
		for _, n := range t.Input.At("channels").Ints() {
			for _, c := range t.channels(3, int(n), toFirst) {
				t.Equal(c, t.Expect.At("channel"))
			}
		}
	},
	"PA-broadcast-select": func(t *T) {
		for _, n := range t.Input.At("channels").Ints() {
			_, err := exchange.Select(graph.Broadcast, int(n), 1, 1)
			var u *exchange.SelectError
			when := AtNever
			kind := ""
			if errors.As(err, &u) {
				kind, when = "UnsupportedOperation", "selection"
			}
			t.Equal(kind, t.Expect.At("error"))
			t.Equal(string(when), t.Expect.At("when"))
			got := t.spread([]string{"x"}, int(n), func(s *df.DataStream[string]) *df.DataStream[string] { return s.Broadcast() })
			slices.SortFunc(got, bySubtask)
			all := len(got) == int(n)
			for i, p := range got {
				all = all && p.F0 == i
			}
			t.Equal(all, t.Expect.At("all_channels"))
		}
	},
	"PA-rescale-select": func(t *T) {
		rescale := func(s *df.DataStream[string]) *df.DataStream[string] { return s.Rescale() }
		t.Same(t.channels(int(t.Input.At("one_channel").Int()), 1, rescale), t.Expect.At("one_channel"))
		t.Same(t.channels(int(t.Input.At("two_channels").Int()), 2, rescale), t.Expect.At("two_channels"))
	},
	"PA-rebalance-select": func(t *T) {
		n := int(t.Input.At("channels").Int())
		got := t.channels(int(t.Input.At("records").Int()), n, func(s *df.DataStream[string]) *df.DataStream[string] { return s.Rebalance() })
		f := got[0].(int)
		t.Equal(f >= 0 && f < n, t.Expect.At("first_in_range"))
		t.Same(listOf(got, func(c any) any { return (c.(int) - f + n) % n }), t.Expect.At("after_first"))
	},
	"PA-shuffle-select": func(t *T) {
		for _, n := range t.Input.At("channels").Ints() {
			for _, c := range t.channels(20, int(n), func(s *df.DataStream[string]) *df.DataStream[string] { return s.Shuffle() }) {
				t.Equal(0 <= c.(int) && c.(int) < int(n), t.Expect.At("in_range"))
				if n == 1 {
					t.Equal(c, t.Expect.At("one_channel"))
				}
			}
		}
	},
	"PA-forward-select": func(t *T) {
		const n = 3
		for from, to := range t.flows(n, n, func(s *df.DataStream[string]) *df.DataStream[string] { return s.Forward() }) {
			links := exchange.Links(graph.Forward, numberOf(from), n, n)
			for _, c := range to {
				t.Equal(slices.Index(links, c), t.Expect.At("channel"))
			}
		}
	},
	"PA-custom": func(t *T) {
		records := AllAs[string](t.Input)
		got := t.spread(records, t.Parallelism, func(s *df.DataStream[string]) *df.DataStream[string] {
			return s.PartitionCustom(letter, text)
		})
		t.Compare(Records(got), "output")
		t.keepsOrder(got, records)
	},
	"PA-all-kinds-itcase": func(t *T) {
		records := AllAs[string](t.Input)
		hash := Collect(t, t.Env().FromData(records...).KeyBy(text).MapRich(&placing{}))
		want := t.Expect.At("hash")
		t.Same(len(hash), want.At("records"))
		t.Same(mapOf(want.At("subtasks").Keys(), func(v string) (string, any) {
			on := map[int]bool{}
			for _, p := range hash {
				if p.F1 == v {
					on[p.F0] = true
				}
			}
			return v, len(on)
		}), want.At("subtasks"))
		t.Same(perSubtask(t.spread(records, t.Parallelism, func(s *df.DataStream[string]) *df.DataStream[string] { return s.Broadcast() }), t.Parallelism), t.Expect.At("broadcast"))
		t.Same(perSubtask(t.spread(records, t.Parallelism, toFirst), t.Parallelism), t.Expect.At("global"))
	},
	"PA-rescale-2-4": pointwise,
	"PA-rescale-4-2": pointwise,
	"PA-rebalance-even": func(t *T) {
		got := t.spread(AllAs[string](t.Input), t.Parallelism, func(s *df.DataStream[string]) *df.DataStream[string] { return s.Rebalance() })
		t.Same(perSubtask(got, t.Parallelism), t.Expect.At("counts"))
	},
	"PA-broadcast-records": func(t *T) {
		records := AllAs[string](t.Input)
		got := t.spread(records, t.Parallelism, func(s *df.DataStream[string]) *df.DataStream[string] { return s.Broadcast() })
		t.Compare(Records(got), "output")
		t.keepsOrder(got, records)
	},
	"PA-names": func(t *T) {
		names := t.Expect.At("names")
		t.Same(mapOf(names.Keys(), func(call string) (string, any) {
			env := t.Env()
			mapped(viewed[call](&source(env, "src").DataStream), "m")
			g, err := env.StreamGraph()
			if err != nil {
				t.Fatalf("graph: %v", err)
			}
			return call, g.Nodes[len(g.Nodes)-1].In[0].Partitioning.String()
		}), names)
	},
})
