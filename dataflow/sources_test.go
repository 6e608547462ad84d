package dataflow_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
)

// ticker sends a number a second.
type ticker struct{ n int }

func (s *ticker) Run(ctx *SourceContext[int]) error {
	for i := 0; i < s.n && ctx.Running(); i++ {
		ctx.CollectWithTimestamp(i, ctx.CurrentProcessingTime())
		ctx.EmitWatermark(ctx.CurrentProcessingTime())
		if !ctx.Sleep(time.Second) {
			break
		}
	}
	return nil
}

func TestSourceFunctionStampsAndSleepsOnTheVirtualClock(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	got, err := env.AddSource(&ticker{3}).WindowAll(TumblingEventTime(2*time.Second)).Reduce(func(a, b int) int { return 10*a + b }).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []int{1, 2})
}

func TestSourceFunctionCanBeCancelled(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			got, err := env.AddSource(forever{}, ParallelSource()).ExecuteAndCollectLimit(context.Background(), 3)
			if err != nil || len(got) != 3 {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

type forever struct{}

func (forever) Run(ctx *SourceContext[int]) error {
	for {
		ctx.Collect(1)
	}
}

func TestSequencesOfParallelSources(t *testing.T) {
	env := NewEnv(WithParallelism(2), WithDeterministic(1))
	got, err := env.FromParallelSeq(func(i, n int) iter.Seq[string] { return slices.Values([]string{fmt.Sprint(i, "/", n)}) }).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	sameUnordered(t, got, []string{"0/2", "1/2"})
	odd, err := env.GenerateSequence(1, 5).ProcessFunc(func(v int64, ctx *ProcessContext, out Collector[int64]) { out.Collect(v) }).SetParallelism(2).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	sameUnordered(t, odd, []int64{1, 2, 3, 4, 5})
}

func TestSocketTextStreamReadsLines(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Skip(err)
			}
			defer l.Close()
			go func() {
				if c, err := l.Accept(); err == nil {
					fmt.Fprint(c, "one\r\ntwo\nrest")
					c.Close()
				}
			}()
			got, err := env.SocketTextStream(l.Addr().String()).ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, []string{"one", "two", "rest"})
		})
	}
}

func TestWriteToSocket(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	lines := make(chan string, 9)
	go func() {
		if c, err := l.Accept(); err == nil {
			for in := bufio.NewScanner(c); in.Scan(); {
				lines <- in.Text()
			}
		}
		close(lines)
	}()
	env := NewEnv(WithParallelism(2))
	env.FromElements("a", "b").WriteToSocket(l.Addr().String(), func(s string) ([]byte, error) { return []byte(s + "\n"), nil })
	if _, err := env.Execute(context.Background()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for s := range lines {
		got = append(got, s)
	}
	sameUnordered(t, got, []string{"a", "b"})
}

func TestSocketMistakes(t *testing.T) {
	for _, c := range []struct {
		addr string
		opts []SocketOption
	}{{"localhost:70000", nil}, {"localhost", nil}, {"localhost:80", []SocketOption{MaxRetry(-2)}}} {
		env := NewEnv()
		env.SocketTextStream(c.addr, c.opts...)
		var e *GraphError
		if !errors.As(env.Err(), &e) || e.Kind != "IllegalArgument" {
			t.Errorf("%s: got %v", c.addr, env.Err())
		}
	}
}

func run(t *testing.T, env *StreamExecutionEnvironment) error {
	t.Helper()
	_, err := env.Execute(context.Background())
	return err
}

func TestFileSinks(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "one")
	words := func(p int) (*StreamExecutionEnvironment, *DataStreamSource[Tuple2[string, int]]) {
		env := NewEnv(WithParallelism(p))
		return env, env.FromElements(Tuple2[string, int]{"a", 1}, Tuple2[string, int]{"b", 2})
	}
	content := func(want string, path ...string) {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(path...))
		if err != nil || string(b) != want {
			t.Errorf("got %q, %v, want %q", b, err, want)
		}
	}
	env, s := words(1)
	s.WriteAsText(one)
	if err := run(t, env); err != nil {
		t.Fatal(err)
	}
	content("(a,1)\n(b,2)\n", one)
	s.WriteAsText(one)
	if err := run(t, env); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("an existing file: got %v", err)
	}
	s.WriteAsCsv(one, Mode(Overwrite), RowDelimiter(";\n"), FieldDelimiter("|"))
	if err := run(t, env); err != nil {
		t.Fatal(err)
	}
	content("a|1;\nb|2;\n", one)
	env, s = words(2)
	s.WriteAsCsv(filepath.Join(dir, "two"))
	if err := run(t, env); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "two", "*"))
	if len(files) != 2 || filepath.Base(files[0]) != "1" || filepath.Base(files[1]) != "2" {
		t.Errorf("got %v", files)
	}
	env.FromElements("no tuple").WriteAsCsv(one)
	if err := env.Err(); err == nil || !strings.Contains(err.Error(), "IllegalArgument") {
		t.Errorf("got %v", err)
	}
}

