package dataflow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	. "flinkish/dataflow"
)

var rules = NewMapStateDescriptor[string, string]("rules")

// lookup answers a record with the rule of its name.
type lookup struct{}

func (lookup) ProcessElement(v string, ctx *ReadOnlyBroadcastContext, out Collector[string]) error {
	rule, ok := ctx.BroadcastState(rules).Get(v)
	out.Collect(fmt.Sprint(v, ":", rule, ok))
	return nil
}

func (lookup) ProcessBroadcastElement(v Tuple2[string, string], ctx *BroadcastContext, out Collector[string]) error {
	ctx.BroadcastState(rules).Put(v.F0, v.F1)
	out.Collect("put " + v.F0)
	return nil
}

func TestBroadcastStateIsInEverySubtask(t *testing.T) {
	for name, env := range environments(2) {
		t.Run(name, func(t *testing.T) {
			b := env.FromElements(Tuple2[string, string]{"a", "x"}, Tuple2[string, string]{"b", "y"}).BroadcastWithState(rules)
			got, err := env.FromElements("c").ConnectBroadcast(b).Process(lookup{}).ExecuteAndCollectLimit(context.Background(), 99)
			if err != nil {
				t.Fatal(err)
			}
			sameUnordered(t, got, []string{"c:false", "put a", "put a", "put b", "put b"})
		})
	}
}

// counting counts records by key; a broadcast record asks for all counts.
type counting struct{ n ValueState[int] }

func (c *counting) Open(ctx *RuntimeContext) error {
	c.n = ctx.State(NewValueStateDescriptor[int]("n"))
	return nil
}

func (c *counting) ProcessElement(v string, ctx *KeyedReadOnlyBroadcastContext[string], out Collector[string]) error {
	c.n.Update(c.n.Value() + 1)
	ctx.TimerService().RegisterEventTimeTimer(1)
	if _, ok := ctx.BroadcastState(rules).Get("none"); ok {
		return fmt.Errorf("there is no such rule")
	}
	return nil
}

func (c *counting) ProcessBroadcastElement(v int, ctx *KeyedBroadcastContext[string], out Collector[string]) error {
	if v < 0 {
		c.n.Value()
	}
	ctx.BroadcastState(rules).Put("asked", "yes")
	ctx.ApplyToKeyedState(NewValueStateDescriptor[int]("n"), func(k string, s ValueState[int]) error {
		s.Update(s.Value() + v)
		return nil
	})
	return nil
}

func (c *counting) OnTimer(ts int64, ctx *BroadcastOnTimerContext[string], out Collector[string]) error {
	asked, _ := ctx.BroadcastState(rules).Get("asked")
	out.Collect(fmt.Sprint(ctx.CurrentKey(), c.n.Value()/100, c.n.Value()%100, asked))
	return nil
}

func TestKeyedBroadcastFunctionReachesAllKeysAndTimers(t *testing.T) {
	for name, env := range environments(1) {
		t.Run(name, func(t *testing.T) {
			asks := env.FromElements(100).BroadcastWithState(rules)
			out := env.FromElements("a", "b", "a").KeyBy(self).ConnectBroadcast(asks).ProcessKeyed(&counting{})
			got, err := out.ExecuteAndCollectLimit(context.Background(), 9)
			if err != nil {
				t.Fatal(err)
			}
			// How many keys the broadcast record met depends on the order of the two inputs.
			if s := fmt.Sprint(got); len(got) != 2 || !strings.Contains(s, " 2") || strings.Count(s, "yes") != 2 {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestBroadcastMistakes(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	b := env.FromElements(Tuple2[string, string]{"a", "x"}).BroadcastWithState()
	s := env.FromElements("a")
	kind := func(want string) {
		t.Helper()
		if err := env.TakeErr(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	s.KeyBy(self).ConnectBroadcast(b).Process(lookup{})
	kind("IllegalArgument")
	s.ConnectBroadcast(env.FromElements(1).BroadcastWithState(rules)).ProcessKeyed(&counting{})
	kind("IllegalArgument")
	s.KeyBy(self).BroadcastWithState(rules)
	kind("UnsupportedOperation")
	env.RemoveCell("")
	_, err := s.ConnectBroadcast(b).Process(lookup{}).ExecuteAndCollectLimit(context.Background(), 9)
	if err == nil || !strings.Contains(err.Error(), "BroadcastWithState") {
		t.Errorf("an unknown descriptor: got %v", err)
	}
	asks := env.FromElements(-1).BroadcastWithState(rules)
	_, err = s.KeyBy(self).ConnectBroadcast(asks).ProcessKeyed(&counting{}).ExecuteAndCollectLimit(context.Background(), 9)
	if err == nil || !strings.Contains(err.Error(), "NullPointer") {
		t.Errorf("keyed state on the broadcast side: got %v", err)
	}
}

// bothAlarm sets a timer from either side.
type bothAlarm struct{}

func (bothAlarm) ProcessElement1(v string, ctx *ProcessContext, out Collector[string]) error {
	ctx.TimerService().RegisterEventTimeTimer(5)
	return nil
}

func (bothAlarm) ProcessElement2(v string, ctx *ProcessContext, out Collector[string]) error {
	return nil
}

func (bothAlarm) OnTimer(ts int64, ctx *CoOnTimerContext, out Collector[string]) error {
	out.Collect(fmt.Sprint(ts, ctx.TimeDomain()))
	return nil
}

func TestCoProcessFunctionHasTimersWhenBothStreamsAreKeyed(t *testing.T) {
	env := NewEnv(WithParallelism(1), WithDeterministic(1))
	s := env.FromElements("a")
	got, err := s.Connect(s).KeyBy(self, self).Process(bothAlarm{}).ExecuteAndCollectLimit(context.Background(), 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []string{"5 EVENT_TIME"})
	if _, err := s.Connect(s).Process(bothAlarm{}).ExecuteAndCollectLimit(context.Background(), 9); err == nil {
		t.Error("timers without keys: got no error")
	}
}
