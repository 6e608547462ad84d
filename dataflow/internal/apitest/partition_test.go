package apitest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

// gathered is a function of partitions that writes its life down, and fails where it is told to. Where it has a state, it
// counts its calls there.
type gathered struct {
	lived
	keyed bool
	at    int // the subtask
	calls ValueState[int]
}

func (g *gathered) Open(ctx *RuntimeContext) error {
	g.at = ctx.TaskInfo().Subtask
	if g.keyed {
		g.calls = ctx.State(NewValueStateDescriptor[int]("calls"))
	}
	return g.do(fmt.Sprint("open", g.at))
}

func (g *gathered) Close() error { return g.do(fmt.Sprint("close", g.at)) }

func (g *gathered) MapPartition(vs iter.Seq[int], out Collector[string]) error {
	all := slices.Sorted(vs)
	if g.keyed {
		n, _ := g.calls.Get()
		g.calls.Update(n + 1)
		all = append(all, g.calls.Value())
	}
	out.Collect(fmt.Sprint(g.at, all))
	if g.fails == "panic" {
		panic("wrong panic")
	}
	return g.do("map")
}

func gather(d *diary, keyed bool, fails string) *gathered {
	return &gathered{lived: lived{d, "p", fails}, keyed: keyed}
}

// TestAFunctionObjectOfPartitionsHasALifeInEachSubtask: one copy of it for each, which is called once, or once for each key with
// the key's state at hand.
func TestAFunctionObjectOfPartitionsHasALifeInEachSubtask(t *testing.T) {
	for _, mode := range []RuntimeMode{Streaming, Batch} {
		for _, c := range []struct {
			name  string
			build func(e *StreamExecutionEnvironment, d *diary) *SingleOutputStreamOperator[string]
			want  string
			life  string
		}{
			{"of subtasks, one of which has no records", func(e *StreamExecutionEnvironment, d *diary) *SingleOutputStreamOperator[string] {
				return e.FromElements(1, 2, 3).Global().Map(one).FullWindowPartition().MapPartitionRich(gather(d, false, ""))
			}, "0 [1 2 3] 1 []", "p.close0 p.close1 p.map p.map p.open0 p.open1"},
			{"of keys", func(e *StreamExecutionEnvironment, d *diary) *SingleOutputStreamOperator[string] {
				return e.FromElements(1, 2, 3, 4, 5).KeyBy(func(v int) int { return v % 3 }).FullWindowPartition().MapPartitionRich(gather(d, true, "")).SetParallelism(1)
			}, "0 [1 4 1] 0 [2 5 1] 0 [3 1]", "p.close0 p.map p.map p.map p.open0"},
			{"of keys that a stream is taken to have", func(e *StreamExecutionEnvironment, d *diary) *SingleOutputStreamOperator[string] {
				half := func(v int) int { return v / 2 }
				return e.FromElements(1, 2, 3).KeyBy(half).Map(one).ReinterpretAsKeyedStream(half).FullWindowPartition().MapPartitionRich(gather(d, true, ""))
			}, "1 [1 1] 1 [2 3 1]", "p.close0 p.close1 p.map p.map p.open0 p.open1"},
		} {
			d := &diary{}
			e := NewEnv(WithParallelism(2), WithDeterministic(1)).SetRuntimeMode(mode)
			got, err := c.build(e, d).ExecuteAndCollectLimit(context.Background(), 99)
			if err != nil {
				t.Errorf("%v, %s: %v", mode, c.name, err)
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%v, %s: got %s, want %s", mode, c.name, s, c.want)
			}
			slices.Sort(d.said)
			if d.String() != c.life {
				t.Errorf("%v, %s: lived\n%s\nwant\n%s", mode, c.name, d, c.life)
			}
		}
	}
}

