package apitest_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// What an iterator of a collected stream gives, whichever way the stream ends.

// rest reads what is left of an iterator; a failure is its last word.
func rest[T any](it *CloseableIterator[T]) string {
	var all []string
	for v, err := range it.All() {
		if err != nil {
			all = append(all, err.Error())
		} else {
			all = append(all, fmt.Sprint(v))
		}
	}
	return strings.Join(all, " ")
}

func TestIteratorsAtTheirEnds(t *testing.T) {
	five := func(e *StreamExecutionEnvironment) *DataStreamSource[int] { return e.FromElements(1, 2, 3, 4, 5) }
	ctx := context.Background()
	for _, c := range []struct {
		name string
		do   func(t *testing.T, e *StreamExecutionEnvironment) string
		want string
	}{
		{"leaving a loop closes nothing", func(t *testing.T, e *StreamExecutionEnvironment) string {
			it := five(e).CollectAsync()
			c := started(t, e)
			for v, err := range it.All() {
				if err != nil || v == 2 {
					break
				}
			}
			left := rest(it)
			stands(t, c, job.Finished)
			return left
		}, "3 4 5"},
		{"what came before the end is read after it", func(t *testing.T, e *StreamExecutionEnvironment) string {
			it := five(e).CollectAsync()
			if _, err := started(t, e).Result(ctx); err != nil {
				t.Error(err)
			}
			return rest(it) + "|" + rest(it)
		}, "1 2 3 4 5|"},
		{"what came before a failure is read before it, and the failure once", func(t *testing.T, e *StreamExecutionEnvironment) string {
			it := five(e).MapE(func(v int) (int, error) {
				if v == 3 {
					return 0, errors.New("wrong")
				}
				return v, nil
			}).CollectAsync()
			started(t, e)
			all := rest(it)
			if err := it.Close(); err != nil {
				t.Error(err)
			}
			return all + "|" + rest(it)
		}, `1 2 operator "Map" (1/1) failed on record 3: wrong|`},
		{"closing after the end changes nothing", func(t *testing.T, e *StreamExecutionEnvironment) string {
			it := five(e).CollectAsync()
			c := started(t, e)
			all := rest(it)
			for range 2 {
				if err := it.Close(); err != nil {
					t.Error(err)
				}
			}
			stands(t, c, job.Finished)
			return all + "|" + rest(it)
		}, "1 2 3 4 5|"},
		{"closing drops what was not read of a job that has ended", func(t *testing.T, e *StreamExecutionEnvironment) string {
			it := five(e).CollectAsync()
			c := started(t, e)
			c.Result(ctx)
			if err := it.Close(); err != nil {
				t.Error(err)
			}
			return rest(it)
		}, ""},
		{"an iterator of a program that was not executed has nothing", func(t *testing.T, e *StreamExecutionEnvironment) string {
			it := five(e).CollectAsync()
			return rest(it)[:len("NullPointer")]
		}, "NullPointer"},
		{"a stream that was cut off has no end", func(t *testing.T, e *StreamExecutionEnvironment) string {
			it := e.FromSequence(1, 1<<60).CollectAsync()
			c := started(t, e)
			if _, ok, err := it.Next(ctx); !ok || err != nil {
				t.Error(ok, err)
			}
			if err := c.Cancel(ctx); err != nil {
				t.Error(err)
			}
			all := strings.SplitAfterN(rest(it), "JobCancellation", 2)
			return strings.TrimLeft(all[0], "0123456789 ") + "|" + rest(it)
		}, "JobCancellation|"},
		{"closing one stream of a job cancels it for the others", func(t *testing.T, e *StreamExecutionEnvironment) string {
			s := e.FromSequence(1, 1<<60)
			one, two := s.CollectAsync(), s.Map(func(v int64) int { return int(v) }).CollectAsync()
			c := started(t, e)
			one.Next(ctx)
			if err := one.Close(); err != nil {
				t.Error(err)
			}
			c.Job().Wait(ctx)
			stands(t, c, job.Canceled)
			all := strings.SplitAfterN(rest(two), "JobCancellation", 2)
			return rest(one) + "|" + strings.TrimLeft(all[0], "0123456789 ")
		}, "|JobCancellation"},
		{"a reader's context ends the wait, and the next reader goes on", func(t *testing.T, e *StreamExecutionEnvironment) string {
			goOn := make(chan bool)
			it := five(e).Map(func(v int) int { <-goOn; return v }).CollectAsync()
			started(t, e)
			impatient, stop := context.WithCancel(ctx)
			stop()
			for range 2 {
				if _, ok, err := it.Next(impatient); ok || !errors.Is(err, context.Canceled) {
					t.Error(ok, err)
				}
			}
			close(goOn)
			return rest(it)
		}, "1 2 3 4 5"},
		{"a limit above the number of records gives all", func(t *testing.T, e *StreamExecutionEnvironment) string {
			vs, err := five(e).ExecuteAndCollectLimit(ctx, 6)
			return fmt.Sprint(vs, err)
		}, "[1 2 3 4 5] <nil>"},
		{"a limit ends a job without an end", func(t *testing.T, e *StreamExecutionEnvironment) string {
			var j job.Job
			e.OnJob(func(submitted job.Job) { j = submitted })
			vs, err := e.FromSequence(1, 1<<60).ExecuteAndCollectLimit(ctx, 2)
			return fmt.Sprint(vs, err, j.Status())
		}, "[1 2] <nil>CANCELED"},
		{"a limit does not hide a failure before it", func(t *testing.T, e *StreamExecutionEnvironment) string {
			vs, err := five(e).MapE(func(v int) (int, error) { return v, errors.New("wrong") }).ExecuteAndCollectLimit(ctx, 2)
			return fmt.Sprint(vs, err)
		}, `[] operator "Map" (1/1) failed on record 1: wrong`},
	} {
		t.Run(c.name, func(t *testing.T) {
			bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
				if got := c.do(t, e); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

// TestAStreamThatIsNotReadHoldsTheOthersBack: the sink of a collected stream holds so many records and no more; a reader of another
// stream of the job waits as long as nobody reads them.
func TestAStreamThatIsNotReadHoldsTheOthersBack(t *testing.T) {
	const n = 1 << 19
	e := NewEnv(WithParallelism(1))
	s := e.FromSequence(1, n)
	one, two := s.CollectAsync(), s.Map(func(v int64) int { return int(v) }).CollectAsync()
	c := started(t, e)
	ctx, stop := context.WithCancel(context.Background())
	read, ended := 0, make(chan error)
	go func() {
		for {
			_, ok, err := one.Next(ctx)
			if !ok {
				ended <- err
				return
			}
			read++
		}
	}()
	limit, over := context.WithTimeout(ctx, time.Minute)
	defer over()
	for c.Job().Metrics().Vertices[0].Subtasks[0].State != "back-pressured" {
		runtime.Gosched()
		if limit.Err() != nil {
			t.Fatal("the source was never held back")
		}
	}
	stands(t, c, job.Running)
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) || read >= n {
		t.Errorf("%d records were read, %v", read, err)
	}
	go func() { // both are read: the job goes on
		for range two.All() {
		}
		ended <- nil
	}()
	for _, err := range one.All() {
		if err != nil {
			t.Error(err)
		}
		read++
	}
	if <-ended; read != n {
		t.Errorf("%d records were read, want %d", read, n)
	}
	stands(t, c, job.Finished)
}

// TestADeterministicJobSaysWhichStreamIsNotRead: it would wait for ever for the reader, who waits for it.
func TestADeterministicJobSaysWhichStreamIsNotRead(t *testing.T) {
	const n = 1 << 19
	e, ctx, read := env(), context.Background(), 0
	s := e.FromSequence(1, n)
	one, two := s.CollectAsync(), s.Map(func(v int64) int { return int(v) }).CollectAsync()
	c := started(t, e)
	for _, err := range one.All() {
		if err != nil {
			if !strings.Contains(err.Error(), "nobody reads it") {
				t.Error(err)
			}
			break
		}
		read++
	}
	stands(t, c, job.Running)
	for range n / 2 { // room for the rest
		if _, ok, err := two.Next(ctx); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for _, err := range one.All() {
		if err != nil {
			t.Fatal(err)
		}
		read++
	}
	if read != n {
		t.Errorf("%d records were read, want %d", read, n)
	}
	stands(t, c, job.Finished)
	if err := two.Close(); err != nil {
		t.Error(err)
	}
	stands(t, c, job.Finished)
}
