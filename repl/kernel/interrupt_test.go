package kernel

import (
	"context"
	"testing"

	"flinkish/repl/session"
)

// loops is a job whose function does not end by itself.
const loops = `env.FromData(1, 2).Rebalance().Map(func(i int) int { fmt.Println("on"); for { v++ }; return i }).Print()`

// interruptible calls f with a context that ends when user code prints "on".
func interruptible(f func(context.Context, func(session.Event))) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f(ctx, func(e session.Event) {
		if e.Text == "on\n" {
			cancel()
		}
	})
}

func TestInterruptStopsTheFunctionOfAJobThatIsDrivenOutsideOfACell(t *testing.T) {
	ways := []struct {
		name   string
		cells  []string // before
		engine session.Engine
		drive  func(context.Context, session.Session, func(session.Event)) session.Result
	}{
		{"the command run", []string{loops}, session.Deterministic,
			func(ctx context.Context, s session.Session, on func(session.Event)) session.Result {
				return s.Run(ctx, on)
			}},
		{"the command run, parallel", []string{loops}, session.Parallel,
			func(ctx context.Context, s session.Session, on func(session.Event)) session.Result {
				return s.Run(ctx, on)
			}},
		{"the steps after a cell", []string{loops + "\njob, err := env.ExecuteAsync(ctx)"}, session.Deterministic, evals(`"more"`)},
		{"the steps after a cell that failed", []string{loops + "\njob, err := env.ExecuteAsync(ctx)"}, session.Deterministic, evals("v = v / (v - 41)")},
		{"steps on request", []string{loops + "\njob, err := env.ExecuteAsync(ctx)"}, session.Deterministic,
			func(ctx context.Context, s session.Session, on func(session.Event)) session.Result {
				s.Settle(ctx, 1000, on)
				return session.Result{}
			}},
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			s, l := start(t, session.Options{Settings: session.Settings{Engine: w.engine, Max: 1}})
			run(t, s, l, "v := 41")
			run(t, s, l, w.cells...)
			if err := s.Set(context.Background(), "max", "100"); err != nil {
				t.Fatal(err)
			}
			interruptible(func(ctx context.Context, on func(session.Event)) {
				r := w.drive(ctx, s, on)
				if d := r.Diagnostic; r.OK || d != nil && d.Stuck != "" || ctx.Err() == nil {
					t.Errorf("got %+v, want an interruption that stops all", d)
				}
			})
			for _, j := range s.Jobs() {
				if j.Status != "CANCELED" || j.Error != "" {
					t.Errorf("the job is %s, %s", j.Status, j.Error)
				}
			}
			l.take()
			run(t, s, l, "have := v", "for i := 0; i < 1000; i++ { have += 0 }", "v >= 41 && v == have",
				"env.FromData(1).Map(func(i int) int { for range 3 { i++ }; return i }).Print()")
			if r := s.Run(context.Background(), l.event); !r.OK {
				t.Error(r.Diagnostic)
			}
			if got, want := l.take(), "result:true\nstdout:4\n"; got != want {
				t.Errorf("afterwards the session says %q, want %q", got, want)
			}
		})
	}
}

func evals(cell string) func(context.Context, session.Session, func(session.Event)) session.Result {
	return func(ctx context.Context, s session.Session, on func(session.Event)) session.Result {
		return s.Eval(ctx, session.Cell{Source: cell}, on)
	}
}

func TestAnInterruptedCellLeavesTheFunctionsOfOtherJobs(t *testing.T) {
	s, l := start(t, session.Options{Settings: session.Settings{Max: 1}})
	run(t, s, l, "env.FromData(1).Rebalance().Map(func(i int) int { for range 3 { i++ }; return i }).Print()\njob, err := env.ExecuteAsync(ctx)")
	interruptible(func(ctx context.Context, on func(session.Event)) {
		s.Eval(ctx, session.Cell{Source: `fmt.Println("on"); for {}`}, on)
	})
	s.Settle(context.Background(), 1000, l.event)
	if j := s.Jobs()[0]; j.Status != "FINISHED" {
		t.Errorf("the job is %s, %s; want it finished", j.Status, j.Error)
	}
}
