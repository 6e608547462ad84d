package dataflow_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/connector/file"
)

type reading struct {
	K string `csv:"key" json:"key"`
	V int    `csv:"value" json:"value"`
	S string `csv:"note" json:"note"`
}

func readings(env *StreamExecutionEnvironment) *KeyedStream[reading, string] {
	return env.FromElements(reading{"a", 1, "x"}, reading{"a", 5, "y"}, reading{"a", 5, "z"}, reading{"a", 2, "w"}).
		KeyBy(func(r reading) string { return r.K })
}

func TestFieldAggregations(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(k *KeyedStream[reading, string]) *SingleOutputStreamOperator[reading]
		want string
	}{
		{"sum keeps the first record", func(k *KeyedStream[reading, string]) *SingleOutputStreamOperator[reading] { return k.SumField("V") }, "[{a 1 x} {a 6 x} {a 11 x} {a 13 x}]"},
		{"max keeps the first record's other fields", func(k *KeyedStream[reading, string]) *SingleOutputStreamOperator[reading] { return k.MaxField("V") }, "[{a 1 x} {a 5 x} {a 5 x} {a 5 x}]"},
		{"maxBy keeps the whole record, the first of equals", func(k *KeyedStream[reading, string]) *SingleOutputStreamOperator[reading] { return k.MaxByField("V") }, "[{a 1 x} {a 5 y} {a 5 y} {a 5 y}]"},
		{"maxBy can keep the last of equals", func(k *KeyedStream[reading, string]) *SingleOutputStreamOperator[reading] {
			return k.MaxByField("V", First(false))
		}, "[{a 1 x} {a 5 y} {a 5 z} {a 5 z}]"},
		{"minBy", func(k *KeyedStream[reading, string]) *SingleOutputStreamOperator[reading] { return k.MinByField("v") }, "[{a 1 x} {a 1 x} {a 1 x} {a 1 x}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.do(readings(NewEnv(WithParallelism(1)))).ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil || fmt.Sprint(got) != c.want {
				t.Errorf("got %v, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestErasedRecordsAreReachedThroughTheirType(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	src := env.FromElements[any](reading{"a", 1, "x"}, reading{"a", 4, "y"})
	src.Transformation().SetType(TypeOf[reading]())
	k := src.KeyByFields("K")
	if got := k.SumField("nope"); got == nil || env.TakeErr() == nil {
		t.Error("an unknown field: got no error at the call")
	}
	env.RemoveCell("")
	got, err := k.SumField("V").ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil || fmt.Sprint(got) != "[{a 1 x} {a 5 x}]" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestUnionAndConnectTakeAnyHandle(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			a := env.FromElements("a")
			got, err := a.Union(a, env.FromElements("b").Map(self), a.Broadcast()).ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			sameUnordered(t, got, []string{"a", "a", "a", "b"})
			got, err = a.Connect(env.FromElements(int64(1))).KeyBy(self, func(n int64) string { return "a" }).
				FlatMap(func(s string, out Collector[string]) { out.Collect(s) }, func(n int64, out Collector[string]) { out.Collect(fmt.Sprint(n)) }).
				ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			sameUnordered(t, got, []string{"a", "1"})
		})
	}
}

// pairing joins each number with the last string of its key.
type pairing struct{ last ValueState[string] }

func (p *pairing) Open(ctx *RuntimeContext) error {
	p.last = ctx.State(NewValueStateDescriptor[string]("last"))
	return nil
}

func (p *pairing) ProcessElement1(s string, ctx *KeyedContext[string], out Collector[string]) error {
	p.last.Update(s)
	ctx.TimerService().RegisterEventTimeTimer(7)
	return nil
}

func (p *pairing) ProcessElement2(n int64, ctx *KeyedContext[string], out Collector[string]) error {
	return nil
}

func (p *pairing) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprint(ctx.CurrentKey(), p.last.Value(), ts))
	return nil
}

func TestConnectedKeyedStreamsShareStateAndTimers(t *testing.T) {
	for name, env := range environments(2) {
		t.Run(name, func(t *testing.T) {
			first := env.FromElements("a1", "b2")
			got, err := first.Connect(env.FromElements(int64(1))).
				KeyBy(func(s string) string { return s[:1] }, func(n int64) string { return "a" }).
				ProcessKeyed(&pairing{}).ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			sameUnordered(t, got, []string{"aa17", "bb27"})
		})
	}
}

func TestFilesAreReadIntoRecords(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ctx := context.Background()
	env := NewEnv(WithParallelism(3))
	rows, err := env.ReadCSV[reading](write("r.csv", "note,key,value\n\"x, y\",a,1\n,b,\n")).ExecuteAndCollectLimit(ctx, 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, rows, []reading{{"a", 1, "x, y"}, {"b", 0, ""}})
	objects, err := env.ReadJSONLines[reading](write("r.jsonl", "{\"key\":\"a\",\"value\":1}\n\n{\"key\":\"b\"}\n")).ExecuteAndCollectLimit(ctx, 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, objects, []reading{{"a", 1, ""}, {"b", 0, ""}})
	lines, err := env.ReadTextFile(write("r.txt", "one\r\ntwo\n\nfour, which is long")).ExecuteAndCollectLimit(ctx, 9)
	if err != nil {
		t.Fatal(err)
	}
	sameUnordered(t, lines, []string{"one", "two", "", "four, which is long"})

	_, err = env.ReadCSV[reading](write("bad.csv", "key,value,note\na,1,\nb,much,\n")).ExecuteAndCollectLimit(ctx, 9)
	var bad *file.RecordError
	if !errors.As(err, &bad) || bad.Line != 3 || bad.Column != 3 || bad.Field != "value" || bad.Value != "much" {
		t.Errorf("a malformed cell: got %v", err)
	}
	_, err = env.ReadJSONLines[reading](write("bad.jsonl", "{\"key\":\"a\"}\n{\"value\":\"much\"}\n")).ExecuteAndCollectLimit(ctx, 9)
	if !errors.As(err, &bad) || bad.Line != 2 || bad.Field != "value" {
		t.Errorf("a malformed object: got %v", err)
	}
	_, err = env.ReadCSV[reading](write("empty.csv", "key,value\n")).ExecuteAndCollectLimit(ctx, 9)
	if err == nil || !strings.Contains(err.Error(), "the columns are key, value") {
		t.Errorf("a missing column: got %v", err)
	}
	pairs := []Tuple2[string, int]{{F0: "a", F1: 1}, {F0: "b", F1: 2}}
	env.FromSlice(pairs).SetParallelism(1).WriteAsCsv(filepath.Join(dir, "pairs.csv")).SetParallelism(1)
	if _, err = env.Execute(ctx); err != nil {
		t.Fatal(err)
	}
	back, err := env.ReadCSV[Tuple2[string, int]](filepath.Join(dir, "pairs.csv"), WithoutHeader()).ExecuteAndCollectLimit(ctx, 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, back, pairs)
	_, err = env.ReadTextFile(filepath.Join(dir, "none")).ExecuteAndCollectLimit(ctx, 9)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: got %v", err)
	}
}

func TestCustomPartitionsAndSequences(t *testing.T) {
	env := NewEnv(WithParallelism(3))
	got, err := env.FromSequence(1, 10).PartitionCustom(func(k int64, n int) int { return int(k) % n }, func(v int64) int64 { return v }).
		Map(func(v int64) int64 { return v * v }).ExecuteAndCollectLimit(context.Background(), 20)
	if err != nil {
		t.Fatal(err)
	}
	sameUnordered(t, got, []int64{1, 4, 9, 16, 25, 36, 49, 64, 81, 100})
}
