package apitest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	. "flinkish/dataflow"
	"flinkish/dataflow/job"
)

// What the handle of a job answers before, while, and after the job runs.

// bothModes runs f with an environment of each kind.
func bothModes(t *testing.T, f func(t *testing.T, e *StreamExecutionEnvironment)) {
	t.Run("parallel", func(t *testing.T) { f(t, NewEnv(WithParallelism(1))) })
	t.Run("deterministic", func(t *testing.T) { f(t, env()) })
}

func started(t *testing.T, e *StreamExecutionEnvironment) *JobClient {
	t.Helper()
	c, err := e.ExecuteAsync(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// stands checks the status of a job.
func stands(t *testing.T, c *JobClient, want JobStatus) {
	t.Helper()
	if s, err := c.Status(context.Background()); s != want || err != nil {
		t.Errorf("the job is %s, %v, want %s", s, err, want)
	}
}

func TestAJobIsRunningUntilItHasFinished(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		came, goOn, result := make(chan bool), make(chan bool), make(chan error)
		e.FromElements(1).Map(func(v int) int { came <- true; <-goOn; return v })
		c := started(t, e)
		go func() { _, err := c.Result(context.Background()); result <- err }()
		<-came
		stands(t, c, job.Running)
		close(goOn)
		if err := <-result; err != nil {
			t.Error(err)
		}
		stands(t, c, job.Finished)
		mistake(t, c.Cancel(context.Background()), "FlinkJobTerminatedWithoutCancellation", "FINISHED")
		stands(t, c, job.Finished)
		if r, err := c.Result(context.Background()); err != nil || r.JobID() != c.ID() || len(c.ID()) != 32 {
			t.Errorf("the second look at the result gives %v, %v", r, err)
		}
	})
}

func TestAFailedJobHasNoResult(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		wrong := errors.New("wrong")
		e.FromElements(1).MapE(func(v int) (int, error) { return v, wrong })
		c := started(t, e)
		for range 2 {
			if r, err := c.Result(context.Background()); r != nil || !errors.Is(err, wrong) {
				t.Errorf("got %v, %v, want the failure", r, err)
			}
		}
		stands(t, c, job.Failed)
		mistake(t, c.Cancel(context.Background()), "FlinkJobTerminatedWithoutCancellation", "FAILED")
		stands(t, c, job.Failed)
	})
}

func TestCancellingAgainIsNoMistake(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		e.FromSequence(1, 1<<60).Map(func(v int64) int { return 0 })
		c := started(t, e)
		for range 2 {
			if err := c.Cancel(context.Background()); err != nil {
				t.Error(err)
			}
			stands(t, c, job.Canceled)
		}
		_, err := c.Result(context.Background())
		mistake(t, err, "JobCancellation", "CANCELED")
	})
}

// TestAFunctionThatBlocksHoldsNobodyUp: who cancels is free when its context is; the job is over once the function returns.
func TestAFunctionThatBlocksHoldsNobodyUp(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		came, goOn, d := make(chan bool), make(chan bool), &diary{}
		e.FromElements(1, 2).Map(func(v int) int {
			d.note("map")
			if v == 1 {
				came <- true
				<-goOn
			}
			return v
		}).AddSink(&lived{d, "s", ""})
		c := started(t, e)
		waited, stop := context.WithCancel(context.Background())
		result := make(chan error)
		go func() { _, err := c.Result(waited); result <- err }()
		<-came
		stop()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("who waits for the result gets %v", err)
		}
		stands(t, c, job.Running)
		if err := c.Cancel(waited); !errors.Is(err, context.Canceled) {
			t.Errorf("who cancels gets %v", err)
		}
		stands(t, c, job.Cancelling)
		close(goOn)
		if err := c.Cancel(context.Background()); err != nil {
			t.Error(err)
		}
		stands(t, c, job.Canceled)
		if got := d.String(); got != "s.open map s.invoke s.close" {
			t.Errorf("got %s, want the record at hand, no other one, no finish, and a close", got)
		}
	})
}

func TestTheContextOfExecuteAsyncIsThatOfTheSubmission(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		ctx, stop := context.WithCancel(context.Background())
		goOn := make(chan bool)
		s := e.FromElements(1).Map(func(v int) int { <-goOn; return v })
		c, err := e.ExecuteAsync(ctx)
		if err != nil {
			t.Fatal(err)
		}
		stop()
		close(goOn)
		if _, err := c.Result(context.Background()); err != nil {
			t.Error(err)
		}
		stands(t, c, job.Finished)
		s.Map(one)
		if c, err := e.ExecuteAsync(ctx); c != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("a submission with a context that is over gives %v, %v", c, err)
		}
		_, err = e.ExecuteAsync(context.Background())
		mistake(t, err, "IllegalState", "no operators")
	})
}

