package dataflow_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

func Example() {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	env.FromElements("to be", "or not to be").
		FlatMap(func(line string, out Collector[string]) {
			for _, w := range strings.Fields(line) {
				out.Collect(w)
			}
		}).
		Map(func(w string) Tuple2[string, int] { return Tuple2[string, int]{F0: w, F1: 1} }).
		KeyBy(func(t Tuple2[string, int]) string { return t.F0 }).
		Sum(1).
		Print()
	if _, err := env.Execute(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// (to,1)
	// (be,1)
	// (or,1)
	// (not,1)
	// (to,2)
	// (be,2)
}

func TestTheSubtaskIsTheOneThatFlinkWouldChoose(t *testing.T) {
	for name, env := range environments(4) {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			env.Configure(WithOutput(&out, &out))
			env.FromElements("a", "b", "c", "d").KeyBy(func(s string) string { return s }).
				Reduce(func(a, b string) string { return b }).Print()
			if _, err := env.Execute(context.Background()); err != nil {
				t.Fatal(err)
			}
			lines := strings.Fields(strings.ReplaceAll(out.String(), "> ", ">"))
			slices.Sort(lines)
			same(t, lines, []string{"1>b", "2>c", "3>a", "3>d"})
		})
	}
}

func TestPrintFormatsAndPrefixes(t *testing.T) {
	var out, errs bytes.Buffer
	env := NewEnv(WithParallelism(1), WithDeterministic(1), WithOutput(&out, &errs))
	env.FromElements[any]("s", 1, 2.0, 1e10, true, []string{"a", "b"}, map[string]int{"b": 2, "a": 1}, Tuple2[string, float64]{F0: "k", F1: 1},
		struct{ A int }{1}, errors.New("e")).Print()
	env.FromElements("hello").Print(Identifier("mySink"))
	env.FromElements("hello").PrintToErr()
	env.FromElements("b").Global().Print(Identifier("id")).SetParallelism(2)
	if _, err := env.Execute(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	sameUnordered(t, got, []string{"s", "1", "2.0", "1.0E10", "true", "[a, b]", "{a=1, b=2}", "(k,1.0)", "{1}", "e", "mySink> hello", "id:1> b"})
	if errs.String() != "hello\n" {
		t.Errorf("standard error: got %q", errs.String())
	}
}

// seen counts the records of its key.
type seen struct{ n ValueState[int] }

func (s *seen) Open(ctx *RuntimeContext) error {
	s.n = ctx.State(NewValueStateDescriptor[int]("n"))
	return nil
}

func (s *seen) ProcessElement(w string, ctx *KeyedContext[string], out Collector[string]) error {
	s.n.Update(s.n.Value() + 1)
	out.Collect(fmt.Sprint(ctx.CurrentKey(), "=", s.n.Value()))
	return nil
}

func TestAFunctionObjectWorksPerSubtask(t *testing.T) {
	for _, parallelism := range []int{1, 2, 4} {
		for name, env := range environments(parallelism) {
			t.Run(fmt.Sprint(name, parallelism), func(t *testing.T) {
				got, err := env.FromElements("a", "b", "c", "a", "d", "c").KeyBy(func(s string) string { return s }).
					ProcessKeyed(&seen{}).ExecuteAndCollectLimit(context.Background(), 6)
				if err != nil {
					t.Fatal(err)
				}
				sameUnordered(t, got, []string{"a=1", "b=1", "c=1", "a=2", "d=1", "c=2"})
			})
		}
	}
}

// alarm sets an event timer for each record and says what fires.
type alarm struct{ seen }

func (a *alarm) ProcessElement(w string, ctx *KeyedContext[string], out Collector[string]) error {
	ctx.TimerService().RegisterEventTimeTimer(10)
	a.n.Update(a.n.Value() + 1)
	return nil
}

func (a *alarm) OnTimer(ts int64, ctx *OnTimerContext[string], out Collector[string]) error {
	out.Collect(fmt.Sprintf("%s=%d at %d %s", ctx.CurrentKey(), a.n.Value(), ts, ctx.TimeDomain()))
	return nil
}

func TestTimersFireOncePerKeyAndTime(t *testing.T) {
	for name, env := range environments(2) {
		t.Run(name, func(t *testing.T) {
			got, err := env.FromElements("a", "b", "a").
				AssignTimestampsAndWatermarks(ForMonotonousTimestamps[string]().WithTimestampAssigner(func(string, int64) int64 { return 1 })).
				KeyBy(func(s string) string { return s }).
				ProcessKeyed(&alarm{}).ExecuteAndCollectLimit(context.Background(), 10)
			if err != nil {
				t.Fatal(err)
			}
			sameUnordered(t, got, []string{"a=2 at 10 EVENT_TIME", "b=1 at 10 EVENT_TIME"})
		})
	}
}

func TestAPanicNamesOperatorSubtaskAndRecord(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			zero := 0
			_, err := env.FromElements("4", "0").Map(func(x string) string { return fmt.Sprint(8 / (len(x)*0 + zero)) }).Name("Divider").
				ExecuteAndCollectLimit(context.Background(), 3)
			var f *job.Failure
			if !errors.As(err, &f) || f.Operator != "Divider" || err.Error() != `operator "Divider" (1/1) failed on record 4: integer divide by zero` {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestTheErrorOfAUserFunctionIsReachable(t *testing.T) {
	boom := errors.New("boom")
	env := NewEnv(WithParallelism(1))
	env.FromElements("1", "2").MapE(func(x string) (string, error) {
		if x == "2" {
			return "", boom
		}
		return x, nil
	})
	if _, err := env.Execute(context.Background()); !errors.Is(err, boom) {
		t.Errorf("got %v, want boom in its chain", err)
	}
}

func TestTwoCollectedStreamsOfOneJob(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			src := env.FromElements("1", "2", "3", "4")
			var even, odd StreamCollector[string]
			if _, err := odd.Output(); err == nil {
				t.Error("Output before CollectAsyncInto: got no error")
			}
			src.Filter(func(x string) bool { return x == "2" || x == "4" }).CollectAsyncInto(&even)
			src.Filter(func(x string) bool { return x == "1" || x == "3" }).CollectAsyncInto(&odd)
			if _, err := env.ExecuteAsync(context.Background()); err != nil {
				t.Fatal(err)
			}
			for c, want := range map[*StreamCollector[string]][]string{&even: {"2", "4"}, &odd: {"1", "3"}} {
				it, err := c.Output()
				if err != nil {
					t.Fatal(err)
				}
				same(t, all(t, it), want)
			}
		})
	}
}

func TestClosingAnIteratorCancelsTheJob(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			endless := func(yield func(string) bool) {
				for yield("x") {
				}
			}
			var j job.Job
			env.OnJob(func(o job.Job) { j = o })
			it, err := env.FromSeq(endless).ExecuteAndCollect(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if v, ok, err := it.Next(context.Background()); v != "x" || !ok || err != nil {
				t.Fatalf("got %q, %v, %v", v, ok, err)
			}
			it.Close()
			it.Close()
			if err := j.Wait(context.Background()); err != nil || j.Status() != job.Canceled {
				t.Errorf("got status %s, error %v, want CANCELED", j.Status(), err)
			}
		})
	}
}
