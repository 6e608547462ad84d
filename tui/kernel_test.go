package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"flinkish/repl/kernel"
	"flinkish/repl/session"
)

// pipeline is a real job with an exchange of each common kind. Its background run stops after few steps,
// because the test's session allows no more.
const pipeline = `env.SetParallelism(2)
xs := make([]string, 4000)
for i := range xs {
	xs[i] = fmt.Sprint("w", i%7)
}
words := env.FromElements(xs...).Map(func(s string) string { return s + "!" })
words.KeyBy(func(w string) string { return w }).Reduce(func(a, b string) string { return b }).Print()
env.ExecuteAsync(ctx)`

// kernelFrames runs the pipeline in a session and returns the frames: as it was found, after one step,
// at its end, and the summary.
func kernelFrames(t *testing.T) []string {
	t.Helper()
	o := session.Options{}
	o.Max = 3
	s, err := kernel.New(o.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r := s.Eval(context.Background(), session.Cell{Source: pipeline}, nil); !r.OK {
		t.Fatal(r.Diagnostic)
	}
	m := open(t, s, 80, 24)
	frames := []string{m.View()}
	press(m, "s")
	frames = append(frames, m.View())
	press(m, "r")
	for i := 0; i < 1000 && m.ticking; i++ {
		send(m, tickMsg{})
	}
	return append(frames, m.View(), m.summary())
}

func TestARealJobIsSteppedAndRunsToItsEnd(t *testing.T) {
	frames := kernelFrames(t)
	for i, wants := range [][]string{
		{"RUNNING, paused", "step 3", "seed 1", "Keyed Reduce", "HASH", "REBALANCE"},
		{"step 4", "took step 4"},
		{"FINISHED", "the job is FINISHED", "4.0k"},
		{"FINISHED", "HASH", "4.0k"},
	} {
		for _, want := range wants {
			if !strings.Contains(frames[i], want) {
				t.Errorf("frame %d lacks %q:\n%s", i, want, frames[i])
			}
		}
	}
}

func TestARealJobGivesTheSameFramesAgain(t *testing.T) {
	first, again := kernelFrames(t), kernelFrames(t)
	for i := range first {
		if first[i] != again[i] {
			t.Errorf("frame %d: got\n%s\nwant\n%s", i, again[i], fmt.Sprint(first[i]))
		}
	}
}
