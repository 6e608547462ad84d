package apitest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/connector"
)

// numbers is a source whose split i has the numbers splits[i].
type numbers struct {
	splits [][]int
	more   bool // find one split at a time
	closed int
}

type part int

func (p part) SplitID() string { return fmt.Sprint("part-", int(p)) }

type enumerator struct {
	src  *numbers
	next int
}

func (s *numbers) Boundedness() connector.Boundedness { return connector.Bounded }

func (s *numbers) Enumerator(int) (connector.Enumerator, error) { return &enumerator{src: s}, nil }

func (s *numbers) Reader(split connector.Split) (connector.Reader[int], error) {
	return &reader{left: s.splits[split.(part)]}, nil
}

func (e *enumerator) Discover() (found []connector.Split, more bool, err error) {
	for e.next < len(e.src.splits) {
		found = append(found, part(e.next))
		e.next++
		if e.src.more {
			break
		}
	}
	return found, e.next < len(e.src.splits), nil
}

func (e *enumerator) Close() error { e.src.closed++; return nil }

type reader struct{ left []int }

func (r *reader) Poll() (rec connector.Record[int], _ connector.Status, err error) {
	if len(r.left) == 0 {
		return rec, connector.EndOfInput, nil
	}
	v := r.left[0]
	r.left = r.left[1:]
	return connector.Record[int]{Value: v, Timestamp: int64(v)}, connector.Available, nil
}

func (r *reader) Close() error { return nil }

// subtask adds a thousand times the number of its subtask.
type subtask struct{ n int }

func (s *subtask) Open(ctx *RuntimeContext) error { s.n = ctx.TaskInfo().Subtask; return nil }
func (s *subtask) ProcessElement(v int, ctx *OperatorContext[int]) error {
	ctx.Collect(v + 1000*s.n)
	return nil
}

// eventTime sends each watermark as a record.
type eventTime struct{}

func (*eventTime) ProcessElement(int, *OperatorContext[int]) error { return nil }
func (*eventTime) ProcessWatermark(wm int64, ctx *OperatorContext[int]) error {
	if wm < 1<<40 {
		ctx.Collect(int(wm))
	}
	ctx.EmitWatermark(wm)
	return nil
}

type perRecord struct{}

func (perRecord) OnEvent(_ int, ts int64, out WatermarkOutput) { out.EmitWatermark(ts) }
func (perRecord) OnPeriodicEmit(WatermarkOutput)               {}

func TestSplitsGoToSubtasksInTurn(t *testing.T) {
	for _, more := range []bool{false, true} {
		src := &numbers{splits: [][]int{{1, 2}, {3}, {4, 5}}, more: more}
		e := env().SetParallelism(2)
		got := collect(t, e.FromSource[int](src, NoWatermarks[int](), "numbers").Transform("where", &subtask{}))
		slices.Sort(got)
		expect(t, got, 1, 2, 4, 5, 1003)
		if src.closed != 1 {
			t.Errorf("the enumerator was closed %d times", src.closed)
		}
	}
}

func TestEventTimeOfASourceIsThatOfItsSlowestSplit(t *testing.T) {
	src := &numbers{splits: [][]int{{10, 20, 30}, {1, 2}}}
	strategy := ForGenerator(func() WatermarkGenerator[int] { return perRecord{} })
	got := collect(t, env().FromSource[int](src, strategy, "numbers").Transform("time", &eventTime{}))
	expect(t, got, 1, 2, 30)
}

func TestAPreKeyedSourceMustNotHaveMoreSplitsThanKeyGroups(t *testing.T) {
	src := &numbers{splits: [][]int{{1}, {2}, {3}}}
	e := env().SetMaxParallelism(2)
	keyed := e.FromSource[int](src, NoWatermarks[int](), "numbers").ReinterpretAsKeyedStream(func(v int) int { return v })
	it, err := keyed.Transform("raw", &subtask{}).ExecuteAndCollect(context.Background())
	if err == nil {
		for _, e := range it.All() {
			err = e
		}
	}
	if err == nil || !strings.Contains(err.Error(), "exceeds the max parallelism 2") {
		t.Errorf("got %v", err)
	}
}

// committed is a sink that keeps what was committed.
type committed struct {
	mu   sync.Mutex
	log  []string
	fail error
}

type writer struct {
	to  *committed
	sum int
}

func (s *committed) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, text)
}

func (s *committed) Writer(connector.WriterContext) (connector.Writer[int], error) {
	return &writer{to: s}, nil
}

func (s *committed) Committer(connector.WriterContext) (connector.Committer, error) {
	return committer{s}, nil
}