func TestTheContextOfExecuteCancelsTheJob(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		ctx, stop := context.WithCancel(context.Background())
		var j job.Job
		e.OnJob(func(submitted job.Job) { j = submitted })
		d := &diary{}
		e.FromSequence(1, 1<<60).Map(func(v int64) int {
			if v == 3 {
				stop()
			}
			return 0
		}).AddSink(&lived{d, "s", ""})
		if r, err := e.Execute(ctx); r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, %v", r, err)
		}
		if err := j.Wait(context.Background()); err != nil || j.Status() != job.Canceled {
			t.Errorf("the job is %s, %v", j.Status(), err)
		}
		if strings.Contains(d.String(), "finish") || !strings.HasSuffix(d.String(), "s.close") {
			t.Errorf("got %.100s", d)
		}
	})
}

// TestAccumulatorsAreThereWhateverTheEnd: also before the first record, and of a job that failed or was cancelled.
func TestAccumulatorsAreThereWhateverTheEnd(t *testing.T) {
	for _, end := range []string{"finished", "failed", "cancelled"} {
		t.Run(end, func(t *testing.T) {
			bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
				var n *LongCounter
				came := make(chan bool)
				e.FromElements(1, 2).MapRich(&counting{func(ctx *RuntimeContext) { n = ctx.LongCounter("n") }}).MapE(func(v int) (int, error) {
					n.Add(1)
					if v == 1 {
						return v, nil
					}
					close(came)
					if end == "failed" {
						return v, errors.New("wrong")
					}
					return v, nil
				}).Union(e.AddSource(&onlyIf{end == "cancelled"})).Map(one)
				c := started(t, e)
				go c.Result(context.Background())
				<-came
				if end == "cancelled" {
					c.Cancel(context.Background())
				}
				c.Job().Wait(context.Background())
				if a, err := c.Accumulators(context.Background()); err != nil || a["n"] != int64(2) {
					t.Errorf("got %v, %v", a, err)
				}
			})
		})
	}
}

// onlyIf is a source that gives nothing, and waits to be cancelled if it is told to.
type onlyIf struct{ waits bool }

func (s *onlyIf) Run(ctx *SourceContext[int]) error {
	for s.waits && ctx.Sleep(time.Second) {
	}
	return nil
}

func TestListenersHearOfJobs(t *testing.T) {
	ctx, d, e := context.Background(), &diary{}, env()
	e.OnJob(func(j job.Job) { d.note("submitted:" + j.Name()) })
	e.OnJobExecuted(func(r *JobExecutionResult, err error) {
		switch {
		case r != nil:
			d.note("finished")
		default:
			d.note("failed")
		}
	})
	s := e.FromElements(1)
	s.Map(one)
	e.Execute(ctx, JobName("a"))
	s.MapE(func(int) (int, error) { return 0, errors.New("wrong") })
	e.Execute(ctx, JobName("b"))
	e.Execute(ctx, JobName("c")) // there is no job
	s.Map(one)
	e.ExecuteAsync(ctx, JobName("d"))
	s.ExecuteAndCollectLimit(ctx, 1, JobName("e"))
	if want := "submitted:a finished submitted:b failed failed submitted:d submitted:e"; d.String() != want {
		t.Errorf("got  %s\nwant %s", d, want)
	}
	n := len(d.said)
	e.ClearJobListeners()
	s.Map(one)
	if e.Execute(ctx); len(d.said) != n {
		t.Errorf("got %s", d)
	}
}

func TestClosingAnEnvironmentCancelsItsJobs(t *testing.T) {
	bothModes(t, func(t *testing.T, e *StreamExecutionEnvironment) {
		var clients []*JobClient
		for range 2 {
			e.FromSequence(1, 1<<60).Map(func(int64) int { return 0 })
			clients = append(clients, started(t, e))
		}
		e.FromElements(1).Map(one) // it is not executed any more
		for range 2 {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
		for _, c := range clients {
			if err := c.Job().Wait(context.Background()); err != nil {
				t.Error(err)
			}
			stands(t, c, job.Canceled)
		}
		_, err := e.Execute(context.Background())
		mistake(t, err, "IllegalState", "no operators")
		e.FromElements(1).Map(one)
		if _, err := e.Execute(context.Background()); err != nil {
			t.Errorf("an environment that was closed is used again: %v", err)
		}
	})
}
