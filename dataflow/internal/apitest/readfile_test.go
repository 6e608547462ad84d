package apitest_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// numbersOf is a format: a number on each line.
func numbersOf(r io.Reader, out Collector[int]) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			return err
		}
		out.Collect(n)
	}
	return lines.Err()
}

func store(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReadFileReadsTheFilesOfADirectoryOnce(t *testing.T) {
	dir := t.TempDir()
	store(t, filepath.Join(dir, "a"), "1\n2\n")
	store(t, filepath.Join(dir, "b"), "3\n")
	store(t, filepath.Join(dir, ".hidden"), "no number\n")
	expect(t, collect(t, &env().ReadFile(dir, numbersOf).SingleOutputStreamOperator), 1, 2, 3)
	skip := PathFilter(func(path string) bool { return !strings.HasSuffix(path, "b") })
	expect(t, collect(t, &env().ReadFile(dir, numbersOf, skip, ProcessOnce()).SingleOutputStreamOperator), 3)
}

func TestReadingFilesIsAMonitorAndASplitReader(t *testing.T) {
	e := env().SetParallelism(2)
	e.ReadTextFile("none").Map(func(string) int { return 1 })
	g, err := e.JobGraph()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range g.Vertices {
		got = append(got, v.Name+" "+strconv.Itoa(v.Parallelism))
	}
	if want := "Source: Custom File Source 1, Split Reader: Custom File Source -> Map 2"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	if e.SetParallelism(1); !e.ReadTextFile("none").Transformation().Yielding {
		t.Error("the split reader must not chain to the monitor")
	}
}

func TestEachSubtaskReadsPartsOfALargeFile(t *testing.T) {
	path, want := filepath.Join(t.TempDir(), "f"), 0
	var text strings.Builder
	for i := range 300_000 {
		text.WriteString(strconv.Itoa(i%1000) + "\n")
		want += i % 1000
	}
	store(t, path, text.String())
	sum := func(e *StreamExecutionEnvironment) []int {
		sums := e.ReadTextFile(path).FullWindowPartition().MapPartition(func(lines iter.Seq[string], out Collector[int]) {
			sum := 0
			for line := range lines {
				n, _ := strconv.Atoi(line)
				sum += n
			}
			out.Collect(sum)
		})
		return collect(t, sums)
	}
	if got := sum(env().SetParallelism(2)); len(got) != 2 || got[0] == 0 || got[1] == 0 || got[0]+got[1] != want {
		t.Errorf("got %v, want two parts of %d", got, want)
	}
	if got := sum(env()); len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %d", got, want)
	}
}

func TestAChangedFileIsReadAgainFromItsBeginning(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	store(t, path, "1\n")
	change := map[int]func(){
		1: func() {
			store(t, path, "1\n2\n")
			if err := os.Chtimes(path, time.Unix(0, 0), time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
		},
		2: func() { store(t, filepath.Join(dir, "b"), "3\n") },
	}
	src := env().ReadFile(dir, numbersOf, ProcessContinuously(time.Second))
	it, err := src.ExecuteAndCollect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	var got []int
	for len(got) < 4 {
		v, ok, err := it.Next(context.Background())
		if err != nil || !ok {
			t.Fatalf("after %v: %v, %v", got, ok, err)
		}
		if got = append(got, v); change[v] != nil {
			change[v]()
			delete(change, v)
		}
	}
	if !slices.Equal(got, []int{1, 1, 2, 3}) {
		t.Errorf("got %v, want 1, then 1 and 2, then 3", got)
	}
	e := env().SetRuntimeMode(Batch)
	e.ReadFile(dir, numbersOf, ProcessContinuously(time.Second)).Print()
	_, err = e.Execute(context.Background())
	mistake(t, err, "IllegalState", "unbounded")
}

func TestMistakesOfReadingFiles(t *testing.T) {
	for says, do := range map[string]func(e *StreamExecutionEnvironment){
		"IllegalArgument: ReadTextFile: the file path must not be empty":               func(e *StreamExecutionEnvironment) { e.ReadTextFile("") },
		"IllegalArgument: ReadTextFile: the charset \"x\" is not supported":            func(e *StreamExecutionEnvironment) { e.ReadTextFile("a", Charset("x")) },
		"IllegalArgument: ReadFile: the monitoring interval must be at least 1ms, got": func(e *StreamExecutionEnvironment) { e.ReadFile("a", numbersOf, ProcessContinuously(0)) },
		"NullPointer: ReadFile: the path filter must not be nil":                       func(e *StreamExecutionEnvironment) { e.ReadFile("a", numbersOf, PathFilter(nil)) },
		"NullPointer: ReadFile: the function must not be nil":                          func(e *StreamExecutionEnvironment) { e.ReadFile[int]("a", nil) },
	} {
		e := env()
		do(e)
		if err := e.Err(); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
	}
	e := env()
	e.ReadFile(filepath.Join(t.TempDir(), "none"), numbersOf).Print()
	_, err := e.Execute(context.Background())
	mistake(t, err, "IO", "none")
	var f *job.Failure
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &f) || f.Operator != "Source: Custom File Source" {
		t.Errorf("got %v", err)
	}
}