// memory is an output format that keeps a log.
type memory struct {
	log  *[]string
	fail bool
}

func (m *memory) OpenTask(i, n int) error {
	*m.log = append(*m.log, fmt.Sprint("open ", i, n))
	return nil
}
func (m *memory) WriteRecord(v string) error {
	if m.fail {
		return errors.New("disk full")
	}
	*m.log = append(*m.log, v)
	return nil
}
func (m *memory) CloseTask() error         { *m.log = append(*m.log, "close"); return nil }
func (m *memory) TryCleanupOnError() error { *m.log = append(*m.log, "cleanup"); return nil }

func TestOutputFormat(t *testing.T) {
	env := NewEnv(WithParallelism(1))
	var log []string
	env.FromElements("a").WriteUsingOutputFormat(&memory{log: &log})
	if err := run(t, env); err != nil {
		t.Fatal(err)
	}
	env.FromElements("a").WriteUsingOutputFormat(&memory{log: &log, fail: true})
	if err := run(t, env); err == nil {
		t.Error("got no error")
	}
	same(t, log, []string{"open 0 1", "a", "close", "open 0 1", "close", "cleanup"})
}

func TestProjectAndPartitionByField(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	s := env.FromElements(Tuple3[string, int, bool]{"a", 7, true})
	got, err := s.Project(2, 1, 1).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil || len(got) != 1 || got[0].Arity() != 3 || got[0].F(0) != true || got[0].F(2) != 7 {
		t.Errorf("got %v, %v", got, err)
	}
	env.SetParallelism(3)
	where := func(s *DataStream[Tuple3[string, int, bool]]) []int {
		got, err := s.MapRich(&located[Tuple3[string, int, bool]]{}).ExecuteAndCollectLimit(context.Background(), 9)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	same(t, where(s.PartitionCustomByPosition(func(k, n int) int { return k % n }, 1)), []int{1})
	same(t, where(s.PartitionCustomByField(func(k string, n int) int { return 2 }, "f0")), []int{2})
	for want, do := range map[string]func(){
		"IllegalArgument":       func() { s.Project[int]() },
		"IndexOutOfBounds":      func() { s.Project(3) },
		"InvalidProgram":        func() { s.PartitionCustomByPosition(func(k string, n int) int { return 0 }, 1) },
		"InvalidFieldReference": func() { s.PartitionCustomByField(func(k string, n int) int { return 0 }, "x") },
	} {
		do()
		if err := env.TakeErr(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// located maps each record to the subtask that it is in.
type located[T any] struct{ i int }

func (l *located[T]) Open(ctx *RuntimeContext) error { l.i = ctx.TaskInfo().Subtask; return nil }
func (l *located[T]) Map(T) (int, error)             { return l.i, nil }

func TestTimeWindowIsTumblingOrSliding(t *testing.T) {
	env := NewEnv(WithParallelism(1))
	s := stampedStream(env, "a,x,1")
	s.KeyBy(keyOf).TimeWindow(5*time.Second, Slide(time.Second)).Reduce(func(a, b stamped) stamped { return b })
	env.SetTimeCharacteristic(ProcessingTime)
	s.TimeWindowAll(5 * time.Second).Reduce(func(a, b stamped) stamped { return b })
	g, err := env.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	same(t, []string{g.Vertices[1].Name, g.Vertices[2].Name}, []string{"SlidingEventTimeWindows", "TumblingProcessingTimeWindows"})
}
