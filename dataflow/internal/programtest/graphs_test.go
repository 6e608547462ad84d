// Package programtest_test tests whole programs: the graphs that they make and the records that they give where operators,
// side outputs, unions and iterations meet.
package programtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/connector"
	"flinkish/dataflow/graph"
)

func same(v int) int { return v }

func add(a, b int) int { return a + b }

func mod3(v int) int { return v % 3 }

func env(parallelism int) *StreamExecutionEnvironment {
	return NewEnv(WithParallelism(parallelism), WithDeterministic(1))
}

func jobGraph(t *testing.T, e *StreamExecutionEnvironment) *graph.JobGraph {
	t.Helper()
	g, err := e.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(); err != nil {
		t.Error(err)
	}
	return g
}

// TestGraphsOfPrograms: which operators make a task, and how tasks are linked.
func TestGraphsOfPrograms(t *testing.T) {
	for _, c := range []struct {
		name        string
		parallelism int
		build       func(e *StreamExecutionEnvironment)
		want        string
	}{
		{"a second CloseWith adds an edge to the one tail", 2, func(e *StreamExecutionEnvironment) {
			it := e.FromElements(1).Map(same).Iterate()
			it.CloseWith(it.Map(same).Name("a"))
			it.CloseWith(it.Map(same).Name("b").Broadcast())
		}, `0 SRC x1
1 IterationSource-3 x2
2 Map x2 <-REBALANCE- 0
3 a x2 <-FORWARD- 2 <-FORWARD- 1
4 b x2 <-FORWARD- 2 <-FORWARD- 1
5 IterationSink-3 x2 <-FORWARD- 3 <-BROADCAST- 4`},
		{"records that are fed back go the way of the input of the loop", 2, func(e *StreamExecutionEnvironment) {
			it := e.FromSequence(1, 9).Map(func(int64) int { return 0 }).KeyBy(mod3).Iterate()
			it.CloseWith(it.Map(same).KeyBy(mod3))
		}, `0 Source: Sequence Source -> Map x2
1 IterationSource-4 x2
2 Map x2 <-HASH- 0 <-HASH- 1
3 IterationSink-4 x2 <-HASH- 2`},
		{"a loop whose consumers have other parallelisms, closed with a union of what is inside and outside", 4, func(e *StreamExecutionEnvironment) {
			a, b := e.FromElements(1).Shuffle().Map(same).Name("shuffled"), e.FromElements(1).Map(same).Name("rebalanced")
			it := a.Union(b).Iterate()
			half, full := it.Map(same).Name("half").SetParallelism(2), it.Map(same).Name("full")
			outside := e.FromElements(1).Map(same).Name("outside")
			it.CloseWith(outside.Union(half.Rebalance().Map(same).Name("bc").Broadcast(), full.Shuffle()))
		}, `0 SRC x1
1 SRC x1
2 IterationSource-7 x4
3 SRC x1
4 shuffled x4 <-SHUFFLE- 0
5 rebalanced x4 <-REBALANCE- 1
6 half x2 <-REBALANCE- 4 <-REBALANCE- 5 <-REBALANCE- 2
7 bc x4 <-REBALANCE- 6
8 full x4 <-FORWARD- 4 <-FORWARD- 5 <-FORWARD- 2
9 outside x4 <-REBALANCE- 3
10 IterationSink-7 x4 <-FORWARD- 9 <-BROADCAST- 7 <-SHUFFLE- 8`},
		{"an iteration with a feedback type is another iteration", 1, func(e *StreamExecutionEnvironment) {
			plain := e.FromElements(1).Iterate()
			typed := plain.WithFeedbackType[string]()
			plain.CloseWith(plain.Map(same).Name("plain"))
			typed.CloseWith(typed.Map(func(v int) string { return fmt.Sprint(v) }, func(s string) string { return s }).Name("typed"))
		}, `0 SRC x1
1 IterationSource-2 x1
2 IterationSource-4 x1
3 plain x1 <-FORWARD- 0 <-FORWARD- 1
4 IterationSink-2 x1 <-FORWARD- 3
5 typed x1 <-FORWARD- 0 <-FORWARD- 2
6 IterationSink-4 x1 <-FORWARD- 5`},
		{"an iteration that only its typed form uses needs no feedback of its own", 1, func(e *StreamExecutionEnvironment) {
			typed := e.FromElements(1).Iterate().WithFeedbackType[string]()
			typed.CloseWith(typed.Map(func(v int) string { return fmt.Sprint(v) }, func(s string) string { return s }).Name("typed"))
		}, `0 SRC x1
1 IterationSource-4 x1
2 typed x1 <-FORWARD- 0 <-FORWARD- 1
3 IterationSink-4 x1 <-FORWARD- 2`},
		{"a union of side outputs has an edge for each", 1, func(e *StreamExecutionEnvironment) {
			odd, even := NewOutputTag[int]("odd"), NewOutputTag[int]("even")
			p := e.FromElements(1).Map(same).Name("p")
			p.GetSideOutput(odd).Union(p.GetSideOutput(even)).Map(same).Name("u")
		}, `0 SRC -> p x1
1 u x1 <-FORWARD[odd]- 0 <-FORWARD[even]- 0`},
		{"a sink behind keyBy is keyed", 2, func(e *StreamExecutionEnvironment) { e.FromElements(1).KeyBy(same).Print() },
			"0 SRC x1\n1 Sink: Print to Std. Out x2 <-HASH- 0"},
		{"connected streams keyed one by one or together are the same", 2, func(e *StreamExecutionEnvironment) {
			a, b := e.FromElements(1), e.FromElements(2)
			a.Connect(b).KeyBy(same, same).Map(same, same)
			a.KeyBy(same).Connect(b.KeyBy(same)).Map(same, same)
		}, "0 SRC x1\n1 SRC x1\n2 Co-Map x2 <-HASH- 0 <-HASH- 1\n3 Co-Map x2 <-HASH- 0 <-HASH- 1"},
		{"an explicit partitioning of every kind at parallelism 1 breaks the chain but forward", 1, func(e *StreamExecutionEnvironment) {
			s := e.FromElements(1)
			for i, v := range []*DataStream[int]{s.Broadcast(), s.Shuffle(), s.Forward(), s.Rebalance(), s.Global(), s.Rescale()} {
				v.Map(same).Name(fmt.Sprint("m", i))
			}
		}, `0 SRC -> m2 x1
1 m0 x1 <-BROADCAST- 0
2 m1 x1 <-SHUFFLE- 0
3 m3 x1 <-REBALANCE- 0
4 m4 x1 <-GLOBAL- 0
5 m5 x1 <-RESCALE- 0`},
		{"the writer of a cache has the parallelism of what it reads", 2, func(e *StreamExecutionEnvironment) {
			e.SetRuntimeMode(Batch)
			c := e.FromElements(1).Cache()
			c.KeyBy(mod3).Reduce(add).Print()
		}, `0 SRC x1
1 Keyed Reduce -> Sink: Print to Std. Out x2 <-HASH- 0
2 CacheWrite x1 <-FORWARD- 0`},
		{"in batch what reads keyed streams is a head, and what follows chains", 2, func(e *StreamExecutionEnvironment) {
			e.SetRuntimeMode(Batch)
			k := e.FromElements(1).KeyBy(mod3)
			k.Connect(e.FromElements(2).KeyBy(mod3)).Map(same, same).Map(same).Name("after")
			k.Window(TumblingEventTime(time.Second)).Reduce(add).Map(same).Print()
			e.FromElements(1).Map(same).SetParallelism(1).WindowAll(TumblingEventTime(time.Second)).Reduce(add).Name("all")
		}, `0 SRC x1
1 SRC x1
2 SRC -> Map x1
3 Co-Map -> after x2 <-HASH- 0 <-HASH- 1
4 TumblingEventTimeWindows -> Map -> Sink: Print to Std. Out x2 <-HASH- 0
5 all x1 <-HASH- 2`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env(c.parallelism)
			c.build(e)
			if got, want := strings.TrimSpace(jobGraph(t, e).String()), strings.ReplaceAll(c.want, "SRC", "Source: Collection Source"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestPropertiesOfVertices are those that no text of a graph shows.
func TestPropertiesOfVertices(t *testing.T) {
	nothing := func(int64) int { return 0 }
	for _, c := range []struct {
		name  string
		build func(e *StreamExecutionEnvironment)
		show  func(v *graph.Vertex) any
		want  string
	}{
		{"a second pipeline does not inherit the groups of the first", func(e *StreamExecutionEnvironment) {
			for _, n := range []string{"1", "2"} {
				e.FromSequence(1, 10).Map(nothing).SlotSharingGroup("isolated " + n).Map(same).SlotSharingGroup("default").DisableChaining().
					Map(same).SlotSharingGroup("group " + n).Map(same).StartNewChain().Print().DisableChaining()
			}
		}, func(v *graph.Vertex) any { return v.Group }, "[default default isolated 1 default group 1 group 1 group 1 isolated 2 default group 2 group 2 group 2]"},
		{"a union of two groups is in the default one, of one group in that", func(e *StreamExecutionEnvironment) {
			in := func(g string) *SingleOutputStreamOperator[int] {
				return e.FromElements(1).Map(same).SlotSharingGroup(g).DisableChaining()
			}
			in("a").Union(in("b")).Map(same)
			in("a").Union(in("a")).Map(same)
			in("a").Union(in("a")).Map(same).SlotSharingGroup("default")
		}, func(v *graph.Vertex) any { return v.Group }, "[default default default default default default a b default a a a a a default]"},
		{"connected streams of two groups are in the default one, of one group in that", func(e *StreamExecutionEnvironment) {
			in := func(g string) *SingleOutputStreamOperator[int] {
				return e.FromElements(1).Map(same).SlotSharingGroup(g).DisableChaining()
			}
			in("default").Connect(in("b")).Map(same, same)
			in("a").Connect(in("a")).Map(same, same)
		}, func(v *graph.Vertex) any { return v.Group }, "[default default default default default b default a a a]"},
		{"the max parallelism of inputs is not that of what reads them", func(e *StreamExecutionEnvironment) {
			a, b := e.FromElements(1).SetMaxParallelism(128), e.FromElements(1).SetMaxParallelism(129)
			e.SetMaxParallelism(42)
			a.Connect(b).KeyBy(same, same).Map(same, same)
		}, func(v *graph.Vertex) any { return v.MaxParallelism }, "[128 129 42]"},
		{"the max parallelism that an operator sets overrides the environment's", func(e *StreamExecutionEnvironment) {
			e.SetMaxParallelism(42).FromElements(1).KeyBy(same).Map(same).KeyBy(same).Map(same).SetMaxParallelism(17)
		}, func(v *graph.Vertex) any { return v.MaxParallelism }, "[42 42 17]"},
		{"32768 subtasks need no setting", func(e *StreamExecutionEnvironment) {
			e.FromElements(1).Map(same).SetParallelism(1 << 15)
		}, func(v *graph.Vertex) any { return v.MaxParallelism }, "[128 32768]"},
		{"a parallelism is set for a chain if it is for one operator of it", func(e *StreamExecutionEnvironment) {
			e.FromSequence(1, 3).Map(nothing).Print().SetParallelism(e.Parallelism())
			e.FromSequence(1, 3).Map(nothing).SetParallelism(10).Print().SetParallelism(20)
		}, func(v *graph.Vertex) any { return v.ParallelismConfigured() }, "[true false true true]"},
		{"the ends of a loop are co-located, and nothing else is", func(e *StreamExecutionEnvironment) {
			it := e.FromElements(1).Iterate()
			it.CloseWith(it.Map(same).Filter(func(int) bool { return false })).Print()
		}, func(v *graph.Vertex) any { return v.CoLocation() != "" }, "[false true false true]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env(1)
			c.build(e)
			var got []any
			for _, v := range jobGraph(t, e).Vertices {
				got = append(got, c.show(v))
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("got  %v\nwant %s", got, c.want)
			}
		})
	}
}

// discarded is a sink that keeps nothing; kept has a committer too.
type discarded struct{}

func (discarded) Writer(connector.WriterContext) (connector.Writer[int], error) { return writer{}, nil }

type kept struct{ discarded }

func (kept) Committer(connector.WriterContext) (connector.Committer, error) { return committer{}, nil }

type writer struct{}

func (writer) Write(int, connector.WriteContext) error { return nil }
func (writer) Flush(bool) error                        { return nil }
func (writer) PrepareCommit() ([]any, error)           { return nil, nil }
func (writer) Close() error                            { return nil }

type committer struct{}

func (committer) Commit([]any) error { return nil }
func (committer) Close() error       { return nil }

func TestSettingsOfASinkAreThoseOfAllItsOperators(t *testing.T) {
	for _, c := range []struct {
		name  string
		sink  connector.Sink[int]
		build func(s *DataStreamSink[int])
		want  string
	}{
		{"a writer", discarded{}, func(s *DataStreamSink[int]) {}, "FileSink: Writer x2 in FileGroup"},
		{"a writer and a committer", kept{}, func(s *DataStreamSink[int]) {}, "FileSink: Writer -> FileSink: Committer x2 in FileGroup"},
		{"both without chaining", kept{}, func(s *DataStreamSink[int]) { s.DisableChaining() }, "FileSink: Writer x2 in FileGroup, FileSink: Committer x2 in FileGroup"},
		{"both with a max parallelism", kept{}, func(s *DataStreamSink[int]) { s.SetMaxParallelism(7).DisableChaining() },
			"FileSink: Writer x2 in FileGroup of 7, FileSink: Committer x2 in FileGroup of 7"},
	} {
		for _, mode := range []RuntimeMode{Streaming, Batch} {
			e := env(1).SetRuntimeMode(mode)
			s := e.FromData(1).Rebalance().SinkTo(c.sink).Name("FileSink").UID("FileUid").SetParallelism(2).SlotSharingGroup("FileGroup")
			c.build(s)
			var got []string
			for _, v := range jobGraph(t, e).Vertices[1:] {
				text := fmt.Sprint(v.Name, " x", v.Parallelism, " in ", v.Group)
				if v.MaxParallelism != 128 {
					text += fmt.Sprint(" of ", v.MaxParallelism)
				}
				got = append(got, text)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%s, %v: got %s, want %s", c.name, mode, strings.Join(got, ", "), c.want)
			}
		}
	}
}