// TestAFunctionObjectOfPartitionsIsClosedWhateverFails: the error is that of the job, and names the operator.
func TestAFunctionObjectOfPartitionsIsClosedWhateverFails(t *testing.T) {
	for _, keyed := range []bool{false, true} {
		for _, c := range []struct{ fails, life, says string }{
			{"", "p.open0 p.map p.close0", ""},
			{"open0", "p.open0 p.close0", "wrong open0"},
			{"map", "p.open0 p.map p.close0", "wrong map"},
			{"panic", "p.open0 p.close0", "wrong panic"},
			{"close0", "p.open0 p.map p.close0", "during close: wrong close0"},
		} {
			for name, e := range map[string]*StreamExecutionEnvironment{
				"deterministic": env(), "parallel": NewEnv(WithParallelism(1), WithParallelScheduler()),
			} {
				d, op := &diary{}, "MapPartition"
				in := e.FromElements(1, 2)
				if keyed {
					op = "GlobalWindows"
					in.KeyBy(func(int) int { return 0 }).FullWindowPartition().MapPartitionRich(gather(d, true, c.fails))
				} else {
					in.FullWindowPartition().MapPartitionRich(gather(d, false, c.fails))
				}
				_, err := e.Execute(context.Background())
				if (err == nil) != (c.says == "") || err != nil && !(strings.Contains(err.Error(), c.says) && strings.Contains(err.Error(), op)) {
					t.Errorf("keyed %v, %s, fails at %q: got %v, want %s: %s", keyed, name, c.fails, err, op, c.says)
				}
				if d.String() != c.life {
					t.Errorf("keyed %v, %s, fails at %q: lived %s, want %s", keyed, name, c.fails, d, c.life)
				}
			}
		}
	}
}

// waiting is a function of partitions that cancels its job when it has got some records.
type waiting struct {
	lived
	cancel func()
	closed chan bool
}

func (w *waiting) Close() error {
	defer close(w.closed) // Execute does not wait for it
	return w.do("close")
}

func (w *waiting) MapPartition(vs iter.Seq[int64], out Collector[string]) error {
	defer w.note("p.end")
	n := 0
	for range vs {
		if n++; n == 100 {
			w.cancel()
		}
	}
	return w.do("map")
}

func TestACancelledJobClosesAFunctionObjectOfPartitionsAfterItsCall(t *testing.T) {
	for name, e := range map[string]*StreamExecutionEnvironment{
		"deterministic": env(), "parallel": NewEnv(WithParallelism(1), WithParallelScheduler()),
	} {
		d, closed := &diary{}, make(chan bool)
		ctx, cancel := context.WithCancel(context.Background())
		e.FromSequence(0, 1<<40).FullWindowPartition().MapPartitionRich(&waiting{lived{d, "p", ""}, cancel, closed})
		if _, err := e.Execute(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
		<-closed
		if d.String() != "p.open p.end p.close" {
			t.Errorf("%s: lived %s", name, d)
		}
	}
}

// stateful is a function of partitions that uses its state at a place.
type stateful struct {
	in    string
	count ValueState[int]
}

func (s *stateful) Open(ctx *RuntimeContext) error {
	s.count = ctx.State(NewValueStateDescriptor[int]("count"))
	return s.use("Open")
}

func (s *stateful) Close() error { return s.use("Close") }

func (s *stateful) MapPartition(iter.Seq[int], Collector[int]) error { return s.use("MapPartition") }

func (s *stateful) use(at string) error {
	if s.in == at {
		s.count.Update(1)
	}
	return nil
}

func TestAFunctionObjectOfPartitionsHasStateWhereThereIsAKey(t *testing.T) {
	byKey := func(e *StreamExecutionEnvironment) *PartitionWindowedStream[int] {
		return e.FromElements(1).KeyBy(one).FullWindowPartition()
	}
	for _, c := range []struct {
		name, in, says string
		of             func(e *StreamExecutionEnvironment) *PartitionWindowedStream[int]
	}{
		{"not without a key", "", "only on a keyed stream", func(e *StreamExecutionEnvironment) *PartitionWindowedStream[int] {
			return e.FromElements(1).FullWindowPartition()
		}},
		{"in its call", "MapPartition", "", byKey},
		{"not in Open", "Open", "no key set", byKey},
		{"not in Close", "Close", "no key set", byKey},
	} {
		e := env()
		c.of(e).MapPartitionRich(&stateful{in: c.in})
		_, err := e.Execute(context.Background())
		if c.says == "" && err == nil {
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		mistake(t, err, "NullPointer", c.says)
	}
}