func (w *writer) Write(v int, _ connector.WriteContext) error { w.sum += v; return nil }
func (w *writer) Flush(end bool) error                        { w.to.say(fmt.Sprint("flush ", end)); return nil }
func (w *writer) PrepareCommit() ([]any, error)               { return []any{w.sum}, nil }
func (w *writer) Close() error                                { w.to.say("close"); return nil }

type committer struct{ to *committed }

func (c committer) Commit(cs []any) error { c.to.say(fmt.Sprint("commit ", cs)); return c.to.fail }
func (c committer) Close() error          { return nil }

func TestACommitterCommitsWhenTheInputEnds(t *testing.T) {
	s := &committed{}
	e := env()
	sink := e.FromElements(1, 2, 3).SinkTo(s).Name("my").UID("u")
	if g := sink.Transformation(); g.UID != "Sink Committer: u" || g.Inputs[0].UID != "u" || g.Inputs[0].Name != "my" {
		t.Errorf("parts %+v", g)
	}
	plan, err := e.ExecutionPlan()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"my: Writer", "my: Committer"} {
		if !strings.Contains(plan, name) {
			t.Errorf("the plan lacks %q: %s", name, plan)
		}
	}
	if _, err := e.Execute(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.log, ", "); got != "flush true, commit [6], close" {
		t.Errorf("got %s", got)
	}
}

// twice is a sink with a global committer.
type twice struct{ committed }

func (s *twice) GlobalCommitter(ctx connector.WriterContext) (connector.Committer, error) {
	if ctx.Parallelism != 1 {
		return nil, fmt.Errorf("%d global committers", ctx.Parallelism)
	}
	return globalCommitter{s}, nil
}

type globalCommitter struct{ to *twice }

func (c globalCommitter) Commit(cs []any) error { c.to.say(fmt.Sprint("global ", cs)); return nil }
func (c globalCommitter) Close() error          { return nil }

func TestAGlobalCommitterGetsWhatAllCommittersHaveCommitted(t *testing.T) {
	s := &twice{}
	e := env().SetParallelism(2)
	sink := e.FromData(1, 2, 3).SetParallelism(2).SinkTo(s).UID("u").SetParallelism(2)
	g, err := e.StreamGraph()
	if err != nil {
		t.Fatal(err)
	}
	last := g.Nodes[len(g.Nodes)-1]
	if last.Name != "Sink: Global Committer" || last.T.UID != "Sink u Global Committer" || last.Parallelism != 1 || last.In[0].Partitioning.String() != "GLOBAL" ||
		sink.Transformation().UID != "Sink Committer: u" {
		t.Errorf("got %+v", last)
	}
	if _, err := e.Execute(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := s.log[len(s.log)-1]; got != "global [3 3]" || strings.Count(strings.Join(s.log, " "), "commit [3]") != 2 {
		t.Errorf("got %q", s.log)
	}
}

func TestAWriterDoesNotChainToALegacySource(t *testing.T) {
	e := env()
	e.FromElements(1).Map(func(v int) int { return v }).SinkTo(&committed{})
	e.FromData(1).SinkTo(&committed{})
	g, err := e.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range g.Vertices {
		got = append(got, v.Name)
	}
	if want := "Source: Collection Source -> Map, Source: Collection Source -> Sink: Writer -> Sink: Committer, Sink: Writer -> Sink: Committer"; strings.Join(got, ", ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, ", "), want)
	}
}

func TestAFailedCommitFailsTheJob(t *testing.T) {
	e := env()
	e.FromElements(1).SinkTo(&committed{fail: fmt.Errorf("no room")})
	if _, err := e.Execute(context.Background()); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("got %v", err)
	}
}

func TestUIDHashesOfSinks(t *testing.T) {
	hash := strings.Repeat("ab", 16)
	e := env()
	tr := e.FromElements(1).SinkTo(&committed{}, SinkUIDHashes(hash, "", "")).Transformation()
	if tr.Inputs[0].UIDHash != hash || tr.UIDHash != "" {
		t.Errorf("hashes %q, %q", tr.Inputs[0].UIDHash, tr.UIDHash)
	}
	e.FromElements(1).SinkTo(&committed{}, SinkUIDHashes("", "xy", ""))
	if e.Err() != nil {
		t.Errorf("at the call: %v", e.Err())
	}
	_, err := e.ExecutionPlan()
	mistake(t, err, "IllegalArgument", "32 hex digits")
	e.FromElements(1).SinkTo(&committed{}).UIDHash(hash)
	if err := e.TakeErr(); err == nil || !strings.Contains(err.Error(), "SinkUIDHashes") {
		t.Errorf("got %v", err)
	}
}
